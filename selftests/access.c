// SPDX-License-Identifier: GPL-2.0
/*
 * Who may profile whom, whose session an id names, and how many sessions there
 * may be.
 */
#define _GNU_SOURCE
#include <grp.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <linux/capability.h>

#include "profil_test.h"

/* Of users that nobody is, so that nothing else counts against them. */
#define USER_A		61234
#define USER_B		61235
#define NO_CHILD	0x7f

static uint32_t counters[1024];

static struct profil_region good_region(void)
{
	return region_of(NULL, counters, sizeof(counters), 4);
}

static int start_pid(int fd, pid_t pid)
{
	struct profil_region region = good_region();
	struct profil_start arg = start_of(&region, 1);

	arg.pid = pid;
	return call(fd, PROFIL_IOC_START, &arg);
}

/* The session's id, or 0. */
static uint64_t start_id(int fd)
{
	struct profil_region region = good_region();
	struct profil_start arg = start_of(&region, 1);

	return call(fd, PROFIL_IOC_START, &arg) ? 0 : arg.session;
}

static int counts_of_id(int fd, unsigned long request, uint64_t id,
			struct profil_counts *counts)
{
	memset(counts, 0, sizeof(*counts));
	counts->size = sizeof(*counts);
	counts->session = id;
	return call(fd, request, counts);
}

static int set_regions_of_id(int fd, uint64_t id)
{
	struct profil_region region = good_region();
	struct profil_set_regions arg = {
		.size = sizeof(arg),
		.nr_regions = 1,
		.regions = (uintptr_t)&region,
		.session = id,
	};

	return call(fd, PROFIL_IOC_SET_REGIONS, &arg);
}

/* A child that does nothing until it is killed. */
static pid_t idle_child(void)
{
	pid_t child = fork_child();

	while (!child)
		pause();
	return child;
}

/*
 * The errno, or 0, that @ask gets in a child.  A child has NO_CHILD to say
 * that it could not become what it should be.
 */
static int ask_child(int (*ask)(long), long what)
{
	pid_t child = fork_child();
	int status;

	if (!child)
		_exit(-ask(what));
	if (child < 0 || waitpid(child, &status, 0) != child ||
	    !WIFEXITED(status))
		return NO_CHILD;
	return WEXITSTATUS(status);
}

/* The process that this one's children ask for. */
static pid_t target;

static int ask_as_user(long caps)
{
	int fd;

	if (!geteuid() && (prctl(PR_SET_KEEPCAPS, 1) || !become_user(USER_A) ||
			   !keep_caps(caps)))
		return -NO_CHILD;
	fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -NO_CHILD : start_pid(fd, target);
}

TEST(pid_of_another_as_user)
{
	close(OPEN_DEVICE());
	target = idle_child();
	ASSERT_GT(target, 0);
	EXPECT_EQ(EPERM, ask_child(ask_as_user, 0));
	end_child(target);
}

TEST(pid_of_another_by_capability)
{
	const uint64_t enough = 1ULL << CAP_PERFMON | 1ULL << CAP_SYS_ADMIN;
	const uint64_t all = (2ULL << CAP_CHECKPOINT_RESTORE) - 1;

	close(OPEN_DEVICE());
	if (geteuid())
		SKIP(return, "not root: no capabilities to give");
	target = idle_child();
	ASSERT_GT(target, 0);
	EXPECT_EQ(0, ask_child(ask_as_user, 1ULL << CAP_PERFMON));
	EXPECT_EQ(0, ask_child(ask_as_user, 1ULL << CAP_SYS_ADMIN));
	EXPECT_EQ(EPERM, ask_child(ask_as_user, all & ~enough));
	EXPECT_EQ(EPERM, ask_child(ask_as_user, 1ULL << CAP_SYS_PTRACE));
	end_child(target);
}

static int ask_own_pid(long caps)
{
	target = getpid();
	return ask_as_user(caps);
}

