// SPDX-License-Identifier: GPL-2.0
/*
 * Thinning: of the ticks in each period one is taken, at random.
 *
 * A period is in general no whole number of ticks, so the tick that lies
 * across the end of one period belongs in part to the next.  Deville's
 * systematic sampling (J.-C. Deville, "Une nouvelle methode de tirage a
 * probabilites inegales", INSEE, 1998; also in Y. Tille, "Sampling
 * Algorithms", Springer, 2006) gives every tick exactly the probability
 * tick / period, whatever the phase, takes exactly one tick in each period
 * and none twice.  So nobody gains or loses by running in step with the tick,
 * and over a time T on one CPU the count is T / period within one.
 *
 * With lengths as fractions of the period: in a period, a point is chosen and
 * the tick it falls into is taken.  Let the tick across the end have the part
 * a before and b after it.  If it was taken already (chance a), the point of
 * the next period is uniform on [b, 1).  Otherwise the tick is taken with
 * chance b / (1 - a), else the point is uniform on [b, 1).  Overall: the tick
 * is taken with chance a + (1 - a) * b / (1 - a) = a + b, and a later part of
 * length t with chance (a + 1 - a - b) * t / (1 - b) = t.
 */
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/prandom.h>
#include <linux/random.h>

#include "profil.h"

/* get_random_u32() may sleep in hard irq context under PREEMPT_RT. */
static DEFINE_PER_CPU(struct rnd_state, thin_random);

/* Uniform on [0, below), but for a part in 2^32 / @below. */
static u32 scale_random(u32 random, u32 below)
{
	return mul_u32_u32(random, below) >> 32;
}

static u32 random_below_irq(u32 below)
{
	return scale_random(prandom_u32_state(this_cpu_ptr(&thin_random)),
			    below);
}

void profil_thin_seed(void)
{
	prandom_seed_full_state(&thin_random);
}

void profil_thin_init(struct profil_thin *thin, u32 period)
{
	thin->pos = 0;
	thin->target = scale_random(get_random_u32(), period);
}

/* A tick that lies across the end of the period, or ends with it. */
static noinline bool thin_cross(struct profil_thin *thin, u32 period,
				bool taken)
{
	u32 pos = thin->pos;
	u32 after = TICK_NSEC - (period - pos);

	thin->pos = after;
	if (!taken && random_below_irq(pos) < after) {
		thin->target = 0;	/* has gone by: no other in this period */
		return true;
	}
	thin->target = after + random_below_irq(period - after);
	return taken;
}

/*
 * A tick has come: is it taken?  @period is at least TICK_NSEC.  Hard irq;
 * @thin is one CPU's.
 */
bool profil_thin_take(struct profil_thin *thin, u32 period)
{
	u32 pos = thin->pos, target = thin->target;
	bool taken = target >= pos && target - pos < TICK_NSEC;

	if (period - pos <= TICK_NSEC)
		return thin_cross(thin, period, taken);
	thin->pos = pos + TICK_NSEC;
	return taken;
}
