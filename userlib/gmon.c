// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The runtime of a -pg program: what its start-up code and its functions call,
 * in place of the C library's.
 *
 * The whole executable segment of the program is profiled, by a session with
 * 32-bit counters; calls are counted in arcs.c; gmonout.c writes the result.
 * A forked child begins its own, from zero.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gmon.h"
#include "internal.h"

#define RATE		(1000000000 / PERIOD_NS)
#define BIN_BYTES	4U		/* of code for one counter, at first */
#define BIN_BYTES_MAX	4096U
#define KEEP_DIR	"/dev/shm"
#define OUTPUT_FD	512		/* out of the way of the program's own */

/* All under the library's lock. */
static struct gmon_state *state;
static struct profile profile;
static pid_t owner;			/* the process that state belongs to */
static char keep[64];			/* the state's file, "": none */
static char output_directory[PATH_MAX / 2];
static struct stat root;		/* "/" when the program began */
static struct stat output;		/* the open output file */
static int output_fd = -1;
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

/* What is profiled */

/**
 * struct code - the program's executable segment
 * @inside: an address in it, from the start-up code
 * @low: its first address
 * @high: the first address behind it
 * @load: what the loader added to the addresses in the file
 */
struct code {
	uintptr_t inside;
	uintptr_t low;
	uintptr_t high;
	uintptr_t load;
};

static int code_in_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct code *code = data;
	int i;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t low = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X &&
		    code->inside >= low && code->inside < low + segment->p_memsz) {
			code->low = low;
			code->high = low + segment->p_memsz;
			code->load = info->dlpi_addr;
			return 1;
		}
	}
	return 0;
}

/*
 * The start-up code says up to etext, and from _start, which leaves out what
 * the linker put before that, main() itself among it at -O2, or from the
 * program's first address, which may be in another segment.
 */
static struct code code_find(uintptr_t low, uintptr_t high)
{
	struct code code = { .inside = high - 1, .low = low, .high = high };

	dl_iterate_phdr(code_in_object, &code);
	return code;
}

static size_t page_up(size_t bytes)
{
	size_t page = sysconf(_SC_PAGESIZE);

	return (bytes + page - 1) / page * page;
}

/* One place for a call per 16 bytes of code: most functions are longer. */
static uint32_t arcs_for(size_t code_bytes)
{
	uint32_t nr = 4096;

	while (nr < code_bytes / 16 && nr < 1U << 24)
		nr *= 2;
	return nr;
}

/* The header only; the rest of the state is zero at first. */
static struct gmon_state layout(const struct code *code)
{
	uintptr_t low = code->low / BIN_BYTES * BIN_BYTES;
	size_t nr_bins = (code->high - low + BIN_BYTES - 1) / BIN_BYTES;
	struct gmon_state header = {
		.magic = GMON_STATE_MAGIC,
		.version = GMON_STATE_VERSION,
		.pointer_bytes = sizeof(void *),
		.low = low,
		.high = low + nr_bins * BIN_BYTES,
		.load = code->load,
		.nr_bins = nr_bins,
		.bin_bytes = BIN_BYTES,
		.nr_arcs = arcs_for(code->high - low),
		.rate = RATE,
	};

	header.bins = page_up(sizeof(header));
	header.arcs = header.bins + page_up(nr_bins * sizeof(uint32_t));
	header.bytes = header.arcs +
		       page_up(header.nr_arcs * sizeof(struct gmon_arc));
	return header;
}

/* The state's memory */

/* A file in memory, for what a killed program leaves behind; or -1. */
static int keep_open(size_t bytes)
{
	const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd;

	snprintf(keep, sizeof(keep), KEEP_DIR "/profil-gmon.%u.%d",
		 (unsigned int)geteuid(), owner);
	fd = open(keep, flags, 0600);
	if (fd < 0 && errno == EEXIST && !unlink(keep))
		/* From this process before an exec, or a number used again. */
		fd = open(keep, flags, 0600);
	/* All of it now: later, a full file system would be a SIGBUS. */
	if (fd >= 0 && posix_fallocate(fd, 0, bytes)) {
		close(fd);
		unlink(keep);
		fd = -1;
	}
	if (fd < 0)
		keep[0] = '\0';
	return fd;
}

static struct gmon_state *state_map(const struct gmon_state *header)
{
	int fd = keep_open(header->bytes);
	struct gmon_state *new;

