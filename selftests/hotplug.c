// SPDX-License-Identifier: GPL-2.0
/*
 * A CPU goes offline and comes back while profiled threads run on it.
 */
#define _GNU_SOURCE
#include "work.h"

#define NR_WORKERS	2
#define ROUNDS		3
#define STORM_ROUNDS	10

static work_fn *const works[NR_WORKERS] = { work_a, work_b };
static bool over;

FIXTURE(hotplug)
{
	const char *unable;	/* to test: why */
	int fd;
	int cpu;		/* that goes and comes */
	int online;		/* the kernel's file for it */
	uint32_t tick_ns;
	uint32_t counter[NR_WORKERS];
	struct profil_region regions[NR_WORKERS];
	pthread_t worker[NR_WORKERS];
};

FIXTURE_VARIANT(hotplug)
{
	uint32_t period_ns;	/* 0: every tick */
};

FIXTURE_VARIANT_ADD(hotplug, every_tick) {
	.period_ns = 0,
};

FIXTURE_VARIANT_ADD(hotplug, hundred_a_second) {
	.period_ns = 10000000,
};

FIXTURE_SETUP(hotplug)
{
	int cpus[STAT_CPUS], nr = allowed_cpus(cpus, STAT_CPUS), i;
	char path[64];

	self->fd = OPEN_DEVICE();
	if (nr < 2) {
		self->unable = "one CPU";
		return;
	}
	self->cpu = cpus[nr - 1];
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online",
		 self->cpu);
	self->online = open(path, O_RDWR | O_CLOEXEC);
	if (self->online < 0) {
		self->unable = "not root, or this CPU cannot go offline";
		return;
	}
	self->tick_ns = info_of(self->fd).tick_ns;
	ASSERT_LT(0, self->tick_ns);
	for (i = 0; i < NR_WORKERS; i++)
		self->regions[i] = work_region(works[i], &self->counter[i], 4);
	sort_regions(self->regions, NR_WORKERS);
}

static bool set_online(FIXTURE_DATA(hotplug) *self, bool online)
{
	return pwrite(self->online, online ? "1" : "0", 1, 0) == 1;
}

FIXTURE_TEARDOWN(hotplug)
{
	close(self->fd);
	if (self->unable)
		return;
	EXPECT_TRUE(set_online(self, true));
	close(self->online);
}

static void *work_until_over(void *work)
{
	while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
		(*(work_fn **)work)(10000);
	return NULL;
}

/* The last worker runs on the CPU that goes, the others where they are put. */
static bool move_there(FIXTURE_DATA(hotplug) *self)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(self->cpu, &set);
	return !pthread_setaffinity_np(self->worker[NR_WORKERS - 1],
				       sizeof(set), &set);
}

static bool workers_begin(FIXTURE_DATA(hotplug) *self)
{
	int i;

	for (i = 0; i < NR_WORKERS; i++)
		if (pthread_create(&self->worker[i], NULL, work_until_over,
				   (void *)&works[i]))
			return false;
	return true;
}

static void workers_end(FIXTURE_DATA(hotplug) *self)
{
	int i;

	__atomic_store_n(&over, true, __ATOMIC_RELAXED);
	for (i = 0; i < NR_WORKERS; i++)
		pthread_join(self->worker[i], NULL);
}

static uint32_t counted_there(FIXTURE_DATA(hotplug) *self)
{
	return __atomic_load_n(&self->counter[NR_WORKERS - 1],
			       __ATOMIC_RELAXED);
}

/* Ten counts more of the worker that runs on the CPU. */
static bool counts_there(FIXTURE_DATA(hotplug) *self)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + 10 * NSEC;
	uint32_t before = counted_there(self);

	while (counted_there(self) - before < 10 &&
	       clock_ns(CLOCK_MONOTONIC) < end)
		usleep(1000);
	return counted_there(self) - before >= 10;
}

/* The session has stopped: what it says is what the counters have. */
static void expect_sum(struct __test_metadata *_metadata,
		       FIXTURE_DATA(hotplug) *self,
		       const struct profil_counts *counts)
{
	EXPECT_TRUE(identity_holds(counts));
	EXPECT_EQ(counts->counted, self->counter[0] + self->counter[1]);
}

/*
 * For a second, the CPUs being what they are: samples are the CPU time.  The
 * slack is explained in work.h.  What others use of the workers' CPUs, as the
 * kernel does after such a change, may be in step with the tick: it runs in
 * between, and the tick finds a worker.
 */
static void expect_samples(struct __test_metadata *_metadata,
			   FIXTURE_DATA(hotplug) *self, uint32_t period_ns)
{
	uint64_t period = period_ns ?: self->tick_ns, used, sampled, lost;
	uint64_t begin, there, others;
	const struct timespec second = { .tv_sec = 1 };
	struct accounted accounted = accounted_now();
	struct profil_counts before, after;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	begin = clock_ns(CLOCK_MONOTONIC);
	used = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	ASSERT_EQ(0, read_counts(self->fd, &before));
	clock_nanosleep(CLOCK_MONOTONIC, 0, &second, NULL);
	ASSERT_EQ(0, read_counts(self->fd, &after));
	used = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - used;
	there = (clock_ns(CLOCK_MONOTONIC) - begin) *
		(cpus < NR_WORKERS ? cpus : NR_WORKERS);
	others = there > used ? there - used : 0;
	lost = lost_ns(&accounted, -1);

	sampled = (taken(&after) - taken(&before)) * period;
	TH_LOG("%.3f s sampled, %.3f s used, %.3f s by others, machine lost %.3f s",
	       (double)sampled / NSEC, (double)used / NSEC,
	       (double)others / NSEC, (double)lost / NSEC);
	EXPECT_TRUE(identity_holds(&before));
	EXPECT_TRUE(identity_holds(&after));
	EXPECT_LE(sampled, used + others + slack_ns(used, period));
	EXPECT_GE(sampled + shortfall_ns(used, period, lost), used);
}

