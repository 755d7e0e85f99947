// SPDX-License-Identifier: GPL-2.0
/*
 * Spaces: the address spaces that sessions profile or have buffers in.
 *
 * To make one, the mm layer locks all that the address space maps, libraries
 * that others map too.  So a space is not put with its last session, for the
 * next one to make it anew: it is kept until the address space ends, or the
 * module goes.
 */
#include <linux/atomic.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/wait_bit.h>

#include "session.h"

struct hlist_head profil_spaces[1 << PROFIL_SPACE_BITS];

/* Spaces by space.kept: each is a reference. */
static DEFINE_SPINLOCK(kept_lock);
static LIST_HEAD(kept);

/* Spaces that are not freed yet. */
static atomic_t nr_spaces = ATOMIC_INIT(0);

/*
 * Under the mmap_lock of @mm, which may be another's: so not accounted, as who
 * has no memory left in its control group can wait long.
 */
static struct mmu_notifier *space_alloc(struct mm_struct *mm)
{
	struct space *space = kzalloc(sizeof(*space), GFP_KERNEL);

	if (!space)
		return ERR_PTR(-ENOMEM);
	INIT_HLIST_HEAD(&space->targeted);
	INIT_LIST_HEAD(&space->owned);
	INIT_LIST_HEAD(&space->kept);
	atomic_inc(&nr_spaces);
	return &space->mn;
}

static void space_free(struct mmu_notifier *mn)
{
	kfree(container_of(mn, struct space, mn));
	if (atomic_dec_and_test(&nr_spaces))
		wake_up_var(&nr_spaces);
}

/* Whether the caller's reference is now the list's. */
static bool space_keep(struct space *space)
{
	bool ret;

	spin_lock(&kept_lock);
	ret = list_empty(&space->kept);
	if (ret)
		list_add(&space->kept, &kept);
	spin_unlock(&kept_lock);
	return ret;
}

static void space_keep_no_more(struct space *space)
{
	bool was_kept;

	spin_lock(&kept_lock);
	was_kept = !list_empty(&space->kept);
	list_del_init(&space->kept);
	spin_unlock(&kept_lock);
	if (was_kept)
		profil_space_put(space);
}

/* exit_mmap(): the address space goes, but its page tables are still there. */
static void space_ended(struct mmu_notifier *mn, struct mm_struct *mm)
{
	struct space *space = container_of(mn, struct space, mn);

	profil_session_space_ended(space);
	space_keep_no_more(space);
}

static const struct mmu_notifier_ops space_ops = {
	.alloc_notifier = space_alloc,
	.free_notifier = space_free,
	.release = space_ended,
};

/* @mm has users, so it does not end meanwhile. */
struct space *profil_space_get(struct mm_struct *mm)
{
	struct mmu_notifier *mn;
	struct space *space;

	do {
		mn = mmu_notifier_get(&space_ops, mm);
		if (IS_ERR(mn))
			return ERR_CAST(mn);
		space = container_of(mn, struct space, mn);
	} while (space_keep(space));
	return space;
}

void profil_space_put(struct space *space)
{
	mmu_notifier_put(&space->mn);
}

struct space *profil_space_find(struct mm_struct *mm)
{
	struct space *space;

	lockdep_assert_held(&profil_session_lock);
	hlist_for_each_entry(space, profil_space_bucket(mm), node)
		if (space->mn.mm == mm)
			return space;
	return NULL;
}

void profil_space_link(struct space *space)
{
	lockdep_assert_held(&profil_session_lock);
	if (!space->nr_linked++)
		hlist_add_head_rcu(&space->node,
				   profil_space_bucket(space->mn.mm));
}

void profil_space_unlink(struct space *space)
{
	lockdep_assert_held(&profil_session_lock);
	if (!--space->nr_linked)
		hlist_del_rcu(&space->node);
}

/*
 * No session is left, and none can begin; but address spaces may end.  A space
 * that the mm layer has put is freed in a callback of SRCU, with bottom halves
 * off, and not while its end is under way, here or in session.c.
 */
void profil_space_exit(void)
{
	struct space *space;

	for (;;) {
		spin_lock(&kept_lock);
		space = list_first_entry_or_null(&kept, struct space, kept);
		if (space)
			list_del_init(&space->kept);
		spin_unlock(&kept_lock);
		if (!space)
			break;
		profil_space_put(space);
	}
	wait_var_event(&nr_spaces, !atomic_read(&nr_spaces));
	synchronize_rcu();	/* the last callback has returned */
}
