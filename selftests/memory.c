// SPDX-License-Identifier: GPL-2.0
/*
 * The memory that counters are in: whatever happens to it while a session
 * runs, the kernel writes to counters alone; and whose allowance pays for it.
 */
#define _GNU_SOURCE
#include <glob.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <linux/capability.h>
#include <linux/userfaultfd.h>

#include "profil_test.h"

#define PAGE		((size_t)sysconf(_SC_PAGESIZE))
#define ORDINARY_USER	61237
#define NO_CHILD	0x7f

static int start_on(int fd, void *buf, size_t bytes)
{
	struct profil_region region = all_code(buf, bytes);

	return start(fd, &region, 1, 0);
}

static bool is_filled(const void *memory, int byte, size_t size)
{
	const unsigned char *at = memory;

	return !size || (at[0] == byte && !memcmp(at, at + 1, size - 1));
}

/* Starts, counts, stops: the first counter must be what was counted. */
static void expect_counting(struct __test_metadata *_metadata, void *buf,
			    size_t bytes)
{
	long long pinned = pinned_pages();
	struct profil_counts counts;
	int fd = OPEN_DEVICE();
	uint32_t before;

	memcpy(&before, buf, 4);
	ASSERT_EQ(0, start_on(fd, buf, bytes));
	EXPECT_TRUE(counts_more(fd, 3));
	ASSERT_EQ(0, stop(fd, &counts));
	EXPECT_GE(counts.counted, 3);
	EXPECT_EQ(counts.counted, *(uint32_t *)buf - before);
	EXPECT_TRUE(is_filled((char *)buf + 4, 0, bytes - 4));
	EXPECT_EQ(pinned, pinned_pages_settle(pinned));
	close(fd);
}

/* Kinds of memory */

static uint32_t untouched[4096];

TEST(bss_never_touched)
{
	expect_counting(_metadata, untouched, sizeof(untouched));
}

static uint32_t initialised[2048] = { 5 };

TEST(data_never_touched)
{
	expect_counting(_metadata, initialised, sizeof(initialised));
	EXPECT_GE(initialised[0], 8);
}

TEST(stack)
{
	uint32_t buf[2048] = { 0 };

	expect_counting(_metadata, buf, sizeof(buf));
}

TEST(page_of_zeros_was_read)
{
	char *buf = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, buf);
	EXPECT_TRUE(is_filled(buf, 0, 2 * PAGE));
	expect_counting(_metadata, buf, 2 * PAGE);
}

TEST(huge_page)
{
	size_t size = 4 << 20, huge = 2 << 20;
	char *map = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *buf;

	ASSERT_NE(MAP_FAILED, map);
	buf = (char *)(((uintptr_t)map + huge - 1) & -huge);
	if (madvise(buf, huge, MADV_HUGEPAGE))
		SKIP(return, "no transparent huge pages");
	memset(buf, 0, huge);
	expect_counting(_metadata, buf + 3 * PAGE + 8, 5 * PAGE);
}

TEST(hugetlb)
{
	char *buf = mmap(NULL, 2 << 20, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	FILE *file;

	if (buf == MAP_FAILED && !geteuid()) {
		file = fopen("/proc/sys/vm/nr_hugepages", "w");
		if (file) {
			fprintf(file, "2\n");
			fclose(file);
		}
		buf = mmap(NULL, 2 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE |
			   MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	}
	if (buf == MAP_FAILED)
		SKIP(return, "no huge pages are to be had");
	expect_counting(_metadata, buf + PAGE + 4, 3 * PAGE);
	munmap(buf, 2 << 20);
}

/* Another process sees the counts of this one. */
static void expect_sharing(struct __test_metadata *_metadata, uint32_t *buf)
{
	struct profil_counts counts;
	int fd = OPEN_DEVICE(), status;
	pid_t child;

	ASSERT_EQ(0, start_on(fd, buf, PAGE));
	EXPECT_TRUE(counts_more(fd, 3));
	ASSERT_EQ(0, stop(fd, &counts));
	child = fork_child();
	if (!child)
		_exit(buf[0] != counts.counted);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);

	/* Shared by both: what the child counts, the parent sees. */
	child = fork_child();
	if (!child)
		_exit(start_on(fd, buf, PAGE) || !counts_more(fd, 5) ||
		      stop(fd, &counts));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_GE(buf[0], counts.counted + 5);
	EXPECT_TRUE(is_filled(buf + 1, 0, PAGE - 4));
	close(fd);
}

TEST(shared_anonymous)
{
	uint32_t *buf = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, buf);
	expect_sharing(_metadata, buf);
}

TEST(shared_memfd)
{
	int memfd = memfd_create("counters", MFD_CLOEXEC);
	uint32_t *buf, count = 0;

	if (memfd < 0)
		SKIP(return, "no memfd_create()");
	ASSERT_EQ(0, ftruncate(memfd, PAGE));
	buf = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, memfd, 0);
	ASSERT_NE(MAP_FAILED, buf);
	expect_sharing(_metadata, buf);
	/* The file has the counts, not only the mapping. */
	EXPECT_EQ(4, pread(memfd, &count, 4, 0));
	EXPECT_EQ(buf[0], count);
	EXPECT_NE(0, count);
}