TEST(own_pid_as_user)
{
	close(OPEN_DEVICE());
	EXPECT_EQ(0, ask_child(ask_own_pid, 0));
}

/* All capabilities of a namespace are none over who is outside. */
static int ask_in_user_namespace(long unused)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	(void)unused;
	if (fd < 0 || unshare(CLONE_NEWUSER))
		return -NO_CHILD;
	return start_pid(fd, target);
}

TEST(pid_of_another_in_user_namespace)
{
	int ret;

	close(OPEN_DEVICE());
	target = idle_child();
	ASSERT_GT(target, 0);
	ret = ask_child(ask_in_user_namespace, 0);
	end_child(target);
	if (ret == NO_CHILD)
		SKIP(return, "no user namespace to be had");
	EXPECT_EQ(EPERM, ret);
}

TEST(pid_of_another_as_root)
{
	int fd = OPEN_DEVICE();
	struct profil_counts counts;

	if (geteuid())
		SKIP(return, "not root");
	target = idle_child();
	ASSERT_GT(target, 0);
	EXPECT_EQ(0, start_pid(fd, target));
	EXPECT_EQ(0, read_counts(fd, &counts));
	EXPECT_EQ(PROFIL_RUNNING, counts.state);
	end_child(target);
	close(fd);
}

TEST(pid_of_nobody)
{
	const pid_t nobody[] = { -1, INT_MIN, INT_MAX, -getpid() };
	int fd = OPEN_DEVICE();
	struct profil_counts counts;
	siginfo_t info;
	pid_t child;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(nobody); i++) {
		EXPECT_EQ(-ESRCH, start_pid(fd, nobody[i]))
			TH_LOG("pid %d", nobody[i]);
	}

	child = fork();
	if (!child)
		_exit(0);
	ASSERT_EQ(0, waitid(P_PID, child, &info, WEXITED | WNOWAIT));
	EXPECT_EQ(-ESRCH, start_pid(fd, child))
		TH_LOG("a process that has exited");
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	EXPECT_EQ(-ESRCH, start_pid(fd, child))
		TH_LOG("a process that is no more");

	EXPECT_EQ(0, read_counts(fd, &counts));
	EXPECT_EQ(0, counts.state);
	close(fd);
}

TEST(pid_of_kernel_thread)
{
	int fd = OPEN_DEVICE();
	char name[16] = "";
	int comm = open("/proc/2/comm", O_RDONLY | O_CLOEXEC);

	if (comm < 0 || read(comm, name, sizeof(name) - 1) < 0 ||
	    strcmp(name, "kthreadd\n"))
		SKIP(return, "pid 2 is no kernel thread here");
	EXPECT_EQ(-ESRCH, start_pid(fd, 2));
	close(comm);
	close(fd);
}

static int ask_in_pid_namespace(long outside)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC), ret;
	pid_t child;
	int status;

	if (fd < 0 || unshare(CLONE_NEWPID))
		return -NO_CHILD;
	child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		ret = start_pid(fd, outside ? outside : getpid());
		_exit(-ret);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return -NO_CHILD;
	return -WEXITSTATUS(status);
}

/* The child is number 1 of its namespace, and alone there. */
TEST(pid_in_namespace)
{
	int ret;

	close(OPEN_DEVICE());
	ret = ask_child(ask_in_pid_namespace, 0);
	if (ret == NO_CHILD)
		SKIP(return, "no pid namespace to be had");
	EXPECT_EQ(0, ret);
	EXPECT_EQ(ESRCH, ask_child(ask_in_pid_namespace, getpid()));
}

/* The process goes on without its first thread. */

static void *start_when_alone(void *status_pipe)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	char stat[512];
	int ret = -ETIMEDOUT, tries;

	for (tries = 0; tries < 1000; tries++) {
		FILE *file = fopen("/proc/self/stat", "r");

		if (file && fgets(stat, sizeof(stat), file) &&
		    strstr(stat, ") Z "))
			tries = 1000;
		if (file)
			fclose(file);
		usleep(1000);
	}
	ret = start_pid(fd, 0);
	if (write(*(int *)status_pipe, &ret, sizeof(ret)) != sizeof(ret))
		_exit(1);
	for (;;)
		pause();
	return NULL;
}

