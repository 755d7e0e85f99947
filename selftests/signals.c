// SPDX-License-Identifier: GPL-2.0
/*
 * A program's own signals and timers do not notice that it is profiled, as
 * they would if profil() used them.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "work.h"

#define TIMER_NS	10000000ULL
#define WAIT_MS		200

/* What a program does that a test has started by exec(). */
static void __attribute__((constructor)) other_role(void)
{
	if (!getenv("PROFIL_TEST_WORK"))
		return;
	work_for(work_a, NSEC / 10);
	_exit(0);
}

FIXTURE(signals)
{
	int fd;
	uint32_t tick_ns;
	uint32_t counter;
	struct profil_region region;
};

FIXTURE_SETUP(signals)
{
	self->fd = OPEN_DEVICE();
	self->tick_ns = info_of(self->fd).tick_ns;
	ASSERT_LT(0, self->tick_ns);
	self->region = work_region(work_a, &self->counter, 4);
}

FIXTURE_TEARDOWN(signals)
{
	close(self->fd);
}

FIXTURE_VARIANT(signals)
{
	uint32_t period_ns;	/* 0: every tick */
	bool blocked;		/* threads that work block SIGPROF */
};

FIXTURE_VARIANT_ADD(signals, every_tick) {
	.period_ns = 0,
	.blocked = false,
};

FIXTURE_VARIANT_ADD(signals, hundred_a_second_blocked) {
	.period_ns = TIMER_NS,
	.blocked = true,
};

/* Threads that work, so that ticks come while the caller sleeps. */
#define NR_BUSY		2

struct busy {
	pthread_t thread;
	bool blocks;
	bool *ends;
};

static void *busy_run(void *arg)
{
	struct busy *self = arg;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPROF);
	pthread_sigmask(self->blocks ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
	while (!__atomic_load_n(self->ends, __ATOMIC_RELAXED))
		work_a(10000);
	return NULL;
}

static int busy_start(struct busy *busy, bool blocks, bool *ends)
{
	int i, ret = 0;

	*ends = false;
	for (i = 0; i < NR_BUSY && !ret; i++) {
		busy[i] = (struct busy){ .blocks = blocks, .ends = ends };
		ret = pthread_create(&busy[i].thread, NULL, busy_run, &busy[i]);
	}
	return ret;
}

static void busy_end(struct busy *busy, bool *ends)
{
	int i;

	__atomic_store_n(ends, true, __ATOMIC_RELAXED);
	for (i = 0; i < NR_BUSY; i++)
		pthread_join(busy[i].thread, NULL);
}

/* The program's own timers */

static volatile unsigned int prof_signals, virtual_signals;

static void on_signal(int signal)
{
	if (signal == SIGPROF)
		prof_signals++;
	else
		virtual_signals++;
}

static void handle(int signal)
{
	struct sigaction action = {
		.sa_handler = on_signal,
		.sa_flags = SA_RESTART,
	};

	sigaction(signal, &action, NULL);
}

static void set_timer(int which, uint64_t ns)
{
	struct itimerval timer = {
		.it_interval = { .tv_usec = ns / 1000 },
		.it_value = { .tv_usec = ns / 1000 },
	};

	setitimer(which, &timer, NULL);
}

struct heard {
	uint64_t used;
	uint64_t user;
	uint64_t lost;
	unsigned int prof;
	unsigned int virtual;
};

static uint64_t user_ns(void)
{
	struct rusage now;

	getrusage(RUSAGE_SELF, &now);
	return now.ru_utime.tv_sec * NSEC + now.ru_utime.tv_usec * 1000ULL;
}

/* Two seconds of work under both timers. */
static struct heard listen_to_timers(void)
{
	struct accounted before = accounted_now();
	struct heard heard = {
		.used = clock_ns(CLOCK_PROCESS_CPUTIME_ID),
		.user = user_ns(),
	};

