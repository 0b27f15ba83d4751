/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rules of ladder_term.c, each for its term's part of coefficient k, and what calls them with k = 0, 1, 2, …
 * Coefficients 0 to k of x and v are there; a rule also adds to the slopes, and may keep series of its own. All of it
 * becomes one function, in which the sums stay in registers. */

#include "identify/ladder/ladder_term_loops.h"

#include "motion/loops.h"

#include <math.h>

/* Coefficient k of a product; in two sums, neither of which waits for the other, and to which the newest coefficients
 * are added last. */
static inline double product(const double *a, const double *b, size_t k)
{
    if (k == 0)
        return a[0] * b[0];
    double low = 0, high = 0;
    for (size_t j = (k + 1) / 2; j-- > 0;) {
        low += a[j] * b[k - j];
        high += a[k - j] * b[j];
    }
    return low + high + (k % 2 ? 0 : a[k / 2] * b[k / 2]);
}

/* Coefficient k of a square. */
static inline double squared(const double *a, size_t k)
{
    double sum = k % 2 ? 0 : 0.5 * a[k / 2] * a[k / 2];
    for (size_t j = (k + 1) / 2; j-- > 0;)
        sum += a[j] * a[k - j];
    return 2 * sum;
}

/* Coefficient k of x², which several rules take: the first of them makes it. */
static inline double square_of_x(struct motion_series *series, size_t k)
{
    if (series->squares == k)
        series->square[series->squares++] = squared(series->x, k);
    return series->square[k];
}

/* Coefficient k of the acceleration, and of its derivatives at fixed x and v. */
struct sum {
    double acceleration;
    lanes by[SERIES_LANES / LANES];
};

static inline void add_by(struct sum *sum, enum ladder_parameter p, double value)
{
    lanes own = {0};
    own[p % LANES] = value;
    sum->by[p / LANES] += own;
}

static inline void viscous(struct motion_series *series, size_t k, struct sum *sum)
{
    const double twice = 2 * series->parameters[LADDER_ZETA];
    sum->acceleration -= twice * series->v[k];
    add_by(sum, LADDER_ZETA, -2 * series->v[k]);
    series->slope_by_v[k] -= k == 0 ? twice : 0;
}

static inline void coulomb(struct motion_series *series, size_t k, struct sum *sum)
{
    if (k > 0)
        return;
    sum->acceleration -= series->parameters[LADDER_X_K] * series->side;
    add_by(sum, LADDER_X_K, -series->side);
}

static inline void drag(struct motion_series *series, size_t k, struct sum *sum)
{
    const double signed_drag = series->parameters[LADDER_DRAG] * series->side;
    const double square = squared(series->v, k);
    sum->acceleration -= signed_drag * square;
    add_by(sum, LADDER_DRAG, -series->side * square);
    series->slope_by_v[k] -= 2 * signed_drag * series->v[k];
}

static inline void cubic(struct motion_series *series, size_t k, struct sum *sum)
{
    const double kappa = series->parameters[LADDER_CUBIC];
    const double square = square_of_x(series, k), cube = product(series->square, series->x, k);
    sum->acceleration -= kappa * cube;
    add_by(sum, LADDER_CUBIC, -cube);
    series->slope_by_x[k] -= 3 * kappa * square;
}

static inline void square(struct motion_series *series, size_t k, struct sum *sum)
{
    const double k_2 = series->parameters[LADDER_SQUARE], square = square_of_x(series, k);
    sum->acceleration -= k_2 * square;
    add_by(sum, LADDER_SQUARE, -square);
    series->slope_by_x[k] -= 2 * k_2 * series->x[k];
}

/* The series of |x - turn|/x_d, and of its exponential by f' = -path' f. */
static inline void extend_fading(struct motion_series *series, size_t k, double per)
{
    series->path[k] = per * (k == 0 ? series->x[0] - series->turn : series->x[k]);
    if (k > 0) {
        series->fading[k] = -per / (double)k * product(series->v, series->fading, k - 1);
        return;
    }
    const double pull = series->parameters[LADDER_X_K];
    series->fading[0] = exp(-series->path[0]);
    for (size_t lane = 0; lane < SERIES_LANES; lane++)
        series->turn_pulls[lane] = -pull * (series->yield_by[lane] + series->yield * per * series->turn_by[lane]);
}

