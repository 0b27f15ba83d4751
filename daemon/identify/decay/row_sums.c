/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/decay/row_sums_loops.h"

void filter_rows(enum lanes_kind kind, const double *coefficient, size_t order, size_t count,
                 double rows[][ROW_COLUMNS], double outer[ROW_COLUMNS][ROW_COLUMNS])
{
    row_sums_loops_of(kind)->filter(coefficient, order, count, rows, outer);
}
