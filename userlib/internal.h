/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of libprofil share.  libprofil.so keeps it to itself; in
 * libprofil.a the prefix libprofil_ keeps it from clashing with the program's.
 *
 * { profil, sprofil, gmon } -> { profile -> /dev/profil, lock }
 *   gmon -> { arcs <- mcount, gmonstate, gmonfile -> gmonout }
 */
#ifndef _LIBPROFIL_INTERNAL_H
#define _LIBPROFIL_INTERNAL_H

#include <stddef.h>

#include <linux/profil.h>

/* Made by versions.sh. */
#include "versions.h"

#define export		__attribute__((visibility("default")))

/*
 * OFFER_NAME(function), from versions.h, exports @function as NAME: under the
 * library's own version and, in libprofil.so, under the C library's version of
 * NAME, which a program asks for that was linked without libprofil and is run
 * with LD_PRELOAD.  offer_own() is for names that are the library's alone.
 */
#define offer_own(function, name)					\
extern __typeof__(function) name					\
	__attribute__((alias(#function))) export

#define offer_as(function, symbol, name, version)			\
extern __typeof__(function) symbol					\
	__attribute__((alias(#function))) export;			\
__asm__(".symver " #symbol ", " #name version)

#define offer_both(function, name, version)				\
	offer_as(function, own_##name, name, "@@PROFIL_1.0");		\
	offer_as(function, libc_##name, name, "@" version)

/* "every virtual 10 milliseconds": profil(3) */
#define PERIOD_NS	10000000

/* lock.c: one lock for the library, good across fork(2) */
int libprofil_lock(void);
int libprofil_trylock(void);
void libprofil_unlock(int state);
unsigned int libprofil_generation(void);

/**
 * struct profile - a session that a mapping of the device holds; under the lock
 * @hold: the mapping, NULL: none
 * @session: the session's id
 * @generation: libprofil_generation() of the process that began it
 * @last: counts of the session that was stopped last
 */
struct profile {
	void *hold;
	__u64 session;
	unsigned int generation;
	struct profil_counts last;
};

/* profile.c: all under the lock; those that return int return -1 with errno */
int libprofil_start(struct profile *profile,
		    const struct profil_region *regions, unsigned int nr,
		    __u32 period_ns);
void libprofil_stop(struct profile *profile);
int libprofil_read(struct profile *profile, struct profil_counts *counts);

/* profil.c: the process's own profile, for profil() and sprofil() */
extern struct profile libprofil_self;

#endif /* _LIBPROFIL_INTERNAL_H */
