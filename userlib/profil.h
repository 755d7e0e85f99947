/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libprofil: profil(3) counted by the kernel, see profil(3) and profil(4).
 *
 * Programs that include <unistd.h> for profil() need not include this.
 */
#ifndef _LIBPROFIL_PROFIL_H
#define _LIBPROFIL_PROFIL_H

#include <stddef.h>
#include <unistd.h>

#include <linux/profil.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __THROW
#define __THROW
#endif

/*
 * Begins to count where the process spends its CPU time, or changes where it
 * is counted, or stops.
 *
 * buf, bufsiz	the counters: bufsiz bytes, as many whole unsigned shorts as
 *		fit; must be valid until the profile stops.  NULL stops.
 * offset	lowest program counter that is counted
 * scale	counters per two bytes of code, times 65536; 0 stops
 *
 * 100 times per second of the process's CPU time (all threads, user and
 * kernel mode), counter ((pc - offset) / 2) * scale / 65536 goes up by one,
 * if there is one, up to 65535.
 *
 * Returns 0, or -1 with errno set, and then nothing has changed: EINVAL buf is
 * odd; EFAULT buf is not bufsiz bytes of writable memory; EOPNOTSUPP buf is a
 * mapping of a file on disk; ENOMEM too much memory; EMFILE or EUSERS too many
 * profiles; ERANGE the kernel ticks less than 100 times a second; EIO the
 * kernel would not let its tick be hooked; and those of open(2) and
 * mmap(2) on /dev/profil: ENOENT the module is not loaded; EACCES, EMFILE,
 * ENFILE, EAGAIN.
 *
 * Thread-safe; not async-signal-safe; no cancellation point.  A child made by
 * fork(2) is not profiled and may call profil() for itself.  exec and exit end
 * the profile.
 */
extern int profil(unsigned short *buf, size_t bufsiz, size_t offset,
		  unsigned int scale) __THROW;

/*
 * Reports what became of the ticks of the profile that runs or, if none does,
 * of the one that profil() stopped last; zeros if there was none.  The caller
 * sets counts->size to sizeof(*counts).
 *
 * If profil() could not open the device when it stopped the profile, as after
 * chroot(2), nobody knows, and these are zeros.
 *
 * Returns 0, or -1 with errno set: EINVAL counts->size is too small; E2BIG it
 * is larger than the kernel's, and the rest is not zero; ESRCH the program has
 * unmapped the profile; and those of open(2) on /dev/profil.
 *
 * Thread-safe; not async-signal-safe; no cancellation point.
 */
extern int profil_read(struct profil_counts *counts) __THROW;

#ifdef __cplusplus
}
#endif

#endif /* _LIBPROFIL_PROFIL_H */
