// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/profil: what user space asks for is copied, checked and handed over.
 * The interface is specified in uapi/linux/profil.h.
 */
#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "profil.h"

static unsigned int max_regions = 4096;
module_param(max_regions, uint, 0644);
MODULE_PARM_DESC(max_regions, "regions in one session (4096, at most 65536)");

#define REGIONS_CEILING	65536U

static unsigned int region_limit(void)
{
	return min(READ_ONCE(max_regions), REGIONS_CEILING);
}

/*
 * All structures begin with their size as the caller knows it.  @karg's first
 * version is what this file was written with, @ksize bytes.
 */
static int copy_arg(void *karg, size_t ksize, void __user *argp)
{
	u32 usize;
	int ret;

	if (get_user(usize, (u32 __user *)argp))
		return -EFAULT;
	if (usize < ksize)
		return -EINVAL;
	if (usize > PAGE_SIZE)
		return -E2BIG;
	ret = copy_struct_from_user(karg, ksize, argp, usize);
	if (ret)
		return ret;
	*(u32 *)karg = usize;	/* not what it may have become meanwhile */
	return 0;
}

/*
 * Also used on an unchanged @karg: whether the result can be written is found
 * out before anything is done.
 */
static int copy_result(void __user *argp, const void *karg, size_t ksize)
{
	return copy_to_user(argp, karg, ksize) ? -EFAULT : 0;
}

static int check_region(const struct profil_region *region)
{
	if ((region->width != 2 && region->width != 4) ||
	    region->buf % region->width)
		return -EINVAL;
	if (region->bytes > PROFIL_REGION_BYTES)
		return -ENOMEM;
	if (region->bytes >= region->width &&
	    ((unsigned long)region->buf != region->buf ||
	     !access_ok(u64_to_user_ptr(region->buf), region->bytes)))
		return -EFAULT;
	return 0;
}

/* A checked copy, to be freed with kvfree(). */
static struct profil_region *copy_regions(u64 from, unsigned int nr)
{
	struct profil_region *regions;
	unsigned int i;
	int ret = 0;

	if (!nr)
		return ERR_PTR(-EINVAL);
	if (nr > region_limit())
		return ERR_PTR(-E2BIG);
	if ((unsigned long)from != from)
		return ERR_PTR(-EFAULT);
	regions = kvmalloc_array(nr, sizeof(*regions), GFP_KERNEL_ACCOUNT);
	if (!regions)
		return ERR_PTR(-ENOMEM);
	if (copy_from_user(regions, u64_to_user_ptr(from),
			   nr * sizeof(*regions)))
		ret = -EFAULT;

	for (i = 0; i < nr && !ret; i++) {
		if (i && regions[i].offset <= regions[i - 1].offset)
			ret = -EINVAL;
		else
			ret = check_region(&regions[i]);
	}
	if (ret) {
		kvfree(regions);
		return ERR_PTR(ret);
	}
	return regions;
}

static int ioctl_info(void __user *argp)
{
	struct profil_info arg;
	int ret;

	ret = copy_arg(&arg, sizeof(arg), argp);
	if (ret)
		return ret;
	arg = (struct profil_info){
		.size = sizeof(arg),
		.abi = PROFIL_ABI_VERSION,
		.start_flags = PROFIL_USER_ONLY,
		.tick_ns = TICK_NSEC,
		.max_regions = region_limit(),
		.max_process_sessions = profil_session_max(),
		.max_user_sessions = profil_user_max_sessions(),
		.user_bytes = profil_user_max_bytes(),
		.region_bytes = PROFIL_REGION_BYTES,
	};
	return copy_result(argp, &arg, sizeof(arg));
}