/* Files on disk: a file system of our own in a file, if there is none */

FIXTURE(file) {
	char dir[32];
	bool mounted;
};

FIXTURE_SETUP(file)
{
	char command[512];

	strcpy(self->dir, "/tmp/profil-disk.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->dir));
	snprintf(command, sizeof(command),
		 "PATH=$PATH:/sbin:/usr/sbin; exec >/dev/null 2>&1; cd %s && "
		 "truncate -s 8M image && mkfs.ext4 -q image && mkdir mnt && "
		 "{ modprobe loop; modprobe ext4; mount -o loop image mnt; }",
		 self->dir);
	self->mounted = !geteuid() && !system(command);
}

FIXTURE_TEARDOWN(file)
{
	char command[256];

	snprintf(command, sizeof(command),
		 "umount %s/mnt 2>/dev/null; rm -rf %s", self->dir, self->dir);
	if (system(command))
		perror(self->dir);
}

static void *map_file(const char *dir, int flags)
{
	char path[128];
	void *buf;
	int fd;

	snprintf(path, sizeof(path), "%s/mnt/counters", dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, 4 * PAGE))
		return MAP_FAILED;
	buf = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, flags, fd, 0);
	close(fd);
	return buf;
}

TEST_F(file, shared)
{
	struct profil_region regions[2];
	long long pinned;
	char *buf;
	int fd = OPEN_DEVICE();

	if (!self->mounted)
		SKIP(return, "no file system on disk is to be had");
	buf = map_file(self->dir, MAP_SHARED);
	ASSERT_NE(MAP_FAILED, buf);
	pinned = pinned_pages();
	EXPECT_EQ(-EOPNOTSUPP, start_on(fd, buf, 4 * PAGE));
	memset(buf, 0, PAGE);
	EXPECT_EQ(-EOPNOTSUPP, start_on(fd, buf, 4 * PAGE));

	/* One bad buffer among good ones, also of a session that runs. */
	regions[0] = all_code(untouched, sizeof(untouched));
	regions[1] = region_of((void *)8, buf + PAGE, PAGE, 4);
	EXPECT_EQ(-EOPNOTSUPP, start(fd, regions, 2, 0));
	EXPECT_EQ(pinned, pinned_pages_settle(pinned));
	EXPECT_EQ(0, start(fd, regions, 1, 0));
	EXPECT_EQ(-EOPNOTSUPP, set_regions(fd, regions, 2));
	EXPECT_TRUE(counts_more(fd, 1));
	EXPECT_TRUE(is_filled(buf, 0, 4 * PAGE));
	close(fd);
	munmap(buf, 4 * PAGE);
}

TEST_F(file, private)
{
	char *buf, *file;

	close(OPEN_DEVICE());
	if (!self->mounted)
		SKIP(return, "no file system on disk is to be had");
	buf = map_file(self->dir, MAP_PRIVATE);
	ASSERT_NE(MAP_FAILED, buf);
	expect_counting(_metadata, buf, 4 * PAGE);
	/* The file has nothing of it. */
	file = map_file(self->dir, MAP_SHARED);
	ASSERT_NE(MAP_FAILED, file);
	EXPECT_TRUE(is_filled(file, 0, 4 * PAGE));
	munmap(file, 4 * PAGE);
	munmap(buf, 4 * PAGE);
}

/* What happens to the buffer meanwhile */

FIXTURE(buffer) {
	int fd;
	char *buf;
	long long pinned;
};

FIXTURE_SETUP(buffer)
{
	self->pinned = pinned_pages();
	self->buf = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->buf);
}

FIXTURE_TEARDOWN(buffer)
{
	close(self->fd);
	EXPECT_EQ(self->pinned, pinned_pages_settle(self->pinned));
}

TEST_F(buffer, unmapped_and_used_anew)
{
	struct profil_counts counts;

	self->fd = OPEN_DEVICE();
	ASSERT_EQ(0, start_on(self->fd, self->buf, 4 * PAGE));
	EXPECT_TRUE(counts_more(self->fd, 2));
	ASSERT_EQ(0, munmap(self->buf, 4 * PAGE));
	EXPECT_TRUE(counts_more(self->fd, 2));
	ASSERT_EQ(self->buf, mmap(self->buf, 4 * PAGE, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
				  -1, 0));
	EXPECT_TRUE(is_filled(self->buf, 0, 4 * PAGE));
	memset(self->buf, 0x5a, 4 * PAGE);
	EXPECT_TRUE(counts_more(self->fd, 5));
	EXPECT_TRUE(is_filled(self->buf, 0x5a, 4 * PAGE));

	ASSERT_EQ(0, read_counts(self->fd, &counts));
	EXPECT_EQ(4, counts.pages);
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_TRUE(is_filled(self->buf, 0x5a, 4 * PAGE));
}

