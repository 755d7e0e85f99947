// SPDX-License-Identifier: GPL-2.0
/*
 * profil-gmon: makes a gmon.out of what a killed -pg program left in memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmon.h"

static void usage(FILE *out)
{
	fprintf(out,
		"usage: profil-gmon [-o FILE] [-k] STATE\n"
		"Write the profile that a killed -pg program left in STATE\n"
		"(/dev/shm/profil-gmon.UID.PID) to FILE (gmon.out), and remove STATE.\n"
		"  -k  keep STATE\n");
}

static int complain(const char *what, const char *why)
{
	fprintf(stderr, "profil-gmon: %s: %s\n", what, why);
	return -1;
}

/* Anybody could have written it: every number is checked before it is used. */
static int is_sound(const struct gmon_state *state, size_t bytes)
{
	return state->magic == GMON_STATE_MAGIC &&
	       state->version == GMON_STATE_VERSION &&
	       (state->pointer_bytes == 4 || state->pointer_bytes == 8) &&
	       state->rate && state->nr_bins && state->bin_bytes &&
	       state->low < state->high && state->load <= state->low &&
	       state->high - state->low ==
			(uint64_t)state->nr_bins * state->bin_bytes &&
	       state->bytes == bytes && state->bins <= bytes &&
	       state->arcs <= bytes && state->bins % 8 == 0 &&
	       state->arcs % 8 == 0 &&
	       state->nr_bins <= (bytes - state->bins) / sizeof(uint32_t) &&
	       state->nr_arcs <= (bytes - state->arcs) / sizeof(struct gmon_arc);
}

static const struct gmon_state *state_open(const char *name)
{
	const struct gmon_state *state;
	struct stat stat;
	int fd;

	fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &stat)) {
		complain(name, strerror(errno));
		return NULL;
	}
	if (!S_ISREG(stat.st_mode) || (size_t)stat.st_size < sizeof(*state)) {
		complain(name, "not what a -pg program leaves");
		close(fd);
		return NULL;
	}
	state = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (state == MAP_FAILED) {
		complain(name, strerror(errno));
		return NULL;
	}
	if (!is_sound(state, stat.st_size)) {
		complain(name, "not what a -pg program leaves, or another version's");
		return NULL;
	}
	return state;
}

static int output_write(const char *name, const struct gmon_state *state)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0666);
	int ret;

	if (fd < 0)
		return complain(name, strerror(errno));
	ret = libprofil_write_gmon(fd, state);
	if (close(fd) || ret)
		return complain(name, strerror(errno));
	return 0;
}

int main(int argc, char **argv)
{
	const struct gmon_state *state;
	const char *output = "gmon.out";
	int keep = 0;
	int option;

	while ((option = getopt(argc, argv, "o:kh")) != -1) {
		switch (option) {
		case 'o':
			output = optarg;
			break;
		case 'k':
			keep = 1;
			break;
		case 'h':
			usage(stdout);
			return 0;
		default:
			usage(stderr);
			return 2;
		}
	}
	if (optind + 1 != argc) {
		usage(stderr);
		return 2;
	}

	state = state_open(argv[optind]);
	if (!state)
		return 1;
	if (state->written) {
		complain(argv[optind], "the program has written its gmon.out itself");
		return 1;
	}
	if (output_write(output, state))
		return 1;
	if (!keep && unlink(argv[optind])) {
		complain(argv[optind], strerror(errno));
		return 1;
	}
	return 0;
}
