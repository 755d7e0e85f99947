#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What the library offers to a compiler and to a linker: headers that every
# language takes, and symbols that are none but its own.

set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")" || exit 1
userlib=../userlib
shared=$userlib/libprofil.so.1
static=$userlib/libprofil.a

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

number=0
failed=0

# result NAME STATUS: a line of TAP; what is wrong is in $work/log.
result() {
	number=$((number + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $number $1"
		return
	fi
	failed=$((failed + 1))
	sed 's/^/# /' "$work/log"
	echo "not ok $number $1"
}

skip() {
	number=$((number + 1))
	echo "ok $number $1 # SKIP $2"
}

# same NAME EXPECTED: is that what is in $work/seen?
same() {
	printf '%s\n' "$2" >"$work/expected"
	diff "$work/expected" "$work/seen" >"$work/log" 2>&1
	result "$1" $?
}

# takes NAME FILE COMPILER [FLAG]...: no word of complaint about FILE.
takes() {
	name=$1
	file=$2
	shift 2
	if ! command -v "$1" >/dev/null; then
		skip "$name" "no $1"
		return
	fi
	"$@" -Wall -Wextra -Werror -I../uapi -I$userlib -fsyntax-only \
		"$work/$file" >"$work/log" 2>&1
	result "$name" $?
}

# The call is one that old programs make; it must not matter which comes first.
program() {
	for header; do
		echo "#include <$header>"
	done
	cat <<'END'
static unsigned short buf[8];

int main(void)
{
	struct profil_counts counts;

	counts.size = sizeof(counts);
	if (profil(buf, sizeof(buf), 0, 65536))
		return 1;
	return profil_read(&counts);
}
END
}

# A header that is the first one in a file has all it needs.
uapi_program() {
	cat <<'END'
#include <linux/profil.h>

struct profil_info info;
struct profil_start start;
struct profil_set_regions set_regions;
struct profil_counts counts;

int main(void)
{
	return info.size + start.size + set_regions.size + counts.size +
		(PROFIL_IOC_STOP == PROFIL_IOC_READ);
}
END
}

# Names and versions of the dynamic symbols that $shared offers, without the
# versions' own.
dynamic_symbols() {
	objdump -T $shared |
		awk '/^[0-9a-f]+ +[gw] / && !/\*UND\*/ && !/\*ABS\*/ {
			print $NF, $(NF - 1)
		}' | sort
}

program profil.h unistd.h >"$work/before.c"
program unistd.h profil.h >"$work/after.c"
uapi_program >"$work/uapi.c"
for file in before after uapi; do
	cp "$work/$file.c" "$work/$file.cc"
done

languages='
c90:c:gcc -std=gnu90 -pedantic
c11:c:gcc -std=gnu11 -pedantic
c++:cc:g++ -std=c++17
clang:c:clang -std=gnu11
'

echo "TAP version 13"
echo "1..$((3 * $(echo "$languages" | grep -c :) + 5))"

echo "$languages" | grep : >"$work/languages"
while IFS=: read -r language suffix compiler; do
	for file in before after uapi; do
		# shellcheck disable=SC2086 # a command and its flags
		takes "$language.$file" "$file.$suffix" $compiler
	done
done <"$work/languages"

if command -v objdump >/dev/null && command -v nm >/dev/null; then
	# What stands in for the C library is there under that library's
	# versions, too, if it has any: a program that was linked against it
	# must find it here.
	libc=$(gcc -print-file-name=libc.so.6)
	names='__monstartup _Exit _exit _mcleanup _mcount moncontrol monstartup
	       profil sprofil'
	# What a compiler can be told to call instead of _mcount.
	[ "$(uname -m)" != x86_64 ] || names="$names __fentry__ mcount"
	for name in $names; do
		objdump -T "$libc" |
			sed -n "s/.*[ (]\(GLIBC_[0-9.]*\))* *$name\$/$name (\1)/p"
		echo "$name PROFIL_1.0"
	done >"$work/offered"
	echo 'profil_read PROFIL_1.0' >>"$work/offered"
	dynamic_symbols | sort >"$work/seen"
	same exports "$(sort "$work/offered")"

	# In the archive, what the files share has a prefix of its own.
	nm -g --defined-only $static | sed -n 's/.* [A-Z] //p' |
		grep -v '^libprofil_' | sort >"$work/seen"
	# shellcheck disable=SC2086 # a list
	same static_exports "$(printf '%s\n' $names profil_read | sort)"

	objdump -p $shared | sed -n 's/ *SONAME *//p' >"$work/seen"
	same soname libprofil.so.1

	objdump -p $shared | sed -n 's/ *NEEDED *//p' >"$work/seen"
	same needs libc.so.6

	# Nobody may execute the stack because of us.
	objdump -p $shared | sed -n '/STACK/{n;s/.*flags //p;}' >"$work/seen"
	same stack rw-
else
	for name in exports static_exports soname needs stack; do
		skip $name "no binutils"
	done
fi

[ $failed -eq 0 ]
