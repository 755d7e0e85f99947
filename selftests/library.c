// SPDX-License-Identifier: GPL-2.0
/*
 * profil(3) as programs see it.
 *
 * This file is built several times: against libprofil.so, against libprofil.a,
 * with a library that clang made, and against the C library alone, which is
 * then run with libprofil.so preloaded.  None of them includes <profil.h>
 * before <unistd.h>, as old programs do not.
 *
 * The programs are linked to a fixed address, so that a work function is at
 * the same place after exec().
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/stat.h>

#include "profil.h"
#include "work.h"

#define RATE		100	/* samples per second of CPU time */
#define PERIOD		(NSEC / RATE)
#define WORK_SCALE	(65536 / (WORK_BYTES / 2))
#define SPOTS		1024	/* descriptor numbers that are looked at */
#define NOBODY		65534

typedef volatile unsigned short counter_t;

/* <unistd.h> says that the buffer is never NULL: the compiler must not know. */
static unsigned short *volatile nothing;

#ifdef PRELOAD
static int profile_read(struct profil_counts *counts)
{
	int (*func)(struct profil_counts *counts);

	func = (__typeof__(func))dlsym(RTLD_DEFAULT, "profil_read");
	return func(counts);
}
#else
static int profile_read(struct profil_counts *counts)
{
	return profil_read(counts);
}
#endif

static struct profil_counts counts_now(void)
{
	struct profil_counts counts = { .size = sizeof(counts) };

	if (profile_read(&counts))
		memset(&counts, 0xff, sizeof(counts));
	return counts;
}

/* One counter for work_a. */
static int profile(counter_t *counter)
{
	return profil((unsigned short *)counter, sizeof(*counter),
		      (size_t)work_a, WORK_SCALE);
}

static int profile_stop(void)
{
	return profil(nothing, 0, 0, 0);
}

static int error_of(void *buf, size_t bytes)
{
	errno = 0;
	return profil(buf, bytes, 0, 65536) ? errno : 0;
}

/* Works until @counter has gone up by a few; gives up after 10 s. */
static bool is_counted(counter_t *counter)
{
	unsigned int before = *counter;
	int i;

	for (i = 0; i < 1000 && *counter < before + 3; i++)
		work_for(work_a, NSEC / 100);
	return *counter >= before + 3;
}

/* 20 samples would come. */
static bool is_not_counted(counter_t *counter)
{
	unsigned int before = *counter;

	work_for(work_a, 20 * PERIOD);
	return *counter == before;
}

