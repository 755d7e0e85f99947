// SPDX-License-Identifier: GPL-2.0
/*
 * crowd PROCESSES SESSIONS: so many processes that have so many sessions each,
 * and sleep until this one is killed.  Says "here" when all processes are, then
 * waits for a line and says "ready" when all sessions are, then for another and
 * says "idle" when no session is left.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <linux/profil.h>

#define MAX_SESSIONS	64

static unsigned short counter;

static int sleeper(int sessions, int begin, int end, int done)
{
	int devices[MAX_SESSIONS], i;
	char c;

	struct profil_region region = {
		.offset = 0,
		.buf = (uintptr_t)&counter,
		.bytes = 2,
		.width = 2,
	};
	struct profil_start start = {
		.size = sizeof(start),
		.regions = (uintptr_t)&region,
		.nr_regions = 1,
	};

	if (write(done, "", 1) != 1 || read(begin, &c, 1) != 1)
		return 1;
	for (i = 0; i < sessions; i++) {
		devices[i] = open("/dev/profil", O_RDWR);
		if (devices[i] < 0 ||
		    ioctl(devices[i], PROFIL_IOC_START, &start)) {
			perror("crowd");
			return 1;
		}
	}
	if (write(done, "", 1) != 1 || read(end, &c, 1) != 1)
		return 1;
	for (i = 0; i < sessions; i++)
		close(devices[i]);
	if (write(done, "", 1) != 1)
		return 1;
	for (;;)
		pause();
}

/* Every process writes a byte. */
static int all(int done, int processes, const char *say)
{
	char c;

	while (processes--)
		if (read(done, &c, 1) != 1)
			return 0;
	puts(say);
	fflush(stdout);
	return 1;
}

/* At a line from outside, every process gets one. */
static int send(int go, int processes)
{
	char c;

	if (read(0, &c, 1) != 1)
		return 0;
	while (processes--)
		if (write(go, "", 1) != 1)
			return 0;
	return 1;
}

int main(int argc, char **argv)
{
	int processes, sessions, i, begin[2], end[2], done[2];

	/* Two ways to say go: who is quick is not to take another one's byte. */
	if (argc != 3 || pipe(begin) || pipe(end) || pipe(done))
		return 2;
	processes = atoi(argv[1]);
	sessions = atoi(argv[2]);
	if (sessions > MAX_SESSIONS)
		return 2;
	for (i = 0; i < processes; i++)
		switch (fork()) {
		case -1:
			perror("fork");
			return 1;
		case 0:
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			close(done[0]);
			return sleeper(sessions, begin[0], end[0], done[1]);
		}
	close(done[1]);
	if (!all(done[0], processes, "here") || !send(begin[1], processes) ||
	    !all(done[0], processes, "ready") || !send(end[1], processes) ||
	    !all(done[0], processes, "idle"))
		return 1;
	for (;;)
		pause();
}