TEST_F(buffer, moved)
{
	char *to = guarded_pages(4, PROT_NONE);
	struct profil_counts counts;

	self->fd = OPEN_DEVICE();
	ASSERT_EQ(0, start_on(self->fd, self->buf, 4 * PAGE));
	EXPECT_TRUE(counts_more(self->fd, 2));
	ASSERT_EQ(to, mremap(self->buf, 4 * PAGE, 4 * PAGE,
			     MREMAP_MAYMOVE | MREMAP_FIXED, to));
	EXPECT_TRUE(counts_more(self->fd, 2));
	ASSERT_EQ(0, stop(self->fd, &counts));
	/* The pages are the same. */
	EXPECT_EQ(counts.counted, *(uint32_t *)to);
	EXPECT_TRUE(is_filled(to + 4, 0, 4 * PAGE - 4));
}

TEST_F(buffer, made_read_only)
{
	struct profil_counts counts;

	self->fd = OPEN_DEVICE();
	ASSERT_EQ(0, start_on(self->fd, self->buf, 4 * PAGE));
	ASSERT_EQ(0, mprotect(self->buf, 4 * PAGE, PROT_READ));
	EXPECT_TRUE(counts_more(self->fd, 3));
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_EQ(counts.counted, *(uint32_t *)self->buf);
	EXPECT_EQ(-EFAULT, start_on(self->fd, self->buf, 4 * PAGE));
}

TEST_F(buffer, given_back)
{
	struct profil_counts counts;

	self->fd = OPEN_DEVICE();
	ASSERT_EQ(0, start_on(self->fd, self->buf, 4 * PAGE));
	EXPECT_TRUE(counts_more(self->fd, 2));
	ASSERT_EQ(0, madvise(self->buf, 4 * PAGE, MADV_DONTNEED));
	EXPECT_TRUE(is_filled(self->buf, 0, 4 * PAGE));
	memset(self->buf, 0x5a, 4 * PAGE);
	EXPECT_TRUE(counts_more(self->fd, 3));
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_TRUE(is_filled(self->buf, 0x5a, 4 * PAGE));
}

/* The file under the mapping shrinks: the pages are no longer the file's. */
TEST_F(buffer, file_truncated)
{
	int memfd = memfd_create("counters", MFD_CLOEXEC);
	char *buf;

	self->fd = OPEN_DEVICE();
	if (memfd < 0)
		SKIP(return, "no memfd_create()");
	ASSERT_EQ(0, ftruncate(memfd, 4 * PAGE));
	buf = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, memfd,
		   0);
	ASSERT_NE(MAP_FAILED, buf);
	ASSERT_EQ(0, start_on(self->fd, buf, 4 * PAGE));
	EXPECT_TRUE(counts_more(self->fd, 2));
	ASSERT_EQ(0, ftruncate(memfd, 0));
	EXPECT_TRUE(counts_more(self->fd, 2));
	ASSERT_EQ(0, ftruncate(memfd, 4 * PAGE));
	EXPECT_TRUE(counts_more(self->fd, 2));
	EXPECT_TRUE(is_filled(buf, 0, 4 * PAGE));
	munmap(buf, 4 * PAGE);
}

/* A page of it is no longer the file's, and the hole is filled with another. */
TEST_F(buffer, hole_punched)
{
	int memfd = memfd_create("counters", MFD_CLOEXEC);
	struct profil_counts counts;
	char *buf;

	self->fd = OPEN_DEVICE();
	if (memfd < 0)
		SKIP(return, "no memfd_create()");
	ASSERT_EQ(0, ftruncate(memfd, 4 * PAGE));
	buf = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, memfd,
		   0);
	ASSERT_NE(MAP_FAILED, buf);
	ASSERT_EQ(0, start_on(self->fd, buf, 4 * PAGE));
	EXPECT_TRUE(counts_more(self->fd, 2));
	ASSERT_EQ(0, fallocate(memfd, FALLOC_FL_PUNCH_HOLE |
			       FALLOC_FL_KEEP_SIZE, 0, PAGE));
	memset(buf, 0x5a, PAGE);
	EXPECT_TRUE(counts_more(self->fd, 2));
	ASSERT_EQ(0, read_counts(self->fd, &counts));
	EXPECT_EQ(4, counts.pages);
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_TRUE(is_filled(buf, 0x5a, PAGE));
	EXPECT_TRUE(is_filled(buf + PAGE, 0, 3 * PAGE));
	munmap(buf, 4 * PAGE);
}

/* Who is given a sealed file may rely on it: no count comes behind the seal. */
TEST_F(buffer, file_sealed)
{
	int memfd = memfd_create("counters", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct profil_counts counts;
	char *buf;

	self->fd = OPEN_DEVICE();
	if (memfd < 0)
		SKIP(return, "no memfd_create()");
	ASSERT_EQ(0, ftruncate(memfd, 4 * PAGE));
	buf = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, memfd,
		   0);
	ASSERT_NE(MAP_FAILED, buf);
	ASSERT_EQ(0, start_on(self->fd, buf, 4 * PAGE));
	munmap(buf, 4 * PAGE);
	EXPECT_EQ(-1, fcntl(memfd, F_ADD_SEALS, F_SEAL_WRITE));
	EXPECT_EQ(EBUSY, errno);
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_EQ(0, fcntl(memfd, F_ADD_SEALS, F_SEAL_WRITE));
}

