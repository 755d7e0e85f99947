// SPDX-License-Identifier: GPL-2.0
/*
 * A profiled process that is suspended: it uses no CPU time, so nothing is
 * counted, and its session is there all the while.
 */
#define _GNU_SOURCE
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/stat.h>

#include "work.h"

/* How long a process is looked at that is suspended. */
#define SUSPENDED_NS	(NSEC / 2)

static uint32_t counter;

/* Counts every pc in one counter of the caller's. */
static int start_all(int fd, pid_t pid)
{
	struct profil_region region = all_code(&counter, 4);
	struct profil_start arg = start_of(&region, 1);

	arg.pid = pid;
	return call(fd, PROFIL_IOC_START, &arg);
}

/* CPU time of a process, as the scheduler has it. */
static uint64_t used_by(pid_t pid)
{
	clockid_t clock;

	return clock_getcpuclockid(pid, &clock) ? 0 : clock_ns(clock);
}

FIXTURE(suspended)
{
	const char *unable;	/* to test: why */
	int fd;
	pid_t child;
	char group[64];		/* of the child's, if it is made */
};

FIXTURE_VARIANT(suspended)
{
	/* Each returns 0 or -errno. */
	int (*prepare)(FIXTURE_DATA(suspended) *self);
	int (*suspend)(FIXTURE_DATA(suspended) *self);
	int (*resume)(FIXTURE_DATA(suspended) *self);
};

/* By a signal */

static int no_preparation(FIXTURE_DATA(suspended) *self)
{
	(void)self;
	return 0;
}

static int by_signal(FIXTURE_DATA(suspended) *self)
{
	int status;

	if (kill(self->child, SIGSTOP) ||
	    waitpid(self->child, &status, WUNTRACED) != self->child)
		return -errno;
	return WIFSTOPPED(status) ? 0 : -ECHILD;
}

static int continue_by_signal(FIXTURE_DATA(suspended) *self)
{
	return kill(self->child, SIGCONT) ? -errno : 0;
}

FIXTURE_VARIANT_ADD(suspended, by_signal) {
	.prepare = no_preparation,
	.suspend = by_signal,
	.resume = continue_by_signal,
};

/* By a debugger, which this process is */

static int seize(FIXTURE_DATA(suspended) *self)
{
	return ptrace(PTRACE_SEIZE, self->child, NULL, NULL) ? -errno : 0;
}

static int by_ptrace(FIXTURE_DATA(suspended) *self)
{
	int status;

	if (ptrace(PTRACE_INTERRUPT, self->child, NULL, NULL) ||
	    waitpid(self->child, &status, 0) != self->child)
		return -errno;
	return WIFSTOPPED(status) ? 0 : -ECHILD;
}

static int continue_by_ptrace(FIXTURE_DATA(suspended) *self)
{
	return ptrace(PTRACE_CONT, self->child, NULL, NULL) ? -errno : 0;
}

FIXTURE_VARIANT_ADD(suspended, by_ptrace) {
	.prepare = seize,
	.suspend = by_ptrace,
	.resume = continue_by_ptrace,
};

/* By a control group that is frozen */

static int write_number(const char *group, const char *file, int number)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", group, file);
	return kernel_write_value(path, number);
}

static int join_group(FIXTURE_DATA(suspended) *self)
{
	char root[] = "/tmp/profil-cgroup.XXXXXX";

	if (!mkdtemp(root))
		return -errno;
	if (mount("none", root, "cgroup2", 0, NULL)) {
		rmdir(root);
		return -errno;
	}
	snprintf(self->group, sizeof(self->group), "%s/profil-suspended", root);
	if (mkdir(self->group, 0755) && errno != EEXIST)
		return -errno;
	return write_number(self->group, "cgroup.procs", self->child);
}

static int freeze(FIXTURE_DATA(suspended) *self)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + 10 * NSEC;
	char events[128];
	int ret;

	snprintf(events, sizeof(events), "%s/cgroup.events", self->group);
	ret = write_number(self->group, "cgroup.freeze", 1);
	while (!ret && kernel_number(events, "frozen") != 1) {
		if (clock_ns(CLOCK_MONOTONIC) > end)
			return -ETIMEDOUT;
		usleep(1000);
	}
	return ret;
}

static int thaw(FIXTURE_DATA(suspended) *self)
{
	return write_number(self->group, "cgroup.freeze", 0);
}

static void leave_group(FIXTURE_DATA(suspended) *self)
{
	rmdir(self->group);
	*strrchr(self->group, '/') = 0;
	umount2(self->group, MNT_DETACH);
	rmdir(self->group);
}

FIXTURE_VARIANT_ADD(suspended, by_control_group) {
	.prepare = join_group,
	.suspend = freeze,
	.resume = thaw,
};

