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
 * The hook exists while somebody uses it and TICK_LINGER longer: putting it in
 * and taking it out patches kernel text, which a program that starts and stops
 * in a loop should not cause each time.
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

/* Whether the hook has fired with registers, so that it can be trusted. */
static bool tick_proven;

/* Hard irq, interrupts off: may not sleep, fault, print or wake anybody. */
static void tick_prove(void)
{
	if (get_irq_regs())
		WRITE_ONCE(tick_proven, true);
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
	tick_prove();
}

static void notrace hook_hit(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *ops, struct ftrace_regs *regs)
{
	tick_hit();
}

static struct ftrace_ops hook = {
	.flags = FTRACE_OPS_FL_PERMANENT,
};

/* Once, since it compares the name with that of every function. */
static int hook_init(void)
{
	static char name[] = TICK_FUNCTION;

	return ftrace_set_filter(&hook, name, sizeof(name) - 1, 1);
}

static int hook_install(bool prove)
{
	hook.func = prove ? hook_prove : hook_hit;
	return register_ftrace_function(&hook);
}

static void hook_remove(void)
{
	unregister_ftrace_function(&hook);
}

static void hook_exit(void)
{
	ftrace_free_filter(&hook);
}

#else /* !CONFIG_DYNAMIC_FTRACE */

#define HOOK_IS		"kprobes (debugfs kprobes/enabled)"

static int hook_prove(struct kprobe *probe, struct pt_regs *regs)
{
	tick_prove();
	return 0;
}

NOKPROBE_SYMBOL(hook_prove);

static int hook_hit(struct kprobe *probe, struct pt_regs *regs)
{
	tick_hit();
	return 0;
}

NOKPROBE_SYMBOL(hook_hit);

static struct kprobe hook;

static int hook_init(void)
{
	return 0;
}

/* register_kprobe() takes no struct that was used before. */
static int hook_install(bool prove)
{
	hook = (struct kprobe){
		.symbol_name = TICK_FUNCTION,
		.pre_handler = prove ? hook_prove : hook_hit,
	};
	return register_kprobe(&hook);
}

static void hook_remove(void)
{
	unregister_kprobe(&hook);
}

static void hook_exit(void)
{
}

#endif

static void tick_remove_work(struct work_struct *work);

/* Protects the hook's registration, and tick_users where that begins. */
static DEFINE_MUTEX(tick_lock);
static bool tick_installed;

/* While there are any, the hook is installed. */
static atomic_t tick_users = ATOMIC_INIT(0);

static DECLARE_DELAYED_WORK(tick_remove, tick_remove_work);

/*
 * Load time: does the hook fire, and does it have the interrupted registers?
 * The sleep's own timer makes this CPU tick even if all are idle.
 */
int profil_tick_prove(void)
{
	unsigned long end = jiffies + msecs_to_jiffies(TICK_PROOF_MS);
	int ret;

	ret = hook_init() ?: hook_install(true);
	if (ret) {
		pr_err("cannot hook %s() (error %d): this kernel needs that symbol and %s\n",
		       TICK_FUNCTION, ret, HOOK_IS);
		goto exit;
	}
	while (!READ_ONCE(tick_proven) && time_before(jiffies, end))
		msleep(20);
	hook_remove();

	if (!READ_ONCE(tick_proven)) {
		pr_err("the hook on %s() saw no tick in %d ms: is %s off?\n",
		       TICK_FUNCTION, TICK_PROOF_MS, HOOK_IS);
		ret = -ENODEV;
		goto exit;
	}
	return 0;

exit:
	hook_exit();
	return ret;
}

int profil_tick_get(void)
{
	int ret = 0;

	if (atomic_inc_not_zero(&tick_users))
		return 0;
	mutex_lock(&tick_lock);
	if (!tick_installed) {
		ret = hook_install(false);
		tick_installed = !ret;
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
	cancel_delayed_work(&tick_remove);
	schedule_delayed_work(&tick_remove, TICK_LINGER);
}

static void tick_remove_if_unused(void)
{
	mutex_lock(&tick_lock);
	if (!atomic_read(&tick_users) && tick_installed) {
		hook_remove();
		tick_installed = false;
	}
	mutex_unlock(&tick_lock);
}

static void tick_remove_work(struct work_struct *work)
{
	tick_remove_if_unused();
}

/* Nobody is left who could get or put. */
void profil_tick_exit(void)
{
	cancel_delayed_work_sync(&tick_remove);
	tick_remove_if_unused();
	hook_exit();
}
