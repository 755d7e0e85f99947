// SPDX-License-Identifier: GPL-2.0
/*
 * Random calls of /dev/profil for a while, by threads of several processes,
 * while memory is remapped, descriptors are closed, duplicated and passed on,
 * and processes fork, exec and are killed.  No call may give an undocumented
 * error or change its structure when it fails, no count may be lost, no byte
 * beside a buffer may change, and nothing may be left afterwards.
 *
 *	fuzz [-s SEED] [-t SECONDS]	or FUZZ_SEED and FUZZ_SECONDS
 *
 * What operation n of a thread is depends on the seed, the process, how often
 * that was killed before, the thread and n, and on nothing else.  How the
 * threads meet is up to the machine.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <linux/capability.h>

#include "profil_test.h"

#define HUGE_PAGES	"/proc/sys/vm/nr_hugepages"
#define NAME		"profil-fuzz"
#define ORDINARY_USER	61238
#define PROCESSES	3
#define THREADS		3
#define FILES		20	/* more than a process may have sessions */
#define HOLDS		4
#define IDS		8
#define ENTRIES		8192	/* of a thread's array of regions */
#define INNER		4	/* pages of an arena that come and go */
#define CANARY		64
#define MEGA		(1 << 20)
#define KERNEL		0xffff888000000000ULL

static size_t page;
static uint64_t seed;
static unsigned int seconds = 20;
static struct profil_info info;

enum cmd { INFO, START, SET_REGIONS, READ, STOP, CMDS };

static const unsigned long requests[CMDS] = {
	PROFIL_IOC_INFO, PROFIL_IOC_START, PROFIL_IOC_SET_REGIONS,
	PROFIL_IOC_READ, PROFIL_IOC_STOP,
};

static const size_t sizes[CMDS] = {
	sizeof(struct profil_info), sizeof(struct profil_start),
	sizeof(struct profil_set_regions), sizeof(struct profil_counts),
	sizeof(struct profil_counts),
};

#define COMMON_ERRORS	ENOTTY, EFAULT, EINVAL, E2BIG
#define REGION_ERRORS	EOPNOTSUPP, ENOMEM

/* What the specification has, and nothing else. */
static const int errors[CMDS][20] = {
	[INFO] = { COMMON_ERRORS },
	[START] = { COMMON_ERRORS, REGION_ERRORS, EBUSY, ERANGE, EMFILE, EUSERS,
		    ESRCH, EPERM },
	[SET_REGIONS] = { COMMON_ERRORS, REGION_ERRORS, ESRCH, EPERM },
	[READ] = { COMMON_ERRORS, ESRCH },
	[STOP] = { COMMON_ERRORS, ESRCH },
};

enum wrong {
	FINE,
	WRONG_ERROR,
	WRONG_SUM,
	WRONG_CHANGE,	/* of the structure by a call that failed */
	WRONG_CANARY,
	WRONG_CHARGE,
	WRONG_END,	/* a process did not end as it should */
};

struct worker {
	int process, generation, thread;
	bool child;
	uint64_t n;		/* the operation */
	uint64_t random;
	char *desk;		/* where structures lie: rw, none, rw, ro, none */
	struct profil_region *regions;
};

/* Of all processes. */
static struct shared {
	atomic_bool over;
	atomic_int closed;	/* processes that have nothing open any more */
	atomic_ulong calls[CMDS], good[CMDS], others, operations;
	atomic_ulong reads_running;
	atomic_ullong most_ticks;
	atomic_ullong ids[IDS];
	atomic_int pids[PROCESSES];
	/* The first thing that went wrong, and how many did. */
	atomic_ulong wrongs;
	enum wrong wrong;
	struct worker who;
	int detail[2];
} *shared;

/* Of one process. */

struct arena {
	char *start;		/* its first byte that may be counted in, */
	char *end;		/* and the one behind the last */
	char *inner;		/* INNER pages that may be anything */
	int memfd;		/* what is mapped there in the beginning, or -1 */
};

#define ARENAS		6
static struct arena arenas[ARENAS];
static unsigned int nr_arenas;
static char *large;		/* MEGA bytes without canaries */
static char *scratch;		/* everybody writes there, also meanwhile */
static atomic_int files[FILES];
static _Atomic(void *) holds[HOLDS];
static int sockets[2], zero;

static void note(struct worker *worker, enum wrong wrong, int a, int b)
{
	if (!atomic_fetch_add(&shared->wrongs, 1)) {
		shared->who = *worker;
		shared->wrong = wrong;
		shared->detail[0] = a;
		shared->detail[1] = b;
	}
}

/* Random numbers */

/* The finalizer of splitmix64. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

static void new_operation(struct worker *worker)
{
	uint64_t random = mix(seed + 1);

	random = mix(random + worker->process);
	random = mix(random + worker->generation);
	random = mix(random + worker->thread);
	worker->random = mix(random + worker->n++);
}

static uint64_t draw64(struct worker *worker)
{
	worker->random += 0x9e3779b97f4a7c15ULL;
	return mix(worker->random);
}

/* Uniform on [0, below). */
static uint32_t draw(struct worker *worker, uint32_t below)
{
	return (draw64(worker) >> 32) * below >> 32;
}

