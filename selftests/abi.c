// SPDX-License-Identifier: GPL-2.0
/*
 * The arguments of the calls: structures, pointers, sizes, flags, regions and
 * buffers.  What a call answers is what uapi/linux/profil.h says of it.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "profil_test.h"

#define PAGE		((size_t)sysconf(_SC_PAGESIZE))
#define KERNEL_ADDRESS	(-2 * PAGE)
#define POISON		0xa5

union argument {
	__u32 size;
	struct profil_info info;
	struct profil_start start;
	struct profil_set_regions set_regions;
	struct profil_counts counts;
	char bytes[8192];
};

static uint32_t counters[1024];

static struct profil_region good_region(void)
{
	return region_of(NULL, counters, sizeof(counters), 4);
}

/* A call that must succeed, with everything that it may write poisoned. */
static void fill(union argument *arg, unsigned long request, size_t size,
		 const struct profil_region *regions)
{
	memset(arg, 0, sizeof(*arg));
	if (request == PROFIL_IOC_START) {
		arg->start = start_of(regions, 1);
		memset(&arg->start.session, POISON, sizeof(__u64));
	} else if (request == PROFIL_IOC_SET_REGIONS) {
		arg->set_regions.regions = (uintptr_t)regions;
		arg->set_regions.nr_regions = 1;
	} else {
		memset(arg, POISON, size);
		if (request != PROFIL_IOC_INFO)
			arg->counts.flags = 0;
		if (request != PROFIL_IOC_INFO)
			arg->counts.session = 0;
	}
	arg->size = size;
}

/* What a call that fails must leave as it was. */
struct state {
	struct profil_counts counts;
	long long pinned;
	long long charged;
};

static struct state state_of(int fd)
{
	struct state state;

	read_counts(fd, &state.counts);
	state.pinned = pinned_pages();
	state.charged = charged_kb();
	return state;
}

static bool ticks_pass(int fd, uint64_t ticks)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + 10 * NSEC;
	struct profil_counts counts;

	do {
		burn_ns(1000000);
		read_counts(fd, &counts);
	} while (counts.ticks <= ticks && clock_ns(CLOCK_MONOTONIC) < end);
	return counts.ticks > ticks;
}

static void expect_state(struct __test_metadata *_metadata, int fd,
			 const struct state *was)
{
	struct state is = state_of(fd);

	EXPECT_EQ(was->counts.state, is.counts.state);
	EXPECT_EQ(was->counts.pages, is.counts.pages);
	EXPECT_EQ(was->charged, is.charged);
	if (is.pinned != was->pinned)
		is.pinned = pinned_pages_settle(was->pinned);
	EXPECT_EQ(was->pinned, is.pinned);
	if (was->counts.state & PROFIL_RUNNING) {
		EXPECT_TRUE(ticks_pass(fd, was->counts.ticks));
	} else {
		EXPECT_EQ(0, memcmp(&was->counts, &is.counts,
				    sizeof(is.counts)));
	}
}

FIXTURE(request) {
	int fd;
	struct profil_region region;
	union argument *arg;
	union argument *copy;
};

FIXTURE_VARIANT(request) {
	unsigned long request;
	size_t size;
	bool runs;	/* it is about a session that runs */
	bool writes;	/* the structure */
};

FIXTURE_VARIANT_ADD(request, info) {
	PROFIL_IOC_INFO, sizeof(struct profil_info), true, true
};

FIXTURE_VARIANT_ADD(request, start) {
	PROFIL_IOC_START, sizeof(struct profil_start), false, true
};

FIXTURE_VARIANT_ADD(request, set_regions) {
	PROFIL_IOC_SET_REGIONS, sizeof(struct profil_set_regions), true, false
};

FIXTURE_VARIANT_ADD(request, read) {
	PROFIL_IOC_READ, sizeof(struct profil_counts), true, true
};

FIXTURE_VARIANT_ADD(request, stop) {
	PROFIL_IOC_STOP, sizeof(struct profil_counts), true, true
};

FIXTURE_SETUP(request)
{
	self->region = good_region();
	self->arg = guarded_pages(2, PROT_READ | PROT_WRITE);
	self->copy = guarded_pages(2, PROT_READ | PROT_WRITE);
	ASSERT_NE(NULL, self->arg);
	ASSERT_NE(NULL, self->copy);
}

FIXTURE_TEARDOWN(request)
{
	close(self->fd);
}

