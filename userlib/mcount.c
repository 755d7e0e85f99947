// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * mcount and __fentry__: what the compiler calls at the entry of each function
 * under -pg, after its frame is set up or, with -mfentry, before.
 *
 * Compiled as arcs.c is.
 */
#include <stdint.h>

#include "gmon.h"
#include "internal.h"

#if defined(__x86_64__)

/*
 * All registers that can hold an argument are kept: those for integers here,
 * the others by libprofil_count_call(), which uses none.
 */
#define SAVE								\
	"movq %rax, (%rsp)\n\t"						\
	"movq %rcx, 8(%rsp)\n\t"					\
	"movq %rdx, 16(%rsp)\n\t"					\
	"movq %rsi, 24(%rsp)\n\t"					\
	"movq %rdi, 32(%rsp)\n\t"					\
	"movq %r8, 40(%rsp)\n\t"					\
	"movq %r9, 48(%rsp)\n\t"					\
	"movq %r10, 56(%rsp)\n\t"

#define RESTORE								\
	"movq (%rsp), %rax\n\t"						\
	"movq 8(%rsp), %rcx\n\t"					\
	"movq 16(%rsp), %rdx\n\t"					\
	"movq 24(%rsp), %rsi\n\t"					\
	"movq 32(%rsp), %rdi\n\t"					\
	"movq 40(%rsp), %r8\n\t"					\
	"movq 48(%rsp), %r9\n\t"					\
	"movq 56(%rsp), %r10\n\t"

#ifdef __CET__
#define ENTRY	"endbr64\n\t"
#else
#define ENTRY	""
#endif

/* The caller's return address is above the frame's base, ours on the stack. */
__attribute__((naked)) static void mcount_call(void)
{
	__asm__(ENTRY
		"subq $72, %rsp\n\t"
		".cfi_adjust_cfa_offset 72\n\t"
		SAVE
		"movq 8(%rbp), %rdi\n\t"
		"movq 72(%rsp), %rsi\n\t"
		"call libprofil_count_call\n\t"
		RESTORE
		"addq $72, %rsp\n\t"
		".cfi_adjust_cfa_offset -72\n\t"
		"ret");
}

/* Both return addresses are on the stack. */
__attribute__((naked)) static void fentry_call(void)
{
	__asm__(ENTRY
		"subq $64, %rsp\n\t"
		".cfi_adjust_cfa_offset 64\n\t"
		SAVE
		"movq 72(%rsp), %rdi\n\t"
		"movq 64(%rsp), %rsi\n\t"
		"call libprofil_count_call\n\t"
		RESTORE
		"addq $64, %rsp\n\t"
		".cfi_adjust_cfa_offset -64\n\t"
		"ret");
}

OFFER_mcount(mcount_call);
OFFER__mcount(mcount_call);
OFFER___fentry__(fentry_call);

#elif defined(__aarch64__)

/* An ordinary call there: the caller's return address is its argument. */
static void mcount_call(void *from)
{
	libprofil_count_call((uintptr_t)from,
			     (uintptr_t)__builtin_return_address(0));
}

OFFER__mcount(mcount_call);

#else
#error "mcount is not written for this architecture; build with GMON="
#endif