static inline void presliding(struct motion_series *series, size_t k, struct sum *sum)
{
    if (!series->yields)
        return;
    const double pull = series->parameters[LADDER_X_K] * series->yield;
    const double per = series->side / series->parameters[LADDER_X_D];
    extend_fading(series, k, per);
    sum->acceleration -= pull * series->fading[k];
    if (k >= series->by_order)
        return;
    for (size_t n = 0; n < SERIES_LANES / LANES; n++)
        sum->by[n] += series->fading[k] * *(const loose *)&series->turn_pulls[n * LANES];
    add_by(sum, LADDER_X_K, -series->yield * series->fading[k]);
    add_by(sum, LADDER_X_D, -pull * product(series->path, series->fading, k));
    series->slope_by_x[k] += pull * per * series->fading[k];
}

/* Adds coefficient k of a slope's product with derivatives, of which the newest come last. factors: so many are not
 * 0. */
static inline void add_product(const double *slope, size_t factors, const series_derivatives by, size_t k,
                               lanes sum[SERIES_LANES / LANES])
{
    for (size_t j = factors; j-- > 0;)
        for (size_t n = 0; n < SERIES_LANES / LANES; n++)
            sum[n] += slope[j] * *(const loose *)&by[k - j][n * LANES];
}

/* Coefficient k + 1 of the derivatives, which obey the linearised equation. */
static inline void expand_by(struct motion_series *series, size_t k, size_t factors_of_x, size_t factors_of_v,
                             const struct sum *sum)
{
    const double per = 1 / (double)(k + 1);
    lanes of_v[SERIES_LANES / LANES] = {{0}}, of_x[SERIES_LANES / LANES] = {{0}};
    add_product(series->slope_by_v, factors_of_v, series->v_by, k, of_v);
    add_product(series->slope_by_x, factors_of_x, series->x_by, k, of_x);
    for (size_t n = 0; n < SERIES_LANES / LANES; n++) {
        const size_t lane = n * LANES;
        *(loose *)&series->x_by[k + 1][lane] = *(const loose *)&series->v_by[k][lane] * per;
        *(loose *)&series->v_by[k + 1][lane] = (sum->by[n] + (of_v[n] + of_x[n])) * per;
    }
}

/* Adds the parts of all terms that there are. */
static inline void add_terms(unsigned terms, struct motion_series *series, size_t k, struct sum *sum)
{
    if (terms & LADDER_BIT(LADDER_ZETA))
        viscous(series, k, sum);
    if (terms & LADDER_BIT(LADDER_X_K))
        coulomb(series, k, sum);
    if (terms & LADDER_BIT(LADDER_DRAG))
        drag(series, k, sum);
    if (terms & LADDER_BIT(LADDER_CUBIC))
        cubic(series, k, sum);
    if (terms & LADDER_BIT(LADDER_SQUARE))
        square(series, k, sum);
    if (terms & LADDER_BIT(LADDER_X_D))
        presliding(series, k, sum);
}

/* All coefficients from those of order 0. */
static void expand(struct motion_series *series, unsigned terms)
{
    size_t factors_of_x = 1, factors_of_v = 1;
    series->squares = 0;
    for (size_t k = 0; k < SERIES_ORDER; k++) {
        const double per = 1 / (double)(k + 1);
        struct sum sum = {.acceleration = -series->x[k]};
        series->slope_by_x[k] = k == 0 ? -1 : 0;
        series->slope_by_v[k] = 0;
        add_terms(terms, series, k, &sum);
        factors_of_x = series->slope_by_x[k] != 0 ? k + 1 : factors_of_x;
        factors_of_v = series->slope_by_v[k] != 0 ? k + 1 : factors_of_v;
        series->x[k + 1] = series->v[k] * per;
        series->v[k + 1] = sum.acceleration * per;
        if (k < series->by_order)
            expand_by(series, k, factors_of_x, factors_of_v, &sum);
    }
}

const struct ladder_term_loops LANES_TABLE(ladder_term_loops) = {.expand = expand};
