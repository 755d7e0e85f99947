// SPDX-License-Identifier: GPL-2.0
/*
 * When a session ends, and what is left of it: fork, exec, exit, kill, close,
 * and others who hold the descriptor.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "profil_test.h"

#define PAGE		((size_t)sysconf(_SC_PAGESIZE))
#define ORDINARY_USER	61236

static uint32_t counters[1 << 15] __attribute__((aligned(1 << 16)));
#define PAGES		(sizeof(counters) / PAGE)

static int start_all(int fd)
{
	struct profil_region region = all_code(counters, sizeof(counters));

	return start(fd, &region, 1, 0);
}

static bool runs(int fd)
{
	struct profil_counts counts;

	return !read_counts(fd, &counts) && counts.state == PROFIL_RUNNING;
}

/* Waits for another's session, as the profiled process cannot say when. */
static bool ends(int fd)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + 10 * NSEC;

	while (runs(fd)) {
		if (clock_ns(CLOCK_MONOTONIC) > end)
			return false;
		usleep(1000);
	}
	return true;
}

static void expect_ended(struct __test_metadata *_metadata, int fd,
			 struct profil_counts *last)
{
	ASSERT_EQ(0, read_counts(fd, last));
	EXPECT_EQ(0, last->state);
	EXPECT_EQ(0, last->pages);
	EXPECT_TRUE(identity_holds(last));
}

static bool say(int fd)
{
	return write(fd, "", 1) == 1;
}

static bool hear(int fd)
{
	char byte;

	return read(fd, &byte, 1) == 1;
}

/* fork and exec of others */

/*
 * The child uses much CPU time while the parent waits: what the parent's
 * session counts stays far below.
 */
TEST(child_is_not_profiled)
{
	struct profil_counts before, after;
	const uint64_t burnt = 400000000;
	int fd = OPEN_DEVICE();
	uint64_t tick, own;
	pid_t child;

	tick = info_of(fd).tick_ns;
	ASSERT_EQ(0, start_all(fd));
	ASSERT_EQ(0, read_counts(fd, &before));
	own = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	child = fork_child();
	if (!child) {
		burn_ns(burnt);
		_exit(0);
	}
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	own = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - own;
	ASSERT_EQ(0, read_counts(fd, &after));
	/* A tick can hit every moment of ours, but not one of the child's. */
	EXPECT_LT(after.ticks - before.ticks, burnt / tick / 2 + own / tick);
	EXPECT_TRUE(counts_more(fd, 1));
	close(fd);
}

TEST(child_can_profile_itself)
{
	int fd = OPEN_DEVICE(), status;
	pid_t child;

	ASSERT_EQ(0, start_all(fd));
	child = fork_child();
	if (!child) {
		int own = open(DEVICE, O_RDWR | O_CLOEXEC);

		_exit(start_all(own) || !counts_more(own, 1) || !runs(fd));
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_TRUE(runs(fd));
	EXPECT_TRUE(counts_more(fd, 1));
	close(fd);
}

/* The child borrows the address space, and leaves it by exec. */
TEST(vfork_and_exec)
{
	int fd = OPEN_DEVICE(), status;
	pid_t child;

	ASSERT_EQ(0, start_all(fd));
	child = vfork();
	if (!child) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_TRUE(runs(fd));
	EXPECT_TRUE(counts_more(fd, 1));
	close(fd);
}

TEST(vfork_and_exit)
{
	int fd = OPEN_DEVICE();
	pid_t child;

	ASSERT_EQ(0, start_all(fd));
	child = vfork();
	if (!child)
		_exit(0);
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	EXPECT_TRUE(runs(fd));
	EXPECT_TRUE(counts_more(fd, 1));
	close(fd);
}

/* Ends while somebody else holds the descriptor */

static int send_fd(int socket, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = "", byte = 0;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(int));
	return sendmsg(socket, &msg, 0) == 1 ? 0 : -errno;
}

