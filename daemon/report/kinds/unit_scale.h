/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_KINDS_UNIT_SCALE_H
#define FRICID_KINDS_UNIT_SCALE_H

#include "proto/text_piece.h"

/* Units of the unit `of` of a column that one unit of a file has, 1e3 for "kN" of "N". NAN: it measures something
 * else. */
double unit_scale(const char *of, struct text_piece unit);

#endif
