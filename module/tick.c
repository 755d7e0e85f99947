// SPDX-License-Identifier: GPL-2.0
/*
 * The hook on the scheduler tick.
 *
 * It sits at the entry of update_process_times(), which every architecture and
 * every tick mode calls once per tick, on the CPU that ticks, in hard irq
 * context with interrupts off.  Its name has been the same since before 2.6,
 * where scheduler_tick() became sched_tick() in 6.10.
 *
 * Where the kernel has ftrace, the hook is an ftrace_ops: it costs half as much
 * as a kprobe, and being permanent it cannot be switched off behind our back.
 * Elsewhere it is a kprobe.
 *
 * The hook is registered as long as the module is loaded: to unregister it can
 * take minutes, in which ftrace waits, with its lock held, for every task to have
 * run.  It is on while somebody uses it and TICK_LINGER longer: switching it
 * patches kernel text, which a program that starts and stops in a loop should
 * not cause each time.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/workqueue.h>

#include <asm/irq_regs.h>

#include "profil.h"

#define TICK_FUNCTION	"update_process_times"
#define TICK_LINGER	(5 * HZ)
#define TICK_PROOF_MS	1000

/* Where the hook has fired with registers, so that it can be trusted, or 0. */
static unsigned long tick_proven;

/* Hard irq, interrupts off: may not sleep, fault, print or wake anybody. */
static void tick_prove(unsigned long ip)
{
	if (get_irq_regs())
		WRITE_ONCE(tick_proven, ip);
}

static void tick_hit(void)
{
	struct pt_regs *irq_regs = get_irq_regs();

	if (likely(irq_regs))
		profil_sample_tick(irq_regs);
}

#ifdef CONFIG_DYNAMIC_FTRACE

#define HOOK_IS		"ftrace (sysctl kernel.ftrace_enabled)"

static void notrace hook_prove(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops, struct ftrace_regs *regs)
{
	tick_prove(ip);
}

static void notrace hook_hit(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *ops, struct ftrace_regs *regs)
{
	tick_hit();
}

static struct ftrace_ops proof = {
	.func = hook_prove,
	.flags = FTRACE_OPS_FL_PERMANENT,
};

static struct ftrace_ops hook = {
	.func = hook_hit,
	.flags = FTRACE_OPS_FL_PERMANENT,
};

/*
 * Nobody calls it.  The hook is always on it, and on nothing else while it is
 * off: one that is on nothing at all would be called by all functions.
 */
static noinline void hook_nowhere(void)
{
	barrier();
}

/* @error: of setting the filter, which is freed for good if there is one. */
static int ops_register(struct ftrace_ops *ops, int error)
{
	int ret = error ?: register_ftrace_function(ops);

	if (ret)
		ftrace_free_filter(ops);
	return ret;
}

static void ops_unregister(struct ftrace_ops *ops)
{
	unregister_ftrace_function(ops);
	ftrace_free_filter(ops);
}

static int proof_register(void)
{
	static char name[] = TICK_FUNCTION;

	return ops_register(&proof, ftrace_set_filter(&proof, name,
						      sizeof(name) - 1, 1));
}

static void proof_unregister(void)
{
	ops_unregister(&proof);
}

static int hook_register(void)
{
	unsigned long ip = (unsigned long)hook_nowhere;

	return ops_register(&hook, ftrace_set_filter_ip(&hook, ip, 0, 1));
}

static int hook_switch(bool on)
{
	return ftrace_set_filter_ip(&hook, tick_proven, !on, 0);
}

static void hook_unregister(void)
{
	ops_unregister(&hook);
}

#else /* !CONFIG_DYNAMIC_FTRACE */

#define HOOK_IS		"kprobes (debugfs kprobes/enabled)"

static int hook_prove(struct kprobe *probe, struct pt_regs *regs)
{
	tick_prove((unsigned long)probe->addr);
	return 0;
}

NOKPROBE_SYMBOL(hook_prove);

static int hook_hit(struct kprobe *probe, struct pt_regs *regs)
{
	tick_hit();
	return 0;
}

NOKPROBE_SYMBOL(hook_hit);

static struct kprobe proof = {
	.symbol_name = TICK_FUNCTION,
	.pre_handler = hook_prove,
};

static struct kprobe hook = {
	.symbol_name = TICK_FUNCTION,
	.pre_handler = hook_hit,
	.flags = KPROBE_FLAG_DISABLED,
};

static int proof_register(void)
{
	return register_kprobe(&proof);
}

static void proof_unregister(void)
{
	unregister_kprobe(&proof);
}

static int hook_register(void)
{
	return register_kprobe(&hook);
}

static int hook_switch(bool on)
{
	return on ? enable_kprobe(&hook) : disable_kprobe(&hook);
}

static void hook_unregister(void)
{
	unregister_kprobe(&hook);
}

#endif

static void tick_off_work(struct work_struct *work);

/* Protects the hook's switch, and tick_users where that begins. */
static DEFINE_MUTEX(tick_lock);
static bool tick_is_on;

/* While there are any, the hook is on. */
static atomic_t tick_users = ATOMIC_INIT(0);

static DECLARE_DELAYED_WORK(tick_off, tick_off_work);

/* Returns @error of putting a hook in, and has the log say it. */
static int tick_report(int error)
{
	if (error)
		pr_err("cannot hook %s() (error %d): this kernel needs that symbol and %s\n",
		       TICK_FUNCTION, error, HOOK_IS);
	return error;
}

/*
 * Load time: does the hook fire, and does it have the interrupted registers?
 * The sleep's own timer makes this CPU tick even if all are idle.
 */
static int tick_prove_hook(void)
{
	unsigned long end;
	int ret;

	ret = tick_report(proof_register());
	if (ret)
		return ret;
	end = jiffies + msecs_to_jiffies(TICK_PROOF_MS);
	while (!READ_ONCE(tick_proven) && time_before(jiffies, end))
		msleep(20);
	proof_unregister();

	if (!READ_ONCE(tick_proven)) {
		pr_err("the hook on %s() saw no tick in %d ms: is %s off?\n",
		       TICK_FUNCTION, TICK_PROOF_MS, HOOK_IS);
		return -ENODEV;
	}
	return 0;
}

int profil_tick_init(void)
{
	return tick_prove_hook() ?: tick_report(hook_register());
}

int profil_tick_get(void)
{
	int ret = 0;

	if (atomic_inc_not_zero(&tick_users))
		return 0;
	if (mutex_lock_killable(&tick_lock))
		return -EINTR;
	if (!tick_is_on) {
		ret = hook_switch(true);
		tick_is_on = !ret;
	}
	if (!ret)
		atomic_inc(&tick_users);
	mutex_unlock(&tick_lock);
	return ret ? -EIO : 0;
}

/* Does not wait, as it is called where others do: the end of a process. */
void profil_tick_put(void)
{
	if (!atomic_dec_and_test(&tick_users))
		return;
	cancel_delayed_work(&tick_off);
	schedule_delayed_work(&tick_off, TICK_LINGER);
}

/* For lack of memory it may fail: then later. */
static void tick_off_work(struct work_struct *work)
{
	mutex_lock(&tick_lock);
	if (tick_is_on && !atomic_read(&tick_users)) {
		tick_is_on = hook_switch(false);
		if (tick_is_on)
			schedule_delayed_work(&tick_off, TICK_LINGER);
	}
	mutex_unlock(&tick_lock);
}

/* Nobody is left who could get or put. */
void profil_tick_exit(void)
{
	cancel_delayed_work_sync(&tick_off);
	hook_unregister();
}
