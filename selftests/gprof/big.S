/* SPDX-License-Identifier: GPL-2.0 */
/* 72 MiB of code that nobody calls. */
	.text
	.globl	nobody
	.type	nobody, @function
nobody:
	.skip	72 << 20
	.size	nobody, . - nobody

	.section .note.GNU-stack, "", @progbits
