# SPDX-License-Identifier: GPL-3.0-or-later
# The configuration of a service: an administrator's file, never overwritten, removed only when it is still ours. Its
# example recording is where `make install` puts it.
EXTRA_DIST += etc/fricid.conf
noinst_DATA += etc/installed.conf
CLEANFILES += etc/installed.conf
etc/installed.conf: $(srcdir)/etc/fricid.conf Makefile
	$(AM_V_GEN)$(MKDIR_P) etc && $(SED) -e 's|"\.\./tests/data/|"$(examplesdir)/|' $(srcdir)/etc/fricid.conf > $@.tmp \
		&& mv $@.tmp $@

install-data-local: etc/installed.conf
	$(MKDIR_P) "$(DESTDIR)$(sysconfdir)/fricid"
	@conf="$(DESTDIR)$(sysconfdir)/fricid/fricid.conf"; \
	if test -e "$$conf"; then echo "keeping $$conf as it is"; \
	else set -x; $(INSTALL_DATA) etc/installed.conf "$$conf"; fi
uninstall-local: etc/installed.conf
	@conf="$(DESTDIR)$(sysconfdir)/fricid/fricid.conf"; \
	if cmp -s etc/installed.conf "$$conf"; then set -x; rm -f "$$conf"; fi

examplesdir = $(docdir)/examples
dist_examples_DATA = etc/simulated.conf tests/data/bearing_three_releases.csv

dist_udevrules_DATA = etc/60-fricid.rules
