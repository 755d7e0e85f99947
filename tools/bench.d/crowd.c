// SPDX-License-Identifier: GPL-2.0
/*
 * crowd PROCESSES SESSIONS: so many processes that have so many sessions each,
 * and sleep until this one is killed.  Says "here" when all processes are, then
 * waits for a line and says "ready" when all sessions are.
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

static unsigned short counter;

static int sleeper(int sessions, int go, int done)
{
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

	if (write(done, "", 1) != 1 || read(go, &c, 1) != 1)
		return 1;
	while (sessions--) {
		int device = open("/dev/profil", O_RDWR);

		if (device < 0 || ioctl(device, PROFIL_IOC_START, &start)) {
			perror("crowd");
			return 1;
		}
	}
	if (write(done, "", 1) != 1)
		return 1;
	for (;;)
		pause();
}

/* Every process has written a byte. */
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

int main(int argc, char **argv)
{
	int processes, sessions, i, go[2], done[2];
	char c;

	if (argc != 3 || pipe(go) || pipe(done))
		return 2;
	processes = atoi(argv[1]);
	sessions = atoi(argv[2]);
	for (i = 0; i < processes; i++)
		switch (fork()) {
		case -1:
			perror("fork");
			return 1;
		case 0:
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			close(done[0]);
			return sleeper(sessions, go[0], done[1]);
		}
	close(done[1]);
	if (!all(done[0], processes, "here") || read(0, &c, 1) != 1)
		return 1;
	for (i = 0; i < processes; i++)
		if (write(go[1], "", 1) != 1)
			return 1;
	if (!all(done[0], processes, "ready"))
		return 1;
	for (;;)
		pause();
}
