#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What becomes of the profile of a -pg program that forks, calls exec or gives
# its rights away, and what its environment can ask for.

set -u
cd "$(dirname "$0")" || exit 1
# shellcheck source=gprof/lib.sh
. gprof/lib.sh

# Children that leave by exit() and by _exit().
forks() {
	for mode in fork fork_exit; do
		test_begin $mode
		process $mode
		is status $status 0
		child=$(sed -n 's/^pid //p' out)
		is files "$(echo gmon.*)" "gmon.out gmon.out.$child"
		profile "$process" gmon.out
		worked 30
		is "calls of the child's work" "$(calls child_work)" 0
		is "time of the child's work" "$(self child_work)" 0
		profile "$process" "gmon.out.$child"
		is "calls of the parent's work" "$(calls work)" 0
		is "time of the parent's work" "$(self work)" 0
		is "calls of the child's work" "$(calls child_work)" 60
		took child_work "$(sed -n 's/^child //p' out)"
		nothing_left
		test_end
	done

	# As many calls again, after the child.
	for mode in vfork vfork_exec; do
		test_begin $mode
		process $mode
		is status $status 0
		is files "$(echo gmon.*)" "gmon.out"
		profile "$process" gmon.out
		worked 60
		nothing_left
		test_end
	done
}

execs() {
	test_begin exec
	process exec /bin/sh
	is status $status 0
	is "output of the new program" "$(tail -n 1 out)" "done"
	recover
	worked 30
	test_end

	# The new program has the same number and begins anew.
	test_begin exec_of_a_profiled_program
	printf '#!/bin/sh\nexec "%s" exit "%s"\n' "$process" "$unit" >again
	chmod +x again
	process exec ./again
	is status $status 0
	profile "$process" gmon.out
	worked 30
	nothing_left
	test_end
}

# As long as it runs, no signal or timer has anything to do with it.
signals() {
	test_begin no_signal_no_timer
	process signals
	is status $status 0
	is timer "$(sed -n 's/^timer //p' out)" "0 0"
	caught=$(sed -n 's/^caught //p' out)
	is "SIGPROF caught" $((0x$caught >> 26 & 1)) 0
	test_end
}

environment() {
	test_begin prefix
	GMON_OUT_PREFIX=named process exit
	is files "$(echo ./*gmon* ./named*)" "./*gmon* ./named.$pid"
	profile "$process" "named.$pid"
	worked 30
	test_end

	test_begin directory
	mkdir sub
	PROFIL_GMON_DIR=sub process exit
	is files "$(echo sub/* gmon*)" "sub/gmon.out gmon*"
	profile "$process" sub/gmon.out
	worked 30
	test_end

	test_begin prefix_in_directory
	mkdir sub
	PROFIL_GMON_DIR=sub GMON_OUT_PREFIX=named process exit
	is files "$(echo sub/* gmon*)" "sub/named.$pid gmon*"
	test_end

	test_begin off
	PROFIL_GMON=off process exit
	is status $status 0
	is files "$(echo gmon*)" "gmon*"
	is stderr "$(cat err)" ""
	nothing_left
	test_end

	test_begin overwrites_its_own
	head -c 1000000 /dev/zero >gmon.out
	process exit
	profile "$process" gmon.out
	worked 30
	holds size "$(stat -c %s gmon.out) < 1000000"
	test_end
}

# as_nobody COMMAND [ARG]...
as_nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$@"
}

is_root() { [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; }

rights() {
	test_begin set_user_id
	cp "$process" program && chmod 4755 program
	mkdir open && chmod 777 open && cd open || exit 1
	if ! is_root; then
		test_skip "needs root and setpriv"
	elif [ "$(as_nobody ../program exit 1 >/dev/null 2>&1; echo gmon*)" != 'gmon*' ]; then
		wrong "a gmon.out is there"
		test_end
	else
		# Nor what the environment asks for.
		as_nobody env GMON_OUT_PREFIX=/tmp/named ../program exit 1 \
			>out 2>err || wrong "status $?"
		is files "$(echo gmon* /tmp/named*)" "gmon* /tmp/named*"
		is stderr "$(cat err)" ""
		# The same program, when nothing is special about it.
		chmod 755 ../program
		as_nobody ../program exit 1 >out 2>err
		is files "$(echo gmon*)" gmon.out
		test_end
	fi

	test_begin dropped_rights
	if is_root; then
		process drop
		is status $status 0
		profile "$process" gmon.out
		worked 60
		is owner "$(stat -c %u gmon.out)" 0
		# It may not remove the name, but gives the memory back.
		memory_is_free
		rm -f "$state"
		test_end
	else
		test_skip "needs root"
	fi

	test_begin chroot
	mkdir jail
	if is_root; then
		process chroot jail
		is status $status 0
		profile "$process" gmon.out
		worked 60
		is "files in the new root" "$(ls -A jail)" ""
		memory_is_free
		rm -f "$state"
		test_end
	else
		test_skip "needs root"
	fi
}

begin 15
forks
execs
signals
environment
rights
finish
