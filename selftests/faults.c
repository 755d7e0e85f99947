// SPDX-License-Identifier: GPL-2.0
/*
 * Each call of /dev/profil, again and again, with its first allocation
 * failing, its second, and so on, until it needs no more.  (Copies from and to
 * the caller fail likewise, where the kernel can do that.)  Each failure must
 * say so, leave nothing pinned, charged or listed, and the next call must work.
 * The kernel's leak detector, if it has one, looks for the rest.
 *
 * Needs a kernel with CONFIG_FAULT_INJECTION, CONFIG_FAILSLAB and
 * CONFIG_FAIL_PAGE_ALLOC, as is the lab's "debug".
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include "profil_test.h"

#define PAGE		((size_t)sysconf(_SC_PAGESIZE))
#define HOOKS		"/sys/kernel/tracing/enabled_functions"
#define FTRACE_ENABLED	"/proc/sys/kernel/ftrace_enabled"
#define FAULTS		"/sys/kernel/debug/"
#define FAIL_NTH	"/proc/thread-self/fail-nth"
#define ORDINARY_USER	61239
#define PAGES		12
#define REGIONS		300
/* More allocations than any call makes. */
#define MOST		5000
#define NO_FAULTS	"no faults to be had: CONFIG_FAULT_INJECTION, root and debugfs are needed"

static int fail_nth = -1;
static pid_t target;

/* By default only those allocations fail that may not sleep. */
static bool faults_can_be_had(void)
{
	int fd = open(FAIL_NTH, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return false;
	close(fd);
	kernel_write(FAULTS "failslab/verbose", "0");
	kernel_write(FAULTS "fail_page_alloc/verbose", "0");
	kernel_write(FAULTS "fail_usercopy/verbose", "0");
	return !kernel_write(FAULTS "failslab/ignore-gfp-wait", "N") &&
	       !kernel_write(FAULTS "fail_page_alloc/ignore-gfp-wait", "N") &&
	       !kernel_write(FAULTS "fail_page_alloc/ignore-gfp-highmem", "N") &&
	       !kernel_write(FAULTS "fail_page_alloc/min-order", "0");
}

/* The file is of the thread that has opened it. */
static bool fail_nth_open(void)
{
	if (fail_nth >= 0)
		close(fail_nth);
	fail_nth = open(FAIL_NTH, O_RDWR | O_CLOEXEC);
	return fail_nth >= 0;
}

static bool arm(unsigned int nth)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%u", nth);

	return pwrite(fail_nth, text, length, 0) == length;
}

/*
 * Whether it has happened.  If reading fails, reading was the nth.  What is not
 * used up would hit somebody else.
 */
static bool disarm(void)
{
	char text[16] = "";
	bool hit = pread(fail_nth, text, sizeof(text) - 1, 0) > 0 &&
		   atoi(text) == 0;

	while (!arm(0))
		;
	return hit;
}

/* What may be left behind */

struct traces {
	long long pinned;
	long long charged;
	int listed;
	struct profil_counts counts;
};

/* Ticks go on: of the counts, those that do not change by themselves. */
static struct traces look(int fd)
{
	struct traces traces = {
		.pinned = pinned_pages(),
		.charged = charged_kb(),
		.listed = listed(getpid()) + listed(target),
	};
	struct profil_counts counts;

	if (!read_counts(fd, &counts)) {
		traces.counts.state = counts.state;
		traces.counts.pages = counts.pages;
	}
	return traces;
}

/* The calls under test */

struct setting {
	int fd;
	char *buf;
	struct profil_region *regions;
	unsigned int nr;
	struct profil_info info;
	struct profil_counts counts;
};

static int call_open(struct setting *s)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	(void)s;
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

static int call_info(struct setting *s)
{
	s->info = (struct profil_info){ .size = sizeof(s->info) };
	return call(s->fd, PROFIL_IOC_INFO, &s->info);
}

static int call_start(struct setting *s)
{
	return start(s->fd, s->regions, s->nr, 20000000);
}

static int call_start_other(struct setting *s)
{
	struct profil_start arg = start_of(s->regions, s->nr);

	arg.pid = target;
	return call(s->fd, PROFIL_IOC_START, &arg);
}

