// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * profil() for one process: at most one session of /dev/profil.
 *
 * The session is held by a mapping of the device, not by a descriptor, so that
 * a program which closes all descriptors, or counts on their numbers, does not
 * notice it.  Each call opens the device anew, names the session by its id and
 * closes again.  The kernel knows ids of the caller's address space alone: in a
 * forked child the parent's id is as good as none.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/profil.h>

/* "every virtual 10 milliseconds": profil(3) */
#define PERIOD_NS	10000000

#define export		__attribute__((visibility("default")))

/* What the process has; under lock. */
static struct {
	void *hold;			/* the mapping, NULL: no profile */
	__u64 session;
	struct profil_counts last;	/* of the profile that was stopped */
} self;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&lock);
}

static void after_fork_in_child(void)
{
	memset(&self, 0, sizeof(self));
	pthread_mutex_unlock(&lock);
}

static void at_first_call(void)
{
	pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

/* Returns the cancellation state to give back to leave(). */
static int enter(void)
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_once(&once, at_first_call);
	pthread_mutex_lock(&lock);
	return state;
}

static void leave(int state)
{
	pthread_mutex_unlock(&lock);
	pthread_setcancelstate(state, NULL);
}

static int device_open(void)
{
	return open("/dev/profil", O_RDWR | O_CLOEXEC);
}

static void device_close(int fd)
{
	int error = errno;

	close(fd);
	errno = error;
}

static size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

static void *hold_open(int fd)
{
	void *hold = mmap(NULL, page_size(), PROT_NONE, MAP_PRIVATE, fd, 0);

	if (hold == MAP_FAILED)
		return NULL;
	madvise(hold, page_size(), MADV_DONTFORK);
	return hold;
}

static void hold_close(void *hold)
{
	int error = errno;

	munmap(hold, page_size());
	errno = error;
}

static int start(int fd, const struct profil_region *region)
{
	struct profil_start arg = {
		.size = sizeof(arg),
		.regions = (uintptr_t)region,
		.nr_regions = 1,
		.period_ns = PERIOD_NS,
	};
	void *hold = hold_open(fd);

	if (!hold)
		return -1;
	if (ioctl(fd, PROFIL_IOC_START, &arg)) {
		hold_close(hold);
		return -1;
	}
	self.hold = hold;
	self.session = arg.session;
	return 0;
}

static int replace(int fd, const struct profil_region *region)
{
	struct profil_set_regions arg = {
		.size = sizeof(arg),
		.regions = (uintptr_t)region,
		.nr_regions = 1,
		.session = self.session,
	};

	return ioctl(fd, PROFIL_IOC_SET_REGIONS, &arg);
}

static int start_or_replace(const struct profil_region *region)
{
	int fd = device_open();
	int ret;

	if (fd < 0)
		return -1;
	if (!self.hold) {
		ret = start(fd, region);
	} else {
		ret = replace(fd, region);
		/* The program has unmapped what it did not map. */
		if (ret && errno == ESRCH)
			ret = start(fd, region);
	}
	device_close(fd);
	return ret;
}

/* Without the device, as after chroot(), unmapping ends the session, too. */
static void stop(void)
{
	struct profil_counts counts = {
		.size = sizeof(counts),
		.session = self.session,
	};
	int error = errno;
	int ended = 0;
	int fd;

	if (!self.hold)
		return;
	fd = device_open();
	memset(&self.last, 0, sizeof(self.last));
	if (fd >= 0) {
		if (!ioctl(fd, PROFIL_IOC_STOP, &counts))
			self.last = counts;
		else
			ended = errno == ESRCH;
		close(fd);
	}
	if (!ended)
		munmap(self.hold, page_size());
	self.hold = NULL;
	errno = error;
}

/*
 * Not named profil, since <unistd.h> declares that with a first argument that
 * is never NULL, and the compiler would drop the test.
 */
static int profil_call(unsigned short *buf, size_t bufsiz, size_t offset,
		       unsigned int scale)
{
	struct profil_region region = {
		.offset = offset,
		.buf = (uintptr_t)buf,
		.bytes = bufsiz,
		.scale = scale,
		.width = sizeof(*buf),
	};
	int state = enter();
	int ret = 0;

	if (buf && scale)
		ret = start_or_replace(&region);
	else
		stop();
	leave(state);
	return ret;
}

static int read_running(struct profil_counts *counts)
{
	int fd = device_open();
	int ret;

	if (fd < 0)
		return -1;
	counts->flags = 0;
	counts->session = self.session;
	ret = ioctl(fd, PROFIL_IOC_READ, counts);
	device_close(fd);
	return ret;
}

/* As the kernel treats a size that is not its own; 0 or an errno. */
static int size_error(const struct profil_counts *counts)
{
	const char *bytes = (const char *)counts;
	size_t i;

	if (counts->size < sizeof(*counts))
		return EINVAL;
	if (counts->size > page_size())
		return E2BIG;
	for (i = sizeof(*counts); i < counts->size; i++)
		if (bytes[i])
			return E2BIG;
	return 0;
}

static int read_last(struct profil_counts *counts)
{
	int error = size_error(counts);

	if (error) {
		errno = error;
		return -1;
	}
	*counts = self.last;
	counts->size = sizeof(self.last);
	return 0;
}

static int read_call(struct profil_counts *counts)
{
	int state = enter();
	int ret = self.hold ? read_running(counts) : read_last(counts);

	leave(state);
	return ret;
}

extern __typeof__(read_call) profil_read
	__attribute__((alias("read_call"))) export;

#ifdef LIBC_PROFIL
extern __typeof__(profil_call) profil_own
	__attribute__((alias("profil_call"))) export;
extern __typeof__(profil_call) profil_libc
	__attribute__((alias("profil_call"))) export;
__asm__(".symver profil_own, profil@@PROFIL_1.0");
__asm__(".symver profil_libc, profil@" LIBC_PROFIL);
#else
extern __typeof__(profil_call) profil
	__attribute__((alias("profil_call"))) export;
#endif
