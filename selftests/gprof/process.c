// SPDX-License-Identifier: GPL-2.0
/*
 * process WHAT UNIT [ARG]: a program that ends or changes as WHAT says.  Before
 * that, and for some once more afterwards, work() is called 30 times and works
 * for a unit each time.  Prints "cpu" and the CPU time of all such work so far.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "counted.h"

#define CALLS	30

static unsigned long unit;
static const char *arg;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static FUNCTION void work(void)
{
	WORK(unit);
}

static FUNCTION void child_work(void)
{
	WORK(unit);
}

static FUNCTION void work_all(void)
{
	static double worked;
	double cpu = cpu_seconds();
	int i;

	for (i = 0; i < CALLS; i++)
		work();
	worked += cpu_seconds() - cpu;
	printf("cpu %.3f\n", worked);
}

static FUNCTION void child_work_all(void)
{
	double cpu = cpu_seconds();
	int i;

	for (i = 0; i < 2 * CALLS; i++)
		child_work();
	printf("child %.3f\n", cpu_seconds() - cpu);
}

static int status_of(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		fail("wait");
	return status;
}

static void end_exit(void)
{
}

static void end_underscore_exit(void)
{
	_exit(0);
}

static void end_abort(void)
{
	abort();
}

static void end_kill(void)
{
	kill(getpid(), SIGKILL);
}

static void end_quick_exit(void)
{
	quick_exit(0);
}

/* The parent works 30 times, the child another 60 times elsewhere. */
static void fork_and_work(void (*end)(int status))
{
	pid_t pid = fork();

	if (!pid) {
		child_work_all();
		end(0);
	}
	printf("pid %d\n", pid);
	if (status_of(pid))
		exit(1);
}

static void do_fork(void)
{
	fork_and_work(exit);
}

static void do_fork_underscore_exit(void)
{
	fork_and_work(_exit);
}

/* The child is the parent for a while; afterwards the parent works on. */
static void do_vfork(void)
{
	pid_t pid = vfork();

	if (!pid)
		_exit(0);
	if (status_of(pid))
		exit(1);
	work_all();
}

static void do_vfork_exec(void)
{
	pid_t pid = vfork();

	if (!pid) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	if (status_of(pid))
		exit(1);
	work_all();
}

static void do_exec(void)
{
	execlp(arg, arg, "-c", "i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; echo done", NULL);
	fail("exec");
}

static void do_chroot(void)
{
	if (chroot(arg) || chdir("/"))
		fail("chroot");
	work_all();
}

static void do_drop(void)
{
	if (setgid(65534) || setuid(65534))
		fail("setuid");
	work_all();
}

static void do_rmdir(void)
{
	if (unlink("gmon.out") || rmdir(arg))
		fail("rmdir");
	work_all();
}

static void do_unlink(void)
{
	if (unlink(arg))
		fail("unlink");
	work_all();
}

static void do_closefrom(void)
{
	closefrom(3);
	work_all();
}

/* As a server does: everything goes, and other files take the numbers. */
static void do_reuse(void)
{
	int i;

	closefrom(3);
	for (i = 3; i < 600; i++)
		if (dup2(1, i) < 0)
			fail("dup2");
	work_all();
}

/* What would be armed or caught if a signal did the sampling. */
static void do_signals(void)
{
	char line[256];
	struct itimerval timer;
	FILE *file = fopen("/proc/self/status", "r");

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, "SigCgt:", 7))
			printf("caught %s", line + 8);
	if (getitimer(ITIMER_PROF, &timer))
		fail("getitimer");
	printf("timer %ld %ld\n", timer.it_value.tv_sec + timer.it_interval.tv_sec,
	       (long)(timer.it_value.tv_usec + timer.it_interval.tv_usec));
}

/*
 * Works in a library for 1.5 s, and prints the CPU time of that.  This
 * function's own few instructions are of no importance.
 */
static FUNCTION void do_library(void)
{
	double cpu = cpu_seconds();
	size_t bytes = 1 << 16;
	char *block = malloc(bytes);

	if (!block)
		fail("malloc");
	while (cpu_seconds() - cpu < 1.5) {
		int i;

		for (i = 0; i < 200; i++) {
			memset(block, i, bytes);
			__asm__ volatile("" : : "r"(block) : "memory");
		}
	}
	printf("library %.3f\n", cpu_seconds() - cpu);
	free(block);
}

static const struct {
	const char *name;
	void (*run)(void);
} modes[] = {
	{ "exit", end_exit },
	{ "_exit", end_underscore_exit },
	{ "abort", end_abort },
	{ "kill", end_kill },
	{ "quick_exit", end_quick_exit },
	{ "fork", do_fork },
	{ "fork_exit", do_fork_underscore_exit },
	{ "vfork", do_vfork },
	{ "vfork_exec", do_vfork_exec },
	{ "exec", do_exec },
	{ "chroot", do_chroot },
	{ "drop", do_drop },
	{ "rmdir", do_rmdir },
	{ "unlink", do_unlink },
	{ "closefrom", do_closefrom },
	{ "reuse", do_reuse },
	{ "signals", do_signals },
	{ "library", do_library },
};

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 3)
		return 2;
	unit = strtoul(argv[2], NULL, 0);
	arg = argc > 3 ? argv[3] : "";
	setvbuf(stdout, NULL, _IOLBF, 0);
	work_all();
	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (!strcmp(argv[1], modes[i].name)) {
			modes[i].run();
			return 0;
		}
	}
	return 2;
}