static int call_set_regions(struct setting *s)
{
	return set_regions(s->fd, s->regions, s->nr);
}

static int call_read(struct setting *s)
{
	return read_counts(s->fd, &s->counts);
}

static int call_stop(struct setting *s)
{
	return stop(s->fd, &s->counts);
}

static int stop_session(struct setting *s)
{
	struct profil_counts counts;

	return stop(s->fd, &counts);
}

FIXTURE(faults) {
	struct setting s;
	bool able;
	long long user_kb;
};

FIXTURE_VARIANT(faults) {
	int (*call)(struct setting *s);
	unsigned int regions;
	bool runs;	/* a session, before the call */
	bool fresh;	/* each time in a process that never had a session */
	bool ends;	/* the session, even if the result cannot be written */
};

FIXTURE_VARIANT_ADD(faults, open) {
	.call = call_open
};

FIXTURE_VARIANT_ADD(faults, info) {
	.call = call_info
};

FIXTURE_VARIANT_ADD(faults, start) {
	.call = call_start, .regions = 1
};

FIXTURE_VARIANT_ADD(faults, start_in_new_process) {
	.call = call_start, .regions = 1, .fresh = true
};

FIXTURE_VARIANT_ADD(faults, start_with_many_regions) {
	.call = call_start, .regions = REGIONS
};

FIXTURE_VARIANT_ADD(faults, start_on_another_process) {
	.call = call_start_other, .regions = 1, .fresh = true
};

FIXTURE_VARIANT_ADD(faults, set_regions) {
	.call = call_set_regions, .regions = 3, .runs = true
};

FIXTURE_VARIANT_ADD(faults, read) {
	.call = call_read, .regions = 1, .runs = true
};

/* The result is known to be writable, unless that changes meanwhile. */
FIXTURE_VARIANT_ADD(faults, stop) {
	.call = call_stop, .regions = 1, .runs = true, .ends = true
};

/* Counters of all regions share PAGES pages. */
static bool make_setting(struct setting *s, unsigned int regions)
{
	size_t each = regions ? PAGES * PAGE / regions & -8UL : 0;
	unsigned int i;

	s->fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	s->buf = guarded_pages(PAGES, PROT_READ | PROT_WRITE);
	s->regions = calloc(regions + 1, sizeof(*s->regions));
	s->nr = regions;
	if (s->fd < 0 || !s->buf || !s->regions)
		return false;
	for (i = 0; i < regions; i++)
		s->regions[i] = region_of((void *)(16UL * i),
					  s->buf + i * each, each, 4);
	return true;
}

FIXTURE_SETUP(faults)
{
	close(OPEN_DEVICE());
	self->able = faults_can_be_had();
	if (!self->able)
		return;
	ASSERT_TRUE(make_setting(&self->s, variant->regions));
	/* Both kinds of charge, so that what one keeps the other shows. */
	self->user_kb = parameter("user_kb");
	ASSERT_EQ(0, set_parameter("user_kb", PAGES / 2 * PAGE / 1024));
	target = fork_child();
	while (!target)
		pause();
	ASSERT_GT(target, 0);
}

FIXTURE_TEARDOWN(faults)
{
	if (target <= 0)
		return;
	end_child(target);
	set_parameter("user_kb", self->user_kb);
	close(self->s.fd);
}

/* What one try has shown.  Shared with a child that makes it. */
struct result {
	bool armed;
	bool hit;
	int ret;
	int next;	/* what the same call says without a fault */
	long long charged;	/* to RLIMIT_MEMLOCK after that */
	struct traces before, after, end;
};

/* The counters' pages are given back so that pinning has to allocate them. */
static bool prepare(struct setting *s, bool runs)
{
	madvise(s->buf, PAGES * PAGE, MADV_DONTNEED);
	return !runs || !start(s->fd, s->regions, 1, 0);
}

