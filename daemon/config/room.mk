# SPDX-License-Identifier: GPL-3.0-or-later
libdaemon_a_SOURCES += \
	daemon/config/configuration.c daemon/config/configuration.h \
	daemon/config/group_settings.h \
	daemon/config/read_channels.c \
	daemon/config/recorded_settings.c daemon/config/recorded_settings.h \
	daemon/config/read_rig.c \
	daemon/config/read_settings.c \
	daemon/config/read_recorder.c \
	daemon/config/read_store.c \
	daemon/config/sections.h \
	daemon/config/written_rig.c daemon/config/written_rig.h

dist_man_MANS += daemon/config/fricid.conf.5

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_configuration tests/unit/test_configuration_documents \
	tests/unit/test_configuration_memory
TESTS += tests/unit/test_configuration tests/unit/test_configuration_documents tests/unit/test_configuration_memory
endif
tests_unit_test_configuration_SOURCES = tests/unit/test_configuration.c \
	tests/unit/configuration_file.c tests/unit/configuration_file.h
tests_unit_test_configuration_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_configuration_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_configuration_documents_SOURCES = tests/unit/test_configuration_documents.c \
	tests/unit/configuration_file.c tests/unit/configuration_file.h
tests_unit_test_configuration_documents_CPPFLAGS = $(UNIT_CPPFLAGS) $(LIBCONFIG_CFLAGS)
tests_unit_test_configuration_documents_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_configuration_memory_SOURCES = tests/unit/test_configuration_memory.c \
	tests/unit/configuration_file.c tests/unit/configuration_file.h
tests_unit_test_configuration_memory_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_configuration_memory_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=calloc
tests_unit_test_configuration_memory_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
EXTRA_DIST += tests/data/config/every_mistake.conf
TESTS += tests/service/test_check_config.py
EXTRA_DIST += tests/service/test_check_config.py
