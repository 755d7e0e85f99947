// SPDX-License-Identifier: GPL-2.0
/*
 * Periods longer than the tick: how many ticks are taken, and which.
 *
 * The expected numbers come from the ticks that the kernel reports to have
 * seen, so that it does not matter here whether the machine lost some; that
 * these are all the ticks there were is the subject of sampling.c.
 */
#define _GNU_SOURCE
#include "work.h"

#define MS		1000000U
#define MAX_PERIODS	9

/* Of one CPU, or of @cpus: the count is ticks * tick / period within one. */
static bool count_is_exact(const struct profil_counts *counts,
			   uint64_t tick_ns, uint64_t period_ns, int cpus)
{
	int64_t off = taken(counts) * period_ns - counts->ticks * tick_ns;

	return llabs(off) < (int64_t)(cpus * period_ns);
}

FIXTURE(thinning)
{
	int fd[MAX_PERIODS];
	uint32_t period[MAX_PERIODS];
	unsigned int nr;
	uint32_t tick_ns;
	uint32_t counter;
	struct profil_region region;
};

/* Sessions with the periods that this machine's tick allows. */
FIXTURE_SETUP(thinning)
{
	uint32_t tick, period[MAX_PERIODS] = {
		10 * MS, 7 * MS, 33 * MS, 1000 * MS, UINT32_MAX,
	};
	unsigned int i;

	self->fd[0] = OPEN_DEVICE();
	tick = info_of(self->fd[0]).tick_ns;
	ASSERT_LT(0, tick);
	period[5] = tick;
	period[6] = tick + 1;
	period[7] = 2 * tick - 1;
	period[8] = 2 * tick;

	self->tick_ns = tick;
	self->region = work_region(work_a, &self->counter, 4);
	for (i = 0; i < MAX_PERIODS; i++)
		if (period[i] >= tick)
			self->period[self->nr++] = period[i];
	for (i = 1; i < self->nr; i++)
		self->fd[i] = OPEN_DEVICE();
}

FIXTURE_TEARDOWN(thinning)
{
	unsigned int i;

	for (i = 0; i < self->nr; i++)
		close(self->fd[i]);
}

static void start_all(struct __test_metadata *_metadata,
		      FIXTURE_DATA(thinning) *self)
{
	unsigned int i;

	for (i = 0; i < self->nr; i++)
		ASSERT_EQ(0, start(self->fd[i], &self->region, 1,
				   self->period[i]));
}

static void stop_and_check(struct __test_metadata *_metadata,
			   FIXTURE_DATA(thinning) *self, int cpus)
{
	struct profil_counts counts;
	unsigned int i;

	for (i = 0; i < self->nr; i++) {
		ASSERT_EQ(0, stop(self->fd[i], &counts));
		EXPECT_TRUE(identity_holds(&counts));
		EXPECT_TRUE(count_is_exact(&counts, self->tick_ns,
					   self->period[i], cpus)) {
			TH_LOG("period %u: %ju of %llu ticks",
			       self->period[i], (uintmax_t)taken(&counts),
			       counts.ticks);
		}
		/* Less than a fifth of them would be nothing to test with. */
		EXPECT_LE(NSEC / 5 / self->tick_ns, counts.ticks);
	}
}

TEST_F(thinning, count_on_one_cpu)
{
	ASSERT_LE(0, pin_somewhere());
	start_all(_metadata, self);
	work_for(work_a, 4 * NSEC);
	stop_and_check(_metadata, self, 1);
}

/* Starting anew does not begin with a whole period without a sample. */
TEST_F(thinning, count_of_short_sessions)
{
	uint64_t ticks = 0, samples = 0, period = 20 * self->tick_ns;
	struct profil_counts counts;
	double expected;
	int i;

	ASSERT_LE(0, pin_somewhere());
	for (i = 0; i < 300; i++) {
		ASSERT_EQ(0, start(self->fd[0], &self->region, 1, period));
		work_for(work_a, 5 * self->tick_ns / 2);
		ASSERT_EQ(0, stop(self->fd[0], &counts));
		ticks += counts.ticks;
		samples += taken(&counts);
	}
	expected = (double)ticks * self->tick_ns / period;
	TH_LOG("%ju of %ju ticks", (uintmax_t)samples, (uintmax_t)ticks);
	EXPECT_GE(binomial_bound(ticks, 1 / 20.0), fabs(samples - expected));
}

static void *short_runs(void *unused)
{
	struct timespec pause = { .tv_nsec = 3 * MS };
	int i;

	for (i = 0; i < 100; i++) {
		work_for(work_a, 7 * MS);
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	}
	return unused;
}

/* Threads that sleep in between and go where the scheduler puts them. */
TEST_F(thinning, count_of_short_runs_on_all_cpus)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	pthread_t thread[3];
	int i;

	start_all(_metadata, self);
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, short_runs,
					    NULL));
	for (i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	stop_and_check(_metadata, self, cpus);
}