static bool chance(struct worker *worker, uint32_t one_in)
{
	return !draw(worker, one_in);
}

/* Small and large ones, and those next to a power of two. */
static uint64_t odd_number(struct worker *worker)
{
	uint64_t power = 1ULL << draw(worker, 64);

	switch (draw(worker, 4)) {
	case 0:
		return draw64(worker);
	case 1:
		return draw(worker, 100);
	default:
		return power + draw(worker, 3) - 1;
	}
}

static uint64_t odd_address(struct worker *worker)
{
	const uint64_t addresses[] = {
		0, 4, KERNEL, KERNEL + 2, 1ULL << 63, 1ULL << 47,
		(1ULL << 47) - page, UINT64_MAX - 3, UINT64_MAX, 1ULL << 32,
		(uintptr_t)large - page, (uintptr_t)requests,
		(uintptr_t)odd_address & -4,
	};
	uint32_t i = draw(worker, ARRAY_SIZE(addresses) + 1);

	return i < ARRAY_SIZE(addresses) ? addresses[i] : draw64(worker);
}

/* Buffers: memory, and the parts of it that nothing may ever write to */

static struct arena *any_arena(struct worker *worker)
{
	return &arenas[draw(worker, nr_arenas)];
}

static void fill_canaries(struct arena *arena)
{
	memset(arena->start - CANARY, 0xa5, CANARY);
	memset(arena->end, 0xa5, CANARY);
}

static bool is_filled(const char *memory)
{
	int i;

	for (i = 0; i < CANARY; i++)
		if ((unsigned char)memory[i] != 0xa5)
			return false;
	return true;
}

static void check_canaries(struct worker *worker)
{
	unsigned int i;

	for (i = 0; i < nr_arenas; i++)
		if (!is_filled(arenas[i].start - CANARY) ||
		    !is_filled(arenas[i].end))
			note(worker, WRONG_CANARY, i, 0);
}

/*
 * Pages: one that is read-only, one that begins with a canary, INNER of them,
 * one that ends with a canary, one that is read-only.
 */
static bool add_arena(char *at, int memfd, int flags)
{
	struct arena *arena = &arenas[nr_arenas++];

	*arena = (struct arena){
		.start = at + page + CANARY,
		.end = at + (INNER + 3) * page - CANARY,
		.inner = at + 2 * page,
		.memfd = memfd,
	};
	if (flags && mmap(arena->inner, INNER * page, PROT_READ | PROT_WRITE,
			  flags | MAP_FIXED, memfd, 0) == MAP_FAILED)
		return false;
	fill_canaries(arena);
	return !mprotect(at, page, PROT_READ) &&
	       !mprotect(at + (INNER + 3) * page, page, PROT_READ);
}

static char *map_memory(size_t bytes, int flags)
{
	char *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			 flags | MAP_ANONYMOUS, -1, 0);

	return map == MAP_FAILED ? NULL : map;
}

static bool add_small_arena(int memfd, int flags)
{
	char *map = map_memory((INNER + 4) * page, MAP_PRIVATE);

	return map && add_arena(map, memfd, flags);
}

/* Amid what was one huge page, if there are any. */
static bool add_arena_in_huge_page(void)
{
	char *map = map_memory(4 * MEGA, MAP_PRIVATE), *huge;

	if (!map)
		return false;
	huge = (char *)(((uintptr_t)map + 2 * MEGA - 1) & -(2 * MEGA));
	madvise(huge, 2 * MEGA, MADV_HUGEPAGE);
	memset(huge, 0, page);
	return add_arena(huge + MEGA, -1, 0);
}

