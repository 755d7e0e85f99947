// SPDX-License-Identifier: GPL-2.0
/*
 * A module that makes the mistakes that the checkers of a kernel are there to
 * find, one when its name is written to the parameter "make".  For vm/checkers
 * alone: load it on no kernel that is still needed.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/timer.h>

/* The compiler does not know that it is never changed. */
static int forty = 40;
module_param(forty, int, 0600);

static void use_after_free(void)
{
	int *p = kmalloc(sizeof(*p), GFP_KERNEL);

	kfree(p);
	READ_ONCE(*p);
}

static void out_of_bounds(void)
{
	char *p = kmalloc(forty, GFP_KERNEL);

	if (p)
		WRITE_ONCE(p[forty], 1);
	kfree(p);
}

static void shift(void)
{
	pr_info("%d\n", 1 << forty);
}

/* Several, as the last one's address may still lie about on a stack. */
static void leak(void)
{
	int i;

	for (i = 0; i < 10; i++)
		pr_info("leaked: %d\n", !!kmalloc(forty, GFP_KERNEL));
}

static void atomic_sleep(void)
{
	preempt_disable();
	kfree(kmalloc(forty, GFP_KERNEL));
	preempt_enable();
}

static void lock_order(void)
{
	static DEFINE_MUTEX(a);
	static DEFINE_MUTEX(b);

	mutex_lock(&a);
	mutex_lock(&b);
	mutex_unlock(&b);
	mutex_unlock(&a);

	mutex_lock(&b);
	mutex_lock(&a);
	mutex_unlock(&a);
	mutex_unlock(&b);
}

static void rcu_unlocked(void)
{
	static int __rcu *p;

	pr_info("%d\n", !rcu_dereference(p));
}

static void nothing_to_do(struct timer_list *timer)
{
}

static void free_active_timer(void)
{
	struct timer_list *timer = kmalloc(sizeof(*timer), GFP_KERNEL);

	if (!timer)
		return;
	timer_setup(timer, nothing_to_do, 0);
	mod_timer(timer, jiffies + 10 * HZ);
	kfree(timer);
}

static unsigned long raced;

static int racer(void *unused)
{
	while (!kthread_should_stop()) {
		raced++;
		cond_resched();
	}
	return 0;
}

static void race(void)
{
	struct task_struct *racers[2];
	int i;

	for (i = 0; i < 2; i++)
		racers[i] = kthread_run(racer, NULL, "racer/%d", i);
	msleep(5000);
	for (i = 0; i < 2; i++)
		if (!IS_ERR(racers[i]))
			kthread_stop(racers[i]);
}

static const struct {
	const char *name;
	void (*make)(void);
} mistakes[] = {
	{ "use_after_free", use_after_free },
	{ "out_of_bounds", out_of_bounds },
	{ "shift", shift },
	{ "leak", leak },
	{ "atomic_sleep", atomic_sleep },
	{ "lock_order", lock_order },
	{ "rcu_unlocked", rcu_unlocked },
	{ "free_active_timer", free_active_timer },
	{ "race", race },
};

static int make_mistake(const char *name, const struct kernel_param *param)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(mistakes); i++) {
		if (sysfs_streq(name, mistakes[i].name)) {
			mistakes[i].make();
			return 0;
		}
	}
	return -EINVAL;
}

static const struct kernel_param_ops make_ops = {
	.set = make_mistake,
};

module_param_cb(make, &make_ops, NULL, 0200);
MODULE_PARM_DESC(make, "the mistake to make");

MODULE_DESCRIPTION("Mistakes for a kernel's checkers to find");
MODULE_LICENSE("GPL");
