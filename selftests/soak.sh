#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Loading and unloading over and over, and very many sessions.  It removes the
# module, so it is none of the ordinary tests.  Some minutes by
#
#	selftests/vm/run --exact --mem 3072 -- selftests/soak.sh [LOADS]
#
# Without --exact, which is for the cost of a tick, that is skipped.

# shellcheck disable=SC2317,SC2154 # called by becomes; crowd: see that
set -u
export LC_ALL=C
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
module=/run/lab/profil.ko
sessions=/sys/kernel/debug/profil/sessions
parameters=/sys/module/profil/parameters

# The kernel takes its time to remove the hook: on average more than a second.
loads=${1:-100}
processes=1000
each=10
# Instructions by which a tick may differ: those of a few more sessions in a
# bucket of the module's hash, and the clock's own adjustments.
tolerance=50

echo "TAP version 13"
[[ -e $module && $EUID == 0 ]] || {
	echo "1..0 # SKIP not root, or no $module to load"
	exit 4
}
echo "1..5"
die() { echo "Bail out! $*"; exit 1; }

# The benchmarks' programs, and what runs them.
build=$(mktemp -d "${TMPDIR:-/tmp}/profil-soak.XXXXXX") || die "cannot make a temporary directory"
trap 'rm -rf "$build"' EXIT
bench=$here/../tools/bench.d
for name in load crowd; do
	gcc -O2 -I"$here/../uapi" -pthread -static -no-pie -o "$build/$name" "$bench/$name.c" ||
		die "$name does not build"
done
for file in table profilers crowd; do
	# shellcheck source=/dev/null
	. "$bench/$file"
done

number=0 failed=0
# result NAME: ok if nothing was complained of since the last one.
complaints=()
complain() { complaints+=("$*"); }
result() {
	((number++))
	if ((${#complaints[@]})); then
		printf '# %s\n' "${complaints[@]}"
		echo "not ok $number $1"
		((failed++))
	else
		echo "ok $number $1"
	fi
	complaints=()
}

listed() { grep -vc '^id' "$sessions"; }

# Ticks of the session that is listed first.
session_ticks() {
	local fields
	{ read -r && read -ra fields; } <"$sessions" && echo "${fields[7]}"
}

# "$@" is so within 200 s: the guest's clock leaps when it waits for the host.
becomes() {
	local end=$((SECONDS + 200))
	until "$@"; do
		((SECONDS < end)) || return
		sleep 0.01
	done
}

is_ticked() { (($(session_ticks) > 0)); }
are_listed() { (($(listed) == $1)); }

pinned() {
	echo 1 >/proc/sys/vm/stat_refresh
	awk '/^nr_foll_pin_acquired/ { n += $2 } /^nr_foll_pin_released/ { n -= $2 }
	     END { print n }' /proc/vmstat
}

# Loads the module, profiles a process, kills it, removes the module.
cycle() {
	local child
	insmod "$module" || { complain "cycle $1: does not load"; return 1; }
	"$build/load" -r 1 cpu 1000000000000 &
	child=$!
	becomes are_listed 1 && becomes is_ticked || complain "cycle $1: no tick of the process"
	kill -KILL "$child"
	wait "$child" 2>/dev/null
	are_listed 0 || complain "cycle $1: a session is left"
	rmmod profil || { complain "cycle $1: cannot be removed"; return 1; }
}

cycles() {
	local i pins
	rmmod profil || { complain "the module is in use"; return; }
	pins=$(pinned)
	for ((i = 1; i <= loads; i++)); do
		cycle "$i" || break
	done
	echo "# $((i - 1)) cycles in $SECONDS s"
	[[ $(pinned) == "$pins" ]] || complain "$(($(pinned) - pins)) pages are pinned still"
	[[ -e /sys/module/profil ]] || insmod "$module" || complain "does not load"
}

# Processes go on, or end at that moment, when the module that profiled them
# does: it is not to leave anything with them.
living() {
	local i
	for ((i = 1; i <= 20; i++)); do
		crowd_begin 20 1
		crowd_stop
		if ((i % 2)); then
			rmmod profil || complain "cannot be removed while processes live"
			crowd_leave
		else
			kill "$crowd"
			rmmod profil || complain "cannot be removed while processes end"
			wait "$crowd" 2>/dev/null
		fi
		insmod "$module" || { complain "does not load"; return; }
	done
}

crowd_end() {
	crowd_leave
	becomes are_listed 0 || complain "$(listed) sessions are left"
}

# refused ERROR PROCESSES SESSIONS: one of the sessions is, and says why.
refused() {
	local said
	said=$(echo | "$build/crowd" "$2" "$3" 2>&1) && complain "$2 x $3 sessions were had"
	[[ $said == *"$1"* ]] || complain "instead of '$1': $said"
}

limits() {
	local pins most=$((processes * each))
	pins=$(pinned)
	echo "$most" >$parameters/user_sessions
	refused "Too many open files" 1 $(($(<$parameters/process_sessions) + 1))
	crowd_begin "$processes" "$each"
	are_listed "$most" || complain "$(listed) sessions are listed"
	refused "Too many users" 1 1
	full=$(ticks)
	crowd_end
	[[ $(pinned) == "$pins" ]] || complain "$(($(pinned) - pins)) pages are pinned still"
	# Room for all again: none was forgotten.
	echo 1 >$parameters/user_sessions
	crowd_begin 1 1
	refused "Too many users" 1 1
	crowd_end
}

# Of a process that is not profiled, while others are.
cost() {
	local one again
	crowd_begin 1 1
	one=$(ticks)
	again=$(ticks)
	crowd_end
	echo "# instructions of a tick: $one and $again with 1 session, $full with $((processes * each))"
	((one - again <= 20 && again - one <= 20)) || return
	((full - one <= tolerance && one - full <= tolerance)) || complain "a tick costs more"
	measured=y
}

cycles
result loads
living
result living
limits
result limits
measured=''
cost
if [[ $measured ]]; then
	result cost
else
	echo "ok $((++number)) cost # SKIP this machine does not count instructions"
fi
rmmod profil || complain "cannot be removed"
insmod "$module" || complain "does not load"
result unload
exit $((failed > 0))
