#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# versions.sh LIBC NAME...: writes versions.h, by which libprofil.so offers each
# NAME as the C library at hand does, and versions.map, the linker's list of
# those versions.

set -eu
libc=$1
shift
nodes=
{
	echo '/* Made by versions.sh. */'
	echo '#ifdef LIBPROFIL_SHARED'
	for name; do
		version=$(objdump -T "$libc" 2>/dev/null |
			sed -n "s/.*[ (]\(GLIBC_[0-9.]*\))* *$name\$/\1/p" | head -n 1)
		if [ -n "$version" ]; then
			echo "#define OFFER_$name(function) offer_both(function, $name, \"$version\")"
			case " $nodes" in
			*" $version "*) ;;
			*) nodes="$nodes$version " ;;
			esac
		else
			echo "#define OFFER_$name(function) offer_own(function, $name)"
		fi
	done
	echo '#else'
	for name; do
		echo "#define OFFER_$name(function) offer_own(function, $name)"
	done
	echo '#endif'
} > versions.h
for version in $nodes; do
	echo "$version { };"
done > versions.map
