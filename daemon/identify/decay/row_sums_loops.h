/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_ROW_SUMS_LOOPS_H
#define FRICID_IDENTIFY_ROW_SUMS_LOOPS_H

#include "identify/decay/row_sums.h"

/* The loops of row_sums.c. */
struct row_sums_loops {
    void (*filter)(const double *coefficient, size_t order, size_t count, double rows[][ROW_COLUMNS],
                   double outer[ROW_COLUMNS][ROW_COLUMNS]);
};

LANES_TABLES(row_sums_loops)

#endif