static int receive_fd(int socket)
{
	char control[CMSG_SPACE(sizeof(int))], byte;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	int fd = -1;

	if (recvmsg(socket, &msg, 0) == 1 && CMSG_FIRSTHDR(&msg))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(int));
	return fd;
}

FIXTURE(end) {
	long long pinned;
	int sockets[2];
	pid_t child;
};

FIXTURE_VARIANT(end) {
	/* What the profiled process does, told by a byte on the socket. */
	void (*end)(int fd);
	bool lives;	/* in another address space */
};

static void end_by_exit(int fd)
{
	(void)fd;
	_exit(0);
}

static void end_by_kill(int fd)
{
	(void)fd;
	kill(getpid(), SIGKILL);
}

static void end_by_fault(int fd)
{
	const struct rlimit none = { 0, 0 };

	(void)fd;
	setrlimit(RLIMIT_CORE, &none);
	kill(getpid(), SIGSEGV);
}

/* Uses CPU time; its descriptor is still open. */
static void end_by_exec(int fd)
{
	fcntl(fd, F_SETFD, 0);
	execl("/bin/sh", "sh", "-c", "while :; do :; done", NULL);
	_exit(1);
}

static void *exec_in_thread(void *fd)
{
	end_by_exec((intptr_t)fd);
	return NULL;
}

/* The first thread is killed by it, and its number goes on. */
static void end_by_exec_in_thread(int fd)
{
	pthread_t thread;

	pthread_create(&thread, NULL, exec_in_thread, (void *)(intptr_t)fd);
	for (;;)
		pause();
}

FIXTURE_VARIANT_ADD(end, exit) {
	.end = end_by_exit
};

FIXTURE_VARIANT_ADD(end, kill) {
	.end = end_by_kill
};

FIXTURE_VARIANT_ADD(end, fault) {
	.end = end_by_fault
};

FIXTURE_VARIANT_ADD(end, exec) {
	.end = end_by_exec, .lives = true
};

FIXTURE_VARIANT_ADD(end, exec_in_thread) {
	.end = end_by_exec_in_thread, .lives = true
};

FIXTURE_SETUP(end)
{
	self->pinned = pinned_pages();
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, self->sockets));
}

FIXTURE_TEARDOWN(end)
{
	if (self->child)
		end_child(self->child);
}

/* A process that starts a session, lets it count, and sends its descriptor. */
static void profiled_process(int socket, void (*end)(int fd))
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	if (start_all(fd) || !counts_more(fd, 1) || send_fd(socket, fd))
		_exit(1);
	if (hear(socket))
		end(fd);
	_exit(1);
}

TEST_F(end, descriptor_is_held_by_another)
{
	struct profil_counts before, last, later;
	int fd, status;

	close(OPEN_DEVICE());
	self->child = fork_child();
	if (!self->child)
		profiled_process(self->sockets[0], variant->end);
	ASSERT_GT(self->child, 0);
	close(self->sockets[0]);
	fd = receive_fd(self->sockets[1]);
	ASSERT_GE(fd, 0);

	ASSERT_EQ(0, read_counts(fd, &before));
	EXPECT_EQ(PROFIL_RUNNING, before.state);
	EXPECT_EQ(PAGES, before.pages);
	EXPECT_GT(before.ticks, 0);
	EXPECT_LE(pinned_and(self->pinned, PAGES), pinned_pages());

	ASSERT_TRUE(say(self->sockets[1]));
	if (!variant->lives) {
		ASSERT_EQ(self->child, waitpid(self->child, &status, 0));
		self->child = 0;
		/* Gone when it is reaped, not some time later. */
		expect_ended(_metadata, fd, &last);
	}
	ASSERT_TRUE(ends(fd));
	expect_ended(_metadata, fd, &last);
	EXPECT_GE(last.ticks, before.ticks);
	EXPECT_EQ(self->pinned, pinned_pages_settle(self->pinned));

	/* The new program uses CPU time; nothing is added. */
	burn_ns(50000000);
	ASSERT_EQ(0, read_counts(fd, &later));
	EXPECT_EQ(0, memcmp(&last, &later, sizeof(last)));

	/* The holder may use the file for a session of its own. */
	EXPECT_EQ(0, start_all(fd));
	EXPECT_TRUE(counts_more(fd, 1));
	close(fd);
}