static void lose_first_thread(int *status_pipe)
{
	pthread_t thread;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (pthread_create(&thread, NULL, start_when_alone, status_pipe))
		_exit(1);
	/* Not pthread_exit(), which may want to load a library. */
	syscall(SYS_exit, 0);
}

TEST(first_thread_has_exited)
{
	int fd = OPEN_DEVICE(), status[2], ret = -1;
	pid_t child;

	ASSERT_EQ(0, pipe(status));
	child = fork();
	if (!child)
		lose_first_thread(&status[1]);
	ASSERT_GT(child, 0);
	close(status[1]);
	ASSERT_EQ(sizeof(ret), read(status[0], &ret, sizeof(ret)));
	EXPECT_EQ(0, ret)
		TH_LOG("by the process itself");
	if (!geteuid()) {
		EXPECT_EQ(0, start_pid(fd, child))
			TH_LOG("by another one");
	}
	end_child(child);
	close(fd);
}

/* Ids */

TEST(ids_are_not_used_again)
{
	int fd = OPEN_DEVICE(), other = OPEN_DEVICE();
	struct profil_counts counts;
	uint64_t ids[32];
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		ids[i] = start_id(i % 2 ? fd : other);
		EXPECT_NE(0, ids[i]);
		for (j = 0; j < i; j++)
			EXPECT_NE(ids[j], ids[i]);
		if (i) {
			int last = i % 2 ? other : fd;

			EXPECT_EQ(0, stop(last, &counts));
		}
	}
	close(fd);
	close(other);
}

TEST(own_session_by_id)
{
	int fd = OPEN_DEVICE(), other = OPEN_DEVICE();
	struct profil_counts counts, last;
	uint64_t id = start_id(fd);

	ASSERT_NE(0, id);
	EXPECT_EQ(0, counts_of_id(other, PROFIL_IOC_READ, id, &counts));
	EXPECT_EQ(PROFIL_RUNNING, counts.state);
	EXPECT_EQ(id, counts.session);
	EXPECT_EQ(0, set_regions_of_id(other, id));
	/* Not this file's. */
	EXPECT_EQ(-ESRCH, set_regions_of_id(other, 0));
	EXPECT_EQ(0, read_counts(other, &counts));
	EXPECT_EQ(0, counts.state);

	burn_ns(40000000);
	EXPECT_EQ(0, counts_of_id(other, PROFIL_IOC_STOP, id, &last));
	EXPECT_EQ(0, last.state);
	EXPECT_GT(last.ticks, 0);
	EXPECT_EQ(id, last.session);
	EXPECT_EQ(0, read_counts(fd, &counts));
	last.session = 0;
	EXPECT_EQ(0, memcmp(&last, &counts, sizeof(counts)));
	EXPECT_EQ(0, read_counts(other, &counts));
	EXPECT_EQ(0, counts.ticks);
	close(fd);
	close(other);
}

static void expect_no_such_id(struct __test_metadata *_metadata, int fd,
			      uint64_t id)
{
	struct profil_counts counts, poisoned;

	memset(&poisoned, 0xa5, sizeof(poisoned));
	poisoned.size = sizeof(poisoned);
	poisoned.flags = 0;
	poisoned.session = id;
	counts = poisoned;
	EXPECT_EQ(-ESRCH, call(fd, PROFIL_IOC_READ, &counts));
	EXPECT_EQ(-ESRCH, call(fd, PROFIL_IOC_STOP, &counts));
	EXPECT_EQ(0, memcmp(&poisoned, &counts, sizeof(counts)));
	EXPECT_EQ(-ESRCH, set_regions_of_id(fd, id));
}

