// SPDX-License-Identifier: GPL-2.0
/*
 * A sample: what a tick does to the sessions of the thread it finds.
 */
#include <linux/percpu.h>
#include <linux/processor.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include "map.h"
#include "session.h"

/*
 * Odd while a tick of this CPU looks at spaces, sessions and maps.  Whoever has
 * taken one of these out of reach waits until each CPU's number is even: after
 * that no tick knows it any more.  A tick waits for nobody.
 *
 *	CPU 0: tick				CPU 1: stop
 *	sequence = odd				take out of reach
 *	smp_store_mb()				smp_mb()
 *	look					sequence odd?  wait
 *
 * One of them sees what the other did.
 */
static DEFINE_PER_CPU(unsigned int, sample_sequence);

/* Hard irq, interrupts off: no sleep, no fault, no print, bounded work. */
static void sample_session(struct profil_session *session, u64 pc, bool kernel,
			   unsigned int *tries)
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
	switch (pc ? map_count(READ_ONCE(session->map), pc, tries) :
		     MAP_OUTSIDE) {
	case MAP_COUNTED:
		cpu->counted++;
		break;
	case MAP_OUTSIDE:
		cpu->outside++;
		break;
	case MAP_SATURATED:
		cpu->saturated++;
		break;
	}
}

static void sample_space(struct space *space, struct pt_regs *irq_regs)
{
	bool kernel = !user_mode(irq_regs);
	u64 pc = instruction_pointer(kernel ? task_pt_regs(current) : irq_regs);
	unsigned int tries = MAP_COUNT_TRIES;
	struct profil_session *session;

	hlist_for_each_entry_rcu(session, &space->targeted, targeted, true)
		sample_session(session, pc, kernel, &tries);
}

/* Apart from the common case, which shall not pay for its stack frame. */
static noinline void sample_bucket(struct hlist_head *bucket,
				   struct mm_struct *mm,
				   struct pt_regs *irq_regs)
{
	unsigned int *sequence = this_cpu_ptr(&sample_sequence);
	struct space *space;

	smp_store_mb(*sequence, *sequence + 1);	/* see sample_sequence */
	hlist_for_each_entry_rcu(space, bucket, node, true) {
		if (space->mn.mm == mm) {
			sample_space(space, irq_regs);
			break;
		}
	}
	/* Nothing of the above comes later: sample_settled(). */
	smp_store_release(sequence, *sequence + 1);
}

/* @irq_regs: what the tick has interrupted on this CPU. */
void profil_sample_tick(struct pt_regs *irq_regs)
{
	struct mm_struct *mm = current->mm;
	struct hlist_head *bucket = profil_space_bucket(mm);

	/* A kernel thread may use the mm of a process for a while. */
	if (likely(hlist_empty(bucket)) || (current->flags & PF_KTHREAD))
		return;
	sample_bucket(bucket, mm, irq_regs);
}

/* Returns an even number, and what the ticks before it wrote is seen. */
static unsigned int sample_settled(int cpu)
{
	return smp_cond_load_acquire(per_cpu_ptr(&sample_sequence, cpu),
				     !(VAL & 1));
}

/* Returns when no tick uses what was unlinked before. */
void profil_sample_wait(void)
{
	int cpu;

	smp_mb();	/* see sample_sequence */
	for_each_possible_cpu(cpu)
		sample_settled(cpu);
}

static struct session_cpu sample_read(struct profil_session *session, int cpu)
{
	unsigned int *sequence = per_cpu_ptr(&sample_sequence, cpu);
	struct session_cpu part;
	unsigned int before;

	do {
		before = sample_settled(cpu);
		/* A tick may write at the same time: then it is read again. */
		part = data_race(*per_cpu_ptr(session->cpu, cpu));
		/* The look at the number comes after that. */
		smp_rmb();
	} while (READ_ONCE(*sequence) != before);
	return part;
}

/* Each CPU's part is consistent, and so is their sum. */
void profil_sample_sum(struct profil_session *session,
		       struct profil_counts *counts)
{
	int cpu;

	lockdep_assert_held(&profil_session_lock);
	memset(counts, 0, sizeof(*counts));
	for_each_possible_cpu(cpu) {
		struct session_cpu part = sample_read(session, cpu);

		counts->ticks += part.ticks;
		counts->counted += part.counted;
		counts->outside += part.outside;
		counts->saturated += part.saturated;
		counts->skipped += part.skipped;
		counts->kernel += part.kernel;
	}
}