/* Clean in the eyes of reclaim, which may drop such pages, but not pinned ones. */
TEST_F(buffer, free_to_be_reclaimed)
{
	struct profil_counts counts;

	self->fd = OPEN_DEVICE();
	ASSERT_EQ(0, start_on(self->fd, self->buf, 4 * PAGE));
	EXPECT_TRUE(counts_more(self->fd, 2));
	ASSERT_EQ(0, madvise(self->buf, 4 * PAGE, MADV_FREE));
	EXPECT_TRUE(counts_more(self->fd, 2));
	madvise(self->buf, 4 * PAGE, MADV_PAGEOUT);
	EXPECT_TRUE(counts_more(self->fd, 2));
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_EQ(counts.counted, *(uint32_t *)self->buf);
	EXPECT_TRUE(is_filled(self->buf + 4, 0, 4 * PAGE - 4));
}

/* Memory that has failed: who touches it may take the machine down. */
TEST_F(buffer, poisoned)
{
	struct profil_counts before, after;

	self->fd = OPEN_DEVICE();
	ASSERT_EQ(0, start_on(self->fd, self->buf, 4 * PAGE));
	EXPECT_TRUE(counts_more(self->fd, 2));
	/* EBUSY: it has failed and is still in use. */
	if (madvise(self->buf, PAGE, MADV_HWPOISON) && errno != EBUSY)
		SKIP(return, "not root, or no CONFIG_MEMORY_FAILURE");
	ASSERT_EQ(0, read_counts(self->fd, &before));
	EXPECT_LE(2, before.counted);
	burn_ns(100000000);
	ASSERT_EQ(0, stop(self->fd, &after));
	EXPECT_EQ(before.counted, after.counted);
	EXPECT_LT(before.saturated, after.saturated);
}

/* Part of a huge page goes, and the rest is mapped page by page. */
TEST_F(buffer, huge_page_split)
{
	size_t huge = 2 << 20;
	char *map = mmap(NULL, 2 * huge, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *buf;
	struct profil_counts counts;

	self->fd = OPEN_DEVICE();
	ASSERT_NE(MAP_FAILED, map);
	buf = (char *)(((uintptr_t)map + huge - 1) & -huge);
	if (madvise(buf, huge, MADV_HUGEPAGE))
		SKIP(return, "no transparent huge pages");
	memset(buf, 0, huge);
	ASSERT_EQ(0, start_on(self->fd, buf + 8 * PAGE, 4 * PAGE));
	EXPECT_TRUE(counts_more(self->fd, 2));
	ASSERT_EQ(0, madvise(buf, 8 * PAGE, MADV_DONTNEED));
	ASSERT_EQ(0, munmap(buf + 12 * PAGE, 8 * PAGE));
	ASSERT_EQ(0, mprotect(buf + 9 * PAGE, PAGE, PROT_READ));
	EXPECT_TRUE(counts_more(self->fd, 2));
	madvise(buf, huge, MADV_PAGEOUT);
	EXPECT_TRUE(counts_more(self->fd, 2));
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_EQ(counts.counted, *(uint32_t *)(buf + 8 * PAGE));
	EXPECT_TRUE(is_filled(buf + 8 * PAGE + 4, 0, 4 * PAGE - 4));
	EXPECT_TRUE(is_filled(buf, 0, 8 * PAGE));
	munmap(map, 2 * huge);
}

/* Memory that the kernel does not write to */

TEST_F(buffer, secret_memory)
{
	int secret = syscall(SYS_memfd_secret, O_CLOEXEC);
	char *buf;

	self->fd = OPEN_DEVICE();
	if (secret < 0)
		SKIP(return, "no memfd_secret()");
	ASSERT_EQ(0, ftruncate(secret, 4 * PAGE));
	buf = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, secret,
		   0);
	ASSERT_NE(MAP_FAILED, buf);
	EXPECT_EQ(-EFAULT, start_on(self->fd, buf, 4 * PAGE));
	memset(buf, 0, 4 * PAGE);
	EXPECT_EQ(-EFAULT, start_on(self->fd, buf, 4 * PAGE));
	EXPECT_TRUE(is_filled(buf, 0, 4 * PAGE));
	munmap(buf, 4 * PAGE);
}

/* A page of a PCI device's registers, or MAP_FAILED. */
static void *map_registers(void)
{
	void *map = MAP_FAILED;
	glob_t found;
	size_t i;
	int fd;

	if (glob("/sys/bus/pci/devices/*/resource[0-5]", 0, NULL, &found))
		return map;
	for (i = 0; i < found.gl_pathc && map == MAP_FAILED; i++) {
		fd = open(found.gl_pathv[i], O_RDWR | O_CLOEXEC);
		map = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			   0);
		if (fd >= 0)
			close(fd);
	}
	globfree(&found);
	return map;
}

/* Nothing here or in the kernel touches it. */
TEST_F(buffer, device_memory)
{
	void *buf = map_registers();

	self->fd = OPEN_DEVICE();
	if (buf == MAP_FAILED)
		SKIP(return, "no device whose registers can be mapped");
	EXPECT_EQ(-EFAULT, start_on(self->fd, buf, PAGE));
	munmap(buf, PAGE);
}