static void try_nth(struct setting *s, const FIXTURE_VARIANT(faults) *variant,
		    unsigned int nth, struct result *result)
{
	struct traces begin = look(s->fd);

	if (!fail_nth_open() || !prepare(s, variant->runs))
		return;
	result->before = look(s->fd);
	result->armed = arm(nth);
	result->ret = variant->call(s);
	result->hit = disarm();
	result->after = look(s->fd);
	/* What has succeeded is undone before it is tried again. */
	if (!result->ret || !variant->runs)
		stop_session(s);
	if (!result->ret && variant->runs)
		prepare(s, true);
	result->next = variant->call(s);
	result->charged = charged_kb() - begin.charged;
	stop_session(s);
	result->end = look(s->fd);
	if (begin.pinned != result->end.pinned)
		result->end.pinned = pinned_pages_settle(begin.pinned);
	result->end.pinned -= begin.pinned;
	result->end.charged -= begin.charged;
	result->end.listed -= begin.listed;
}

/* Memory that children share, for all tries. */
static struct result *new_result(void)
{
	static struct result *result;

	if (!result)
		result = mmap(NULL, sizeof(*result), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	memset(result, 0, sizeof(*result));
	return result;
}

/*
 * As a user of whom nothing is known yet.  Effectively it is root still, who
 * may inject faults.
 */
static int try_in_child(struct setting *s,
			const FIXTURE_VARIANT(faults) *variant,
			unsigned int nth, struct result *result)
{
	pid_t child = fork_child();
	int status;

	if (!child) {
		close(s->fd);
		s->fd = open(DEVICE, O_RDWR | O_CLOEXEC);
		if (s->fd < 0 || setresuid(ORDINARY_USER, -1, -1))
			_exit(1);
		try_nth(s, variant, nth, result);
		_exit(0);
	}
	return waitpid(child, &status, 0) == child ? status : -1;
}

/* By a session's call a second one may not have begun, nor the first ended. */
static void expect_unchanged(struct __test_metadata *_metadata,
			     const struct traces *before,
			     const struct traces *after)
{
	EXPECT_EQ(before->pinned, after->pinned);
	EXPECT_EQ(before->charged, after->charged);
	EXPECT_EQ(before->listed, after->listed);
	EXPECT_EQ(before->counts.state, after->counts.state);
	EXPECT_EQ(before->counts.pages, after->counts.pages);
}

static void expect_result(struct __test_metadata *_metadata,
			  const FIXTURE_VARIANT(faults) *variant,
			  const struct result *result)
{
	EXPECT_TRUE(result->armed);
	if (result->ret) {
		EXPECT_TRUE(result->hit);
		EXPECT_TRUE(result->ret == -ENOMEM || result->ret == -EFAULT)
			TH_LOG("the call said %s", strerror(-result->ret));
		if (!variant->ends || result->after.counts.state)
			expect_unchanged(_metadata, &result->before,
					 &result->after);
	}
	EXPECT_EQ(0, result->next);
	EXPECT_EQ(0, result->end.pinned);
	EXPECT_EQ(0, result->end.charged);
	EXPECT_EQ(0, result->end.listed);
}

TEST_F_TIMEOUT(faults, each_in_turn, 600)
{
	unsigned int nth, failed = 0, faults = 0;
	struct result *result;
	long long charged = 0;

	if (!self->able)
		SKIP(return, NO_FAULTS);
	for (nth = 1; nth < MOST && _metadata->passed; nth++) {
		result = new_result();
		if (variant->fresh) {
			EXPECT_EQ(0, try_in_child(&self->s, variant, nth,
						  result));
		} else {
			try_nth(&self->s, variant, nth, result);
		}
		expect_result(_metadata, variant, result);
		/* The allowance covers as much as it did the first time. */
		if (nth == 1)
			charged = result->charged;
		EXPECT_EQ(charged, result->charged);
		faults += result->hit;
		failed += !!result->ret;
		if (!result->hit)
			break;
	}
	if (!_metadata->passed)
		TH_LOG("fault %u", nth);
	EXPECT_LT(nth, MOST);
	EXPECT_LT(0, failed);
	TH_LOG("%u faults, %u of which made the call fail", faults, failed);
}

/* The hook on the tick: it is on for some seconds after the last session. */

static bool hook_is_on(void)
{
	FILE *file = fopen(HOOKS, "r");
	char line[512];
	bool on = false;

	while (file && fgets(line, sizeof(line), file))
		on |= !strncmp(line, "update_process_times ", 21);
	if (file)
		fclose(file);
	return on;
}

static bool hook_goes_off(void)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + 20 * NSEC;