/* Nothing of it can be changed in units of a page. */
static void add_arena_of_hugetlb(void)
{
	char *map = mmap(NULL, 6 * MEGA, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *huge;
	struct arena *arena = &arenas[nr_arenas];

	if (map == MAP_FAILED)
		return;
	huge = (char *)(((uintptr_t)map + 2 * MEGA) & -(2 * MEGA));
	if (mmap(huge, 2 * MEGA, PROT_READ | PROT_WRITE, MAP_PRIVATE |
		 MAP_ANONYMOUS | MAP_HUGETLB | MAP_FIXED, -1, 0) == MAP_FAILED)
		return;
	*arena = (struct arena){
		.start = huge + CANARY,
		.end = huge + 2 * MEGA - CANARY,
		.inner = huge + MEGA,
		.memfd = -1,
	};
	fill_canaries(arena);
	nr_arenas++;
}

static bool make_memory(void)
{
	int memfd = memfd_create("counters", MFD_CLOEXEC);

	large = map_memory(MEGA + page, MAP_PRIVATE);
	scratch = map_memory(page, MAP_PRIVATE);
	if (memfd < 0 || ftruncate(memfd, INNER * page) || !large || !scratch)
		return false;
	/* So that a buffer cannot begin below. */
	if (mprotect(large, page, PROT_NONE))
		return false;
	large += page;
	if (!add_small_arena(-1, 0) || !add_small_arena(-1, 0) ||
	    !add_small_arena(-1, MAP_SHARED | MAP_ANONYMOUS) ||
	    !add_small_arena(memfd, MAP_SHARED) || !add_arena_in_huge_page())
		return false;
	add_arena_of_hugetlb();
	return true;
}

/* Regions */

/* Where this program uses its CPU time. */
static __attribute__((noinline)) void spin(unsigned int rounds)
{
	volatile unsigned int i;

	for (i = 0; i < rounds; i++)
		;
}

static void any_buffer(struct worker *worker, struct profil_region *region)
{
	struct arena *arena = any_arena(worker);
	uint32_t size = arena->end - arena->start, from = 0, bytes = size;

	switch (draw(worker, 16)) {
	case 0:		/* into the read-only page behind or before */
		from = chance(worker, 2) ? 0 : -CANARY - 4;
		bytes = size + CANARY + 8;
		break;
	case 1:
	case 2:		/* one counter at either end */
		from = chance(worker, 2) ? 0 : size - region->width;
		bytes = region->width;
		break;
	case 3:
	case 4:		/* the page at either end, which is always there */
		from = chance(worker, 2) ? 0 : size + CANARY - page;
		bytes = page - CANARY;
		break;
	case 5:		/* to the end */
		from = draw(worker, size / 4) * 4;
		bytes = size - from;
		break;
	case 6:
		region->buf = (uintptr_t)large;
		region->bytes = draw(worker, MEGA + 1);
		return;
	case 7:
	case 8:
	case 9:
		region->buf = (uintptr_t)large + 4 * draw(worker, MEGA / 8);
		region->bytes = draw(worker, 4 * page);
		return;
	default:
		from = draw(worker, size / 4) * 4;
		bytes = draw(worker, size - from);
		break;
	}
	region->buf = (uintptr_t)arena->start + (int32_t)from;
	region->bytes = bytes;
}

/* So that the counter of spin() is one of the last, or just none any more. */
static void aim_at_end(struct worker *worker, struct profil_region *region)
{
	uint64_t counters = region->bytes / region->width;

	region->scale = 65536;
	region->offset = (uintptr_t)spin - 2 * counters + draw(worker, 64);
}

static void good_region(struct worker *worker, struct profil_region *region)
{
	region->width = chance(worker, 2) ? 2 : 4;
	any_buffer(worker, region);
	switch (draw(worker, 4)) {
	case 0:
		region->offset = 0;
		region->scale = draw(worker, 3);
		break;
	case 1:
		aim_at_end(worker, region);
		break;
	case 2:
		region->offset = (uintptr_t)spin;
		region->scale = odd_number(worker);
		break;
	default:
		region->offset = odd_number(worker);
		region->scale = odd_number(worker);
		break;
	}
}

/* Sorts, and makes equal offsets differ. */
static void put_in_order(struct profil_region *regions, unsigned int nr)
{
	struct profil_region region;
	unsigned int i, j;

	for (i = 1; i < nr; i++) {
		region = regions[i];
		for (j = i; j && regions[j - 1].offset > region.offset; j--)
			regions[j] = regions[j - 1];
		regions[j] = region;
	}
	for (i = 1; i < nr; i++)
		if (regions[i].offset <= regions[i - 1].offset)
			regions[i].offset = regions[i - 1].offset + 1;
}

/* What ends in the canary behind an arena shall end in the page behind that. */
static void keep_off_canaries(struct profil_region *region)
{
	unsigned int i;

	for (i = 0; i < nr_arenas; i++)
		if (region->buf + region->bytes - (uintptr_t)arenas[i].end <=
		    CANARY && region->bytes)
			region->bytes += CANARY;
}

static void spoil(struct worker *worker, struct profil_region *region)
{
	switch (draw(worker, 6)) {
	case 0:
		region->width = odd_number(worker);
		break;
	case 1:
		region->buf |= 1;
		break;
	case 2:
		region->buf = odd_address(worker) & -4;
		break;
	case 3:
		region->bytes = odd_number(worker);
		break;
	case 4:
		region->offset = odd_number(worker);
		break;
	default:
		region->scale = draw64(worker);
		break;
	}
	keep_off_canaries(region);
}

/* A few of them are interesting; the rest of a long array is cheap. */
static unsigned int few_regions(struct worker *worker)
{
	struct profil_region *regions = worker->regions;
	unsigned int i, nr = chance(worker, 2) ? 1 : 1 + draw(worker, 12);

	for (i = 0; i < nr; i++)
		good_region(worker, &regions[i]);
	if (!chance(worker, 8))
		put_in_order(regions, nr);
	if (chance(worker, 6))
		spoil(worker, &regions[draw(worker, nr)]);
	return nr;
}

static unsigned int many_regions(struct worker *worker)
{
	const unsigned int counts[] = { 0, 100, info.max_regions,
					info.max_regions + 1, 65536, 65537,
					UINT_MAX, odd_number(worker) };
	unsigned int i, nr = counts[draw(worker, ARRAY_SIZE(counts))];
	struct profil_region first;

	good_region(worker, &first);
	if (first.bytes > page)
		first.bytes = draw(worker, 64);
	for (i = 0; i < nr && i < ENTRIES; i++) {
		worker->regions[i] = first;
		worker->regions[i].offset = (uint64_t)i << draw(worker, 2);
	}
	return nr;
}

static unsigned int make_regions(struct worker *worker, __u64 *address)
{
	unsigned int nr = chance(worker, 24) ? many_regions(worker) :
					       few_regions(worker);

	*address = chance(worker, 24) ? odd_address(worker) :
					(uintptr_t)worker->regions;
	return nr;
}

/* Structures */

union arg {
	uint32_t size;
	struct profil_info info;
	struct profil_start start;
	struct profil_set_regions set_regions;
	struct profil_counts counts;
	char bytes[4096];
};

static uint32_t any_size(struct worker *worker, enum cmd cmd)
{
	const uint32_t odd[] = { 0, 4, sizes[cmd] - 1, sizes[cmd] + 1,
				 sizes[cmd] + 8, 4096, 4097, UINT_MAX,
				 draw64(worker) };

	return chance(worker, 10) ? odd[draw(worker, ARRAY_SIZE(odd))] :
				    sizes[cmd];
}

static int any_pid(struct worker *worker)
{
	switch (draw(worker, 12)) {
	case 0:
		return getpid();
	case 1:
	case 2:
		return shared->pids[draw(worker, PROCESSES)];
	case 3:
		return draw(worker, 4) - 1;
	case 4:
		return odd_number(worker);
	default:
		return 0;
	}
}

static uint64_t any_id(struct worker *worker)
{
	switch (draw(worker, 8)) {
	case 0:
		return odd_number(worker);
	case 1:
	case 2:
	case 3:
		return shared->ids[draw(worker, IDS)];
	default:
		return 0;
	}
}

static void fill_start(struct worker *worker, struct profil_start *arg)
{
	arg->nr_regions = make_regions(worker, &arg->regions);
	arg->flags = chance(worker, 3);
	if (chance(worker, 2))
		arg->period_ns = info.tick_ns + draw(worker, 20000000);
	arg->pid = any_pid(worker);
	if (chance(worker, 24))
		arg->flags = draw64(worker);
	if (chance(worker, 24))
		arg->period_ns = odd_number(worker);
	if (chance(worker, 24))
		arg->reserved = odd_number(worker);
}

static void fill_arg(struct worker *worker, enum cmd cmd, union arg *arg)
{
	memset(arg, 0, sizeof(*arg));
	switch (cmd) {
	case START:
		fill_start(worker, &arg->start);
		break;
	case SET_REGIONS:
		arg->set_regions.nr_regions =
			make_regions(worker, &arg->set_regions.regions);
		arg->set_regions.session = any_id(worker);
		break;
	case READ:
	case STOP:
		arg->counts.session = any_id(worker);
		if (chance(worker, 24))
			arg->counts.flags = odd_number(worker);
		break;
	default:
		break;
	}
	arg->size = any_size(worker, cmd);
	if (arg->size > sizes[cmd] && chance(worker, 2))
		arg->bytes[sizes[cmd] + draw(worker, 8)] = 1;
}

static void *on_read_only_page(struct worker *worker, const void *arg,
			       size_t bytes)
{
	char *ro = worker->desk + 3 * page;

	mprotect(ro, page, PROT_READ | PROT_WRITE);
	memcpy(ro, arg, bytes);
	mprotect(ro, page, PROT_READ);
	return ro;
}

/* Sets @whole if it is where nobody else writes, and all of it is there. */
static void *place(struct worker *worker, const union arg *arg, enum cmd cmd,
		   bool *whole)
{
	size_t bytes = arg->size > sizes[cmd] ? sizeof(*arg) : sizes[cmd];
	char *at = worker->desk, *end = at + page;
	size_t part = 4 * draw(worker, sizes[cmd] / 4);

	*whole = false;
	switch (draw(worker, 40)) {
	case 0:
		return (void *)odd_address(worker);
	case 1:		/* into a hole */
		return memcpy(end - part, arg, part);
	case 2:		/* into a page that cannot be written */
		end = worker->desk + 3 * page;
		return memcpy(end - part, arg, part);
	case 3:
		return on_read_only_page(worker, arg, bytes);
	case 4:
		return memcpy(scratch, arg, bytes);
	case 5:
		at = end - bytes;
		break;
	default:
		at += draw(worker, page - bytes + 1);
		break;
	}
	*whole = true;
	return memcpy(at, arg, bytes);
}

/* Calls */

static void check_error(struct worker *worker, enum cmd cmd, int error)
{
	const int *documented = errors[cmd];

	for (; *documented; documented++)
		if (error == *documented)
			return;
	note(worker, WRONG_ERROR, cmd, error);
}

static void check_counts(struct worker *worker,
			 const struct profil_counts *counts)
{
	if (counts->ticks != counts->counted + counts->outside +
			     counts->saturated + counts->skipped ||
	    counts->kernel > counts->ticks || counts->reserved ||
	    counts->state & ~PROFIL_RUNNING ||
	    (!counts->state && counts->pages))
		note(worker, WRONG_SUM, counts->state, 0);
	if (counts->state)
		shared->reads_running++;
	if (counts->ticks > shared->most_ticks)
		shared->most_ticks = counts->ticks;
}

static void check_call(struct worker *worker, enum cmd cmd, int ret,
		       const union arg *before, const void *after)
{
	struct profil_counts counts;
	struct profil_start started;

	if (ret) {
		if (memcmp(before, after, sizes[cmd]))
			note(worker, WRONG_CHANGE, cmd, ret);
	} else if (cmd == READ || cmd == STOP) {
		memcpy(&counts, after, sizeof(counts));
		check_counts(worker, &counts);
	} else if (cmd == START) {
		memcpy(&started, after, sizeof(started));
		shared->ids[draw(worker, IDS)] = started.session;
	}
}

static int any_file(struct worker *worker)
{
	return files[draw(worker, FILES)];
}

static void one_call(struct worker *worker, enum cmd cmd)
{
	static __thread union arg arg;
	int fd = any_file(worker), ret;
	bool whole;
	void *at;

	fill_arg(worker, cmd, &arg);
	at = place(worker, &arg, cmd, &whole);
	ret = call(fd, requests[cmd], at);
	shared->calls[cmd]++;
	if (!ret)
		shared->good[cmd]++;
	/* Another thread may have closed it by now. */
	else if (ret != -EBADF)
		check_error(worker, cmd, -ret);
	if (whole)
		check_call(worker, cmd, ret, &arg, at);
}

static void any_call(struct worker *worker)
{
	const enum cmd cmds[] = { START, START, START, START, SET_REGIONS,
				  SET_REGIONS, SET_REGIONS, READ, READ, READ,
				  STOP, INFO };

	one_call(worker, cmds[draw(worker, ARRAY_SIZE(cmds))]);
}

/* Neighbours in number, and in direction and size. */
static void unknown_call(struct worker *worker)
{
	unsigned int request = _IO(PROFIL_IOC_MAGIC, 5 + draw(worker, 251));
	int ret;

	if (chance(worker, 2))
		request = PROFIL_IOC_INFO | (1 + draw(worker, 0xffff)) << 16;
	ret = call(any_file(worker), request, (void *)odd_address(worker));
	if (ret != -EBADF && ret != -ENOTTY)
		note(worker, WRONG_ERROR, CMDS, -ret);
	shared->others++;
}

/* Descriptors */

static int open_device(void)
{
	return open(DEVICE, O_RDWR | O_CLOEXEC);
}

static void put_file(struct worker *worker, int fd)
{
	int old = atomic_exchange(&files[draw(worker, FILES)], fd);

	if (old >= 0)
		close(old);
}

static void hold(struct worker *worker)
{
	void *map = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED,
			 any_file(worker), 0);

	map = atomic_exchange(&holds[draw(worker, HOLDS)],
			      map == MAP_FAILED ? NULL : map);
	if (map)
		munmap(map, page);
}

