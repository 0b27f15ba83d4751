/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rules of ladder_term.c, each for its term's part of coefficient k, and what calls them with k = 0, 1, 2, …;
 * lanes_each.h says how it is read. Coefficients 0 to k of x and v are there; a rule also adds to the slopes, and may
 * keep series of its own. All of it becomes one function, in which the sums stay in registers. */

/* Coefficient k of the acceleration, and of its derivatives at fixed x and v. */
struct LANES_NAME(sum) {
    double acceleration;
    LANES_NAME(lanes) by[SERIES_LANES / LANES];
};

LANES_TARGET static inline void LANES_NAME(add_by)(struct LANES_NAME(sum) * sum, enum ladder_parameter p, double value)
{
    LANES_NAME(lanes) own = {0};
    own[p % LANES] = value;
    sum->by[p / LANES] += own;
}

LANES_TARGET static inline void LANES_NAME(viscous)(struct motion_series *series, size_t k,
                                                    struct LANES_NAME(sum) * sum)
{
    const double twice = 2 * series->parameters[LADDER_ZETA];
    sum->acceleration -= twice * series->v[k];
    LANES_NAME(add_by)(sum, LADDER_ZETA, -2 * series->v[k]);
    series->slope_by_v[k] -= k == 0 ? twice : 0;
}

LANES_TARGET static inline void LANES_NAME(coulomb)(struct motion_series *series, size_t k,
                                                    struct LANES_NAME(sum) * sum)
{
    if (k > 0)
        return;
    sum->acceleration -= series->parameters[LADDER_X_K] * series->side;
    LANES_NAME(add_by)(sum, LADDER_X_K, -series->side);
}

LANES_TARGET static inline void LANES_NAME(drag)(struct motion_series *series, size_t k, struct LANES_NAME(sum) * sum)
{
    const double signed_drag = series->parameters[LADDER_DRAG] * series->side;
    const double square = squared(series->v, k);
    sum->acceleration -= signed_drag * square;
    LANES_NAME(add_by)(sum, LADDER_DRAG, -series->side * square);
    series->slope_by_v[k] -= 2 * signed_drag * series->v[k];
}

LANES_TARGET static inline void LANES_NAME(cubic)(struct motion_series *series, size_t k, struct LANES_NAME(sum) * sum)
{
    const double kappa = series->parameters[LADDER_CUBIC];
    const double square = square_of_x(series, k), cube = product(series->square, series->x, k);
    sum->acceleration -= kappa * cube;
    LANES_NAME(add_by)(sum, LADDER_CUBIC, -cube);
    series->slope_by_x[k] -= 3 * kappa * square;
}

LANES_TARGET static inline void LANES_NAME(square)(struct motion_series *series, size_t k, struct LANES_NAME(sum) * sum)
{
    const double k_2 = series->parameters[LADDER_SQUARE], square = square_of_x(series, k);
    sum->acceleration -= k_2 * square;
    LANES_NAME(add_by)(sum, LADDER_SQUARE, -square);
    series->slope_by_x[k] -= 2 * k_2 * series->x[k];
}

/* The series of |x - turn|/x_d, and of its exponential by f' = -path' f. */
LANES_TARGET static inline void LANES_NAME(extend_fading)(struct motion_series *series, size_t k, double per)
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

LANES_TARGET static inline void LANES_NAME(presliding)(struct motion_series *series, size_t k,
                                                       struct LANES_NAME(sum) * sum)
{
    if (!series->yields)
        return;
    const double pull = series->parameters[LADDER_X_K] * series->yield;
    const double per = series->side / series->parameters[LADDER_X_D];
    LANES_NAME(extend_fading)(series, k, per);
    sum->acceleration -= pull * series->fading[k];
    if (k >= series->by_order)
        return;
    for (size_t n = 0; n < SERIES_LANES / LANES; n++)
        sum->by[n] += series->fading[k] * *(const LANES_NAME(loose) *)&series->turn_pulls[n * LANES];
    LANES_NAME(add_by)(sum, LADDER_X_K, -series->yield * series->fading[k]);
    LANES_NAME(add_by)(sum, LADDER_X_D, -pull * product(series->path, series->fading, k));
    series->slope_by_x[k] += pull * per * series->fading[k];
}

/* Adds coefficient k of a slope's product with derivatives, of which the newest come last. factors: so many are not
 * 0. */
LANES_TARGET static inline void LANES_NAME(add_product)(const double *slope, size_t factors,
                                                        const series_derivatives by, size_t k,
                                                        LANES_NAME(lanes) sum[SERIES_LANES / LANES])
{
    for (size_t j = factors; j-- > 0;)
        for (size_t n = 0; n < SERIES_LANES / LANES; n++)
            sum[n] += slope[j] * *(const LANES_NAME(loose) *)&by[k - j][n * LANES];
}

/* Coefficient k + 1 of the derivatives, which obey the linearised equation. */
LANES_TARGET static inline void LANES_NAME(expand_by)(struct motion_series *series, size_t k, size_t factors_of_x,
                                                      size_t factors_of_v, const struct LANES_NAME(sum) * sum)
{
    const double per = 1 / (double)(k + 1);
    LANES_NAME(lanes) of_v[SERIES_LANES / LANES] = {{0}}, of_x[SERIES_LANES / LANES] = {{0}};
    LANES_NAME(add_product)(series->slope_by_v, factors_of_v, series->v_by, k, of_v);
    LANES_NAME(add_product)(series->slope_by_x, factors_of_x, series->x_by, k, of_x);
    for (size_t n = 0; n < SERIES_LANES / LANES; n++) {
        const size_t lane = n * LANES;
        *(LANES_NAME(loose) *)&series->x_by[k + 1][lane] = *(const LANES_NAME(loose) *)&series->v_by[k][lane] * per;
        *(LANES_NAME(loose) *)&series->v_by[k + 1][lane] = (sum->by[n] + (of_v[n] + of_x[n])) * per;
    }
}

#define CALL(parameter, rule)                                                                                          \
    if (terms & LADDER_BIT(parameter))                                                                                 \
        LANES_NAME(rule)(series, k, &sum);

/* All coefficients from those of order 0. */
LANES_TARGET static void LANES_NAME(expand)(struct motion_series *series, unsigned terms)
{
    size_t factors_of_x = 1, factors_of_v = 1;
    series->squares = 0;
    for (size_t k = 0; k < SERIES_ORDER; k++) {
        const double per = 1 / (double)(k + 1);
        struct LANES_NAME(sum) sum = {.acceleration = -series->x[k]};
        series->slope_by_x[k] = k == 0 ? -1 : 0;
        series->slope_by_v[k] = 0;
        RULES(CALL)
        factors_of_x = series->slope_by_x[k] != 0 ? k + 1 : factors_of_x;
        factors_of_v = series->slope_by_v[k] != 0 ? k + 1 : factors_of_v;
        series->x[k + 1] = series->v[k] * per;
        series->v[k + 1] = sum.acceleration * per;
        if (k < series->by_order)
            LANES_NAME(expand_by)(series, k, factors_of_x, factors_of_v, &sum);
    }
}
#undef CALL
