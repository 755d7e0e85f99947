// SPDX-License-Identifier: GPL-2.0
/*
 * Which counter a pc belongs to.  Code is put at the address that a case of
 * formula_table.h asks for: a system call, which begins the session or gives
 * it the case's regions, and behind it an instruction that jumps to itself.
 * From the call's end on, whatever a tick finds, the user pc is that address.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "profil_test.h"

#define PAGE		((size_t)sysconf(_SC_PAGESIZE))
#define ARENA_BYTES	((8 << 20) + 65536)
#define MOST_REGIONS	4096
#define NOWHERE		(-1)

/* @nr regions, @step apart, whose buffers are @buf_step apart in the arena. */
struct region_group {
	uint64_t offset, step;
	unsigned int nr;
	uint32_t buf, buf_step, bytes, scale, width;
};

/* @where: offset in the arena of the counter, or NOWHERE */
struct formula_case {
	const char *name;
	uint64_t pc;
	long where;
	unsigned int nr_groups;
	struct region_group groups[4];
};

#include "formula_table.h"

static struct profil_region regions[MOST_REGIONS];
static unsigned char *arena;

static unsigned int make_regions(const struct formula_case *c)
{
	unsigned int i, j, nr = 0;

	for (i = 0; i < c->nr_groups; i++) {
		const struct region_group *g = &c->groups[i];

		for (j = 0; j < g->nr; j++)
			regions[nr++] = (struct profil_region){
				.offset = g->offset + j * g->step,
				.buf = (uintptr_t)arena + g->buf +
				       j * g->buf_step,
				.bytes = g->bytes,
				.scale = g->scale,
				.width = g->width,
			};
	}
	return nr;
}

static uint32_t width_at(const struct formula_case *c)
{
	unsigned int i;

	for (i = c->nr_groups - 1; i; i--)
		if ((unsigned long)c->where >= c->groups[i].buf)
			break;
	return c->groups[i].width;
}

/* The counter's value, and zero in its place. */
static uint32_t take_counter(const struct formula_case *c)
{
	uint32_t width = width_at(c), value32 = 0;
	uint16_t value16;

	if (width == 2) {
		memcpy(&value16, arena + c->where, 2);
		value32 = value16;
	} else {
		memcpy(&value32, arena + c->where, 4);
	}
	memset(arena + c->where, 0, width);
	return value32;
}

static size_t bytes_of(const struct formula_case *c)
{
	const struct region_group *g = c->groups;
	size_t most = 0;

	for (; g < c->groups + c->nr_groups; g++) {
		size_t end = g->buf + (g->nr - 1) * g->buf_step + g->bytes;

		if (most < end)
			most = end;
	}
	return most;
}

static bool arena_is_zero(size_t bytes)
{
	const uint64_t *word = (uint64_t *)arena;

	for (; (unsigned char *)word < arena + bytes; word++)
		if (*word)
			return false;
	return true;
}

#if defined(__x86_64__)

#define CALL_BYTES	2
static const unsigned char code[] = {
	0x0f, 0x05,	/* syscall */
	0xeb, 0xfe,	/* jmp . */
};

static bool pc_is_possible(uint64_t pc)
{
	(void)pc;
	return true;
}

static void call_at(uintptr_t address, int fd, unsigned long request, void *arg)
{
	__asm__ volatile("jmp *%0"
			 : : "r"(address), "a"(SYS_ioctl), "D"((long)fd),
			 "S"(request), "d"(arg)
			 : "rcx", "r11", "memory");
}

#elif defined(__i386__)

#define CALL_BYTES	2
static const unsigned char code[] = {
	0xcd, 0x80,	/* int $0x80 */
	0xeb, 0xfe,	/* jmp . */
};

static bool pc_is_possible(uint64_t pc)
{
	return pc < 0xc0000000;
}

static void call_at(uintptr_t address, int fd, unsigned long request, void *arg)
{
	__asm__ volatile("jmp *%0"
			 : : "S"(address), "a"(SYS_ioctl), "b"(fd),
			 "c"(request), "d"(arg)
			 : "memory");
}

#elif defined(__aarch64__)

#define CALL_BYTES	4
static const unsigned char code[] = {
	0x01, 0x00, 0x00, 0xd4,	/* svc #0 */
	0x00, 0x00, 0x00, 0x14,	/* b . */
};

static bool pc_is_possible(uint64_t pc)
{
	return pc % 4 == 0;
}

static void call_at(uintptr_t address, int fd, unsigned long request, void *arg)
{
	register long x8 __asm__("x8") = SYS_ioctl;
	register long x0 __asm__("x0") = fd;
	register long x1 __asm__("x1") = request;
	register void *x2 __asm__("x2") = arg;

	__asm__ volatile("br %0"
			 : : "r"(address), "r"(x8), "r"(x0), "r"(x1), "r"(x2)
			 : "memory");
}

#else

#define CALL_BYTES	0
static const unsigned char code[1];

static bool pc_is_possible(uint64_t pc)
{
	(void)pc;
	return false;
}

static void call_at(uintptr_t address, int fd, unsigned long request, void *arg)
{
	(void)address, (void)fd, (void)request, (void)arg;
}