/* The descriptor as the request wants it, and no counts of zero. */
static void ready(struct __test_metadata *_metadata,
		  FIXTURE_DATA(request) *self,
		  const FIXTURE_VARIANT(request) *variant)
{
	struct profil_counts counts;

	ASSERT_EQ(0, read_counts(self->fd, &counts));
	if (!counts.ticks) {
		start(self->fd, &self->region, 1, 0);
		ASSERT_TRUE(ticks_pass(self->fd, 0));
	}
	ASSERT_EQ(0, read_counts(self->fd, &counts));
	if (variant->runs && !counts.state)
		ASSERT_EQ(0, start(self->fd, &self->region, 1, 0));
	if (!variant->runs && counts.state)
		ASSERT_EQ(0, stop(self->fd, &counts));
	fill(self->arg, variant->request, variant->size, &self->region);
}

static void expect_error(struct __test_metadata *_metadata,
			 FIXTURE_DATA(request) *self,
			 const FIXTURE_VARIANT(request) *variant, int error)
{
	struct state was = state_of(self->fd);

	memcpy(self->copy, self->arg, sizeof(*self->arg));
	EXPECT_EQ(-error, call(self->fd, variant->request, self->arg));
	EXPECT_EQ(0, memcmp(self->copy, self->arg, sizeof(*self->arg)));
	expect_state(_metadata, self->fd, &was);
}

TEST_F(request, size_too_small)
{
	const size_t sizes[] = { 0, 1, 4, variant->size - 1 };
	size_t i;

	self->fd = OPEN_DEVICE();
	ready(_metadata, self, variant);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		self->arg->size = sizes[i];
		expect_error(_metadata, self, variant, EINVAL);
	}
}

TEST_F(request, size_larger_with_zeros)
{
	const size_t sizes[] = { variant->size, variant->size + 1,
				 variant->size + 8, PAGE };
	size_t i;

	self->fd = OPEN_DEVICE();
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		ready(_metadata, self, variant);
		self->arg->size = sizes[i];
		EXPECT_EQ(0, call(self->fd, variant->request, self->arg));
	}
}

TEST_F(request, size_larger_with_more)
{
	const size_t sizes[] = { variant->size + 1, variant->size + 8, PAGE };
	size_t i;

	self->fd = OPEN_DEVICE();
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		ready(_metadata, self, variant);
		self->arg->size = sizes[i];
		self->arg->bytes[sizes[i] - 1] = 1;
		expect_error(_metadata, self, variant, E2BIG);
	}
}

TEST_F(request, size_larger_than_page)
{
	const size_t sizes[] = { PAGE + 1, 2 * PAGE, UINT_MAX };
	size_t i;

	self->fd = OPEN_DEVICE();
	ready(_metadata, self, variant);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		self->arg->size = sizes[i];
		expect_error(_metadata, self, variant, E2BIG);
	}
}

/* A caller that is newer than the kernel gets its own structure back. */
TEST_F(request, input_is_kept)
{
	self->fd = OPEN_DEVICE();
	ready(_metadata, self, variant);
	if (variant->request != PROFIL_IOC_START &&
	    variant->request != PROFIL_IOC_SET_REGIONS)
		return;

	self->arg->size += 8;
	memcpy(self->copy, self->arg, sizeof(*self->arg));
	ASSERT_EQ(0, call(self->fd, variant->request, self->arg));
	if (variant->request == PROFIL_IOC_START)
		self->copy->start.session = self->arg->start.session;
	EXPECT_EQ(0, memcmp(self->copy, self->arg, sizeof(*self->arg)));
}

TEST_F(request, bad_pointer)
{
	const uintptr_t pointers[] = {
		0, 8, KERNEL_ADDRESS, UINTPTR_MAX, UINTPTR_MAX - 3,
		(uintptr_t)self->arg - PAGE,
	};
	struct state was;
	size_t i;

	self->fd = OPEN_DEVICE();
	ready(_metadata, self, variant);
	was = state_of(self->fd);
	for (i = 0; i < ARRAY_SIZE(pointers); i++) {
		EXPECT_EQ(-EFAULT, call(self->fd, variant->request,
					(void *)pointers[i]))
			TH_LOG("pointer %#jx", (uintmax_t)pointers[i]);
		expect_state(_metadata, self->fd, &was);
	}
}

/* There is a part of the structure, of its size, or all but a byte. */
TEST_F(request, pointer_into_hole)
{
	const size_t rooms[] = { 2, 4, 8, variant->size - 1 };
	struct state was;
	size_t i;

	self->fd = OPEN_DEVICE();
	for (i = 0; i < ARRAY_SIZE(rooms); i++) {
		char *at = (char *)self->arg + 2 * PAGE - rooms[i];

		ready(_metadata, self, variant);
		memcpy(at, self->arg, rooms[i]);
		was = state_of(self->fd);
		EXPECT_EQ(-EFAULT, call(self->fd, variant->request, at));
		expect_state(_metadata, self->fd, &was);
	}
}

