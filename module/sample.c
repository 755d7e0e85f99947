// SPDX-License-Identifier: GPL-2.0
/*
 * A sample: what a tick does to the sessions of the thread it finds.
 */
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/spinlock.h>

#include "session.h"

/*
 * A tick holds its CPU's lock while it looks at spaces, sessions and maps.
 * Whoever has taken one of these out of reach takes each CPU's lock in turn:
 * after that no tick knows it any more.
 */
static DEFINE_PER_CPU(raw_spinlock_t, sample_lock) =
	__RAW_SPIN_LOCK_UNLOCKED(sample_lock);

/* Hard irq, interrupts off: no sleep, no fault, no print, bounded work. */
static void sample_session(struct profil_session *session, u64 pc, bool kernel)
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
void profil_sample_tick(struct pt_regs *irq_regs)
{
	bool kernel = !user_mode(irq_regs);
	struct mm_struct *mm = current->mm;
	struct hlist_head *bucket = profil_space_bucket(mm);
	struct profil_session *session;
	struct space *space;

	if (likely(hlist_empty(bucket)) || !mm || (current->flags & PF_KTHREAD))
		return;

	raw_spin_lock(this_cpu_ptr(&sample_lock));
	hlist_for_each_entry_rcu(space, bucket, node, true) {
		if (space->mn.mm != mm)
			continue;
		hlist_for_each_entry_rcu(session, &space->targeted, targeted,
					 true)
			sample_session(session, user_pc(irq_regs, kernel), kernel);
		break;
	}
	raw_spin_unlock(this_cpu_ptr(&sample_lock));
}

/* Returns when no tick uses what was unlinked before. */
void profil_sample_wait(void)
{
	unsigned long flags;
	int cpu;

	for_each_possible_cpu(cpu) {
		raw_spin_lock_irqsave(per_cpu_ptr(&sample_lock, cpu), flags);
		raw_spin_unlock_irqrestore(per_cpu_ptr(&sample_lock, cpu), flags);
	}
}

/* Each CPU's part is consistent under its lock, and so is their sum. */
void profil_sample_sum(struct profil_session *session,
		       struct profil_counts *counts)
{
	unsigned long flags;
	int i;

	lockdep_assert_held(&profil_session_lock);
	memset(counts, 0, sizeof(*counts));
	for_each_possible_cpu(i) {
		struct session_cpu *cpu = per_cpu_ptr(session->cpu, i);

		raw_spin_lock_irqsave(per_cpu_ptr(&sample_lock, i), flags);
		counts->ticks += cpu->ticks;
		counts->counted += cpu->counted;
		counts->outside += cpu->outside;
		counts->saturated += cpu->saturated;
		counts->skipped += cpu->skipped;
		counts->kernel += cpu->kernel;
		raw_spin_unlock_irqrestore(per_cpu_ptr(&sample_lock, i), flags);
	}
}
