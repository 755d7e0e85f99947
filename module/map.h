/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Maps: regions of code and their counters, in pinned pages of user memory.
 *
 * A profil_map is made of an array of regions and never changes afterwards.
 * Making it charges and pins the pages of all counters, destroying it gives
 * them back: buffer.c.  The tick finds a counter's page through it without
 * touching a page table, so it cannot fault, and writes to nothing but those
 * pages: this file, inline for the sake of ticks.
 */
#ifndef _PROFIL_MAP_H
#define _PROFIL_MAP_H

#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/page-flags.h>

#include "profil.h"

/* Further tries of a tick to increment counters that others write to meanwhile. */
#define MAP_COUNT_TRIES	100

/**
 * struct map_region - one region as the tick wants it
 * @offset: lowest pc
 * @span: the region's counters cover [offset, offset + span)
 * @scale: as in struct profil_region
 * @shift: log2 of a counter's width
 * @start: offset of the first counter in pages[0]
 * @pages: into profil_map.pages
 */
struct map_region {
	u64 offset;
	u64 span;
	u32 scale;
	u16 shift;
	u16 start;
	struct page **pages;
};

struct profil_map {
	struct profil_user *user;
	struct mm_struct *mm;		/* alive as long as the map's owner is */
	unsigned long user_pages;	/* charged to @user */
	unsigned long mm_pages;		/* charged to @mm */
	unsigned long nr_pages;
	unsigned long nr_pinned;
	struct page **pages;
	unsigned int nr_regions;
	struct map_region regions[];
};

enum map_outcome {
	MAP_COUNTED,
	MAP_OUTSIDE,
	MAP_SATURATED,
};

/* The last region whose offset is not above @pc; the first if there is none. */
static inline const struct map_region *
map_region_find(const struct profil_map *map, u64 pc)
{
	const struct map_region *base = map->regions;
	unsigned int n = map->nr_regions;

	while (n > 1) {
		unsigned int half = n / 2;

		if (base[half].offset <= pc)
			base += half;
		n -= half;
	}
	return base;
}

/*
 * Adds one unless the counter is at its maximum.  Each failed try is somebody
 * else's success: a program that writes to its own counters all the time can
 * use up @tries, or a hundred CPUs that count in one counter at that moment.
 */
static inline bool map_count_u16(u16 *counter, unsigned int *tries)
{
	u16 old = READ_ONCE(*counter);

	while (old != U16_MAX) {
		if (likely(try_cmpxchg(counter, &old, old + 1)))
			return true;
		if (!*tries)
			break;
		--*tries;
	}
	return false;
}

static inline bool map_count_u32(u32 *counter, unsigned int *tries)
{
	u32 old = READ_ONCE(*counter);

	while (old != U32_MAX) {
		if (likely(try_cmpxchg(counter, &old, old + 1)))
			return true;
		if (!*tries)
			break;
		--*tries;
	}
	return false;
}

/*
 * Hard irq: bounded work, no fault, no lock.  @tries: how many this tick has left
 * beyond one in each session.
 */
static inline enum map_outcome map_count(const struct profil_map *map, u64 pc,
					 unsigned int *tries)
{
	const struct map_region *region = map_region_find(map, pc);
	u64 distance = pc - region->offset, byte;
	void *memory, *counter;
	struct page *page;
	bool counted;

	/* So is a pc below the offset, by its huge distance: region_span(). */
	if (distance >= region->span)
		return MAP_OUTSIDE;
	distance = array_index_nospec(distance, region->span);

	byte = ((((distance >> 1) * region->scale) >> 16) << region->shift) +
	       region->start;
	page = region->pages[byte >> PAGE_SHIFT];
	/* Memory that has failed: to touch it may take the machine down. */
	if (unlikely(PageHWPoison(page)))
		return MAP_SATURATED;
	memory = kmap_local_page(page);
	counter = memory + offset_in_page(byte);
	if (region->shift == 1)
		counted = map_count_u16(counter, tries);
	else
		counted = map_count_u32(counter, tries);
	kunmap_local(memory);
	return counted ? MAP_COUNTED : MAP_SATURATED;
}

#endif /* _PROFIL_MAP_H */
