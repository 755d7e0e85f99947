// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions: who is profiled, into which map, from when until when.
 */
#include <linux/capability.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string_helpers.h>
#include <linux/timekeeping.h>

#include "session.h"

static unsigned int process_sessions = 16;
module_param(process_sessions, uint, 0644);
MODULE_PARM_DESC(process_sessions,
		 "sessions of its own, and as many of others, that may profile one address space (16)");

/* Protects what session.h says, and the variables below. */
DEFINE_MUTEX(profil_session_lock);
static LIST_HEAD(sessions);
static u64 last_id;

unsigned int profil_session_max(void)
{
	return READ_ONCE(process_sessions);
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

/* The first thread of a process may have exited before the others. */
static struct mm_struct *process_mm_get(struct task_struct *task)
{
	struct mm_struct *mm = NULL;
	struct task_struct *thread;

	rcu_read_lock();
	for_each_thread(task, thread) {
		mm = get_task_mm(thread);
		if (mm)
			break;
	}
	rcu_read_unlock();
	return mm;
}

/*
 * Whether @task has the caller's address space.  It is not held for that: who
 * does may have to clear it away when its process ends.
 */
static int target_compare(struct task_struct *task)
{
	struct task_struct *thread;
	int ret = -ESRCH;

	rcu_read_lock();
	for_each_thread(task, thread) {
		task_lock(thread);
		if (thread->mm && !(READ_ONCE(thread->flags) & PF_KTHREAD))
			ret = thread->mm == current->mm ? 0 : -EPERM;
		task_unlock(thread);
		if (ret != -ESRCH)
			break;
	}
	rcu_read_unlock();
	return ret;
}

static struct mm_struct *target_mm_get(struct task_struct *task)
{
	int ret = target_compare(task);

	if (ret == -EPERM && perfmon_capable())
		return process_mm_get(task) ?: ERR_PTR(-ESRCH);
	if (ret)
		return ERR_PTR(ret);
	mmget(current->mm);
	return current->mm;
}

/* A half-made session is fine.  Nothing reaches it any more. */
static void session_destroy(struct profil_session *session)
{
	if (session->ticking)
		profil_tick_put();
	profil_map_destroy(session->map);	/* needs the owner's mm_struct */
	if (session->target)
		profil_space_put(session->target);
	if (session->owner)
		profil_space_put(session->owner);
	if (session->user) {
		profil_user_del_session(session->user);
		profil_user_put(session->user);
	}
	free_percpu(session->cpu);
	kfree(session);
}

static int session_take_space(struct space **to, struct mm_struct *mm)
{
	struct space *space = profil_space_get(mm);

	if (IS_ERR(space))
		return PTR_ERR(space);
	*to = space;
	return 0;
}

static int session_take_user(struct profil_session *session)
{
	struct profil_user *user = profil_user_get();
	int ret;

	if (IS_ERR(user))
		return PTR_ERR(user);
	ret = profil_user_add_session(user);
	if (ret)
		profil_user_put(user);
	else
		session->user = user;
	return ret;
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

/* Not under profil_session_lock: it may have to patch the kernel's text. */
static int session_take_tick(struct profil_session *session)
{
	int ret = profil_tick_get();

	session->ticking = !ret;
	return ret;
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
	struct timespec64 now;
	int ret;

	session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);
	if (!session)
		return ERR_PTR(-ENOMEM);
	session->period = arg->period_ns;
	session->user_only = arg->flags & PROFIL_USER_ONLY;
	/* ktime_get_real_seconds() reads without the sequence count: a race. */
	ktime_get_coarse_real_ts64(&now);
	session->started = now.tv_sec;
	session->pid = task_tgid_nr(task);
	get_task_comm(session->comm, task);

	ret = session_take_user(session) ?:
	      session_take_cpus(session) ?:
	      session_take_space(&session->owner, current->mm) ?:
	      session_take_space(&session->target, mm) ?:
	      session_take_map(session, regions, arg->nr_regions) ?:
	      session_take_tick(session);
	if (ret) {
		session_destroy(session);
		return ERR_PTR(ret);
	}
	return session;
}

/* So that neither a process nor those who profile it can lock the others out. */
static unsigned int *session_counter(struct space *target, struct space *owner)
{
	return &target->nr_targeted[target == owner];
}

/* Also NULL: a space that has no session yet. */
static int link_error(const struct profil_file *file, struct space *target,
		      struct space *owner)
{
	lockdep_assert_held(&profil_session_lock);
	if (file->session)
		return -EBUSY;
	if (target && *session_counter(target, owner) >= profil_session_max())
		return -EMFILE;
	return 0;
}

static int session_link(struct profil_session *session,
			struct profil_file *file)
{
	struct space *target = session->target, *owner = session->owner;
	int ret = link_error(file, target, owner);

	if (ret)
		return ret;
	session->id = ++last_id;
	session->file = file;
	file->session = session;
	list_add_tail(&session->all, &sessions);
	list_add(&session->owned, &owner->owned);
	++*session_counter(target, owner);
	hlist_add_head_rcu(&session->targeted, &target->targeted);
	profil_space_link(owner);
	profil_space_link(target);
	return 0;
}

/* Moves @session to @ended, for sessions_settle() and sessions_destroy(). */
static void session_unlink(struct profil_session *session,
			   struct list_head *ended)
{
	lockdep_assert_held(&profil_session_lock);
	profil_space_unlink(session->target);
	profil_space_unlink(session->owner);
	hlist_del_rcu(&session->targeted);
	--*session_counter(session->target, session->owner);
	list_del(&session->owned);
	list_move(&session->all, ended);
	session->file->session = NULL;
}

/* Ticks are done with the sessions of @ended, and their files know. */
static void sessions_settle(struct list_head *ended)
{
	struct profil_session *session;

	lockdep_assert_held(&profil_session_lock);
	if (list_empty(ended))
		return;
	profil_sample_wait();
	list_for_each_entry(session, ended, all)
		profil_sample_sum(session, &session->file->last);
}

static void sessions_destroy(struct list_head *ended)
{
	struct profil_session *session, *next;

	list_for_each_entry_safe(session, next, ended, all)
		session_destroy(session);
}

/* In exit_mmap(), with the page tables still there. */
void profil_session_space_ended(struct space *space)
{
	struct profil_session *session;
	struct hlist_node *next_target;
	struct profil_session *next;
	LIST_HEAD(ended);

	mutex_lock(&profil_session_lock);
	hlist_for_each_entry_safe(session, next_target, &space->targeted,
				  targeted)
		session_unlink(session, &ended);
	list_for_each_entry_safe(session, next, &space->owned, owned)
		session_unlink(session, &ended);
	sessions_settle(&ended);
	mutex_unlock(&profil_session_lock);

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

	/* Before much is taken; it may be different when that is done. */
	mutex_lock(&profil_session_lock);
	ret = link_error(file, profil_space_find(mm),
			 profil_space_find(current->mm));
	mutex_unlock(&profil_session_lock);
	if (ret)
		goto put_mm;

	session = session_create(task, mm, arg, regions);
	ret = PTR_ERR_OR_ZERO(session);
	if (ret)
		goto put_mm;

	mutex_lock(&profil_session_lock);
	ret = session_link(session, file);
	arg->session = session->id;
	mutex_unlock(&profil_session_lock);
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

	lockdep_assert_held(&profil_session_lock);
	if (!id)
		return file->session;
	space = profil_space_find(current->mm);
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

	mutex_lock(&profil_session_lock);
	session = session_find(file, id);
	if (!session) {
		ret = -ESRCH;
	} else if (session->owner->mn.mm != current->mm) {
		ret = -EPERM;
	} else {
		old = session->map;
		/* Pairs with READ_ONCE() in sample_session(): a whole map. */
		smp_store_release(&session->map, map);
		profil_sample_wait();
		map = old;
	}
	mutex_unlock(&profil_session_lock);

	profil_map_destroy(map);
	return ret;
}

int profil_session_read(struct profil_file *file, u64 id,
			struct profil_counts *counts)
{
	struct profil_session *session;
	int ret = 0;

	mutex_lock(&profil_session_lock);
	session = session_find(file, id);
	if (session) {
		profil_sample_sum(session, counts);
		counts->state = PROFIL_RUNNING;
		counts->pages = profil_map_pages(session->map);
	} else if (id) {
		ret = -ESRCH;
	} else {
		*counts = file->last;
	}
	mutex_unlock(&profil_session_lock);
	return ret;
}

int profil_session_stop(struct profil_file *file, u64 id,
			struct profil_counts *counts)
{
	struct profil_session *session;
	LIST_HEAD(ended);
	int ret = 0;

	mutex_lock(&profil_session_lock);
	session = session_find(file, id);
	if (session) {
		session_unlink(session, &ended);
		sessions_settle(&ended);
		file = session->file;
	} else if (id) {
		ret = -ESRCH;
	}
	*counts = file->last;
	mutex_unlock(&profil_session_lock);

	sessions_destroy(&ended);
	return ret;
}

/* One line per running session. */
void profil_session_show_all(struct seq_file *m)
{
	struct profil_session *session;
	struct profil_counts counts;

	mutex_lock(&profil_session_lock);
	list_for_each_entry(session, &sessions, all) {
		profil_sample_sum(session, &counts);
		seq_printf(m, "%llu\t%d\t%u\t%lld\t%u\t%u\t%lu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t",
			   session->id, session->pid,
			   profil_user_uid(session->user),
			   session->started, session->period,
			   profil_map_regions(session->map),
			   profil_map_pages(session->map), counts.ticks,
			   counts.counted, counts.outside, counts.saturated,
			   counts.skipped, counts.kernel);
		seq_escape_str(m, session->comm, ESCAPE_ANY_NP, NULL);
		seq_putc(m, '\n');
	}
	mutex_unlock(&profil_session_lock);
}