TEST_F(request, pointer_at_end_of_page)
{
	char *at = (char *)self->arg + 2 * PAGE - variant->size;

	self->fd = OPEN_DEVICE();
	ready(_metadata, self, variant);
	memmove(at, self->arg, variant->size);
	EXPECT_EQ(0, call(self->fd, variant->request, at));
}

TEST_F(request, pointer_unaligned)
{
	size_t i;

	self->fd = OPEN_DEVICE();
	for (i = 1; i < 8; i++) {
		ready(_metadata, self, variant);
		memmove(self->arg->bytes + PAGE + i, self->arg, variant->size);
		EXPECT_EQ(0, call(self->fd, variant->request,
				  self->arg->bytes + PAGE + i));
	}
}

/* Of the structure, the part from @written on is in a page of the reader's. */
static void read_only(struct __test_metadata *_metadata,
		      FIXTURE_DATA(request) *self,
		      const FIXTURE_VARIANT(request) *variant, size_t written)
{
	char *second = self->arg->bytes + PAGE;
	struct state was;

	ready(_metadata, self, variant);
	memmove(second - written, self->arg, variant->size);
	was = state_of(self->fd);
	ASSERT_EQ(0, mprotect(second, PAGE, PROT_READ));
	if (variant->writes) {
		EXPECT_EQ(-EFAULT, call(self->fd, variant->request,
					second - written));
		expect_state(_metadata, self->fd, &was);
	} else {
		EXPECT_EQ(0, call(self->fd, variant->request,
				  second - written));
	}
	ASSERT_EQ(0, mprotect(second, PAGE, PROT_READ | PROT_WRITE));
}

TEST_F(request, read_only)
{
	self->fd = OPEN_DEVICE();
	read_only(_metadata, self, variant, 0);
}

TEST_F(request, last_field_read_only)
{
	self->fd = OPEN_DEVICE();
	read_only(_metadata, self, variant, variant->size - 8);
}

/* Fields of the caller's that must be zero, or flags, bit by bit. */
static const struct {
	const char *name;
	unsigned long request;
	size_t offset;
	uint32_t valid;
} zero_fields[] = {
	{ "start.flags", PROFIL_IOC_START,
	  offsetof(struct profil_start, flags), PROFIL_USER_ONLY },
	{ "start.reserved", PROFIL_IOC_START,
	  offsetof(struct profil_start, reserved), 0 },
	{ "read.flags", PROFIL_IOC_READ,
	  offsetof(struct profil_counts, flags), 0 },
	{ "stop.flags", PROFIL_IOC_STOP,
	  offsetof(struct profil_counts, flags), 0 },
};

TEST_F(request, bits_that_must_be_zero)
{
	unsigned int bit;
	size_t i;

	self->fd = OPEN_DEVICE();
	for (i = 0; i < ARRAY_SIZE(zero_fields); i++) {
		if (zero_fields[i].request != variant->request)
			continue;
		for (bit = 0; bit < 32; bit++) {
			uint32_t *field;

			if (zero_fields[i].valid & (1U << bit))
				continue;
			ready(_metadata, self, variant);
			field = (uint32_t *)(self->arg->bytes +
					     zero_fields[i].offset);
			*field |= 1U << bit;
			expect_error(_metadata, self, variant, EINVAL);
		}
	}
}

/* One layout for all: sizes that are counted by hand, for any caller. */
TEST(sizes)
{
	EXPECT_EQ(48, sizeof(struct profil_info));
	EXPECT_EQ(32, sizeof(struct profil_region));
	EXPECT_EQ(40, sizeof(struct profil_start));
	EXPECT_EQ(24, sizeof(struct profil_set_regions));
	EXPECT_EQ(80, sizeof(struct profil_counts));
	EXPECT_EQ(32, offsetof(struct profil_start, session));
	EXPECT_EQ(24, offsetof(struct profil_counts, ticks));
}

/* Outputs, poisoned by ready(), are all written. */

