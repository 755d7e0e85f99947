# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# What the tests of -pg programs share: TAP, and numbers from gprof's own
# output.  Sourced in selftests/.

LC_ALL=C
export LC_ALL
umask 022
unset GMON_OUT_PREFIX PROFIL_GMON PROFIL_GMON_DIR LD_PRELOAD

here=$(pwd)
programs=$here/gprof
# shellcheck disable=SC2034 # for those that read this file
library=$here/../userlib/libprofil.so.1
profil_gmon=$here/../tools/profil-gmon

# Nothing is said on stdout before the plan.
begin() {
	echo "TAP version 13"
	if [ ! -e /dev/profil ]; then
		echo "1..0 # SKIP no /dev/profil: the module is not loaded"
		exit 4
	fi
	for tool in gprof nm awk; do
		command -v $tool >/dev/null && continue
		echo "1..0 # SKIP no $tool"
		exit 4
	done
	echo "1..$1"
	work=$(mktemp -d) || exit 1
	trap 'rm -rf "$work"' EXIT
	# For programs that are not root's.
	chmod 755 "$work"
	unit=$(PROFIL_GMON=off "$programs/pie")
	number=0
	failed=0
	name=
}

# test NAME: what follows is about NAME, in a directory of its own.
test_begin() {
	name=$1
	number=$((number + 1))
	bad=
	mkdir "$work/$name" && cd "$work/$name" || exit 1
}

# wrong TEXT...: the test fails.
wrong() {
	bad=y
	echo "# $name: $*"
}

note() { echo "# $name: $*"; }

test_end() {
	if [ "$bad" ]; then
		failed=$((failed + 1))
		sed 's/^/# stderr: /' err 2>/dev/null
		echo "not ok $number $name"
	else
		echo "ok $number $name"
	fi
	cd "$here" || exit 1
}

test_skip() {
	echo "ok $number $name # SKIP $1"
	cd "$here" || exit 1
}

finish() { [ "$failed" -eq 0 ]; }

# is WHAT FOUND WANTED
is() { [ "$2" = "$3" ] || wrong "$1 is '$2', not '$3'"; }

# holds WHAT EXPRESSION: an expression of awk's.
holds() { awk "BEGIN { exit !($2) }" || wrong "$1: not $2"; }

# Hundredths of a second that all CPUs have been ticked for, and that went by.
# See work.h: the difference is what the machine lost.
account() {
	awk 'FILENAME == "/proc/uptime" { up = $1; next }
	     /^cpu[0-9]/ { cpus++; for (i = 2; i <= 8; i++) ticked += $i }
	     END { printf "%.2f\n", cpus * up - ticked / 100 }' \
		/proc/uptime /proc/stat
}

# run PROGRAM [ARG]...: its output in out, err; status; seconds lost meanwhile.
run() {
	before=$(account)
	"$@" >out 2>err
	# shellcheck disable=SC2034 # for the caller
	status=$?
	lost=$(account | awk -v before="$before" \
		'{ lost = $1 - before; print (lost > 0 ? lost : 0) }')
}

# profile PROGRAM GMON...: gprof's flat profile into the file flat, as "function
# seconds calls", and its call graph into graph, as "caller callee calls".
profile() {
	gprof -b "$@" >gprof.out 2>&1 || wrong "gprof fails"
	awk '
		/^\f/ { exit }
		/^ *time +seconds/ { on = 1; next }
		on && NF == 7 { print $7, $3, $4; next }
		on && NF == 4 { print $4, $3, 0; next }
		on && NF { print }' gprof.out >flat
	# An entry has callers, the function itself behind a [, its callees.
	awk '
		/^index % time/ { on = 1; next }
		!on { next }
		/^-+$/ { n = 0; next }
		/^\[/ { while (n) { print from[n], $(NF - 1), many[n]; n-- }
			n = -1; next }
		n >= 0 && NF == 5 { split($3, part, "/")
				   from[++n] = $4; many[n] = part[1] }
	' gprof.out >graph
}

# From a flat profile in the file flat: of function $1.
self() { awk -v f="$1" '$1 == f { s = $2 } END { print s + 0 }' flat; }
calls() { awk -v f="$1" '$1 == f { s = $3 } END { printf "%s\n", s ? s : 0 }' flat; }
total() { awk '{ s += $2 } END { printf "%.2f\n", s }' flat; }

# Samples outside the program, as its message in err says.
outside() {
	sed -n 's/^libprofil: .*: \([0-9]*\) of [0-9]* samples were outside.*/\1/p' err |
		tail -n 1 | grep . || echo 0
}

# calls_from CALLER CALLEE, in the call graph.
calls_from() {
	awk -v from="$1" -v to="$2" '
		$1 == from && $2 == to { n = $3 } END { print n ? n : 0 }' graph
}

# all_is_seen CPU: does the profile in flat, and what was outside, make up CPU
# seconds?  As in work.h: 2 % and three ticks, and what was lost, and /proc/stat
# counts in hundredths.
all_is_seen() {
	seen=$(awk -v inside="$(total)" -v outside="$(outside)" \
		'BEGIN { print inside + outside / 100 }')
	note "$seen s of $1 s, $lost s lost by the machine"
	holds "time seen" "$seen <= $1 * 1.02 + 0.012 + 0.01 && \
			   $seen >= $1 * 0.98 - 0.012 - 0.07 - $lost"
}

# share FUNCTION PART: is FUNCTION's share of all that is in flat PART?  Samples
# are binomial at most: 5.5 standard deviations, as in work.h.
share() {
	part=$(self "$1")
	all=$(total)
	holds "$1's share $part of $all" \
		"($part - $2 * $all) ^ 2 * 10000 <= \
		 (5.5 * sqrt($all * 100 * $2 * (1 - $2)) + 1) ^ 2"
}

# What follows is about process.c.

process=$programs/process

# start PROGRAM [ARG]...: as run, with the process's number in pid, and where
# its state is in memory, in state.
start() {
	run sh -c 'echo $$ >pid; exec "$@"' sh "$@"
	pid=$(cat pid)
	state=/dev/shm/profil-gmon.$(id -u).$pid
}

# process MODE [ARG]: process.c, with as much work as is enough to be seen.
process() {
	mode=$1
	shift
	start "$process" "$mode" "$unit" "$@"
}

# took FUNCTION SECONDS: is that its time?
took() {
	time=$(self "$1")
	holds "time of $1" "$time <= $2 * 1.02 + 0.012 + 0.01 && \
			    $time >= $2 * 0.96 - 0.012 - 0.07 - $lost"
}

# worked CALLS: is that how often work() was called, and its time right?
worked() {
	is "calls of work" "$(calls work)" "$1"
	took work "$(sed -n 's/^cpu //p' out | tail -n 1)"
}

# All but the header, two pages.
memory_is_free() {
	[ ! -e "$state" ] ||
		holds "memory of $state" "$(stat -c %b "$state") * 512 <= 2 * $(getconf PAGESIZE)"
}

nothing_left() {
	[ ! -e "$state" ] || wrong "$state is left"
	rm -f "$state"
}

# recover [-k]: with profil-gmon, what a killed program has left.
recover() {
	[ -e "$state" ] || wrong "there is no $state"
	"$profil_gmon" "$@" -o recovered "$state" || wrong "profil-gmon fails"
	[ $# -gt 0 ] || nothing_left
	profile "$process" recovered
}
