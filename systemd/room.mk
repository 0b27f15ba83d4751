# SPDX-License-Identifier: GPL-3.0-or-later
EXTRA_DIST += systemd/fricidd.service.in systemd/fricid.sysusers
CLEANFILES += systemd/fricidd.service

# At make time, because the directories may still hold other variables when configure runs. The @ of the patterns is
# split off, or configure's own substitution would eat it.
systemd/fricidd.service: $(srcdir)/systemd/fricidd.service.in Makefile
	$(AM_V_GEN)$(MKDIR_P) systemd && $(SED) -e 's|[@]sbindir[@]|$(sbindir)|g' -e 's|[@]sysconfdir[@]|$(sysconfdir)|g' \
		-e 's|[@]mandir[@]|$(mandir)|g' \
		$(srcdir)/systemd/fricidd.service.in > $@.tmp && mv $@.tmp $@

if HAVE_SYSTEMD
nodist_systemdsystemunit_DATA = systemd/fricidd.service
dist_systemdsystemunit_DATA = systemd/fricidd.socket

install-exec-local:
	$(MKDIR_P) "$(DESTDIR)$(sysusersdir)"
	$(INSTALL_DATA) $(srcdir)/systemd/fricid.sysusers "$(DESTDIR)$(sysusersdir)/fricid.conf"
uninstall-hook:
	rm -f "$(DESTDIR)$(sysusersdir)/fricid.conf"
endif

TESTS += tests/service/test_units.py
EXTRA_DIST += tests/service/test_units.py