TEST(id_of_no_session)
{
	int fd = OPEN_DEVICE();
	struct profil_counts counts;
	uint64_t id = start_id(fd);

	ASSERT_NE(0, id);
	expect_no_such_id(_metadata, fd, id + 1000000);
	expect_no_such_id(_metadata, fd, id + (1ULL << 32));
	expect_no_such_id(_metadata, fd, UINT64_MAX);
	ASSERT_EQ(0, stop(fd, &counts));
	expect_no_such_id(_metadata, fd, id);
	EXPECT_EQ(-ESRCH, set_regions_of_id(fd, 0));
	close(fd);
}

/* Nor by the descriptor that it has from its parent. */
static int ids_in_child(struct __test_metadata *_metadata, int fd, uint64_t id)
{
	int own = open(DEVICE, O_RDWR | O_CLOEXEC);

	expect_no_such_id(_metadata, own, id);
	expect_no_such_id(_metadata, fd, id);
	return _metadata->passed ? 0 : 1;
}

TEST(id_in_another_process)
{
	int fd = OPEN_DEVICE(), status;
	struct profil_counts counts;
	uint64_t id = start_id(fd);
	pid_t child;

	ASSERT_NE(0, id);
	child = fork();
	if (!child)
		_exit(ids_in_child(_metadata, fd, id));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, read_counts(fd, &counts));
	EXPECT_EQ(PROFIL_RUNNING, counts.state);
	close(fd);
}

/* The one profiled has no say. */
static int stop_me(struct __test_metadata *_metadata, int ask, int answer)
{
	int own = open(DEVICE, O_RDWR | O_CLOEXEC);
	uint64_t id;

	if (read(ask, &id, sizeof(id)) != sizeof(id))
		return 1;
	expect_no_such_id(_metadata, own, id);
	return write(answer, &_metadata->passed, sizeof(int)) != sizeof(int);
}

TEST(id_in_profiled_process)
{
	struct profil_region region = good_region();
	struct profil_start arg = start_of(&region, 1);
	int fd = OPEN_DEVICE(), ask[2], answer[2], passed = 0;
	struct profil_counts counts;

	if (geteuid())
		SKIP(return, "not root: cannot profile another process");
	ASSERT_EQ(0, pipe(ask));
	ASSERT_EQ(0, pipe(answer));
	arg.pid = fork();
	if (!arg.pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		stop_me(_metadata, ask[0], answer[1]);
		for (;;)
			pause();
	}
	ASSERT_EQ(0, call(fd, PROFIL_IOC_START, &arg));
	ASSERT_EQ(8, write(ask[1], &arg.session, 8));
	ASSERT_EQ(sizeof(passed), read(answer[0], &passed, sizeof(passed)));
	EXPECT_TRUE(passed);
	EXPECT_EQ(0, read_counts(fd, &counts));
	EXPECT_EQ(PROFIL_RUNNING, counts.state);
	end_child(arg.pid);
	close(fd);
}

/* A parent's descriptor in its child: the session is the parent's. */
static int forked_descriptor(struct __test_metadata *_metadata, int fd)
{
	struct profil_region region = good_region();
	struct profil_counts counts;

	EXPECT_EQ(-EPERM, set_regions(fd, &region, 1));
	EXPECT_EQ(-EBUSY, start(fd, &region, 1, 0));
	EXPECT_EQ(0, read_counts(fd, &counts));
	EXPECT_EQ(PROFIL_RUNNING, counts.state);
	return _metadata->passed ? 0 : 1;
}

TEST(descriptor_in_child)
{
	struct profil_region region = good_region();
	long long charged = charged_kb(), pinned;
	int fd = OPEN_DEVICE(), status;
	struct profil_counts counts;
	pid_t child;

	ASSERT_EQ(0, start(fd, &region, 1, 0));
	pinned = pinned_pages();
	child = fork();
	if (!child)
		_exit(forked_descriptor(_metadata, fd));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(pinned, pinned_pages_settle(pinned));
	EXPECT_EQ(charged, charged_kb());

	child = fork();
	if (!child)
		_exit(-stop(fd, &counts));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, read_counts(fd, &counts));
	EXPECT_EQ(0, counts.state);
	EXPECT_EQ(0, start(fd, &region, 1, 0));
	close(fd);
}