union control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(sizeof(int))];
};

/* To whichever process asks first. */
static void pass_on(struct worker *worker)
{
	union control control = { .header = {
		.cmsg_len = CMSG_LEN(sizeof(int)),
		.cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS,
	} };
	struct iovec iov = { "", 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	int fd = any_file(worker);

	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	sendmsg(sockets[0], &msg, MSG_DONTWAIT);
}

static int take_over(void)
{
	union control control;
	char byte;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	int fd = -1;

	if (recvmsg(sockets[1], &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) == 1 &&
	    CMSG_FIRSTHDR(&msg))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	return fd;
}

static void any_descriptors(struct worker *worker)
{
	switch (draw(worker, 6)) {
	case 0:
		put_file(worker, -1);
		break;
	case 1:
		put_file(worker, dup(any_file(worker)));
		break;
	case 2:
		hold(worker);
		break;
	case 3:
		pass_on(worker);
		break;
	case 4:
		put_file(worker, take_over());
		break;
	default:
		put_file(worker, open_device());
		break;
	}
}

/* Memory */

/*
 * All that threads map while others run is theirs to lose: a hole in an arena
 * may be filled by anybody, and anybody may map over it.
 */
static void map_anew(struct worker *worker, struct arena *arena, char *at,
		     size_t bytes)
{
	const int prots[] = { PROT_NONE, PROT_READ };
	uint32_t i = draw(worker, 8);
	int prot = i < ARRAY_SIZE(prots) ? prots[i] : PROT_READ | PROT_WRITE;

	switch (draw(worker, 16)) {
	case 0:
	case 1:
	case 2:
		mmap(at, bytes, prot, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED,
		     -1, 0);
		break;
	case 3:
	case 4:
	case 5:
		mmap(at, bytes, prot, MAP_SHARED | MAP_FIXED, arena->memfd,
		     at - arena->inner);
		break;
	case 6:
		mmap(at, page, prot, MAP_SHARED | MAP_FIXED, any_file(worker),
		     0);
		break;
	default:
		mmap(at, bytes, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		     -1, 0);
		break;
	}
}

/* Since 5.14 and 6.1, if the C library's headers are older. */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE	23
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE		25
#endif

static void advise(struct worker *worker, char *at, size_t bytes)
{
	const int advices[] = {
		MADV_DONTNEED, MADV_FREE, MADV_REMOVE, MADV_COLD, MADV_PAGEOUT,
		MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_MERGEABLE,
		MADV_UNMERGEABLE, MADV_WIPEONFORK, MADV_KEEPONFORK,
		MADV_DONTFORK, MADV_DOFORK, MADV_POPULATE_WRITE, MADV_COLLAPSE,
	};

	madvise(at, bytes, advices[draw(worker, ARRAY_SIZE(advices))]);
}

/* To another arena, or to nowhere; the place may be left behind or not. */
static void move(struct worker *worker, char *at, size_t bytes)
{
	struct arena *to = any_arena(worker);
	void *map;

	if (chance(worker, 2)) {
		mremap(at, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
		       to->inner);
		return;
	}
	map = mremap(at, bytes, bytes, MREMAP_MAYMOVE |
		     (chance(worker, 2) ? MREMAP_DONTUNMAP : 0));
	if (map != MAP_FAILED && map != at)
		munmap(map, bytes);
}

static void change_file(struct worker *worker, int memfd, off_t at, off_t bytes)
{
	if (chance(worker, 2))
		fallocate(memfd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			  at, bytes);
	else if (!ftruncate(memfd, at) && ftruncate(memfd, INNER * page))
		note(worker, WRONG_END, memfd, errno);
}

/* By the kernel, which does not mind if nothing is there. */
static void touch(char *at, size_t bytes)
{
	if (read(zero, at, bytes) < 0)
		sched_yield();
}

static void any_memory(struct worker *worker)
{
	struct arena *arena = any_arena(worker);
	size_t from = draw(worker, INNER);
	size_t bytes = page * (1 + draw(worker, INNER - from));
	char *at = arena->inner + page * from;

	switch (draw(worker, 16)) {
	case 0:
		munmap(at, bytes);
		break;
	case 1:
		mprotect(at, bytes, PROT_READ | !chance(worker, 4) * PROT_WRITE);
		break;
	case 2:
		move(worker, at, bytes);
		break;
	case 3:
		change_file(worker, arena->memfd, at - arena->inner, bytes);
		break;
	case 4:
		if (chance(worker, 2))
			mlock(at, bytes);
		else
			munlock(at, bytes);
		break;
	case 5:
		touch(at, bytes);
		break;
	case 6:
		advise(worker, at, bytes);
		break;
	default:
		map_anew(worker, arena, at, bytes);
		break;
	}
}

/* Processes */

static void one_operation(struct worker *worker);

static void exec_self(void)
{
	execl("/proc/self/exe", NAME, "--spin", NULL);
	_exit(0);
}

/* Some operations in a copy of the address space, then the end of that. */
static void be_child(struct worker *worker)
{
	int i, nr = draw(worker, 6), end = draw(worker, 4);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	worker->child = true;
	for (i = 0; i < nr; i++)
		one_operation(worker);
	if (end == 0)
		kill(getpid(), SIGKILL);
	if (end == 1) {
		for (i = 0; i < FILES; i++)
			fcntl(files[i], F_SETFD, 0);
		exec_self();
	}
	_exit(0);
}

static void fork_once(struct worker *worker)
{
	bool killed = chance(worker, 3);
	pid_t child = fork();

	if (!child)
		be_child(worker);
	if (child < 0)
		return;
	if (killed)
		kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* In this address space, until it has another one. */
static void vfork_once(void)
{
	pid_t child = vfork();

	if (!child)
		exec_self();
	if (child > 0)
		waitpid(child, NULL, 0);
}

static void one_operation(struct worker *worker)
{
	uint32_t what;

	new_operation(worker);
	what = draw(worker, 256);
	shared->operations++;
	if (what < 2 && !worker->child)
		fork_once(worker);
	else if (what < 3 && !worker->child)
		vfork_once();
	else if (what < 24)
		spin(draw(worker, 200000));
	else if (what < 64)
		any_memory(worker);
	else if (what < 96)
		any_descriptors(worker);
	else if (what < 112)
		unknown_call(worker);
	else if (what < 120)
		((uint32_t *)scratch)[draw(worker, 16)] = odd_number(worker);
	else
		any_call(worker);
	if (chance(worker, 16))
		check_canaries(worker);
}

static void *work(void *arg)
{
	struct worker *worker = arg;

	while (!shared->over)
		one_operation(worker);
	return NULL;
}

static bool make_worker(struct worker *worker)
{
	char *desk = map_memory(5 * page, MAP_PRIVATE);

	worker->desk = desk;
	worker->regions = calloc(ENTRIES, sizeof(*worker->regions));
	return desk && worker->regions &&
	       !mprotect(desk + page, page, PROT_NONE) &&
	       !mprotect(desk + 3 * page, page, PROT_READ) &&
	       !mprotect(desk + 4 * page, page, PROT_NONE);
}

/* Enough to succeed, little enough to fail, and the machine must live. */
static bool limit_locked(rlim_t bytes)
{
	const struct rlimit limit = { bytes, bytes };
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		return false;
	data[0].effective &= ~(1U << CAP_IPC_LOCK);
	data[0].permitted &= ~(1U << CAP_IPC_LOCK);
	return !syscall(SYS_capset, &header, data) &&
	       !setrlimit(RLIMIT_MEMLOCK, &limit);
}

/* One of the processes is an ordinary user's. */
static bool take_identity(int process)
{
	if (!limit_locked(process ? 4 * MEGA : MEGA))
		return false;
	if (process || geteuid())
		return true;
	return !setresgid(ORDINARY_USER, ORDINARY_USER, ORDINARY_USER) &&
	       !setresuid(ORDINARY_USER, ORDINARY_USER, ORDINARY_USER) &&
	       !prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static void close_all(void)
{
	int i, fd;

	for (i = 0; i < FILES; i++)
		if (files[i] >= 0)
			close(files[i]);
	for (i = 0; i < HOLDS; i++)
		if (holds[i])
			munmap(holds[i], page);
	/* An arena may have another one. */
	for (i = 0; i < (int)nr_arenas; i++)
		munmap(arenas[i].inner, INNER * page);
	while ((fd = take_over()) >= 0)
		close(fd);
}

/* Others may have had descriptors of this process's sessions. */
static void check_charge(struct worker *worker)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + 20 * NSEC;
	long long charged;

	shared->closed++;
	while (shared->closed < PROCESSES && clock_ns(CLOCK_MONOTONIC) < end)
		usleep(10000);
	munlockall();
	while ((charged = charged_kb()) && clock_ns(CLOCK_MONOTONIC) < end)
		usleep(10000);
	if (charged)
		note(worker, WRONG_CHARGE, charged, 0);
}

static void be_process(int process, int generation)
{
	struct worker workers[THREADS];
	pthread_t threads[THREADS];
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!take_identity(process) || !make_memory())
		_exit(1);
	for (i = 0; i < FILES; i++)
		files[i] = open_device();
	for (i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){ process, generation, i };
		if (!make_worker(&workers[i]))
			_exit(1);
	}
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, &workers[i]))
			_exit(1);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	check_canaries(&workers[0]);
	close_all();
	check_charge(&workers[0]);
	_exit(0);
}

