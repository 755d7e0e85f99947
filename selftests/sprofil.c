// SPDX-License-Identifier: GPL-2.0
/*
 * sprofil(): several regions at once, compared with where the time was spent.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/profil.h>
#include <sys/time.h>

#include <profil.h>

#include "work.h"

#define NR_WORKS	3
#define POISON		0x55

static work_fn *const works[NR_WORKS] = { work_a, work_b, work_c };

/* One counter for a work function. */
#define SCALE		(65536 / (WORK_BYTES / 2))

/* What counts all that no other region does. */
#define OVERFLOW(counter, bytes)					\
	(struct prof){ .pr_base = (counter), .pr_size = (bytes),	\
		       .pr_off = 0, .pr_scale = 2 }

union counter {
	unsigned short narrow;
	unsigned int wide;
	unsigned char bytes[8];
};

FIXTURE(sprofil)
{
	union counter counter[NR_WORKS];
	union counter overflow;
	struct timeval period;
	uint32_t tick_ns;
};

FIXTURE_VARIANT(sprofil)
{
	unsigned int flags;
	unsigned int width;
};

FIXTURE_VARIANT_ADD(sprofil, ushort) {
	.flags = PROF_USHORT,
	.width = sizeof(unsigned short),
};

FIXTURE_VARIANT_ADD(sprofil, uint) {
	.flags = PROF_UINT,
	.width = sizeof(unsigned int),
};

FIXTURE_VARIANT_ADD(sprofil, ushort_fast) {
	.flags = PROF_USHORT | PROF_FAST,
	.width = sizeof(unsigned short),
};

FIXTURE_VARIANT_ADD(sprofil, uint_fast) {
	.flags = PROF_UINT | PROF_FAST,
	.width = sizeof(unsigned int),
};

FIXTURE_SETUP(sprofil)
{
	int fd = OPEN_DEVICE();

	self->tick_ns = info_of(fd).tick_ns;
	close(fd);
	ASSERT_LT(0, self->tick_ns);
	memset(&self->period, POISON, sizeof(self->period));
}

FIXTURE_TEARDOWN(sprofil)
{
	sprofil(NULL, 0, NULL, 0);
}

static struct prof prof_of(work_fn *work, void *counter, size_t bytes)
{
	return (struct prof){
		.pr_base = counter,
		.pr_size = bytes,
		.pr_off = (size_t)work,
		.pr_scale = SCALE,
	};
}

static uint64_t value(const union counter *counter, unsigned int width)
{
	return width == sizeof(counter->wide) ? counter->wide : counter->narrow;
}

/* A machine that is short of time loses ticks, but hardly all of them. */
#define SAMPLES		12
#define SAMPLES_NS	(20 * NSEC)

/* In @work, nearly all of it, until so many samples more have been taken. */
static bool sampled(work_fn *work)
{
	struct profil_counts counts = { .size = sizeof(counts) };
	uint64_t end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + SAMPLES_NS;
	uint64_t before;

	if (profil_read(&counts))
		return false;
	before = taken(&counts);
	do {
		work_for(work, NSEC / 20);
		if (profil_read(&counts))
			return false;
	} while (taken(&counts) < before + SAMPLES &&
		 clock_ns(CLOCK_THREAD_CPUTIME_ID) < end);
	return taken(&counts) >= before + SAMPLES;
}

/* Until the thread has used @ns: the functions by turns, 1, 2 and 3 rounds. */
static void alternate(uint64_t ns, unsigned long done[NR_WORKS])
{
	uint64_t end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;
	unsigned long unit = work_rounds(100000);
	int i, turn;

	/* An emulated machine can take long for a look at the clock. */
	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end) {
		for (turn = 0; turn < 10; turn++) {
			for (i = 0; i < NR_WORKS; i++) {
				works[i](unit * (i + 1));
				done[i] += unit * (i + 1);
			}
		}
	}
}