/* Limits */

#define MOST_FILES	64

FIXTURE(limits) {
	int fds[MOST_FILES];
	long long process_sessions;
	long long user_sessions;
	long long max_regions;
};

FIXTURE_SETUP(limits)
{
	int i;

	for (i = 0; i < MOST_FILES; i++)
		self->fds[i] = open(DEVICE, O_RDWR | O_CLOEXEC);
	self->process_sessions = parameter("process_sessions");
	self->user_sessions = parameter("user_sessions");
	self->max_regions = parameter("max_regions");
}

FIXTURE_TEARDOWN(limits)
{
	int i;

	set_parameter("process_sessions", self->process_sessions);
	set_parameter("user_sessions", self->user_sessions);
	set_parameter("max_regions", self->max_regions);
	for (i = 0; i < MOST_FILES; i++)
		close(self->fds[i]);
}

/* How many could be started, and what the next one said. */
static int start_many(const int *fds, int *error)
{
	struct profil_region region = good_region();
	int i;

	*error = 0;
	for (i = 0; i < MOST_FILES; i++) {
		*error = start(fds[i], &region, 1, 0);
		if (*error)
			break;
	}
	return i;
}

static void stop_many(const int *fds)
{
	struct profil_counts counts;
	int i;

	for (i = 0; i < MOST_FILES; i++)
		stop(fds[i], &counts);
}

TEST_F(limits, process_sessions)
{
	struct profil_region region = good_region();
	struct profil_counts counts;
	unsigned int most;
	int error;

	close(OPEN_DEVICE());
	most = info_of(self->fds[0]).max_process_sessions;
	if (most >= MOST_FILES)
		SKIP(return, "process_sessions is too large here");
	EXPECT_EQ(most, start_many(self->fds, &error));
	EXPECT_EQ(-EMFILE, error);
	ASSERT_EQ(0, read_counts(self->fds[most], &counts));
	EXPECT_EQ(0, counts.state);
	EXPECT_EQ(0, counts.pages);

	/* Any one that ends makes room for one. */
	EXPECT_EQ(0, stop(self->fds[1], &counts));
	EXPECT_EQ(0, start(self->fds[most], &region, 1, 0));
	EXPECT_EQ(-EMFILE, start(self->fds[1], &region, 1, 0));
}

TEST_F(limits, process_sessions_parameter)
{
	const int limits[] = { 3, 1, 0, 20 };
	int error;
	size_t i;

	close(OPEN_DEVICE());
	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		if (set_parameter("process_sessions", limits[i]))
			SKIP(return, "not root: cannot set a parameter");
		EXPECT_EQ(limits[i],
			  info_of(self->fds[0]).max_process_sessions);
		EXPECT_EQ(limits[i], start_many(self->fds, &error));
		EXPECT_EQ(-EMFILE, error);
		stop_many(self->fds);
	}
}

/* It is the profiled address space that has the sessions. */
TEST_F(limits, process_sessions_of_target)
{
	struct profil_region region = good_region();
	int i;

	close(OPEN_DEVICE());
	if (set_parameter("process_sessions", 3))
		SKIP(return, "not root: cannot set a parameter");
	target = idle_child();
	ASSERT_GT(target, 0);
	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, start_pid(self->fds[i], target));
	EXPECT_EQ(-EMFILE, start_pid(self->fds[3], target));
	EXPECT_EQ(0, start(self->fds[3], &region, 1, 0));
	end_child(target);
}

/* Starts as many on itself as it can, and says by a byte that it has. */
static void profile_itself(const int *fds, int answer)
{
	int error;
	char nr = start_many(fds, &error);

	if (write(answer, &nr, 1) == 1)
		pause();
	_exit(1);
}

