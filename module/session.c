// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions: who is profiled, into which map, and what became of the ticks.
 *
 * A profil_session is made by PROFIL_IOC_START and belongs to a profil_file,
 * which outlives it.  It owns its map and its per-CPU counts, and holds a
 * reference to two spaces: the target, whose ticks it counts, and the owner,
 * where its buffers are; they are the same when a process profiles itself.
 * A space stands for an address space.  It is the mmu notifier that the mm
 * layer keeps one of per mm, holds the mm_struct, and is freed by that layer
 * after the last session has put it.
 *
 * A session ends when its file is closed, when somebody stops it, or when one
 * of its spaces' address space does.  All three unlink it under session_lock,
 * and whoever unlinked it destroys it.
 *
 * Lock order: session_lock, then a CPU's tick_lock, and what tick.c and user.c
 * use.  Pinning, unpinning and mmap_lock come before session_lock or after
 * it, never inside: user space can make them take long.
 */
#include <linux/capability.h>
#include <linux/hash.h>
#include <linux/mmu_notifier.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "profil.h"

static unsigned int process_sessions = 16;
module_param(process_sessions, uint, 0644);
MODULE_PARM_DESC(process_sessions,
		 "sessions that may profile one address space (16)");

/**
 * struct space - an address space that is profiled or holds buffers
 * @mn: one of ours per mm; its users count is this object's
 * @node: in spaces[] while a session is linked; session_lock, read by ticks
 * @targeted: sessions that count this space's ticks; as @node
 * @owned: sessions whose buffers are here; session_lock
 * @nr_targeted: length of @targeted; session_lock
 * @nr_linked: in how many of both lists a session is; session_lock
 */
struct space {
	struct mmu_notifier mn;
	struct hlist_node node;
	struct hlist_head targeted;
	struct list_head owned;
	unsigned int nr_targeted;
	unsigned int nr_linked;
};

/* One CPU's part of a session; that CPU's tick_lock. */
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
 * @map: where ticks are counted; session_lock, read by ticks
 * @cpu: counts and thinning of each CPU
 * @period: nanoseconds of CPU time per sample, 0: every tick; immutable
 * @user_only: ticks in kernel mode are skipped; immutable
 * @targeted: in target->targeted; session_lock, read by ticks
 * @owned: in owner->owned; session_lock
 * @all: in sessions; session_lock
 * @file: whose session this is; session_lock
 * @target: the space whose ticks are counted; immutable
 * @owner: the space that the buffers are in; immutable
 * @user: who is charged for the session; immutable
 * @id: never used again; immutable
 * @started: seconds since the epoch; immutable
 * @pid: the target, as seen by the administrator; immutable
 * @comm: its name when the session began; immutable
 */