/* Within 5.5 standard deviations, see work.h. */
#define EXPECT_SHARES(counters, total, done)				\
do {									\
	unsigned long _all = 0;						\
	int _i;								\
									\
	for (_i = 0; _i < NR_WORKS; _i++)				\
		_all += (done)[_i];					\
	for (_i = 0; _i < NR_WORKS; _i++) {				\
		double _share = (double)(done)[_i] / _all;		\
		uint64_t _n = value(&(counters)[_i], variant->width);	\
									\
		TH_LOG("share %.3f: %llu of %llu", _share,		\
		       (unsigned long long)_n,				\
		       (unsigned long long)(total));			\
		EXPECT_GE(binomial_bound(total, _share),		\
			  fabs(_n - _share * (total)));			\
	}								\
} while (0)

/*
 * The functions take turns a hundred times per sample, which is what makes
 * glibc's sprofil() lose its way.  The first region is not the lowest.
 */
TEST_F(sprofil, shares_are_those_of_the_work)
{
	unsigned long done[NR_WORKS] = { 0 };
	struct profil_counts counts = { .size = sizeof(counts) };
	struct accounted before;
	struct prof profs[NR_WORKS + 1];
	uint64_t total = 0, cpu, sampled;
	int i;

	for (i = 0; i < NR_WORKS; i++)
		profs[i] = prof_of(works[NR_WORKS - 1 - i],
				   &self->counter[NR_WORKS - 1 - i],
				   variant->width);
	profs[NR_WORKS] = OVERFLOW(&self->overflow, variant->width);

	before = accounted_now();
	cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	ASSERT_EQ(0, sprofil(profs, NR_WORKS + 1, &self->period,
			     variant->flags));
	alternate(2 * NSEC, done);
	ASSERT_EQ(0, sprofil(NULL, 0, NULL, 0));
	cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;

	for (i = 0; i < NR_WORKS; i++)
		total += value(&self->counter[i], variant->width);
	EXPECT_SHARES(self->counter, total, done);

	/* Every sample is somewhere, and a sample is the period. */
	EXPECT_EQ(0, self->period.tv_sec);
	ASSERT_LT(0, self->period.tv_usec);
	total += value(&self->overflow, variant->width);
	sampled = total * self->period.tv_usec * 1000;
	TH_LOG("%.3f s sampled of %.3f s", sampled / 1e9, cpu / 1e9);
	EXPECT_GE(cpu + slack_ns(cpu, self->tick_ns) + NSEC / 100, sampled);
	EXPECT_GE(sampled + NSEC / 100 +
		  shortfall_ns(cpu, self->tick_ns, lost_ns(&before, -1)), cpu);
	/* Little is done outside the functions. */
	EXPECT_GE(total / 10 + 5, value(&self->overflow, variant->width));

	ASSERT_EQ(0, profil_read(&counts));
	EXPECT_EQ(total, counts.counted);
	EXPECT_EQ(0, counts.outside);

	/* No counter has grown beyond its width. */
	for (i = 0; i < NR_WORKS; i++)
		EXPECT_EQ(0, self->counter[i].bytes[variant->width]);
}

/* In a gap between two regions, below the lowest, above the highest. */
TEST_F(sprofil, gaps_are_the_overflow_entrys)
{
	unsigned long done[NR_WORKS] = { 0 };
	unsigned long lower, rest;
	struct prof profs[2];
	work_fn *const *middle;
	uint64_t total;
	int i;

	/* work_a to work_d, in the order of their addresses: the second. */
	middle = &works[0];
	for (i = 0; i < NR_WORKS; i++) {
		lower = 0;
		for (rest = 0; rest < NR_WORKS; rest++)
			lower += (uintptr_t)works[rest] < (uintptr_t)works[i];
		if (lower == NR_WORKS / 2)
			middle = &works[i];
	}
	profs[0] = OVERFLOW(&self->overflow, variant->width);
	profs[1] = prof_of(*middle, &self->counter[0], variant->width);
	ASSERT_EQ(0, sprofil(profs, 2, NULL, variant->flags));
	alternate(NSEC, done);
	ASSERT_EQ(0, sprofil(NULL, 0, NULL, 0));

	total = value(&self->counter[0], variant->width) +
		value(&self->overflow, variant->width);
	/* The two others are outside, and the little that is done around. */
	i = middle - works;
	rest = done[0] + done[1] + done[2];
	TH_LOG("%llu of %llu, %.3f",
	       (unsigned long long)value(&self->counter[0], variant->width),
	       (unsigned long long)total, (double)done[i] / rest);
	EXPECT_GE(binomial_bound(total, (double)done[i] / rest) + total / 10.0,
		  fabs(value(&self->counter[0], variant->width) -
		       total * ((double)done[i] / rest)));
}

