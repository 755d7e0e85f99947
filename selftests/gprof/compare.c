// SPDX-License-Identifier: GPL-2.0
/*
 * compare poll: how often a poll() of this -pg program is interrupted, while it
 *	uses 2 s of CPU time in another thread, which blocks all signals.
 * compare wrap: what a counter of profil(3) is that has gone up from 65530 for
 *	half a second.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>

#include "counted.h"

static int done;

static FUNCTION void work_for(double seconds)
{
	double end = clock_seconds(CLOCK_THREAD_CPUTIME_ID) + seconds;

	while (clock_seconds(CLOCK_THREAD_CPUTIME_ID) < end)
		WORK(100000);
}

static void *worker(void *arg)
{
	work_for(2);
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	return arg;
}

static void count_interrupted(void)
{
	unsigned int interrupted = 0, calls = 0;
	sigset_t all, old;
	pthread_t thread;

	/* As libraries do for their threads. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	if (pthread_create(&thread, NULL, worker, NULL))
		exit(1);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
		calls++;
		if (poll(NULL, 0, 50) < 0 && errno == EINTR)
			interrupted++;
	}
	pthread_join(thread, NULL);
	printf("%u of %u\n", interrupted, calls);
}

static void count_beyond(void)
{
	unsigned short counter = 65530;

	/* One counter for 256 bytes of code. */
	if (profil(&counter, sizeof(counter), (size_t)work_for, 65536 / 128)) {
		perror("profil");
		exit(1);
	}
	work_for(0.5);
	profil(&counter, 0, 0, 0);
	printf("%u\n", counter);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "poll"))
		count_interrupted();
	else
		count_beyond();
	return 0;
}