struct profil_session {
	struct profil_map *map;
	struct session_cpu __percpu *cpu;
	u32 period;
	bool user_only;
	struct hlist_node targeted;
	struct list_head owned;
	struct list_head all;
	struct profil_file *file;
	struct space *target;
	struct space *owner;
	struct profil_user *user;
	u64 id;
	time64_t started;
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

#define SPACE_BITS	12

static DEFINE_MUTEX(session_lock);
static struct hlist_head spaces[1 << SPACE_BITS];
static LIST_HEAD(sessions);
static u64 last_id;

/*
 * A tick holds its CPU's lock while it looks at spaces, sessions and maps.
 * Whoever has taken one of these out of reach takes each CPU's lock in turn:
 * after that no tick knows it any more.
 */
static DEFINE_PER_CPU(raw_spinlock_t, tick_lock) =
	__RAW_SPIN_LOCK_UNLOCKED(tick_lock);

static struct hlist_head *space_bucket(struct mm_struct *mm)
{
	return &spaces[hash_ptr(mm, SPACE_BITS)];
}

unsigned int profil_session_max(void)
{
	return READ_ONCE(process_sessions);
}

/* The tick: hard irq, interrupts off */

static void session_tick(struct profil_session *session, u64 pc, bool kernel)
{
	struct session_cpu *cpu = this_cpu_ptr(session->cpu);

	cpu->ticks++;
	cpu->kernel += kernel;
	if ((kernel && session->user_only) ||
	    (session->period &&
	     !profil_thin_take(&cpu->thin, session->period))) {
		cpu->skipped++;
		return;
	}

	/* A kernel thread of the process, as io_uring's, has no user pc. */
	switch (pc ? profil_map_count(READ_ONCE(session->map), pc) :
		     PROFIL_OUTSIDE) {
	case PROFIL_COUNTED:
		cpu->counted++;
		break;
	case PROFIL_OUTSIDE:
		cpu->outside++;
		break;
	case PROFIL_SATURATED:
		cpu->saturated++;
		break;
	}
}

static u64 user_pc(struct pt_regs *irq_regs, bool kernel)
{
	return instruction_pointer(kernel ? task_pt_regs(current) : irq_regs);
}

/* @irq_regs: what the tick has interrupted on this CPU. */
void profil_session_tick(struct pt_regs *irq_regs)
{
	bool kernel = !user_mode(irq_regs);
	struct mm_struct *mm = current->mm;
	struct hlist_head *bucket = space_bucket(mm);
	struct profil_session *session;
	struct space *space;

	if (likely(hlist_empty(bucket)) || !mm || (current->flags & PF_KTHREAD))
		return;

	raw_spin_lock(this_cpu_ptr(&tick_lock));
	hlist_for_each_entry_rcu(space, bucket, node, true) {
		if (space->mn.mm != mm)
			continue;
		hlist_for_each_entry_rcu(session, &space->targeted, targeted,
					 true)
			session_tick(session, user_pc(irq_regs, kernel), kernel);
		break;
	}
	raw_spin_unlock(this_cpu_ptr(&tick_lock));
}

/* Returns when no tick uses what was unlinked before. */
static void wait_for_ticks(void)
{
	unsigned long flags;
	int cpu;

	for_each_possible_cpu(cpu) {
		raw_spin_lock_irqsave(per_cpu_ptr(&tick_lock, cpu), flags);
		raw_spin_unlock_irqrestore(per_cpu_ptr(&tick_lock, cpu), flags);
	}
}

/* Each CPU's part is consistent under its lock, and so is their sum. */
static void session_sum(struct profil_session *session,
			struct profil_counts *counts)
{
	unsigned long flags;
	int i;

	lockdep_assert_held(&session_lock);
	memset(counts, 0, sizeof(*counts));
	for_each_possible_cpu(i) {
		struct session_cpu *cpu = per_cpu_ptr(session->cpu, i);

		raw_spin_lock_irqsave(per_cpu_ptr(&tick_lock, i), flags);
		counts->ticks += cpu->ticks;
		counts->counted += cpu->counted;
		counts->outside += cpu->outside;
		counts->saturated += cpu->saturated;
		counts->skipped += cpu->skipped;
		counts->kernel += cpu->kernel;
		raw_spin_unlock_irqrestore(per_cpu_ptr(&tick_lock, i), flags);
	}
}

/* Spaces */

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

static void space_ended(struct mmu_notifier *mn, struct mm_struct *mm);

static const struct mmu_notifier_ops space_ops = {
	.alloc_notifier = space_alloc,
	.free_notifier = space_free,
	.release = space_ended,
};

static struct space *space_get(struct mm_struct *mm)
{
	struct mmu_notifier *mn = mmu_notifier_get(&space_ops, mm);

	return IS_ERR(mn) ? ERR_CAST(mn) : container_of(mn, struct space, mn);
}

static void space_put(struct space *space)
{
	mmu_notifier_put(&space->mn);
}

static struct space *space_find(struct mm_struct *mm)
{
	struct space *space;

	lockdep_assert_held(&session_lock);
	hlist_for_each_entry(space, space_bucket(mm), node)
		if (space->mn.mm == mm)
			return space;
	return NULL;
}

static void space_link(struct space *space)
{
	lockdep_assert_held(&session_lock);
	if (!space->nr_linked++)
		hlist_add_head_rcu(&space->node,
				   space_bucket(space->mn.mm));
}

static void space_unlink(struct space *space)
{
	lockdep_assert_held(&session_lock);
	if (!--space->nr_linked)
		hlist_del_rcu(&space->node);
}

/* Sessions: create, link, unlink, destroy */

/* @nr: as the caller numbers processes, 0: the caller's own. */
static struct task_struct *target_get(pid_t nr)
{
	struct task_struct *task;
	struct pid *pid;

	if (!nr)
		return get_task_struct(current->group_leader);
	pid = find_get_pid(nr);
	task = get_pid_task(pid, PIDTYPE_TGID);
	put_pid(pid);
	return task;
}

static struct mm_struct *target_mm_get(struct task_struct *task)
{
	struct mm_struct *mm = get_task_mm(task);