/* Without one, what is in no region is not counted, but reported. */
TEST_F(sprofil, without_an_overflow_entry)
{
	struct profil_counts counts = { .size = sizeof(counts) };
	struct prof prof = prof_of(work_b, &self->counter[0], variant->width);

	ASSERT_EQ(0, sprofil(&prof, 1, NULL, variant->flags));
	ASSERT_TRUE(sampled(work_c));
	ASSERT_EQ(0, sprofil(NULL, 0, NULL, 0));
	EXPECT_EQ(0, value(&self->counter[0], variant->width));
	ASSERT_EQ(0, profil_read(&counts));
	EXPECT_EQ(0, counts.counted);
	EXPECT_LT(10, counts.outside);
}

/* Entries that cannot count anything are passed over. */
TEST_F(sprofil, entries_without_counters_are_ignored)
{
	struct prof profs[4] = {
		prof_of(work_a, &self->counter[0], variant->width),
		prof_of(work_b, &self->counter[1], variant->width),
		prof_of(work_c, &self->counter[2], variant->width - 1),
		OVERFLOW(&self->overflow, variant->width),
	};
	unsigned int scale;

	for (scale = 0; scale < 2; scale++) {
		memset(self->counter, 0, sizeof(self->counter));
		memset(&self->overflow, 0, sizeof(self->overflow));
		profs[1].pr_scale = scale;
		ASSERT_EQ(0, sprofil(profs, 4, NULL, variant->flags));
		ASSERT_TRUE(sampled(work_a));
		ASSERT_TRUE(sampled(work_b));
		ASSERT_TRUE(sampled(work_c));
		ASSERT_EQ(0, sprofil(NULL, 0, NULL, 0));
		EXPECT_LT(5, value(&self->counter[0], variant->width));
		EXPECT_EQ(0, value(&self->counter[1], variant->width));
		EXPECT_EQ(0, value(&self->counter[2], variant->width));
		EXPECT_LT(10, value(&self->overflow, variant->width));
	}
}

/* Many counters in a region: each where its code is. */
TEST_F(sprofil, elements_of_a_region)
{
	unsigned char counters[4 * 3 + 8] = { 0 };
	struct prof prof = prof_of(work_a, counters, 3 * variant->width);
	uint64_t n[3] = { 0 };
	int i;

	/* Two functions before, so that work_a is the last of three. */
	prof.pr_off -= 2 * WORK_BYTES;
	ASSERT_EQ(0, sprofil(&prof, 1, NULL, variant->flags));
	ASSERT_TRUE(sampled(work_a));
	ASSERT_EQ(0, sprofil(NULL, 0, NULL, 0));
	for (i = 0; i < 3; i++)
		memcpy(&n[i], counters + i * variant->width, variant->width);
	EXPECT_EQ(0, n[0]);
	EXPECT_EQ(0, n[1]);
	EXPECT_LT(5, n[2]);
	for (i = 3 * variant->width; i < (int)sizeof(counters); i++)
		EXPECT_EQ(0, counters[i]);
}

/* A second call replaces all; count 0 stops whatever else is given. */
TEST_F(sprofil, replace_and_stop)
{
	struct prof first = prof_of(work_a, &self->counter[0], variant->width);
	struct prof second = prof_of(work_a, &self->counter[1], variant->width);
	uint64_t before;

	ASSERT_EQ(0, sprofil(&first, 1, NULL, variant->flags));
	ASSERT_TRUE(sampled(work_a));
	ASSERT_EQ(0, sprofil(&second, 1, &self->period, variant->flags));
	before = value(&self->counter[0], variant->width);
	EXPECT_LT(5, before);
	ASSERT_TRUE(sampled(work_a));
	ASSERT_EQ(0, sprofil(&second, 0, NULL, variant->flags));
	EXPECT_EQ(before, value(&self->counter[0], variant->width));
	before = value(&self->counter[1], variant->width);
	EXPECT_LT(5, before);
	work_for(work_a, NSEC / 4);
	EXPECT_EQ(before, value(&self->counter[1], variant->width));

	/* And once more, which glibc's does not. */
	ASSERT_EQ(0, sprofil(&first, 1, NULL, variant->flags));
	before = value(&self->counter[0], variant->width);
	ASSERT_TRUE(sampled(work_a));
	ASSERT_EQ(0, sprofil(NULL, 0, NULL, 0));
	EXPECT_LT(before + 5, value(&self->counter[0], variant->width));
}