	prof_signals = 0;
	virtual_signals = 0;
	set_timer(ITIMER_PROF, TIMER_NS);
	set_timer(ITIMER_VIRTUAL, TIMER_NS);
	work_for(work_a, 2 * NSEC);
	set_timer(ITIMER_PROF, 0);
	set_timer(ITIMER_VIRTUAL, 0);
	heard.used = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - heard.used;
	heard.user = user_ns() - heard.user;
	heard.lost = lost_ns(&before, -1);
	heard.prof = prof_signals;
	heard.virtual = virtual_signals;
	return heard;
}

/*
 * Each timer's signals stand for the time that the timer is about.  They come
 * with the tick, so that where that is longer, or was lost, signals are fewer.
 * Twice as many, or half as many, would be out of bounds.
 */
static void check_heard(struct __test_metadata *_metadata,
			const struct heard *heard, uint32_t tick_ns)
{
	uint64_t unit = tick_ns < TIMER_NS ? TIMER_NS : tick_ns;
	uint64_t few = shortfall_ns(heard->used, unit, heard->lost);
	uint64_t many = slack_ns(heard->used, unit);

	TH_LOG("%u and %u signals in %.3f s, of which %.3f s user time, machine lost %.3f s",
	       heard->prof, heard->virtual, (double)heard->used / NSEC,
	       (double)heard->user / NSEC, (double)heard->lost / NSEC);
	EXPECT_GE(heard->prof * TIMER_NS + few, heard->used);
	EXPECT_LE(heard->prof * TIMER_NS, heard->used + many);
	EXPECT_GE(heard->virtual * TIMER_NS + few, heard->user);
	EXPECT_LE(heard->virtual * TIMER_NS, heard->user + many);
}

TEST_F(signals, timers_go_on_as_they_do)
{
	struct profil_counts counts;
	struct heard heard;

	handle(SIGPROF);
	handle(SIGVTALRM);
	heard = listen_to_timers();
	check_heard(_metadata, &heard, self->tick_ns);

	ASSERT_EQ(0, start(self->fd, &self->region, 1, variant->period_ns));
	heard = listen_to_timers();
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_LT(0, counts.counted);
	check_heard(_metadata, &heard, self->tick_ns);
}

/* And the profile goes on as it does under the program's timers. */
TEST_F(signals, no_sigprof_without_a_timer)
{
	handle(SIGPROF);
	handle(SIGVTALRM);
	ASSERT_EQ(0, start(self->fd, &self->region, 1, variant->period_ns));
	work_for(work_a, NSEC);
	EXPECT_LT(0, self->counter);
	EXPECT_EQ(0, prof_signals);
	EXPECT_EQ(0, virtual_signals);
}

static bool is_unset(int which)
{
	struct itimerval timer;

	memset(&timer, 0xff, sizeof(timer));
	return !getitimer(which, &timer) && !timer.it_value.tv_sec &&
	       !timer.it_value.tv_usec && !timer.it_interval.tv_sec &&
	       !timer.it_interval.tv_usec;
}

static bool no_timer(void)
{
	return is_unset(ITIMER_PROF) && is_unset(ITIMER_VIRTUAL) &&
	       is_unset(ITIMER_REAL);
}

TEST_F(signals, no_timer_is_set)
{
	struct profil_counts counts;

	ASSERT_TRUE(no_timer());
	ASSERT_EQ(0, start(self->fd, &self->region, 1, variant->period_ns));
	EXPECT_TRUE(no_timer());
	work_for(work_a, NSEC / 5);
	EXPECT_TRUE(no_timer());
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_TRUE(no_timer());
}