	new = mmap(NULL, header->bytes, PROT_READ | PROT_WRITE,
		   fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	if (new == MAP_FAILED)
		return NULL;
	memcpy(new, header, sizeof(*header));
	return new;
}

/* In a child: in place of the parent's, which it shares. */
static int state_renew(void)
{
	struct gmon_state header = *state;
	void *new;

	header.counted = 0;
	header.outside = 0;
	header.arcs_lost = 0;
	new = mmap(state, header.bytes, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (new == MAP_FAILED)
		return -1;
	memcpy(state, &header, sizeof(header));
	return 0;
}

static int root_is_same(void)
{
	struct stat now;

	return !stat("/", &now) && now.st_dev == root.st_dev &&
	       now.st_ino == root.st_ino;
}

/* Where the name is out of reach, what it holds, but for the header. */
static void keep_remove(void)
{
	if (keep[0] && (!root_is_same() || unlink(keep)))
		madvise((char *)state + state->bins, state->bytes - state->bins,
			MADV_REMOVE);
	keep[0] = '\0';
}

/* The output file */

/* Where the process, and its children, write: as of the program's start. */
static void output_find_directory(void)
{
	const char *dir = getenv("PROFIL_GMON_DIR");
	char cwd[PATH_MAX / 4] = "";

	if (!dir)
		dir = "";
	if (dir[0] != '/' && !getcwd(cwd, sizeof(cwd)))
		strcpy(cwd, ".");
	if (!strcmp(cwd, "/"))
		cwd[0] = '\0';
	snprintf(output_directory, sizeof(output_directory), "%s%s%s", cwd,
		 dir[0] && dir[0] != '/' ? "/" : "", dir);
}

static void output_name(int child)
{
	const char *prefix = getenv("GMON_OUT_PREFIX");
	char name[PATH_MAX / 2];

	if (prefix && *prefix)
		snprintf(name, sizeof(name), "%s.%d", prefix, owner);
	else if (child)
		snprintf(name, sizeof(name), "gmon.out.%d", owner);
	else
		snprintf(name, sizeof(name), "gmon.out");

	if (name[0] == '/')
		snprintf(state->output, sizeof(state->output), "%s", name);
	else
		snprintf(state->output, sizeof(state->output), "%s/%s",
			 output_directory, name);
}

/* A plain file of one name: no symbolic link, FIFO or device is written to. */
static int output_open(void)
{
	int fd = open(state->output, O_WRONLY | O_CREAT | O_NOFOLLOW |
		      O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
	int high;

	if (fd < 0)
		return -1;
	if (fstat(fd, &output) || !S_ISREG(output.st_mode) ||
	    output.st_nlink > 1) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	high = fcntl(fd, F_DUPFD_CLOEXEC, OUTPUT_FD);
	if (high < 0)
		return fd;
	close(fd);
	return high;
}

/* Whether output_fd is still ours, or the program has closed or reused it. */
static int output_is_open(void)
{
	struct stat now;

	return output_fd >= 0 && !fstat(output_fd, &now) &&
	       now.st_dev == output.st_dev && now.st_ino == output.st_ino;
}

static void output_close(void)
{
	if (output_is_open())
		close(output_fd);
	output_fd = -1;
}

/* Somebody has removed it. */
static int output_is_gone(void)
{
	struct stat now;

	return !fstat(output_fd, &now) && !now.st_nlink;
}

/* By its name, if that still means the same. */
static int output_reopen(void)
{
	if (root_is_same())
		return output_open();
	errno = ENOENT;
	return -1;
}

/* In words that fit a name at which something else was found. */
static const char *output_error(int error)
{
	switch (error) {
	case ELOOP:
		return "it is a symbolic link";
	case ENXIO:
	case EINVAL:
		return "it is not a plain file of one name";
	default:
		return strerror(error);
	}
}

static int output_write(void)
{
	int ret = -1;

	if (output_is_open() && output_is_gone())
		output_close();
	if (!output_is_open())
		output_fd = output_reopen();
	if (output_fd >= 0 && !ftruncate(output_fd, 0) &&
	    !lseek(output_fd, 0, SEEK_SET))
		ret = libprofil_write_gmon(output_fd, state);
	if (ret)
		say("cannot write %s: %s%s%s", state->output,
		    output_error(errno),
		    keep[0] ? "; profil-gmon makes it of " : "", keep);
	output_close();
	return ret;
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
		    state->bin_bytes == BIN_BYTES_MAX)
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
	if (!state || owner != getpid())
		return;
	end();
	if (!output_write()) {
		state->written = 1;
		keep_remove();
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
		output_close();
		keep[0] = '\0';
		memset(&profile, 0, sizeof(profile));
		libprofil_arcs_state = NULL;
		if (state_renew()) {
			state = NULL;
		} else {
			output_name(1);
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
	struct code code = code_find(low, high);
	struct gmon_state header;

	if (code.low >= code.high || (code.high - code.low) >> 32 ||
	    stat("/", &root))
		return;
	owner = getpid();
	header = layout(&code);
	state = state_map(&header);
	if (!state) {
		say("no memory for a profile of %zu bytes of code",
		    (size_t)(code.high - code.low));
		return;
	}
	output_find_directory();
	output_name(0);
	output_fd = output_open();
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