	while (hook_is_on() && clock_ns(CLOCK_MONOTONIC) < end)
		usleep(100000);
	return !hook_is_on();
}

/* How many allocations a start needs that succeeds. */
static unsigned int count_allocations(struct setting *s)
{
	unsigned int left;
	char text[16] = "";

	prepare(s, false);
	if (!arm(MOST) || call_start(s))
		return 0;
	left = pread(fail_nth, text, sizeof(text) - 1, 0) > 0 ? atoi(text) : 0;
	disarm();
	stop_session(s);
	return left ? MOST - left : 0;
}

FIXTURE(hook) {
	struct setting s;
	bool able;
};

FIXTURE_SETUP(hook)
{
	close(OPEN_DEVICE());
	self->able = faults_can_be_had() && !access(HOOKS, R_OK);
	if (!self->able)
		return;
	ASSERT_TRUE(make_setting(&self->s, 1));
	ASSERT_TRUE(fail_nth_open());
}

FIXTURE_TEARDOWN(hook)
{
	close(self->s.fd);
}

/*
 * Switching the hook on comes last, so its allocations are those beyond what a
 * start needs that finds it on.
 */
TEST_F_TIMEOUT(hook, each_in_turn, 900)
{
	struct profil_counts counts;
	unsigned int nth, with, without;
	struct traces before, after;
	int ret, refused = 0;
	bool hit;

	if (!self->able)
		SKIP(return, NO_FAULTS " and tracefs");
	ASSERT_EQ(0, call_start(&self->s));
	ASSERT_EQ(0, stop_session(&self->s));
	with = count_allocations(&self->s);
	ASSERT_TRUE(hook_goes_off());
	without = count_allocations(&self->s);
	ASSERT_LT(0, with);
	TH_LOG("%u allocations, %u where the hook is off", with, without);

	for (nth = with > 2 ? with - 2 : 1; nth <= without + 1; nth++) {
		ASSERT_TRUE(hook_goes_off());
		prepare(&self->s, false);
		before = look(self->s.fd);
		ASSERT_TRUE(arm(nth));
		ret = call_start(&self->s);
		hit = disarm();
		if (ret) {
			after = look(self->s.fd);
			EXPECT_TRUE(hit);
			EXPECT_TRUE(ret == -EIO || ret == -ENOMEM ||
				    ret == -EFAULT)
				TH_LOG("fault %u: %s", nth, strerror(-ret));
			expect_unchanged(_metadata, &before, &after);
			refused += ret == -EIO;
			EXPECT_EQ(0, call_start(&self->s));
		}
		burn_ns(100000000);
		EXPECT_EQ(0, stop(self->s.fd, &counts));
		EXPECT_LT(0, counts.ticks);
	}
	EXPECT_LT(0, refused);
	TH_LOG("%d faults refused the hook", refused);
}

/* A hook that ftrace would not call is not to be had, idle or in use. */
TEST(ftrace_stays_on)
{
	struct profil_counts counts;
	struct setting s;

	close(OPEN_DEVICE());
	if (access(FTRACE_ENABLED, W_OK))
		SKIP(return, "not root, or no ftrace");
	ASSERT_TRUE(make_setting(&s, 1));
	ASSERT_EQ(1, kernel_value(FTRACE_ENABLED));
	EXPECT_NE(0, kernel_write(FTRACE_ENABLED, "0"));
	EXPECT_EQ(1, kernel_value(FTRACE_ENABLED));
	ASSERT_EQ(0, call_start(&s));
	EXPECT_NE(0, kernel_write(FTRACE_ENABLED, "0"));
	EXPECT_EQ(1, kernel_value(FTRACE_ENABLED));
	burn_ns(100000000);
	EXPECT_EQ(0, stop(s.fd, &counts));
	EXPECT_LT(0, counts.ticks);
	close(s.fd);
}

TEST_HARNESS_MAIN
