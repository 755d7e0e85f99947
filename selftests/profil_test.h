/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the selftests share: the calls of /dev/profil on ordinary arguments,
 * and the kernel's own word on what is pinned.
 */
#ifndef PROFIL_TEST_H
#define PROFIL_TEST_H

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/capability.h>
#include <linux/profil.h>

#include "kselftest_harness.h"

/* Seconds, before which no test is taken to hang: emulated machines are slow. */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT	180

#define DEVICE		"/dev/profil"
#define LIST		"/sys/kernel/debug/profil/sessions"
#define NSEC		1000000000ULL

/* Before main(): without the module, the whole program is skipped. */
__attribute__((constructor)) static void need_module(void)
{
	if (!access(DEVICE, F_OK) || errno != ENOENT)
		return;
	printf("TAP version 13\n");
	printf("1..0 # SKIP no " DEVICE ": the module is not loaded\n");
	fflush(stdout);
	_exit(KSFT_SKIP);
}

#define OPEN_DEVICE()							\
({									\
	int _fd = open(DEVICE, O_RDWR | O_CLOEXEC);			\
									\
	ASSERT_GE(_fd, 0);						\
	_fd;								\
})

/* A region whose counters of @width bytes cover [@code, @code + 2 * n). */
static inline struct profil_region region_of(const void *code, void *buf,
					     size_t bytes, unsigned int width)
{
	return (struct profil_region){
		.offset = (uintptr_t)code,
		.buf = (uintptr_t)buf,
		.bytes = bytes,
		.scale = 65536,
		.width = width,
	};
}

/* Counts every pc in the first counter. */
static inline struct profil_region all_code(void *buf, size_t bytes)
{
	struct profil_region region = region_of(NULL, buf, bytes, 4);

	region.scale = 0;
	return region;
}

static inline struct profil_start start_of(const struct profil_region *regions,
					   unsigned int nr)
{
	return (struct profil_start){
		.size = sizeof(struct profil_start),
		.regions = (uintptr_t)regions,
		.nr_regions = nr,
	};
}

/* Each returns 0 or -errno. */
static inline int call(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg) ? -errno : 0;
}

static inline int start(int fd, const struct profil_region *regions,
			unsigned int nr, uint32_t period_ns)
{
	struct profil_start arg = start_of(regions, nr);

	arg.period_ns = period_ns;
	return call(fd, PROFIL_IOC_START, &arg);
}

static inline int set_regions(int fd, const struct profil_region *regions,
			      unsigned int nr)
{
	struct profil_set_regions arg = {
		.size = sizeof(arg),
		.nr_regions = nr,
		.regions = (uintptr_t)regions,
	};

	return call(fd, PROFIL_IOC_SET_REGIONS, &arg);
}

static inline int counts_call(int fd, unsigned long request,
			      struct profil_counts *counts)
{
	memset(counts, 0, sizeof(*counts));
	counts->size = sizeof(*counts);
	return call(fd, request, counts);
}

static inline int stop(int fd, struct profil_counts *counts)
{
	return counts_call(fd, PROFIL_IOC_STOP, counts);
}

static inline int read_counts(int fd, struct profil_counts *counts)
{
	return counts_call(fd, PROFIL_IOC_READ, counts);
}

static inline struct profil_info info_of(int fd)
{
	struct profil_info info = { .size = sizeof(info) };

	if (call(fd, PROFIL_IOC_INFO, &info))
		memset(&info, 0, sizeof(info));
	return info;
}

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NSEC + now.tv_nsec;
}

/* Uses @ns of the calling thread's CPU time, in user mode for the most part. */
static inline void burn_ns(uint64_t ns)
{
	uint64_t end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;
	volatile unsigned int i;

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		for (i = 0; i < 20000; i++)
			;
}

static inline void sleep_ns(uint64_t ns)
{
	usleep(ns / 1000);
}

/* Whether @nr ticks more are counted while this process does @pass. */
static inline bool counts_more_while(int fd, uint64_t nr, void (*pass)(uint64_t))
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + 10 * NSEC;
	struct profil_counts before, now;

	if (read_counts(fd, &before))
		return false;
	do {
		pass(2000000);
		if (read_counts(fd, &now))
			return false;
	} while (now.counted < before.counted + nr &&
		 clock_ns(CLOCK_MONOTONIC) < end);
	return now.counted >= before.counted + nr;
}

