// SPDX-License-Identifier: GPL-2.0
/*
 * A CPU without a tick (nohz_full): what is ticked there is counted, all of it
 * and nothing else.  The kernel's own trace of its tick timer says what that is.
 * Boot with nohz_full=CPU for this.
 */
#define _GNU_SOURCE
#include "work.h"

#define TRACING		"/sys/kernel/tracing"
#define TICK_TIMER	TRACING "/events/timer/hrtimer_expire_entry/enable"
#define NAME		"profil-nohz"
#define MAX_WORKERS	2
#define WORK_NS		(3 * NSEC)

FIXTURE(nohz)
{
	const char *unable;	/* to test: why */
	int fd;
	uint32_t tick_ns;
	int cpu;		/* without a tick */
	uint32_t ready, go;
	uint32_t counter;
	pthread_t worker[MAX_WORKERS];
};

/* This thread leaves @cpu to others. */
static bool stay_away(int cpu)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return false;
	CPU_CLR(cpu, &set);
	return !sched_setaffinity(0, sizeof(set), &set);
}

FIXTURE_SETUP(nohz)
{
	self->fd = OPEN_DEVICE();
	self->tick_ns = info_of(self->fd).tick_ns;
	ASSERT_LT(0, self->tick_ns);
	self->cpu = tickless_cpu();
	if (self->cpu < 0)
		self->unable = "no nohz_full CPU";
	else if (access(TICK_TIMER, W_OK))
		self->unable = "not root, or no trace of timers";
	else
		ASSERT_TRUE(stay_away(self->cpu));
}

FIXTURE_TEARDOWN(nohz)
{
	close(self->fd);
}

static bool trace_begin(void)
{
	/* That empties it. */
	int fd = open(TRACING "/trace", O_WRONLY | O_TRUNC | O_CLOEXEC);

	return !close(fd) && !kernel_write(TICK_TIMER, "1");
}

static bool trace_end(void)
{
	return !kernel_write(TICK_TIMER, "0");
}

/* Ticks that have found a thread of NAME. */
static uint64_t traced_ticks(void)
{
	FILE *file = fopen(TRACING "/trace", "r");
	uint64_t nr = 0;
	char line[512];

	while (file && fgets(line, sizeof(line), file))
		nr += strstr(line, NAME "-") && strstr(line, "function=tick_");
	if (file)
		fclose(file);
	return nr;
}

static void *work_there(void *arg)
{
	FIXTURE_DATA(nohz) *self = arg;

	pin_to(self->cpu);
	step_add(&self->ready);
	step_wait(&self->go, 1);
	work_for(work_a, WORK_NS);
	return NULL;
}

struct outcome {
	struct profil_counts counts;
	uint64_t used;
	uint64_t traced;
	uint64_t most;	/* that may be traced and not counted */
};

/* @nr threads work on the CPU. */
static void work_with(struct __test_metadata *_metadata,
		      FIXTURE_DATA(nohz) *self, int nr, struct outcome *outcome)
{
	struct profil_region region = work_region(work_a, &self->counter, 4);
	uint64_t alone;
	int i;

	/* Threads inherit it. */
	prctl(PR_SET_NAME, NAME);
	for (i = 0; i < nr; i++)
		ASSERT_EQ(0, pthread_create(&self->worker[i], NULL, work_there,
					    self));
	step_wait(&self->ready, nr);

	/* Once before, since the first start has to wait for the hook. */
	ASSERT_EQ(0, start(self->fd, &region, 1, 0));
	ASSERT_EQ(0, stop(self->fd, &outcome->counts));
	self->counter = 0;
	ASSERT_TRUE(trace_begin());
	alone = clock_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, start(self->fd, &region, 1, 0));
	alone = clock_ns(CLOCK_MONOTONIC) - alone;
	outcome->used = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	step_to(&self->go, 1);
	for (i = 0; i < nr; i++)
		pthread_join(self->worker[i], NULL);
	outcome->used = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - outcome->used;
	alone -= clock_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, stop(self->fd, &outcome->counts));
	ASSERT_TRUE(trace_end());
	alone += clock_ns(CLOCK_MONOTONIC);

	outcome->traced = traced_ticks();
	outcome->most = alone / self->tick_ns + 2;
	TH_LOG("%llu ticks counted, %ju traced, for %.3f s",
	       outcome->counts.ticks, (uintmax_t)outcome->traced,
	       (double)outcome->used / NSEC);
}

/* Before the session and after it, the first thread alone may be ticked. */
static void expect_all_ticks(struct __test_metadata *_metadata,
			     FIXTURE_DATA(nohz) *self,
			     const struct outcome *outcome)
{
	const struct profil_counts *counts = &outcome->counts;

	EXPECT_TRUE(identity_holds(counts));
	EXPECT_EQ(counts->counted, self->counter);
	EXPECT_LE(counts->ticks, outcome->traced);
	EXPECT_GE(counts->ticks + outcome->most, outcome->traced);
	EXPECT_LE(counts->ticks * self->tick_ns,
		  outcome->used + slack_ns(outcome->used, self->tick_ns));
}

/*
 * Far below the CPU time: that is what the documentation warns of.  The tick
 * goes on where the kernel needs it, for an unstable clock say.
 */
TEST_F(nohz, one_thread)
{
	struct outcome outcome;

	if (self->unable)
		SKIP(return, "%s", self->unable);
	work_with(_metadata, self, 1, &outcome);
	expect_all_ticks(_metadata, self, &outcome);
	if (outcome.traced > outcome.used / self->tick_ns / 4)
		SKIP(return, "the tick did not stop on CPU %d", self->cpu);
}

/* Two need the tick, and get it; three of four ticks may be lost. */
TEST_F(nohz, two_threads)
{
	struct outcome outcome;

	if (self->unable)
		SKIP(return, "%s", self->unable);
	work_with(_metadata, self, 2, &outcome);
	expect_all_ticks(_metadata, self, &outcome);
	EXPECT_LT(outcome.used / self->tick_ns / 4, outcome.traced);
	EXPECT_LT(outcome.used / self->tick_ns / 5, outcome.counts.counted);
}

TEST_HARNESS_MAIN