/* A timer that is set runs on, with the same interval. */
TEST_F(signals, timer_is_left_alone)
{
	const struct itimerval set = {
		.it_interval = { .tv_sec = 500, .tv_usec = 20000 },
		.it_value = { .tv_sec = 1000 },
	};
	struct accounted accounted = accounted_now();
	struct itimerval before, after;
	uint64_t used, went;

	ASSERT_EQ(0, setitimer(ITIMER_PROF, &set, NULL));
	ASSERT_EQ(0, getitimer(ITIMER_PROF, &before));
	used = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	ASSERT_EQ(0, start(self->fd, &self->region, 1, variant->period_ns));
	work_for(work_a, NSEC / 2);
	ASSERT_EQ(0, getitimer(ITIMER_PROF, &after));
	used = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - used;

	EXPECT_EQ(set.it_interval.tv_sec, after.it_interval.tv_sec);
	EXPECT_EQ(set.it_interval.tv_usec, after.it_interval.tv_usec);
	went = (before.it_value.tv_sec - after.it_value.tv_sec) * NSEC +
	       (before.it_value.tv_usec - after.it_value.tv_usec) * 1000LL;
	/*
	 * The timer's time is the process's as of a tick ago or so, counted in
	 * ticks, of which the machine may have lost some.
	 */
	EXPECT_LE(used, went + NSEC / 10 + lost_ns(&accounted, -1));
	EXPECT_LE(went, used + NSEC / 10);
}

static bool same_action(const struct sigaction *a, const struct sigaction *b)
{
	return a->sa_handler == b->sa_handler && a->sa_flags == b->sa_flags &&
	       !memcmp(&a->sa_mask, &b->sa_mask, 8);
}

TEST_F(signals, disposition_is_left_alone)
{
	void (*const handlers[])(int) = { SIG_DFL, SIG_IGN, on_signal };
	struct sigaction before, after, set = { .sa_flags = SA_NODEFER };
	struct profil_counts counts;
	unsigned int i;

	sigaddset(&set.sa_mask, SIGUSR1);
	for (i = 0; i < ARRAY_SIZE(handlers); i++) {
		set.sa_handler = handlers[i];
		ASSERT_EQ(0, sigaction(SIGPROF, &set, NULL));
		ASSERT_EQ(0, sigaction(SIGPROF, NULL, &before));
		ASSERT_EQ(0, start(self->fd, &self->region, 1,
				   variant->period_ns));
		work_for(work_a, NSEC / 20);
		ASSERT_EQ(0, sigaction(SIGPROF, NULL, &after));
		EXPECT_TRUE(same_action(&before, &after));
		ASSERT_EQ(0, stop(self->fd, &counts));
		ASSERT_EQ(0, sigaction(SIGPROF, NULL, &after));
		EXPECT_TRUE(same_action(&before, &after));
	}
}

/* Is a mask of signals of the process, as the kernel shows it, empty? */
static bool is_empty(const char *name)
{
	unsigned long long mask = 0;
	char line[256], key[64];
	FILE *file = fopen("/proc/self/status", "r");
	bool known = false;

	if (!file)
		return false;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%63s %llx", key, &mask) == 2 &&
		    !strcmp(key, name)) {
			known = true;
			break;
		}
	fclose(file);
	return known && !mask;
}

static bool nothing_pending(void)
{
	sigset_t set;

	return !sigpending(&set) && !sigismember(&set, SIGPROF) &&
	       !sigismember(&set, SIGVTALRM) && !sigismember(&set, SIGALRM) &&
	       is_empty("SigPnd:") && is_empty("ShdPnd:");
}

TEST_F(signals, nothing_is_ever_pending)
{
	struct busy busy[NR_BUSY];
	struct profil_counts counts;
	sigset_t set;
	bool ends;
	int i;

	/* A signal of any thread's that nobody takes would stay. */
	sigfillset(&set);
	ASSERT_EQ(0, pthread_sigmask(SIG_SETMASK, &set, NULL));
	ASSERT_EQ(0, start(self->fd, &self->region, 1, variant->period_ns));
	ASSERT_EQ(0, busy_start(busy, true, &ends));
	for (i = 0; i < 20; i++) {
		work_for(work_a, NSEC / 50);
		EXPECT_TRUE(nothing_pending());
	}
	busy_end(busy, &ends);
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_LT(0, counts.counted);
	EXPECT_TRUE(nothing_pending());
}

/*
 * Calls that sleep end when they should, not for a signal.  Ticks must have
 * come in between: then there was something that could have disturbed.
 */
static uint64_t ticks_now(int fd)
{
	struct profil_counts counts;

	return read_counts(fd, &counts) ? 0 : counts.ticks;
}

