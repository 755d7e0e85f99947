// SPDX-License-Identifier: GPL-2.0
/*
 * What it costs to begin a profile and to end it, in instructions of an
 * emulator that counts them: the least of five tries.
 *
 * startstop BYTES	by the device, a buffer of so many bytes, which the
 *			program has written to: start, stop
 * startstop first	once, into 4096 bytes
 * startstop profil	by profil() of the library that this is linked with
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <x86intrin.h>

#include <linux/profil.h>

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

struct cost {
	unsigned long long start;
	unsigned long long stop;
};

static struct cost by_device(void *buf, size_t bytes)
{
	struct profil_region region = {
		.buf = (uintptr_t)buf,
		.bytes = bytes,
		.scale = 65536,
		.width = 2,
	};
	struct profil_start start = {
		.size = sizeof(start),
		.regions = (uintptr_t)&region,
		.nr_regions = 1,
		.period_ns = 10000000,
	};
	struct profil_counts counts = { .size = sizeof(counts) };
	int device = open("/dev/profil", O_RDWR | O_CLOEXEC);
	unsigned long long begin, middle, end;

	if (device < 0)
		fail("/dev/profil");
	begin = __rdtsc();
	if (ioctl(device, PROFIL_IOC_START, &start))
		fail("PROFIL_IOC_START");
	middle = __rdtsc();
	if (ioctl(device, PROFIL_IOC_STOP, &counts))
		fail("PROFIL_IOC_STOP");
	end = __rdtsc();
	close(device);
	return (struct cost){ middle - begin, end - middle };
}

static struct cost by_profil(void *buf, size_t bytes)
{
	unsigned long long begin, middle, end;

	begin = __rdtsc();
	if (profil(buf, bytes, 0, 65536))
		fail("profil");
	middle = __rdtsc();
	if (profil(buf, 0, 0, 0))
		fail("profil");
	end = __rdtsc();
	return (struct cost){ middle - begin, end - middle };
}

int main(int argc, char **argv)
{
	struct cost least = { -1, -1 };
	size_t bytes = 4096;
	int own, tries;
	void *buf;

	if (argc != 2)
		return 2;
	own = !strcmp(argv[1], "profil");
	tries = strcmp(argv[1], "first") ? 5 : 1;
	if (!own && tries > 1)
		bytes = strtoul(argv[1], NULL, 0);
	buf = aligned_alloc(4096, bytes);
	if (!buf)
		fail("aligned_alloc");
	memset(buf, 1, bytes);
	while (tries--) {
		struct cost cost = own ? by_profil(buf, bytes) : by_device(buf, bytes);

		if (cost.start < least.start)
			least.start = cost.start;
		if (cost.stop < least.stop)
			least.stop = cost.stop;
	}
	printf("%llu %llu\n", least.start, least.stop);
	return 0;
}
