/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sessions and address spaces, for session.c, space.c and sample.c alone.
 *
 * A profil_session is made by PROFIL_IOC_START and belongs to a profil_file,
 * which outlives it.  It owns its map and its per-CPU counts, and holds a
 * reference to two spaces: the target, whose ticks it counts, and the owner,
 * where its buffers are; they are the same when a process profiles itself.
 * A space stands for an address space.  It is the mmu notifier that the mm
 * layer keeps one of per mm, holds the mm_struct, and is freed by that layer
 * after it has been put by the last session and by space.c, which keeps it
 * until the address space ends.
 *
 * A session ends when its file is closed, when somebody stops it, or when one
 * of its spaces' address space does.  All three unlink it under
 * profil_session_lock, and whoever unlinked it destroys it.
 *
 * Pinning, unpinning, allocation, mmap_lock and the other files' locks come
 * before profil_session_lock or after it, never inside: they can take long, and
 * user space can make them.
 */
#ifndef _PROFIL_SESSION_H
#define _PROFIL_SESSION_H

#include <linux/hash.h>
#include <linux/list.h>
#include <linux/mmu_notifier.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include "profil.h"

extern struct mutex profil_session_lock;

/**
 * struct space - an address space that is profiled or holds buffers
 * @node: in profil_spaces while a session is linked; profil_session_lock, read
 *	by ticks; first, where a tick has no offset to subtract
 * @mn: one of ours per mm; its users count is this object's
 * @targeted: sessions that count this space's ticks; as @node
 * @owned: sessions whose buffers are here; profil_session_lock
 * @nr_targeted: how many of @targeted are others' and its own;
 *	profil_session_lock
 * @nr_linked: in how many of both lists a session is; profil_session_lock
 * @kept: in space.c's list, if that has a reference to it
 */
struct space {
	struct hlist_node node;
	struct mmu_notifier mn;
	struct hlist_head targeted;
	struct list_head owned;
	unsigned int nr_targeted[2];
	unsigned int nr_linked;
	struct list_head kept;
};

/* One CPU's part of a session: written by its ticks alone, see sample.c. */
struct session_cpu {
	u64 ticks;
	u64 counted;
	u64 outside;
	u64 saturated;
	u64 skipped;
	u64 kernel;
	struct profil_thin thin;
};

/**
 * struct profil_session - a running session
 * @targeted: in target->targeted; profil_session_lock, read by ticks; first,
 *	as space.node
 * @map: where ticks are counted; profil_session_lock, read by ticks
 * @cpu: counts and thinning of each CPU
 * @period: nanoseconds of CPU time per sample, 0: every tick; immutable
 * @user_only: ticks in kernel mode are skipped; immutable
 * @owned: in owner->owned; profil_session_lock
 * @all: in sessions; profil_session_lock
 * @file: whose session this is; profil_session_lock
 * @target: the space whose ticks are counted; immutable
 * @owner: the space that the buffers are in; immutable
 * @user: who is charged for the session; immutable
 * @ticking: it has the tick's hook in use; immutable
 * @id: never used again; immutable
 * @started: seconds since the epoch; immutable
 * @pid: the target, as seen by the administrator; immutable
 * @comm: its first thread's name when the session began; immutable
 */
struct profil_session {
	struct hlist_node targeted;
	struct profil_map *map;
	struct session_cpu __percpu *cpu;
	u32 period;
	bool user_only;
	struct list_head owned;
	struct list_head all;
	struct profil_file *file;
	struct space *target;
	struct space *owner;
	struct profil_user *user;
	bool ticking;
	u64 id;
	time64_t started;
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

/* session.c */
void profil_session_space_ended(struct space *space);

/* space.c */
#define PROFIL_SPACE_BITS	12

/* By mm_struct: those that a session is linked to; as space.node. */
extern struct hlist_head profil_spaces[1 << PROFIL_SPACE_BITS];

static inline struct hlist_head *profil_space_bucket(struct mm_struct *mm)
{
	return &profil_spaces[hash_ptr(mm, PROFIL_SPACE_BITS)];
}

struct space *profil_space_get(struct mm_struct *mm);
void profil_space_put(struct space *space);
struct space *profil_space_find(struct mm_struct *mm);
void profil_space_link(struct space *space);
void profil_space_unlink(struct space *space);

/* sample.c */
void profil_sample_wait(void);
void profil_sample_sum(struct profil_session *session,
		       struct profil_counts *counts);

#endif /* _PROFIL_SESSION_H */
