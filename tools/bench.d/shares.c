// SPDX-License-Identifier: GPL-2.0
/*
 * Eight functions of one body with known shares of the work, called by turns
 * of random length.  Prints for each its address, its rounds and, if it was
 * profiled from inside, its samples.
 *
 * shares profil|ticks|none MILLIONS_OF_ROUNDS [THREADS]
 *
 * With THREADS, each of so many runs a function of its own instead, with equal
 * parts of the work.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/profil.h>

#define BYTES	256		/* of code that belong to one function */
#define NR	8

#define WORK(name)							\
__attribute__((noinline, noclone, aligned(BYTES), section("bench_work"))) \
static void name(unsigned long rounds)					\
{									\
	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(rounds) : : "cc");	\
}

WORK(work_a)
WORK(work_b)
WORK(work_c)
WORK(work_d)
WORK(work_e)
WORK(work_f)
WORK(work_g)
WORK(work_h)

static struct {
	void (*run)(unsigned long rounds);
	unsigned int percent;
	unsigned long long rounds;
} works[NR] = {
	{ work_a, 40, 0 }, { work_b, 25, 0 }, { work_c, 15, 0 }, { work_d, 8, 0 },
	{ work_e, 5, 0 }, { work_f, 4, 0 }, { work_g, 2, 0 }, { work_h, 1, 0 },
};

/* For every two bytes of code of the section, of which gcc knows the ends. */
extern char __start_bench_work[], __stop_bench_work[];
static unsigned short counters[(NR + 1) * BYTES / 2];

static uintptr_t base(void)
{
	return (uintptr_t)__start_bench_work;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void start_ticks(void)
{
	struct profil_region region = {
		.offset = base(),
		.buf = (uintptr_t)counters,
		.bytes = sizeof(counters),
		.scale = 65536,
		.width = 2,
	};
	struct profil_start start = {
		.size = sizeof(start),
		.regions = (uintptr_t)&region,
		.nr_regions = 1,
	};
	int device = open("/dev/profil", O_RDWR | O_CLOEXEC);

	if (device < 0 || ioctl(device, PROFIL_IOC_START, &start))
		fail("/dev/profil");
}

static unsigned int next_random(void)
{
	static uint64_t state = 88172645463325252ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state >> 32;
}

static unsigned int choose(void)
{
	unsigned int at = next_random() % 100, i = 0;

	while (at >= works[i].percent)
		at -= works[i++].percent;
	return i;
}

static void run_in_turns(unsigned long long left)
{
	while (left) {
		unsigned long rounds = 1 + next_random() % 200000;
		unsigned int i = choose();

		if (rounds > left)
			rounds = left;
		works[i].run(rounds);
		works[i].rounds += rounds;
		left -= rounds;
	}
}

static pthread_barrier_t together;

static void *run_alone(void *nr)
{
	uintptr_t i = (uintptr_t)nr;

	pthread_barrier_wait(&together);
	works[i].run(works[i].rounds);
	return NULL;
}

static void run_threads(unsigned long long rounds, uintptr_t threads)
{
	pthread_t id[NR];
	uintptr_t i;

	pthread_barrier_init(&together, NULL, threads);
	for (i = 0; i < threads; i++) {
		works[i].rounds = rounds / threads;
		if (pthread_create(&id[i], NULL, run_alone, (void *)i))
			fail("pthread_create");
	}
	for (i = 0; i < threads; i++)
		pthread_join(id[i], NULL);
}

int main(int argc, char **argv)
{
	unsigned long long rounds;
	int i, j, threads, nr;

	if (argc < 3)
		return 2;
	rounds = strtoull(argv[2], NULL, 0) * 1000000;
	threads = argc > 3 ? atoi(argv[3]) : 0;
	if (threads < 0 || threads > NR)
		return 2;
	if (!strcmp(argv[1], "ticks"))
		start_ticks();
	if (!strcmp(argv[1], "profil") &&
	    profil(counters, sizeof(counters), base(), 65536))
		fail("profil");
	if (threads)
		run_threads(rounds, threads);
	else
		run_in_turns(rounds);
	nr = threads ?: NR;
	for (i = 0; i < nr; i++) {
		uintptr_t address = (uintptr_t)works[i].run;
		unsigned long sum = 0;

		for (j = 0; j < BYTES / 2; j++)
			sum += counters[(address - base()) / 2 + j];
		printf("%lu %llu %lu\n", address, works[i].rounds, sum);
	}
	return 0;
}