static void *shared_memory(size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

/*
 * Runs @func, which returns what is wrong, in a child that is profiled and in
 * a root directory where the device is not, if the machine lets us.
 */
#define NO_CHROOT	77

static bool enter_root(const char *root)
{
	/* Whoever may not may do so in a user namespace of his own. */
	if (chroot(root) && (unshare(CLONE_NEWUSER) || chroot(root)))
		return false;
	return !chdir("/");
}

static int profiled_in_root(const char *root, int (*func)(void))
{
	counter_t counter = 0;
	int ret;

	if (profile(&counter) || !is_counted(&counter))
		return 70;
	if (!enter_root(root))
		return NO_CHROOT;
	ret = func();
	if (!ret && !is_not_counted(&counter))
		ret = 71;
	return ret;
}

static int in_other_root(bool has_dev, int (*func)(void))
{
	char root[] = "/tmp/profil-library.XXXXXX", dev[64];
	int status;
	pid_t pid;

	if (!mkdtemp(root) || chmod(root, 0755))
		return NO_CHROOT;
	snprintf(dev, sizeof(dev), "%s/dev", root);
	if (has_dev && mkdir(dev, 0))
		return NO_CHROOT;
	pid = fork_child();
	if (!pid)
		_exit(profiled_in_root(root, func));
	status = child_status(pid);
	if (has_dev)
		rmdir(dev);
	rmdir(root);
	return status;
}

/* What a program does that was started by one of the tests. */
static void __attribute__((constructor)) other_role(void)
{
	char byte;

#ifdef PRELOAD
	if (!getenv("LD_PRELOAD")) {
		static char *argv[] = { "library_preload", NULL };

		setenv("LD_PRELOAD", PRELOAD, 1);
		execv("/proc/self/exe", argv);
		perror("exec");
		_exit(1);
	}
#endif
	if (!getenv("PROFIL_TEST_WORK"))
		return;
	if (read(STDIN_FILENO, &byte, 1) != 1)
		_exit(1);
	work_for(work_a, 20 * PERIOD);
	_exit(0);
}

FIXTURE(library)
{
};

FIXTURE_SETUP(library)
{
	close(OPEN_DEVICE());
}

FIXTURE_TEARDOWN(library)
{
	profile_stop();
}

TEST_F(library, null_stops)
{
	counter_t counter = 0;

	ASSERT_EQ(0, profile(&counter));
	ASSERT_TRUE(is_counted(&counter));
	EXPECT_EQ(0, profil(nothing, sizeof(counter), (size_t)work_a,
			    WORK_SCALE));
	EXPECT_TRUE(is_not_counted(&counter));
}

TEST_F(library, scale_0_stops)
{
	counter_t counter = 0;

	ASSERT_EQ(0, profile(&counter));
	ASSERT_TRUE(is_counted(&counter));
	EXPECT_EQ(0, profil((unsigned short *)&counter, sizeof(counter),
			    (size_t)work_a, 0));
	EXPECT_TRUE(is_not_counted(&counter));
}

/* Nobody looks at the other arguments then. */
TEST_F(library, scale_0_stops_whatever_the_buffer)
{
	counter_t counter = 0;

	ASSERT_EQ(0, profile(&counter));
	EXPECT_EQ(0, profil((unsigned short *)1, SIZE_MAX, 0, 0));
	EXPECT_TRUE(is_not_counted(&counter));
}

TEST_F(library, stops_twice)
{
	counter_t counter = 0;

	EXPECT_EQ(0, profile_stop());
	EXPECT_EQ(0, profile_stop());
	ASSERT_EQ(0, profile(&counter));
	EXPECT_EQ(0, profile_stop());
	EXPECT_EQ(0, profile_stop());
	EXPECT_EQ(0, profil((unsigned short *)&counter, 2, 0, 0));
}

TEST_F(library, leaves_errno_alone)
{
	struct profil_counts counts = { .size = sizeof(counts) };
	counter_t counter = 0;
	int i;

	errno = 4711;
	EXPECT_EQ(0, profile_stop());
	EXPECT_EQ(4711, errno);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(0, profile(&counter));
		EXPECT_EQ(4711, errno);
	}
	EXPECT_EQ(0, profile_read(&counts));
	EXPECT_EQ(4711, errno);
	EXPECT_EQ(0, profile_stop());
	EXPECT_EQ(4711, errno);
	EXPECT_EQ(0, profile_read(&counts));
	EXPECT_EQ(4711, errno);
}

/*
 * 100 samples in a second of CPU time.  The thinning is exact to a sample on
 * each CPU; for the rest see work.h.
 */
TEST_F(library, rate)
{
	struct profil_counts counts;
	struct accounted before;
	uint64_t begin, used, counted, lost;
	counter_t counter = 0;

	ASSERT_EQ(0, profile(&counter));
	before = accounted_now();
	begin = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	work_for(work_a, 2 * NSEC);
	used = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begin;
	lost = lost_ns(&before, -1);
	ASSERT_EQ(0, profile_stop());

	counts = counts_now();
	EXPECT_EQ(counter, counts.counted);
	counted = taken(&counts) * PERIOD;
	TH_LOG("%.2f s counted, %.3f s used, machine lost %.3f s",
	       (double)counted / NSEC, (double)used / NSEC,
	       (double)lost / NSEC);
	EXPECT_LE(counted, used + slack_ns(used, PERIOD));
	EXPECT_GE(counted + shortfall_ns(used, PERIOD, lost), used);
}

TEST_F(library, einval)
{
	unsigned short buf[4];

	EXPECT_EQ(EINVAL, error_of((char *)buf + 1, 4));
	EXPECT_EQ(EINVAL, error_of((char *)buf + 1, 0));
}

TEST_F(library, efault)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *map = shared_memory(3 * page);

	ASSERT_NE(MAP_FAILED, (void *)map);
	ASSERT_EQ(0, mprotect(map + page, page, PROT_READ));
	EXPECT_EQ(EFAULT, error_of(map + page, page));
	EXPECT_EQ(EFAULT, error_of(map, page + 2));
	EXPECT_EQ(EFAULT, error_of(map + page, 2 * page));
	ASSERT_EQ(0, munmap(map + page, page));
	EXPECT_EQ(EFAULT, error_of(map + page, page));
	EXPECT_EQ(EFAULT, error_of(map, page + 2));
	EXPECT_EQ(0, error_of(map, page));
	EXPECT_EQ(0, error_of(map, page + 1));
	EXPECT_EQ(EFAULT, error_of((void *)-page, page));
	EXPECT_EQ(EFAULT, error_of((void *)2, 2));
}

