#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Are the numbers right that gprof shows for -pg programs with libprofil?  The
# programs count what they do.

set -u
cd "$(dirname "$0")" || exit 1
# shellcheck source=gprof/lib.sh
. gprof/lib.sh

# See counted.c: how it was linked must not matter.
counted() {
	test_begin "$1"
	if [ ! -e "$programs/$2" ]; then
		test_skip "the compiler has no such option"
		return
	fi
	run env ${3:+LD_PRELOAD="$3"} "$programs/$2" $((unit / 3))
	is status $status 0
	profile "$programs/$2" gmon.out
	all_is_seen "$(cat out)"
	share main 0.25
	share one 0.25
	share two 0.5
	is "calls of one" "$(calls one)" 100
	is "calls of two" "$(calls two)" 100
	is "calls of leaf" "$(calls leaf)" 1800
	is "calls of leaf by one" "$(calls_from one leaf)" 700
	is "calls of leaf by two" "$(calls_from two leaf)" 1100
	is "rate" "$(rate gmon.out)" 100
	test_end
}

# Samples per second, from the file's first record, a histogram: the header has
# 20 bytes, the tag 1, two addresses 16, the number of counters 4.
rate() { od -An -tu4 -j 41 -N 4 "$1" | tr -d ' '; }

# Several records are as good as one that could not wrap.
hot() {
	test_begin hot_spots_do_not_wrap
	process kill
	address=$(nm "$process" | sed -n 's/ t work$//p')
	for samples in 65536 1000000; do
		"$programs/patch" "$state" "$address" $samples $((samples * 80000)) ||
			wrong "no such counter or caller"
		recover -k
		# What it had really, in other counters, is less than a second.
		holds "time" "$(self work) * 100 - $samples >= 0 && \
			      $(self work) * 100 - $samples <= 100"
		is calls "$(calls work)" $((samples * 80000))
	done
	rm "$state"
	test_end
}

# Where the program is loaded differs, what is in the file does not.
merge() {
	test_begin merge
	for i in 1 2; do
		GMON_OUT_PREFIX=run "$programs/pie" $((unit / 4)) >>cpu 2>err ||
			wrong "run $i fails"
	done
	set -- run.*
	is files $# 2
	profile "$programs/pie" "$1"
	first=$(total)
	profile "$programs/pie" "$2"
	second=$(total)
	gprof -s "$programs/pie" "$1" "$2" || wrong "gprof -s fails"
	profile "$programs/pie" gmon.sum
	is "calls of leaf" "$(calls leaf)" 3600
	holds "sum" "($(total) - $first - $second) ^ 2 < 0.03 ^ 2"
	share main 0.25
	share two 0.5
	test_end
}

# What was spent in the C library is no part of the profile, but is reported.
libraries() {
	test_begin libraries
	run "$programs/process" library $((unit * 5))
	is status $status 0
	profile "$programs/process" gmon.out
	in_library=$(sed -n 's/^library //p' out)
	own=$(sed -n 's/^cpu //p' out)
	note "library: $(outside) samples, $in_library s; own: $(total) of $own s"
	holds "outside" "$(outside) <= ($in_library * 1.02 + 0.1) * 100"
	holds "outside" "$(outside) >= ($in_library * 0.98 - 0.1 - $lost) * 100"
	holds "own time" "$(total) <= $own * 1.02 + 0.1"
	holds "own time" "$(total) >= $own * 0.95 - 0.1 - $lost"
	test_end

	test_begin libraries_quietly
	PROFIL_GMON=quiet "$programs/process" library $((unit / 10)) >out 2>err
	is stderr "$(cat err)" ""
	test_end
}

begin 10
counted pie pie
counted nopie nopie
counted static static
counted static_pie static_pie
counted fentry fentry
counted preload libc "$library"
merge
hot
libraries
finish