/* The one that has them all */

static void begin_process(int process, int generation)
{
	pid_t child = fork();

	if (!child)
		be_process(process, generation);
	shared->pids[process] = child;
}

/* Kills one after the other, at a time that threads do not know. */
static void run_processes(struct worker *master)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + seconds * NSEC;
	int process = 0, generation, status;

	for (process = 0; process < PROCESSES; process++)
		begin_process(process, 0);
	for (generation = 1; clock_ns(CLOCK_MONOTONIC) < end; generation++) {
		new_operation(master);
		usleep(500000 + draw(master, 2000000));
		process = draw(master, PROCESSES);
		kill(shared->pids[process], SIGKILL);
		waitpid(shared->pids[process], &status, 0);
		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
			note(master, WRONG_END, process, status);
		begin_process(process, generation);
	}
}

static void end_processes(struct worker *master)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + 60 * NSEC;
	int process, status;
	pid_t done;

	shared->over = true;
	for (process = 0; process < PROCESSES; process++) {
		pid_t child = shared->pids[process];

		while (!(done = waitpid(child, &status, WNOHANG)) &&
		       clock_ns(CLOCK_MONOTONIC) < end)
			usleep(10000);
		if (done != child || status)
			note(master, WRONG_END, process, done ? status : -1);
		if (!done)
			kill(child, SIGKILL);
	}
	/* And what the killed ones have left: they are this one's now. */
	while (waitpid(-1, &status, 0) > 0)
		;
}

