/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_ROW_SUMS_H
#define FRICID_IDENTIFY_ROW_SUMS_H

#include "identify/decay/decay_parameter.h"
#include "motion/lanes.h"

#include <stddef.h>

/* Rows of a Jacobian, a column a parameter, as long as whole vectors of the widest kind; what is behind the last
 * parameter is 0. As many at a time as a walk hands over. */
enum { ROW_COLUMNS = (FIT_PARAMETERS + 7) / 8 * 8, ROWS_MOST = 64 };

/* An autoregressive filter over rows: each becomes itself plus the sum of coefficient[k] times the filtered row k + 1
 * before it. The `order` rows before the first, already filtered, must be there. Adds the filtered rows' sum of outer
 * products to outer. */
void filter_rows(enum lanes_kind kind, const double *coefficient, size_t order, size_t count,
                 double rows[][ROW_COLUMNS], double outer[ROW_COLUMNS][ROW_COLUMNS]);

#endif