/* The device's own mapping, which holds a file and has no pages. */
TEST_F(buffer, own_mapping)
{
	void *buf;

	self->fd = OPEN_DEVICE();
	buf = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, self->fd, 0);
	ASSERT_NE(MAP_FAILED, buf);
	EXPECT_EQ(-EFAULT, start_on(self->fd, buf, PAGE));
	munmap(buf, PAGE);
}

/* Who touches a page that is not there waits until somebody brings it. */
static int take_faults(void *buf, size_t bytes)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = {
		.range = { .start = (uintptr_t)buf, .len = bytes },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 && !ioctl(fd, UFFDIO_API, &api) &&
	    !ioctl(fd, UFFDIO_REGISTER, &range))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static atomic_int start_said = INT_MAX;

static void *start_and_wait(void *buf)
{
	start_said = start_on(open(DEVICE, O_RDWR | O_CLOEXEC), buf, 4 * PAGE);
	return NULL;
}

/* Some kernels, 6.1 among them, do not wait for a page that is to be pinned. */
static bool hangs_or_fails(int uffd)
{
	struct pollfd event = { .fd = uffd, .events = POLLIN };
	int tries;

	for (tries = 0; tries < 1000; tries++)
		if (start_said != INT_MAX || poll(&event, 1, 10) == 1)
			break;
	return event.revents == POLLIN ? start_said == INT_MAX :
					 start_said == -EFAULT;
}

static bool can_start_and_stop(void)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	struct profil_counts counts;
	bool ok = !start_on(fd, untouched, sizeof(untouched)) &&
		  counts_more(fd, 1) && !stop(fd, &counts);

	close(fd);
	return ok;
}

/* Says so when one of its threads hangs in a start, and waits to be killed. */
static void hang_in_start(char *buf, int answer)
{
	pthread_t thread;
	int fd;
	char ok;

	memset(buf, 0, PAGE);
	fd = take_faults(buf + PAGE, 3 * PAGE);
	ok = fd >= 0 && !pthread_create(&thread, NULL, start_and_wait, buf) &&
	     hangs_or_fails(fd) && can_start_and_stop();
	if (fd < 0)
		ok = NO_CHILD;
	if (write(answer, &ok, 1) == 1)
		pause();
	_exit(1);
}

/* Only the caller waits, and can be killed. */
TEST_F(buffer, pinning_takes_for_ever)
{
	int answer[2], status;
	pid_t child;
	char ok;

	self->fd = OPEN_DEVICE();
	ASSERT_EQ(0, pipe(answer));
	child = fork_child();
	if (!child)
		hang_in_start(self->buf, answer[1]);
	ASSERT_EQ(1, read(answer[0], &ok, 1));
	if (ok != NO_CHILD) {
		EXPECT_EQ(1, ok);
		EXPECT_TRUE(can_start_and_stop());
	}
	kill(child, SIGKILL);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	if (ok == NO_CHILD)
		SKIP(return, "no userfaultfd()");
}

/* Pins 2^20 pages, 256 times the same 4096. */
static int pin_much(void *buf)
{
	struct profil_region regions[256];
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	unsigned int i;

	for (i = 0; i < 256; i++) {
		regions[i] = region_of(NULL, buf, 4096 * PAGE, 4);
		regions[i].offset = i;
	}
	return start(fd, regions, 256, 0);
}

/* A child that does that, from now on. */
static pid_t pinning_child(void *buf, int answer)
{
	pid_t child = fork_child();

	if (!child) {
		int ret = write(answer, "", 1) == 1 ? pin_much(buf) : -EIO;

		_exit(-ret);
	}
	return child;
}

static uint64_t time_until_end(pid_t child, int *status)
{
	uint64_t begin = clock_ns(CLOCK_MONOTONIC);

	waitpid(child, status, 0);
	return clock_ns(CLOCK_MONOTONIC) - begin;
}

TEST_F(buffer, pinning_is_killed)
{
	char *buf = mmap(NULL, 4096 * PAGE, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0), byte;
	int answer[2], status;
	uint64_t all, rest;
	pid_t child;

	self->fd = OPEN_DEVICE();
	if (geteuid())
		SKIP(return, "not root: cannot pin so much");
	ASSERT_NE(MAP_FAILED, buf);
	memset(buf, 0, 4096 * PAGE);
	ASSERT_EQ(0, pipe(answer));
	child = pinning_child(buf, answer[1]);
	ASSERT_EQ(1, read(answer[0], &byte, 1));
	all = time_until_end(child, &status);
	ASSERT_EQ(0, status);

	child = pinning_child(buf, answer[1]);
	ASSERT_EQ(1, read(answer[0], &byte, 1));
	sleep_ns(all / 20);
	kill(child, SIGKILL);
	rest = time_until_end(child, &status);
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_LT(rest, all / 2);
	TH_LOG("%llu ms, and %llu ms when killed",
	       (unsigned long long)all / 1000000,
	       (unsigned long long)rest / 1000000);
	munmap(buf, 4096 * PAGE);
}

/*
 * After the fork the first to write gets a copy: the parent must keep the
 * pages that the kernel counts in.
 */