/* Sessions of this program in the administrator's list, or -1. */
static int listed_here(void)
{
	FILE *file = fopen(LIST, "r");
	char line[512];
	int nr = 0;

	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file))
		nr += !!strstr(line, "\t" NAME "\n");
	fclose(file);
	return nr;
}

static int module_references(void)
{
	return kernel_value("/sys/module/profil/refcnt");
}

static void say_what_was_wrong(struct __test_metadata *_metadata)
{
	static const char *const what[] = {
		[WRONG_ERROR] = "undocumented error",
		[WRONG_SUM] = "bad counts",
		[WRONG_CHANGE] = "a call that failed has changed its structure",
		[WRONG_CANARY] = "memory beside a buffer was written to",
		[WRONG_CHARGE] = "pinned memory is still charged",
		[WRONG_END] = "a process did not end well",
	};

	TH_LOG("seed %llu, process %d, generation %d, thread %d, operation %llu%s: %s (%d, %d)",
	       (unsigned long long)seed, shared->who.process,
	       shared->who.generation, shared->who.thread,
	       (unsigned long long)shared->who.n - 1,
	       shared->who.child ? " in a child" : "", what[shared->wrong],
	       shared->detail[0], shared->detail[1]);
}

FIXTURE(fuzz) {
	long long pinned;
	int references;
	int huge_pages;
};

