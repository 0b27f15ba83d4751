# SPDX-License-Identifier: GPL-3.0-or-later
# Threads and their queues; what a job does is not their business.
libdaemon_a_SOURCES += \
	daemon/worker/job.h \
	daemon/worker/mailbox.c daemon/worker/mailbox.h \
	daemon/worker/worker.c daemon/worker/worker.h

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_worker
TESTS += tests/unit/test_worker
tests_unit_test_worker_SOURCES = tests/unit/test_worker.c
tests_unit_test_worker_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_worker_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
endif
