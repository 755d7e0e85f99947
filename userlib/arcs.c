// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Who called whom how often: a hash table that never grows and has no lock.
 *
 * mcount comes here at the entry of every function of a -pg program, with that
 * function's arguments still in registers.  So this file is compiled without
 * floating-point and vector registers and without -pg, and calls nothing.
 */
#include "gmon.h"

struct gmon_state *libprofil_arcs_state;

/*
 * Both addresses as offsets into the code, which is less than 4 GiB: the caller
 * above, plus one so that no key is 0, the callee below.
 */
static uint64_t arc_key(const struct gmon_state *state, uintptr_t from,
			uintptr_t self)
{
	return (uint64_t)(from - state->low + 1) << 32 | (self - state->low);
}

uint64_t libprofil_arc_from(const struct gmon_state *state, uint64_t key)
{
	return state->low + (key >> 32) - 1;
}

uint64_t libprofil_arc_self(const struct gmon_state *state, uint64_t key)
{
	return state->low + (uint32_t)key;
}

/* Fibonacci hashing: Knuth, TAOCP 3, 6.4. */
static uint32_t arc_hash(uint64_t key)
{
	return (key * 0x9e3779b97f4a7c15) >> 32;
}

/* Calls from code outside, as a library's callbacks, have no caller to count. */
void libprofil_count_call(uintptr_t from, uintptr_t self)
{
	struct gmon_state *state =
		__atomic_load_n(&libprofil_arcs_state, __ATOMIC_ACQUIRE);
	uint32_t i, mask, tries;
	struct gmon_arc *arcs;
	uint64_t key;

	if (!state || from < state->low || from >= state->high ||
	    self < state->low || self >= state->high)
		return;

	arcs = gmon_arcs(state);
	mask = state->nr_arcs - 1;
	key = arc_key(state, from, self);
	i = arc_hash(key) & mask;
	for (tries = 0; tries < 64; tries++, i = (i + 1) & mask) {
		uint64_t found = __atomic_load_n(&arcs[i].key, __ATOMIC_RELAXED);

		/* Whoever is first takes a free entry; @found says who was. */
		if (found == key ||
		    (!found &&
		     (__atomic_compare_exchange_n(&arcs[i].key, &found, key, 0,
						  __ATOMIC_RELAXED,
						  __ATOMIC_RELAXED) ||
		      found == key))) {
			__atomic_fetch_add(&arcs[i].count, 1, __ATOMIC_RELAXED);
			return;
		}
	}
	__atomic_fetch_add(&state->arcs_lost, 1, __ATOMIC_RELAXED);
}
