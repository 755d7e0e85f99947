// SPDX-License-Identifier: GPL-2.0
/*
 * Many calls at once: from threads on shared descriptors and on their own,
 * while processes are forked and killed, and while signals come.  No tick may be
 * lost from the sums at any time, and nothing may be left afterwards.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/sysinfo.h>

#include "profil_test.h"

#define PAGE		((size_t)sysconf(_SC_PAGESIZE))
#define PAIRS		100000
#define THREADS		4
#define SHARED_FILES	3
#define ROUNDS		1500
#define KILLS		60

static uint32_t counters[4096];
static int shared_files[SHARED_FILES];
static atomic_bool over;

/* What a thread saw that may not be, for the test to report. */
static atomic_int bad_calls, bad_sums;
static atomic_int bad_call_op, bad_call_error;
static atomic_ulong reads, reads_running;

static void check_sum(const struct profil_counts *counts)
{
	if (!identity_holds(counts) || counts->kernel > counts->ticks ||
	    counts->reserved || counts->state & ~PROFIL_RUNNING ||
	    (!counts->state && counts->pages))
		bad_sums++;
	reads++;
	if (counts->state)
		reads_running++;
}

FIXTURE(storm) {
	long long pinned;
	long long charged;
};

FIXTURE_SETUP(storm)
{
	int i;

	for (i = 0; i < SHARED_FILES; i++)
		shared_files[i] = open(DEVICE, O_RDWR | O_CLOEXEC);
	self->pinned = pinned_pages();
	self->charged = charged_kb();
}

FIXTURE_TEARDOWN(storm)
{
	int i;

	for (i = 0; i < SHARED_FILES; i++)
		close(shared_files[i]);
	EXPECT_EQ(self->pinned, pinned_pages_settle(self->pinned));
	EXPECT_EQ(self->charged, charged_kb());
	EXPECT_GE(0, listed(getpid()));
}

/* With all of a debug kernel's checks a pair takes milliseconds. */
TEST_F_TIMEOUT(storm, start_and_stop, 900)
{
	struct profil_region region = all_code(counters, sizeof(counters));
	struct profil_counts counts;
	int fd = OPEN_DEVICE(), i;
	uint64_t begin, took;

	begin = clock_ns(CLOCK_MONOTONIC);
	for (i = 0; i < PAIRS; i++) {
		ASSERT_EQ(0, start(fd, &region, 1, 0));
		ASSERT_EQ(0, stop(fd, &counts));
		check_sum(&counts);
	}
	took = clock_ns(CLOCK_MONOTONIC) - begin;
	EXPECT_EQ(0, bad_sums);
	TH_LOG("%llu ns for start and stop", (unsigned long long)took / PAIRS);
	close(fd);
}

/* Threads */

enum op { START, STOP, SET_REGIONS, READ, REOPEN, REMAP, FORK, OPS };

struct worker {
	pthread_t thread;
	uint32_t random;
	int own_file;
	char *buf;
};

static uint32_t next_random(struct worker *worker)
{
	worker->random = worker->random * 1664525 + 1013904223;
	return worker->random >> 16;
}

static void check_call(enum op op, int ret, const int *errors)
{
	for (; *errors; errors++)
		if (ret == -*errors)
			return;
	if (!ret)
		return;
	bad_call_op = op;
	bad_call_error = ret;
	bad_calls++;
}

static const int start_errors[] = { EBUSY, EMFILE, 0 };
static const int set_regions_errors[] = { ESRCH, 0 };
static const int no_errors[] = { 0 };

static void reopen(struct worker *worker)
{
	close(worker->own_file);
	worker->own_file = open(DEVICE, O_RDWR | O_CLOEXEC);
	check_call(REOPEN, worker->own_file < 0 ? -errno : 0, no_errors);
}