/*
 * A program of root's that an ordinary user starts while its own session
 * runs, with the descriptor open.
 */
static bool make_setuid_program(char *path)
{
	char command[256];

	if (!mkdtemp(path))
		return false;
	snprintf(command, sizeof(command),
		 "chmod 755 %s && mount -t tmpfs -o mode=755 none %s && "
		 "cp -L /bin/sleep %s/prog && chmod 4755 %s/prog", path, path,
		 path, path);
	return !system(command);
}

static void remove_setuid_program(const char *path)
{
	umount2(path, MNT_DETACH);
	rmdir(path);
}

static const char *setuid_program;

static void end_by_setuid_exec(int fd)
{
	fcntl(fd, F_SETFD, 0);
	execl(setuid_program, "prog", "100", NULL);
	_exit(1);
}

/* The effective user of a process, or -1. */
static long effective_user(pid_t pid)
{
	char path[64], line[128];
	long euid = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "r");
	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "Uid: %*d %ld", &euid) == 1)
			break;
	fclose(file);
	return euid;
}

TEST(setuid_exec)
{
	char dir[] = "/tmp/profil-setuid.XXXXXX", prog[64];
	uint64_t until = clock_ns(CLOCK_MONOTONIC) + 10 * NSEC;
	struct profil_counts last, later;
	int sockets[2], fd;
	pid_t child;

	close(OPEN_DEVICE());
	if (geteuid())
		SKIP(return, "not root: cannot make a setuid program");
	if (!make_setuid_program(dir)) {
		remove_setuid_program(dir);
		SKIP(return, "cannot mount a tmpfs for a setuid program");
	}
	snprintf(prog, sizeof(prog), "%s/prog", dir);
	setuid_program = prog;
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	child = fork_child();
	if (!child) {
		if (!become_user(ORDINARY_USER))
			_exit(1);
		profiled_process(sockets[0], end_by_setuid_exec);
	}
	fd = receive_fd(sockets[1]);
	EXPECT_GE(fd, 0);
	EXPECT_TRUE(runs(fd));
	EXPECT_TRUE(say(sockets[1]));
	EXPECT_TRUE(ends(fd));
	/* The exec was a setuid one; its user changes a moment later. */
	while (effective_user(child) == ORDINARY_USER &&
	       clock_ns(CLOCK_MONOTONIC) < until)
		usleep(1000);
	EXPECT_EQ(0, effective_user(child));
	expect_ended(_metadata, fd, &last);
	burn_ns(20000000);
	EXPECT_EQ(0, read_counts(fd, &later));
	EXPECT_EQ(0, memcmp(&last, &later, sizeof(last)));
	end_child(child);
	remove_setuid_program(dir);
	close(fd);
}

/* Descriptors and mappings of the profiled process itself */

TEST(close_ends)
{
	long long pinned = pinned_pages();
	int fd = OPEN_DEVICE();

	ASSERT_EQ(0, start_all(fd));
	EXPECT_EQ(pinned_and(pinned, PAGES), pinned_pages());
	ASSERT_TRUE(counts_more(fd, 1));
	EXPECT_EQ(0, close(fd));
	EXPECT_EQ(pinned, pinned_pages_settle(pinned));
	memset(counters, 0, sizeof(counters));
	burn_ns(40000000);
	EXPECT_EQ(0, counters[0]);
	EXPECT_EQ(0, memcmp(counters, counters + 1, sizeof(counters) - 4));
}

