#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes formula_table.h: which counter a pc belongs to, as uapi/linux/profil.h
words it, in exact fractions of unlimited size.

A case is a pc and groups of regions.  All buffers lie in one arena, at the
places the case says, and one position in it, or none, is what counts."""

from fractions import Fraction
from math import floor

NOWHERE = -1
LOW = 0x20000000        # where code is put if its place does not matter
HIGH = 0x7E0000000000
MIB = 1 << 20


def group(offset, bytes, scale, width, buf=64, nr=1, step=0, buf_step=0):
    """@nr regions, @step apart, whose buffers are @buf_step apart."""
    return (offset, step, nr, buf, buf_step, bytes, scale, width)


def regions_of(groups):
    for offset, step, nr, buf, buf_step, bytes, scale, width in groups:
        for i in range(nr):
            yield (offset + i * step, buf + i * buf_step, bytes, scale, width)


def position(pc, groups):
    """The arena offset of the counter of @pc."""
    below = [r for r in regions_of(groups) if r[0] <= pc]
    if not below:
        return NOWHERE
    offset, buf, bytes, scale, width = max(below)
    halves = floor(Fraction(pc - offset, 2))
    index = floor(halves * Fraction(scale, 65536))
    end = (index + 1) * width
    return buf + index * width if end <= bytes else NOWHERE


cases = []


def case(kind, name, pc, *groups):
    offsets = [r[0] for r in regions_of(groups)]
    assert offsets == sorted(set(offsets)) and offsets[0] >= 0, name
    cases.append((kind, name, pc, groups, position(pc, groups)))


def both_widths(kind, name, pc, offset, counters, scale, buf=64):
    for width in 2, 4:
        case(kind, "%s, width %d" % (name, width), pc,
             group(offset, counters * width, scale, width, buf))


# How far the pc is from the offset, and whether either is odd.
for pc in LOW, LOW + 1:
    for distance in 0, 1, 2, 3, 4, 5, 62, 63, 64, 65, 127:
        both_widths("DISTANCE", "pc %#x, distance %d" % (pc, distance),
                    pc, pc - distance, 64, 65536)
    for above in 1, 2, 3:
        both_widths("DISTANCE", "pc %#x, offset %d above" % (pc, above),
                    pc, pc + above, 64, 65536)
both_widths("DISTANCE", "offset far above", LOW, HIGH, 64, 65536)
both_widths("DISTANCE", "offset highest", LOW, 2**64 - 1, 64, 65536)

# Scales: more and fewer bytes per counter, fractions rounded down.
for scale in (1, 2, 3, 0x4000, 0x5555, 0x8000, 0xC000, 0xFFFF, 0x10000,
              0x10001, 0x18000, 0x20000, 0x30000, 0x1000000):
    for distance in 7, 1000, 65538:
        index = floor(floor(Fraction(distance, 2)) * Fraction(scale, 65536))
        if index > 1 << 18:
            continue
        for counters in index, index + 1:
            width = 2 + 2 * (distance // 7 % 2)
            case("SCALE", "scale %#x, distance %d, %d counters" %
                 (scale, distance, counters), LOW + 1,
                 group(LOW + 1 - distance, counters * width, scale, width))
for distance in 0, 1, 2, 1000, LOW:
    both_widths("SCALE", "scale 0, distance %d" % distance, LOW,
                LOW - distance, 1, 0)
case("SCALE", "scale 0, no whole counter", LOW, group(LOW - 8, 3, 0, 4))
case("SCALE", "scale 0, offset above", LOW, group(LOW + 1, 64, 0, 4))
case("SCALE", "scale 0, offset 0, far pc", HIGH, group(0, 4, 0, 4))
for distance in 0, 1, 2, 3:
    both_widths("SCALE", "largest scale, distance %d" % distance, LOW,
                LOW - distance, 65536, 2**32 - 1)
for distance in 4, 5, 20:
    both_widths("SCALE", "largest scale, distance %d" % distance, LOW,
                LOW - distance, 131072 * (distance // 4), 2**32 - 1)

# Distances whose product with the scale needs all of 64 bits and more.
for pc in HIGH, HIGH + 0xFFF:
    for near in 1, 2**32 - 1, 2**32, 2**36 + 7, 2**38 - 1, 2**38:
        for scale in 1, 3:
            case("FAR", "pc %#x, distance %#x, scale %d" % (pc, near, scale),
                 pc, group(pc - near, 8 * MIB, scale, 4))
    for scale in 1, 0x10000, 0x4000000, 0x7FFFFFFF, 2**31, 2**32 - 1:
        case("FAR", "pc %#x, offset 0, scale %#x" % (pc, scale), pc,
             group(0, 4096, scale, 4))
# ... and would come back to a counter that exists if it lost the upper ones.
for scale in 2**31, 2**30, 2**32 - 2**20:
    for distance in 2**34, 2**46:
        both_widths("FAR", "distance %#x, scale %#x" % (distance, scale),
                    HIGH, HIGH - distance, 1024, scale)
# ... and regions that would go on behind the last address, from 0.
for offset in 2**64 - 1, 2**64 - 2, 2**64 - MIB:
    for scale in 0, 1, 3:
        both_widths("FAR", "offset %#x, scale %d" % (offset, scale), LOW,
                    offset, MIB, scale)
for distance in LOW, LOW + 1:
    for scale in 1, 2, 3, 5:
        case("FAR", "offset %d, scale %d" % (LOW + 1 - distance, scale),
             LOW + 1, group(LOW + 1 - distance, 2 * MIB, scale, 2))

# Sizes in bytes, where a part of a counter does not count.
for width in 2, 4:
    for bytes in range(0, 10):
        for index in 0, 1:
            case("SIZE", "%d bytes of width %d, counter %d" %
                 (bytes, width, index), LOW,
                 group(LOW - 2 * index, bytes, 65536, width))
    for bytes in 4095, 4096, 4098, 4100:
        for index in 4096 // width - 1, 4096 // width:
            case("SIZE", "%d bytes of width %d, counter %d" %
                 (bytes, width, index), LOW + 1,
                 group(LOW + 1 - 2 * index, bytes, 65536, width, 4096))
    # Across pages of the buffer, which begins within one.
    for buf in 4096 - width, 4096, 4096 + width, 8192 - 2 * width:
        for index in 0, 1, 2, 2048, 4095:
            case("SIZE", "buffer at %d, width %d, counter %d" %
                 (buf, width, index), LOW,
                 group(LOW - 2 * index, 4096 * width, 65536, width, buf))
    for index in 999999, 2 * MIB - 1025, 2 * MIB - 1024, 4 * MIB - 2049:
        case("SIZE", "8 MiB of width %d, counter %d" % (width, index), HIGH,
             group(HIGH - 2 * index, 8 * MIB - 4096, 65536, width, 2048))

# Regions: only the one that begins next below the pc is asked.
for pc in LOW, LOW + 1:
    for first, second, name in ((pc - 32, pc + 1, "second begins above"),
                                (pc - 32, pc, "second begins at the pc"),
                                (pc - 32, pc - 1, "second begins below"),
                                (pc - 33, pc - 31, "both below"),
                                (pc + 1, pc + 2, "both above")):
        for width in 2, 4:
            case("REGIONS", "pc %#x, %s, width %d" % (pc, name, width), pc,
                 group(first, 256, 65536, width, 64),
                 group(second, 256, 65536, width, 1024))
    case("REGIONS", "second has ended before the pc", pc,
         group(pc - 32, 256, 65536, 4, 64),
         group(pc - 16, 32, 65536, 4, 1024))
    case("REGIONS", "second reaches the pc with its last counter", pc,
         group(pc - 32, 256, 65536, 4, 64),
         group(pc - 16, 36, 65536, 4, 1024))
    case("REGIONS", "second has no counter", pc,
         group(pc - 32, 256, 65536, 4, 64), group(pc - 16, 0, 65536, 4, 1024))
    case("REGIONS", "second is too small for a counter", pc,
         group(pc - 32, 256, 65536, 4, 64), group(pc, 3, 65536, 4, 1024))
    case("REGIONS", "first has no counter", pc,
         group(pc - 32, 0, 65536, 4, 64), group(pc - 16, 256, 65536, 4, 1024))
    case("REGIONS", "gap between first and second", pc,
         group(pc - 32, 64, 65536, 4, 64), group(pc + 32, 64, 65536, 4, 256))
    case("REGIONS", "in the gap", pc,
         group(pc - 64, 64, 65536, 4, 64), group(pc + 32, 64, 65536, 4, 256))
    case("REGIONS", "same buffer for two regions", pc,
         group(pc - 64, 128, 65536, 4, 64), group(pc - 4, 128, 65536, 4, 64))
    case("REGIONS", "widths and scales differ", pc,
         group(pc - 640, 64, 0x1000, 2, 64), group(pc - 64, 64, 0x8000, 4, 256),
         group(pc - 9, 64, 0x20000, 2, 512), group(pc + 1, 64, 0x10000, 4, 768))
    case("REGIONS", "scale 0 before a region", pc,
         group(0, 4, 0, 4, 64), group(pc - 16, 64, 65536, 4, 256))
    case("REGIONS", "scale 0 behind a region", pc,
         group(pc - 32, 64, 65536, 4, 256), group(pc, 4, 0, 4, 64))
    for nr in 2, 3, 5, 8, 33, 4096:
        for at in sorted({0, 1, nr // 2, nr - 1}):
            for into in 0, 15:
                case("MANY", "%d regions, pc %d into number %d" %
                     (nr, into, at), pc,
                     group(pc - into - 16 * at, 32, 65536, 4, 64, nr, 16, 32))
        case("MANY", "%d regions, pc before the first" % nr, pc,
             group(pc + 1, 32, 65536, 4, 64, nr, 16, 32))
        case("MANY", "%d regions, pc after the last" % nr, pc,
             group(pc - 16 * nr, 32, 65536, 4, 64, nr, 16, 32))
    for nr in 3, 4096:
        case("MANY", "%d regions with gaps, pc in one" % nr, pc,
             group(pc - 12 - 16 * (nr - 2), 16, 65536, 4, 64, nr, 16, 32))
        case("MANY", "%d regions with gaps, pc before one" % nr, pc,
             group(pc - 7 - 16 * (nr - 2), 16, 65536, 4, 64, nr, 16, 32))


def write():
    print("/* SPDX-License-Identifier: GPL-2.0 */")
    print("/* Written by formula_table.py; do not edit. */")
    for kind in sorted({c[0] for c in cases}):
        print("\nstatic const struct formula_case %s_cases[] = {" %
              kind.lower())
        for _, name, pc, groups, where in (c for c in cases if c[0] == kind):
            print('\t{\n\t\t"%s",\n\t\t%#x, %d, %d, {' %
                  (name, pc, where, len(groups)))
            for numbers in groups:
                print("\t\t\t{ %s }," % ", ".join(
                    "%#x" % n if n > 0xFFFFFFF else str(n) for n in numbers))
            print("\t\t}\n\t},")
        print("};")


write()
