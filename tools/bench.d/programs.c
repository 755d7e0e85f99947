// SPDX-License-Identifier: GPL-2.0
/*
 * Programs of many kinds, which profile themselves by profil() if asked to.
 * Linked statically at a fixed address: all code is in reach of the counters.
 *
 * programs [-P] KIND
 *
 * prints the CPU time in seconds, the samples, and for the kinds that tell
 * what a profiler breaks: how often it did.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS		1000000ULL
#define COUNTERS	(64 << 10)	/* one for 32 bytes of code */

static unsigned short *counters;
static int profiled;
static long broken = -1;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* Two instructions a round. */
__attribute__((noinline, noclone))
static void work(unsigned long rounds)
{
	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(rounds) : : "cc");
}

/* Not through the vDSO, where profil() has no counters. */
static uint64_t cpu_ns(clockid_t clock)
{
	struct timespec now;

	syscall(SYS_clock_gettime, clock, &now);
	return now.tv_sec * 1000 * MS + now.tv_nsec;
}

static void spin(uint64_t ns)
{
	uint64_t end = cpu_ns(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (cpu_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		work(5000);
}

static void begin(void)
{
	if (profiled && profil(counters, COUNTERS * 2, 0x400000, 4096))
		fail("profil");
}

static void end(void)
{
	if (profiled)
		profil(counters, 0, 0, 0);
}

static void run_one(void)
{
	spin(1500 * MS);
}

static void *spinner(void *ms)
{
	spin((uintptr_t)ms * MS);
	return NULL;
}

static void threads(int at_once, int turns, uintptr_t ms)
{
	pthread_t id[64];
	int i;

	while (turns--) {
		for (i = 0; i < at_once; i++)
			if (pthread_create(&id[i], NULL, spinner, (void *)ms))
				fail("pthread_create");
		for (i = 0; i < at_once; i++)
			pthread_join(id[i], NULL);
	}
}

static void run_threads(void)
{
	threads(8, 1, 190);
}

static void run_short_threads(void)
{
	threads(1, 500, 3);
}

static void run_processes(void)
{
	int i;

	end();
	for (i = 0; i < 500; i++)
		switch (fork()) {
		case -1:
			fail("fork");
			break;
		case 0:
			begin();
			spin(3 * MS);
			end();
			_exit(0);
		default:
			wait(NULL);
		}
}

static void sleepy(unsigned long (*rounds)(void))
{
	struct timespec pause = { .tv_nsec = 100000 };
	int i;

	for (i = 0; i < 25000; i++) {
		work(rounds());
		syscall(SYS_nanosleep, &pause, NULL);
	}
}

static unsigned long always(void)
{
	return 15000;
}

/* The same on average, so that no cycle is in step with anything. */
static unsigned long at_random(void)
{
	static uint64_t state = 88172645463325252ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return 1 + (state >> 32) % 30000;
}

static void run_sleepy(void)
{
	sleepy(always);
}

static void run_jittered(void)
{
	sleepy(at_random);
}

/* In step with a timer of 10 ms, 40 phases between it and the tick by turns. */
static void run_step(void)
{
	struct timespec next;
	int i;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &next);
	for (i = 0; i < 480; i++) {
		work(1500000);
		next.tv_nsec += i % 12 ? 10 * MS : 10 * MS + MS / 10;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME,
			&next, NULL);
	}
}

static void run_kernel(void)
{
	static char buf[1 << 20];
	int zero = open("/dev/zero", O_RDONLY);

	while (cpu_ns(CLOCK_THREAD_CPUTIME_ID) < 1500 * MS)
		if (read(zero, buf, sizeof(buf)) < 0 && errno != EINTR)
			fail("read");
}

/* The kinds that a profiler may break */

static void *spinner_forever(void *unused)
{
	for (;;)
		work(1000000);
	return unused;
}

/* The other thread has all signals blocked, as threads of libraries do. */
static void run_poll(void)
{
	sigset_t all, old;
	pthread_t id;
	int i;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	if (pthread_create(&id, NULL, spinner_forever, NULL))
		fail("pthread_create");
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	broken = 0;
	for (i = 0; i < 1000; i++)
		broken += poll(NULL, 0, 2) < 0 && errno == EINTR;
}

/* The profiled process becomes another program, which says what it used. */
static void run_exec(void)
{
	execl(getenv("PROGRAM") ?: "", "programs", "one", NULL);
	fail("PROGRAM");
}

static void run_wrap(void)
{
	size_t i;

	for (i = 0; i < COUNTERS; i++)
		counters[i] = 65500;
	spin(1500 * MS);
	end();
	broken = 0;
	for (i = 0; i < COUNTERS; i++)
		broken += counters[i] < 65500;
}

static volatile long alarms;

static void alarm_came(int unused)
{
	(void)unused;
	alarms++;
}

/* A program with a timer of its own: how many of 150 alarms are missing? */
static void run_timer(void)
{
	struct itimerval each = { { 0, 10000 }, { 0, 10000 } };

	signal(SIGPROF, alarm_came);
	setitimer(ITIMER_PROF, &each, NULL);
	spin(1500 * MS);
	memset(&each, 0, sizeof(each));
	setitimer(ITIMER_PROF, &each, NULL);
	signal(SIGPROF, SIG_IGN);
	broken = alarms >= 148 ? 0 : 150 - alarms;
}

static const struct {
	const char *name;
	void (*run)(void);
} kinds[] = {
	{ "one", run_one },
	{ "threads", run_threads },
	{ "short-threads", run_short_threads },
	{ "processes", run_processes },
	{ "sleepy", run_sleepy },
	{ "jittered", run_jittered },
	{ "step", run_step },
	{ "kernel", run_kernel },
	{ "poll", run_poll },
	{ "exec", run_exec },
	{ "wrap", run_wrap },
	{ "timer", run_timer },
};

static double used(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv)
{
	unsigned long samples = 0;
	double cpu;
	size_t i;

	counters = mmap(NULL, COUNTERS * 2, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counters == MAP_FAILED)
		fail("mmap");
	memset(counters, 0, COUNTERS * 2);
	profiled = argc > 1 && !strcmp(argv[1], "-P");
	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(argv[argc - 1], kinds[i].name))
			continue;
		cpu = used(RUSAGE_SELF);
		begin();
		kinds[i].run();
		end();
		cpu = used(RUSAGE_SELF) - cpu + used(RUSAGE_CHILDREN);
		for (i = 0; i < COUNTERS; i++)
			samples += counters[i];
		printf("%.3f %lu %ld\n", cpu, samples, broken);
		return 0;
	}
	return 2;
}
