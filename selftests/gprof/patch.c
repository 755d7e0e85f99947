// SPDX-License-Identifier: GPL-2.0
/*
 * patch STATE ADDRESS SAMPLES CALLS: as if the function at ADDRESS of the
 * program that left STATE had been hit and called so often.
 */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmon.h"

/* No function is shorter, none that is aligned to this is in another's. */
#define FUNCTION_BYTES	256

int main(int argc, char **argv)
{
	struct gmon_state *state;
	uint32_t i, patched = 0;
	uint64_t address;
	struct stat stat;
	int fd;

	if (argc != 5)
		errx(2, "usage: patch STATE ADDRESS SAMPLES CALLS");
	fd = open(argv[1], O_RDWR);
	if (fd < 0 || fstat(fd, &stat))
		err(1, "%s", argv[1]);
	state = mmap(NULL, stat.st_size, PROT_READ | PROT_WRITE, MAP_SHARED,
		     fd, 0);
	if (state == MAP_FAILED)
		err(1, "%s", argv[1]);

	address = strtoull(argv[2], NULL, 16) + state->load;
	i = (address - state->low) / state->bin_bytes;
	if (address < state->low || i >= state->nr_bins)
		errx(1, "%s is not in the code", argv[2]);
	gmon_bins(state)[i] = strtoul(argv[3], NULL, 0);

	for (i = 0; i < state->nr_arcs; i++) {
		struct gmon_arc *arc = &gmon_arcs(state)[i];

		if (arc->key && libprofil_arc_self(state, arc->key) - address <
				FUNCTION_BYTES) {
			arc->count = strtoull(argv[4], NULL, 0);
			patched++;
		}
	}
	if (patched != 1)
		errx(1, "%u callers", patched);
	return 0;
}
