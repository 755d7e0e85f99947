// SPDX-License-Identifier: GPL-2.0
/*
 * What one user has: running sessions and pinned pages.
 *
 * A profil_user exists while a session or a map of that real user ID does,
 * each of which holds a reference.
 */
#include <linux/cred.h>
#include <linux/hashtable.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "profil.h"

static unsigned int user_sessions = 1024;
module_param(user_sessions, uint, 0644);
MODULE_PARM_DESC(user_sessions, "running sessions of one user (1024)");

static unsigned int user_kb = 16384;
module_param(user_kb, uint, 0644);
MODULE_PARM_DESC(user_kb,
		 "KiB one user may pin before RLIMIT_MEMLOCK is asked (16384)");

/* All fields but @uid: users_lock. */
struct profil_user {
	struct hlist_node node;
	uid_t uid;
	unsigned int refs;
	unsigned int sessions;
	unsigned long pages;
};

/* No allocation inside: it could have to wait for who waits for the lock. */
static DEFINE_MUTEX(users_lock);
static DEFINE_HASHTABLE(users, 8);

unsigned int profil_user_max_sessions(void)
{
	return READ_ONCE(user_sessions);
}

u64 profil_user_max_bytes(void)
{
	return (u64)READ_ONCE(user_kb) << 10;
}

static struct profil_user *user_find(uid_t uid)
{
	struct profil_user *user;

	lockdep_assert_held(&users_lock);
	hash_for_each_possible(users, user, node, uid)
		if (user->uid == uid)
			return user;
	return NULL;
}

uid_t profil_user_uid(const struct profil_user *user)
{
	return user->uid;
}

/* The caller's. */
struct profil_user *profil_user_get(void)
{
	uid_t uid = __kuid_val(current_uid());
	struct profil_user *user, *fresh;

	fresh = kzalloc(sizeof(*fresh), GFP_KERNEL_ACCOUNT);
	if (!fresh)
		return ERR_PTR(-ENOMEM);
	fresh->uid = uid;

	mutex_lock(&users_lock);
	user = user_find(uid);
	if (!user) {
		user = fresh;
		fresh = NULL;
		hash_add(users, &user->node, uid);
	}
	user->refs++;
	mutex_unlock(&users_lock);
	kfree(fresh);
	return user;
}

void profil_user_put(struct profil_user *user)
{
	mutex_lock(&users_lock);
	if (!--user->refs) {
		hash_del(&user->node);
		kfree(user);
	}
	mutex_unlock(&users_lock);
}

int profil_user_add_session(struct profil_user *user)
{
	int ret = -EUSERS;

	mutex_lock(&users_lock);
	if (user->sessions < profil_user_max_sessions()) {
		user->sessions++;
		ret = 0;
	}
	mutex_unlock(&users_lock);
	return ret;
}

void profil_user_del_session(struct profil_user *user)
{
	mutex_lock(&users_lock);
	user->sessions--;
	mutex_unlock(&users_lock);
}

/* How many of @want pages the user's allowance covers. */
unsigned long profil_user_take_pages(struct profil_user *user,
				     unsigned long want)
{
	unsigned long limit = profil_user_max_bytes() >> PAGE_SHIFT;
	unsigned long nr = 0;

	mutex_lock(&users_lock);
	if (user->pages < limit)
		nr = min(want, limit - user->pages);
	user->pages += nr;
	mutex_unlock(&users_lock);
	return nr;
}

void profil_user_give_pages(struct profil_user *user, unsigned long nr)
{
	mutex_lock(&users_lock);
	user->pages -= nr;
	mutex_unlock(&users_lock);
}
