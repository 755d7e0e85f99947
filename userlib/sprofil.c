// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * sprofil(): several regions at once.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/profil.h>
#include <sys/time.h>

#include "internal.h"

/* An entry with this scale and offset 0 counts what no other does. */
#define OVERFLOW_SCALE	2

static int is_overflow(const struct prof *prof)
{
	return prof->pr_off == 0 && prof->pr_scale == OVERFLOW_SCALE;
}

static struct profil_region region_of(const struct prof *prof, __u32 width)
{
	return (struct profil_region){
		.offset = prof->pr_off,
		.buf = (uintptr_t)prof->pr_base,
		.bytes = prof->pr_size,
		.scale = prof->pr_scale,
		.width = width,
	};
}

/*
 * The first address behind a region that has counters, as <linux/profil.h>
 * defines it, or 0 if it reaches the end of the address space.
 */
static __u64 region_end(const struct profil_region *region)
{
	__u64 n = region->bytes / region->width;
	__u64 end = region->offset +
		    2 * ((n * 65536 - 1) / region->scale + 1);

	return end > region->offset ? end : 0;
}

static int by_offset(const void *a, const void *b)
{
	const struct profil_region *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Everything from @offset on, up to the next region, in the first counter. */
static struct profil_region gap_at(const struct profil_region *overflow,
				   __u64 offset)
{
	struct profil_region gap = *overflow;

	gap.offset = offset;
	gap.scale = 0;
	return gap;
}

/*
 * From @nr sorted @regions makes @all, in which those gaps that the overflow
 * entry covers are regions, too.
 */
static unsigned int fill_gaps(const struct profil_region *regions,
			      unsigned int nr,
			      const struct profil_region *overflow,
			      struct profil_region *all)
{
	unsigned int i, n = 0;
	__u64 end = 0;

	for (i = 0; i < nr; i++) {
		if (overflow && end < regions[i].offset)
			all[n++] = gap_at(overflow, end);
		all[n++] = regions[i];
		end = region_end(&regions[i]);
		if (!end)
			return n;
	}
	if (overflow)
		all[n++] = gap_at(overflow, end);
	return n;
}

/* All that sprofil() does with a profile to start.  Under the lock. */
static int start(const struct prof *profs, unsigned int nr, unsigned int flags)
{
	__u32 width = flags & PROF_UINT ? sizeof(unsigned int) :
					  sizeof(unsigned short);
	struct profil_region *regions, *all, overflow;
	unsigned int i, n = 0;
	int has_overflow = 0;
	int ret, error;

	regions = calloc(nr, sizeof(*regions));
	all = calloc(2 * (size_t)nr + 1, sizeof(*all));
	if (!regions || !all) {
		ret = -1;
		goto out;
	}

	for (i = 0; i < nr; i++) {
		if (is_overflow(&profs[i])) {
			overflow = region_of(&profs[i], width);
			has_overflow = 1;
		} else if (profs[i].pr_scale > 1 && profs[i].pr_size >= width) {
			regions[n++] = region_of(&profs[i], width);
		}
	}
	qsort(regions, n, sizeof(*regions), by_offset);
	n = fill_gaps(regions, n, has_overflow ? &overflow : NULL, all);
	ret = libprofil_start(&libprofil_self, all, n, PERIOD_NS);
out:
	error = errno;
	free(regions);
	free(all);
	errno = error;
	return ret;
}

static int sprofil_call(struct prof *profs, int nr, struct timeval *period,
			unsigned int flags)
{
	int ret = 0;
	int state;

	if (nr < 0 || flags & ~(PROF_UINT | PROF_FAST)) {
		errno = EINVAL;
		return -1;
	}
	state = libprofil_lock();
	if (nr && profs)
		ret = start(profs, nr, flags);
	else
		libprofil_stop(&libprofil_self);
	libprofil_unlock(state);

	if (!ret && period) {
		period->tv_sec = 0;
		period->tv_usec = PERIOD_NS / 1000;
	}
	return ret;
}

OFFER_sprofil(sprofil_call);