TEST(duplicate_holds)
{
	long long pinned = pinned_pages();
	int fd = OPEN_DEVICE(), copy;

	ASSERT_EQ(0, start_all(fd));
	copy = dup(fd);
	ASSERT_GE(copy, 0);
	close(fd);
	EXPECT_TRUE(runs(copy));
	EXPECT_TRUE(counts_more(copy, 1));
	EXPECT_EQ(-EBUSY, start_all(copy));
	close(copy);
	EXPECT_EQ(pinned, pinned_pages_settle(pinned));
}

/* A child that was forked and only waits has the descriptor. */
TEST(child_holds_descriptor)
{
	long long pinned = pinned_pages();
	int fd = OPEN_DEVICE(), gone[2];
	pid_t child;
	int probe;

	ASSERT_EQ(0, pipe(gone));
	ASSERT_EQ(0, start_all(fd));
	child = fork_child();
	if (!child) {
		hear(gone[0]);
		_exit(!runs(fd));
	}
	close(fd);
	/* By the kernel's own list of pins: it still runs. */
	EXPECT_EQ(pinned_and(pinned, PAGES), pinned_pages());
	ASSERT_TRUE(say(gone[1]));
	ASSERT_EQ(child, waitpid(child, &probe, 0));
	EXPECT_EQ(0, probe);
	EXPECT_EQ(pinned, pinned_pages_settle(pinned));
}

/* The session's id, or 0. */
static uint64_t start_id(int fd)
{
	struct profil_region region = all_code(counters, sizeof(counters));
	struct profil_start arg = start_of(&region, 1);

	return call(fd, PROFIL_IOC_START, &arg) ? 0 : arg.session;
}

static int read_id(int fd, uint64_t id, struct profil_counts *counts)
{
	memset(counts, 0, sizeof(*counts));
	counts->size = sizeof(*counts);
	counts->session = id;
	return call(fd, PROFIL_IOC_READ, counts);
}

static void *hold(int fd)
{
	return mmap(NULL, PAGE, PROT_NONE, MAP_SHARED, fd, 0);
}

TEST(mapping_holds)
{
	long long pinned = pinned_pages();
	int fd = OPEN_DEVICE(), other = OPEN_DEVICE();
	struct profil_counts counts, more;
	uint64_t id = start_id(fd);
	void *map = hold(fd);

	ASSERT_NE(0, id);
	ASSERT_NE(MAP_FAILED, map);
	close(fd);
	ASSERT_EQ(0, read_id(other, id, &counts));
	EXPECT_EQ(PROFIL_RUNNING, counts.state);
	EXPECT_EQ(PAGES, counts.pages);
	burn_ns(40000000);
	ASSERT_EQ(0, read_id(other, id, &more));
	EXPECT_GT(more.ticks, counts.ticks);

	EXPECT_EQ(0, munmap(map, PAGE));
	EXPECT_EQ(-ESRCH, read_id(other, id, &counts));
	EXPECT_EQ(pinned, pinned_pages_settle(pinned));
	close(other);
}

/* The mapping is moved, protected, written over: it holds until it is gone. */
TEST(mapping_is_replaced)
{
	int fd = OPEN_DEVICE(), other = OPEN_DEVICE();
	struct profil_counts counts;
	uint64_t id = start_id(fd);
	void *map = hold(fd), *moved;

	ASSERT_NE(0, id);
	ASSERT_NE(MAP_FAILED, map);
	close(fd);
	moved = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_EQ(moved, mremap(map, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
				moved));
	ASSERT_EQ(0, mprotect(moved, PAGE, PROT_READ));
	EXPECT_EQ(0, read_id(other, id, &counts));
	ASSERT_EQ(moved, mmap(moved, PAGE, PROT_NONE, MAP_PRIVATE |
			      MAP_ANONYMOUS | MAP_FIXED, -1, 0));
	EXPECT_EQ(-ESRCH, read_id(other, id, &counts));
	close(other);
}

