/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the module offer each other.
 *
 * main -> { chrdev, list } -> session -> { buffer -> user, space, tick }
 *				tick -> sample -> { space, thin, map }
 *
 * session.h has what session.c, space.c and sample.c share, map.h what
 * buffer.c and sample.c do.
 */
#ifndef _PROFIL_H
#define _PROFIL_H

#include <linux/mutex.h>
#include <linux/ptrace.h>
#include <linux/sizes.h>
#include <linux/types.h>

#include <linux/profil.h>

struct seq_file;

/* tick.c: the hook on the scheduler tick */
int profil_tick_init(void);
int profil_tick_get(void);
void profil_tick_put(void);
void profil_tick_exit(void);

/* thin.c: one of the ticks in each period, at random */
struct profil_thin {
	u32 pos;
	u32 target;
};

void profil_thin_seed(void);
void profil_thin_init(struct profil_thin *thin, u32 period);
bool profil_thin_take(struct profil_thin *thin, u32 period);

/* user.c: what one user has */
struct profil_user;

unsigned int profil_user_max_sessions(void);
u64 profil_user_max_bytes(void);
struct profil_user *profil_user_get(void);
uid_t profil_user_uid(const struct profil_user *user);
void profil_user_put(struct profil_user *user);
int profil_user_add_session(struct profil_user *user);
void profil_user_del_session(struct profil_user *user);
unsigned long profil_user_take_pages(struct profil_user *user,
				     unsigned long want);
void profil_user_give_pages(struct profil_user *user, unsigned long nr);

/* buffer.c, map.h: regions of code and their pinned counters */
#define PROFIL_REGION_BYTES	SZ_1G

struct profil_map;

struct profil_map *profil_map_create(const struct profil_region *regions,
				     unsigned int nr);
void profil_map_destroy(struct profil_map *map);
unsigned int profil_map_regions(const struct profil_map *map);
unsigned long profil_map_pages(const struct profil_map *map);

/* session.c: who is profiled, into which map */
struct profil_session;

/**
 * struct profil_file - an open file of /dev/profil
 * @session: the session that it runs, or NULL; under the session lock
 * @last: counts of the session that ended last; under the session lock
 */
struct profil_file {
	struct profil_session *session;
	struct profil_counts last;
};

unsigned int profil_session_max(void);
int profil_session_start(struct profil_file *file, struct profil_start *arg,
			 const struct profil_region *regions);
int profil_session_set_regions(struct profil_file *file, u64 id,
			       const struct profil_region *regions,
			       unsigned int nr);
int profil_session_read(struct profil_file *file, u64 id,
			struct profil_counts *counts);
int profil_session_stop(struct profil_file *file, u64 id,
			struct profil_counts *counts);
void profil_session_show_all(struct seq_file *m);

/* space.c */
void profil_space_exit(void);

/* sample.c: the tick, or another clock, has found the current thread */
void profil_sample_tick(struct pt_regs *irq_regs);

/* chrdev.c: the device node */
int profil_chrdev_init(void);
void profil_chrdev_exit(void);

/* list.c: the administrator's view */
void profil_list_init(void);
void profil_list_exit(void);

#endif /* _PROFIL_H */
