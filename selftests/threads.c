// SPDX-License-Identifier: GPL-2.0
/* All threads of a process are counted, each as much as the others. */
#define _GNU_SOURCE
#include "work.h"

#define MAX_WORKERS	4

static work_fn *const works[MAX_WORKERS] = { work_a, work_b, work_c, work_d };

struct worker {
	pthread_t thread;
	work_fn *work;
	uint64_t ns;
	int cpu;		/* -1: wherever it is put */
	uint32_t *go;
	uint64_t lost;		/* by its CPU while it worked */
};

static void *worker_run(void *arg)
{
	struct worker *self = arg;
	struct accounted before;

	if (self->cpu >= 0)
		pin_to(self->cpu);
	step_wait(self->go, 1);
	before = accounted_now();
	work_for(self->work, self->ns);
	self->lost = lost_ns(&before, self->cpu);
	return NULL;
}

static int workers_create(struct worker *workers, int from, int to)
{
	int i, ret;

	for (i = from; i < to; i++) {
		ret = pthread_create(&workers[i].thread, NULL, worker_run,
				     &workers[i]);
		if (ret)
			return ret;
	}
	return 0;
}

static void workers_join(struct worker *workers, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		pthread_join(workers[i].thread, NULL);
}

FIXTURE(threads)
{
	int fd;
	uint32_t tick_ns;
	uint32_t go;
	uint32_t counter[MAX_WORKERS];
	struct worker workers[MAX_WORKERS];
	struct profil_region regions[MAX_WORKERS];
};

FIXTURE_SETUP(threads)
{
	int i;

	self->fd = OPEN_DEVICE();
	self->tick_ns = info_of(self->fd).tick_ns;
	ASSERT_LT(0, self->tick_ns);
	for (i = 0; i < MAX_WORKERS; i++) {
		self->workers[i] = (struct worker){
			.work = works[i],
			.ns = 2 * NSEC,
			.cpu = -1,
			.go = &self->go,
		};
		self->regions[i] = work_region(works[i], &self->counter[i], 4);
	}
}

FIXTURE_TEARDOWN(threads)
{
	close(self->fd);
}

FIXTURE_VARIANT(threads)
{
	int nr;
};

FIXTURE_VARIANT_ADD(threads, two) {
	.nr = 2,
};

FIXTURE_VARIANT_ADD(threads, four) {
	.nr = 4,
};

/*
 * Half of the threads are older than the profile.  All use the same CPU time
 * in code of their own, so each has the same share of the counts: within what
 * a binomial count has by chance (the tick, being regular, is better), and the
 * ticks that the machine lost, which may all be one thread's.  Four counts: a
 * false alarm in six million runs.
 */
TEST_F(threads, equal_work_equal_counts)
{
	struct profil_counts counts;
	struct accounted before;
	uint64_t lost, used, sum = 0;
	int i, nr = variant->nr;

	ASSERT_EQ(0, workers_create(self->workers, 0, nr / 2));
	sort_regions(self->regions, nr);
	ASSERT_EQ(0, start(self->fd, self->regions, nr, 0));
	ASSERT_EQ(0, workers_create(self->workers, nr / 2, nr));
	before = accounted_now();
	used = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	step_to(&self->go, 1);
	workers_join(self->workers, nr);
	used = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - used;
	lost = lost_ns(&before, -1);
	ASSERT_EQ(0, stop(self->fd, &counts));

	for (i = 0; i < nr; i++)
		sum += self->counter[i];
	TH_LOG("%u %u %u %u of %llu ticks, machine lost %.3f of %.3f s",
	       self->counter[0], self->counter[1], self->counter[2],
	       self->counter[3], counts.ticks, (double)lost / NSEC,
	       (double)used / NSEC);
	EXPECT_TRUE(identity_holds(&counts));
	EXPECT_EQ(counts.counted, sum);
	EXPECT_LE(counts.ticks * self->tick_ns,
		  used + slack_ns(used, self->tick_ns));
	EXPECT_GE(counts.ticks * self->tick_ns +
		  shortfall_ns(used, self->tick_ns, lost), used);
	for (i = 0; i < nr; i++) {
		EXPECT_GE(binomial_bound(sum, 1.0 / nr) + lost / self->tick_ns,
			  fabs(self->counter[i] - (double)sum / nr));
		/* However much was lost: no thread is left out. */
		EXPECT_LT(sum / 50, self->counter[i]);
	}
}

