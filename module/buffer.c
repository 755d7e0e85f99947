// SPDX-License-Identifier: GPL-2.0
/*
 * Buffers: charging and pinning the user memory that a map's counters are in.
 */
#include <linux/backing-dev.h>
#include <linux/capability.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "map.h"

/*
 * Pages pinned in one go: for some of them interrupts are off, and none has
 * been looked at by map_keep_pinned() before.
 */
#define PIN_BATCH	64UL

/* Of a region that profil_map_create()'s caller has checked. */
static u64 region_counters(const struct profil_region *region)
{
	return region->bytes / region->width;
}

static unsigned long region_pages(const struct profil_region *region)
{
	u64 bytes = region_counters(region) * region->width;

	return bytes ? PFN_UP(offset_in_page(region->buf) + bytes) : 0;
}

/*
 * With n counters, the highest half = (pc - offset) / 2 that has one satisfies
 * half * scale / 65536 < n, that is half <= (n * 65536 - 1) / scale.  The span
 * is twice the number of such halves.  It fits 64 bits for n up to 2^46, and
 * half * scale does for every half inside it.  With scale 0 all have the first.
 * The span ends at 2^64 at the latest: then pc - offset, computed modulo 2^64,
 * is not inside it for any pc below the offset.
 */
static u64 region_span(const struct profil_region *region)
{
	u64 n = region_counters(region), span = U64_MAX;

	if (!n)
		return 0;
	if (region->scale)
		span = 2 * (div_u64(n * 65536 - 1, region->scale) + 1);
	return region->offset ? min(span, -region->offset) : span;
}

static void map_layout(struct profil_map *map,
		       const struct profil_region *regions)
{
	struct page **pages = map->pages;
	unsigned int i;

	for (i = 0; i < map->nr_regions; i++) {
		map->regions[i] = (struct map_region){
			.offset = regions[i].offset,
			.span = region_span(&regions[i]),
			.scale = regions[i].scale,
			.shift = ilog2(regions[i].width),
			.start = offset_in_page(regions[i].buf),
			.pages = pages,
		};
		pages += region_pages(&regions[i]);
	}
}

/*
 * The user's allowance first, what it does not cover by RLIMIT_MEMLOCK.  Not by
 * account_locked_vm(), as that takes the mmap_lock, which can be held up, also
 * to give back; and maps are destroyed by ends of other processes.
 */
static int map_charge(struct profil_map *map, unsigned long nr)
{
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	unsigned long allowed = profil_user_take_pages(map->user, nr);

	map->user_pages += allowed;
	map->mm_pages += nr - allowed;
	if (nr == allowed)
		return 0;
	if (atomic64_add_return(nr - allowed, &map->mm->pinned_vm) > limit &&
	    !capable(CAP_IPC_LOCK))
		return -ENOMEM;
	return 0;
}

static void map_uncharge(struct profil_map *map)
{
	atomic64_sub(map->mm_pages, &map->mm->pinned_vm);
	profil_user_give_pages(map->user, map->user_pages);
}

/*
 * Pages of a file that is written back must not be written to except through
 * a page table: their file system would not know.  The folio's lock keeps the
 * mapping from going away.
 */
static int folio_check_mapping(struct folio *folio)
{
	struct address_space *mapping;
	int ret;

	if (folio_test_anon(folio))
		return 0;
	ret = folio_lock_killable(folio);
	if (ret)
		return ret;
	mapping = folio_mapping(folio);
	if (mapping && mapping_can_writeback(mapping))
		ret = -EOPNOTSUPP;
	folio_unlock(folio);
	return ret;
}

/*
 * A pin counts 1024 references of a small page, so half a million of them are
 * still far from an overflow, which the kernel would warn of.
 */
static int folio_check_pins(struct folio *folio)
{
	return folio_ref_count(folio) > INT_MAX / 4 ? -ENOMEM : 0;
}

/**
 * struct holding - what the pins of a map keep in memory
 * @folio: the last pin's
 * @left: its pages that may still be pinned and are among @nr
 * @nr: pages; a pin in a large folio holds all of that
 */
struct holding {
	struct folio *folio;
	unsigned long left;
	unsigned long nr;
};

/*
 * Each pin pays for a page, and if that is not enough, for its folio.  A folio
 * that pins come back to, after another one, is paid for again.
 */
static int map_hold(struct profil_map *map, struct holding *holding,
		    struct folio *folio)
{
	unsigned long charged = map->user_pages + map->mm_pages;

	if (folio == holding->folio && holding->left) {
		holding->left--;
		return 0;
	}
	holding->folio = folio;
	holding->left = folio_nr_pages(folio) - 1;
	holding->nr += folio_nr_pages(folio);
	return holding->nr > charged ? map_charge(map, holding->nr - charged) :
				       0;
}