/* The process has one profile, whichever function began it. */
TEST_F(sprofil, is_the_same_as_profils)
{
	struct prof prof = prof_of(work_a, &self->counter[0], variant->width);
	struct profil_counts counts = { .size = sizeof(counts) };
	unsigned short counter = 0;

	ASSERT_EQ(0, sprofil(&prof, 1, NULL, variant->flags));
	ASSERT_EQ(0, profil(&counter, sizeof(counter), (size_t)work_b, SCALE));
	ASSERT_TRUE(sampled(work_a));
	ASSERT_TRUE(sampled(work_b));
	ASSERT_EQ(0, sprofil(NULL, 0, NULL, 0));
	EXPECT_EQ(0, value(&self->counter[0], variant->width));
	EXPECT_LT(5, counter);
	work_for(work_b, NSEC / 4);
	ASSERT_EQ(0, profil_read(&counts));
	EXPECT_EQ(0, counts.state);
}

#define EXPECT_FAILS(error, ...)					\
do {									\
	struct timeval _period;						\
									\
	memset(&_period, POISON, sizeof(_period));			\
	errno = 0;							\
	EXPECT_EQ(-1, sprofil(__VA_ARGS__, &_period, flags));		\
	EXPECT_EQ(error, errno);					\
	EXPECT_EQ(0, memcmp(&_period, &self->period, sizeof(_period))); \
} while (0)

/* Each mistake is in otherwise valid arguments, and changes nothing. */
TEST_F(sprofil, errors)
{
	struct prof good = prof_of(work_a, &self->counter[0], variant->width);
	unsigned int flags = variant->flags;
	struct prof profs[2] = { good, good };
	uint64_t before;

	ASSERT_EQ(0, sprofil(&good, 1, NULL, flags));

	EXPECT_FAILS(EINVAL, profs, -1);
	flags = variant->flags | 4;
	EXPECT_FAILS(EINVAL, profs, 1);
	flags = variant->flags | 1U << 31;
	EXPECT_FAILS(EINVAL, profs, 1);
	flags = variant->flags;

	/* Two for the same code. */
	EXPECT_FAILS(EINVAL, profs, 2);
	/* None that counts. */
	profs[0].pr_scale = 1;
	EXPECT_FAILS(EINVAL, profs, 1);
	profs[0] = good;
	profs[0].pr_base = self->counter[1].bytes + 1;
	EXPECT_FAILS(EINVAL, profs, 1);
	profs[0].pr_base = NULL;
	EXPECT_FAILS(EFAULT, profs, 1);
	profs[0] = good;
	profs[0].pr_size = (1UL << 30) + 4;
	EXPECT_FAILS(ENOMEM, profs, 1);

	before = value(&self->counter[0], variant->width);
	ASSERT_TRUE(sampled(work_a));
	EXPECT_LT(before + 5, value(&self->counter[0], variant->width));
}

#define MANY	500

/* Hundreds of regions, in descending order; the one in the middle is used. */
TEST(many_regions)
{
	static unsigned int counters[MANY], overflow;
	struct prof profs[MANY + 1];
	int i;

	for (i = 0; i < MANY; i++) {
		profs[i] = prof_of(work_a, &counters[i], sizeof(counters[i]));
		profs[i].pr_off += (MANY / 2 - i) * 2L * WORK_BYTES;
	}
	profs[MANY] = OVERFLOW(&overflow, sizeof(overflow));
	ASSERT_EQ(0, sprofil(profs, MANY + 1, NULL, PROF_UINT));
	ASSERT_TRUE(sampled(work_a));
	ASSERT_EQ(0, sprofil(NULL, 0, NULL, 0));
	EXPECT_LT(5, counters[MANY / 2]);
	/* The test's own code is near. */
	for (i = 0; i < MANY; i++)
		if (i != MANY / 2)
			EXPECT_GE(3, counters[i]);
}

TEST_HARNESS_MAIN