TEST(info_is_written)
{
	struct profil_info info;
	int fd = OPEN_DEVICE();
	struct timespec tick;

	memset(&info, POISON, sizeof(info));
	info.size = sizeof(info);
	ASSERT_EQ(0, call(fd, PROFIL_IOC_INFO, &info));
	EXPECT_EQ(sizeof(info), info.size);
	EXPECT_EQ(PROFIL_ABI_VERSION, info.abi);
	EXPECT_EQ(PROFIL_USER_ONLY, info.start_flags);
	EXPECT_EQ(parameter("max_regions"), info.max_regions);
	EXPECT_EQ(parameter("process_sessions"), info.max_process_sessions);
	EXPECT_EQ(parameter("user_sessions"), info.max_user_sessions);
	EXPECT_EQ(parameter("user_kb") * 1024ULL, info.user_bytes);
	EXPECT_GE(info.region_bytes, 1 << 20);
	EXPECT_LE(info.region_bytes, 1ULL << 46);
	/* The coarse clocks advance once per tick. */
	ASSERT_EQ(0, clock_getres(CLOCK_MONOTONIC_COARSE, &tick));
	EXPECT_EQ(tick.tv_nsec, info.tick_ns);
	close(fd);
}

static void expect_identity(struct __test_metadata *_metadata,
			    const struct profil_counts *counts)
{
	EXPECT_TRUE(identity_holds(counts));
	EXPECT_LE(counts->kernel, counts->ticks);
}

TEST(counts_are_written)
{
	struct profil_region region = good_region();
	union argument arg;
	int fd = OPEN_DEVICE();

	ASSERT_EQ(0, start(fd, &region, 1, 0));
	ASSERT_TRUE(ticks_pass(fd, 1));
	fill(&arg, PROFIL_IOC_READ, sizeof(arg.counts), NULL);
	ASSERT_EQ(0, call(fd, PROFIL_IOC_READ, &arg));
	EXPECT_EQ(sizeof(arg.counts), arg.size);
	EXPECT_EQ(0, arg.counts.flags);
	EXPECT_EQ(0, arg.counts.session);
	EXPECT_EQ(PROFIL_RUNNING, arg.counts.state);
	EXPECT_EQ(0, arg.counts.reserved);
	expect_identity(_metadata, &arg.counts);
	EXPECT_GE(arg.counts.pages, sizeof(counters) / PAGE);
	EXPECT_LE(arg.counts.pages, sizeof(counters) / PAGE + 1);

	fill(&arg, PROFIL_IOC_STOP, sizeof(arg.counts), NULL);
	ASSERT_EQ(0, call(fd, PROFIL_IOC_STOP, &arg));
	EXPECT_EQ(sizeof(arg.counts), arg.size);
	EXPECT_EQ(0, arg.counts.flags);
	EXPECT_EQ(0, arg.counts.session);
	EXPECT_EQ(0, arg.counts.state);
	EXPECT_EQ(0, arg.counts.reserved);
	expect_identity(_metadata, &arg.counts);
	EXPECT_EQ(0, arg.counts.pages);
	close(fd);
}

/* Neither is an error, and all counts are zero. */
TEST(read_and_stop_before_start)
{
	const unsigned long requests[] = { PROFIL_IOC_READ, PROFIL_IOC_STOP };
	struct profil_counts zero = { .size = sizeof(zero) };
	union argument arg;
	int fd = OPEN_DEVICE();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		fill(&arg, requests[i], sizeof(arg.counts), NULL);
		EXPECT_EQ(0, call(fd, requests[i], &arg));
		EXPECT_EQ(0, memcmp(&zero, &arg, sizeof(zero)));
	}
	close(fd);
}

TEST(stop_and_read_after_stop)
{
	struct profil_region region = good_region();
	struct profil_counts first, again, read;
	int fd = OPEN_DEVICE();

	ASSERT_EQ(0, start(fd, &region, 1, 0));
	ASSERT_TRUE(ticks_pass(fd, 1));
	ASSERT_EQ(0, stop(fd, &first));
	EXPECT_GT(first.ticks, 1);
	ASSERT_EQ(0, stop(fd, &again));
	ASSERT_EQ(0, read_counts(fd, &read));
	EXPECT_EQ(0, memcmp(&first, &again, sizeof(first)));
	EXPECT_EQ(0, memcmp(&first, &read, sizeof(first)));
	close(fd);
}

TEST(start_while_one_runs)
{
	struct profil_region region = good_region();
	int fd = OPEN_DEVICE();
	struct state was;

	ASSERT_EQ(0, start(fd, &region, 1, 0));
	was = state_of(fd);
	EXPECT_EQ(-EBUSY, start(fd, &region, 1, 0));
	expect_state(_metadata, fd, &was);
	close(fd);
}