	if (!mm)
		return ERR_PTR(-ESRCH);
	if (mm != current->mm && !perfmon_capable()) {
		mmput(mm);
		return ERR_PTR(-EPERM);
	}
	return mm;
}

/* A half-made session is fine.  Nothing reaches it any more. */
static void session_destroy(struct profil_session *session)
{
	profil_map_destroy(session->map);	/* needs the owner's mm_struct */
	if (session->target)
		space_put(session->target);
	if (session->owner)
		space_put(session->owner);
	if (session->user)
		profil_user_put(session->user);
	free_percpu(session->cpu);
	kfree(session);
}

static int session_take_space(struct space **to, struct mm_struct *mm)
{
	struct space *space = space_get(mm);

	if (IS_ERR(space))
		return PTR_ERR(space);
	*to = space;
	return 0;
}

static int session_take_user(struct profil_session *session)
{
	struct profil_user *user = profil_user_get();

	if (IS_ERR(user))
		return PTR_ERR(user);
	session->user = user;
	return 0;
}

static int session_take_map(struct profil_session *session,
			    const struct profil_region *regions,
			    unsigned int nr)
{
	struct profil_map *map = profil_map_create(regions, nr);

	if (IS_ERR(map))
		return PTR_ERR(map);
	session->map = map;
	return 0;
}

static int session_take_cpus(struct profil_session *session)
{
	int cpu;

	session->cpu = alloc_percpu_gfp(struct session_cpu, GFP_KERNEL_ACCOUNT);
	if (!session->cpu)
		return -ENOMEM;
	if (session->period)
		for_each_possible_cpu(cpu)
			profil_thin_init(&per_cpu_ptr(session->cpu, cpu)->thin,
					 session->period);
	return 0;
}

static struct profil_session *
session_create(struct task_struct *task, struct mm_struct *mm,
	       const struct profil_start *arg,
	       const struct profil_region *regions)
{
	struct profil_session *session;
	int ret;

	session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);
	if (!session)
		return ERR_PTR(-ENOMEM);
	session->period = arg->period_ns;
	session->user_only = arg->flags & PROFIL_USER_ONLY;
	session->started = ktime_get_real_seconds();
	session->pid = task_tgid_nr(task);
	get_task_comm(session->comm, task);

	ret = session_take_cpus(session) ?:
	      session_take_user(session) ?:
	      session_take_space(&session->owner, current->mm) ?:
	      session_take_space(&session->target, mm) ?:
	      session_take_map(session, regions, arg->nr_regions);
	if (ret) {
		session_destroy(session);
		return ERR_PTR(ret);
	}
	return session;
}

static int session_link(struct profil_session *session,
			struct profil_file *file)
{
	struct space *target = session->target, *owner = session->owner;
	int ret;

	lockdep_assert_held(&session_lock);
	if (file->session)
		return -EBUSY;
	if (target->nr_targeted >= profil_session_max())
		return -EMFILE;
	ret = profil_user_add_session(session->user);
	if (ret)
		return ret;
	ret = profil_tick_get();
	if (ret) {
		profil_user_del_session(session->user);
		return ret;
	}

	session->id = ++last_id;
	session->file = file;
	file->session = session;
	list_add_tail(&session->all, &sessions);
	list_add(&session->owned, &owner->owned);
	target->nr_targeted++;
	hlist_add_head_rcu(&session->targeted, &target->targeted);
	space_link(owner);
	space_link(target);
	return 0;
}

/* Moves @session to @ended, for sessions_settle() and sessions_destroy(). */
static void session_unlink(struct profil_session *session,
			   struct list_head *ended)
{
	lockdep_assert_held(&session_lock);
	space_unlink(session->target);
	space_unlink(session->owner);
	hlist_del_rcu(&session->targeted);
	session->target->nr_targeted--;
	list_del(&session->owned);
	list_move(&session->all, ended);
	session->file->session = NULL;
	profil_tick_put();
	profil_user_del_session(session->user);
}

/* Ticks are done with the sessions of @ended, and their files know. */
static void sessions_settle(struct list_head *ended)
{
	struct profil_session *session;

	lockdep_assert_held(&session_lock);
	if (list_empty(ended))
		return;
	wait_for_ticks();
	list_for_each_entry(session, ended, all)
		session_sum(session, &session->file->last);
}

static void sessions_destroy(struct list_head *ended)
{
	struct profil_session *session, *next;

	list_for_each_entry_safe(session, next, ended, all)
		session_destroy(session);
}

