// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The output file of a -pg program: its name, and that it is a file that may be
 * written to.  All under the library's lock.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmon.h"

#define OUTPUT_FD	512		/* out of the way of the program's own */

static char output_directory[PATH_MAX / 2];
static struct stat root;		/* "/" when the program began */
static struct stat output;		/* the open output file */
static int output_fd = -1;

int libprofil_root_is_same(void)
{
	struct stat now;

	return !stat("/", &now) && now.st_dev == root.st_dev &&
	       now.st_ino == root.st_ino;
}

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

static void output_name(struct gmon_state *state, int child)
{
	const char *prefix = getenv("GMON_OUT_PREFIX");
	char name[PATH_MAX / 2];

	if (prefix && *prefix)
		snprintf(name, sizeof(name), "%s.%d", prefix, getpid());
	else if (child)
		snprintf(name, sizeof(name), "gmon.out.%d", getpid());
	else
		snprintf(name, sizeof(name), "gmon.out");

	if (name[0] == '/')
		snprintf(state->output, sizeof(state->output), "%s", name);
	else
		snprintf(state->output, sizeof(state->output), "%s/%s",
			 output_directory, name);
}

/* A plain file of one name: no symbolic link, FIFO or device is written to. */
static int output_open(const struct gmon_state *state)
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

void libprofil_output_begin(struct gmon_state *state)
{
	if (stat("/", &root))
		memset(&root, 0, sizeof(root));
	output_find_directory();
	output_name(state, 0);
	output_fd = output_open(state);
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

void libprofil_output_begin_in_child(struct gmon_state *state)
{
	output_close();
	output_name(state, 1);
}

/* Somebody has removed it. */
static int output_is_gone(void)
{
	struct stat now;

	return !fstat(output_fd, &now) && !now.st_nlink;
}

/* By its name, if that still means the same. */
static int output_reopen(const struct gmon_state *state)
{
	if (libprofil_root_is_same())
		return output_open(state);
	errno = ENOENT;
	return -1;
}

/* In words that fit a name at which something else was found. */
const char *libprofil_output_error(int error)
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

int libprofil_output_write(const struct gmon_state *state)
{
	int ret = -1, error;

	if (output_is_open() && output_is_gone())
		output_close();
	if (!output_is_open())
		output_fd = output_reopen(state);
	if (output_fd >= 0 && !ftruncate(output_fd, 0) &&
	    !lseek(output_fd, 0, SEEK_SET))
		ret = libprofil_write_gmon(output_fd, state);
	error = errno;
	output_close();
	errno = error;
	return ret;
}