TEST(period)
{
	struct profil_region region = good_region();
	int fd = OPEN_DEVICE();
	uint32_t tick = info_of(fd).tick_ns;
	const uint32_t good[] = { 0, tick, tick + 1, 2 * tick, UINT_MAX };
	const uint32_t bad[] = { 1, 1000, tick - 1 };
	struct state was = state_of(fd);
	struct profil_counts counts;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-ERANGE, start(fd, &region, 1, bad[i]));
		expect_state(_metadata, fd, &was);
	}
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		EXPECT_EQ(0, start(fd, &region, 1, good[i]));
		EXPECT_EQ(0, stop(fd, &counts));
	}
	close(fd);
}

TEST(user_only_flag)
{
	struct profil_region region = good_region();
	struct profil_start arg = start_of(&region, 1);
	int fd = OPEN_DEVICE();

	arg.flags = PROFIL_USER_ONLY;
	EXPECT_EQ(0, call(fd, PROFIL_IOC_START, &arg));
	EXPECT_NE(0, arg.session);
	close(fd);
}

/* The array and its regions, for both calls that take one */

FIXTURE(array) {
	int fd;
	char *buf;
	struct state was;
};

FIXTURE_VARIANT(array) {
	bool replace;	/* by SET_REGIONS, of a session that runs */
};

FIXTURE_VARIANT_ADD(array, start) {
	.replace = false
};

FIXTURE_VARIANT_ADD(array, set_regions) {
	.replace = true
};

/* Two pages for buffers, between two that are none. */
FIXTURE_SETUP(array)
{
	self->buf = guarded_pages(2, PROT_READ | PROT_WRITE);
	ASSERT_NE(NULL, self->buf);
}

FIXTURE_TEARDOWN(array)
{
	close(self->fd);
}

#define ARRAY_BEGIN()							\
do {									\
	struct profil_region _good = good_region();			\
									\
	self->fd = OPEN_DEVICE();					\
	if (variant->replace)						\
		ASSERT_EQ(0, start(self->fd, &_good, 1, 0));		\
	self->was = state_of(self->fd);					\
} while (0)

static int submit(FIXTURE_DATA(array) *self,
		  const FIXTURE_VARIANT(array) *variant,
		  const struct profil_region *regions, unsigned int nr)
{
	if (variant->replace)
		return set_regions(self->fd, regions, nr);
	return start(self->fd, regions, nr, 0);
}

/* For a call that is right, @error is 0. */
static void expect_array(struct __test_metadata *_metadata,
			 FIXTURE_DATA(array) *self,
			 const FIXTURE_VARIANT(array) *variant,
			 const struct profil_region *regions, unsigned int nr,
			 int error)
{
	struct profil_counts counts;

	EXPECT_EQ(-error, submit(self, variant, regions, nr))
		TH_LOG("%u regions at %p", nr, regions);
	if (error) {
		expect_state(_metadata, self->fd, &self->was);
	} else {
		EXPECT_EQ(0, read_counts(self->fd, &counts));
		EXPECT_EQ(PROFIL_RUNNING, counts.state);
		if (!variant->replace)
			EXPECT_EQ(0, stop(self->fd, &counts));
		self->was = state_of(self->fd);
	}
}

static void expect_region(struct __test_metadata *_metadata,
			  FIXTURE_DATA(array) *self,
			  const FIXTURE_VARIANT(array) *variant,
			  const struct profil_region *region, int error)
{
	expect_array(_metadata, self, variant, region, 1, error);
}

TEST_F(array, width)
{
	const uint32_t good[] = { 2, 4 };
	const uint32_t bad[] = { 0, 1, 3, 5, 6, 8, 16, 0x10002, 0x80000004 };
	struct profil_region region = good_region();
	size_t i;

	ARRAY_BEGIN();
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		region.width = bad[i];
		expect_region(_metadata, self, variant, &region, EINVAL);
	}
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		region.width = good[i];
		expect_region(_metadata, self, variant, &region, 0);
	}
}

TEST_F(array, scale)
{
	const uint32_t good[] = { 0, 1, 2, 65535, 65536, 65537, UINT_MAX };
	struct profil_region region = good_region();
	size_t i;

	ARRAY_BEGIN();
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		region.scale = good[i];
		expect_region(_metadata, self, variant, &region, 0);
	}
}

TEST_F(array, alignment_of_buffer)
{
	uint32_t width, off;

	ARRAY_BEGIN();
	for (width = 2; width <= 4; width += 2)
		for (off = 1; off < 8; off++) {
			struct profil_region region =
				region_of(NULL, self->buf + off, 64, width);

			expect_region(_metadata, self, variant, &region,
				      off % width ? EINVAL : 0);
		}
}

