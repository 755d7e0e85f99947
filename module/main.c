// SPDX-License-Identifier: GPL-2.0
/*
 * profil: profil(2) in the kernel.  Loading and unloading.
 */
#include <linux/kconfig.h>
#include <linux/module.h>

#include "profil.h"

#if !IS_ENABLED(CONFIG_MMU_NOTIFIER)
#error "profil needs a kernel with CONFIG_MMU_NOTIFIER (CONFIG_KVM selects it)"
#endif

static int __init profil_init(void)
{
	int ret;

	ret = profil_tick_init();
	if (ret)
		return ret;
	profil_thin_seed();
	profil_list_init();
	ret = profil_chrdev_init();
	if (ret)
		goto exit_list;
	return 0;

exit_list:
	profil_list_exit();
	profil_tick_exit();
	return ret;
}

/* No file is open: no session runs, and none can begin. */
static void __exit profil_exit(void)
{
	profil_chrdev_exit();
	profil_list_exit();
	profil_space_exit();
	profil_tick_exit();
}

module_init(profil_init);
module_exit(profil_exit);

MODULE_DESCRIPTION("profil(2): user-space execution profiles counted by the kernel");
MODULE_AUTHOR("The profil authors");
MODULE_LICENSE("GPL");
MODULE_VERSION("1.0");