/* The same of this process's own ticks. */
static inline bool counts_more(int fd, uint64_t nr)
{
	return counts_more_while(fd, nr, burn_ns);
}

static inline uint64_t taken(const struct profil_counts *counts)
{
	return counts->counted + counts->outside + counts->saturated;
}

static inline bool identity_holds(const struct profil_counts *counts)
{
	return counts->ticks == taken(counts) + counts->skipped;
}

/* A child that does not outlive the test, whatever ends it. */
static inline pid_t fork_child(void)
{
	pid_t parent = getpid(), pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
	}
	return pid;
}

static inline void end_child(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* Sessions that profile the process @pid, by the administrator's list, or -1. */
static inline int listed(pid_t pid)
{
	FILE *file = fopen(LIST, "r");
	char line[512];
	int nr = 0, target;

	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file))
		nr += sscanf(line, "%*u %d", &target) == 1 && target == pid;
	fclose(file);
	return nr;
}

/* The number that a file of the kernel begins with, or -1. */
static inline long long kernel_value(const char *path)
{
	FILE *file = fopen(path, "r");
	long long value;

	if (!file)
		return -1;
	if (fscanf(file, "%lld", &value) != 1)
		value = -1;
	fclose(file);
	return value;
}

/* Returns 0, or -errno. */
static inline int kernel_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

static inline int kernel_write_value(const char *path, long long value)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", value);
	return kernel_write(path, text);
}

/* A number from a "name value" file of the kernel, or -1. */
static inline long long kernel_number(const char *path, const char *name)
{
	long long value = -1;
	char line[256], key[64];
	FILE *file = fopen(path, "r");

	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file)) {
		long long number;

		if (sscanf(line, "%63s %lld", key, &number) == 2 &&
		    !strcmp(key, name))
			value = number;
	}
	fclose(file);
	return value;
}

/*
 * Pages pinned by anybody on this machine, as the memory management counts.
 * CPUs keep small differences to themselves until root asks for them: others
 * get -1, always.
 */
static inline long long pinned_pages(void)
{
	if (kernel_write("/proc/sys/vm/stat_refresh", "1"))
		return -1;
	return kernel_number("/proc/vmstat", "nr_foll_pin_acquired") -
	       kernel_number("/proc/vmstat", "nr_foll_pin_released");
}

/* What pinned_pages() is after @more than when it was @pinned. */
static inline long long pinned_and(long long pinned, long long more)
{
	return pinned < 0 ? pinned : pinned + more;
}

/*
 * Waits until pinned_pages() is @expected, as after a process was killed that
 * is not reaped yet.  Returns what it was last.
 */
static inline long long pinned_pages_settle(long long expected)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + 10 * NSEC;
	long long pinned;

	while ((pinned = pinned_pages()) != expected &&
	       clock_ns(CLOCK_MONOTONIC) < end)
		usleep(10000);
	return pinned;
}

/* @nr pages of zeros of their own, between two that cannot be accessed. */
static inline void *guarded_pages(size_t nr, int prot)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *start = mmap(NULL, (nr + 2) * page, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (start == MAP_FAILED || mprotect(start + page, nr * page, prot))
		return NULL;
	return start + page;
}

/* KiB that count against this process's RLIMIT_MEMLOCK. */
static inline long long charged_kb(void)
{
	return kernel_number("/proc/self/status", "VmPin:");
}

#define PARAMETERS	"/sys/module/profil/parameters/"

/* A parameter of the module, or -1. */
static inline long long parameter(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), PARAMETERS "%s", name);
	return kernel_value(path);
}

/* Returns 0, or -errno: an ordinary user may not. */
static inline int set_parameter(const char *name, long long value)
{
	char path[128];

	snprintf(path, sizeof(path), PARAMETERS "%s", name);
	return kernel_write_value(path, value);
}

/* Root becomes an ordinary user, for good. */
static inline bool become_user(uid_t uid)
{
	return !setgroups(0, NULL) && !setresgid(uid, uid, uid) &&
	       !setresuid(uid, uid, uid);
}

/* Gives up all capabilities but @caps, a bit for each. */
static inline bool keep_caps(uint64_t caps)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = {
		{ .effective = caps, .permitted = caps },
		{ .effective = caps >> 32, .permitted = caps >> 32 },
	};

	return !syscall(SYS_capset, &header, data);
}

#endif /* PROFIL_TEST_H */