TEST_F(buffer, fork_and_both_write)
{
	uint32_t *counters = (uint32_t *)self->buf;
	struct profil_counts counts;
	int go[2], status;
	uint32_t then;
	pid_t child;
	char byte;

	self->fd = OPEN_DEVICE();
	ASSERT_EQ(0, pipe(go));
	ASSERT_EQ(0, start_on(self->fd, self->buf, 4 * PAGE));
	EXPECT_TRUE(counts_more(self->fd, 2));
	child = fork_child();
	if (!child) {
		uint32_t mine = counters[0];

		counters[1] = 77;
		if (read(go[0], &byte, 1) != 1)
			_exit(1);
		/* Nothing arrives here, whoever has written. */
		_exit(counters[0] != mine || counters[1] != 77 || counters[2]);
	}
	ASSERT_GT(child, 0);
	counters[2] = 55;
	then = counters[0];
	EXPECT_TRUE(counts_more(self->fd, 3));
	EXPECT_LE(then + 3, counters[0]);
	ASSERT_EQ(1, write(go[1], "", 1));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	ASSERT_EQ(0, stop(self->fd, &counts));
	EXPECT_EQ(counts.counted, counters[0]);
	EXPECT_EQ(0, counters[1]);
	EXPECT_EQ(55, counters[2]);
}

/* Nothing but the counter is written, wherever in its page it is. */
static void expect_guards(struct __test_metadata *_metadata, int fd,
			  char *buf, size_t at, uint32_t width)
{
	struct profil_region region = all_code(buf + at, width);
	struct profil_counts counts;
	uint32_t value = 0;

	region.width = width;
	memset(buf, 0xa5, 4 * PAGE);
	memset(buf + at, 0, width);
	ASSERT_EQ(0, start(fd, &region, 1, 0));
	EXPECT_TRUE(counts_more(fd, 1));
	ASSERT_EQ(0, stop(fd, &counts));
	memcpy(&value, buf + at, width);
	EXPECT_EQ(counts.counted, value);
	EXPECT_TRUE(is_filled(buf, 0xa5, at));
	EXPECT_TRUE(is_filled(buf + at + width, 0xa5, 4 * PAGE - at - width))
		TH_LOG("counter at %zu of width %u", at, width);
}

TEST_F(buffer, guards)
{
	const size_t places[] = { 0, 4, 2044, PAGE - 4, PAGE, 2 * PAGE - 4,
				  3 * PAGE + 4, 4 * PAGE - 4 };
	size_t i;

	self->fd = OPEN_DEVICE();
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		expect_guards(_metadata, self->fd, self->buf, places[i], 4);
		expect_guards(_metadata, self->fd, self->buf, places[i], 2);
		expect_guards(_metadata, self->fd, self->buf, places[i] + 2, 2);
	}
}

/* A counter at its maximum stays, and its neighbours are not touched. */
TEST_F(buffer, saturated)
{
	uint32_t width, value = UINT32_MAX - 2;
	struct profil_counts counts;

	self->fd = OPEN_DEVICE();
	for (width = 2; width <= 4; width += 2) {
		struct profil_region region = all_code(self->buf + 8, width);

		region.width = width;
		memset(self->buf, 0, 64);
		/* The lower half of it is 2 below the maximum, too. */
		memcpy(self->buf + 8, &value, width);
		ASSERT_EQ(0, start(self->fd, &region, 1, 0));
		burn_ns(80000000);
		ASSERT_EQ(0, stop(self->fd, &counts));
		EXPECT_EQ(2, counts.counted);
		EXPECT_GT(counts.saturated, 0);
		EXPECT_EQ(counts.ticks, 2 + counts.saturated);
		EXPECT_TRUE(is_filled(self->buf, 0, 8));
		EXPECT_TRUE(is_filled(self->buf + 8, 0xff, width));
		EXPECT_TRUE(is_filled(self->buf + 8 + width, 0, 40));
	}
}

/* Who pays */

#define CHARGED_PAGES	16

FIXTURE(charge) {
	long long user_kb;
	long long pinned;
};

FIXTURE_SETUP(charge)
{
	self->user_kb = parameter("user_kb");
	self->pinned = pinned_pages();
}

FIXTURE_TEARDOWN(charge)
{
	set_parameter("user_kb", self->user_kb);
	EXPECT_EQ(self->pinned, pinned_pages_settle(self->pinned));
}

static bool limit_locked(size_t pages)
{
	const struct rlimit limit = { pages * PAGE, pages * PAGE };

	return !setrlimit(RLIMIT_MEMLOCK, &limit);
}

#define PAGE_KB		((long long)(PAGE / 1024))

/* In a child, as a user that nobody else is. */
#define CHARGE_CHILD(code)						\
do {									\
	pid_t _child = fork_child();					\
	int _status;							\
									\
	if (!_child) {							\
		if (prctl(PR_SET_KEEPCAPS, 1) ||			\
		    !become_user(ORDINARY_USER))			\
			_exit(NO_CHILD);				\
		code(_metadata);					\
		_exit(_metadata->passed ? 0 : 1);			\
	}								\
	ASSERT_EQ(_child, waitpid(_child, &_status, 0));		\
	EXPECT_EQ(0, _status);						\
} while (0)

