# SPDX-License-Identifier: GPL-3.0-or-later
libdaemon_a_SOURCES += \
	daemon/segment/decay.h \
	daemon/segment/scan_block.h \
	daemon/segment/segmenter.h
