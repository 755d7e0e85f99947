#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What becomes of the profile of a -pg program that is killed or finds something
# in the way of its file; and profil-gmon.

set -u
cd "$(dirname "$0")" || exit 1
# shellcheck source=gprof/lib.sh
. gprof/lib.sh

# The output file has gone with its directory: what is in memory stays.
places() {
	test_begin deleted_directory
	mkdir gone
	run sh -c 'cd gone && echo $$ >../pid && exec "$@"' sh \
		"$process" rmdir "$unit" ../gone
	pid=$(cat pid)
	state=/dev/shm/profil-gmon.$(id -u).$pid
	is status $status 0
	is "messages" "$(grep -c "libprofil: cannot write .*$state" err)" 1
	recover
	worked 60
	test_end

	test_begin deleted_output
	process unlink gmon.out
	is status $status 0
	profile "$process" gmon.out
	worked 60
	nothing_left
	test_end
}

# Not half a file without a word.
full_disk() {
	test_begin full_file_system
	mkdir full
	if [ "$(id -u)" -ne 0 ] || ! mount -t tmpfs -o size=64k none full; then
		test_skip "cannot mount"
		return
	fi
	head -c 65536 /dev/zero >full/filler 2>/dev/null
	PROFIL_GMON_DIR=full process exit
	umount full
	is status $status 0
	is "messages" "$(grep -c "libprofil: cannot write .*$state" err)" 1
	recover
	worked 30
	test_end
}

# What is in the way is left alone.
planted() {
	test_begin symbolic_link
	echo victim >victim
	ln -s victim gmon.out
	in_the_way
	test_end

	test_begin dangling_link
	ln -s absent gmon.out
	echo victim >victim
	in_the_way
	[ ! -e absent ] || wrong "a file was made"
	test_end

	test_begin hard_link
	echo victim >victim
	ln victim gmon.out
	in_the_way
	test_end

	test_begin fifo
	echo victim >victim
	mkfifo gmon.out
	in_the_way
	test_end

	# A reader is there: nothing may arrive.
	test_begin fifo_with_a_reader
	echo victim >victim
	mkfifo gmon.out
	exec 3<>gmon.out
	process exit
	is status $status 0
	dd if=gmon.out of=arrived iflag=nonblock 2>/dev/null
	exec 3<&-
	is "bytes in the fifo" "$(stat -c %s arrived)" 0
	rm -f "$state"
	test_end

	test_begin directory_in_the_way
	echo victim >victim
	mkdir gmon.out
	in_the_way
	is "files in it" "$(ls -A gmon.out)" ""
	test_end
}

in_the_way() {
	process exit
	is status $status 0
	is victim "$(cat victim)" victim
	is "messages" "$(grep -c 'libprofil: cannot write .*gmon.out' err)" 1
	recover
	worked 30
}

ends() {
	test_begin underscore_exit
	process _exit
	is status $status 0
	profile "$process" gmon.out
	worked 30
	nothing_left
	test_end

	for mode in abort kill quick_exit; do
		test_begin $mode
		process $mode
		recover
		worked 30
		test_end
	done

	for mode in closefrom reuse; do
		test_begin $mode
		process $mode
		is status $status 0
		profile "$process" gmon.out
		worked 60
		nothing_left
		# Nothing went to where the descriptor has pointed later.
		is lines "$(wc -l <out)" 2
		test_end
	done
}

module_missing() {
	test_begin module_missing
	ko=$(find /run/lab -name '*.ko' 2>/dev/null | head -n 1)
	if [ -z "$ko" ] || ! rmmod profil 2>/dev/null; then
		test_skip "cannot unload the module"
		return
	fi
	process exit
	insmod "$ko" || wrong "cannot load $ko again"
	is status $status 0
	is stderr "$(cat err)" \
		"libprofil: no kernel samples: /dev/profil: No such file or directory"
	profile "$process" gmon.out
	is calls "$(calls work)" 30
	is time "$(self work)" 0
	nothing_left
	test_end
}

# refuses FILE: says so, changes nothing.
refuses() {
	timeout 60 "$profil_gmon" -o written "$1" >out 2>err
	is "status for $1" $? 1
	is "lines for $1" "$(wc -l <err)" 1
	[ ! -e written ] || wrong "$1: something was written"
	[ -e "$1" ] || [ -L "$1" ] || [ "$1" = absent ] || wrong "$1: it is gone"
}

recovery() {
	test_begin profil_gmon_refuses
	process kill
	cp "$state" good
	head -c 100000 /dev/urandom >garbage
	: >empty
	head -c 100 good >short
	head -c -1 good >truncated
	{ cat good && echo; } >long
	cp good version && printf '\377' | dd of=version bs=1 seek=8 conv=notrunc 2>/dev/null
	mkfifo fifo
	mkdir directory
	ln -s good link
	for file in garbage empty short truncated long version fifo directory link absent; do
		refuses $file
	done
	ln -s victim written2 && echo victim >victim
	"$profil_gmon" -k -o written2 "$state" 2>/dev/null && wrong "follows a link"
	is victim "$(cat victim)" victim
	recover
	test_end

	test_begin profil_gmon_options
	process kill
	"$profil_gmon" -k "$state" || wrong "-k fails"
	[ -e "$state" ] || wrong "-k removes"
	profile "$process" gmon.out
	worked 30
	"$profil_gmon" >out 2>err
	is "status without a file" $? 2
	"$profil_gmon" -h >out 2>err
	is "status of -h" $? 0
	"$profil_gmon" -x "$state" >out 2>err
	is "status of -x" $? 2
	recover
	test_end

	test_begin profil_gmon_on_damage
	process kill
	"$programs/fuzz" "$state" 300 >out 2>err || wrong "it crashes"
	note "$(cat out)"
	grep -v '^profil-gmon: ' err >complaints && wrong "$(head -n 3 complaints)"
	rm -f "$state"
	test_end
}

begin 19
places
full_disk
planted
ends
module_missing
recovery
finish
