// SPDX-License-Identifier: GPL-2.0
/*
 * Counters at their limits, and beside the program's own.
 *
 * The counters are three, for work functions that lie side by side. The one in
 * the middle works.
 */
#define _GNU_SOURCE
#include "work.h"

#define LEFT		7
#define RIGHT		9

/* The linker decides on the order. */
static work_fn *works[] = { work_a, work_b, work_c };

static int by_address(const void *a, const void *b)
{
	uintptr_t left = *(const uintptr_t *)a, right = *(const uintptr_t *)b;

	return left < right ? -1 : left > right;
}

FIXTURE(counters)
{
	int fd;
};

FIXTURE_SETUP(counters)
{
	self->fd = OPEN_DEVICE();
	qsort(works, 3, sizeof(works[0]), by_address);
	ASSERT_EQ(2 * WORK_BYTES, (char *)works[2] - (char *)works[0]);
}

FIXTURE_TEARDOWN(counters)
{
	close(self->fd);
}

static int start_three(int fd, void *counters, unsigned int width)
{
	struct profil_region region = work_region(works[0], counters, width);

	region.bytes = 3 * width;
	return start(fd, &region, 1, 0);
}

/* Works until so much is in the counts; gives up after 5 s of CPU time. */
static bool work_until(int fd, uint64_t counted, uint64_t saturated)
{
	struct profil_counts counts;
	int i;

	for (i = 0; i < 500; i++) {
		if (read_counts(fd, &counts))
			return false;
		if (counts.counted >= counted && counts.saturated >= saturated)
			return true;
		work_for(works[1], NSEC / 100);
	}
	return false;
}

TEST_F(counters, stop_at_65535)
{
	volatile uint16_t counter[3] = { LEFT, UINT16_MAX - 5, RIGHT };
	struct profil_counts counts;

	ASSERT_EQ(0, start_three(self->fd, (void *)counter, 2));
	ASSERT_TRUE(work_until(self->fd, 5, 20));
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_EQ(LEFT, counter[0]);
	EXPECT_EQ(UINT16_MAX, counter[1]);
	EXPECT_EQ(RIGHT, counter[2]);
	EXPECT_EQ(5, counts.counted);
	EXPECT_TRUE(identity_holds(&counts));
}

TEST_F(counters, of_32_bits_pass_65535)
{
	volatile uint32_t counter[3] = { LEFT, UINT16_MAX - 5, RIGHT };
	struct profil_counts counts;

	ASSERT_EQ(0, start_three(self->fd, (void *)counter, 4));
	ASSERT_TRUE(work_until(self->fd, 25, 0));
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_EQ(LEFT, counter[0]);
	EXPECT_EQ(UINT16_MAX - 5 + counts.counted, counter[1]);
	EXPECT_EQ(RIGHT, counter[2]);
	EXPECT_EQ(0, counts.saturated);
	EXPECT_TRUE(identity_holds(&counts));
}

TEST_F(counters, of_32_bits_stop_at_their_maximum)
{
	volatile uint32_t counter[3] = { LEFT, UINT32_MAX - 5, RIGHT };
	struct profil_counts counts;

	ASSERT_EQ(0, start_three(self->fd, (void *)counter, 4));
	ASSERT_TRUE(work_until(self->fd, 5, 20));
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_EQ(LEFT, counter[0]);
	EXPECT_EQ(UINT32_MAX, counter[1]);
	EXPECT_EQ(RIGHT, counter[2]);
	EXPECT_EQ(5, counts.counted);
	EXPECT_TRUE(identity_holds(&counts));
}

/* The maximum is a value like others to a program that sets it back. */
TEST_F(counters, go_on_once_they_are_reset)
{
	volatile uint16_t counter[3] = { LEFT, UINT16_MAX, RIGHT };
	struct profil_counts counts;

	ASSERT_EQ(0, start_three(self->fd, (void *)counter, 2));
	ASSERT_TRUE(work_until(self->fd, 0, 5));
	EXPECT_EQ(UINT16_MAX, counter[1]);
	ASSERT_EQ(0, read_counts(self->fd, &counts));
	EXPECT_EQ(0, counts.counted);
	counter[1] = 0;
	ASSERT_TRUE(work_until(self->fd, 10, 0));
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_EQ(counts.counted, counter[1]);
}

/* A sibling that writes to what is in the same word, or to the counter. */
struct writer {
	pthread_t thread;
	volatile uint16_t *left, *right;
	uint32_t *shared;
	uint32_t writes;
	bool ends;
};

static void *write_beside(void *arg)
{
	struct writer *self = arg;

	while (!__atomic_load_n(&self->ends, __ATOMIC_RELAXED)) {
		++*self->left;
		++*self->right;
		self->writes++;
	}
	return NULL;
}

static void *write_to_it(void *arg)
{
	struct writer *self = arg;

	while (!__atomic_load_n(&self->ends, __ATOMIC_RELAXED)) {
		__atomic_add_fetch(self->shared, 1, __ATOMIC_RELAXED);
		self->writes++;
	}
	return NULL;
}

static void writer_end(struct writer *writer)
{
	__atomic_store_n(&writer->ends, true, __ATOMIC_RELAXED);
	pthread_join(writer->thread, NULL);
}

TEST_F(counters, leave_the_neighbours_writes_alone)
{
	uint64_t word = 0;	/* four counters */
	volatile uint16_t *counter = (uint16_t *)&word;
	struct writer writer = {
		.left = &counter[0],
		.right = &counter[2],
	};
	struct profil_counts counts;

	ASSERT_EQ(0, start_three(self->fd, (void *)counter, 2));
	ASSERT_EQ(0, pthread_create(&writer.thread, NULL, write_beside,
				    &writer));
	work_for(works[1], 3 * NSEC);
	writer_end(&writer);
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_LT(100000, writer.writes);
	EXPECT_EQ((uint16_t)writer.writes, counter[0]);
	EXPECT_EQ((uint16_t)writer.writes, counter[2]);
	EXPECT_EQ(0, counter[3]);
	EXPECT_EQ(counts.counted, counter[1]);
	EXPECT_LT(0, counts.counted);
}

/* The program's own atomic additions to a counter and the kernel's add up. */
TEST_F(counters, add_to_what_the_program_adds)
{
	uint32_t counter[3] = { LEFT, 0, RIGHT };
	struct writer writer = { .shared = &counter[1] };
	struct profil_counts counts;

	ASSERT_EQ(0, start_three(self->fd, counter, 4));
	ASSERT_EQ(0, pthread_create(&writer.thread, NULL, write_to_it,
				    &writer));
	work_for(works[1], 3 * NSEC);
	writer_end(&writer);
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_LT(100000, writer.writes);
	EXPECT_LT(0, counts.counted);
	EXPECT_EQ((uint32_t)(writer.writes + counts.counted), counter[1]);
	EXPECT_EQ(LEFT, counter[0]);
	EXPECT_EQ(RIGHT, counter[2]);
	EXPECT_TRUE(identity_holds(&counts));
}

TEST_HARNESS_MAIN
