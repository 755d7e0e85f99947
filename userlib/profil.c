// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * profil() and profil_read().
 */
#include <stdint.h>

#include "internal.h"
#include "profil.h"

struct profile libprofil_self;

/*
 * Not named profil, since <unistd.h> declares that with a first argument that
 * is never NULL, and the compiler would drop the test.
 */
static int profil_call(unsigned short *buf, size_t bufsiz, size_t offset,
		       unsigned int scale)
{
	struct profil_region region = {
		.offset = offset,
		.buf = (uintptr_t)buf,
		.bytes = bufsiz,
		.scale = scale,
		.width = sizeof(*buf),
	};
	int state = libprofil_lock();
	int ret = 0;

	if (buf && scale)
		ret = libprofil_start(&libprofil_self, &region, 1, PERIOD_NS);
	else
		libprofil_stop(&libprofil_self);
	libprofil_unlock(state);
	return ret;
}

static int read_call(struct profil_counts *counts)
{
	int state = libprofil_lock();
	int ret = libprofil_read(&libprofil_self, counts);

	libprofil_unlock(state);
	return ret;
}

OFFER_profil(profil_call);
offer_own(read_call, profil_read);