TEST_F(array, size_of_buffer)
{
	struct profil_region region = good_region();
	uint64_t most;

	ARRAY_BEGIN();
	most = info_of(self->fd).region_bytes;
	region.bytes = most + 1;
	expect_region(_metadata, self, variant, &region, ENOMEM);
	region.bytes = UINT64_MAX;
	expect_region(_metadata, self, variant, &region, ENOMEM);
}

/* There is nothing that would have to be writable. */
TEST_F(array, no_counter)
{
	char *hole = self->buf - PAGE;
	struct profil_region regions[] = {
		region_of(NULL, self->buf, 0, 4),
		region_of(NULL, self->buf + 4, 0, 4),
		region_of(NULL, self->buf + 4, 1, 2),
		region_of(NULL, NULL, 0, 2),
		region_of(NULL, hole, 0, 2),
		region_of(NULL, hole + 2, 0, 2),
		region_of(NULL, hole + 8, 0, 4),
	};
	struct profil_counts counts;
	size_t i;

	ARRAY_BEGIN();
	for (i = 0; i < ARRAY_SIZE(regions); i++) {
		EXPECT_EQ(0, submit(self, variant, &regions[i], 1))
			TH_LOG("region %zu", i);
		EXPECT_EQ(0, read_counts(self->fd, &counts));
		if (!regions[i].bytes)
			EXPECT_EQ(0, counts.pages);
		if (!variant->replace)
			EXPECT_EQ(0, stop(self->fd, &counts));
	}
}

TEST_F(array, buffer_is_no_memory)
{
	const struct {
		uintptr_t buf;
		uint64_t bytes;
	} bad[] = {
		{ 0, 64 },
		{ 0, 1 << 20 },
		{ KERNEL_ADDRESS, 64 },
		{ KERNEL_ADDRESS, 4 * PAGE },	/* wraps to this half */
		{ (uintptr_t)INTPTR_MAX + 1, 64 },
		{ (uintptr_t)self->buf - PAGE, 64 },
		{ (uintptr_t)self->buf - 4, 64 },
		{ (uintptr_t)self->buf + 2 * PAGE - 60, 64 },
		{ (uintptr_t)self->buf, 2 * PAGE + 4 },
		{ (uintptr_t)self->buf, 1 << 20 },
	};
	size_t i;

	ARRAY_BEGIN();
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct profil_region region =
			region_of(NULL, (void *)bad[i].buf, bad[i].bytes, 4);

		expect_region(_metadata, self, variant, &region, EFAULT);
	}
}

/*
 * The 64 bits of an address are all looked at: with one more set, that no
 * address of the caller's has, it is another one.
 */
#define FIRST_HIGH_BIT	(sizeof(void *) == 4 ? 32 : 60)

TEST_F(array, high_bits_of_buffer)
{
	struct profil_region region = good_region();
	unsigned int bit;

	ARRAY_BEGIN();
	for (bit = FIRST_HIGH_BIT; bit < 64; bit++) {
		region.buf = (uintptr_t)counters | 1ULL << bit;
		expect_region(_metadata, self, variant, &region, EFAULT);
	}
}

TEST_F(array, high_bits_of_array)
{
	struct profil_region region = good_region();
	struct profil_start start_arg = start_of(&region, 1);
	struct profil_set_regions set_arg = {
		.size = sizeof(set_arg), .nr_regions = 1,
	};
	unsigned int bit;

	ARRAY_BEGIN();
	for (bit = FIRST_HIGH_BIT; bit < 64; bit++) {
		start_arg.regions = (uintptr_t)&region | 1ULL << bit;
		set_arg.regions = start_arg.regions;
		EXPECT_EQ(-EFAULT, variant->replace ?
			  call(self->fd, PROFIL_IOC_SET_REGIONS, &set_arg) :
			  call(self->fd, PROFIL_IOC_START, &start_arg));
		expect_state(_metadata, self->fd, &self->was);
	}
}

/* A page that was there and is no more, not one that was never to be used. */
TEST_F(array, buffer_is_unmapped)
{
	struct profil_region region = region_of(NULL, self->buf, 2 * PAGE, 4);

	ARRAY_BEGIN();
	memset(self->buf, 0, 2 * PAGE);
	ASSERT_EQ(0, munmap(self->buf + PAGE, PAGE));
	expect_region(_metadata, self, variant, &region, EFAULT);
	region.bytes = PAGE;
	expect_region(_metadata, self, variant, &region, 0);
}