static int ioctl_start(struct profil_file *file, void __user *argp)
{
	struct profil_start __user *uarg = argp;
	struct profil_region *regions;
	struct profil_counts unused;
	struct profil_start arg;
	int ret;

	ret = copy_arg(&arg, sizeof(arg), argp);
	if (ret)
		return ret;
	if (arg.flags & ~PROFIL_USER_ONLY || arg.reserved)
		return -EINVAL;
	if (arg.period_ns && arg.period_ns < TICK_NSEC)
		return -ERANGE;
	if (put_user(arg.session, &uarg->session))
		return -EFAULT;

	regions = copy_regions(arg.regions, arg.nr_regions);
	if (IS_ERR(regions))
		return PTR_ERR(regions);
	ret = profil_session_start(file, &arg, regions);
	kvfree(regions);
	/*
	 * mm_take_all_locks(), which mmu_notifier_get() begins with, gives up
	 * for any signal.  Nothing has changed: do it again after that.
	 */
	if (ret == -EINTR)
		return -ERESTARTNOINTR;
	if (ret)
		return ret;

	if (put_user(arg.session, &uarg->session)) {
		profil_session_stop(file, arg.session, &unused);
		return -EFAULT;
	}
	return 0;
}

static int ioctl_set_regions(struct profil_file *file, void __user *argp)
{
	struct profil_set_regions arg;
	struct profil_region *regions;
	int ret;

	ret = copy_arg(&arg, sizeof(arg), argp);
	if (ret)
		return ret;
	regions = copy_regions(arg.regions, arg.nr_regions);
	if (IS_ERR(regions))
		return PTR_ERR(regions);
	ret = profil_session_set_regions(file, arg.session, regions,
					 arg.nr_regions);
	kvfree(regions);
	return ret;
}

typedef int (*counts_call)(struct profil_file *file, u64 id,
			   struct profil_counts *counts);

static int ioctl_counts(struct profil_file *file, void __user *argp,
			counts_call call)
{
	struct profil_counts arg;
	u64 id;
	int ret;

	ret = copy_arg(&arg, sizeof(arg), argp);
	if (ret)
		return ret;
	if (arg.flags)
		return -EINVAL;
	ret = copy_result(argp, &arg, sizeof(arg));
	if (ret)
		return ret;
	id = arg.session;
	ret = call(file, id, &arg);
	if (ret)
		return ret;
	arg.size = sizeof(arg);
	arg.session = id;
	return copy_result(argp, &arg, sizeof(arg));
}

static long chrdev_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	struct profil_file *file = filp->private_data;
	void __user *argp = (void __user *)arg;

	switch (cmd) {
	case PROFIL_IOC_INFO:
		return ioctl_info(argp);
	case PROFIL_IOC_START:
		return ioctl_start(file, argp);
	case PROFIL_IOC_SET_REGIONS:
		return ioctl_set_regions(file, argp);
	case PROFIL_IOC_READ:
		return ioctl_counts(file, argp, profil_session_read);
	case PROFIL_IOC_STOP:
		return ioctl_counts(file, argp, profil_session_stop);
	default:
		return -ENOTTY;
	}
}

static int chrdev_open(struct inode *inode, struct file *filp)
{
	struct profil_file *file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);

	if (!file)
		return -ENOMEM;
	filp->private_data = file;
	return 0;
}

static int chrdev_release(struct inode *inode, struct file *filp)
{
	struct profil_file *file = filp->private_data;
	struct profil_counts unused;

	profil_session_stop(file, 0, &unused);
	kfree(file);
	return 0;
}

/* No pages behind it: the mapping only holds the file.  A touch is SIGBUS. */
static int chrdev_mmap(struct file *filp, struct vm_area_struct *vma)
{
	if (vma->vm_pgoff || vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	return 0;
}

static const struct file_operations chrdev_fops = {
	.owner = THIS_MODULE,
	.open = chrdev_open,
	.release = chrdev_release,
	.unlocked_ioctl = chrdev_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = chrdev_mmap,
	.llseek = noop_llseek,
};

static struct miscdevice chrdev = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "profil",
	.fops = &chrdev_fops,
	.mode = 0666,
};

int profil_chrdev_init(void)
{
	return misc_register(&chrdev);
}

void profil_chrdev_exit(void)
{
	misc_deregister(&chrdev);
}
