# SPDX-License-Identifier: GPL-3.0-or-later
libdaemon_a_SOURCES += \
	daemon/acquire/calibration.h \
	daemon/acquire/recording_source.h \
	daemon/acquire/simulated_rig.h \
	daemon/acquire/source.h
