/* SPDX-License-Identifier: GPL-3.0-or-later */

/* For fits with at most four unknowns and any number of observations: no memory is allocated, so it may stand in
 * loops over extrema. The matrix is scaled to a unit diagonal because the unknowns have different units. */

#include "identify/common/small_least_squares.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

/* Lower Cholesky factor of the matrix scaled to a unit diagonal, with the reciprocals of its own diagonal. */
static bool factorise(const struct small_least_squares *equations, double scale[SMALL_MAX],
                      double factor[SMALL_MAX][SMALL_MAX])
{
    const size_t n = equations->unknowns;
    for (size_t i = 0; i < n; i++) {
        if (!(equations->matrix[i][i] > 0))
            return false;
        scale[i] = 1 / sqrt(equations->matrix[i][i]);
        if (!isfinite(scale[i]))
            return false;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = equations->matrix[i][j] * scale[i] * scale[j];
            for (size_t k = 0; k < j; k++)
                sum -= factor[i][k] * factor[j][k];
            if (i == j && !(sum > SMALLEST_PIVOT))
                return false;
            factor[i][j] = i == j ? 1 / sqrt(sum) : sum * factor[j][j];
        }
    return true;
}

/* x = (L L')^-1 x in place. */
static void substitute(double factor[SMALL_MAX][SMALL_MAX], size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            x[i] -= factor[i][k] * x[k];
        x[i] *= factor[i][i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            x[i] -= factor[k][i] * x[k];
        x[i] *= factor[i][i];
    }
}

bool small_least_squares_solve(const struct small_least_squares *equations, double *x,
                               double inverse[SMALL_MAX][SMALL_MAX])
{
    const size_t n = equations->unknowns;
    double scale[SMALL_MAX] = {0}, factor[SMALL_MAX][SMALL_MAX] = {{0}}, column[SMALL_MAX] = {0};
    if (!factorise(equations, scale, factor))
        return false;
    for (size_t c = 0; inverse && c < n; c++) {
        memset(column, 0, sizeof column);
        column[c] = scale[c];
        substitute(factor, n, column);
        for (size_t i = 0; i < n; i++)
            inverse[i][c] = column[i] * scale[i];
    }
    for (size_t i = 0; i < n; i++)
        column[i] = equations->right[i] * scale[i];
    substitute(factor, n, column);
    for (size_t i = 0; i < n; i++)
        x[i] = column[i] * scale[i];
    return true;
}
