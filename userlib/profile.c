// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A profile: one session of /dev/profil.
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
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"

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

/* What a parent left in memory is not this process's. */
static void own(struct profile *profile)
{
	if (profile->generation == libprofil_generation())
		return;
	memset(profile, 0, sizeof(*profile));
	profile->generation = libprofil_generation();
}

static int start(struct profile *profile, int fd,
		 const struct profil_region *regions, unsigned int nr,
		 __u32 period_ns)
{
	struct profil_start arg = {
		.size = sizeof(arg),
		.regions = (uintptr_t)regions,
		.nr_regions = nr,
		.period_ns = period_ns,
	};
	void *hold = hold_open(fd);

	if (!hold)
		return -1;
	if (ioctl(fd, PROFIL_IOC_START, &arg)) {
		hold_close(hold);
		return -1;
	}
	profile->hold = hold;
	profile->session = arg.session;
	return 0;
}

static int replace(struct profile *profile, int fd,
		   const struct profil_region *regions, unsigned int nr)
{
	struct profil_set_regions arg = {
		.size = sizeof(arg),
		.regions = (uintptr_t)regions,
		.nr_regions = nr,
		.session = profile->session,
	};

	return ioctl(fd, PROFIL_IOC_SET_REGIONS, &arg);
}

/* Starts the profile or, if it runs, replaces its regions. */
int libprofil_start(struct profile *profile,
		    const struct profil_region *regions, unsigned int nr,
		    __u32 period_ns)
{
	int fd = device_open();
	int ret = -1;

	own(profile);
	if (fd < 0)
		return -1;
	/* ESRCH: the program has unmapped what it did not map. */
	if (profile->hold) {
		ret = replace(profile, fd, regions, nr);
		if (ret && errno == ESRCH)
			profile->hold = NULL;
	}
	if (!profile->hold)
		ret = start(profile, fd, regions, nr, period_ns);
	device_close(fd);
	return ret;
}

/* Without the device, as after chroot(2), unmapping ends the session, too. */
void libprofil_stop(struct profile *profile)
{
	struct profil_counts counts = {
		.size = sizeof(counts),
		.session = profile->session,
	};
	int error = errno;
	int fd;

	own(profile);
	if (!profile->hold)
		return;
	memset(&profile->last, 0, sizeof(profile->last));
	fd = device_open();
	if (fd < 0) {
		munmap(profile->hold, page_size());
	} else {
		/* If it fails, the program has unmapped what it did not map. */
		if (!ioctl(fd, PROFIL_IOC_STOP, &counts)) {
			profile->last = counts;
			munmap(profile->hold, page_size());
		}
		close(fd);
	}
	profile->hold = NULL;
	errno = error;
}

static int read_running(struct profile *profile, struct profil_counts *counts)
{
	int fd = device_open();
	int ret;

	if (fd < 0)
		return -1;
	counts->flags = 0;
	counts->session = profile->session;
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

int libprofil_read(struct profile *profile, struct profil_counts *counts)
{
	int error;

	own(profile);
	if (profile->hold)
		return read_running(profile, counts);
	error = size_error(counts);
	if (error) {
		errno = error;
		return -1;
	}
	*counts = profile->last;
	counts->size = sizeof(profile->last);
	return 0;
}
