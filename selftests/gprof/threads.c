// SPDX-License-Identifier: GPL-2.0
/*
 * threads equal UNIT: four threads, each in a function of its own, work for 100
 *	units each.
 * threads calls: four threads call leaf() ten million times each, all at once,
 *	two from each of two functions.
 * threads moncontrol UNIT: as equal, but the threads are created while the
 *	profile is off, and main() has worked in hidden() for 100 units.
 *
 * Each prints the CPU time of what is profiled.
 */
#define _GNU_SOURCE
#include <pthread.h>

#include "counted.h"

#define NR	4

extern void moncontrol(int mode);

static pthread_barrier_t barrier;
static unsigned long unit;

static FUNCTION void leaf(void)
{
	__asm__ volatile("");
}

#define WORKER(name)							\
static FUNCTION void *name(void *arg)					\
{									\
	int i;								\
									\
	pthread_barrier_wait(&barrier);					\
	for (i = 0; i < 100; i++)					\
		WORK(unit);						\
	return arg;							\
}

WORKER(worker_a)
WORKER(worker_b)
WORKER(worker_c)
WORKER(worker_d)

#define CALLER(name)							\
static FUNCTION void *name(void *arg)					\
{									\
	int i;								\
									\
	pthread_barrier_wait(&barrier);					\
	for (i = 0; i < 10000000; i++)					\
		leaf();							\
	return arg;							\
}

CALLER(caller_a)
CALLER(caller_b)

static FUNCTION void hidden(void)
{
	int i;

	for (i = 0; i < 100; i++)
		WORK(unit);
}

typedef void *thread_fn(void *arg);

static thread_fn *const workers[NR] = { worker_a, worker_b, worker_c, worker_d };
static thread_fn *const callers[NR] = { caller_a, caller_a, caller_b, caller_b };

static void create(pthread_t *threads, thread_fn *const *fns)
{
	int i;

	pthread_barrier_init(&barrier, NULL, NR + 1);
	for (i = 0; i < NR; i++)
		if (pthread_create(&threads[i], NULL, fns[i], NULL))
			exit(1);
}

static void join(pthread_t *threads)
{
	int i;

	pthread_barrier_wait(&barrier);
	for (i = 0; i < NR; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	pthread_t threads[NR];
	double cpu;

	unit = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;
	cpu = cpu_seconds();
	if (!strcmp(mode, "equal")) {
		create(threads, workers);
	} else if (!strcmp(mode, "calls")) {
		create(threads, callers);
	} else if (!strcmp(mode, "moncontrol")) {
		moncontrol(0);
		hidden();
		create(threads, workers);
		moncontrol(1);
		cpu = cpu_seconds();
	} else {
		return 2;
	}
	join(threads);
	printf("%.3f\n", cpu_seconds() - cpu);
	return 0;
}
