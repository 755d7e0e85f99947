// SPDX-License-Identifier: GPL-2.0
/*
 * counted UNIT: main() and one() work for 100 units each, two() for 200, and
 * leaf() is called 700 and 1100 times.  Prints the CPU time of that.
 *
 * counted: prints how many rounds a unit of 10 ms has.
 */
#include "counted.h"

static FUNCTION void leaf(void)
{
	__asm__ volatile("");
}

static FUNCTION void one(unsigned long unit)
{
	int i;

	WORK(unit);
	for (i = 0; i < 7; i++)
		leaf();
}

static FUNCTION void two(unsigned long unit)
{
	int i;

	WORK(2 * unit);
	for (i = 0; i < 11; i++)
		leaf();
}

static FUNCTION unsigned long unit_rounds(void)
{
	unsigned long rounds = 1000000;
	double took, best = 1e9;
	int i;

	/* The fastest try is the one that nothing disturbed. */
	for (i = 0; i < 10; i++) {
		took = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
		WORK(rounds);
		took = clock_seconds(CLOCK_THREAD_CPUTIME_ID) - took;
		if (took < best)
			best = took;
	}
	return rounds * 0.01 / best;
}

int main(int argc, char **argv)
{
	unsigned long unit;
	double cpu;
	int i;

	if (argc < 2) {
		printf("%lu\n", unit_rounds());
		return 0;
	}
	unit = strtoul(argv[1], NULL, 0);
	cpu = cpu_seconds();
	for (i = 0; i < 100; i++) {
		one(unit);
		two(unit);
		WORK(unit);
	}
	printf("%.3f\n", cpu_seconds() - cpu);
	return 0;
}