FIXTURE_SETUP(suspended)
{
	int ret;

	self->fd = OPEN_DEVICE();
	if (geteuid()) {
		self->unable = "not root: cannot profile another process";
		return;
	}
	self->child = fork_child();
	while (!self->child)
		work_for(work_a, NSEC);
	ASSERT_GT(self->child, 0);
	ret = variant->prepare(self);
	if (ret && variant->suspend == freeze)
		self->unable = "no control groups of version 2 to be had";
	else
		ASSERT_EQ(0, ret);
}

FIXTURE_TEARDOWN(suspended)
{
	if (self->child)
		end_child(self->child);
	if (self->group[0])
		leave_group(self);
	close(self->fd);
}

/* Ten ticks more of the process. */
static bool ticks_come(int fd)
{
	return counts_more_while(fd, 10, sleep_ns);
}

/*
 * Whoever suspends a process is told before it has left its CPU, and it may
 * have to wait for the CPU once more until it has.  Where a process waits in
 * the kernel is known of those alone that are not on a CPU's queue.
 */
static void settle(pid_t pid)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + 10 * NSEC;
	char path[64], where[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/wchan", pid);
	do {
		usleep(1000);
		strcpy(where, "0");
		file = fopen(path, "r");
		if (!file)
			return;
		if (fscanf(file, "%63s", where) != 1)
			strcpy(where, "0");
		fclose(file);
	} while (!strcmp(where, "0") && clock_ns(CLOCK_MONOTONIC) < end);
}

/* Neither ticks nor, by the scheduler's account, CPU time. */
static void expect_nothing(struct __test_metadata *_metadata,
			   FIXTURE_DATA(suspended) *self)
{
	const struct timespec time = { .tv_nsec = SUSPENDED_NS };
	struct profil_counts before, after;
	uint64_t used;

	settle(self->child);
	used = used_by(self->child);
	ASSERT_EQ(0, read_counts(self->fd, &before));
	EXPECT_EQ(PROFIL_RUNNING, before.state);
	EXPECT_NE(0, used);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
	ASSERT_EQ(0, read_counts(self->fd, &after));
	EXPECT_EQ(used, used_by(self->child));
	EXPECT_EQ(0, memcmp(&before, &after, sizeof(before)));
}

TEST_F(suspended, nothing_is_counted)
{
	struct profil_counts counts;
	int i;

	if (self->unable)
		SKIP(return, "%s", self->unable);
	ASSERT_EQ(0, start_all(self->fd, self->child));
	for (i = 0; i < 3; i++) {
		EXPECT_TRUE(ticks_come(self->fd));
		ASSERT_EQ(0, variant->suspend(self));
		expect_nothing(_metadata, self);
		ASSERT_EQ(0, variant->resume(self));
	}
	EXPECT_TRUE(ticks_come(self->fd));
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_TRUE(identity_holds(&counts));
	EXPECT_EQ(counts.counted, counter);
}

TEST_F(suspended, starts_and_stops)
{
	struct profil_counts counts;

	if (self->unable)
		SKIP(return, "%s", self->unable);
	ASSERT_EQ(0, variant->suspend(self));
	ASSERT_EQ(0, start_all(self->fd, self->child));
	EXPECT_TRUE(listed(self->child) == 1 || access(LIST, F_OK));
	expect_nothing(_metadata, self);
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_EQ(0, counts.state);
	EXPECT_EQ(0, counts.ticks);
	EXPECT_EQ(0, counts.pages);
	EXPECT_GE(0, listed(self->child));

	ASSERT_EQ(0, start_all(self->fd, self->child));
	ASSERT_EQ(0, variant->resume(self));
	EXPECT_TRUE(ticks_come(self->fd));
	ASSERT_EQ(0, variant->suspend(self));
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_TRUE(identity_holds(&counts));
	EXPECT_EQ(counts.counted, counter);
}

TEST_F(suspended, is_killed)
{
	long long pinned = pinned_pages();
	struct profil_counts counts;
	int status;

	if (self->unable)
		SKIP(return, "%s", self->unable);
	ASSERT_EQ(0, start_all(self->fd, self->child));
	EXPECT_TRUE(ticks_come(self->fd));
	ASSERT_EQ(0, variant->suspend(self));
	ASSERT_EQ(0, kill(self->child, SIGKILL));
	ASSERT_EQ(self->child, waitpid(self->child, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	ASSERT_EQ(0, read_counts(self->fd, &counts));
	EXPECT_EQ(0, counts.state);
	EXPECT_EQ(0, counts.pages);
	EXPECT_TRUE(identity_holds(&counts));
	EXPECT_EQ(counts.counted, counter);
	EXPECT_GE(0, listed(self->child));
	EXPECT_EQ(pinned, pinned_pages_settle(pinned));
	self->child = 0;
}

TEST_HARNESS_MAIN