/* What the library's header says of too much memory: one way, the other. */
TEST_F(library, enomem_region)
{
	size_t bytes = (1UL << 30) + 2;
	void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (map == MAP_FAILED)
		SKIP(return, "no 1 GiB of addresses");
	EXPECT_EQ(ENOMEM, error_of(map, bytes));
}

TEST_F(library, enomem_rlimit)
{
	struct rlimit none = { 0, 0 };
	struct profil_info info;
	size_t bytes;
	void *map;
	int fd = OPEN_DEVICE();

	info = info_of(fd);
	close(fd);
	bytes = info.user_bytes + sysconf(_SC_PAGESIZE);
	if (bytes > info.region_bytes)
		SKIP(return, "a user may pin more than a region");
	map = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	ASSERT_NE(MAP_FAILED, map);
	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &none));
	if (!geteuid())
		ASSERT_EQ(0, setresuid(NOBODY, NOBODY, NOBODY));
	EXPECT_EQ(ENOMEM, error_of(map, bytes));
}

TEST_F(library, emfile)
{
	struct rlimit few = { 0, 0 };
	counter_t counter = 0;

	ASSERT_EQ(0, profile(&counter));
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &few));
	EXPECT_EQ(EMFILE, error_of((void *)&counter, sizeof(counter)));
	EXPECT_TRUE(is_counted(&counter));
	EXPECT_EQ(0, profile_stop());
	EXPECT_TRUE(is_not_counted(&counter));
}

/*
 * Unmapping is what ends the profile then.  A child, which has a copy of what
 * was mapped, must not keep it alive.
 */
TEST_F(library, stops_without_a_descriptor_beside_a_child)
{
	struct rlimit few = { 0, 0 };
	counter_t counter = 0;
	int go[2];
	char byte;
	pid_t pid;

	ASSERT_EQ(0, profile(&counter));
	ASSERT_EQ(0, pipe(go));
	pid = fork_child();
	ASSERT_LE(0, pid);
	if (!pid) {
		close(go[1]);
		_exit(read(go[0], &byte, 1));
	}
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &few));
	EXPECT_EQ(0, profile_stop());
	EXPECT_TRUE(is_not_counted(&counter));
	close(go[1]);
	EXPECT_EQ(0, child_status(pid));
}

static int check_enoent(void)
{
	unsigned short buf;

	if (error_of(&buf, sizeof(buf)) != ENOENT)
		return 1;
	errno = 4711;
	return profile_stop() || errno != 4711 ? 2 : 0;
}

/* The module is not loaded; and stopping does not need the device. */
TEST_F(library, enoent_and_stop_after_chroot)
{
	int status = in_other_root(false, check_enoent);

	if (status == NO_CHROOT)
		SKIP(return, "neither chroot() nor user namespaces");
	EXPECT_EQ(0, status);
}

/* Nobody but root may search /dev. */
static int check_eacces(void)
{
	unsigned short buf;

	if (!geteuid() && setresuid(NOBODY, NOBODY, NOBODY))
		return NO_CHROOT;
	if (error_of(&buf, sizeof(buf)) != EACCES)
		return 1;
	return profile_stop() ? 2 : 0;
}

TEST_F(library, eacces)
{
	int status = in_other_root(true, check_eacces);

	if (status == NO_CHROOT)
		SKIP(return, "neither chroot() nor user namespaces");
	EXPECT_EQ(0, status);
}

TEST_F(library, failure_changes_nothing)
{
	counter_t counter = 0;
	unsigned short buf[2];

	ASSERT_EQ(0, profile(&counter));
	EXPECT_EQ(EINVAL, error_of((char *)buf + 1, 2));
	EXPECT_EQ(EFAULT, error_of((void *)2, 2));
	EXPECT_TRUE(is_counted(&counter));
	EXPECT_EQ(PROFIL_RUNNING, counts_now().state);
}

/*
 * A sibling works all the time.  What is counted in one buffer stays as it is
 * while the other one is in use, and both hold all that was counted.
 */
static bool sibling_ends;

static void *sibling(void *unused)
{
	while (!__atomic_load_n(&sibling_ends, __ATOMIC_RELAXED))
		work_a(WORK_ROUNDS);
	return unused;
}