/* Keeps the good ones among @nr pages that were pinned behind nr_pinned. */
static int map_keep_pinned(struct profil_map *map, struct holding *holding,
			   unsigned long nr)
{
	for (; nr; nr--) {
		struct page **page = map->pages + map->nr_pinned;
		struct folio *folio = page_folio(*page);
		int ret = folio_check_pins(folio) ?:
			  folio_check_mapping(folio) ?:
			  map_hold(map, holding, folio);

		if (ret) {
			unpin_user_pages(page, nr);
			return ret;
		}
		map->nr_pinned++;
	}
	return 0;
}

/*
 * From 6.5 on (8ac268436e6d "mm/gup: disallow FOLL_LONGTERM GUP-nonfast writing
 * to file-backed mappings") such pages are not even pinned; their owner is told
 * the same.
 */
static int pin_error(unsigned long addr, int error)
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;

	if (error != -EFAULT)
		return error;
	mmap_read_lock(mm);
	vma = vma_lookup(mm, untagged_addr(addr));
	if (vma && vma->vm_file && vma->vm_flags & VM_SHARED &&
	    vma->vm_flags & VM_WRITE &&
	    mapping_can_writeback(vma->vm_file->f_mapping))
		error = -EOPNOTSUPP;
	mmap_read_unlock(mm);
	return error;
}

static int map_pin_region(struct profil_map *map, struct holding *holding,
			  const struct profil_region *region)
{
	unsigned long addr = region->buf & PAGE_MASK;
	unsigned long left = region_pages(region);

	while (left) {
		int nr, ret;

		if (fatal_signal_pending(current))
			return -EINTR;
		nr = pin_user_pages_fast(addr, min(left, PIN_BATCH),
					 FOLL_WRITE | FOLL_LONGTERM,
					 map->pages + map->nr_pinned);
		if (nr <= 0)
			return pin_error(addr, nr ?: -EFAULT);
		ret = map_keep_pinned(map, holding, nr);
		if (ret)
			return ret;
		addr += (unsigned long)nr << PAGE_SHIFT;
		left -= nr;
		cond_resched();
	}
	return 0;
}

static int map_pin(struct profil_map *map, const struct profil_region *regions)
{
	struct holding holding = { };
	unsigned int i;
	int ret = 0;

	for (i = 0; i < map->nr_regions && !ret; i++)
		ret = map_pin_region(map, &holding, &regions[i]);
	return ret;
}

static void map_unpin(struct profil_map *map)
{
	unsigned long done, nr;

	for (done = 0; done < map->nr_pinned; done += nr) {
		nr = min(map->nr_pinned - done, PIN_BATCH);
		unpin_user_pages_dirty_lock(map->pages + done, nr, true);
		cond_resched();
	}
}

static int map_fill(struct profil_map *map,
		    const struct profil_region *regions)
{
	unsigned int i;
	int ret;

	map->user = profil_user_get();
	if (IS_ERR(map->user)) {
		ret = PTR_ERR(map->user);
		map->user = NULL;
		return ret;
	}

	for (i = 0; i < map->nr_regions; i++)
		map->nr_pages += region_pages(&regions[i]);
	ret = map_charge(map, map->nr_pages);
	if (ret)
		return ret;

	map->pages = kvmalloc_array(map->nr_pages, sizeof(*map->pages),
				    GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!map->pages)
		return -ENOMEM;
	map_layout(map, regions);
	return map_pin(map, regions);
}

/*
 * @regions are checked: in ascending order, widths of 2 or 4, buffers aligned
 * and in the caller's half of the address space.
 */
struct profil_map *profil_map_create(const struct profil_region *regions,
				     unsigned int nr)
{
	struct profil_map *map;
	int ret;

	map = kvzalloc(struct_size(map, regions, nr), GFP_KERNEL_ACCOUNT);
	if (!map)
		return ERR_PTR(-ENOMEM);
	map->mm = current->mm;
	map->nr_regions = nr;

	ret = map_fill(map, regions);
	if (ret) {
		profil_map_destroy(map);
		return ERR_PTR(ret);
	}
	return map;
}

/* No tick uses @map any more.  A half-made one is fine, and so is NULL. */
void profil_map_destroy(struct profil_map *map)
{
	if (!map)
		return;
	map_unpin(map);
	kvfree(map->pages);
	if (map->user) {
		map_uncharge(map);
		profil_user_put(map->user);
	}
	kvfree(map);
}

unsigned int profil_map_regions(const struct profil_map *map)
{
	return map->nr_regions;
}

unsigned long profil_map_pages(const struct profil_map *map)
{
	return map->nr_pinned;
}