/* The pages of a session that may run on the worker's own file. */
static void remap(struct worker *worker)
{
	void *map = mmap(worker->buf, 2 * PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	check_call(REMAP, map == MAP_FAILED ? -errno : 0, no_errors);
}

/* The child gets both kinds of descriptors, and gives them back at once. */
static void fork_once(struct worker *worker)
{
	struct profil_counts counts;
	pid_t child = fork();
	int status;

	if (!child) {
		if (next_random(worker) % 2)
			stop(shared_files[0], &counts);
		_exit(read_counts(worker->own_file, &counts) ? 1 : 0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		check_call(FORK, -errno, no_errors);
	else
		check_call(FORK, status, no_errors);
}

static void one_op(struct worker *worker)
{
	uint32_t random = next_random(worker);
	enum op op = random % 64 == 0 ? FORK : random % FORK;
	bool own = next_random(worker) % 2;
	int fd = own ? worker->own_file :
		 shared_files[next_random(worker) % SHARED_FILES];
	struct profil_region region =
		own ? all_code(worker->buf, 2 * PAGE) :
		      all_code(counters, sizeof(counters));
	struct profil_counts counts;

	switch (op) {
	case START:
		check_call(op, start(fd, &region, 1, 0), start_errors);
		break;
	case SET_REGIONS:
		check_call(op, set_regions(fd, &region, 1),
			   set_regions_errors);
		break;
	case STOP:
		check_call(op, stop(fd, &counts), no_errors);
		check_sum(&counts);
		break;
	case READ:
		check_call(op, read_counts(fd, &counts), no_errors);
		check_sum(&counts);
		break;
	case REOPEN:
		reopen(worker);
		break;
	case REMAP:
		remap(worker);
		break;
	default:
		fork_once(worker);
		break;
	}
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	int i;

	for (i = 0; i < ROUNDS; i++)
		one_op(worker);
	close(worker->own_file);
	return NULL;
}

static void *keep_reading(void *unused)
{
	struct profil_counts counts;
	int i;

	for (i = 0; !over; i = (i + 1) % SHARED_FILES) {
		check_call(READ, read_counts(shared_files[i], &counts),
			   no_errors);
		check_sum(&counts);
	}
	return unused;
}

TEST_F(storm, threads)
{
	struct worker workers[THREADS];
	struct profil_counts counts;
	pthread_t reader;
	int i;

	close(OPEN_DEVICE());
	ASSERT_EQ(0, pthread_create(&reader, NULL, keep_reading, NULL));
	for (i = 0; i < THREADS; i++) {
		workers[i].random = 1 + i;
		workers[i].own_file = open(DEVICE, O_RDWR | O_CLOEXEC);
		workers[i].buf = guarded_pages(2, PROT_READ | PROT_WRITE);
		ASSERT_NE(NULL, workers[i].buf);
		ASSERT_EQ(0, pthread_create(&workers[i].thread, NULL, work,
					    &workers[i]));
	}
	for (i = 0; i < THREADS; i++)
		ASSERT_EQ(0, pthread_join(workers[i].thread, NULL));
	over = true;
	ASSERT_EQ(0, pthread_join(reader, NULL));
	for (i = 0; i < SHARED_FILES; i++)
		EXPECT_EQ(0, stop(shared_files[i], &counts));

	EXPECT_EQ(0, bad_sums);
	EXPECT_EQ(0, bad_calls)
		TH_LOG("call %d said %d", bad_call_op, bad_call_error);
	/* It was about something. */
	/* The reader saw sessions that ran. */
	EXPECT_LT(0, reads_running);
	TH_LOG("%lu reads, %lu of a session that ran", reads, reads_running);
}

/*
 * One session's regions are replaced over and over by one thread, while
 * another one reads and a third uses CPU time: each tick is in one sum or
 * another, and each count in a buffer.
 */
static uint32_t other_counters[4096];

static void *keep_replacing(void *fd)
{
	struct profil_region regions[] = {
		all_code(counters, sizeof(counters)),
		all_code(other_counters, sizeof(other_counters)),
	};
	unsigned int i;

	for (i = 0; !over; i++)
		check_call(SET_REGIONS, set_regions((intptr_t)fd,
						    &regions[i % 2], 1),
			   no_errors);
	return NULL;
}

static void *keep_checking(void *fd)
{
	struct profil_counts now, before = { 0 };

	while (!over) {
		check_call(READ, read_counts((intptr_t)fd, &now), no_errors);
		check_sum(&now);
		if (now.ticks < before.ticks || now.counted < before.counted)
			bad_sums++;
		before = now;
	}
	return NULL;
}

TEST_F(storm, replacing)
{
	struct profil_region region = all_code(counters, sizeof(counters));
	struct profil_counts counts;
	pthread_t replacer, reader;
	int fd = OPEN_DEVICE();
	uint64_t total = 0;
	size_t i;

	ASSERT_EQ(0, start(fd, &region, 1, 0));
	ASSERT_EQ(0, pthread_create(&replacer, NULL, keep_replacing,
				    (void *)(intptr_t)fd));
	ASSERT_EQ(0, pthread_create(&reader, NULL, keep_checking,
				    (void *)(intptr_t)fd));
	burn_ns(NSEC);
	over = true;
	ASSERT_EQ(0, pthread_join(reader, NULL));
	ASSERT_EQ(0, pthread_join(replacer, NULL));
	ASSERT_EQ(0, stop(fd, &counts));
	for (i = 0; i < ARRAY_SIZE(counters); i++)
		total += counters[i] + other_counters[i];

	EXPECT_EQ(0, bad_sums);
	EXPECT_EQ(0, bad_calls)
		TH_LOG("call %d said %d", bad_call_op, bad_call_error);
	EXPECT_EQ(counts.counted, total);
	EXPECT_GT(counts.ticks, 100);
	close(fd);
}

/* Processes */

/* Threads that use CPU time and start and stop, until they are killed. */
static void *toggle(void *fd)
{
	struct profil_region region = all_code(counters, sizeof(counters));
	struct profil_counts counts;

	for (;;) {
		start((intptr_t)fd, &region, 1, 0);
		set_regions((intptr_t)fd, &region, 1);
		burn_ns(200000);
		stop((intptr_t)fd, &counts);
	}
	return NULL;
}

static void toggle_in_threads(int fd)
{
	pthread_t threads[2];
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, toggle, (void *)(intptr_t)fd);
	toggle((void *)(intptr_t)fd);
}

/*
 * The parent reads, and stops too, what the child is killed in: after so many
 * reads, or so many that saw the session run.
 */
static void kill_one(struct __test_metadata *_metadata, int fd, int rounds,
		     bool running)
{
	struct profil_counts counts;
	pid_t child = fork();

	if (!child)
		toggle_in_threads(fd);
	ASSERT_GT(child, 0);
	while (rounds) {
		EXPECT_EQ(0, read_counts(fd, &counts));
		check_sum(&counts);
		rounds -= !running || counts.state;
		if (rounds % 8 == 0)
			EXPECT_EQ(0, stop(fd, &counts));
		sched_yield();
	}
	kill(child, SIGKILL);
	do {
		EXPECT_EQ(0, stop(fd, &counts));
		check_sum(&counts);
	} while (waitpid(child, NULL, WNOHANG) == 0);
	EXPECT_EQ(0, read_counts(fd, &counts));
	EXPECT_EQ(0, counts.state);
	EXPECT_EQ(0, counts.pages);
}

TEST_F_TIMEOUT(storm, kills, 300)
{
	int fd = OPEN_DEVICE(), i;

	for (i = 0; i < KILLS; i++)
		kill_one(_metadata, fd, 7 * i, i % 2);
	EXPECT_EQ(0, bad_sums);
	EXPECT_GT(reads_running, 100);
	TH_LOG("%lu reads, %lu of a session that ran", reads, reads_running);
	close(fd);
}

/* Signals */

static volatile sig_atomic_t handled;

static void handle(int sig __attribute__((unused)))
{
	handled++;
}

/* The kernel does not merge neighbours with different rights. */
static bool make_areas(int nr)
{
	char *areas = mmap(NULL, nr * PAGE, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	for (i = 0; i < nr; i += 2)
		if (areas == MAP_FAILED ||
		    mprotect(areas + i * PAGE, PAGE, PROT_READ))
			return false;
	return true;
}

/* Exits with 0, or with what start() said. */
static void start_while_signalled(int ready)
{
	struct profil_region region = all_code(counters, sizeof(counters));
	struct sigaction action = { .sa_handler = handle };
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	if (sigaction(SIGUSR1, &action, NULL) || write(ready, "", 1) != 1)
		_exit(EPROTO);
	while (!handled)
		;
	_exit(-start(fd, &region, 1, 0));
}

/*
 * A first start looks at all areas of the address space, and begins anew if a
 * signal comes meanwhile: the caller has its handler called and gets no error,
 * although this one has no SA_RESTART.
 */
TEST_F_TIMEOUT(storm, signals, 200)
{
	int trial, i, ready[2], status;
	char byte;

	ASSERT_EQ(0, pipe(ready));
	ASSERT_TRUE(make_areas(10000));
	for (trial = 0; trial < 5; trial++) {
		pid_t child = fork_child();

		if (!child)
			start_while_signalled(ready[1]);
		ASSERT_EQ(1, read(ready[0], &byte, 1));
		for (i = 0; i < 20; i++) {
			kill(child, SIGUSR1);
			usleep(1000);
		}
		ASSERT_EQ(child, waitpid(child, &status, 0));
		EXPECT_EQ(0, status);
	}
}

/* Tasks that do not get to run */

#define HOGS		50
/* Longer than the hook stays on after the last session. */
#define HOOK_IS_OFF_NS	(8 * NSEC)

/* Runs on @cpu, if it can, until it is killed. */
static pid_t run_for_ever(int cpu, int policy)
{
	const struct sched_param no_priority = { 0 };
	pid_t child = fork_child();
	cpu_set_t set;

	if (child)
		return child;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) ||
	    sched_setscheduler(0, policy, &no_priority))
		_exit(1);
	for (;;)
		;
}

/*
 * Nobody has to be privileged to have a task that gets a thousandth of a CPU, and
 * some of the kernel's waits are for all tasks to have run.  A start is none.
 */
TEST_F_TIMEOUT(storm, start_beside_a_starved_task, 300)
{
	struct profil_region region = all_code(counters, sizeof(counters));
	int fd = OPEN_DEVICE(), i, last = get_nprocs() - 1;
	struct profil_counts counts;
	pid_t tasks[HOGS + 1];
	uint64_t begin, took;

	if (!last)
		SKIP(return, "one CPU: this task would starve, too");
	tasks[0] = run_for_ever(last, SCHED_IDLE);
	usleep(100000);
	for (i = 1; i <= HOGS; i++)
		tasks[i] = run_for_ever(last, SCHED_OTHER);
	for (i = 0; i < 3; i++) {
		begin = clock_ns(CLOCK_MONOTONIC);
		EXPECT_EQ(0, start(fd, &region, 1, 0));
		took = clock_ns(CLOCK_MONOTONIC) - begin;
		EXPECT_TRUE(counts_more(fd, 1));
		EXPECT_EQ(0, stop(fd, &counts));
		EXPECT_LT(took, 5 * NSEC);
		TH_LOG("a start took %llu us", (unsigned long long)took / 1000);
		sleep_ns(HOOK_IS_OFF_NS);
	}
	for (i = 0; i <= HOGS; i++) {
		EXPECT_EQ(0, waitpid(tasks[i], NULL, WNOHANG));
		end_child(tasks[i]);
	}
	close(fd);
}

TEST_HARNESS_MAIN
