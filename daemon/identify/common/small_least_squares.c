/* SPDX-License-Identifier: GPL-3.0-or-later */

/* For fits with at most four unknowns and any number of observations: no memory is allocated, so it may stand in
 * loops over extrema. */

#include "identify/common/small_least_squares.h"

#include "motion/small_cholesky.h"

#include <float.h>

/* A pivot this small, of a matrix with unit diagonal, is rounding. */
static const double SMALLEST_PIVOT = 64 * DBL_EPSILON;

void small_least_squares_add(struct small_least_squares *equations, const double *row, double value)
{
    for (size_t i = 0; i < equations->unknowns; i++) {
        for (size_t j = 0; j <= i; j++)
            equations->matrix[i][j] += row[i] * row[j];
        equations->right[i] += row[i] * value;
    }
}

bool small_least_squares_solve(const struct small_least_squares *equations, double *x,
                               double inverse[SMALL_MAX][SMALL_MAX])
{
    struct small_cholesky cholesky;
    bool unknown[SMALL_MAX];
    for (size_t i = 0; i < SMALL_MAX; i++)
        unknown[i] = i < equations->unknowns;
    if (!cholesky_factorise(&equations->matrix[0][0], SMALL_MAX, unknown, 0, SMALLEST_PIVOT, &cholesky))
        return false;
    for (size_t c = 0; inverse && c < equations->unknowns; c++) {
        double unit[SMALL_MAX] = {0}, column[SMALL_MAX];
        unit[c] = 1;
        cholesky_solve(&cholesky, unit, column);
        for (size_t i = 0; i < equations->unknowns; i++)
            inverse[i][c] = column[i];
    }
    cholesky_solve(&cholesky, equations->right, x);
    return true;
}