/* Which of the ticks a session has taken, as far as one can watch. */
#define MAX_TICKS	10000

struct watch {
	unsigned int ticks;
	unsigned int unseen;	/* came together with another one */
	unsigned int group;	/* most that came together */
	bool taken[MAX_TICKS];
};

/*
 * The only thread of the process looks after each bit of work, so it sees the
 * ticks one by one, but for those that come during one look.  Such a group is
 * known to the number, not to the place: its samples are said to be last.
 */
static bool watch_ticks(int fd, uint64_t ns, unsigned long rounds,
			struct watch *watch)
{
	uint64_t end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;
	uint64_t seen = 0, samples = 0, new_ticks, new_samples;
	struct profil_counts counts;

	memset(watch, 0, sizeof(*watch));
	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end) {
		work_a(rounds);
		if (read_counts(fd, &counts))
			return false;
		new_ticks = counts.ticks - seen;
		new_samples = taken(&counts) - samples;
		if (new_samples > new_ticks || counts.ticks >= MAX_TICKS)
			return false;
		seen = counts.ticks;
		samples = taken(&counts);
		if (new_ticks > 1)
			watch->unseen += new_ticks;
		if (new_ticks > watch->group)
			watch->group = new_ticks;
		while (new_samples)
			watch->taken[seen - new_samples--] = true;
	}
	watch->ticks = seen;
	return true;
}

/*
 * Each period takes one tick, so from one sample to the next it is less than
 * two periods, and a tick more for where in the tick a period begins.  A fixed
 * step would give equal gaps.  A sample is noted late by less than its group.
 */
TEST_F(thinning, gaps)
{
	unsigned int i, j, last, longest, shortest;
	struct profil_counts counts;
	static struct watch watch;
	unsigned long rounds;

	ASSERT_LE(0, pin_somewhere());
	rounds = work_rounds(self->tick_ns / 20);
	for (i = 0; i < self->nr; i++) {
		uint64_t period = self->period[i];

		if (period > 40 * MS && period > 2 * self->tick_ns)
			continue;
		ASSERT_EQ(0, start(self->fd[i], &self->region, 1, period));
		ASSERT_TRUE(watch_ticks(self->fd[i], NSEC, rounds,
					&watch));
		ASSERT_EQ(0, stop(self->fd[i], &counts));
		ASSERT_LT(20, watch.ticks);

		longest = 0;
		shortest = UINT32_MAX;
		last = UINT32_MAX;
		for (j = 0; j < watch.ticks; j++) {
			if (!watch.taken[j])
				continue;
			if (last != UINT32_MAX && j - last > longest)
				longest = j - last;
			if (last != UINT32_MAX && j - last < shortest)
				shortest = j - last;
			last = j;
		}
		TH_LOG("period %.3f ticks: gaps of %u to %u ticks",
		       (double)period / self->tick_ns, shortest, longest);
		EXPECT_LT((uint64_t)longest * self->tick_ns,
			  2 * period + watch.group * self->tick_ns);
		EXPECT_LE(1, shortest);
		if (period > 2 * self->tick_ns)
			EXPECT_LT(shortest, longest);
	}
}

/*
 * A period of four ticks, which a session's first tick begins: of each four
 * one is taken, and each of the four equally often.  What came in a group is
 * not where it was noted, so groups widen the bound.  Four counts, so that a
 * false alarm happens in seven million runs.
 */
#define PLACES	4

TEST_F(thinning, places_in_a_period)
{
	unsigned int i, j, in_period, count[PLACES] = { 0 }, periods = 0;
	static struct watch watch;
	double bound;

	ASSERT_LE(0, pin_somewhere());
	ASSERT_EQ(0, start(self->fd[0], &self->region, 1,
			   PLACES * self->tick_ns));
	ASSERT_TRUE(watch_ticks(self->fd[0], 5 * NSEC,
				work_rounds(self->tick_ns / 20), &watch));

	for (i = 0; i + PLACES <= watch.ticks; i += PLACES, periods++) {
		for (j = in_period = 0; j < PLACES; j++)
			if (watch.taken[i + j]) {
				count[j]++;
				in_period++;
			}
		if (!watch.unseen)
			EXPECT_EQ(1, in_period);
	}
	TH_LOG("%u %u %u %u of %u periods, %u of %u ticks in groups", count[0],
	       count[1], count[2], count[3], periods, watch.unseen,
	       watch.ticks);
	bound = binomial_bound(periods, 1.0 / PLACES) + watch.unseen / 2.0;
	for (j = 0; j < PLACES; j++)
		EXPECT_GE(bound, fabs(count[j] - (double)periods / PLACES));
}

/*
 * Two threads on one CPU that take turns in step with the tick.  A thread that
 * has seen @ticks of its own hands over to the other one.
 */
struct dancer {
	pthread_t thread;
	work_fn *work;
	struct dance *dance;
	uint32_t parity;
};

