// SPDX-License-Identifier: GPL-2.0
/*
 * Are the counts where the time was spent, and are they all of it?
 */
#define _GNU_SOURCE
#include "work.h"

#define NR_WORKS	3

static work_fn *const works[NR_WORKS] = { work_a, work_b, work_c };

FIXTURE(sampling)
{
	int fd;
	uint32_t tick_ns;
	uint32_t counter[NR_WORKS];
	struct profil_region regions[NR_WORKS];
};

/* A session of @fd can count each work function apart. */
FIXTURE_SETUP(sampling)
{
	int i;

	self->fd = OPEN_DEVICE();
	self->tick_ns = info_of(self->fd).tick_ns;
	ASSERT_LT(0, self->tick_ns);
	for (i = 0; i < NR_WORKS; i++)
		self->regions[i] = work_region(works[i], &self->counter[i], 4);
	sort_regions(self->regions, NR_WORKS);
}

FIXTURE_TEARDOWN(sampling)
{
	close(self->fd);
}

FIXTURE_VARIANT(sampling)
{
	uint32_t period_ns;	/* 0: every tick */
};

FIXTURE_VARIANT_ADD(sampling, every_tick) {
	.period_ns = 0,
};

FIXTURE_VARIANT_ADD(sampling, hundred_a_second) {
	.period_ns = 10000000,
};

/* CPU time that one count stands for. */
static uint64_t sample_ns(uint32_t tick_ns, uint32_t period_ns)
{
	return period_ns ?: tick_ns;
}

/* Works until the process has used @ns, in pieces of 1, 2 and 4 units. */
static void work_in_pieces(uint64_t ns, unsigned long unit,
			   unsigned long done[NR_WORKS])
{
	uint64_t end = clock_ns(CLOCK_PROCESS_CPUTIME_ID) + ns;
	uint64_t state = 88172645463325252ULL;
	int i;

	while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < end) {
		i = random_next(&state) % NR_WORKS;
		works[i](unit << i);
		done[i] += unit << i;
	}
}

/*
 * The loops do the same per round, so a function's share of the samples is
 * its share of the rounds.  Which function works next is drawn, and a sample
 * is 20 or more draws away from the one before: samples are independent, and
 * a function's count is binomial at most (a shorter way from one sample to the
 * next would only make it more even).  Three counts: a false alarm in nine
 * million runs.
 */
TEST_F(sampling, shares_are_those_of_the_work)
{
	unsigned long done[NR_WORKS] = { 0 }, rounds = 0;
	struct profil_counts counts;
	uint32_t samples = 0;
	int i;

	ASSERT_EQ(0, start(self->fd, self->regions, NR_WORKS,
			   variant->period_ns));
	work_in_pieces(4 * NSEC, work_rounds(self->tick_ns / 50), done);
	ASSERT_EQ(0, stop(self->fd, &counts));

	for (i = 0; i < NR_WORKS; i++) {
		rounds += done[i];
		samples += self->counter[i];
	}
	/* Three of four may be lost; without any there is nothing to test. */
	EXPECT_LT(NSEC / sample_ns(self->tick_ns, variant->period_ns), samples);
	for (i = 0; i < NR_WORKS; i++) {
		double share = (double)done[i] / rounds;
		double off = self->counter[i] - share * samples;

		TH_LOG("share %.3f: %u of %u", share, self->counter[i],
		       samples);
		EXPECT_GE(binomial_bound(samples, share), fabs(off));
	}
}

/* What the process has used, by two of the kernel's accounts. */
struct usage {
	uint64_t clock;
	uint64_t rusage;
	uint64_t system;
};

static uint64_t timeval_ns(const struct timeval *time)
{
	return time->tv_sec * NSEC + time->tv_usec * 1000ULL;
}

static struct usage usage_now(void)
{
	struct rusage now;

	getrusage(RUSAGE_SELF, &now);
	return (struct usage){
		.clock = clock_ns(CLOCK_PROCESS_CPUTIME_ID),
		.rusage = timeval_ns(&now.ru_utime) + timeval_ns(&now.ru_stime),
		.system = timeval_ns(&now.ru_stime),
	};
}

static struct usage usage_since(const struct usage *before)
{
	struct usage now = usage_now();

