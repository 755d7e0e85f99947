// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The library's lock.  A fork(2) waits for it, so that the child finds it free
 * and what it protects whole; threads are not cancelled inside.
 */
#define _GNU_SOURCE
#include <pthread.h>

#include "internal.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned int generation;		/* how many forks from the first */

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&lock);
}

static void after_fork_in_child(void)
{
	generation++;
	pthread_mutex_unlock(&lock);
}

static void at_first_call(void)
{
	pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

/* Returns what libprofil_unlock() takes. */
int libprofil_lock(void)
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_once(&once, at_first_call);
	pthread_mutex_lock(&lock);
	return state;
}

/* Like libprofil_lock(), but returns -1 if the lock is held, perhaps by us. */
int libprofil_trylock(void)
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	if (!pthread_mutex_trylock(&lock))
		return state;
	pthread_setcancelstate(state, NULL);
	return -1;
}

void libprofil_unlock(int state)
{
	pthread_mutex_unlock(&lock);
	pthread_setcancelstate(state, NULL);
}

/* Under the lock: differs between a process and its parent. */
unsigned int libprofil_generation(void)
{
	return generation;
}