TEST_F(library, second_call_replaces)
{
	counter_t counter[2] = { 0 };
	struct profil_counts counts;
	pthread_t thread;
	int i;

	ASSERT_EQ(0, profile(&counter[0]));
	ASSERT_EQ(0, pthread_create(&thread, NULL, sibling, NULL));
	for (i = 1; i < 60; i++) {
		unsigned int old;

		EXPECT_EQ(0, profile(&counter[i % 2]));
		old = counter[!(i % 2)];
		work_for(work_a, 10000000);
		EXPECT_EQ(old, counter[!(i % 2)]);
	}
	__atomic_store_n(&sibling_ends, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	ASSERT_EQ(0, profile_stop());

	counts = counts_now();
	EXPECT_LT(0, counter[0]);
	EXPECT_LT(0, counter[1]);
	EXPECT_EQ(counts.counted, counter[0] + counter[1]);
	EXPECT_TRUE(identity_holds(&counts));
	EXPECT_EQ(0, counts.state);
}

/* Bins of a byte: program counters being halved, every second one is used. */
TEST_F(library, scale_131072)
{
	static unsigned short buf[WORK_BYTES];
	unsigned int i, even = 0, odd = 0;

	ASSERT_EQ(0, profil(buf, sizeof(buf), (size_t)work_a, 131072));
	work_for(work_a, NSEC / 2);
	ASSERT_EQ(0, profile_stop());
	for (i = 0; i < WORK_BYTES; i += 2) {
		even += buf[i];
		odd += buf[i + 1];
	}
	EXPECT_LT(0, even);
	EXPECT_EQ(0, odd);
	EXPECT_EQ(counts_now().counted, even);
}

/* BSD and glibc: 128 KiB of code in one counter.  Not a way to stop. */
TEST_F(library, scale_1)
{
	counter_t counter[2] = { 0 };

	ASSERT_EQ(0, profil((unsigned short *)counter, sizeof(counter),
			    (size_t)work_a - 100000, 1));
	EXPECT_TRUE(is_counted(&counter[0]));
	ASSERT_EQ(0, profil((unsigned short *)counter, sizeof(counter),
			    (size_t)work_a - 131072, 1));
	EXPECT_TRUE(is_counted(&counter[1]));
	ASSERT_EQ(0, profile_stop());
	EXPECT_EQ(counts_now().counted, counter[0] + counter[1]);
}

TEST_F(library, no_whole_counter)
{
	unsigned short buf[2] = { 0, 0 };
	struct profil_counts counts;
	size_t bytes;
	int tries;

	for (bytes = 0; bytes < 2; bytes++) {
		ASSERT_EQ(0, profil(buf, bytes, (size_t)work_a, WORK_SCALE));
		for (tries = 0; tries < 100; tries++) {
			work_for(work_a, 10 * PERIOD);
			counts = counts_now();
			if (counts.outside)
				break;
		}
		ASSERT_EQ(0, profile_stop());
		EXPECT_EQ(0, counts.counted);
		EXPECT_LT(0, counts.outside);
	}
	EXPECT_EQ(0, buf[0]);
	EXPECT_EQ(0, buf[1]);
}

TEST_F(library, three_bytes_are_one_counter)
{
	counter_t counter[2] = { 0 };

	ASSERT_EQ(0, profil((unsigned short *)counter, 3,
			    (size_t)work_a - WORK_BYTES, WORK_SCALE));
	EXPECT_TRUE(is_not_counted(&counter[1]));
	ASSERT_EQ(0, profil((unsigned short *)counter, 3, (size_t)work_a,
			    WORK_SCALE));
	EXPECT_TRUE(is_counted(&counter[0]));
}

TEST_F(library, read)
{
	struct profil_counts counts;
	counter_t counter = 0;
	uint64_t ticks;

	counts = counts_now();
	EXPECT_EQ(0, counts.ticks);
	EXPECT_EQ(0, counts.state);

	ASSERT_EQ(0, profile(&counter));
	ASSERT_TRUE(is_counted(&counter));
	counts = counts_now();
	EXPECT_EQ(PROFIL_RUNNING, counts.state);
	EXPECT_EQ(sizeof(counts), counts.size);
	EXPECT_TRUE(identity_holds(&counts));
	EXPECT_LE(3, counts.counted);
	EXPECT_LE(1, counts.pages);
	ticks = counts.ticks;

	ASSERT_EQ(0, profile_stop());
	counts = counts_now();
	EXPECT_EQ(0, counts.state);
	EXPECT_EQ(0, counts.pages);
	EXPECT_LE(ticks, counts.ticks);
	EXPECT_EQ(counter, counts.counted);
	EXPECT_TRUE(identity_holds(&counts));
}

/* The same answers whether a profile runs or not. */
TEST_F(library, read_size)
{
	union {
		struct profil_counts counts;
		char bytes[8192];
	} arg;
	counter_t counter = 0;
	int i;

	for (i = 0; i < 2; i++) {
		memset(&arg, 0, sizeof(arg));
		EXPECT_EQ(-1, profile_read(&arg.counts));
		EXPECT_EQ(EINVAL, errno);
		arg.counts.size = sizeof(arg.counts) - 1;
		EXPECT_EQ(-1, profile_read(&arg.counts));
		EXPECT_EQ(EINVAL, errno);
		arg.counts.size = sizeof(arg);
		EXPECT_EQ(-1, profile_read(&arg.counts)) {
			TH_LOG("8 KiB, %s", i ? "running" : "stopped");
		}
		EXPECT_EQ(E2BIG, errno);
		memset(&arg, 0, sizeof(arg));
		arg.counts.size = sizeof(arg.counts) + 8;
		arg.bytes[sizeof(arg.counts)] = 1;
		EXPECT_EQ(-1, profile_read(&arg.counts)) {
			TH_LOG("rest not 0, %s", i ? "running" : "stopped");
		}
		EXPECT_EQ(E2BIG, errno);
		ASSERT_EQ(0, profile(&counter));
	}
}

static void open_spots(bool *spots)
{
	int i;

	for (i = 0; i < SPOTS; i++)
		spots[i] = fcntl(i, F_GETFD) >= 0;
}

TEST_F(library, leaves_no_descriptor)
{
	bool before[SPOTS], after[SPOTS];
	counter_t counter = 0;

	open_spots(before);
	ASSERT_EQ(0, profile(&counter));
	open_spots(after);
	EXPECT_EQ(0, memcmp(before, after, sizeof(before)));
	ASSERT_EQ(0, profile(&counter));
	EXPECT_EQ(EFAULT, error_of((void *)2, 2));
	counts_now();
	open_spots(after);
	EXPECT_EQ(0, memcmp(before, after, sizeof(before)));
	ASSERT_EQ(0, profile_stop());
	EXPECT_EQ(EFAULT, error_of((void *)2, 2));
	open_spots(after);
	EXPECT_EQ(0, memcmp(before, after, sizeof(before)));
}

TEST_F(library, survives_closing_everything)
{
	counter_t counter = 0;
	int fd, i;

	ASSERT_EQ(0, profile(&counter));
	for (fd = 3; fd < SPOTS; fd++)
		close(fd);
	for (i = 3; i < 8; i++)
		ASSERT_EQ(i, open("/dev/null", O_RDONLY));
	EXPECT_TRUE(is_counted(&counter));
	EXPECT_EQ(0, profile(&counter));
	EXPECT_TRUE(is_counted(&counter));
	EXPECT_EQ(0, profile_stop());
	EXPECT_TRUE(is_not_counted(&counter));
	for (i = 3; i < 8; i++)
		EXPECT_LE(0, fcntl(i, F_GETFD));
}

/* Returns what is wrong, 0 if nothing is. */
static int check_child(counter_t *shared)
{
	counter_t own = 0;

	if (counts_now().ticks || counts_now().state)
		return 1;
	if (!is_not_counted(shared))
		return 2;
	if (profile_stop())
		return 3;
	if (profile(&own) || !is_counted(&own))
		return 4;
	if (counts_now().counted > own)
		return 5;
	return profile_stop() || !is_not_counted(&own) ? 6 : 0;
}

/* The buffer is shared, so that it would show if the child were profiled. */
TEST_F(library, fork)
{
	counter_t *shared = shared_memory(sizeof(*shared));
	struct profil_counts before, after;
	int device = OPEN_DEVICE();
	uint64_t tick, own;
	pid_t pid;

	tick = info_of(device).tick_ns;
	close(device);
	ASSERT_NE(MAP_FAILED, (void *)shared);
	ASSERT_EQ(0, profile(shared));
	ASSERT_TRUE(is_counted(shared));

	before = counts_now();
	own = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	pid = fork_child();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(check_child(shared));
	EXPECT_EQ(0, child_status(pid));
	own = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - own;
	after = counts_now();

	/* The child's work of 0.4 s would have been 100 ticks at HZ=250. */
	EXPECT_GE(before.ticks + own / tick + 10, after.ticks);
	EXPECT_EQ(PROFIL_RUNNING, after.state);
	EXPECT_TRUE(is_counted(shared));
	ASSERT_EQ(0, profile_stop());
	EXPECT_EQ(*shared, counts_now().counted);
}

static bool loop_ends;
static unsigned int loop_failed;

/* Starts, replaces and stops a profile of its own counter. */
static void *profil_loop(void *counter)
{
	while (!__atomic_load_n(&loop_ends, __ATOMIC_RELAXED))
		if (profile(counter) || profile(counter) || profile_stop())
			__atomic_add_fetch(&loop_failed, 1, __ATOMIC_RELAXED);
	return NULL;
}

static int child_profiles(void)
{
	counter_t own = 0;

	alarm(20);
	if (profile(&own) || !is_counted(&own))
		return 1;
	return profile_stop() ? 2 : 0;
}

TEST_F(library, fork_during_profil)
{
	counter_t counter = 0;
	pthread_t thread;
	pid_t pid;
	int i;

	ASSERT_EQ(0, pthread_create(&thread, NULL, profil_loop,
				    (void *)&counter));
	for (i = 0; i < 20; i++) {
		pid = fork_child();
		ASSERT_LE(0, pid);
		if (!pid)
			_exit(child_profiles());
		EXPECT_EQ(0, child_status(pid));
	}
	__atomic_store_n(&loop_ends, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	EXPECT_EQ(0, loop_failed);
	EXPECT_EQ(0, profile(&counter));
	EXPECT_TRUE(is_counted(&counter));
}

TEST_F(library, threads)
{
	counter_t counter[4] = { 0 };
	pthread_t thread[4];
	unsigned int i;

	for (i = 0; i < 4; i++)
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, profil_loop,
					    (void *)&counter[i]));
	work_for(work_a, NSEC / 2);
	__atomic_store_n(&loop_ends, true, __ATOMIC_RELAXED);
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	EXPECT_EQ(0, loop_failed);

	EXPECT_EQ(0, profile_stop());
	EXPECT_EQ(0, counts_now().state);
	for (i = 0; i < 4; i++)
		EXPECT_TRUE(is_not_counted(&counter[i]));
	EXPECT_EQ(0, profile(&counter[0]));
	EXPECT_TRUE(is_counted(&counter[0]));
}