FIXTURE_SETUP(fuzz)
{
	int fd = open_device();

	page = sysconf(_SC_PAGESIZE);
	info = info_of(fd);
	close(fd);
	zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	ASSERT_GE(zero, 0);
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0,
				sockets));
	shared = (void *)map_memory(sizeof(*shared), MAP_SHARED);
	ASSERT_NE(NULL, shared);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	self->huge_pages = kernel_value(HUGE_PAGES);
	kernel_write_value(HUGE_PAGES, self->huge_pages + PROCESSES);
	self->pinned = pinned_pages();
	self->references = module_references();
}

FIXTURE_TEARDOWN(fuzz)
{
	kernel_write_value(HUGE_PAGES, self->huge_pages);
}

/*
 * As root or as @uid: all of the allowance is there, so that nothing has to be
 * locked, and no session is counted any more.
 */
static int use_allowance(uid_t uid)
{
	struct profil_region region = { .scale = 0, .width = 4 };
	struct profil_counts counts;
	int fd = open_device();

	if (uid && (setresgid(uid, uid, uid) || setresuid(uid, uid, uid)))
		return 1;
	region.bytes = info.user_bytes;
	region.buf = (uintptr_t)map_memory(region.bytes, MAP_PRIVATE);
	if (start(fd, &region, 1, 0))
		return 2;
	if (charged_kb())
		return 3;
	burn_ns(100000000);
	if (stop(fd, &counts))
		return 4;
	return counts.counted < 2 ||
	       counts.counted != *(uint32_t *)region.buf ? 5 : 0;
}

