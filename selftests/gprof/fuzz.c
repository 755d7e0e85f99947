// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz STATE TRIES: profil-gmon on STATE with random damage, TRIES times.  It
 * may refuse or write something; built with the address sanitizer, it must not
 * touch what it should not.  Prints how often it did which.
 */
#define main profil_gmon_main
#include "../../tools/profil-gmon.c"
#undef main

#include <err.h>
#include <signal.h>
#include <sys/resource.h>

#define DAMAGED	"damaged"

static uint64_t seed = 88172645463325252ULL;

static uint64_t random_next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static char *read_all(const char *name, size_t *bytes)
{
	struct stat stat;
	int fd = open(name, O_RDONLY);
	char *data;

	if (fd < 0 || fstat(fd, &stat))
		err(2, "%s", name);
	*bytes = stat.st_size;
	data = malloc(*bytes);
	if (!data || read(fd, data, *bytes) != (ssize_t)*bytes)
		err(2, "%s", name);
	close(fd);
	return data;
}

/* Where a number is that one would rather not believe. */
static void damage_header(char *data)
{
	static const uint64_t values[] = {
		0, 1, 7, 8, 4096, 1 << 20, INT32_MAX, UINT32_MAX,
		INT64_MAX, UINT64_MAX, UINT64_MAX - 7, 1ULL << 62,
	};
	uint64_t value = values[random_next() % (sizeof(values) /
						 sizeof(values[0]))];
	size_t at = random_next() % (offsetof(struct gmon_state, output) / 4);

	memcpy(data + 4 * at, &value, random_next() % 2 ? 4 : 8);
}

static void damage(char *data, size_t *bytes)
{
	int i, kind = random_next() % 4;

	if (kind == 0)
		*bytes = random_next() % *bytes;
	for (i = random_next() % 3; kind == 1 && i >= 0; i--)
		damage_header(data);
	for (i = random_next() % 100; kind == 2 && i >= 0; i--)
		data[random_next() % offsetof(struct gmon_state, output)] ^=
			1 << random_next() % 8;
	for (i = random_next() % 100; kind == 3 && i >= 0; i--)
		data[random_next() % *bytes] ^= 1 << random_next() % 8;
}

int main(int argc, char **argv)
{
	char *args[] = { "profil-gmon", "-k", "-o", "written", DAMAGED, NULL };
	/* Damaged counters can stand for more records than a disk can hold. */
	struct rlimit limit = { 1 << 22, 1 << 22 };
	int i, tries, refused = 0;
	char *data, *copy;
	size_t bytes;

	if (argc != 3)
		errx(2, "usage: fuzz STATE TRIES");
	data = read_all(argv[1], &bytes);
	copy = malloc(bytes);
	tries = atoi(argv[2]);
	signal(SIGXFSZ, SIG_IGN);
	if (!copy || setrlimit(RLIMIT_FSIZE, &limit))
		err(2, "setup");

	for (i = 0; i < tries; i++) {
		size_t left = bytes;
		int fd;

		memcpy(copy, data, bytes);
		damage(copy, &left);
		fd = open(DAMAGED, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		if (fd < 0 || write(fd, copy, left) != (ssize_t)left)
			err(2, DAMAGED);
		close(fd);
		optind = 1;
		refused += !!profil_gmon_main(5, args);
	}
	printf("%d refused, %d written\n", refused, tries - refused);
	free(copy);
	free(data);
	return 0;
}
