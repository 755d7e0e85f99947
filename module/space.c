// SPDX-License-Identifier: GPL-2.0
/*
 * Spaces: the address spaces that sessions profile or have buffers in.
 */
#include <linux/rculist.h>
#include <linux/slab.h>

#include "session.h"

struct hlist_head profil_spaces[1 << PROFIL_SPACE_BITS];

static struct mmu_notifier *space_alloc(struct mm_struct *mm)
{
	struct space *space = kzalloc(sizeof(*space), GFP_KERNEL_ACCOUNT);

	if (!space)
		return ERR_PTR(-ENOMEM);
	INIT_HLIST_HEAD(&space->targeted);
	INIT_LIST_HEAD(&space->owned);
	return &space->mn;
}

static void space_free(struct mmu_notifier *mn)
{
	kfree(container_of(mn, struct space, mn));
}

/* exit_mmap(): the address space goes, but its page tables are still there. */
static void space_ended(struct mmu_notifier *mn, struct mm_struct *mm)
{
	profil_session_space_ended(container_of(mn, struct space, mn));
}

static const struct mmu_notifier_ops space_ops = {
	.alloc_notifier = space_alloc,
	.free_notifier = space_free,
	.release = space_ended,
};

struct space *profil_space_get(struct mm_struct *mm)
{
	struct mmu_notifier *mn = mmu_notifier_get(&space_ops, mm);

	return IS_ERR(mn) ? ERR_CAST(mn) : container_of(mn, struct space, mn);
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

/* The last spaces that were put may not be freed yet. */
void profil_space_exit(void)
{
	mmu_notifier_synchronize();
}
