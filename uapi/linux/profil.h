/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * /dev/profil: the kernel counts where a process spends its CPU time,
 * straight into the process's own buffers.
 *
 * A *session* belongs to one open file of /dev/profil.  PROFIL_IOC_START
 * begins it: at every tick of any CPU that finds a thread of the profiled
 * address space running, the thread's user program counter (pc) is looked up
 * in the session's *regions*, and one counter goes up.  The session ends with
 * PROFIL_IOC_STOP, with the last reference to the open file, and with the
 * profiled address space or the one that holds the buffers (exit, exec,
 * kill), whichever comes first.  When the call that ends it returns, the
 * kernel no longer writes to the buffers.
 *
 * mmap(2) of one page at offset 0 gives a mapping that cannot be touched and
 * that holds the open file like a descriptor does: a library can close its
 * descriptor and let the session live as long as the mapping.  The calls
 * below name such a session by its id.
 *
 * Every structure that a call takes begins with @size, which the caller sets
 * to the size it was compiled with.  The kernel takes a longer structure whose
 * unknown rest is zero.  Layouts are the same for 32- and 64-bit callers.  No
 * call changes anything, the counts included, when it fails.
 *
 * Errors common to all calls:
 *
 * ENOTTY	unknown request
 * EFAULT	the structure, or memory it points to, cannot be read or written
 * EINVAL	@size is smaller than the first version of the structure, a
 *		field that must be zero is not, or a flag is unknown
 * E2BIG	@size is larger than the kernel's and the rest is not zero, or
 *		larger than a page
 */
#ifndef _UAPI_LINUX_PROFIL_H
#define _UAPI_LINUX_PROFIL_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define PROFIL_ABI_VERSION	1

#define PROFIL_IOC_MAGIC	0xF7

/**
 * struct profil_info - what this kernel's profil offers (PROFIL_IOC_INFO)
 * @size: in: sizeof(struct profil_info); out: bytes the kernel filled in
 * @abi: PROFIL_ABI_VERSION of the module
 * @start_flags: all flags that PROFIL_IOC_START takes
 * @tick_ns: nanoseconds between two ticks of a CPU, 1e9 / CONFIG_HZ
 * @max_regions: regions in one session
 * @max_process_sessions: sessions that may profile one address space
 * @max_user_sessions: running sessions of one real user ID
 * @user_bytes: memory that the sessions of one real user ID may pin before
 *	RLIMIT_MEMLOCK is asked
 * @region_bytes: largest size of one region's buffer
 *
 * The limits are module parameters, except @region_bytes; they may change.
 */
struct profil_info {
	__u32 size;
	__u32 abi;
	__aligned_u64 start_flags;
	__u32 tick_ns;
	__u32 max_regions;
	__u32 max_process_sessions;
	__u32 max_user_sessions;
	__aligned_u64 user_bytes;
	__aligned_u64 region_bytes;
};
#define PROFIL_IOC_INFO		_IO(PROFIL_IOC_MAGIC, 0)

/**
 * struct profil_region - a range of code and the counters for it
 * @offset: lowest pc of the region
 * @buf: address of the counters in the caller's memory, a multiple of @width
 * @bytes: size of the buffer; an incomplete counter at its end is not used
 * @scale: counters per two bytes of code, times 65536; 0: one for all code
 * @width: bytes in a counter, 2 or 4, in the machine's byte order
 *
 * A pc >= @offset belongs to counter ((pc - @offset) / 2) * @scale / 65536,
 * computed without overflow and with both quotients rounded down, if that
 * counter lies wholly inside @bytes.  So @scale 0 counts every pc from @offset
 * on in the first counter.  With several regions, a pc is looked up only in the
 * one with the highest @offset that is not above it.
 *
 * Counters are incremented atomically and stay at 65535 or 4294967295.
 */
struct profil_region {
	__aligned_u64 offset;
	__aligned_u64 buf;
	__aligned_u64 bytes;
	__u32 scale;
	__u32 width;
};

/* struct profil_start, @flags: ticks in kernel mode are skipped. */
#define PROFIL_USER_ONLY	(1U << 0)

