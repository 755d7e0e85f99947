// SPDX-License-Identifier: GPL-2.0
/*
 * The hook on the scheduler tick.
 *
 * A kprobe at the entry of update_process_times(), which every architecture
 * and every tick mode calls once per tick, on the CPU that ticks, in hard irq
 * context with interrupts off.  Its name has been the same since before 2.6,
 * where scheduler_tick() became sched_tick() in 6.10.
 *
 * The probe exists while somebody uses it and TICK_LINGER longer: putting it
 * in and taking it out patches kernel text on all CPUs, which a program that
 * starts and stops in a loop should not cause each time.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/workqueue.h>

#include <asm/irq_regs.h>

#include "profil.h"

#define TICK_FUNCTION	"update_process_times"
#define TICK_LINGER	(5 * HZ)
#define TICK_PROOF_MS	1000

static void tick_remove_work(struct work_struct *work);

/* Protects the variables below and the probe's registration. */
static DEFINE_MUTEX(tick_lock);
static DECLARE_DELAYED_WORK(tick_remove, tick_remove_work);
static struct kprobe tick_probe;
static unsigned int tick_users;
static bool tick_installed;

/* Hard irq, interrupts off: may not sleep, fault, print or wake anybody. */
static int tick_hit(struct kprobe *probe, struct pt_regs *regs)
{
	struct pt_regs *irq_regs = get_irq_regs();

	if (likely(irq_regs))
		profil_sample_tick(irq_regs);
	return 0;
}

NOKPROBE_SYMBOL(tick_hit);

static bool tick_proven;

static int tick_proof_hit(struct kprobe *probe, struct pt_regs *regs)
{
	if (get_irq_regs())
		WRITE_ONCE(tick_proven, true);
	return 0;
}

NOKPROBE_SYMBOL(tick_proof_hit);

/*
 * Load time: does the hook fire, and does it have the interrupted registers?
 * The sleep's own timer makes this CPU tick even if all are idle.
 */
int profil_tick_prove(void)
{
	struct kprobe proof = {
		.symbol_name = TICK_FUNCTION,
		.pre_handler = tick_proof_hit,
	};
	unsigned long end = jiffies + msecs_to_jiffies(TICK_PROOF_MS);
	int ret;

	ret = register_kprobe(&proof);
	if (ret) {
		pr_err("cannot put a kprobe on %s() (error %d): this kernel needs CONFIG_KPROBES and that symbol\n",
		       TICK_FUNCTION, ret);
		return ret;
	}
	while (!READ_ONCE(tick_proven) && time_before(jiffies, end))
		msleep(20);
	unregister_kprobe(&proof);

	if (!tick_proven) {
		pr_err("the kprobe on %s() saw no tick with registers in %d ms: kprobes are off, or this kernel ticks in another way\n",
		       TICK_FUNCTION, TICK_PROOF_MS);
		return -ENODEV;
	}
	return 0;
}

int profil_tick_get(void)
{
	int ret = 0;

	mutex_lock(&tick_lock);
	if (!tick_installed) {
		/* register_kprobe() takes no struct that was used before. */
		tick_probe = (struct kprobe){
			.symbol_name = TICK_FUNCTION,
			.pre_handler = tick_hit,
		};
		ret = register_kprobe(&tick_probe);
		tick_installed = !ret;
	}
	if (!ret)
		tick_users++;
	mutex_unlock(&tick_lock);
	return ret ? -EIO : 0;
}

void profil_tick_put(void)
{
	mutex_lock(&tick_lock);
	if (!--tick_users)
		mod_delayed_work(system_wq, &tick_remove, TICK_LINGER);
	mutex_unlock(&tick_lock);
}

static void tick_remove_if_unused(void)
{
	mutex_lock(&tick_lock);
	if (!tick_users && tick_installed) {
		unregister_kprobe(&tick_probe);
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
}