/* What is counted at the same time on several CPUs is all there. */
static void all_in_one(struct __test_metadata *_metadata,
		       FIXTURE_DATA(threads) *self, int nr, unsigned int width)
{
	struct profil_region region;
	struct profil_counts counts;
	union {
		uint16_t narrow;
		uint32_t wide;
	} counter = { .wide = 0 };
	int i;

	for (i = 0; i < nr; i++)
		self->workers[i].work = work_a;
	region = work_region(work_a, &counter, width);
	ASSERT_EQ(0, start(self->fd, &region, 1, 0));
	ASSERT_EQ(0, workers_create(self->workers, 0, nr));
	step_to(&self->go, 1);
	workers_join(self->workers, nr);
	ASSERT_EQ(0, stop(self->fd, &counts));

	EXPECT_TRUE(identity_holds(&counts));
	EXPECT_LT(counts.ticks / 2, counts.counted);
	EXPECT_EQ(counts.counted, width == 2 ? counter.narrow : counter.wide);
	EXPECT_EQ(0, counts.saturated);
	EXPECT_EQ(0, counts.skipped);
}

TEST_F(threads, one_counter_of_16_bits)
{
	all_in_one(_metadata, self, variant->nr, 2);
}

TEST_F(threads, one_counter_of_32_bits)
{
	all_in_one(_metadata, self, variant->nr, 4);
}

static void *work_a_little(void *ns)
{
	work_for(work_a, (uintptr_t)ns);
	return NULL;
}

/*
 * 20 ms and a part of a tick, another one for each @i: by the golden ratio, they
 * spread evenly.  Lives of one length could stay in step with the tick.
 */
static void *a_little(int i, uint32_t tick_ns)
{
	uint32_t part = i * 2654435769U;

	return (void *)(uintptr_t)(NSEC / 50 + ((uint64_t)part * tick_ns >> 32));
}

/* Threads that come and go; what the dead ones had stays. */
TEST_F(threads, short_lives)
{
	struct profil_counts counts;
	struct accounted before;
	pthread_t thread[4];
	uint64_t used, lost;
	int i, j;

	ASSERT_EQ(0, start(self->fd, self->regions, 1, 0));
	before = accounted_now();
	used = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	for (i = 0; i < 100 / variant->nr; i++) {
		for (j = 0; j < variant->nr; j++)
			ASSERT_EQ(0, pthread_create(&thread[j], NULL,
						    work_a_little,
						    a_little(i * variant->nr + j,
							     self->tick_ns)));
		for (j = 0; j < variant->nr; j++)
			pthread_join(thread[j], NULL);
	}
	used = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - used;
	lost = lost_ns(&before, -1);
	ASSERT_EQ(0, stop(self->fd, &counts));

	/*
	 * 100 runs begin and end anywhere between two ticks: each is off by
	 * less than a tick, all together by 5.5 * sqrt(100 / 6) = 22.5 of them
	 * with a false alarm in 26 million.
	 */
	EXPECT_EQ(counts.counted, self->counter[0]);
	EXPECT_LE(counts.ticks * self->tick_ns,
		  used + slack_ns(used, self->tick_ns) + 23 * self->tick_ns);
	EXPECT_GE(counts.ticks * self->tick_ns + 23 * self->tick_ns +
		  shortfall_ns(used, self->tick_ns, lost), used);
}

/*
 * Each CPU counts for itself: what its thread used, less what it lost.  One
 * without a tick may miss all of it, and no more than that.
 */
TEST_F(threads, pinned)
{
	int cpus[MAX_WORKERS], nr = allowed_cpus(cpus, variant->nr), i;
	int tickless = tickless_cpu();
	struct profil_counts counts;

	if (tickless >= 0)
		cpus[nr < variant->nr ? nr++ : nr - 1] = tickless;
	if (nr < 2)
		SKIP(return, "one CPU");
	if (nr < variant->nr)
		SKIP(return, "fewer CPUs than threads");
	for (i = 0; i < nr; i++)
		self->workers[i].cpu = cpus[i];
	ASSERT_EQ(0, workers_create(self->workers, 0, nr));
	sort_regions(self->regions, nr);
	ASSERT_EQ(0, start(self->fd, self->regions, nr, 0));
	step_to(&self->go, 1);
	workers_join(self->workers, nr);
	ASSERT_EQ(0, stop(self->fd, &counts));

	EXPECT_TRUE(identity_holds(&counts));
	/* A tenth for the looks at the clock, which are not in the loop. */
	for (i = 0; i < nr; i++) {
		uint64_t counted = (uint64_t)self->counter[i] * self->tick_ns;
		uint64_t used = self->workers[i].ns;

		EXPECT_LE(counted, used + used / 10 +
			  slack_ns(used, self->tick_ns));
		if (cpus[i] == tickless)
			continue;
		EXPECT_GE(counted + used / 10 +
			  shortfall_ns(used, self->tick_ns,
				       self->workers[i].lost), used) {
			TH_LOG("CPU %d: %.3f s, lost %.3f s", cpus[i],
			       (double)counted / NSEC,
			       (double)self->workers[i].lost / NSEC);
		}
	}
}

TEST_HARNESS_MAIN
