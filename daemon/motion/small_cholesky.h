/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_MOTION_SMALL_CHOLESKY_H
#define FRICID_MOTION_SMALL_CHOLESKY_H

/* Symmetric systems of a few equations, as every fit to a motion has them: Cholesky's factor of the chosen rows and
 * columns, scaled to a unit diagonal first because unknowns have different units. Written out and in a header, since
 * the systems are so small that a call would take longer. */

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { CHOLESKY_MOST = 18 };

/* A pivot that is not above this is the rounding of sums over some thousand samples. */
#define CHOLESKY_LEAST_PIVOT 1e-14

/* L L' = S A S; S scales A. */
struct small_cholesky {
    size_t unknowns;
    size_t chosen[CHOLESKY_MOST];                /* their places in A */
    double scale[CHOLESKY_MOST];                 /* S */
    double factor[CHOLESKY_MOST][CHOLESKY_MOST]; /* the lower half of L, with the reciprocals of its diagonal */
};

/* Of a matrix with `size` rows, CHOLESKY_MOST at most, of which only the lower half is read. damping: is added to the
 * unit diagonal. False when a pivot is not above the least, which the caller takes for rounding. */
static inline bool cholesky_factorise(const double *matrix, size_t size, const bool *chosen, double damping,
                                      double least_pivot, struct small_cholesky *of)
{
    of->unknowns = 0;
    for (size_t p = 0; p < size; p++) {
        if (!chosen[p])
            continue;
        const double diagonal = matrix[p * size + p];
        of->scale[of->unknowns] = diagonal > 0.0 ? 1.0 / sqrt(diagonal) : 0.0;
        of->chosen[of->unknowns++] = p;
    }
    for (size_t i = 0; i < of->unknowns; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = matrix[of->chosen[i] * size + of->chosen[j]] * of->scale[i] * of->scale[j];
            sum += i == j ? damping : 0.0;
            for (size_t k = 0; k < j; k++)
                sum -= of->factor[i][k] * of->factor[j][k];
            if (i == j && !(sum > least_pivot))
                return false;
            of->factor[i][j] = i == j ? 1.0 / sqrt(sum) : sum * of->factor[j][j];
        }
    return true;
}

/* x = L^-1 x, by the order of the chosen; before the first, x is 0. */
static inline void cholesky_forward(const struct small_cholesky *of, size_t first, double *x)
{
    for (size_t i = first; i < of->unknowns; i++) {
        for (size_t k = first; k < i; k++)
            x[i] -= of->factor[i][k] * x[k];
        x[i] *= of->factor[i][i];
    }
}

/* x = L'^-1 x */
static inline void cholesky_backward(const struct small_cholesky *of, double *x)
{
    for (size_t i = of->unknowns; i-- > 0;) {
        for (size_t k = i + 1; k < of->unknowns; k++)
            x[i] -= of->factor[k][i] * x[k];
        x[i] *= of->factor[i][i];
    }
}

/* The solution of A x = right, at the places of the chosen; the others stay as they are. Returns what the solution
 * takes from the sum of squares of which A and right are the normal equations. */
static inline double cholesky_solve(const struct small_cholesky *of, const double *right, double *x)
{
    double scaled[CHOLESKY_MOST], explained = 0.0;
    for (size_t i = 0; i < of->unknowns; i++)
        scaled[i] = right[of->chosen[i]] * of->scale[i];
    cholesky_forward(of, 0, scaled);
    for (size_t i = 0; i < of->unknowns; i++)
        explained += scaled[i] * scaled[i];
    cholesky_backward(of, scaled);
    for (size_t i = 0; i < of->unknowns; i++)
        x[of->chosen[i]] = scaled[i] * of->scale[i];
    return explained;
}

/* The inverse at the places of the chosen, and zeros at the others. */
static inline void cholesky_invert(const struct small_cholesky *of, size_t size, double *inverse)
{
    for (size_t p = 0; p < size * size; p++)
        inverse[p] = 0.0;
    for (size_t i = 0; i < of->unknowns; i++) {
        double column[CHOLESKY_MOST] = {0};
        column[i] = 1.0;
        cholesky_forward(of, i, column);
        cholesky_backward(of, column);
        for (size_t j = 0; j < of->unknowns; j++)
            inverse[of->chosen[i] * size + of->chosen[j]] = column[j] * of->scale[i] * of->scale[j];
    }
}

#endif