/* Both sides have the mapping; the session is the parent's all the same. */
TEST(mapping_in_child)
{
	int fd = OPEN_DEVICE(), other = OPEN_DEVICE(), go[2], status;
	struct profil_counts counts;
	uint64_t id = start_id(fd);
	void *map = hold(fd);
	pid_t child;

	ASSERT_NE(0, id);
	ASSERT_NE(MAP_FAILED, map);
	ASSERT_EQ(0, pipe(go));
	close(fd);
	child = fork_child();
	if (!child)
		_exit(!hear(go[0]) || read_id(other, id, &counts) != -ESRCH);
	EXPECT_EQ(0, munmap(map, PAGE));
	EXPECT_EQ(0, read_id(other, id, &counts));
	ASSERT_TRUE(say(go[1]));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(-ESRCH, read_id(other, id, &counts));
	close(other);
}

/* Sessions on another process */

static int start_pid(int fd, pid_t pid)
{
	struct profil_region region = all_code(counters, sizeof(counters));
	struct profil_start arg = start_of(&region, 1);

	arg.pid = pid;
	return call(fd, PROFIL_IOC_START, &arg);
}

static pid_t busy_child(void)
{
	pid_t child = fork_child();

	while (!child)
		burn_ns(NSEC);
	return child;
}

static uint64_t sum(void)
{
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(counters); i++)
		total += counters[i];
	return total;
}

TEST(another_process)
{
	struct profil_counts counts;
	int fd = OPEN_DEVICE();
	uint64_t until;
	pid_t child;

	if (geteuid())
		SKIP(return, "not root: cannot profile another process");
	child = busy_child();
	ASSERT_EQ(0, start_pid(fd, child));
	until = clock_ns(CLOCK_MONOTONIC) + 10 * NSEC;
	do {
		usleep(1000);
		ASSERT_EQ(0, read_counts(fd, &counts));
	} while (counts.ticks < 10 && clock_ns(CLOCK_MONOTONIC) < until);
	EXPECT_GE(counts.ticks, 10);
	end_child(child);
	expect_ended(_metadata, fd, &counts);
	EXPECT_EQ(counts.counted, sum());
	EXPECT_EQ(counts.ticks, counts.counted + counts.outside);
	close(fd);
}

TEST(another_process_execs)
{
	struct profil_counts last, later;
	int fd = OPEN_DEVICE(), go[2];
	pid_t child;

	if (geteuid())
		SKIP(return, "not root: cannot profile another process");
	ASSERT_EQ(0, pipe(go));
	child = fork_child();
	if (!child) {
		if (hear(go[0]))
			end_by_exec(fd);
		_exit(1);
	}
	ASSERT_EQ(0, start_pid(fd, child));
	EXPECT_TRUE(runs(fd));
	ASSERT_TRUE(say(go[1]));
	EXPECT_TRUE(ends(fd));
	expect_ended(_metadata, fd, &last);
	burn_ns(50000000);
	ASSERT_EQ(0, read_counts(fd, &later));
	EXPECT_EQ(0, memcmp(&last, &later, sizeof(last)));
	end_child(child);
	close(fd);
}

/*
 * The profiler dies, whose are the buffers; both the profiled process and
 * this one have its descriptor.
 */
TEST(profiler_dies)
{
	long long pinned = pinned_pages();
	int fd = OPEN_DEVICE(), ready[2];
	struct profil_counts last;
	pid_t busy, profiler;

	if (geteuid())
		SKIP(return, "not root: cannot profile another process");
	ASSERT_EQ(0, pipe(ready));
	busy = busy_child();
	profiler = fork_child();
	if (!profiler) {
		if (!start_pid(fd, busy))
			say(ready[1]);
		for (;;)
			pause();
	}
	ASSERT_TRUE(hear(ready[0]));
	EXPECT_TRUE(runs(fd));
	end_child(profiler);
	expect_ended(_metadata, fd, &last);
	EXPECT_EQ(pinned, pinned_pages_settle(pinned));
	EXPECT_EQ(0, kill(busy, 0));
	end_child(busy);
	close(fd);
}