/* Whoever profiles a process does not keep it from doing so, nor it them. */
TEST_F(limits, process_sessions_of_target_and_its_own)
{
	int answer[2], i, error;
	char nr = 0;

	close(OPEN_DEVICE());
	if (set_parameter("process_sessions", 3))
		SKIP(return, "not root: cannot set a parameter");
	ASSERT_EQ(0, pipe(answer));
	target = fork_child();
	if (!target) {
		int fds[MOST_FILES];

		for (i = 0; i < MOST_FILES; i++)
			fds[i] = open(DEVICE, O_RDWR | O_CLOEXEC);
		profile_itself(fds, answer[1]);
	}
	ASSERT_EQ(1, read(answer[0], &nr, 1));
	EXPECT_EQ(3, nr);
	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, start_pid(self->fds[i], target));
	EXPECT_EQ(-EMFILE, start_pid(self->fds[3], target));
	end_child(target);

	/* The other way round: the parent is the target, the child is others. */
	target = getpid();
	i = fork_child();
	if (!i) {
		nr = 0;
		while (nr < MOST_FILES &&
		       !start_pid(open(DEVICE, O_RDWR | O_CLOEXEC), target))
			nr++;
		if (write(answer[1], &nr, 1) == 1)
			pause();
		_exit(1);
	}
	ASSERT_EQ(1, read(answer[0], &nr, 1));
	EXPECT_EQ(3, nr);
	EXPECT_EQ(3, start_many(self->fds, &error));
	EXPECT_EQ(-EMFILE, error);
	end_child(i);
}

/* As one user with a real and an effective ID: it is the real that counts. */
static int ask_user_sessions(long limit)
{
	struct profil_region region = good_region();
	int i, fd;

	if (setgroups(0, NULL) || setresgid(USER_A, USER_A, USER_A) ||
	    setresuid(USER_A, USER_B, USER_A))
		return -NO_CHILD;
	for (i = 0; i < limit; i++) {
		fd = open(DEVICE, O_RDWR);
		if (fd < 0 || start(fd, &region, 1, 0))
			return -NO_CHILD;
	}
	fd = open(DEVICE, O_RDWR);
	if (start(fd, &region, 1, 0) != -EUSERS)
		return -1;
	/* Another process of the same real user has no more. */
	if (!fork()) {
		struct profil_region mine = good_region();

		_exit(start(fd, &mine, 1, 0) != -EUSERS);
	}
	wait(&i);
	if (i)
		return -2;
	/* The effective user's own are untouched. */
	if (setresuid(USER_B, USER_B, USER_B))
		return 0;
	return start(fd, &region, 1, 0);
}

TEST_F(limits, user_sessions)
{
	close(OPEN_DEVICE());
	if (set_parameter("user_sessions", 3))
		SKIP(return, "not root: cannot set a parameter");
	EXPECT_EQ(3, info_of(self->fds[0]).max_user_sessions);
	EXPECT_EQ(0, ask_child(ask_user_sessions, 3));
	/* All of that process's have ended with it. */
	EXPECT_EQ(0, ask_child(ask_user_sessions, 3));
	ASSERT_EQ(0, set_parameter("user_sessions", 1));
	EXPECT_EQ(0, ask_child(ask_user_sessions, 1));
}

static int start_regions(int fd, unsigned int nr)
{
	struct profil_region regions[8];
	struct profil_counts counts;
	unsigned int i;
	int ret;

	for (i = 0; i < nr; i++) {
		regions[i] = good_region();
		regions[i].offset = i;
	}
	ret = start(fd, regions, nr, 0);
	stop(fd, &counts);
	return ret;
}

TEST_F(limits, max_regions)
{
	close(OPEN_DEVICE());
	if (set_parameter("max_regions", 5))
		SKIP(return, "not root: cannot set a parameter");
	EXPECT_EQ(5, info_of(self->fds[0]).max_regions);
	EXPECT_EQ(0, start_regions(self->fds[0], 5));
	EXPECT_EQ(-E2BIG, start_regions(self->fds[0], 6));
}

TEST_HARNESS_MAIN
