#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Are the numbers right that gprof shows for large programs and for several
# threads?

set -u
cd "$(dirname "$0")" || exit 1
# shellcheck source=gprof/lib.sh
. gprof/lib.sh

# Code of more than 64 MiB, with functions at both ends.
big() {
	test_begin big
	run "$programs/big" $((unit / 3))
	is status $status 0
	profile "$programs/big" gmon.out
	all_is_seen "$(cat out)"
	share main 0.25
	share one 0.25
	share two 0.5
	is "calls of leaf" "$(calls leaf)" 1800
	holds "size" "$(stat -c %s gmon.out) > 2 * 72 * 1048576 / 4"
	test_end

	# 72 MiB of counters are more than the 16 MiB of a user and one more.
	test_begin big_with_little_memory
	if [ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null; then
		test_skip "needs root and setpriv"
		return
	fi
	chmod 777 .
	run setpriv --reuid=65534 --regid=65534 --clear-groups \
		--bounding-set=-all --inh-caps=-all sh -c \
		'ulimit -l 1024; "$@"' sh "$programs/big" $((unit / 3))
	is status $status 0
	is "what it says" "$(grep -c 'no kernel samples' err)" 0
	profile "$programs/big" gmon.out
	all_is_seen "$(cat out)"
	holds "size" "$(stat -c %s gmon.out) < 2 * 17 * 1048576 / 4"
	# Counters of 32 bytes: a function of 256 has 8 to itself.
	share main 0.25
	share one 0.25
	share two 0.5
	is "calls of leaf" "$(calls leaf)" 1800
	test_end
}

threads() {
	test_begin threads_are_equal
	run "$programs/threads" equal $((unit / 2))
	is status $status 0
	profile "$programs/threads" gmon.out
	all_is_seen "$(cat out)"
	note "$(grep worker_ flat | paste -s -d, -)"
	for worker in worker_a worker_b worker_c worker_d; do
		share $worker 0.25
	done
	test_end

	test_begin calls_of_four_threads
	run "$programs/threads" calls
	is status $status 0
	profile "$programs/threads" gmon.out
	is "calls of leaf" "$(calls leaf)" 40000000
	for caller in caller_a caller_b; do
		is "calls by $caller" \
			"$(calls_from $caller leaf)" 20000000
	done
	test_end

	test_begin moncontrol
	run "$programs/threads" moncontrol $((unit / 4))
	is status $status 0
	profile "$programs/threads" gmon.out
	all_is_seen "$(cat out)"
	is "samples while it was off" "$(self hidden)" 0
	is "calls while it was off" "$(calls hidden)" 0
	for worker in worker_a worker_b worker_c worker_d; do
		share $worker 0.25
	done
	test_end
}

begin 5
big
threads
finish