/* The administrator's view */

/* id pid uid started period_ns regions pages, six counts, comm */
#define LIST_LINE	"%*u %d %u %lld %u %u %lu %*u %*u %*u %*u %*u %*u %31s"

/* The line of the session @id, or an empty one. */
static void list_line(uint64_t id, char *line, size_t size)
{
	FILE *file = fopen(LIST, "r");

	while (file && fgets(line, size, file))
		if (strtoull(line, NULL, 10) == id) {
			fclose(file);
			return;
		}
	if (file)
		fclose(file);
	line[0] = 0;
}

/* One's own session of two regions, as an ordinary user. */
static void listed_process(int ask, int answer)
{
	struct profil_region regions[] = {
		all_code(counters, sizeof(counters)),
		all_code(counters, sizeof(counters)),
	};
	struct profil_start arg = start_of(regions, 2);
	struct profil_counts counts;
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	regions[1].offset = 4096;
	arg.period_ns = 20000000;
	prctl(PR_SET_NAME, "listed");
	if (!become_user(ORDINARY_USER) || call(fd, PROFIL_IOC_START, &arg) ||
	    !counts_more(fd, 1) ||
	    write(answer, &arg.session, sizeof(arg.session)) < 0)
		_exit(1);
	hear(ask);
	stop(fd, &counts);
	say(answer);
	pause();
}

TEST(list)
{
	unsigned int uid, period, regions;
	unsigned long pages;
	char line[512], comm[32];
	int ask[2], answer[2], pid;
	long long started;
	struct stat stat;
	uint64_t id = 0;
	pid_t child;

	close(OPEN_DEVICE());
	if (geteuid() || lstat(LIST, &stat))
		SKIP(return, "not root, or no debugfs: no list to be read");
	EXPECT_EQ(S_IFREG | 0400, stat.st_mode);
	EXPECT_EQ(0, stat.st_uid);
	ASSERT_EQ(0, pipe(ask));
	ASSERT_EQ(0, pipe(answer));
	child = fork_child();
	if (!child)
		listed_process(ask[0], answer[1]);
	ASSERT_EQ(sizeof(id), read(answer[0], &id, sizeof(id)));

	list_line(id, line, sizeof(line));
	ASSERT_EQ(7, sscanf(line, LIST_LINE, &pid, &uid, &started, &period,
			    &regions, &pages, comm))
		TH_LOG("line: '%s'", line);
	EXPECT_EQ(child, pid);
	EXPECT_EQ(ORDINARY_USER, uid);
	EXPECT_LE(started, time(NULL));
	EXPECT_GE(started, time(NULL) - 60);
	EXPECT_EQ(20000000, period);
	EXPECT_EQ(2, regions);
	EXPECT_EQ(2 * PAGES, pages);
	EXPECT_STREQ("listed", comm);

	ASSERT_TRUE(say(ask[1]));
	ASSERT_TRUE(hear(answer[0]));
	list_line(id, line, sizeof(line));
	EXPECT_STREQ("", line);
	end_child(child);
}

/* The module */

/* Never called when it could succeed. */
static int unload(void)
{
	return syscall(SYS_delete_module, "profil", O_NONBLOCK) ? -errno : 0;
}

TEST(module_is_in_use)
{
	int fd = OPEN_DEVICE();
	void *map;

	if (geteuid())
		SKIP(return, "not root: cannot unload a module");
	if (access("/sys/module/profil/initstate", F_OK))
		SKIP(return, "profil is not a module here");
	EXPECT_TRUE(unload() == -EWOULDBLOCK || unload() == -EBUSY);
	map = hold(fd);
	ASSERT_NE(MAP_FAILED, map);
	close(fd);
	EXPECT_TRUE(unload() == -EWOULDBLOCK || unload() == -EBUSY);
	EXPECT_EQ(0, access(DEVICE, F_OK));
	munmap(map, PAGE);
}

TEST_HARNESS_MAIN