static void expect_allowance(struct __test_metadata *_metadata, uid_t uid)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(use_allowance(uid));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, WEXITSTATUS(status))
		TH_LOG("user %u", uid);
	EXPECT_EQ(0, WTERMSIG(status));
}

static void expect_nothing_left(struct __test_metadata *_metadata,
				long long pinned, int references)
{
	long long sessions = parameter("user_sessions");

	EXPECT_EQ(pinned, pinned_pages_settle(pinned));
	EXPECT_GE(0, listed_here());
	EXPECT_EQ(references, module_references());
	/* One of them is allowed from now on: none may be left. */
	set_parameter("user_sessions", 1);
	expect_allowance(_metadata, 0);
	if (!geteuid())
		expect_allowance(_metadata, ORDINARY_USER);
	set_parameter("user_sessions", sessions);
	EXPECT_EQ(pinned, pinned_pages_settle(pinned));
}

/* The longest time is whoever's who asks for more seconds. */
TEST_F_TIMEOUT(fuzz, calls, 36000)
{
	struct worker master = { .process = PROCESSES };
	int i, fd;

	run_processes(&master);
	end_processes(&master);
	while ((fd = take_over()) >= 0)
		close(fd);
	close(sockets[0]);
	close(sockets[1]);

	EXPECT_EQ(0, shared->wrongs)
		say_what_was_wrong(_metadata);
	for (i = 0; i < CMDS; i++) {
		TH_LOG("request %d: %lu of %lu calls succeeded", i,
		       shared->good[i], shared->calls[i]);
		/* It was about something. */
		EXPECT_LT(0, shared->good[i]);
	}
	TH_LOG("%lu operations, %lu other calls, %lu reads of a session that ran, at most %llu ticks",
	       shared->operations, shared->others, shared->reads_running,
	       shared->most_ticks);
	EXPECT_LT(0, shared->reads_running);
	EXPECT_LT(0, shared->most_ticks);
	expect_nothing_left(_metadata, self->pinned, self->references);
}

static void spin_a_little(void)
{
	page = 0;
	burn_ns(20000000);
	_exit(0);
}

static uint64_t number_from(const char *name, const char *option,
			    uint64_t otherwise, int argc, char **argv)
{
	const char *value = getenv(name);
	int i;

	for (i = 1; i + 1 < argc; i++)
		if (!strcmp(argv[i], option))
			value = argv[i + 1];
	return value ? strtoull(value, NULL, 0) : otherwise;
}

/* Before main(), which is the harness's and takes no arguments. */
__attribute__((constructor)) static void take_arguments(int argc, char **argv)
{
	struct timespec now;

	prctl(PR_SET_NAME, NAME);
	if (argc > 1 && !strcmp(argv[1], "--spin"))
		spin_a_little();
	clock_gettime(CLOCK_REALTIME, &now);
	seed = number_from("FUZZ_SEED", "-s", mix(now.tv_nsec) >> 40, argc,
			   argv);
	seconds = number_from("FUZZ_SECONDS", "-t", seconds, argc, argv);
	printf("# seed %llu for %u s\n", (unsigned long long)seed, seconds);
	fflush(stdout);
}

TEST_HARNESS_MAIN
