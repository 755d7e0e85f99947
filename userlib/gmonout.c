// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * gmon.out, as <sys/gmon_out.h> describes it: histogram records, arc records.
 *
 * A histogram's counters have 16 bits there.  gprof adds up records of the same
 * range, so a hot counter goes into as many records as it takes.
 */
#include <errno.h>
#include <string.h>
#include <sys/gmon_out.h>
#include <unistd.h>

#include "gmon.h"

#define BIN_MAX		65535U
#define COUNT_MAX	UINT32_MAX

/* No stdio: _exit() comes here, too. */
struct out {
	int fd;
	int error;
	size_t used;
	char buffer[1 << 15];
};

static void flush(struct out *out)
{
	size_t done = 0;

	while (done < out->used && !out->error) {
		ssize_t n = write(out->fd, out->buffer + done, out->used - done);

		if (n > 0)
			done += n;
		else if (!n || errno != EINTR)
			out->error = n ? errno : EIO;
	}
	out->used = 0;
}

static void put(struct out *out, const void *data, size_t bytes)
{
	if (out->used + bytes > sizeof(out->buffer))
		flush(out);
	memcpy(out->buffer + out->used, data, bytes);
	out->used += bytes;
}

static void put_u8(struct out *out, uint8_t value)
{
	put(out, &value, sizeof(value));
}

static void put_u16(struct out *out, uint16_t value)
{
	put(out, &value, sizeof(value));
}

static void put_u32(struct out *out, uint32_t value)
{
	put(out, &value, sizeof(value));
}

/* As in the file: without what the loader added. */
static void put_address(struct out *out, const struct gmon_state *state,
			uint64_t address)
{
	uint64_t value = address - state->load;
	uint32_t low = value;

	if (state->pointer_bytes == sizeof(low))
		put(out, &low, sizeof(low));
	else
		put(out, &value, sizeof(value));
}

static void put_header(struct out *out)
{
	struct gmon_hdr header = { 0 };
	uint32_t version = GMON_VERSION;

	memcpy(header.cookie, GMON_MAGIC, sizeof(header.cookie));
	memcpy(header.version, &version, sizeof(version));
	put(out, &header, sizeof(header));
}

/* The part of each counter that record @record carries. */
static uint16_t part(uint32_t count, uint32_t record)
{
	uint64_t before = (uint64_t)record * BIN_MAX;

	if (count <= before)
		return 0;
	return count - before > BIN_MAX ? BIN_MAX : count - before;
}

static void put_histogram(struct out *out, const struct gmon_state *state,
			  uint32_t record)
{
	static const char dimension[15] = "seconds";
	uint32_t i;

	put_u8(out, GMON_TAG_TIME_HIST);
	put_address(out, state, state->low);
	put_address(out, state, state->high);
	put_u32(out, state->nr_bins);
	put_u32(out, state->rate);
	put(out, dimension, sizeof(dimension));
	put_u8(out, 's');
	for (i = 0; i < state->nr_bins; i++)
		put_u16(out, part(gmon_bins(state)[i], record));
}

static void put_histograms(struct out *out, const struct gmon_state *state)
{
	uint32_t max = 0;
	uint32_t i;

	for (i = 0; i < state->nr_bins; i++)
		if (gmon_bins(state)[i] > max)
			max = gmon_bins(state)[i];
	for (i = 0; !i || (uint64_t)i * BIN_MAX < max; i++) {
		put_histogram(out, state, i);
		if (out->error)
			return;
	}
}

static void put_arc(struct out *out, const struct gmon_state *state,
		    const struct gmon_arc *arc)
{
	uint64_t left = arc->count;

	while (left && !out->error) {
		uint32_t count = left > COUNT_MAX ? COUNT_MAX : left;

		put_u8(out, GMON_TAG_CG_ARC);
		put_address(out, state, libprofil_arc_from(state, arc->key));
		put_address(out, state, libprofil_arc_self(state, arc->key));
		put_u32(out, count);
		left -= count;
	}
}

int libprofil_write_gmon(int fd, const struct gmon_state *state)
{
	struct out out = { .fd = fd };
	uint32_t i;

	put_header(&out);
	put_histograms(&out, state);
	for (i = 0; i < state->nr_arcs; i++)
		put_arc(&out, state, &gmon_arcs(state)[i]);
	flush(&out);
	if (out.error) {
		errno = out.error;
		return -1;
	}
	return 0;
}
