/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the programs that the tests of gprof profile share: work whose amount is counted,
 * and what the kernel says that it has cost.
 */
#ifndef COUNTED_H
#define COUNTED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/*
 * A function of its own, whatever it has in common with others, with nothing
 * else in its cache lines.
 */
#if __has_attribute(noipa)
#define FUNCTION	__attribute__((noipa, aligned(256)))
#else
#define FUNCTION	__attribute__((noinline, aligned(256)))
#endif

/* One iteration costs the same wherever it is. */
#define WORK(rounds)							\
do {									\
	for (unsigned long left = (rounds); left; left--)		\
		__asm__ volatile("" : "+r"(left));			\
} while (0)

static inline __attribute__((no_instrument_function))
double clock_seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static inline __attribute__((no_instrument_function))
double seconds(const struct timeval *time)
{
	return time->tv_sec + time->tv_usec / 1e6;
}

/* CPU time of the process so far. */
static inline __attribute__((no_instrument_function)) double cpu_seconds(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return seconds(&used.ru_utime) + seconds(&used.ru_stime);
}

#endif /* COUNTED_H */
