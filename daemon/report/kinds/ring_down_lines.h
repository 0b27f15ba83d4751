/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_KINDS_RING_DOWN_LINES_H
#define FRICID_KINDS_RING_DOWN_LINES_H

#include "report/field.h"

/* Of struct dead_sensor, of struct steady_line and of struct left_line. */
extern const struct section ring_down_dead_table, ring_down_line_table, ring_down_left_table;

#endif
