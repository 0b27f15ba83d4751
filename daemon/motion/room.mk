# SPDX-License-Identifier: GPL-3.0-or-later
# What segment/, identify/ and the client's picture know of the motion: headers alone.
EXTRA_DIST += daemon/motion/half_cycle_law.h
