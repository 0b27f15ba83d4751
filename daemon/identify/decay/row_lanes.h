/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of row_sums.c; lanes_each.h says how it is read. */

/* In two sums: the latest row, which was only just made, comes last. */
LANES_TARGET static inline void LANES_NAME(filter_row)(const double *coefficient, size_t order, double *row)
{
    for (int c = 0; c < ROW_COLUMNS; c += LANES) {
        LANES_NAME(lanes) even = {0}, odd = *(const LANES_NAME(loose) *)(row + c);
        const double *earlier = row - order * ROW_COLUMNS + c;
        size_t k = order;
        if (k % 2) {
            odd += coefficient[k - 1] * *(const LANES_NAME(loose) *)earlier;
            earlier += ROW_COLUMNS;
            k--;
        }
        for (; k > 0; k -= 2, earlier += 2 * ROW_COLUMNS) {
            even += coefficient[k - 1] * *(const LANES_NAME(loose) *)earlier;
            odd += coefficient[k - 2] * *(const LANES_NAME(loose) *)(earlier + ROW_COLUMNS);
        }
        *(LANES_NAME(loose) *)(row + c) = even + odd;
    }
}

/* Rows of the outer products that gather at once: in variables of their own, not in an array, so that they stay in
 * registers. ROW_COLUMNS is a multiple of their number. */
#define OUTER_EACH(what) what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7)
#define OUTER_BEGIN(k) LANES_NAME(lanes) sum##k = {0};
#define OUTER_ADD(k) sum##k += rows[i][from + k] * part;
#define OUTER_END(k) *(LANES_NAME(loose) *)(outer[from + k] + column) += sum##k;

LANES_TARGET static inline void LANES_NAME(add_outer)(size_t count, double rows[][ROW_COLUMNS], int from, int column,
                                                      double outer[ROW_COLUMNS][ROW_COLUMNS])
{
    OUTER_EACH(OUTER_BEGIN)
    for (size_t i = 0; i < count; i++) {
        const LANES_NAME(lanes) part = *(const LANES_NAME(loose) *)(rows[i] + column);
        OUTER_EACH(OUTER_ADD)
    }
    OUTER_EACH(OUTER_END)
}

#undef OUTER_EACH
#undef OUTER_BEGIN
#undef OUTER_ADD
#undef OUTER_END

LANES_TARGET static void LANES_NAME(filter)(const double *coefficient, size_t order, size_t count,
                                            double rows[][ROW_COLUMNS], double outer[ROW_COLUMNS][ROW_COLUMNS])
{
    for (size_t i = 0; i < count; i++)
        LANES_NAME(filter_row)(coefficient, order, rows[i]);
    for (int from = 0; from < ROW_COLUMNS; from += 8)
        for (int c = 0; c < ROW_COLUMNS; c += LANES)
            LANES_NAME(add_outer)(count, rows, from, c, outer);
}
