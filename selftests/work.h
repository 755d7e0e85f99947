/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Work whose share is known: loops of one body that are counted, each in code
 * of its own, and what the machine itself says of the ticks that it lost.
 */
#ifndef WORK_H
#define WORK_H

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <linux/futex.h>

#include "profil_test.h"

/* Bytes of code that belong to one work function and to no other code. */
#define WORK_BYTES	256

/* Well below a tick, and well above a look at the clock. */
#define WORK_ROUNDS	1000000UL

typedef void work_fn(unsigned long rounds);

/* A copy for a constant argument would be somewhere else. */
#if __has_attribute(noclone)
#define WORK_UNIQUE	__attribute__((noinline, noclone))
#else
#define WORK_UNIQUE	__attribute__((noinline))
#endif

/*
 * The loops are in a section that holds nothing else, so whatever is counted
 * for their addresses was spent in them.
 */
#define WORK(name)							\
static WORK_UNIQUE							\
__attribute__((unused, aligned(WORK_BYTES), section("profil_work")))	\
void name(unsigned long rounds)						\
{									\
	for (; rounds; rounds--)					\
		__asm__ volatile("" : "+r"(rounds));			\
}

WORK(work_a)
WORK(work_b)
WORK(work_c)
WORK(work_d)

/* One counter for the whole of a work function, and for nothing else. */
static inline struct profil_region work_region(work_fn *work, void *counter,
					       unsigned int width)
{
	struct profil_region region = region_of(work, counter, width, width);

	region.scale = 65536 / (WORK_BYTES / 2);
	return region;
}

static inline int by_offset(const void *a, const void *b)
{
	const struct profil_region *left = a, *right = b;

	return left->offset < right->offset ? -1 : left->offset > right->offset;
}

/* PROFIL_IOC_START wants ascending order, which the linker decides upon. */
static inline void sort_regions(struct profil_region *regions, unsigned int nr)
{
	qsort(regions, nr, sizeof(*regions), by_offset);
}

/* Rounds that take about @ns. */
static inline unsigned long work_rounds(uint64_t ns)
{
	uint64_t best = UINT64_MAX, begin, took;
	unsigned long rounds = WORK_ROUNDS / 10;
	int i;

	/* The fastest try is the one that nothing disturbed. */
	for (i = 0; i < 10; i++) {
		begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		work_a(rounds);
		took = clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
		if (took < best)
			best = took;
	}
	return rounds * ns / (best + 1) + 1;
}

/*
 * Spends @ns of the calling thread's CPU time in @work, nearly all of it.  What
 * goes by while an emulated machine stands still, without work and without
 * ticks, is CPU time by the clock, and comes on top.
 */
#define STALL_NS	(NSEC / 50)

static inline void work_for(work_fn *work, uint64_t ns)
{
	uint64_t last = clock_ns(CLOCK_THREAD_CPUTIME_ID), now, done = 0;

	while (done < ns) {
		work(WORK_ROUNDS);
		now = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		done += now - last < STALL_NS ? now - last : STALL_NS;
		last = now;
	}
}

static inline uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/*
 * Largest deviation from n * p that a count of n independent events of
 * probability p has with a false alarm in 26 million, two-sided (5.5 standard
 * deviations, and one for counts being whole).
 */
static inline double binomial_bound(double n, double p)
{
	return 5.5 * sqrt(n * p * (1 - p)) + 1;
}

/* CPUs that the caller may use, into @cpus; returns how many. */
static inline int allowed_cpus(int *cpus, int max)
{
	cpu_set_t set;
	int cpu, nr = 0;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 0;
	for (cpu = 0; cpu < CPU_SETSIZE && nr < max; cpu++)
		if (CPU_ISSET(cpu, &set))
			cpus[nr++] = cpu;
	return nr;
}

/* The calling thread stays on @cpu.  Returns 0 or an errno. */
static inline int pin_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

/* The first CPU that the caller may use; the calling thread stays there. */
static inline int pin_somewhere(void)
{
	int cpu = -1;

	if (allowed_cpus(&cpu, 1) != 1 || pin_to(cpu))
		return -1;
	return cpu;
}