TEST_F(array, buffer_is_protected)
{
	const int bad[] = { PROT_NONE, PROT_READ, PROT_READ | PROT_EXEC };
	struct profil_region region = region_of(NULL, self->buf, 2 * PAGE, 4);
	size_t i;

	ARRAY_BEGIN();
	memset(self->buf, 0, 2 * PAGE);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		ASSERT_EQ(0, mprotect(self->buf + PAGE, PAGE, bad[i]));
		expect_region(_metadata, self, variant, &region, EFAULT);
	}
}

TEST_F(array, buffer_at_end_of_page)
{
	struct profil_region region;
	uint32_t width;

	ARRAY_BEGIN();
	for (width = 2; width <= 4; width += 2) {
		region = region_of(NULL, self->buf + 2 * PAGE - width, width,
				   width);
		expect_region(_metadata, self, variant, &region, 0);
		region.bytes += width;
		expect_region(_metadata, self, variant, &region, EFAULT);
	}
}

/* What was pinned for the good ones is let go. */
TEST_F(array, last_region_is_bad)
{
	struct profil_region regions[] = {
		region_of(NULL, self->buf, PAGE, 4),
		region_of((void *)16, self->buf + PAGE, PAGE, 4),
		region_of((void *)32, self->buf - PAGE, PAGE, 4),
	};

	ARRAY_BEGIN();
	expect_array(_metadata, self, variant, regions, 3, EFAULT);
	regions[2].width = 1;
	expect_array(_metadata, self, variant, regions, 3, EINVAL);
	regions[2] = region_of((void *)32, self->buf, PAGE, 4);
	regions[2].bytes = UINT64_MAX;
	expect_array(_metadata, self, variant, regions, 3, ENOMEM);
	expect_array(_metadata, self, variant, regions, 2, 0);
}

TEST_F(array, order_of_regions)
{
	const struct {
		uint64_t offset[3];
		int error;
	} orders[] = {
		{ { 0, 1, 2 }, 0 },
		{ { 0, 1ULL << 63, UINT64_MAX }, 0 },
		{ { 0, 0, 1 }, EINVAL },
		{ { 5, 4, 6 }, EINVAL },
		{ { 4, 5, 5 }, EINVAL },
		{ { 4, 6, 5 }, EINVAL },
		{ { 0, UINT64_MAX, 1 }, EINVAL },
		{ { UINT64_MAX, UINT64_MAX, UINT64_MAX }, EINVAL },
	};
	size_t i, j;

	ARRAY_BEGIN();
	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		struct profil_region regions[3];

		for (j = 0; j < 3; j++) {
			regions[j] = good_region();
			regions[j].offset = orders[i].offset[j];
		}
		expect_array(_metadata, self, variant, regions, 3,
			     orders[i].error);
	}
}

/* In memory of its own, as much as the array needs and no more. */
static struct profil_region *new_regions(unsigned int nr)
{
	size_t bytes = nr * sizeof(struct profil_region);
	size_t pages = (bytes + PAGE - 1) / PAGE;
	char *memory = guarded_pages(pages, PROT_READ | PROT_WRITE);
	struct profil_region *regions;
	unsigned int i;

	if (!memory)
		return NULL;
	regions = (void *)(memory + pages * PAGE - bytes);
	for (i = 0; i < nr; i++)
		regions[i] = region_of((void *)(uintptr_t)(i * 16),
				       counters + i % 8, 4, 4);
	return regions;
}

TEST_F(array, number_of_regions)
{
	struct profil_region *regions;
	unsigned int most;

	ARRAY_BEGIN();
	most = info_of(self->fd).max_regions;
	regions = new_regions(most + 1);
	ASSERT_NE(NULL, regions);
	expect_array(_metadata, self, variant, regions, 0, EINVAL);
	expect_array(_metadata, self, variant, regions, most + 1, E2BIG);
	expect_array(_metadata, self, variant, regions, UINT_MAX, E2BIG);
	expect_array(_metadata, self, variant, regions + 1, most, 0);
}

TEST_F(array, pointer_to_array)
{
	struct profil_region *regions = new_regions(3);
	const uintptr_t bad[] = {
		0, KERNEL_ADDRESS, UINTPTR_MAX, UINTPTR_MAX - 31,
		(uintptr_t)INTPTR_MAX + 1,
		(uintptr_t)regions + 1, (uintptr_t)(regions + 1),
		(uintptr_t)(regions + 3),
	};
	size_t i;

	ARRAY_BEGIN();
	ASSERT_NE(NULL, regions);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		expect_array(_metadata, self, variant, (void *)bad[i], 3,
			     EFAULT);
	expect_array(_metadata, self, variant, regions, 3, 0);

	memmove((char *)regions - 1, regions, 3 * sizeof(*regions));
	expect_array(_metadata, self, variant, (void *)((char *)regions - 1),
		     3, 0);
}