#endif

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE	0x100000
#endif

/* Puts the code where the jump is at @pc.  Returns false if something is. */
static bool code_at(uint64_t pc)
{
	char *first = (char *)((uintptr_t)(pc - CALL_BYTES) & -PAGE);
	char *got = mmap(first, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
			 -1, 0);

	if (got != first)
		return false;
	memcpy((char *)(uintptr_t)pc - CALL_BYTES, code, sizeof(code));
	__builtin___clear_cache(first, first + 2 * PAGE);
	return true;
}

static void code_gone(uint64_t pc)
{
	munmap((char *)((uintptr_t)(pc - CALL_BYTES) & -PAGE), 2 * PAGE);
}

/* The child.  Does not return if all is well, nor if the call fails. */
static void run_at(uint64_t pc, int fd, unsigned int nr, bool replace)
{
	const struct profil_region nowhere = {
		.offset = UINT64_MAX, .scale = 1, .width = 2,
	};
	struct profil_start start_arg = start_of(regions, nr);
	struct profil_set_regions set_arg = {
		.size = sizeof(set_arg),
		.nr_regions = nr,
		.regions = (uintptr_t)regions,
	};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!replace)
		call_at(pc - CALL_BYTES, fd, PROFIL_IOC_START, &start_arg);
	else if (!start(fd, &nowhere, 1, 0))
		call_at(pc - CALL_BYTES, fd, PROFIL_IOC_SET_REGIONS, &set_arg);
	_exit(1);
}

/* Until there are enough ticks, which are all for @pc, or none come. */
static bool wait_for_ticks(int fd, bool replace, const struct formula_case *c)
{
	/* What the first regions have for outside cannot be told apart. */
	uint64_t enough = replace && c->where == NOWHERE ? 4 : 1;
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + 5 * NSEC;
	struct profil_counts counts;
	bool ticked;

	do {
		usleep(1000);
		if (read_counts(fd, &counts))
			return false;
		ticked = c->where == NOWHERE ? counts.ticks >= enough :
					       counts.counted >= enough;
	} while (!ticked && clock_ns(CLOCK_MONOTONIC) < end);
	return ticked;
}

static void check_case(struct __test_metadata *_metadata,
		       const struct formula_case *c, bool replace)
{
	unsigned int nr = make_regions(c);
	struct profil_counts counts;
	int fd = OPEN_DEVICE();
	bool enough;
	pid_t child;

	ASSERT_TRUE(code_at(c->pc))
		TH_LOG("%s: cannot put code there", c->name);
	child = fork();
	if (!child)
		run_at(c->pc, fd, nr, replace);
	ASSERT_GT(child, 0);
	enough = wait_for_ticks(fd, replace, c);
	kill(child, SIGKILL);
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	code_gone(c->pc);

	ASSERT_EQ(0, read_counts(fd, &counts));
	EXPECT_TRUE(enough)
		TH_LOG("%s: no ticks; START: %d", c->name,
		       start(fd, regions, nr, 0));
	EXPECT_EQ(0, counts.saturated + counts.skipped);
	if (c->where == NOWHERE) {
		EXPECT_EQ(0, counts.counted)
			TH_LOG("%s: counted somewhere", c->name);
	} else {
		EXPECT_EQ(counts.counted, take_counter(c))
			TH_LOG("%s: not all at %ld", c->name, c->where);
		EXPECT_TRUE(replace || !counts.outside)
			TH_LOG("%s: outside", c->name);
	}
	EXPECT_TRUE(arena_is_zero(bytes_of(c) + PAGE)) {
		TH_LOG("%s: another counter moved", c->name);
		memset(arena, 0, ARENA_BYTES);
	}
	close(fd);
}

static void check_cases(struct __test_metadata *_metadata, bool replace,
			const struct formula_case *cases, size_t nr)
{
	size_t i, possible = 0;

	close(OPEN_DEVICE());
	arena = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, arena);
	/* Replacing is one call more and the same table: a part will do. */
	for (i = 0; i < nr; i += replace ? 4 : 1) {
		if (!pc_is_possible(cases[i].pc))
			continue;
		check_case(_metadata, &cases[i], replace);
		possible++;
	}
	EXPECT_TRUE(arena_is_zero(ARENA_BYTES));
	if (!possible)
		SKIP(return, "no code for this architecture");
}

FIXTURE(formula) {};

FIXTURE_VARIANT(formula) {
	bool replace;	/* the regions come by SET_REGIONS */
};

FIXTURE_VARIANT_ADD(formula, start) {
	.replace = false
};

FIXTURE_VARIANT_ADD(formula, set_regions) {
	.replace = true
};

FIXTURE_SETUP(formula)
{
}

FIXTURE_TEARDOWN(formula)
{
}

#define FORMULA_TEST(name)						\
	TEST_F(formula, name)						\
	{								\
		check_cases(_metadata, variant->replace, name##_cases,	\
			    ARRAY_SIZE(name##_cases));			\
	}

FORMULA_TEST(distance)
FORMULA_TEST(scale)
FORMULA_TEST(far)
FORMULA_TEST(size)
FORMULA_TEST(regions)
FORMULA_TEST(many)

TEST_HARNESS_MAIN