	now.clock -= before->clock;
	now.rusage -= before->rusage;
	now.system -= before->system;
	return now;
}

/* Somewhat more than half in the kernel. */
static void work_everywhere(uint64_t ns)
{
	uint64_t end = clock_ns(CLOCK_PROCESS_CPUTIME_ID) + ns;
	static char buf[1 << 16];
	int fd = open("/dev/zero", O_RDONLY);

	while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < end) {
		works[0](10000);
		while (read(fd, buf, sizeof(buf)) < 0)
			;
	}
	close(fd);
}

/*
 * samples * period is the CPU time.  The slack is explained in work.h; whoever
 * counts at half the rate, or leaves the kernel's time out, misses by half.
 */
TEST_F(sampling, samples_are_the_cpu_time)
{
	uint64_t period = sample_ns(self->tick_ns, variant->period_ns);
	uint64_t sampled, lost, least;
	struct accounted accounted;
	struct profil_counts counts;
	struct usage used;

	ASSERT_EQ(0, start(self->fd, self->regions, NR_WORKS,
			   variant->period_ns));
	accounted = accounted_now();
	used = usage_now();
	work_everywhere(4 * NSEC);
	used = usage_since(&used);
	lost = lost_ns(&accounted, -1);
	ASSERT_EQ(0, stop(self->fd, &counts));

	sampled = taken(&counts) * period;
	least = shortfall_ns(used.clock, period, lost);
	TH_LOG("%.3f s sampled, %.3f s used, machine lost %.3f s",
	       (double)sampled / NSEC, (double)used.clock / NSEC,
	       (double)lost / NSEC);
	EXPECT_TRUE(identity_holds(&counts));
	EXPECT_LE(sampled, used.clock + slack_ns(used.clock, period));
	EXPECT_GE(sampled + least, used.clock);
	EXPECT_LE(sampled, used.rusage + slack_ns(used.clock, period));
	EXPECT_GE(sampled + least, used.rusage);
}

/*
 * A tick may find the process on its way to sleep, and one on its way back;
 * twice as many if it has to wait for something else on these ways.
 */
#define TICKS_OF_A_SLEEP	4

TEST_F(sampling, sleep_is_not_counted)
{
	struct timespec half = { .tv_nsec = NSEC / 2 };
	struct profil_counts before, after;

	ASSERT_EQ(0, start(self->fd, self->regions, NR_WORKS,
			   variant->period_ns));
	work_for(works[0], NSEC / 10);
	ASSERT_EQ(0, read_counts(self->fd, &before));
	ASSERT_EQ(0, clock_nanosleep(CLOCK_MONOTONIC, 0, &half, NULL));
	ASSERT_EQ(0, read_counts(self->fd, &after));
	EXPECT_LT(0, before.ticks);
	EXPECT_GE(before.ticks + TICKS_OF_A_SLEEP, after.ticks);
}

TEST_F(sampling, nothing_is_counted_after_stop)
{
	uint32_t counter[NR_WORKS];
	struct profil_counts before, after;

	ASSERT_EQ(0, start(self->fd, self->regions, NR_WORKS,
			   variant->period_ns));
	work_for(works[0], NSEC / 5);
	ASSERT_EQ(0, stop(self->fd, &before));
	memcpy(counter, self->counter, sizeof(counter));
	work_for(works[0], NSEC / 5);
	ASSERT_EQ(0, read_counts(self->fd, &after));
	EXPECT_LT(0, before.counted);
	EXPECT_EQ(0, memcmp(&before, &after, sizeof(before)));
	EXPECT_EQ(0, memcmp(counter, self->counter, sizeof(counter)));
}

/*
 * A system call that is long and is entered at one known place.  The user
 * program counter at which the thread goes on is that behind the instruction.
 */
#define READ_BYTES	(1 << 20)

#if defined(__x86_64__)
#define KNOWS_READ	true
extern const char after_read[];

static WORK_UNIQUE void read_zero(int fd, void *buf)
{
	long ret = SYS_read;

	__asm__ volatile("syscall\n"
			 ".globl after_read\n"
			 ".hidden after_read\n"
			 "after_read:"
			 : "+a"(ret)
			 : "D"((long)fd), "S"(buf), "d"((long)READ_BYTES)
			 : "rcx", "r11", "memory");
}
#elif defined(__aarch64__)
#define KNOWS_READ	true
extern const char after_read[];

