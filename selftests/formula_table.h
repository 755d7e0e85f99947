/* SPDX-License-Identifier: GPL-2.0 */
/* Written by formula_table.py; do not edit. */

static const struct formula_case distance_cases[] = {
	{
		"pc 0x20000000, distance 0, width 2",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, distance 0, width 4",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000000, distance 1, width 2",
		0x20000000, 64, 1, {
			{ 0x1fffffff, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, distance 1, width 4",
		0x20000000, 64, 1, {
			{ 0x1fffffff, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000000, distance 2, width 2",
		0x20000000, 66, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, distance 2, width 4",
		0x20000000, 68, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000000, distance 3, width 2",
		0x20000000, 66, 1, {
			{ 0x1ffffffd, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, distance 3, width 4",
		0x20000000, 68, 1, {
			{ 0x1ffffffd, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000000, distance 4, width 2",
		0x20000000, 68, 1, {
			{ 0x1ffffffc, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, distance 4, width 4",
		0x20000000, 72, 1, {
			{ 0x1ffffffc, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000000, distance 5, width 2",
		0x20000000, 68, 1, {
			{ 0x1ffffffb, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, distance 5, width 4",
		0x20000000, 72, 1, {
			{ 0x1ffffffb, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000000, distance 62, width 2",
		0x20000000, 126, 1, {
			{ 0x1fffffc2, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, distance 62, width 4",
		0x20000000, 188, 1, {
			{ 0x1fffffc2, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000000, distance 63, width 2",
		0x20000000, 126, 1, {
			{ 0x1fffffc1, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, distance 63, width 4",
		0x20000000, 188, 1, {
			{ 0x1fffffc1, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000000, distance 64, width 2",
		0x20000000, 128, 1, {
			{ 0x1fffffc0, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, distance 64, width 4",
		0x20000000, 192, 1, {
			{ 0x1fffffc0, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000000, distance 65, width 2",
		0x20000000, 128, 1, {
			{ 0x1fffffbf, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, distance 65, width 4",
		0x20000000, 192, 1, {
			{ 0x1fffffbf, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000000, distance 127, width 2",
		0x20000000, 190, 1, {
			{ 0x1fffff81, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, distance 127, width 4",
		0x20000000, 316, 1, {
			{ 0x1fffff81, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000000, offset 1 above, width 2",
		0x20000000, -1, 1, {
			{ 0x20000001, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, offset 1 above, width 4",
		0x20000000, -1, 1, {
			{ 0x20000001, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000000, offset 2 above, width 2",
		0x20000000, -1, 1, {
			{ 0x20000002, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, offset 2 above, width 4",
		0x20000000, -1, 1, {
			{ 0x20000002, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000000, offset 3 above, width 2",
		0x20000000, -1, 1, {
			{ 0x20000003, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, offset 3 above, width 4",
		0x20000000, -1, 1, {
			{ 0x20000003, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, distance 0, width 2",
		0x20000001, 64, 1, {
			{ 0x20000001, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, distance 0, width 4",
		0x20000001, 64, 1, {
			{ 0x20000001, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, distance 1, width 2",
		0x20000001, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, distance 1, width 4",
		0x20000001, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, distance 2, width 2",
		0x20000001, 66, 1, {
			{ 0x1fffffff, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, distance 2, width 4",
		0x20000001, 68, 1, {
			{ 0x1fffffff, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, distance 3, width 2",
		0x20000001, 66, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, distance 3, width 4",
		0x20000001, 68, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, distance 4, width 2",
		0x20000001, 68, 1, {
			{ 0x1ffffffd, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, distance 4, width 4",
		0x20000001, 72, 1, {
			{ 0x1ffffffd, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, distance 5, width 2",
		0x20000001, 68, 1, {
			{ 0x1ffffffc, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, distance 5, width 4",
		0x20000001, 72, 1, {
			{ 0x1ffffffc, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, distance 62, width 2",
		0x20000001, 126, 1, {
			{ 0x1fffffc3, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, distance 62, width 4",
		0x20000001, 188, 1, {
			{ 0x1fffffc3, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, distance 63, width 2",
		0x20000001, 126, 1, {
			{ 0x1fffffc2, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, distance 63, width 4",
		0x20000001, 188, 1, {
			{ 0x1fffffc2, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, distance 64, width 2",
		0x20000001, 128, 1, {
			{ 0x1fffffc1, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, distance 64, width 4",
		0x20000001, 192, 1, {
			{ 0x1fffffc1, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, distance 65, width 2",
		0x20000001, 128, 1, {
			{ 0x1fffffc0, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, distance 65, width 4",
		0x20000001, 192, 1, {
			{ 0x1fffffc0, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, distance 127, width 2",
		0x20000001, 190, 1, {
			{ 0x1fffff82, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, distance 127, width 4",
		0x20000001, 316, 1, {
			{ 0x1fffff82, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, offset 1 above, width 2",
		0x20000001, -1, 1, {
			{ 0x20000002, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, offset 1 above, width 4",
		0x20000001, -1, 1, {
			{ 0x20000002, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, offset 2 above, width 2",
		0x20000001, -1, 1, {
			{ 0x20000003, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, offset 2 above, width 4",
		0x20000001, -1, 1, {
			{ 0x20000003, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, offset 3 above, width 2",
		0x20000001, -1, 1, {
			{ 0x20000004, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, offset 3 above, width 4",
		0x20000001, -1, 1, {
			{ 0x20000004, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"offset far above, width 2",
		0x20000000, -1, 1, {
			{ 0x7e0000000000, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"offset far above, width 4",
		0x20000000, -1, 1, {
			{ 0x7e0000000000, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
	{
		"offset highest, width 2",
		0x20000000, -1, 1, {
			{ 0xffffffffffffffff, 0, 1, 64, 0, 128, 65536, 2 },
		}
	},
	{
		"offset highest, width 4",
		0x20000000, -1, 1, {
			{ 0xffffffffffffffff, 0, 1, 64, 0, 256, 65536, 4 },
		}
	},
};

static const struct formula_case far_cases[] = {
	{
		"pc 0x7e0000000000, distance 0x1, scale 1",
		0x7e0000000000, 64, 1, {
			{ 0x7dffffffffff, 0, 1, 64, 0, 8388608, 1, 4 },
		}
	},
	{
		"pc 0x7e0000000000, distance 0x1, scale 3",
		0x7e0000000000, 64, 1, {
			{ 0x7dffffffffff, 0, 1, 64, 0, 8388608, 3, 4 },
		}
	},
	{
		"pc 0x7e0000000000, distance 0xffffffff, scale 1",
		0x7e0000000000, 131132, 1, {
			{ 0x7dff00000001, 0, 1, 64, 0, 8388608, 1, 4 },
		}
	},
	{
		"pc 0x7e0000000000, distance 0xffffffff, scale 3",
		0x7e0000000000, 393276, 1, {
			{ 0x7dff00000001, 0, 1, 64, 0, 8388608, 3, 4 },
		}
	},
	{
		"pc 0x7e0000000000, distance 0x100000000, scale 1",
		0x7e0000000000, 131136, 1, {
			{ 0x7dff00000000, 0, 1, 64, 0, 8388608, 1, 4 },
		}
	},
	{
		"pc 0x7e0000000000, distance 0x100000000, scale 3",
		0x7e0000000000, 393280, 1, {
			{ 0x7dff00000000, 0, 1, 64, 0, 8388608, 3, 4 },
		}
	},
	{
		"pc 0x7e0000000000, distance 0x1000000007, scale 1",
		0x7e0000000000, 2097216, 1, {
			{ 0x7deffffffff9, 0, 1, 64, 0, 8388608, 1, 4 },
		}
	},
	{
		"pc 0x7e0000000000, distance 0x1000000007, scale 3",
		0x7e0000000000, 6291520, 1, {
			{ 0x7deffffffff9, 0, 1, 64, 0, 8388608, 3, 4 },
		}
	},
	{
		"pc 0x7e0000000000, distance 0x3fffffffff, scale 1",
		0x7e0000000000, 8388668, 1, {
			{ 0x7dc000000001, 0, 1, 64, 0, 8388608, 1, 4 },
		}
	},
	{
		"pc 0x7e0000000000, distance 0x3fffffffff, scale 3",
		0x7e0000000000, -1, 1, {
			{ 0x7dc000000001, 0, 1, 64, 0, 8388608, 3, 4 },
		}
	},
	{
		"pc 0x7e0000000000, distance 0x4000000000, scale 1",
		0x7e0000000000, -1, 1, {
			{ 0x7dc000000000, 0, 1, 64, 0, 8388608, 1, 4 },
		}
	},
	{
		"pc 0x7e0000000000, distance 0x4000000000, scale 3",
		0x7e0000000000, -1, 1, {
			{ 0x7dc000000000, 0, 1, 64, 0, 8388608, 3, 4 },
		}
	},
	{
		"pc 0x7e0000000000, offset 0, scale 0x1",
		0x7e0000000000, -1, 1, {
			{ 0, 0, 1, 64, 0, 4096, 1, 4 },
		}
	},
	{
		"pc 0x7e0000000000, offset 0, scale 0x10000",
		0x7e0000000000, -1, 1, {
			{ 0, 0, 1, 64, 0, 4096, 65536, 4 },
		}
	},
	{
		"pc 0x7e0000000000, offset 0, scale 0x4000000",
		0x7e0000000000, -1, 1, {
			{ 0, 0, 1, 64, 0, 4096, 67108864, 4 },
		}
	},
	{
		"pc 0x7e0000000000, offset 0, scale 0x7fffffff",
		0x7e0000000000, -1, 1, {
			{ 0, 0, 1, 64, 0, 4096, 0x7fffffff, 4 },
		}
	},
	{
		"pc 0x7e0000000000, offset 0, scale 0x80000000",
		0x7e0000000000, -1, 1, {
			{ 0, 0, 1, 64, 0, 4096, 0x80000000, 4 },
		}
	},
	{
		"pc 0x7e0000000000, offset 0, scale 0xffffffff",
		0x7e0000000000, -1, 1, {
			{ 0, 0, 1, 64, 0, 4096, 0xffffffff, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, distance 0x1, scale 1",
		0x7e0000000fff, 64, 1, {
			{ 0x7e0000000ffe, 0, 1, 64, 0, 8388608, 1, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, distance 0x1, scale 3",
		0x7e0000000fff, 64, 1, {
			{ 0x7e0000000ffe, 0, 1, 64, 0, 8388608, 3, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, distance 0xffffffff, scale 1",
		0x7e0000000fff, 131132, 1, {
			{ 0x7dff00001000, 0, 1, 64, 0, 8388608, 1, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, distance 0xffffffff, scale 3",
		0x7e0000000fff, 393276, 1, {
			{ 0x7dff00001000, 0, 1, 64, 0, 8388608, 3, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, distance 0x100000000, scale 1",
		0x7e0000000fff, 131136, 1, {
			{ 0x7dff00000fff, 0, 1, 64, 0, 8388608, 1, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, distance 0x100000000, scale 3",
		0x7e0000000fff, 393280, 1, {
			{ 0x7dff00000fff, 0, 1, 64, 0, 8388608, 3, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, distance 0x1000000007, scale 1",
		0x7e0000000fff, 2097216, 1, {
			{ 0x7df000000ff8, 0, 1, 64, 0, 8388608, 1, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, distance 0x1000000007, scale 3",
		0x7e0000000fff, 6291520, 1, {
			{ 0x7df000000ff8, 0, 1, 64, 0, 8388608, 3, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, distance 0x3fffffffff, scale 1",
		0x7e0000000fff, 8388668, 1, {
			{ 0x7dc000001000, 0, 1, 64, 0, 8388608, 1, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, distance 0x3fffffffff, scale 3",
		0x7e0000000fff, -1, 1, {
			{ 0x7dc000001000, 0, 1, 64, 0, 8388608, 3, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, distance 0x4000000000, scale 1",
		0x7e0000000fff, -1, 1, {
			{ 0x7dc000000fff, 0, 1, 64, 0, 8388608, 1, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, distance 0x4000000000, scale 3",
		0x7e0000000fff, -1, 1, {
			{ 0x7dc000000fff, 0, 1, 64, 0, 8388608, 3, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, offset 0, scale 0x1",
		0x7e0000000fff, -1, 1, {
			{ 0, 0, 1, 64, 0, 4096, 1, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, offset 0, scale 0x10000",
		0x7e0000000fff, -1, 1, {
			{ 0, 0, 1, 64, 0, 4096, 65536, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, offset 0, scale 0x4000000",
		0x7e0000000fff, -1, 1, {
			{ 0, 0, 1, 64, 0, 4096, 67108864, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, offset 0, scale 0x7fffffff",
		0x7e0000000fff, -1, 1, {
			{ 0, 0, 1, 64, 0, 4096, 0x7fffffff, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, offset 0, scale 0x80000000",
		0x7e0000000fff, -1, 1, {
			{ 0, 0, 1, 64, 0, 4096, 0x80000000, 4 },
		}
	},
	{
		"pc 0x7e0000000fff, offset 0, scale 0xffffffff",
		0x7e0000000fff, -1, 1, {
			{ 0, 0, 1, 64, 0, 4096, 0xffffffff, 4 },
		}
	},
	{
		"distance 0x400000000, scale 0x80000000, width 2",
		0x7e0000000000, -1, 1, {
			{ 0x7dfc00000000, 0, 1, 64, 0, 2048, 0x80000000, 2 },
		}
	},
	{
		"distance 0x400000000, scale 0x80000000, width 4",
		0x7e0000000000, -1, 1, {
			{ 0x7dfc00000000, 0, 1, 64, 0, 4096, 0x80000000, 4 },
		}
	},
	{
		"distance 0x400000000000, scale 0x80000000, width 2",
		0x7e0000000000, -1, 1, {
			{ 0x3e0000000000, 0, 1, 64, 0, 2048, 0x80000000, 2 },
		}
	},
	{
		"distance 0x400000000000, scale 0x80000000, width 4",
		0x7e0000000000, -1, 1, {
			{ 0x3e0000000000, 0, 1, 64, 0, 4096, 0x80000000, 4 },
		}
	},
	{
		"distance 0x400000000, scale 0x40000000, width 2",
		0x7e0000000000, -1, 1, {
			{ 0x7dfc00000000, 0, 1, 64, 0, 2048, 0x40000000, 2 },
		}
	},
	{
		"distance 0x400000000, scale 0x40000000, width 4",
		0x7e0000000000, -1, 1, {
			{ 0x7dfc00000000, 0, 1, 64, 0, 4096, 0x40000000, 4 },
		}
	},
	{
		"distance 0x400000000000, scale 0x40000000, width 2",
		0x7e0000000000, -1, 1, {
			{ 0x3e0000000000, 0, 1, 64, 0, 2048, 0x40000000, 2 },
		}
	},
	{
		"distance 0x400000000000, scale 0x40000000, width 4",
		0x7e0000000000, -1, 1, {
			{ 0x3e0000000000, 0, 1, 64, 0, 4096, 0x40000000, 4 },
		}
	},
	{
		"distance 0x400000000, scale 0xfff00000, width 2",
		0x7e0000000000, -1, 1, {
			{ 0x7dfc00000000, 0, 1, 64, 0, 2048, 0xfff00000, 2 },
		}
	},
	{
		"distance 0x400000000, scale 0xfff00000, width 4",
		0x7e0000000000, -1, 1, {
			{ 0x7dfc00000000, 0, 1, 64, 0, 4096, 0xfff00000, 4 },
		}
	},
	{
		"distance 0x400000000000, scale 0xfff00000, width 2",
		0x7e0000000000, -1, 1, {
			{ 0x3e0000000000, 0, 1, 64, 0, 2048, 0xfff00000, 2 },
		}
	},
	{
		"distance 0x400000000000, scale 0xfff00000, width 4",
		0x7e0000000000, -1, 1, {
			{ 0x3e0000000000, 0, 1, 64, 0, 4096, 0xfff00000, 4 },
		}
	},
	{
		"offset 0xffffffffffffffff, scale 0, width 2",
		0x20000000, -1, 1, {
			{ 0xffffffffffffffff, 0, 1, 64, 0, 2097152, 0, 2 },
		}
	},
	{
		"offset 0xffffffffffffffff, scale 0, width 4",
		0x20000000, -1, 1, {
			{ 0xffffffffffffffff, 0, 1, 64, 0, 4194304, 0, 4 },
		}
	},
	{
		"offset 0xffffffffffffffff, scale 1, width 2",
		0x20000000, -1, 1, {
			{ 0xffffffffffffffff, 0, 1, 64, 0, 2097152, 1, 2 },
		}
	},
	{
		"offset 0xffffffffffffffff, scale 1, width 4",
		0x20000000, -1, 1, {
			{ 0xffffffffffffffff, 0, 1, 64, 0, 4194304, 1, 4 },
		}
	},
	{
		"offset 0xffffffffffffffff, scale 3, width 2",
		0x20000000, -1, 1, {
			{ 0xffffffffffffffff, 0, 1, 64, 0, 2097152, 3, 2 },
		}
	},
	{
		"offset 0xffffffffffffffff, scale 3, width 4",
		0x20000000, -1, 1, {
			{ 0xffffffffffffffff, 0, 1, 64, 0, 4194304, 3, 4 },
		}
	},
	{
		"offset 0xfffffffffffffffe, scale 0, width 2",
		0x20000000, -1, 1, {
			{ 0xfffffffffffffffe, 0, 1, 64, 0, 2097152, 0, 2 },
		}
	},
	{
		"offset 0xfffffffffffffffe, scale 0, width 4",
		0x20000000, -1, 1, {
			{ 0xfffffffffffffffe, 0, 1, 64, 0, 4194304, 0, 4 },
		}
	},
	{
		"offset 0xfffffffffffffffe, scale 1, width 2",
		0x20000000, -1, 1, {
			{ 0xfffffffffffffffe, 0, 1, 64, 0, 2097152, 1, 2 },
		}
	},
	{
		"offset 0xfffffffffffffffe, scale 1, width 4",
		0x20000000, -1, 1, {
			{ 0xfffffffffffffffe, 0, 1, 64, 0, 4194304, 1, 4 },
		}
	},
	{
		"offset 0xfffffffffffffffe, scale 3, width 2",
		0x20000000, -1, 1, {
			{ 0xfffffffffffffffe, 0, 1, 64, 0, 2097152, 3, 2 },
		}
	},
	{
		"offset 0xfffffffffffffffe, scale 3, width 4",
		0x20000000, -1, 1, {
			{ 0xfffffffffffffffe, 0, 1, 64, 0, 4194304, 3, 4 },
		}
	},
	{
		"offset 0xfffffffffff00000, scale 0, width 2",
		0x20000000, -1, 1, {
			{ 0xfffffffffff00000, 0, 1, 64, 0, 2097152, 0, 2 },
		}
	},
	{
		"offset 0xfffffffffff00000, scale 0, width 4",
		0x20000000, -1, 1, {
			{ 0xfffffffffff00000, 0, 1, 64, 0, 4194304, 0, 4 },
		}
	},
	{
		"offset 0xfffffffffff00000, scale 1, width 2",
		0x20000000, -1, 1, {
			{ 0xfffffffffff00000, 0, 1, 64, 0, 2097152, 1, 2 },
		}
	},
	{
		"offset 0xfffffffffff00000, scale 1, width 4",
		0x20000000, -1, 1, {
			{ 0xfffffffffff00000, 0, 1, 64, 0, 4194304, 1, 4 },
		}
	},
	{
		"offset 0xfffffffffff00000, scale 3, width 2",
		0x20000000, -1, 1, {
			{ 0xfffffffffff00000, 0, 1, 64, 0, 2097152, 3, 2 },
		}
	},
	{
		"offset 0xfffffffffff00000, scale 3, width 4",
		0x20000000, -1, 1, {
			{ 0xfffffffffff00000, 0, 1, 64, 0, 4194304, 3, 4 },
		}
	},
	{
		"offset 1, scale 1",
		0x20000001, 8256, 1, {
			{ 1, 0, 1, 64, 0, 2097152, 1, 2 },
		}
	},
	{
		"offset 1, scale 2",
		0x20000001, 16448, 1, {
			{ 1, 0, 1, 64, 0, 2097152, 2, 2 },
		}
	},
	{
		"offset 1, scale 3",
		0x20000001, 24640, 1, {
			{ 1, 0, 1, 64, 0, 2097152, 3, 2 },
		}
	},
	{
		"offset 1, scale 5",
		0x20000001, 41024, 1, {
			{ 1, 0, 1, 64, 0, 2097152, 5, 2 },
		}
	},
	{
		"offset 0, scale 1",
		0x20000001, 8256, 1, {
			{ 0, 0, 1, 64, 0, 2097152, 1, 2 },
		}
	},
	{
		"offset 0, scale 2",
		0x20000001, 16448, 1, {
			{ 0, 0, 1, 64, 0, 2097152, 2, 2 },
		}
	},
	{
		"offset 0, scale 3",
		0x20000001, 24640, 1, {
			{ 0, 0, 1, 64, 0, 2097152, 3, 2 },
		}
	},
	{
		"offset 0, scale 5",
		0x20000001, 41024, 1, {
			{ 0, 0, 1, 64, 0, 2097152, 5, 2 },
		}
	},
};

static const struct formula_case many_cases[] = {
	{
		"2 regions, pc 0 into number 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 16, 2, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"2 regions, pc 15 into number 0",
		0x20000000, 92, 1, {
			{ 0x1ffffff1, 16, 2, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"2 regions, pc 0 into number 1",
		0x20000000, 96, 1, {
			{ 0x1ffffff0, 16, 2, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"2 regions, pc 15 into number 1",
		0x20000000, 124, 1, {
			{ 0x1fffffe1, 16, 2, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"2 regions, pc before the first",
		0x20000000, -1, 1, {
			{ 0x20000001, 16, 2, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"2 regions, pc after the last",
		0x20000000, -1, 1, {
			{ 0x1fffffe0, 16, 2, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions, pc 0 into number 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 16, 3, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions, pc 15 into number 0",
		0x20000000, 92, 1, {
			{ 0x1ffffff1, 16, 3, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions, pc 0 into number 1",
		0x20000000, 96, 1, {
			{ 0x1ffffff0, 16, 3, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions, pc 15 into number 1",
		0x20000000, 124, 1, {
			{ 0x1fffffe1, 16, 3, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions, pc 0 into number 2",
		0x20000000, 128, 1, {
			{ 0x1fffffe0, 16, 3, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions, pc 15 into number 2",
		0x20000000, 156, 1, {
			{ 0x1fffffd1, 16, 3, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions, pc before the first",
		0x20000000, -1, 1, {
			{ 0x20000001, 16, 3, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions, pc after the last",
		0x20000000, -1, 1, {
			{ 0x1fffffd0, 16, 3, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc 0 into number 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc 15 into number 0",
		0x20000000, 92, 1, {
			{ 0x1ffffff1, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc 0 into number 1",
		0x20000000, 96, 1, {
			{ 0x1ffffff0, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc 15 into number 1",
		0x20000000, 124, 1, {
			{ 0x1fffffe1, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc 0 into number 2",
		0x20000000, 128, 1, {
			{ 0x1fffffe0, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc 15 into number 2",
		0x20000000, 156, 1, {
			{ 0x1fffffd1, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc 0 into number 4",
		0x20000000, 192, 1, {
			{ 0x1fffffc0, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc 15 into number 4",
		0x20000000, 220, 1, {
			{ 0x1fffffb1, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc before the first",
		0x20000000, -1, 1, {
			{ 0x20000001, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc after the last",
		0x20000000, -1, 1, {
			{ 0x1fffffb0, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc 0 into number 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc 15 into number 0",
		0x20000000, 92, 1, {
			{ 0x1ffffff1, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc 0 into number 1",
		0x20000000, 96, 1, {
			{ 0x1ffffff0, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc 15 into number 1",
		0x20000000, 124, 1, {
			{ 0x1fffffe1, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc 0 into number 4",
		0x20000000, 192, 1, {
			{ 0x1fffffc0, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc 15 into number 4",
		0x20000000, 220, 1, {
			{ 0x1fffffb1, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc 0 into number 7",
		0x20000000, 288, 1, {
			{ 0x1fffff90, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc 15 into number 7",
		0x20000000, 316, 1, {
			{ 0x1fffff81, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc before the first",
		0x20000000, -1, 1, {
			{ 0x20000001, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc after the last",
		0x20000000, -1, 1, {
			{ 0x1fffff80, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc 0 into number 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc 15 into number 0",
		0x20000000, 92, 1, {
			{ 0x1ffffff1, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc 0 into number 1",
		0x20000000, 96, 1, {
			{ 0x1ffffff0, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc 15 into number 1",
		0x20000000, 124, 1, {
			{ 0x1fffffe1, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc 0 into number 16",
		0x20000000, 576, 1, {
			{ 0x1fffff00, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc 15 into number 16",
		0x20000000, 604, 1, {
			{ 0x1ffffef1, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc 0 into number 32",
		0x20000000, 1088, 1, {
			{ 0x1ffffe00, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc 15 into number 32",
		0x20000000, 1116, 1, {
			{ 0x1ffffdf1, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc before the first",
		0x20000000, -1, 1, {
			{ 0x20000001, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc after the last",
		0x20000000, -1, 1, {
			{ 0x1ffffdf0, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc 0 into number 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc 15 into number 0",
		0x20000000, 92, 1, {
			{ 0x1ffffff1, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc 0 into number 1",
		0x20000000, 96, 1, {
			{ 0x1ffffff0, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc 15 into number 1",
		0x20000000, 124, 1, {
			{ 0x1fffffe1, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc 0 into number 2048",
		0x20000000, 65600, 1, {
			{ 0x1fff8000, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc 15 into number 2048",
		0x20000000, 65628, 1, {
			{ 0x1fff7ff1, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc 0 into number 4095",
		0x20000000, 131104, 1, {
			{ 0x1fff0010, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc 15 into number 4095",
		0x20000000, 131132, 1, {
			{ 0x1fff0001, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc before the first",
		0x20000000, -1, 1, {
			{ 0x20000001, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc after the last",
		0x20000000, -1, 1, {
			{ 0x1fff0000, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions with gaps, pc in one",
		0x20000000, -1, 1, {
			{ 0x1fffffe4, 16, 3, 64, 32, 16, 65536, 4 },
		}
	},
	{
		"3 regions with gaps, pc before one",
		0x20000000, 108, 1, {
			{ 0x1fffffe9, 16, 3, 64, 32, 16, 65536, 4 },
		}
	},
	{
		"4096 regions with gaps, pc in one",
		0x20000000, -1, 1, {
			{ 0x1fff0014, 16, 4096, 64, 32, 16, 65536, 4 },
		}
	},
	{
		"4096 regions with gaps, pc before one",
		0x20000000, 131084, 1, {
			{ 0x1fff0019, 16, 4096, 64, 32, 16, 65536, 4 },
		}
	},
	{
		"2 regions, pc 0 into number 0",
		0x20000001, 64, 1, {
			{ 0x20000001, 16, 2, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"2 regions, pc 15 into number 0",
		0x20000001, 92, 1, {
			{ 0x1ffffff2, 16, 2, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"2 regions, pc 0 into number 1",
		0x20000001, 96, 1, {
			{ 0x1ffffff1, 16, 2, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"2 regions, pc 15 into number 1",
		0x20000001, 124, 1, {
			{ 0x1fffffe2, 16, 2, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"2 regions, pc before the first",
		0x20000001, -1, 1, {
			{ 0x20000002, 16, 2, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"2 regions, pc after the last",
		0x20000001, -1, 1, {
			{ 0x1fffffe1, 16, 2, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions, pc 0 into number 0",
		0x20000001, 64, 1, {
			{ 0x20000001, 16, 3, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions, pc 15 into number 0",
		0x20000001, 92, 1, {
			{ 0x1ffffff2, 16, 3, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions, pc 0 into number 1",
		0x20000001, 96, 1, {
			{ 0x1ffffff1, 16, 3, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions, pc 15 into number 1",
		0x20000001, 124, 1, {
			{ 0x1fffffe2, 16, 3, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions, pc 0 into number 2",
		0x20000001, 128, 1, {
			{ 0x1fffffe1, 16, 3, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions, pc 15 into number 2",
		0x20000001, 156, 1, {
			{ 0x1fffffd2, 16, 3, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions, pc before the first",
		0x20000001, -1, 1, {
			{ 0x20000002, 16, 3, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions, pc after the last",
		0x20000001, -1, 1, {
			{ 0x1fffffd1, 16, 3, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc 0 into number 0",
		0x20000001, 64, 1, {
			{ 0x20000001, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc 15 into number 0",
		0x20000001, 92, 1, {
			{ 0x1ffffff2, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc 0 into number 1",
		0x20000001, 96, 1, {
			{ 0x1ffffff1, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc 15 into number 1",
		0x20000001, 124, 1, {
			{ 0x1fffffe2, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc 0 into number 2",
		0x20000001, 128, 1, {
			{ 0x1fffffe1, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc 15 into number 2",
		0x20000001, 156, 1, {
			{ 0x1fffffd2, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc 0 into number 4",
		0x20000001, 192, 1, {
			{ 0x1fffffc1, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc 15 into number 4",
		0x20000001, 220, 1, {
			{ 0x1fffffb2, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc before the first",
		0x20000001, -1, 1, {
			{ 0x20000002, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"5 regions, pc after the last",
		0x20000001, -1, 1, {
			{ 0x1fffffb1, 16, 5, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc 0 into number 0",
		0x20000001, 64, 1, {
			{ 0x20000001, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc 15 into number 0",
		0x20000001, 92, 1, {
			{ 0x1ffffff2, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc 0 into number 1",
		0x20000001, 96, 1, {
			{ 0x1ffffff1, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc 15 into number 1",
		0x20000001, 124, 1, {
			{ 0x1fffffe2, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc 0 into number 4",
		0x20000001, 192, 1, {
			{ 0x1fffffc1, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc 15 into number 4",
		0x20000001, 220, 1, {
			{ 0x1fffffb2, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc 0 into number 7",
		0x20000001, 288, 1, {
			{ 0x1fffff91, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc 15 into number 7",
		0x20000001, 316, 1, {
			{ 0x1fffff82, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc before the first",
		0x20000001, -1, 1, {
			{ 0x20000002, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"8 regions, pc after the last",
		0x20000001, -1, 1, {
			{ 0x1fffff81, 16, 8, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc 0 into number 0",
		0x20000001, 64, 1, {
			{ 0x20000001, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc 15 into number 0",
		0x20000001, 92, 1, {
			{ 0x1ffffff2, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc 0 into number 1",
		0x20000001, 96, 1, {
			{ 0x1ffffff1, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc 15 into number 1",
		0x20000001, 124, 1, {
			{ 0x1fffffe2, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc 0 into number 16",
		0x20000001, 576, 1, {
			{ 0x1fffff01, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc 15 into number 16",
		0x20000001, 604, 1, {
			{ 0x1ffffef2, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc 0 into number 32",
		0x20000001, 1088, 1, {
			{ 0x1ffffe01, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc 15 into number 32",
		0x20000001, 1116, 1, {
			{ 0x1ffffdf2, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc before the first",
		0x20000001, -1, 1, {
			{ 0x20000002, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"33 regions, pc after the last",
		0x20000001, -1, 1, {
			{ 0x1ffffdf1, 16, 33, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc 0 into number 0",
		0x20000001, 64, 1, {
			{ 0x20000001, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc 15 into number 0",
		0x20000001, 92, 1, {
			{ 0x1ffffff2, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc 0 into number 1",
		0x20000001, 96, 1, {
			{ 0x1ffffff1, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc 15 into number 1",
		0x20000001, 124, 1, {
			{ 0x1fffffe2, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc 0 into number 2048",
		0x20000001, 65600, 1, {
			{ 0x1fff8001, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc 15 into number 2048",
		0x20000001, 65628, 1, {
			{ 0x1fff7ff2, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc 0 into number 4095",
		0x20000001, 131104, 1, {
			{ 0x1fff0011, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc 15 into number 4095",
		0x20000001, 131132, 1, {
			{ 0x1fff0002, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc before the first",
		0x20000001, -1, 1, {
			{ 0x20000002, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"4096 regions, pc after the last",
		0x20000001, -1, 1, {
			{ 0x1fff0001, 16, 4096, 64, 32, 32, 65536, 4 },
		}
	},
	{
		"3 regions with gaps, pc in one",
		0x20000001, -1, 1, {
			{ 0x1fffffe5, 16, 3, 64, 32, 16, 65536, 4 },
		}
	},
	{
		"3 regions with gaps, pc before one",
		0x20000001, 108, 1, {
			{ 0x1fffffea, 16, 3, 64, 32, 16, 65536, 4 },
		}
	},
	{
		"4096 regions with gaps, pc in one",
		0x20000001, -1, 1, {
			{ 0x1fff0015, 16, 4096, 64, 32, 16, 65536, 4 },
		}
	},
	{
		"4096 regions with gaps, pc before one",
		0x20000001, 131084, 1, {
			{ 0x1fff001a, 16, 4096, 64, 32, 16, 65536, 4 },
		}
	},
};

static const struct formula_case regions_cases[] = {
	{
		"pc 0x20000000, second begins above, width 2",
		0x20000000, 96, 2, {
			{ 0x1fffffe0, 0, 1, 64, 0, 256, 65536, 2 },
			{ 0x20000001, 0, 1, 1024, 0, 256, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, second begins above, width 4",
		0x20000000, 128, 2, {
			{ 0x1fffffe0, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x20000001, 0, 1, 1024, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000000, second begins at the pc, width 2",
		0x20000000, 1024, 2, {
			{ 0x1fffffe0, 0, 1, 64, 0, 256, 65536, 2 },
			{ 0x20000000, 0, 1, 1024, 0, 256, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, second begins at the pc, width 4",
		0x20000000, 1024, 2, {
			{ 0x1fffffe0, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x20000000, 0, 1, 1024, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000000, second begins below, width 2",
		0x20000000, 1024, 2, {
			{ 0x1fffffe0, 0, 1, 64, 0, 256, 65536, 2 },
			{ 0x1fffffff, 0, 1, 1024, 0, 256, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, second begins below, width 4",
		0x20000000, 1024, 2, {
			{ 0x1fffffe0, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x1fffffff, 0, 1, 1024, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000000, both below, width 2",
		0x20000000, 1054, 2, {
			{ 0x1fffffdf, 0, 1, 64, 0, 256, 65536, 2 },
			{ 0x1fffffe1, 0, 1, 1024, 0, 256, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, both below, width 4",
		0x20000000, 1084, 2, {
			{ 0x1fffffdf, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x1fffffe1, 0, 1, 1024, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000000, both above, width 2",
		0x20000000, -1, 2, {
			{ 0x20000001, 0, 1, 64, 0, 256, 65536, 2 },
			{ 0x20000002, 0, 1, 1024, 0, 256, 65536, 2 },
		}
	},
	{
		"pc 0x20000000, both above, width 4",
		0x20000000, -1, 2, {
			{ 0x20000001, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x20000002, 0, 1, 1024, 0, 256, 65536, 4 },
		}
	},
	{
		"second has ended before the pc",
		0x20000000, -1, 2, {
			{ 0x1fffffe0, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x1ffffff0, 0, 1, 1024, 0, 32, 65536, 4 },
		}
	},
	{
		"second reaches the pc with its last counter",
		0x20000000, 1056, 2, {
			{ 0x1fffffe0, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x1ffffff0, 0, 1, 1024, 0, 36, 65536, 4 },
		}
	},
	{
		"second has no counter",
		0x20000000, -1, 2, {
			{ 0x1fffffe0, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x1ffffff0, 0, 1, 1024, 0, 0, 65536, 4 },
		}
	},
	{
		"second is too small for a counter",
		0x20000000, -1, 2, {
			{ 0x1fffffe0, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x20000000, 0, 1, 1024, 0, 3, 65536, 4 },
		}
	},
	{
		"first has no counter",
		0x20000000, 1056, 2, {
			{ 0x1fffffe0, 0, 1, 64, 0, 0, 65536, 4 },
			{ 0x1ffffff0, 0, 1, 1024, 0, 256, 65536, 4 },
		}
	},
	{
		"gap between first and second",
		0x20000000, -1, 2, {
			{ 0x1fffffe0, 0, 1, 64, 0, 64, 65536, 4 },
			{ 0x20000020, 0, 1, 256, 0, 64, 65536, 4 },
		}
	},
	{
		"in the gap",
		0x20000000, -1, 2, {
			{ 0x1fffffc0, 0, 1, 64, 0, 64, 65536, 4 },
			{ 0x20000020, 0, 1, 256, 0, 64, 65536, 4 },
		}
	},
	{
		"same buffer for two regions",
		0x20000000, 72, 2, {
			{ 0x1fffffc0, 0, 1, 64, 0, 128, 65536, 4 },
			{ 0x1ffffffc, 0, 1, 64, 0, 128, 65536, 4 },
		}
	},
	{
		"widths and scales differ",
		0x20000000, 528, 4, {
			{ 0x1ffffd80, 0, 1, 64, 0, 64, 4096, 2 },
			{ 0x1fffffc0, 0, 1, 256, 0, 64, 32768, 4 },
			{ 0x1ffffff7, 0, 1, 512, 0, 64, 131072, 2 },
			{ 0x20000001, 0, 1, 768, 0, 64, 65536, 4 },
		}
	},
	{
		"scale 0 before a region",
		0x20000000, 288, 2, {
			{ 0, 0, 1, 64, 0, 4, 0, 4 },
			{ 0x1ffffff0, 0, 1, 256, 0, 64, 65536, 4 },
		}
	},
	{
		"scale 0 behind a region",
		0x20000000, 64, 2, {
			{ 0x1fffffe0, 0, 1, 256, 0, 64, 65536, 4 },
			{ 0x20000000, 0, 1, 64, 0, 4, 0, 4 },
		}
	},
	{
		"pc 0x20000001, second begins above, width 2",
		0x20000001, 96, 2, {
			{ 0x1fffffe1, 0, 1, 64, 0, 256, 65536, 2 },
			{ 0x20000002, 0, 1, 1024, 0, 256, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, second begins above, width 4",
		0x20000001, 128, 2, {
			{ 0x1fffffe1, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x20000002, 0, 1, 1024, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, second begins at the pc, width 2",
		0x20000001, 1024, 2, {
			{ 0x1fffffe1, 0, 1, 64, 0, 256, 65536, 2 },
			{ 0x20000001, 0, 1, 1024, 0, 256, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, second begins at the pc, width 4",
		0x20000001, 1024, 2, {
			{ 0x1fffffe1, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x20000001, 0, 1, 1024, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, second begins below, width 2",
		0x20000001, 1024, 2, {
			{ 0x1fffffe1, 0, 1, 64, 0, 256, 65536, 2 },
			{ 0x20000000, 0, 1, 1024, 0, 256, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, second begins below, width 4",
		0x20000001, 1024, 2, {
			{ 0x1fffffe1, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x20000000, 0, 1, 1024, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, both below, width 2",
		0x20000001, 1054, 2, {
			{ 0x1fffffe0, 0, 1, 64, 0, 256, 65536, 2 },
			{ 0x1fffffe2, 0, 1, 1024, 0, 256, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, both below, width 4",
		0x20000001, 1084, 2, {
			{ 0x1fffffe0, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x1fffffe2, 0, 1, 1024, 0, 256, 65536, 4 },
		}
	},
	{
		"pc 0x20000001, both above, width 2",
		0x20000001, -1, 2, {
			{ 0x20000002, 0, 1, 64, 0, 256, 65536, 2 },
			{ 0x20000003, 0, 1, 1024, 0, 256, 65536, 2 },
		}
	},
	{
		"pc 0x20000001, both above, width 4",
		0x20000001, -1, 2, {
			{ 0x20000002, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x20000003, 0, 1, 1024, 0, 256, 65536, 4 },
		}
	},
	{
		"second has ended before the pc",
		0x20000001, -1, 2, {
			{ 0x1fffffe1, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x1ffffff1, 0, 1, 1024, 0, 32, 65536, 4 },
		}
	},
	{
		"second reaches the pc with its last counter",
		0x20000001, 1056, 2, {
			{ 0x1fffffe1, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x1ffffff1, 0, 1, 1024, 0, 36, 65536, 4 },
		}
	},
	{
		"second has no counter",
		0x20000001, -1, 2, {
			{ 0x1fffffe1, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x1ffffff1, 0, 1, 1024, 0, 0, 65536, 4 },
		}
	},
	{
		"second is too small for a counter",
		0x20000001, -1, 2, {
			{ 0x1fffffe1, 0, 1, 64, 0, 256, 65536, 4 },
			{ 0x20000001, 0, 1, 1024, 0, 3, 65536, 4 },
		}
	},
	{
		"first has no counter",
		0x20000001, 1056, 2, {
			{ 0x1fffffe1, 0, 1, 64, 0, 0, 65536, 4 },
			{ 0x1ffffff1, 0, 1, 1024, 0, 256, 65536, 4 },
		}
	},
	{
		"gap between first and second",
		0x20000001, -1, 2, {
			{ 0x1fffffe1, 0, 1, 64, 0, 64, 65536, 4 },
			{ 0x20000021, 0, 1, 256, 0, 64, 65536, 4 },
		}
	},
	{
		"in the gap",
		0x20000001, -1, 2, {
			{ 0x1fffffc1, 0, 1, 64, 0, 64, 65536, 4 },
			{ 0x20000021, 0, 1, 256, 0, 64, 65536, 4 },
		}
	},
	{
		"same buffer for two regions",
		0x20000001, 72, 2, {
			{ 0x1fffffc1, 0, 1, 64, 0, 128, 65536, 4 },
			{ 0x1ffffffd, 0, 1, 64, 0, 128, 65536, 4 },
		}
	},
	{
		"widths and scales differ",
		0x20000001, 528, 4, {
			{ 0x1ffffd81, 0, 1, 64, 0, 64, 4096, 2 },
			{ 0x1fffffc1, 0, 1, 256, 0, 64, 32768, 4 },
			{ 0x1ffffff8, 0, 1, 512, 0, 64, 131072, 2 },
			{ 0x20000002, 0, 1, 768, 0, 64, 65536, 4 },
		}
	},
	{
		"scale 0 before a region",
		0x20000001, 288, 2, {
			{ 0, 0, 1, 64, 0, 4, 0, 4 },
			{ 0x1ffffff1, 0, 1, 256, 0, 64, 65536, 4 },
		}
	},
	{
		"scale 0 behind a region",
		0x20000001, 64, 2, {
			{ 0x1fffffe1, 0, 1, 256, 0, 64, 65536, 4 },
			{ 0x20000001, 0, 1, 64, 0, 4, 0, 4 },
		}
	},
};

static const struct formula_case scale_cases[] = {
	{
		"scale 0x1, distance 7, 0 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 0, 1, 4 },
		}
	},
	{
		"scale 0x1, distance 7, 1 counters",
		0x20000001, 64, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 4, 1, 4 },
		}
	},
	{
		"scale 0x1, distance 1000, 0 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 0, 1, 2 },
		}
	},
	{
		"scale 0x1, distance 1000, 1 counters",
		0x20000001, 64, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 2, 1, 2 },
		}
	},
	{
		"scale 0x1, distance 65538, 0 counters",
		0x20000001, -1, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 0, 1, 2 },
		}
	},
	{
		"scale 0x1, distance 65538, 1 counters",
		0x20000001, 64, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 2, 1, 2 },
		}
	},
	{
		"scale 0x2, distance 7, 0 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 0, 2, 4 },
		}
	},
	{
		"scale 0x2, distance 7, 1 counters",
		0x20000001, 64, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 4, 2, 4 },
		}
	},
	{
		"scale 0x2, distance 1000, 0 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 0, 2, 2 },
		}
	},
	{
		"scale 0x2, distance 1000, 1 counters",
		0x20000001, 64, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 2, 2, 2 },
		}
	},
	{
		"scale 0x2, distance 65538, 1 counters",
		0x20000001, -1, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 2, 2, 2 },
		}
	},
	{
		"scale 0x2, distance 65538, 2 counters",
		0x20000001, 66, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 4, 2, 2 },
		}
	},
	{
		"scale 0x3, distance 7, 0 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 0, 3, 4 },
		}
	},
	{
		"scale 0x3, distance 7, 1 counters",
		0x20000001, 64, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 4, 3, 4 },
		}
	},
	{
		"scale 0x3, distance 1000, 0 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 0, 3, 2 },
		}
	},
	{
		"scale 0x3, distance 1000, 1 counters",
		0x20000001, 64, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 2, 3, 2 },
		}
	},
	{
		"scale 0x3, distance 65538, 1 counters",
		0x20000001, -1, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 2, 3, 2 },
		}
	},
	{
		"scale 0x3, distance 65538, 2 counters",
		0x20000001, 66, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 4, 3, 2 },
		}
	},
	{
		"scale 0x4000, distance 7, 0 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 0, 16384, 4 },
		}
	},
	{
		"scale 0x4000, distance 7, 1 counters",
		0x20000001, 64, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 4, 16384, 4 },
		}
	},
	{
		"scale 0x4000, distance 1000, 125 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 250, 16384, 2 },
		}
	},
	{
		"scale 0x4000, distance 1000, 126 counters",
		0x20000001, 314, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 252, 16384, 2 },
		}
	},
	{
		"scale 0x4000, distance 65538, 8192 counters",
		0x20000001, -1, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 16384, 16384, 2 },
		}
	},
	{
		"scale 0x4000, distance 65538, 8193 counters",
		0x20000001, 16448, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 16386, 16384, 2 },
		}
	},
	{
		"scale 0x5555, distance 7, 0 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 0, 21845, 4 },
		}
	},
	{
		"scale 0x5555, distance 7, 1 counters",
		0x20000001, 64, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 4, 21845, 4 },
		}
	},
	{
		"scale 0x5555, distance 1000, 166 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 332, 21845, 2 },
		}
	},
	{
		"scale 0x5555, distance 1000, 167 counters",
		0x20000001, 396, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 334, 21845, 2 },
		}
	},
	{
		"scale 0x5555, distance 65538, 10922 counters",
		0x20000001, -1, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 21844, 21845, 2 },
		}
	},
	{
		"scale 0x5555, distance 65538, 10923 counters",
		0x20000001, 21908, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 21846, 21845, 2 },
		}
	},
	{
		"scale 0x8000, distance 7, 1 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 4, 32768, 4 },
		}
	},
	{
		"scale 0x8000, distance 7, 2 counters",
		0x20000001, 68, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 8, 32768, 4 },
		}
	},
	{
		"scale 0x8000, distance 1000, 250 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 500, 32768, 2 },
		}
	},
	{
		"scale 0x8000, distance 1000, 251 counters",
		0x20000001, 564, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 502, 32768, 2 },
		}
	},
	{
		"scale 0x8000, distance 65538, 16384 counters",
		0x20000001, -1, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 32768, 32768, 2 },
		}
	},
	{
		"scale 0x8000, distance 65538, 16385 counters",
		0x20000001, 32832, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 32770, 32768, 2 },
		}
	},
	{
		"scale 0xc000, distance 7, 2 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 8, 49152, 4 },
		}
	},
	{
		"scale 0xc000, distance 7, 3 counters",
		0x20000001, 72, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 12, 49152, 4 },
		}
	},
	{
		"scale 0xc000, distance 1000, 375 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 750, 49152, 2 },
		}
	},
	{
		"scale 0xc000, distance 1000, 376 counters",
		0x20000001, 814, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 752, 49152, 2 },
		}
	},
	{
		"scale 0xc000, distance 65538, 24576 counters",
		0x20000001, -1, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 49152, 49152, 2 },
		}
	},
	{
		"scale 0xc000, distance 65538, 24577 counters",
		0x20000001, 49216, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 49154, 49152, 2 },
		}
	},
	{
		"scale 0xffff, distance 7, 2 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 8, 65535, 4 },
		}
	},
	{
		"scale 0xffff, distance 7, 3 counters",
		0x20000001, 72, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 12, 65535, 4 },
		}
	},
	{
		"scale 0xffff, distance 1000, 499 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 998, 65535, 2 },
		}
	},
	{
		"scale 0xffff, distance 1000, 500 counters",
		0x20000001, 1062, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 1000, 65535, 2 },
		}
	},
	{
		"scale 0xffff, distance 65538, 32768 counters",
		0x20000001, -1, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 65536, 65535, 2 },
		}
	},
	{
		"scale 0xffff, distance 65538, 32769 counters",
		0x20000001, 65600, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 65538, 65535, 2 },
		}
	},
	{
		"scale 0x10000, distance 7, 3 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 12, 65536, 4 },
		}
	},
	{
		"scale 0x10000, distance 7, 4 counters",
		0x20000001, 76, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 16, 65536, 4 },
		}
	},
	{
		"scale 0x10000, distance 1000, 500 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 1000, 65536, 2 },
		}
	},
	{
		"scale 0x10000, distance 1000, 501 counters",
		0x20000001, 1064, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 1002, 65536, 2 },
		}
	},
	{
		"scale 0x10000, distance 65538, 32769 counters",
		0x20000001, -1, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 65538, 65536, 2 },
		}
	},
	{
		"scale 0x10000, distance 65538, 32770 counters",
		0x20000001, 65602, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 65540, 65536, 2 },
		}
	},
	{
		"scale 0x10001, distance 7, 3 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 12, 65537, 4 },
		}
	},
	{
		"scale 0x10001, distance 7, 4 counters",
		0x20000001, 76, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 16, 65537, 4 },
		}
	},
	{
		"scale 0x10001, distance 1000, 500 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 1000, 65537, 2 },
		}
	},
	{
		"scale 0x10001, distance 1000, 501 counters",
		0x20000001, 1064, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 1002, 65537, 2 },
		}
	},
	{
		"scale 0x10001, distance 65538, 32769 counters",
		0x20000001, -1, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 65538, 65537, 2 },
		}
	},
	{
		"scale 0x10001, distance 65538, 32770 counters",
		0x20000001, 65602, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 65540, 65537, 2 },
		}
	},
	{
		"scale 0x18000, distance 7, 4 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 16, 98304, 4 },
		}
	},
	{
		"scale 0x18000, distance 7, 5 counters",
		0x20000001, 80, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 20, 98304, 4 },
		}
	},
	{
		"scale 0x18000, distance 1000, 750 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 1500, 98304, 2 },
		}
	},
	{
		"scale 0x18000, distance 1000, 751 counters",
		0x20000001, 1564, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 1502, 98304, 2 },
		}
	},
	{
		"scale 0x18000, distance 65538, 49153 counters",
		0x20000001, -1, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 98306, 98304, 2 },
		}
	},
	{
		"scale 0x18000, distance 65538, 49154 counters",
		0x20000001, 98370, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 98308, 98304, 2 },
		}
	},
	{
		"scale 0x20000, distance 7, 6 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 24, 131072, 4 },
		}
	},
	{
		"scale 0x20000, distance 7, 7 counters",
		0x20000001, 88, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 28, 131072, 4 },
		}
	},
	{
		"scale 0x20000, distance 1000, 1000 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 2000, 131072, 2 },
		}
	},
	{
		"scale 0x20000, distance 1000, 1001 counters",
		0x20000001, 2064, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 2002, 131072, 2 },
		}
	},
	{
		"scale 0x20000, distance 65538, 65538 counters",
		0x20000001, -1, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 131076, 131072, 2 },
		}
	},
	{
		"scale 0x20000, distance 65538, 65539 counters",
		0x20000001, 131140, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 131078, 131072, 2 },
		}
	},
	{
		"scale 0x30000, distance 7, 9 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 36, 196608, 4 },
		}
	},
	{
		"scale 0x30000, distance 7, 10 counters",
		0x20000001, 100, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 40, 196608, 4 },
		}
	},
	{
		"scale 0x30000, distance 1000, 1500 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 3000, 196608, 2 },
		}
	},
	{
		"scale 0x30000, distance 1000, 1501 counters",
		0x20000001, 3064, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 3002, 196608, 2 },
		}
	},
	{
		"scale 0x30000, distance 65538, 98307 counters",
		0x20000001, -1, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 196614, 196608, 2 },
		}
	},
	{
		"scale 0x30000, distance 65538, 98308 counters",
		0x20000001, 196678, 1, {
			{ 0x1ffeffff, 0, 1, 64, 0, 196616, 196608, 2 },
		}
	},
	{
		"scale 0x1000000, distance 7, 768 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 3072, 16777216, 4 },
		}
	},
	{
		"scale 0x1000000, distance 7, 769 counters",
		0x20000001, 3136, 1, {
			{ 0x1ffffffa, 0, 1, 64, 0, 3076, 16777216, 4 },
		}
	},
	{
		"scale 0x1000000, distance 1000, 128000 counters",
		0x20000001, -1, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 256000, 16777216, 2 },
		}
	},
	{
		"scale 0x1000000, distance 1000, 128001 counters",
		0x20000001, 256064, 1, {
			{ 0x1ffffc19, 0, 1, 64, 0, 256002, 16777216, 2 },
		}
	},
	{
		"scale 0, distance 0, width 2",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 2, 0, 2 },
		}
	},
	{
		"scale 0, distance 0, width 4",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 4, 0, 4 },
		}
	},
	{
		"scale 0, distance 1, width 2",
		0x20000000, 64, 1, {
			{ 0x1fffffff, 0, 1, 64, 0, 2, 0, 2 },
		}
	},
	{
		"scale 0, distance 1, width 4",
		0x20000000, 64, 1, {
			{ 0x1fffffff, 0, 1, 64, 0, 4, 0, 4 },
		}
	},
	{
		"scale 0, distance 2, width 2",
		0x20000000, 64, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 2, 0, 2 },
		}
	},
	{
		"scale 0, distance 2, width 4",
		0x20000000, 64, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 4, 0, 4 },
		}
	},
	{
		"scale 0, distance 1000, width 2",
		0x20000000, 64, 1, {
			{ 0x1ffffc18, 0, 1, 64, 0, 2, 0, 2 },
		}
	},
	{
		"scale 0, distance 1000, width 4",
		0x20000000, 64, 1, {
			{ 0x1ffffc18, 0, 1, 64, 0, 4, 0, 4 },
		}
	},
	{
		"scale 0, distance 536870912, width 2",
		0x20000000, 64, 1, {
			{ 0, 0, 1, 64, 0, 2, 0, 2 },
		}
	},
	{
		"scale 0, distance 536870912, width 4",
		0x20000000, 64, 1, {
			{ 0, 0, 1, 64, 0, 4, 0, 4 },
		}
	},
	{
		"scale 0, no whole counter",
		0x20000000, -1, 1, {
			{ 0x1ffffff8, 0, 1, 64, 0, 3, 0, 4 },
		}
	},
	{
		"scale 0, offset above",
		0x20000000, -1, 1, {
			{ 0x20000001, 0, 1, 64, 0, 64, 0, 4 },
		}
	},
	{
		"scale 0, offset 0, far pc",
		0x7e0000000000, 64, 1, {
			{ 0, 0, 1, 64, 0, 4, 0, 4 },
		}
	},
	{
		"largest scale, distance 0, width 2",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 131072, 0xffffffff, 2 },
		}
	},
	{
		"largest scale, distance 0, width 4",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 262144, 0xffffffff, 4 },
		}
	},
	{
		"largest scale, distance 1, width 2",
		0x20000000, 64, 1, {
			{ 0x1fffffff, 0, 1, 64, 0, 131072, 0xffffffff, 2 },
		}
	},
	{
		"largest scale, distance 1, width 4",
		0x20000000, 64, 1, {
			{ 0x1fffffff, 0, 1, 64, 0, 262144, 0xffffffff, 4 },
		}
	},
	{
		"largest scale, distance 2, width 2",
		0x20000000, 131134, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 131072, 0xffffffff, 2 },
		}
	},
	{
		"largest scale, distance 2, width 4",
		0x20000000, 262204, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 262144, 0xffffffff, 4 },
		}
	},
	{
		"largest scale, distance 3, width 2",
		0x20000000, 131134, 1, {
			{ 0x1ffffffd, 0, 1, 64, 0, 131072, 0xffffffff, 2 },
		}
	},
	{
		"largest scale, distance 3, width 4",
		0x20000000, 262204, 1, {
			{ 0x1ffffffd, 0, 1, 64, 0, 262144, 0xffffffff, 4 },
		}
	},
	{
		"largest scale, distance 4, width 2",
		0x20000000, 262206, 1, {
			{ 0x1ffffffc, 0, 1, 64, 0, 262144, 0xffffffff, 2 },
		}
	},
	{
		"largest scale, distance 4, width 4",
		0x20000000, 524348, 1, {
			{ 0x1ffffffc, 0, 1, 64, 0, 524288, 0xffffffff, 4 },
		}
	},
	{
		"largest scale, distance 5, width 2",
		0x20000000, 262206, 1, {
			{ 0x1ffffffb, 0, 1, 64, 0, 262144, 0xffffffff, 2 },
		}
	},
	{
		"largest scale, distance 5, width 4",
		0x20000000, 524348, 1, {
			{ 0x1ffffffb, 0, 1, 64, 0, 524288, 0xffffffff, 4 },
		}
	},
	{
		"largest scale, distance 20, width 2",
		0x20000000, 1310782, 1, {
			{ 0x1fffffec, 0, 1, 64, 0, 1310720, 0xffffffff, 2 },
		}
	},
	{
		"largest scale, distance 20, width 4",
		0x20000000, 2621500, 1, {
			{ 0x1fffffec, 0, 1, 64, 0, 2621440, 0xffffffff, 4 },
		}
	},
};

static const struct formula_case size_cases[] = {
	{
		"0 bytes of width 2, counter 0",
		0x20000000, -1, 1, {
			{ 0x20000000, 0, 1, 64, 0, 0, 65536, 2 },
		}
	},
	{
		"0 bytes of width 2, counter 1",
		0x20000000, -1, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 0, 65536, 2 },
		}
	},
	{
		"1 bytes of width 2, counter 0",
		0x20000000, -1, 1, {
			{ 0x20000000, 0, 1, 64, 0, 1, 65536, 2 },
		}
	},
	{
		"1 bytes of width 2, counter 1",
		0x20000000, -1, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 1, 65536, 2 },
		}
	},
	{
		"2 bytes of width 2, counter 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 2, 65536, 2 },
		}
	},
	{
		"2 bytes of width 2, counter 1",
		0x20000000, -1, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 2, 65536, 2 },
		}
	},
	{
		"3 bytes of width 2, counter 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 3, 65536, 2 },
		}
	},
	{
		"3 bytes of width 2, counter 1",
		0x20000000, -1, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 3, 65536, 2 },
		}
	},
	{
		"4 bytes of width 2, counter 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 4, 65536, 2 },
		}
	},
	{
		"4 bytes of width 2, counter 1",
		0x20000000, 66, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 4, 65536, 2 },
		}
	},
	{
		"5 bytes of width 2, counter 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 5, 65536, 2 },
		}
	},
	{
		"5 bytes of width 2, counter 1",
		0x20000000, 66, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 5, 65536, 2 },
		}
	},
	{
		"6 bytes of width 2, counter 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 6, 65536, 2 },
		}
	},
	{
		"6 bytes of width 2, counter 1",
		0x20000000, 66, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 6, 65536, 2 },
		}
	},
	{
		"7 bytes of width 2, counter 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 7, 65536, 2 },
		}
	},
	{
		"7 bytes of width 2, counter 1",
		0x20000000, 66, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 7, 65536, 2 },
		}
	},
	{
		"8 bytes of width 2, counter 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 8, 65536, 2 },
		}
	},
	{
		"8 bytes of width 2, counter 1",
		0x20000000, 66, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 8, 65536, 2 },
		}
	},
	{
		"9 bytes of width 2, counter 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 9, 65536, 2 },
		}
	},
	{
		"9 bytes of width 2, counter 1",
		0x20000000, 66, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 9, 65536, 2 },
		}
	},
	{
		"4095 bytes of width 2, counter 2047",
		0x20000001, -1, 1, {
			{ 0x1ffff003, 0, 1, 4096, 0, 4095, 65536, 2 },
		}
	},
	{
		"4095 bytes of width 2, counter 2048",
		0x20000001, -1, 1, {
			{ 0x1ffff001, 0, 1, 4096, 0, 4095, 65536, 2 },
		}
	},
	{
		"4096 bytes of width 2, counter 2047",
		0x20000001, 8190, 1, {
			{ 0x1ffff003, 0, 1, 4096, 0, 4096, 65536, 2 },
		}
	},
	{
		"4096 bytes of width 2, counter 2048",
		0x20000001, -1, 1, {
			{ 0x1ffff001, 0, 1, 4096, 0, 4096, 65536, 2 },
		}
	},
	{
		"4098 bytes of width 2, counter 2047",
		0x20000001, 8190, 1, {
			{ 0x1ffff003, 0, 1, 4096, 0, 4098, 65536, 2 },
		}
	},
	{
		"4098 bytes of width 2, counter 2048",
		0x20000001, 8192, 1, {
			{ 0x1ffff001, 0, 1, 4096, 0, 4098, 65536, 2 },
		}
	},
	{
		"4100 bytes of width 2, counter 2047",
		0x20000001, 8190, 1, {
			{ 0x1ffff003, 0, 1, 4096, 0, 4100, 65536, 2 },
		}
	},
	{
		"4100 bytes of width 2, counter 2048",
		0x20000001, 8192, 1, {
			{ 0x1ffff001, 0, 1, 4096, 0, 4100, 65536, 2 },
		}
	},
	{
		"buffer at 4094, width 2, counter 0",
		0x20000000, 4094, 1, {
			{ 0x20000000, 0, 1, 4094, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 4094, width 2, counter 1",
		0x20000000, 4096, 1, {
			{ 0x1ffffffe, 0, 1, 4094, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 4094, width 2, counter 2",
		0x20000000, 4098, 1, {
			{ 0x1ffffffc, 0, 1, 4094, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 4094, width 2, counter 2048",
		0x20000000, 8190, 1, {
			{ 0x1ffff000, 0, 1, 4094, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 4094, width 2, counter 4095",
		0x20000000, 12284, 1, {
			{ 0x1fffe002, 0, 1, 4094, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 4096, width 2, counter 0",
		0x20000000, 4096, 1, {
			{ 0x20000000, 0, 1, 4096, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 4096, width 2, counter 1",
		0x20000000, 4098, 1, {
			{ 0x1ffffffe, 0, 1, 4096, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 4096, width 2, counter 2",
		0x20000000, 4100, 1, {
			{ 0x1ffffffc, 0, 1, 4096, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 4096, width 2, counter 2048",
		0x20000000, 8192, 1, {
			{ 0x1ffff000, 0, 1, 4096, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 4096, width 2, counter 4095",
		0x20000000, 12286, 1, {
			{ 0x1fffe002, 0, 1, 4096, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 4098, width 2, counter 0",
		0x20000000, 4098, 1, {
			{ 0x20000000, 0, 1, 4098, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 4098, width 2, counter 1",
		0x20000000, 4100, 1, {
			{ 0x1ffffffe, 0, 1, 4098, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 4098, width 2, counter 2",
		0x20000000, 4102, 1, {
			{ 0x1ffffffc, 0, 1, 4098, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 4098, width 2, counter 2048",
		0x20000000, 8194, 1, {
			{ 0x1ffff000, 0, 1, 4098, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 4098, width 2, counter 4095",
		0x20000000, 12288, 1, {
			{ 0x1fffe002, 0, 1, 4098, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 8188, width 2, counter 0",
		0x20000000, 8188, 1, {
			{ 0x20000000, 0, 1, 8188, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 8188, width 2, counter 1",
		0x20000000, 8190, 1, {
			{ 0x1ffffffe, 0, 1, 8188, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 8188, width 2, counter 2",
		0x20000000, 8192, 1, {
			{ 0x1ffffffc, 0, 1, 8188, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 8188, width 2, counter 2048",
		0x20000000, 12284, 1, {
			{ 0x1ffff000, 0, 1, 8188, 0, 8192, 65536, 2 },
		}
	},
	{
		"buffer at 8188, width 2, counter 4095",
		0x20000000, 16378, 1, {
			{ 0x1fffe002, 0, 1, 8188, 0, 8192, 65536, 2 },
		}
	},
	{
		"8 MiB of width 2, counter 999999",
		0x7e0000000000, 2002046, 1, {
			{ 0x7dffffe17b82, 0, 1, 2048, 0, 8384512, 65536, 2 },
		}
	},
	{
		"8 MiB of width 2, counter 2096127",
		0x7e0000000000, 4194302, 1, {
			{ 0x7dffffc00802, 0, 1, 2048, 0, 8384512, 65536, 2 },
		}
	},
	{
		"8 MiB of width 2, counter 2096128",
		0x7e0000000000, 4194304, 1, {
			{ 0x7dffffc00800, 0, 1, 2048, 0, 8384512, 65536, 2 },
		}
	},
	{
		"8 MiB of width 2, counter 4192255",
		0x7e0000000000, 8386558, 1, {
			{ 0x7dffff801002, 0, 1, 2048, 0, 8384512, 65536, 2 },
		}
	},
	{
		"0 bytes of width 4, counter 0",
		0x20000000, -1, 1, {
			{ 0x20000000, 0, 1, 64, 0, 0, 65536, 4 },
		}
	},
	{
		"0 bytes of width 4, counter 1",
		0x20000000, -1, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 0, 65536, 4 },
		}
	},
	{
		"1 bytes of width 4, counter 0",
		0x20000000, -1, 1, {
			{ 0x20000000, 0, 1, 64, 0, 1, 65536, 4 },
		}
	},
	{
		"1 bytes of width 4, counter 1",
		0x20000000, -1, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 1, 65536, 4 },
		}
	},
	{
		"2 bytes of width 4, counter 0",
		0x20000000, -1, 1, {
			{ 0x20000000, 0, 1, 64, 0, 2, 65536, 4 },
		}
	},
	{
		"2 bytes of width 4, counter 1",
		0x20000000, -1, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 2, 65536, 4 },
		}
	},
	{
		"3 bytes of width 4, counter 0",
		0x20000000, -1, 1, {
			{ 0x20000000, 0, 1, 64, 0, 3, 65536, 4 },
		}
	},
	{
		"3 bytes of width 4, counter 1",
		0x20000000, -1, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 3, 65536, 4 },
		}
	},
	{
		"4 bytes of width 4, counter 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 4, 65536, 4 },
		}
	},
	{
		"4 bytes of width 4, counter 1",
		0x20000000, -1, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 4, 65536, 4 },
		}
	},
	{
		"5 bytes of width 4, counter 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 5, 65536, 4 },
		}
	},
	{
		"5 bytes of width 4, counter 1",
		0x20000000, -1, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 5, 65536, 4 },
		}
	},
	{
		"6 bytes of width 4, counter 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 6, 65536, 4 },
		}
	},
	{
		"6 bytes of width 4, counter 1",
		0x20000000, -1, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 6, 65536, 4 },
		}
	},
	{
		"7 bytes of width 4, counter 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 7, 65536, 4 },
		}
	},
	{
		"7 bytes of width 4, counter 1",
		0x20000000, -1, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 7, 65536, 4 },
		}
	},
	{
		"8 bytes of width 4, counter 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 8, 65536, 4 },
		}
	},
	{
		"8 bytes of width 4, counter 1",
		0x20000000, 68, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 8, 65536, 4 },
		}
	},
	{
		"9 bytes of width 4, counter 0",
		0x20000000, 64, 1, {
			{ 0x20000000, 0, 1, 64, 0, 9, 65536, 4 },
		}
	},
	{
		"9 bytes of width 4, counter 1",
		0x20000000, 68, 1, {
			{ 0x1ffffffe, 0, 1, 64, 0, 9, 65536, 4 },
		}
	},
	{
		"4095 bytes of width 4, counter 1023",
		0x20000001, -1, 1, {
			{ 0x1ffff803, 0, 1, 4096, 0, 4095, 65536, 4 },
		}
	},
	{
		"4095 bytes of width 4, counter 1024",
		0x20000001, -1, 1, {
			{ 0x1ffff801, 0, 1, 4096, 0, 4095, 65536, 4 },
		}
	},
	{
		"4096 bytes of width 4, counter 1023",
		0x20000001, 8188, 1, {
			{ 0x1ffff803, 0, 1, 4096, 0, 4096, 65536, 4 },
		}
	},
	{
		"4096 bytes of width 4, counter 1024",
		0x20000001, -1, 1, {
			{ 0x1ffff801, 0, 1, 4096, 0, 4096, 65536, 4 },
		}
	},
	{
		"4098 bytes of width 4, counter 1023",
		0x20000001, 8188, 1, {
			{ 0x1ffff803, 0, 1, 4096, 0, 4098, 65536, 4 },
		}
	},
	{
		"4098 bytes of width 4, counter 1024",
		0x20000001, -1, 1, {
			{ 0x1ffff801, 0, 1, 4096, 0, 4098, 65536, 4 },
		}
	},
	{
		"4100 bytes of width 4, counter 1023",
		0x20000001, 8188, 1, {
			{ 0x1ffff803, 0, 1, 4096, 0, 4100, 65536, 4 },
		}
	},
	{
		"4100 bytes of width 4, counter 1024",
		0x20000001, 8192, 1, {
			{ 0x1ffff801, 0, 1, 4096, 0, 4100, 65536, 4 },
		}
	},
	{
		"buffer at 4092, width 4, counter 0",
		0x20000000, 4092, 1, {
			{ 0x20000000, 0, 1, 4092, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 4092, width 4, counter 1",
		0x20000000, 4096, 1, {
			{ 0x1ffffffe, 0, 1, 4092, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 4092, width 4, counter 2",
		0x20000000, 4100, 1, {
			{ 0x1ffffffc, 0, 1, 4092, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 4092, width 4, counter 2048",
		0x20000000, 12284, 1, {
			{ 0x1ffff000, 0, 1, 4092, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 4092, width 4, counter 4095",
		0x20000000, 20472, 1, {
			{ 0x1fffe002, 0, 1, 4092, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 4096, width 4, counter 0",
		0x20000000, 4096, 1, {
			{ 0x20000000, 0, 1, 4096, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 4096, width 4, counter 1",
		0x20000000, 4100, 1, {
			{ 0x1ffffffe, 0, 1, 4096, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 4096, width 4, counter 2",
		0x20000000, 4104, 1, {
			{ 0x1ffffffc, 0, 1, 4096, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 4096, width 4, counter 2048",
		0x20000000, 12288, 1, {
			{ 0x1ffff000, 0, 1, 4096, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 4096, width 4, counter 4095",
		0x20000000, 20476, 1, {
			{ 0x1fffe002, 0, 1, 4096, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 4100, width 4, counter 0",
		0x20000000, 4100, 1, {
			{ 0x20000000, 0, 1, 4100, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 4100, width 4, counter 1",
		0x20000000, 4104, 1, {
			{ 0x1ffffffe, 0, 1, 4100, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 4100, width 4, counter 2",
		0x20000000, 4108, 1, {
			{ 0x1ffffffc, 0, 1, 4100, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 4100, width 4, counter 2048",
		0x20000000, 12292, 1, {
			{ 0x1ffff000, 0, 1, 4100, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 4100, width 4, counter 4095",
		0x20000000, 20480, 1, {
			{ 0x1fffe002, 0, 1, 4100, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 8184, width 4, counter 0",
		0x20000000, 8184, 1, {
			{ 0x20000000, 0, 1, 8184, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 8184, width 4, counter 1",
		0x20000000, 8188, 1, {
			{ 0x1ffffffe, 0, 1, 8184, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 8184, width 4, counter 2",
		0x20000000, 8192, 1, {
			{ 0x1ffffffc, 0, 1, 8184, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 8184, width 4, counter 2048",
		0x20000000, 16376, 1, {
			{ 0x1ffff000, 0, 1, 8184, 0, 16384, 65536, 4 },
		}
	},
	{
		"buffer at 8184, width 4, counter 4095",
		0x20000000, 24564, 1, {
			{ 0x1fffe002, 0, 1, 8184, 0, 16384, 65536, 4 },
		}
	},
	{
		"8 MiB of width 4, counter 999999",
		0x7e0000000000, 4002044, 1, {
			{ 0x7dffffe17b82, 0, 1, 2048, 0, 8384512, 65536, 4 },
		}
	},
	{
		"8 MiB of width 4, counter 2096127",
		0x7e0000000000, 8386556, 1, {
			{ 0x7dffffc00802, 0, 1, 2048, 0, 8384512, 65536, 4 },
		}
	},
	{
		"8 MiB of width 4, counter 2096128",
		0x7e0000000000, -1, 1, {
			{ 0x7dffffc00800, 0, 1, 2048, 0, 8384512, 65536, 4 },
		}
	},
	{
		"8 MiB of width 4, counter 4192255",
		0x7e0000000000, -1, 1, {
			{ 0x7dffff801002, 0, 1, 2048, 0, 8384512, 65536, 4 },
		}
	},
};
