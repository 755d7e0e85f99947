# SPDX-License-Identifier: GPL-2.0
# make            the module for the running kernel (or KDIR=), libprofil, tools
# make install    all of them, headers and man pages; DESTDIR= PREFIX=
# make check      all selftests on a kernel in an emulator
# make check-all  the same on every kernel and machine, as a table: 3 hours
# make lint       static checks
# make demo       a real program's profile, on a kernel in an emulator
# make bench      what it costs and how right it is, beside others: 45 minutes

VERSION := 1.0

KDIR ?= /lib/modules/$(shell uname -r)/build
PREFIX ?= /usr/local
MANDIR ?= $(PREFIX)/share/man
export VERSION DESTDIR PREFIX

all: module lib tools

module: $(KDIR)/Makefile
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

$(KDIR)/Makefile:
	@echo >&2 "No kernel headers in $(KDIR): install the headers of the kernel that is to load the module, or say where they are by KDIR=. (make check and make demo need none: they bring a kernel.)"
	@false

lib:
	$(MAKE) -C userlib

tools:
	$(MAKE) -C tools

# Cleaned without the kernel's headers, which may be gone.
KBUILD_OUTPUT_FILES = $(wildcard *.o *.ko *.mod *.mod.c .*.cmd .*.o .*.d \
	Module.symvers modules.order \
	module/*.o module/*.mod module/.*.cmd module/.*.d)

MAN := $(wildcard Documentation/*.[1-9])
man_path = $(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $(1)))/$(notdir $(1))

install: module lib tools
	$(MAKE) -C userlib install
	$(MAKE) -C tools install
	$(foreach page,$(MAN),install -D -m 644 $(page) $(call man_path,$(page)) &&) :
	$(MAKE) -C $(KDIR) M=$(CURDIR) INSTALL_MOD_PATH=$(DESTDIR) \
		INSTALL_MOD_DIR=updates CONFIG_MODULE_SIG_ALL= DEPMOD=true \
		modules_install
	[ -n "$(DESTDIR)" ] || depmod $$(modinfo -F vermagic profil.ko | cut -d" " -f1)

uninstall:
	$(MAKE) -C userlib uninstall
	$(MAKE) -C tools uninstall
	rm -f $(foreach page,$(MAN),$(call man_path,$(page)))
	rm -f $(DESTDIR)/lib/modules/*/updates/profil.ko*
	[ -n "$(DESTDIR)" ] || depmod -a

check:
	selftests/check

check-all:
	selftests/check-all

lint:
	tools/lint

demo:
	tools/demo

bench:
	tools/bench

clean:
	rm -f $(KBUILD_OUTPUT_FILES)
	$(MAKE) -C userlib clean
	$(MAKE) -C tools clean
	$(MAKE) -C selftests clean
	rm -rf build-arm64

.PHONY: all module lib tools install uninstall check check-all lint demo bench clean
