/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/decay/row_sums_loops.h"

#include "motion/loops.h"

/* In two sums: the latest row, which was only just made, comes last. */
static inline void filter_row(const double *coefficient, size_t order, double *row)
{
    for (int c = 0; c < ROW_COLUMNS; c += LANES) {
        lanes even = {0}, odd = *(const loose *)(row + c);
        const double *earlier = row - order * ROW_COLUMNS + c;
        size_t k = order;
        if (k % 2) {
            odd += coefficient[k - 1] * *(const loose *)earlier;
            earlier += ROW_COLUMNS;
            k--;
        }
        for (; k > 0; k -= 2, earlier += 2 * ROW_COLUMNS) {
            even += coefficient[k - 1] * *(const loose *)earlier;
            odd += coefficient[k - 2] * *(const loose *)(earlier + ROW_COLUMNS);
        }
        *(loose *)(row + c) = even + odd;
    }
}

/* Rows of the outer products that gather at once: in variables of their own, not in an array, so that they stay in
 * registers. ROW_COLUMNS is a multiple of their number. */
#define OUTER_EACH(what) what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7)
#define OUTER_BEGIN(k) lanes sum##k = {0};
#define OUTER_ADD(k) sum##k += rows[i][from + k] * part;
#define OUTER_END(k) *(loose *)(outer[from + k] + column) += sum##k;

static inline void add_outer(size_t count, double rows[][ROW_COLUMNS], int from, int column,
                             double outer[ROW_COLUMNS][ROW_COLUMNS])
{
    OUTER_EACH(OUTER_BEGIN)
    for (size_t i = 0; i < count; i++) {
        const lanes part = *(const loose *)(rows[i] + column);
        OUTER_EACH(OUTER_ADD)
    }
    OUTER_EACH(OUTER_END)
}

static void filter(const double *coefficient, size_t order, size_t count, double rows[][ROW_COLUMNS],
                   double outer[ROW_COLUMNS][ROW_COLUMNS])
{
    for (size_t i = 0; i < count; i++)
        filter_row(coefficient, order, rows[i]);
    for (int from = 0; from < ROW_COLUMNS; from += 8)
        for (int c = 0; c < ROW_COLUMNS; c += LANES)
            add_outer(count, rows, from, c, outer);
}

const struct row_sums_loops LANES_TABLE(row_sums_loops) = {.filter = filter};