static void *charged;

static int start_pages(int fd, size_t pages)
{
	if (!charged)
		charged = guarded_pages(4 * CHARGED_PAGES,
					PROT_READ | PROT_WRITE);
	return start_on(fd, charged, pages * PAGE);
}

/* The allowance is 8 pages, RLIMIT_MEMLOCK 4. */
static void allowance_then_limit(struct __test_metadata *_metadata)
{
	struct profil_counts counts;
	int fd = open(DEVICE, O_RDWR);
	long long before;

	EXPECT_TRUE(keep_caps(0));
	EXPECT_TRUE(limit_locked(4));
	before = charged_kb();
	EXPECT_EQ(0, start_pages(fd, 8));
	EXPECT_EQ(before, charged_kb());
	EXPECT_EQ(0, stop(fd, &counts));
	EXPECT_EQ(0, start_pages(fd, 9));
	EXPECT_EQ(before + PAGE_KB, charged_kb());
	EXPECT_EQ(0, stop(fd, &counts));
	EXPECT_EQ(before, charged_kb());
	EXPECT_EQ(0, start_pages(fd, 12));
	EXPECT_EQ(before + 4 * PAGE_KB, charged_kb());
	EXPECT_EQ(0, stop(fd, &counts));
	EXPECT_EQ(before, charged_kb());
	EXPECT_EQ(-ENOMEM, start_pages(fd, 13));
	EXPECT_EQ(before, charged_kb());
	/* What failed has left nothing behind. */
	EXPECT_EQ(0, start_pages(fd, 12));
	EXPECT_EQ(before + 4 * PAGE_KB, charged_kb());
	close(fd);
	EXPECT_EQ(before, charged_kb());
}

/* The user's processes and sessions share one allowance. */
static void allowance_is_shared(struct __test_metadata *_metadata)
{
	int fd = open(DEVICE, O_RDWR), other = open(DEVICE, O_RDWR), status;
	struct profil_counts counts;
	pid_t child;

	EXPECT_TRUE(keep_caps(0));
	EXPECT_TRUE(limit_locked(4));
	EXPECT_EQ(0, start_pages(fd, 6));
	EXPECT_EQ(0, start_pages(other, 3));
	EXPECT_EQ(PAGE_KB, charged_kb());
	EXPECT_EQ(0, stop(other, &counts));
	EXPECT_EQ(0, charged_kb());
	child = fork_child();
	if (!child)
		_exit(start_pages(other, 7) != -ENOMEM ||
		      start_pages(other, 6) || charged_kb() != 4 * PAGE_KB);
	waitpid(child, &status, 0);
	EXPECT_EQ(0, status);
	close(fd);
	close(other);
	EXPECT_EQ(0, charged_kb());
}

/* Old and new are charged for the time of the call. */
static void charge_of_set_regions(struct __test_metadata *_metadata)
{
	int fd = open(DEVICE, O_RDWR);
	struct profil_region region;

	EXPECT_TRUE(keep_caps(0));
	EXPECT_TRUE(limit_locked(4));
	EXPECT_EQ(0, start_pages(fd, 6));
	region = all_code(charged, 7 * PAGE);
	EXPECT_EQ(-ENOMEM, set_regions(fd, &region, 1));
	EXPECT_EQ(0, charged_kb());
	EXPECT_TRUE(counts_more(fd, 1));
	region.bytes = 6 * PAGE;
	EXPECT_EQ(0, set_regions(fd, &region, 1));
	/* The new ones had 2 pages of the allowance left. */
	EXPECT_EQ(4 * PAGE_KB, charged_kb());
	region.bytes = PAGE;
	EXPECT_EQ(0, set_regions(fd, &region, 1));
	EXPECT_EQ(0, charged_kb());
	close(fd);
	EXPECT_EQ(0, charged_kb());
}

static void capable_is_exempt(struct __test_metadata *_metadata)
{
	int fd = open(DEVICE, O_RDWR);

	EXPECT_TRUE(keep_caps(1ULL << CAP_IPC_LOCK));
	EXPECT_TRUE(limit_locked(1));
	EXPECT_EQ(0, start_pages(fd, 60));
	close(fd);
	EXPECT_EQ(0, charged_kb());
}

/* Exit gives all back, to the user too. */
static void dies_charged(struct __test_metadata *_metadata)
{
	int fd = open(DEVICE, O_RDWR);

	EXPECT_TRUE(keep_caps(0));
	EXPECT_TRUE(limit_locked(4));
	EXPECT_EQ(0, start_pages(fd, 12));
}

#define CHARGE_TEST(name)						\
	TEST_F(charge, name)						\
	{								\
		close(OPEN_DEVICE());					\
		if (set_parameter("user_kb", 8 * PAGE_KB))		\
			SKIP(return, "not root: cannot set a parameter");\
		CHARGE_CHILD(name);					\
	}

CHARGE_TEST(allowance_then_limit)
CHARGE_TEST(allowance_is_shared)
CHARGE_TEST(charge_of_set_regions)
CHARGE_TEST(capable_is_exempt)

