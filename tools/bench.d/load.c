// SPDX-License-Identifier: GPL-2.0
/*
 * A load of known size, under one of the profilers or none.
 *
 * For an emulator that counts instructions: there the time stamp counter is the
 * number of instructions.  Each window begins right after a tick and prints
 *
 *	instructions of the load, of the machine, ticks, samples
 *
 * where samples is 0 for profilers that are not asked from inside.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include <linux/profil.h>

#define TICK		4000000ULL	/* instructions, with CONFIG_HZ=250 */
#define SOURCE_BYTES	(64 << 20)

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* The loads.  The first is two instructions a round, and it is known. */

typedef void load_fn(unsigned long rounds);

__attribute__((noinline, noclone, aligned(256)))
static void load_cpu(unsigned long rounds)
{
	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(rounds) : : "cc");
}

__attribute__((noinline, noclone, aligned(256)))
static void load_system(unsigned long rounds)
{
	while (rounds--)
		syscall(SYS_getppid);
}

static void **chain;

/* A walk of all cache lines, in an order that a prefetcher cannot guess. */
static void load_memory_prepare(void)
{
	size_t lines = SOURCE_BYTES / 64, i, next = 0;

	chain = aligned_alloc(64, SOURCE_BYTES);
	if (!chain)
		fail("aligned_alloc");
	for (i = 0; i < lines; i++) {
		size_t from = next;

		next = (next * 5 + 12345) % lines;
		chain[from * 8] = &chain[next * 8];
	}
}

__attribute__((noinline, noclone, aligned(256)))
static void load_memory(unsigned long rounds)
{
	static void **at;

	if (!at)
		at = chain;
	while (rounds--) {
		at = *at;
		__asm__ volatile("" : "+r"(at));
	}
}

/*
 * Returns right after a tick, and how many instructions passed meanwhile.  What
 * else takes a thousand of them?
 */
__attribute__((noinline, noclone, aligned(256)))
static unsigned long long tick(unsigned long long *now)
{
	unsigned long long before;

	*now = __rdtsc();
	do {
		before = *now;
		*now = __rdtsc();
	} while (*now - before < 1000);
	return *now - before;
}

/* A load of its own: what each of so many ticks takes, as its round sees it. */
static void load_ticks(unsigned long rounds)
{
	unsigned long long now;

	while (rounds--)
		printf("%llu\n", tick(&now));
}

static const struct {
	const char *name;
	load_fn *run;
	void (*prepare)(void);
} loads[] = {
	{ "cpu", load_cpu, NULL },
	{ "system", load_system, NULL },
	{ "memory", load_memory, load_memory_prepare },
	{ "ticks", load_ticks, NULL },
};

static load_fn *load;

/* The profilers that are asked from inside */

static unsigned short counters[1 << 20];
static int device = -1;
static int by_profil;

/* The last of @nr regions has the load, the others are below it. */
static void start_device(unsigned int nr, unsigned int period)
{
	struct profil_region *regions = calloc(nr, sizeof(*regions));
	struct profil_start start = {
		.size = sizeof(start),
		.regions = (uintptr_t)regions,
		.nr_regions = nr,
		.period_ns = period,
	};
	unsigned int i;

	if (!regions)
		fail("calloc");
	for (i = 0; i < nr; i++)
		regions[i] = (struct profil_region){
			.offset = i + 1 < nr ? 2 * i : (uintptr_t)(load == load_ticks ? (void *)tick : (void *)load),
			.buf = (uintptr_t)&counters[i],
			.bytes = 2,
			.scale = i + 1 < nr ? 65536 : 0,
			.width = 2,
		};
	device = open("/dev/profil", O_RDWR | O_CLOEXEC);
	if (device < 0)
		fail("/dev/profil");
	if (ioctl(device, PROFIL_IOC_START, &start))
		fail("PROFIL_IOC_START");
	free(regions);
}

/* libprofil's or the C library's: whichever this is linked with. */
static void start_profil(void)
{
	size_t base = (uintptr_t)load & ~0xffffUL;

	if (profil(counters, sizeof(counters), base, 65536))
		fail("profil");
	by_profil = 1;
}

static unsigned long long samples(void)
{
	struct profil_counts counts = { .size = sizeof(counts) };
	unsigned long long sum = 0;
	size_t i;

	if (device >= 0) {
		if (ioctl(device, PROFIL_IOC_READ, &counts))
			fail("PROFIL_IOC_READ");
		return counts.counted + counts.outside + counts.saturated;
	}
	for (i = 0; by_profil && i < sizeof(counters) / sizeof(*counters); i++)
		sum += counters[i];
	return sum;
}

/* A thread that is always ready to run, and hardly ever does. */
static void *idler(void *unused)
{
	struct sched_param none = { 0 };

	if (sched_setscheduler(0, SCHED_IDLE, &none))
		fail("sched_setscheduler");
	for (;;)
		load_cpu(1000000);
	return unused;
}

static void start_idler(void)
{
	pthread_t id;

	if (pthread_create(&id, NULL, idler, NULL))
		fail("pthread_create");
}

int main(int argc, char **argv)
{
	unsigned int windows = 1, threads = 1, regions = 0, period = 0, sessions = 1;
	unsigned long rounds;
	int c, own = 0;
	size_t i;

	while ((c = getopt(argc, argv, "w:t:r:p:s:P")) != -1)
		switch (c) {
		case 'w':
			windows = atoi(optarg);
			break;
		case 't':
			threads = atoi(optarg);
			break;
		case 'r':
			regions = atoi(optarg);
			break;
		case 'p':
			period = atoi(optarg);
			break;
		case 's':
			sessions = atoi(optarg);
			break;
		case 'P':
			own = 1;
			break;
		default:
			return 2;
		}
	if (argc - optind != 2 || !threads) {
		fprintf(stderr, "usage: load [-w WINDOWS] [-t THREADS] [-P | -r REGIONS [-p PERIOD] [-s SESSIONS]] cpu|system|memory ROUNDS\n");
		return 2;
	}
	for (i = 0; i < sizeof(loads) / sizeof(*loads); i++) {
		if (strcmp(loads[i].name, argv[optind]))
			continue;
		load = loads[i].run;
		if (loads[i].prepare)
			loads[i].prepare();
	}
	rounds = strtoul(argv[optind + 1], NULL, 0);
	if (!load || !rounds)
		return 2;

	memset(counters, 0, sizeof(counters));
	if (own)
		start_profil();
	while (regions && sessions--)
		start_device(regions, period);
	if (load == load_ticks) {
		while (--threads)
			start_idler();
		load_ticks(rounds);
		return 0;
	}
	while (windows--) {
		unsigned long long from, to, seen = samples();

		tick(&from);
		load(rounds);
		to = __rdtsc();
		/* The tick that it began after took some of the first period. */
		printf("%lu %llu %llu %llu\n", 2 * rounds, to - from,
		       (to - from + 20000) / TICK, samples() - seen);
	}
	return 0;
}