static WORK_UNIQUE void read_zero(int fd, void *buf)
{
	register long call __asm__("x8") = SYS_read;
	register long ret __asm__("x0") = fd;
	register void *to __asm__("x1") = buf;
	register long bytes __asm__("x2") = READ_BYTES;

	__asm__ volatile("svc #0\n"
			 ".globl after_read\n"
			 ".hidden after_read\n"
			 "after_read:"
			 : "+r"(ret)
			 : "r"(call), "r"(to), "r"(bytes)
			 : "memory");
}
#else
#define KNOWS_READ	false
static const char after_read[1];

static void read_zero(int fd, void *buf)
{
	(void)fd;
	(void)buf;
}
#endif

/* Uses @ns: in the kernel, or with @user also as much in works[0]. */
static void read_for(uint64_t ns, bool user)
{
	uint64_t end = clock_ns(CLOCK_PROCESS_CPUTIME_ID) + ns, begin, now;
	void *buf = mmap(NULL, READ_BYTES, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	int fd = open("/dev/zero", O_RDONLY);
	int i;

	begin = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	do {
		/* Several, since to ask for the time is a system call, too. */
		for (i = 0; i < 8; i++)
			read_zero(fd, buf);
		now = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
		if (user)
			work_for(works[0], now - begin);
		begin = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	} while (begin < end);
	close(fd);
	munmap(buf, READ_BYTES);
}

static int start_flags(int fd, const struct profil_region *regions,
		       unsigned int nr, uint32_t period_ns, uint32_t flags)
{
	struct profil_start arg = start_of(regions, nr);

	arg.period_ns = period_ns;
	arg.flags = flags;
	return call(fd, PROFIL_IOC_START, &arg);
}

/* One counter for after_read and the byte behind it. */
static struct profil_region read_region(uint32_t *counter)
{
	return region_of(after_read, counter, sizeof(*counter), 4);
}

/*
 * How many of the ticks hit the kernel is known twice: from how the loop is
 * made (nearly all) and from the kernel's own division of the CPU time, which
 * is made by the tick as well.  A tenth is for the loop's other calls, and for
 * ticks at interrupts during user mode, as well as for a busy machine.
 */
TEST_F(sampling, kernel_time_counts_behind_the_system_call)
{
	struct profil_counts counts;
	struct profil_region region;
	uint64_t used, samples;
	uint32_t counter = 0;
	struct usage usage;
	double share;

	if (!KNOWS_READ)
		SKIP(return, "no system call written for this architecture");
	region = read_region(&counter);
	ASSERT_EQ(0, start(self->fd, &region, 1, variant->period_ns));
	usage = usage_now();
	read_for(2 * NSEC, false);
	usage = usage_since(&usage);
	ASSERT_EQ(0, stop(self->fd, &counts));

	samples = taken(&counts);
	used = usage.rusage;
	share = (double)counts.kernel / counts.ticks;
	TH_LOG("%llu ticks, %llu kernel, %u of %ju samples there, %.3f",
	       counts.ticks, counts.kernel, counter, (uintmax_t)samples,
	       (double)usage.system / used);
	EXPECT_LT(0, samples);
	EXPECT_LE(0.9, share);
	EXPECT_GE(0.1, fabs(share - (double)usage.system / used));
	EXPECT_EQ(counts.counted, counter);
	EXPECT_LE(0.9 * samples, counter);
	EXPECT_TRUE(identity_holds(&counts));
}

/*
 * Half the time in the kernel, half in a work function, though a machine that
 * stands still in the kernel for long loses ticks of that half.  Of those ticks that
 * are not skipped none is at the system call, but for the instruction behind
 * it, which is in user mode.
 */
TEST_F(sampling, user_only_skips_the_kernel)
{
	struct profil_region regions[2];
	struct profil_counts counts;
	uint32_t at_read = 0;
	struct usage usage;
	double share;

	if (!KNOWS_READ)
		SKIP(return, "no system call written for this architecture");
	regions[0] = read_region(&at_read);
	regions[1] = work_region(works[0], &self->counter[0], 4);
	sort_regions(regions, 2);
	ASSERT_EQ(0, start_flags(self->fd, regions, 2, variant->period_ns,
				 PROFIL_USER_ONLY));
	usage = usage_now();
	read_for(2 * NSEC, true);
	usage = usage_since(&usage);
	ASSERT_EQ(0, stop(self->fd, &counts));

	share = (double)counts.kernel / counts.ticks;
	TH_LOG("%llu ticks, %llu kernel, %llu skipped, %u + %u counts, %.3f",
	       counts.ticks, counts.kernel, counts.skipped, at_read,
	       self->counter[0], (double)usage.system / usage.rusage);
	EXPECT_TRUE(identity_holds(&counts));
	EXPECT_LE(0.1, share);
	EXPECT_GE(0.1, fabs(share - (double)usage.system / usage.rusage));
	EXPECT_LE(counts.kernel, counts.skipped);
	EXPECT_GE(taken(&counts) / 10 + 2, at_read);
	EXPECT_EQ(counts.counted, self->counter[0] + at_read);
	EXPECT_LE(0.8 * taken(&counts), self->counter[0]);
	if (!variant->period_ns)
		EXPECT_EQ(counts.kernel, counts.skipped);
}

/* The same work without the flag: the kernel's half is counted, too. */
TEST_F(sampling, without_the_flag_both_halves_are_counted)
{
	struct profil_region regions[2];
	struct profil_counts counts;
	uint32_t at_read = 0, expected;

	if (!KNOWS_READ)
		SKIP(return, "no system call written for this architecture");
	regions[0] = read_region(&at_read);
	regions[1] = work_region(works[0], &self->counter[0], 4);
	sort_regions(regions, 2);
	ASSERT_EQ(0, start(self->fd, regions, 2, variant->period_ns));
	read_for(2 * NSEC, true);
	ASSERT_EQ(0, stop(self->fd, &counts));

	expected = taken(&counts) * counts.kernel / counts.ticks;
	EXPECT_GE(binomial_bound(taken(&counts), 0.5) + expected / 10.0,
		  fabs((double)at_read - expected));
	EXPECT_LE(0.8 * taken(&counts), at_read + self->counter[0]);
	if (!variant->period_ns)
		EXPECT_EQ(0, counts.skipped);
}

/* A sibling works all the time, so that a tick comes at any moment. */
static bool sibling_ends;

static void *sibling(void *unused)
{
	while (!__atomic_load_n(&sibling_ends, __ATOMIC_RELAXED))
		works[0](10000);
	return unused;
}

TEST_F(sampling, set_regions_loses_and_doubles_nothing)
{
	struct profil_region region[2];
	struct profil_counts counts;
	uint32_t counter[2] = { 0 };
	unsigned int swaps = 0;
	pthread_t thread;
	uint32_t old;
	uint64_t end;
	int i;

	for (i = 0; i < 2; i++)
		region[i] = work_region(works[0], &counter[i], 4);
	ASSERT_EQ(0, start(self->fd, &region[0], 1, variant->period_ns));
	ASSERT_EQ(0, pthread_create(&thread, NULL, sibling, NULL));
	end = clock_ns(CLOCK_MONOTONIC) + 3 * NSEC;
	while (clock_ns(CLOCK_MONOTONIC) < end) {
		i = ++swaps % 2;
		ASSERT_EQ(0, set_regions(self->fd, &region[i], 1));
		old = __atomic_load_n(&counter[!i], __ATOMIC_RELAXED);
		works[0](10000);
		EXPECT_EQ(old, __atomic_load_n(&counter[!i], __ATOMIC_RELAXED));
	}
	__atomic_store_n(&sibling_ends, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	ASSERT_EQ(0, stop(self->fd, &counts));

	TH_LOG("%u swaps, %u + %u counts", swaps, counter[0], counter[1]);
	EXPECT_LT(100, swaps);
	EXPECT_LT(0, counter[0]);
	EXPECT_LT(0, counter[1]);
	EXPECT_EQ(counts.counted, counter[0] + counter[1]);
	EXPECT_TRUE(identity_holds(&counts));
	/* The sibling has half the time or more, even on one CPU. */
	EXPECT_LT(0.25 * taken(&counts), counts.counted);
}

TEST_HARNESS_MAIN
