// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The state of a -pg program's profile: what code it is about, and the memory
 * that it is in, under a name for profil-gmon.  All under the library's lock.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gmon.h"
#include "internal.h"

#define RATE		(1000000000 / PERIOD_NS)
#define KEEP_DIR	"/dev/shm"

static char keep[64];			/* the state's file, "": none */

/**
 * struct code - the program's executable segment
 * @inside: an address in it, from the start-up code
 * @low: its first address
 * @high: the first address behind it
 * @load: what the loader added to the addresses in the file
 */
struct code {
	uintptr_t inside;
	uintptr_t low;
	uintptr_t high;
	uintptr_t load;
};

static int code_in_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct code *code = data;
	int i;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t low = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X &&
		    code->inside >= low && code->inside < low + segment->p_memsz) {
			code->low = low;
			code->high = low + segment->p_memsz;
			code->load = info->dlpi_addr;
			return 1;
		}
	}
	return 0;
}

/*
 * The start-up code says up to etext, and from _start, which leaves out what
 * the linker put before that, main() itself among it at -O2, or from the
 * program's first address, which may be in another segment.
 */
static struct code code_find(uintptr_t low, uintptr_t high)
{
	struct code code = { .inside = high - 1, .low = low, .high = high };

	dl_iterate_phdr(code_in_object, &code);
	return code;
}

static size_t page_up(size_t bytes)
{
	size_t page = sysconf(_SC_PAGESIZE);

	return (bytes + page - 1) / page * page;
}

/* One place for a call per 16 bytes of code: most functions are longer. */
static uint32_t arcs_for(size_t code_bytes)
{
	uint32_t nr = 4096;

	while (nr < code_bytes / 16 && nr < 1U << 24)
		nr *= 2;
	return nr;
}

/* The header only; the rest of the state is zero at first. */
static struct gmon_state layout(const struct code *code)
{
	uintptr_t low = code->low / GMON_BIN_BYTES * GMON_BIN_BYTES;
	size_t nr_bins = (code->high - low + GMON_BIN_BYTES - 1) / GMON_BIN_BYTES;
	struct gmon_state header = {
		.magic = GMON_STATE_MAGIC,
		.version = GMON_STATE_VERSION,
		.pointer_bytes = sizeof(void *),
		.low = low,
		.high = low + nr_bins * GMON_BIN_BYTES,
		.load = code->load,
		.nr_bins = nr_bins,
		.bin_bytes = GMON_BIN_BYTES,
		.nr_arcs = arcs_for(code->high - low),
		.rate = RATE,
	};

	header.bins = page_up(sizeof(header));
	header.arcs = header.bins + page_up(nr_bins * sizeof(uint32_t));
	header.bytes = header.arcs +
		       page_up(header.nr_arcs * sizeof(struct gmon_arc));
	return header;
}

/* A file in memory, for what a killed program leaves behind; or -1. */
static int keep_open(size_t bytes)
{
	const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd;

	snprintf(keep, sizeof(keep), KEEP_DIR "/profil-gmon.%u.%d",
		 (unsigned int)geteuid(), getpid());
	fd = open(keep, flags, 0600);
	if (fd < 0 && errno == EEXIST && !unlink(keep))
		/* From this process before an exec, or a number used again. */
		fd = open(keep, flags, 0600);
	/* All of it now: later, a full file system would be a SIGBUS. */
	if (fd >= 0 && posix_fallocate(fd, 0, bytes)) {
		close(fd);
		unlink(keep);
		fd = -1;
	}
	if (fd < 0)
		keep[0] = '\0';
	return fd;
}

/* @low, @high: what the start-up code says. */
struct gmon_state *libprofil_state_create(uintptr_t low, uintptr_t high)
{
	struct code code = code_find(low, high);
	struct gmon_state header, *state;
	int fd;

	if (code.low >= code.high || (code.high - code.low) >> 32) {
		errno = ERANGE;
		return NULL;
	}
	header = layout(&code);
	fd = keep_open(header.bytes);
	state = mmap(NULL, header.bytes, PROT_READ | PROT_WRITE,
		     fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	if (state == MAP_FAILED)
		return NULL;
	memcpy(state, &header, sizeof(header));
	return state;
}

const char *libprofil_state_file(void)
{
	return keep;
}

/* In a child: in place of the parent's, which it shares. */
int libprofil_state_renew(struct gmon_state *state)
{
	struct gmon_state header = *state;
	void *new;

	keep[0] = '\0';
	header.counted = 0;
	header.outside = 0;
	header.arcs_lost = 0;
	new = mmap(state, header.bytes, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (new == MAP_FAILED)
		return -1;
	memcpy(state, &header, sizeof(header));
	return 0;
}

/* Where the name is out of reach, what it holds, but for the header. */
void libprofil_state_unname(struct gmon_state *state)
{
	if (keep[0] && (!libprofil_root_is_same() || unlink(keep)))
		madvise((char *)state + state->bins, state->bytes - state->bins,
			MADV_REMOVE);
	keep[0] = '\0';
}