/* exit_mmap(): the address space goes, but its page tables are still there. */
static void space_ended(struct mmu_notifier *mn, struct mm_struct *mm)
{
	struct space *space = container_of(mn, struct space, mn);
	struct profil_session *session;
	struct hlist_node *next_target;
	struct profil_session *next;
	LIST_HEAD(ended);

	mutex_lock(&session_lock);
	hlist_for_each_entry_safe(session, next_target, &space->targeted,
				  targeted)
		session_unlink(session, &ended);
	list_for_each_entry_safe(session, next, &space->owned, owned)
		session_unlink(session, &ended);
	sessions_settle(&ended);
	mutex_unlock(&session_lock);

	sessions_destroy(&ended);
}

/* What the device node offers */

int profil_session_start(struct profil_file *file, struct profil_start *arg,
			 const struct profil_region *regions)
{
	struct profil_session *session;
	struct task_struct *task;
	struct mm_struct *mm;
	int ret;

	task = target_get(arg->pid);
	if (!task)
		return -ESRCH;
	mm = target_mm_get(task);
	ret = PTR_ERR_OR_ZERO(mm);
	if (ret)
		goto put_task;

	session = session_create(task, mm, arg, regions);
	ret = PTR_ERR_OR_ZERO(session);
	if (ret)
		goto put_mm;

	mutex_lock(&session_lock);
	ret = session_link(session, file);
	arg->session = session->id;
	mutex_unlock(&session_lock);
	if (ret)
		session_destroy(session);
put_mm:
	mmput(mm);
put_task:
	put_task_struct(task);
	return ret;
}

/* @id 0: the file's, if one runs; else one that the caller's space owns. */
static struct profil_session *session_find(struct profil_file *file, u64 id)
{
	struct profil_session *session;
	struct space *space;

	lockdep_assert_held(&session_lock);
	if (!id)
		return file->session;
	space = space_find(current->mm);
	if (space)
		list_for_each_entry(session, &space->owned, owned)
			if (session->id == id)
				return session;
	return NULL;
}

int profil_session_set_regions(struct profil_file *file, u64 id,
			       const struct profil_region *regions,
			       unsigned int nr)
{
	struct profil_session *session;
	struct profil_map *map, *old;
	int ret = 0;

	map = profil_map_create(regions, nr);
	if (IS_ERR(map))
		return PTR_ERR(map);

	mutex_lock(&session_lock);
	session = session_find(file, id);
	if (!session) {
		ret = -ESRCH;
	} else if (session->owner->mn.mm != current->mm) {
		ret = -EPERM;
	} else {
		old = session->map;
		/* Pairs with READ_ONCE() in session_tick(): a whole map. */
		smp_store_release(&session->map, map);
		wait_for_ticks();
		map = old;
	}
	mutex_unlock(&session_lock);

	profil_map_destroy(map);
	return ret;
}

int profil_session_read(struct profil_file *file, u64 id,
			struct profil_counts *counts)
{
	struct profil_session *session;
	int ret = 0;

	mutex_lock(&session_lock);
	session = session_find(file, id);
	if (session) {
		session_sum(session, counts);
		counts->state = PROFIL_RUNNING;
		counts->pages = profil_map_pages(session->map);
	} else if (id) {
		ret = -ESRCH;
	} else {
		*counts = file->last;
	}
	mutex_unlock(&session_lock);
	return ret;
}

int profil_session_stop(struct profil_file *file, u64 id,
			struct profil_counts *counts)
{
	struct profil_session *session;
	LIST_HEAD(ended);
	int ret = 0;

	mutex_lock(&session_lock);
	session = session_find(file, id);
	if (session) {
		session_unlink(session, &ended);
		sessions_settle(&ended);
		file = session->file;
	} else if (id) {
		ret = -ESRCH;
	}
	*counts = file->last;
	mutex_unlock(&session_lock);

	sessions_destroy(&ended);
	return ret;
}

/* One line per running session. */
void profil_session_show_all(struct seq_file *m)
{
	struct profil_session *session;
	struct profil_counts counts;

	mutex_lock(&session_lock);
	list_for_each_entry(session, &sessions, all) {
		session_sum(session, &counts);
		seq_printf(m, "%llu\t%d\t%u\t%lld\t%u\t%u\t%lu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%s\n",
			   session->id, session->pid,
			   profil_user_uid(session->user),
			   session->started, session->period,
			   profil_map_regions(session->map),
			   profil_map_pages(session->map), counts.ticks,
			   counts.counted, counts.outside, counts.saturated,
			   counts.skipped, counts.kernel, session->comm);
	}
	mutex_unlock(&session_lock);
}

/* All sessions have ended; the last spaces may not be freed yet. */
void profil_session_exit(void)
{
	mmu_notifier_synchronize();
}