static void check_sleeps(struct __test_metadata *_metadata)
{
	struct timespec wait = { .tv_nsec = WAIT_MS * 1000000L };
	struct timeval select_wait = { .tv_usec = WAIT_MS * 1000 };
	struct epoll_event event;
	uint32_t futex = 0;
	struct pollfd poll_fd;
	int fds[2], epoll;
	fd_set set;
	char byte;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	poll_fd = (struct pollfd){ .fd = fds[0], .events = POLLIN };
	EXPECT_EQ(0, poll(&poll_fd, 1, WAIT_MS));
	EXPECT_EQ(0, nanosleep(&wait, NULL));
	FD_ZERO(&set);
	FD_SET(fds[0], &set);
	EXPECT_EQ(0, select(fds[0] + 1, &set, NULL, NULL, &select_wait));
	epoll = epoll_create1(0);
	ASSERT_LE(0, epoll);
	event = (struct epoll_event){ .events = EPOLLIN };
	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, fds[0], &event));
	EXPECT_EQ(0, epoll_wait(epoll, &event, 1, WAIT_MS));

	select_wait.tv_usec = WAIT_MS * 1000;
	ASSERT_EQ(0, setsockopt(fds[0], SOL_SOCKET, SO_RCVTIMEO, &select_wait,
				sizeof(select_wait)));
	EXPECT_EQ(-1, recv(fds[0], &byte, 1, 0));
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(-1, syscall(SYS_futex, &futex, FUTEX_WAIT_PRIVATE, 0, &wait));
	EXPECT_EQ(ETIMEDOUT, errno);
}

TEST_F(signals, sleeps_are_not_interrupted)
{
	struct busy busy[NR_BUSY];
	uint64_t before;
	bool ends;

	/* With a handler that does not restart, a signal is an EINTR. */
	ASSERT_EQ(0, sigaction(SIGPROF, &(struct sigaction){
			  .sa_handler = on_signal }, NULL));
	ASSERT_EQ(0, start(self->fd, &self->region, 1, variant->period_ns));
	ASSERT_EQ(0, busy_start(busy, variant->blocked, &ends));
	before = ticks_now(self->fd);
	check_sleeps(_metadata);
	EXPECT_LE(before + 10, ticks_now(self->fd));
	busy_end(busy, &ends);
	EXPECT_EQ(0, prof_signals);
}

/* Writes a byte once it has worked for a while. */
static void *write_later(void *fd)
{
	work_for(work_a, NSEC / 5);
	return write(*(int *)fd, "", 1) == 1 ? NULL : fd;
}

TEST_F(signals, read_is_not_interrupted)
{
	pthread_t thread;
	uint64_t before;
	int fds[2];
	char byte;

	ASSERT_EQ(0, sigaction(SIGPROF, &(struct sigaction){
			  .sa_handler = on_signal }, NULL));
	ASSERT_EQ(0, pipe(fds));
	ASSERT_EQ(0, start(self->fd, &self->region, 1, variant->period_ns));
	before = ticks_now(self->fd);
	ASSERT_EQ(0, pthread_create(&thread, NULL, write_later, &fds[1]));
	EXPECT_EQ(1, read(fds[0], &byte, 1));
	EXPECT_LE(before + 2, ticks_now(self->fd));
	pthread_join(thread, NULL);
	EXPECT_EQ(0, prof_signals);
}

/* The new program has no handler: a timer that survived would kill it. */
TEST_F(signals, exec_is_not_killed)
{
	static char *argv[] = { "signals", NULL };
	struct busy busy[NR_BUSY];
	bool ends;
	pid_t pid;
	int i;

	for (i = 0; i < 10; i++) {
		pid = fork_child();
		ASSERT_LE(0, pid);
		if (!pid) {
			handle(SIGPROF);
			if (start(self->fd, &self->region, 1,
				  variant->period_ns) ||
			    busy_start(busy, variant->blocked, &ends))
				_exit(1);
			work_for(work_a, NSEC / 50);
			setenv("PROFIL_TEST_WORK", "1", 1);
			execv("/proc/self/exe", argv);
			_exit(2);
		}
		EXPECT_EQ(0, child_status(pid));
	}
}

TEST_HARNESS_MAIN