TEST_F(hotplug, goes_and_comes_back)
{
	struct profil_counts before, after;
	int i;

	if (self->unable)
		SKIP(return, "%s", self->unable);
	ASSERT_EQ(0, start(self->fd, self->regions, NR_WORKERS,
			   variant->period_ns));
	ASSERT_TRUE(workers_begin(self));
	for (i = 0; i < ROUNDS; i++) {
		ASSERT_TRUE(move_there(self));
		EXPECT_TRUE(counts_there(self));
		expect_samples(_metadata, self, variant->period_ns);

		ASSERT_EQ(0, read_counts(self->fd, &before));
		ASSERT_TRUE(set_online(self, false));
		ASSERT_EQ(0, read_counts(self->fd, &after));
		EXPECT_GE(after.counted, before.counted);
		expect_samples(_metadata, self, variant->period_ns);
		ASSERT_TRUE(set_online(self, true));
	}
	ASSERT_TRUE(move_there(self));
	EXPECT_TRUE(counts_there(self));
	workers_end(self);
	ASSERT_EQ(0, stop(self->fd, &after));
	expect_sum(_metadata, self, &after);
}

/*
 * Whoever waited for something of the CPU would wait for ever, since it comes
 * back only afterwards; five seconds are for a busy machine.
 */
TEST_F(hotplug, stop_while_offline)
{
	struct profil_counts counts, later;
	uint32_t there;
	uint64_t took;

	if (self->unable)
		SKIP(return, "%s", self->unable);
	ASSERT_EQ(0, start(self->fd, self->regions, NR_WORKERS,
			   variant->period_ns));
	ASSERT_TRUE(workers_begin(self));
	ASSERT_TRUE(move_there(self));
	ASSERT_TRUE(counts_there(self));
	there = counted_there(self);
	ASSERT_TRUE(set_online(self, false));
	took = clock_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, stop(self->fd, &counts));
	took = clock_ns(CLOCK_MONOTONIC) - took;
	TH_LOG("%.3f s for the stop", (double)took / NSEC);
	EXPECT_LT(took, 5 * NSEC);
	EXPECT_LE(there, counted_there(self));
	expect_sum(_metadata, self, &counts);

	/* Nothing that the CPU may have kept arrives with it. */
	ASSERT_TRUE(set_online(self, true));
	ASSERT_TRUE(move_there(self));
	burn_ns(NSEC / 10);
	workers_end(self);
	ASSERT_EQ(0, read_counts(self->fd, &later));
	EXPECT_EQ(0, memcmp(&counts, &later, sizeof(counts)));
	expect_sum(_metadata, self, &later);
}

TEST_F(hotplug, start_while_offline)
{
	struct profil_counts counts;

	if (self->unable)
		SKIP(return, "%s", self->unable);
	ASSERT_TRUE(workers_begin(self));
	ASSERT_TRUE(set_online(self, false));
	ASSERT_EQ(0, start(self->fd, self->regions, NR_WORKERS,
			   variant->period_ns));
	EXPECT_TRUE(counts_there(self));
	ASSERT_TRUE(set_online(self, true));
	ASSERT_TRUE(move_there(self));
	EXPECT_TRUE(counts_there(self));
	expect_samples(_metadata, self, variant->period_ns);
	workers_end(self);
	ASSERT_EQ(0, stop(self->fd, &counts));
	expect_sum(_metadata, self, &counts);
}

/* Short sessions, one after another, whatever the CPU does meanwhile. */

struct sessions {
	uint32_t period_ns;
	unsigned int nr, counting;
	int error;
	bool wrong;
};

static void *start_and_stop(void *arg)
{
	struct sessions *self = arg;
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	struct profil_counts counts;
	struct profil_region region;
	uint32_t counter;

	while (!__atomic_load_n(&over, __ATOMIC_RELAXED) && !self->error) {
		counter = 0;
		region = work_region(work_b, &counter, 4);
		self->error = start(fd, &region, 1, self->period_ns);
		usleep(20000);
		self->error = self->error ?: stop(fd, &counts);
		self->wrong |= !identity_holds(&counts) ||
			       counts.counted != counter;
		self->counting += counter > 0;
		self->nr++;
	}
	close(fd);
	return NULL;
}

TEST_F(hotplug, starts_and_stops_meanwhile)
{
	struct sessions sessions = { .period_ns = variant->period_ns };
	pthread_t thread;
	int i;

	if (self->unable)
		SKIP(return, "%s", self->unable);
	ASSERT_TRUE(workers_begin(self));
	ASSERT_EQ(0, pthread_create(&thread, NULL, start_and_stop, &sessions));
	for (i = 0; i < STORM_ROUNDS; i++) {
		ASSERT_TRUE(move_there(self));
		ASSERT_TRUE(set_online(self, false));
		ASSERT_TRUE(set_online(self, true));
	}
	workers_end(self);
	pthread_join(thread, NULL);
	TH_LOG("%u sessions, %u of them counted", sessions.nr,
	       sessions.counting);
	EXPECT_EQ(0, sessions.error);
	EXPECT_FALSE(sessions.wrong);
	EXPECT_LT(STORM_ROUNDS, sessions.nr);
	EXPECT_LT(0, sessions.counting);
}

TEST_HARNESS_MAIN
