// SPDX-License-Identifier: GPL-2.0
/*
 * Linked into a program, profiles it with profil(3) from before main() to
 * exit().  The file that SELFPROFILE names then has, one per line, the totals
 * as "# name value" and each address that was hit with its count.
 *
 * For programs at a fixed address (-no-pie), whose text is below 64 MiB.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <linux/profil.h>

extern char __executable_start[], etext[];

/* libprofil's; the C library's profil() comes without. */
extern int profil_read(struct profil_counts *counts) __attribute__((weak));

static unsigned short counters[32 << 20];
static double started;

static size_t bytes_of_text(void)
{
	return (etext - __executable_start) & ~1UL;
}

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/* Scale 65536: one counter for two bytes of code, so as many bytes as text. */
__attribute__((constructor)) static void begin(void)
{
	started = cpu_seconds();
	if (bytes_of_text() > sizeof(counters)) {
		fprintf(stderr, "selfprofile: the program is too large\n");
		exit(1);
	}
	if (profil(counters, bytes_of_text(), (size_t)__executable_start,
		   65536)) {
		perror("selfprofile: profil");
		exit(1);
	}
}

static void write_truth(FILE *out)
{
	struct profil_counts counts = { .size = sizeof(counts) };

	if (!profil_read || profil_read(&counts))
		return;
	fprintf(out, "# outside %llu\n", (unsigned long long)counts.outside);
	fprintf(out, "# ticks %llu\n", (unsigned long long)counts.ticks);
	fprintf(out, "# kernel %llu\n", (unsigned long long)counts.kernel);
}

__attribute__((destructor)) static void end(void)
{
	const char *name = getenv("SELFPROFILE");
	double used = cpu_seconds() - started;
	size_t i;
	FILE *out;

	/* Not NULL, which <unistd.h> does not allow. */
	profil(counters, 0, 0, 0);
	if (!name)
		return;
	out = fopen(name, "w");
	if (!out) {
		perror(name);
		return;
	}
	fprintf(out, "# cpu_seconds %.3f\n", used);
	write_truth(out);
	for (i = 0; i < bytes_of_text() / 2; i++)
		if (counters[i])
			fprintf(out, "%#zx %u\n",
				(size_t)__executable_start + 2 * i,
				counters[i]);
	fclose(out);
}