/**
 * struct profil_start - begin a session (PROFIL_IOC_START)
 * @size: in: sizeof(struct profil_start)
 * @flags: in: PROFIL_USER_ONLY or 0.  Without it, a tick that finds the thread
 *	in the kernel counts for the pc at which it will go on in user mode.
 * @regions: in: address of an array of struct profil_region, in strictly
 *	ascending order of @offset
 * @nr_regions: in: elements of the array, 1 to max_regions
 * @period_ns: in: CPU time per sample; 0 takes every tick.  A longer period
 *	than the tick's is met by chance: of the ticks in each period on each
 *	CPU one is taken at random, and every tick is as likely as any other.
 * @pid: in: process to profile, as in the caller's pid namespace; 0: the
 *	caller's.  The buffers are always the caller's.
 * @reserved: in: 0
 * @session: out: the session's id, never 0, never used again
 *
 * Buffers stay pinned while the session runs.  If the caller unmaps one or
 * maps something else there, counts go to the old pages, which nobody sees.
 *
 * EBUSY	this open file has a session that runs
 * EINVAL	@nr_regions is 0; regions are not in order; @width is neither 2
 *		nor 4; @buf is not a multiple of @width
 * E2BIG	@nr_regions is above the limit
 * ERANGE	@period_ns is neither 0 nor at least tick_ns
 * EFAULT	a buffer is not wholly writable memory
 * EOPNOTSUPP	a buffer is memory that the kernel cannot write to behind the
 *		file system's back: a shared mapping of a file on disk
 * ENOMEM	a buffer is larger than region_bytes, or the pinned pages exceed
 *		what is left of user_bytes and of RLIMIT_MEMLOCK together, or
 *		the kernel has no memory
 * EMFILE	the address space has max_process_sessions sessions
 * EUSERS	the user has max_user_sessions sessions
 * ESRCH	no process @pid, or it has no address space
 * EPERM	@pid has another address space than the caller, who has neither
 *		CAP_PERFMON nor CAP_SYS_ADMIN
 * EIO		the kernel would not let the module hook the tick
 */
struct profil_start {
	__u32 size;
	__u32 flags;
	__aligned_u64 regions;
	__u32 nr_regions;
	__u32 period_ns;
	__s32 pid;
	__u32 reserved;
	__aligned_u64 session;
};
#define PROFIL_IOC_START	_IO(PROFIL_IOC_MAGIC, 1)

/**
 * struct profil_set_regions - replace all regions of a running session
 *	(PROFIL_IOC_SET_REGIONS)
 * @size: in: sizeof(struct profil_set_regions)
 * @nr_regions: in: elements of the array, 1 to max_regions
 * @regions: in: address of an array, as in struct profil_start
 * @session: in: 0: this open file's session; else the id of a session whose
 *	buffers are in the caller's address space
 *
 * In one step: no tick is lost between old and new, none is counted in both.
 * The session's counts go on.  Old and new buffers are both charged for the
 * time of the call.
 *
 * ESRCH	no such session runs
 * EPERM	@session is 0, and this open file's session has its buffers in
 *		another address space
 *
 * and, for the regions, the errors of PROFIL_IOC_START.
 */
struct profil_set_regions {
	__u32 size;
	__u32 nr_regions;
	__aligned_u64 regions;
	__aligned_u64 session;
};
#define PROFIL_IOC_SET_REGIONS	_IO(PROFIL_IOC_MAGIC, 2)

/* struct profil_counts, @state: the session runs. */
#define PROFIL_RUNNING		(1U << 0)

/**
 * struct profil_counts - what became of the ticks (PROFIL_IOC_READ,
 *	PROFIL_IOC_STOP)
 * @size: in: sizeof(struct profil_counts); out: bytes the kernel filled in
 * @flags: in: 0
 * @session: in: 0: this open file's session; else the id of a session whose
 *	buffers are in the caller's address space
 * @state: out: PROFIL_RUNNING or 0
 * @reserved: out: 0
 * @ticks: out: ticks that found a thread of the profiled address space
 * @counted: out: of @ticks, those that incremented a counter
 * @outside: out: of @ticks, those whose pc no region has a counter for
 * @saturated: out: of @ticks, those whose counter was at its maximum, or was
 *	being written by the program itself all the time
 * @skipped: out: of @ticks, those not taken because of @period_ns or
 *	PROFIL_USER_ONLY
 * @kernel: out: of @ticks, those that found the thread in the kernel
 * @pages: out: pages pinned now
 *
 * @ticks = @counted + @outside + @saturated + @skipped, always.
 *
 * PROFIL_IOC_STOP ends the session and then reports its last counts, which
 * PROFIL_IOC_READ goes on to report on the same open file until the next
 * PROFIL_IOC_START.  Both succeed on an open file whose session has ended or
 * has not begun.
 *
 * ESRCH	@session is not 0 and no such session runs
 */
struct profil_counts {
	__u32 size;
	__u32 flags;
	__aligned_u64 session;
	__u32 state;
	__u32 reserved;
	__aligned_u64 ticks;
	__aligned_u64 counted;
	__aligned_u64 outside;
	__aligned_u64 saturated;
	__aligned_u64 skipped;
	__aligned_u64 kernel;
	__aligned_u64 pages;
};
#define PROFIL_IOC_READ		_IO(PROFIL_IOC_MAGIC, 3)
#define PROFIL_IOC_STOP		_IO(PROFIL_IOC_MAGIC, 4)

#endif /* _UAPI_LINUX_PROFIL_H */