TEST_F(array, array_is_read_only)
{
	struct profil_region *regions = new_regions(1);

	ARRAY_BEGIN();
	ASSERT_NE(NULL, regions);
	ASSERT_EQ(0, mprotect((char *)(regions + 1) - PAGE, PAGE, PROT_READ));
	expect_array(_metadata, self, variant, regions, 1, 0);
}

/* The file */

TEST(unknown_requests)
{
	struct profil_region region = good_region();
	static char arg[1 << 14];
	int fd = OPEN_DEVICE();
	struct state was;
	unsigned int nr;

	ASSERT_EQ(0, start(fd, &region, 1, 0));
	was = state_of(fd);
	for (nr = 5; nr < 256; nr++)
		EXPECT_EQ(-ENOTTY, call(fd, _IO(PROFIL_IOC_MAGIC, nr), arg));
	for (nr = 0; nr < 8; nr++) {
		EXPECT_EQ(-ENOTTY, call(fd, _IO(PROFIL_IOC_MAGIC - 1, nr),
					arg));
		EXPECT_EQ(-ENOTTY, call(fd, _IO(PROFIL_IOC_MAGIC + 1, nr),
					arg));
		EXPECT_EQ(-ENOTTY, call(fd, _IOC(_IOC_READ | _IOC_WRITE,
						 PROFIL_IOC_MAGIC, nr, 40),
					arg));
	}
	EXPECT_EQ(-ENOTTY, call(fd, 0, arg));
	EXPECT_EQ(-ENOTTY, call(fd, UINT_MAX, arg));
	expect_state(_metadata, fd, &was);
	close(fd);
}

/* Whatever mode the device was opened in: the calls are not about data. */
TEST(open_modes)
{
	const int modes[] = { O_RDONLY, O_WRONLY, O_RDWR };
	struct profil_region region = good_region();
	struct profil_counts counts;
	char byte = 0;
	size_t i;

	close(OPEN_DEVICE());
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		int fd = open(DEVICE, modes[i] | O_CLOEXEC);

		ASSERT_GE(fd, 0);
		EXPECT_EQ(PROFIL_ABI_VERSION, info_of(fd).abi);
		EXPECT_EQ(0, start(fd, &region, 1, 0));
		EXPECT_EQ(0, set_regions(fd, &region, 1));
		EXPECT_EQ(0, read_counts(fd, &counts));
		EXPECT_EQ(PROFIL_RUNNING, counts.state);
		EXPECT_EQ(-1, read(fd, &byte, 1));
		EXPECT_EQ(-1, write(fd, &byte, 1));
		EXPECT_EQ(0, stop(fd, &counts));
		EXPECT_EQ(0, counts.state);
		close(fd);
	}
}

TEST(mmap_of_anything_else)
{
	const struct {
		size_t bytes;
		off_t offset;
	} bad[] = {
		{ 0, 0 }, { 2 * PAGE, 0 }, { PAGE + 1, 0 }, { PAGE, PAGE },
		{ PAGE, 16 * PAGE }, { 1 << 20, 0 },
	};
	int fd = OPEN_DEVICE();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(MAP_FAILED, mmap(NULL, bad[i].bytes, PROT_NONE,
					   MAP_SHARED, fd, bad[i].offset));
		EXPECT_EQ(EINVAL, errno);
		errno = 0;
	}
	close(fd);
}

enum touch { TOUCH_READ, TOUCH_WRITE, TOUCH_EXEC };

static int signal_of_touch(void *page, enum touch touch)
{
	pid_t child = fork();
	int status;

	if (!child) {
		if (touch == TOUCH_READ)
			(void)*(volatile char *)page;
		else if (touch == TOUCH_WRITE)
			*(volatile char *)page = 1;
		else
			((void (*)(void))page)();
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return -1;
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(mmap_cannot_be_touched)
{
	const int flags[] = { MAP_SHARED, MAP_PRIVATE };
	enum touch touch;
	int fd = OPEN_DEVICE();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE |
				  PROT_EXEC, flags[i], fd, 0);

		ASSERT_NE(MAP_FAILED, page);
		for (touch = TOUCH_READ; touch <= TOUCH_EXEC; touch++)
			EXPECT_EQ(SIGBUS, signal_of_touch(page, touch));
		EXPECT_EQ(0, munmap(page, PAGE));
	}
	close(fd);
}

TEST_HARNESS_MAIN