/*
 * Ticks that the machine lost.
 *
 * A CPU that stands still for longer than a tick, as an emulated one does when
 * its host is busy, makes up for it with one tick; the others are lost, to the
 * kernel's own accounting of CPU time as well.  /proc/stat is that accounting:
 * what its columns lack of the time that has gone by was lost.  It knows
 * nothing of profil.  The columns are in hundredths of a second, rounded down,
 * so each of those that move during a test, at most STAT_COLUMNS, is off by
 * less than one.
 */
#define STAT_COLUMNS	7	/* user nice system idle iowait irq softirq */
#define STAT_CPUS	64

struct accounted {
	uint64_t now;
	uint64_t ns[STAT_CPUS];
	bool known[STAT_CPUS];
};

static inline struct accounted accounted_now(void)
{
	struct accounted all = { .now = clock_ns(CLOCK_MONOTONIC) };
	uint64_t unit = NSEC / sysconf(_SC_CLK_TCK);
	FILE *file = fopen("/proc/stat", "r");
	unsigned long long t[STAT_COLUMNS];
	char line[1024];
	unsigned int cpu;
	int i;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "cpu%u %llu %llu %llu %llu %llu %llu %llu",
			   &cpu, t, t + 1, t + 2, t + 3, t + 4, t + 5,
			   t + 6) != 1 + STAT_COLUMNS || cpu >= STAT_CPUS)
			continue;
		all.known[cpu] = true;
		for (i = 0; i < STAT_COLUMNS; i++)
			all.ns[cpu] += t[i] * unit;
	}
	if (file)
		fclose(file);
	return all;
}

/* Time for which @cpu has had no tick since @before; -1: all CPUs together. */
static inline uint64_t lost_ns(const struct accounted *before, int cpu)
{
	struct accounted after = accounted_now();
	uint64_t lost = 0, passed, seen;
	int i;

	for (i = 0; i < STAT_CPUS; i++) {
		if (!after.known[i] || (cpu >= 0 && cpu != i))
			continue;
		passed = after.now - before->now;
		seen = after.ns[i] - before->ns[i];
		if (passed > seen)
			lost += passed - seen;
	}
	return lost;
}

/*
 * How much the time that ticks stand for may fall short of @cpu_ns of CPU time
 * when they are complete, and how much it may exceed it.  A run of a thread
 * begins and ends anywhere between two ticks, so that of n runs is off by the
 * square root of n in ticks at most; a busy thread is interrupted about as
 * often as the machine's other work asks for, hence 2 % and three ticks.
 */
static inline uint64_t slack_ns(uint64_t cpu_ns, uint32_t tick_ns)
{
	return cpu_ns / 50 + 3ULL * tick_ns;
}

static inline uint64_t shortfall_ns(uint64_t cpu_ns, uint32_t tick_ns,
				    uint64_t lost)
{
	return slack_ns(cpu_ns, tick_ns) + lost +
	       STAT_COLUMNS * NSEC / sysconf(_SC_CLK_TCK);
}

/* Handshakes between threads: a number that goes up. */
static inline void step_wait(uint32_t *step, uint32_t until)
{
	uint32_t now;

	while ((now = __atomic_load_n(step, __ATOMIC_ACQUIRE)) < until)
		syscall(SYS_futex, step, FUTEX_WAIT_PRIVATE, now, NULL);
}

static inline void step_to(uint32_t *step, uint32_t value)
{
	__atomic_store_n(step, value, __ATOMIC_RELEASE);
	syscall(SYS_futex, step, FUTEX_WAKE_PRIVATE, INT32_MAX);
}

static inline void step_add(uint32_t *step)
{
	__atomic_add_fetch(step, 1, __ATOMIC_ACQ_REL);
	syscall(SYS_futex, step, FUTEX_WAKE_PRIVATE, INT32_MAX);
}

/* The exit status of @pid, or -1 if a signal killed it. */
static inline int child_status(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

/* A CPU that stops its tick while it runs a single thread, or -1. */
static inline int tickless_cpu(void)
{
	return kernel_value("/sys/devices/system/cpu/nohz_full");
}

#endif /* WORK_H */