struct dance {
	int fd;
	int cpu;
	uint32_t turn;
	uint32_t turns;
	uint32_t ticks;
	unsigned long rounds;
	struct dancer dancer[2];
};

static void turn_take(struct dance *dance, work_fn *work)
{
	struct profil_counts counts;
	uint64_t until = UINT64_MAX;

	do {
		work(dance->rounds);
		if (read_counts(dance->fd, &counts))
			return;
		if (until == UINT64_MAX)
			until = counts.ticks + dance->ticks;
	} while (counts.ticks < until);
}

static void *dancer_run(void *arg)
{
	struct dancer *self = arg;
	struct dance *dance = self->dance;
	uint32_t turn;

	pin_to(dance->cpu);
	for (turn = self->parity; turn < dance->turns; turn += 2) {
		step_wait(&dance->turn, turn);
		turn_take(dance, self->work);
		step_to(&dance->turn, turn + 1);
	}
	return NULL;
}

/* 0, or an error of pthread_create(). */
static int dance_run(struct dance *dance)
{
	static work_fn *const works[2] = { work_a, work_b };
	int i, ret;

	for (i = 0; i < 2; i++) {
		dance->dancer[i] = (struct dancer){
			.work = works[i],
			.dance = dance,
			.parity = i,
		};
		ret = pthread_create(&dance->dancer[i].thread, NULL, dancer_run,
				     &dance->dancer[i]);
		if (ret)
			return ret;
	}
	for (i = 0; i < 2; i++)
		pthread_join(dance->dancer[i].thread, NULL);
	return 0;
}

FIXTURE(fairness)
{
	int fd, fd_all;
	uint32_t tick_ns;
	uint32_t counter[2];
	uint32_t every[2];
};

FIXTURE_SETUP(fairness)
{
	self->fd = OPEN_DEVICE();
	self->fd_all = OPEN_DEVICE();
	self->tick_ns = info_of(self->fd).tick_ns;
	ASSERT_LT(0, self->tick_ns);
}

FIXTURE_TEARDOWN(fairness)
{
	close(self->fd);
	close(self->fd_all);
}

FIXTURE_VARIANT(fairness)
{
	uint32_t turn_ticks;
	uint32_t period_halves;	/* of a tick */
};

FIXTURE_VARIANT_ADD(fairness, turns_of_1_period_of_2) {
	.turn_ticks = 1,
	.period_halves = 4,
};

FIXTURE_VARIANT_ADD(fairness, turns_of_1_period_of_2_and_a_half) {
	.turn_ticks = 1,
	.period_halves = 5,
};

FIXTURE_VARIANT_ADD(fairness, turns_of_2_period_of_4) {
	.turn_ticks = 2,
	.period_halves = 8,
};

FIXTURE_VARIANT_ADD(fairness, turns_of_3_period_of_2) {
	.turn_ticks = 3,
	.period_halves = 4,
};

/*
 * A second session sees every tick and so knows each thread's share.  Of the
 * samples a thread must have its share, within what chance does: at most one
 * is drawn from each period, so the count varies less than a binomial one.
 * A false alarm happens in 26 million runs.
 */
TEST_F(fairness, in_step_with_the_tick)
{
	uint32_t period = self->tick_ns / 2 * variant->period_halves;
	struct profil_region region[2], every[2];
	struct dance dance = {
		.fd = self->fd_all,
		.ticks = variant->turn_ticks,
	};
	double share, samples;

	dance.cpu = pin_somewhere();
	ASSERT_LE(0, dance.cpu);
	dance.rounds = work_rounds(self->tick_ns / 20);
	dance.turns = 4 * NSEC / self->tick_ns / variant->turn_ticks;
	region[0] = work_region(work_a, &self->counter[0], 4);
	region[1] = work_region(work_b, &self->counter[1], 4);
	every[0] = work_region(work_a, &self->every[0], 4);
	every[1] = work_region(work_b, &self->every[1], 4);
	sort_regions(region, 2);
	sort_regions(every, 2);

	ASSERT_EQ(0, start(self->fd_all, every, 2, 0));
	ASSERT_EQ(0, start(self->fd, region, 2, period));
	ASSERT_EQ(0, dance_run(&dance));
	close(self->fd);
	close(self->fd_all);

	share = (double)self->every[0] / (self->every[0] + self->every[1]);
	samples = self->counter[0] + self->counter[1];
	TH_LOG("%u and %u of %u and %u ticks", self->counter[0],
	       self->counter[1], self->every[0], self->every[1]);
	/* They did take turns: else there is nothing to test. */
	EXPECT_LT(0.3, share);
	EXPECT_GT(0.7, share);
	EXPECT_GE(binomial_bound(samples, share),
		  fabs(self->counter[0] - share * samples));
	EXPECT_LT(1.0 * NSEC / period, samples);
}

TEST_HARNESS_MAIN
