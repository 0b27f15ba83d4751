/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/common/dense_cholesky.h"

#include <float.h>
#include <math.h>

bool dense_cholesky(const double *matrix, size_t n, double damping, double *factor, double *scale)
{
    for (size_t i = 0; i < n; i++) {
        const double diagonal = matrix[i * n + i];
        if (!(diagonal > 0) || !isfinite(diagonal))
            return false;
        scale[i] = 1 / sqrt(diagonal);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = matrix[i * n + j] * scale[i] * scale[j] + (i == j ? damping : 0);
            for (size_t k = 0; k < j; k++)
                sum -= factor[i * n + k] * factor[j * n + k];
            if (i == j && !(sum > (double)n * DBL_EPSILON))
                return false;
            factor[i * n + j] = i == j ? sqrt(sum) : sum / factor[j * n + j];
        }
    return true;
}

void dense_cholesky_solve(const double *factor, const double *scale, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) {
        x[i] *= scale[i];
        for (size_t k = 0; k < i; k++)
            x[i] -= factor[i * n + k] * x[k];
        x[i] /= factor[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            x[i] -= factor[k * n + i] * x[k];
        x[i] /= factor[i * n + i];
    }
    for (size_t i = 0; i < n; i++)
        x[i] *= scale[i];
}

void dense_cholesky_invert(const double *factor, const double *scale, size_t n, double *inverse)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            inverse[i * n + j] = i == j ? 1 : 0;
        dense_cholesky_solve(factor, scale, n, &inverse[i * n]);
    }
}

double dense_cholesky_log_determinant(const double *factor, const double *scale, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += 2 * log(factor[i * n + i] / scale[i]);
    return sum;
}
