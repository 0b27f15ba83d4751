# SPDX-License-Identifier: GPL-3.0-or-later
# The configuration of a service: an administrator's file, never overwritten, removed only when it is still ours.
EXTRA_DIST += etc/fricid.conf
install-data-local:
	$(MKDIR_P) "$(DESTDIR)$(sysconfdir)/fricid"
	@conf="$(DESTDIR)$(sysconfdir)/fricid/fricid.conf"; \
	if test -e "$$conf"; then echo "keeping $$conf as it is"; \
	else set -x; $(INSTALL_DATA) $(srcdir)/etc/fricid.conf "$$conf"; fi
uninstall-local:
	@conf="$(DESTDIR)$(sysconfdir)/fricid/fricid.conf"; \
	if cmp -s $(srcdir)/etc/fricid.conf "$$conf"; then set -x; rm -f "$$conf"; fi

examplesdir = $(docdir)/examples
dist_examples_DATA = etc/simulated.conf

dist_udevrules_DATA = etc/60-fricid.rules
