// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The runtime of a -pg program: what its start-up code and its functions call,
 * in place of the C library's.
 *
 * The whole executable segment of the program is profiled, by a session with
 * 32-bit counters, into the state of gmonstate.c; calls are counted in arcs.c;
 * gmonfile.c has the file that gmonout.c writes the result to.
 * A forked child begins its own, from zero.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gmon.h"
#include "internal.h"

/* All under the library's lock. */
static struct gmon_state *state;
static struct profile profile;
static pid_t owner;			/* the process that state belongs to */
static int quiet;

static void say(const char *format, ...)
{
	char line[PATH_MAX + 256] = "libprofil: ";
	size_t used = strlen(line);
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line + used, sizeof(line) - used - 1, format, args);
	va_end(args);
	if (n < 0)
		return;
	used = strlen(line);
	line[used++] = '\n';
	if (write(STDERR_FILENO, line, used) < 0)
		return;
}

/* The samples */

/* Coarser counters, if the finest take more memory than may be pinned. */
static int samples_start(void)
{
	int ret;

	for (;;) {
		struct profil_region region = {
			.offset = state->low,
			.buf = (uintptr_t)gmon_bins(state),
			.bytes = (uint64_t)state->nr_bins * sizeof(uint32_t),
			.scale = 2 * 65536 / state->bin_bytes,
			.width = sizeof(uint32_t),
		};

		ret = libprofil_start(&profile, &region, 1, PERIOD_NS);
		if (!ret || errno != ENOMEM || state->counted ||
		    state->bin_bytes == GMON_BIN_BYTES_MAX)
			return ret;
		state->bin_bytes *= 2;
		state->nr_bins = (state->nr_bins + 1) / 2;
		state->high = state->low +
			      (uint64_t)state->nr_bins * state->bin_bytes;
	}
}

static void samples_stop(void)
{
	if (!profile.hold)
		return;
	libprofil_stop(&profile);
	state->counted += profile.last.counted;
	state->outside += profile.last.outside;
}

static void begin(void)
{
	__atomic_store_n(&libprofil_arcs_state, state, __ATOMIC_RELEASE);
	if (!profile.hold && samples_start() && owner == getpid() && !quiet)
		say("no kernel samples: /dev/profil: %s", strerror(errno));
}

static void end(void)
{
	__atomic_store_n(&libprofil_arcs_state, NULL, __ATOMIC_RELEASE);
	samples_stop();
}

static void report(void)
{
	unsigned long long all = state->counted + state->outside;

	if (state->arcs_lost)
		say("%s: %llu calls were not counted: too many different ones",
		    state->output, (unsigned long long)state->arcs_lost);
	if (state->outside && !quiet)
		say("%s: %llu of %llu samples were outside the program's own code, as in shared libraries",
		    state->output, (unsigned long long)state->outside, all);
}

/* Ends the profile for good.  A vfork child is not the owner. */
static void finish(void)
{
	const char *keep = libprofil_state_file();

	if (!state || owner != getpid())
		return;
	end();
	if (libprofil_output_write(state)) {
		say("cannot write %s: %s%s%s", state->output,
		    libprofil_output_error(errno),
		    keep[0] ? "; profil-gmon makes it of " : "", keep);
	} else {
		state->written = 1;
		libprofil_state_unname(state);
		report();
	}
	state = NULL;
}

/* After lock.c's own handler, so the lock is free. */
static void begin_in_child(void)
{
	int lock = libprofil_lock();
	int running = !!libprofil_arcs_state;

	if (state) {
		owner = getpid();
		memset(&profile, 0, sizeof(profile));
		libprofil_arcs_state = NULL;
		if (libprofil_state_renew(state)) {
			state = NULL;
		} else {
			libprofil_output_begin_in_child(state);
			quiet = 1;
			if (running)
				begin();
		}
	}
	libprofil_unlock(lock);
}

static int is_off(void)
{
	const char *mode = getenv("PROFIL_GMON");

	quiet = mode && !strcmp(mode, "quiet");
	return getauxval(AT_SECURE) || (mode && !strcmp(mode, "off"));
}

static void start(uintptr_t low, uintptr_t high)
{
	state = libprofil_state_create(low, high);
	if (!state) {
		say("no profile: code from %#lx to %#lx: %s",
		    (unsigned long)low, (unsigned long)high, strerror(errno));
		return;
	}
	owner = getpid();
	libprofil_output_begin(state);
	pthread_atfork(NULL, NULL, begin_in_child);
	begin();
}

/* What the start-up code calls before main(), and at exit. */

static void monstartup_call(unsigned long low, unsigned long high)
{
	int lock = libprofil_lock();

	if (!state && !is_off())
		start(low, high);
	libprofil_unlock(lock);
}

static void mcleanup_call(void)
{
	int lock = libprofil_lock();

	finish();
	libprofil_unlock(lock);
}

/* For the program: 0 pauses the profile, others go on with it. */
static void moncontrol_call(int mode)
{
	int lock = libprofil_lock();

	if (state && mode)
		begin();
	else if (state)
		end();
	libprofil_unlock(lock);
}

/*
 * A program that leaves by _exit(), as forked children do, has a profile, too.
 * Not if a signal handler does so in the middle of the above.
 */
static _Noreturn void exit_call(int status)
{
	int lock = state ? libprofil_trylock() : -1;

	if (lock >= 0) {
		finish();
		libprofil_unlock(lock);
	}
	for (;;)
		syscall(SYS_exit_group, status);
}

OFFER___monstartup(monstartup_call);
OFFER_monstartup(monstartup_call);
OFFER__mcleanup(mcleanup_call);
OFFER_moncontrol(moncontrol_call);
OFFER__exit(exit_call);
OFFER__Exit(exit_call);