TEST_F(charge, exit_gives_back)
{
	int i;

	close(OPEN_DEVICE());
	if (set_parameter("user_kb", 8 * PAGE_KB))
		SKIP(return, "not root: cannot set a parameter");
	for (i = 0; i < 3; i++)
		CHARGE_CHILD(dies_charged);
}

#define HUGE		((size_t)2 << 20)
#define HUGE_PAGES	3

/* NULL if there are no transparent huge pages. */
static char *huge_pages(void)
{
	char *map = mmap(NULL, (HUGE_PAGES + 1) * HUGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *buf = (char *)(((uintptr_t)map + HUGE - 1) & -HUGE);

	if (map == MAP_FAILED || madvise(buf, HUGE_PAGES * HUGE, MADV_HUGEPAGE))
		return NULL;
	memset(buf, 0, HUGE_PAGES * HUGE);
	return kernel_number("/proc/self/smaps_rollup", "AnonHugePages:") >=
	       (long long)(HUGE_PAGES * HUGE / 1024) ? buf : NULL;
}

/* One counter in each of @nr huge pages. */
static int start_on_huge_pages(int fd, char *buf, unsigned int nr)
{
	struct profil_region regions[HUGE_PAGES];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		regions[i] = region_of(NULL, buf + i * HUGE, 4, 4);
		regions[i].offset = 2 * i;
	}
	return start(fd, regions, nr, 0);
}

/* A pin keeps all of a large page in memory, so it pays for that; once. */
static void huge_page_is_charged_whole(struct __test_metadata *_metadata)
{
	const long long huge_kb = HUGE / 1024;
	int fd = open(DEVICE, O_RDWR);
	struct profil_region regions[2];
	struct profil_counts counts;
	char *buf = huge_pages();

	if (!buf)
		_exit(NO_CHILD);
	EXPECT_TRUE(keep_caps(0));
	EXPECT_TRUE(limit_locked(2 * HUGE / PAGE));
	EXPECT_EQ(0, start_on_huge_pages(fd, buf, 2));
	EXPECT_EQ(2 * huge_kb, charged_kb());
	EXPECT_EQ(0, stop(fd, &counts));
	EXPECT_EQ(0, charged_kb());
	EXPECT_EQ(-ENOMEM, start_on_huge_pages(fd, buf, 3));
	EXPECT_EQ(0, charged_kb());

	/* All of one, and from the last counter of one to the first of the next. */
	EXPECT_EQ(0, start_on(fd, buf, HUGE));
	EXPECT_EQ(huge_kb, charged_kb());
	EXPECT_EQ(0, stop(fd, &counts));
	EXPECT_EQ(0, start_on(fd, buf + HUGE - 4, 8));
	EXPECT_EQ(2 * huge_kb, charged_kb());
	EXPECT_EQ(0, stop(fd, &counts));
	/* Two buffers in one. */
	regions[0] = region_of(NULL, buf, 4, 4);
	regions[1] = region_of((void *)2, buf + 5 * PAGE, 4, 4);
	EXPECT_EQ(0, start(fd, regions, 2, 0));
	EXPECT_EQ(huge_kb, charged_kb());
	close(fd);
	EXPECT_EQ(0, charged_kb());
}

TEST_F(charge, huge_page_is_charged_whole)
{
	close(OPEN_DEVICE());
	if (set_parameter("user_kb", 0))
		SKIP(return, "not root: cannot set a parameter");
	if (!huge_pages())
		SKIP(return, "no transparent huge pages are to be had");
	CHARGE_CHILD(huge_page_is_charged_whole);
}

/* START of @nr regions that have one counter at @counter in common. */
static int start_on_one_counter(void *counter, unsigned int nr)
{
	struct profil_region *regions = calloc(nr, sizeof(*regions));
	int fd = open(DEVICE, O_RDWR);
	unsigned int i;
	int ret;

	for (i = 0; i < nr; i++) {
		regions[i] = region_of(NULL, counter, 4, 4);
		regions[i].offset = i;
	}
	ret = start(fd, regions, nr, 0);
	free(regions);
	return ret;
}

/*
 * A pin of a small page takes 1024 of its 2^31 references, and the kernel warns
 * when they run out: the module refuses at a quarter.
 */
TEST_F(charge, page_is_pinned_too_often)
{
	const unsigned int nr = 1 << 16, enough = (1U << 29) / 1024 / nr;
	long long max_regions = parameter("max_regions");
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	long long pinned = pinned_pages();
	unsigned int i;
	int ret = 0;

	if (set_parameter("max_regions", nr))
		SKIP(return, "not root: cannot set a parameter");
	for (i = 0; i <= enough && !ret; i++)
		ret = start_on_one_counter(page, nr);
	set_parameter("max_regions", max_regions);
	EXPECT_EQ(-ENOMEM, ret);
	EXPECT_EQ(enough, i);
	close_range(3, ~0U, 0);
	EXPECT_EQ(pinned, pinned_pages());
}

TEST_F(charge, parameter_is_followed)
{
	int fd = OPEN_DEVICE();

	if (set_parameter("user_kb", 12))
		SKIP(return, "not root: cannot set a parameter");
	EXPECT_EQ(12288, info_of(fd).user_bytes);
	close(fd);
}

TEST_HARNESS_MAIN