static counter_t cancelled_counter;
static int cancelled_ret = -1;

static void *cancelled(void *unused)
{
	struct profil_counts counts = { .size = sizeof(counts) };

	pthread_cancel(pthread_self());
	if (!profile(&cancelled_counter) && !profile_read(&counts) &&
	    !profile_stop())
		cancelled_ret = 0;
	pthread_testcancel();
	return unused;
}

TEST_F(library, is_no_cancellation_point)
{
	pthread_t thread;
	void *ret;

	ASSERT_EQ(0, pthread_create(&thread, NULL, cancelled, NULL));
	ASSERT_EQ(0, pthread_join(thread, &ret));
	EXPECT_EQ(PTHREAD_CANCELED, ret);
	EXPECT_EQ(0, cancelled_ret);
}

static void work_after_exec(counter_t *counter)
{
	static char *argv[] = { "library", NULL };

	if (profile(counter) || !is_counted(counter))
		_exit(1);
	setenv("PROFIL_TEST_WORK", "1", 1);
	execv("/proc/self/exe", argv);
	_exit(1);
}

/* The parent, which shares the buffer, sees when exec() has happened. */
TEST_F(library, exec)
{
	counter_t *shared = shared_memory(sizeof(*shared));
	unsigned int before;
	int go[2], gone[2];
	char byte = 0;
	pid_t pid;

	ASSERT_NE(MAP_FAILED, (void *)shared);
	ASSERT_EQ(0, pipe2(go, O_CLOEXEC));
	ASSERT_EQ(0, pipe2(gone, O_CLOEXEC));
	pid = fork_child();
	ASSERT_LE(0, pid);
	if (!pid) {
		dup2(go[0], STDIN_FILENO);
		work_after_exec(shared);
	}
	close(gone[1]);
	ASSERT_EQ(0, read(gone[0], &byte, 1));
	before = *shared;
	ASSERT_EQ(1, write(go[1], &byte, 1));
	EXPECT_EQ(0, child_status(pid));
	EXPECT_LE(3, before);
	EXPECT_EQ(before, *shared);
}

TEST_HARNESS_MAIN
