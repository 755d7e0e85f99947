#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# formula_table.h is what its script works out.

cd "$(dirname "$0")" || exit 1

echo "TAP version 13"
echo "1..1"
if ! command -v python3 >/dev/null; then
	echo "ok 1 formula_table # SKIP no python3"
	exit
fi
work=$(mktemp) || exit 1
trap 'rm -f "$work"' EXIT
if python3 formula_table.py >"$work" && diff "$work" formula_table.h >&2; then
	echo "ok 1 formula_table"
else
	echo "not ok 1 formula_table"
	exit 1
fi
