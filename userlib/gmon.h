/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The state of a -pg program's profile, in one mapping: this header, then the
 * histogram, then the call arcs.
 *
 * The mapping is a file in memory (/dev/shm) as long as the program runs, so
 * that what a killed program leaves behind can be turned into a gmon.out by
 * profil-gmon; a program that ends well writes gmon.out and removes the file.
 */
#ifndef _LIBPROFIL_GMON_H
#define _LIBPROFIL_GMON_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#define GMON_STATE_MAGIC	0x6e6f6d676c667270	/* "prflgmon" in memory */
#define GMON_STATE_VERSION	1

/* One caller and callee; arcs.c */
struct gmon_arc {
	uint64_t key;		/* 0: free; see arc_key() */
	uint64_t count;
};

/**
 * struct gmon_state - what a gmon.out is made of
 * @magic: GMON_STATE_MAGIC
 * @version: GMON_STATE_VERSION
 * @pointer_bytes: size of an address in the file
 * @low: first address of the code, a multiple of bin_bytes
 * @high: first address behind it, @low + nr_bins * bin_bytes
 * @load: what the loader added to the addresses in the file
 * @bytes: size of the mapping
 * @bins: offset of the histogram, uint32_t [nr_bins]
 * @arcs: offset of the arcs, struct gmon_arc [nr_arcs]
 * @nr_bins: counters in the histogram
 * @bin_bytes: bytes of code for one counter
 * @nr_arcs: a power of two
 * @rate: samples per second
 * @arcs_lost: calls that the table had no room for
 * @counted: samples in the histogram, of sessions that were stopped
 * @outside: samples outside the code, likewise
 * @written: gmon.out is complete
 * @output: its path
 */
struct gmon_state {
	uint64_t magic;
	uint32_t version;
	uint32_t pointer_bytes;
	uint64_t low;
	uint64_t high;
	uint64_t load;
	uint64_t bytes;
	uint64_t bins;
	uint64_t arcs;
	uint32_t nr_bins;
	uint32_t bin_bytes;
	uint32_t nr_arcs;
	uint32_t rate;
	uint64_t arcs_lost;
	uint64_t counted;
	uint64_t outside;
	uint32_t written;
	uint32_t reserved;
	char output[PATH_MAX];
};

static inline uint32_t *gmon_bins(const struct gmon_state *state)
{
	return (uint32_t *)((char *)state + state->bins);
}

static inline struct gmon_arc *gmon_arcs(const struct gmon_state *state)
{
	return (struct gmon_arc *)((char *)state + state->arcs);
}

/* arcs.c: the table of calls; async-signal-safe, any number of threads */
extern struct gmon_state *libprofil_arcs_state;	/* NULL: calls are not counted */

void libprofil_count_call(uintptr_t from, uintptr_t self);
uint64_t libprofil_arc_from(const struct gmon_state *state, uint64_t key);
uint64_t libprofil_arc_self(const struct gmon_state *state, uint64_t key);

/* gmonstate.c: its memory; NULL, or -1, with errno set */
#define GMON_BIN_BYTES		4U	/* of code for one counter, at first */
#define GMON_BIN_BYTES_MAX	4096U

struct gmon_state *libprofil_state_create(uintptr_t low, uintptr_t high);
int libprofil_state_renew(struct gmon_state *state);
void libprofil_state_unname(struct gmon_state *state);
const char *libprofil_state_file(void);

/* gmonfile.c: the output file; -1 with errno set, for libprofil_output_error() */
void libprofil_output_begin(struct gmon_state *state);
void libprofil_output_begin_in_child(struct gmon_state *state);
int libprofil_output_write(const struct gmon_state *state);
const char *libprofil_output_error(int error);
int libprofil_root_is_same(void);

/* gmonout.c: writes gmon.out to @fd; returns 0, or -1 with errno set */
int libprofil_write_gmon(int fd, const struct gmon_state *state);

#endif /* _LIBPROFIL_GMON_H */
