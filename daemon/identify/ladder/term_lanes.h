/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rules of ladder_term.c, each for one coefficient; lanes_each.h says how it is read. */

LANES_TARGET static void LANES_NAME(viscous)(struct motion_series *series, size_t k, struct series_term *sum)
{
    const double twice = 2 * series->parameters[LADDER_ZETA];
    sum->acceleration -= twice * series->v[k];
    sum->by[LADDER_ZETA] -= 2 * series->v[k];
    series->slope_by_v[k] -= k == 0 ? twice : 0;
}

LANES_TARGET static void LANES_NAME(coulomb)(struct motion_series *series, size_t k, struct series_term *sum)
{
    if (k > 0)
        return;
    sum->acceleration -= series->parameters[LADDER_X_K] * series->side;
    sum->by[LADDER_X_K] -= series->side;
}

LANES_TARGET static void LANES_NAME(drag)(struct motion_series *series, size_t k, struct series_term *sum)
{
    const double signed_drag = series->parameters[LADDER_DRAG] * series->side;
    const double square = squared(series->v, k);
    sum->acceleration -= signed_drag * square;
    sum->by[LADDER_DRAG] -= series->side * square;
    series->slope_by_v[k] -= 2 * signed_drag * series->v[k];
}

LANES_TARGET static void LANES_NAME(cubic)(struct motion_series *series, size_t k, struct series_term *sum)
{
    const double kappa = series->parameters[LADDER_CUBIC];
    series->square[k] = squared(series->x, k);
    const double cube = product(series->square, series->x, k);
    sum->acceleration -= kappa * cube;
    sum->by[LADDER_CUBIC] -= cube;
    series->slope_by_x[k] -= 3 * kappa * series->square[k];
}

LANES_TARGET static void LANES_NAME(square)(struct motion_series *series, size_t k, struct series_term *sum)
{
    const double k_2 = series->parameters[LADDER_SQUARE];
    const double square = squared(series->x, k);
    sum->acceleration -= k_2 * square;
    sum->by[LADDER_SQUARE] -= square;
    series->slope_by_x[k] -= 2 * k_2 * series->x[k];
}

/* The series of |x - turn|/x_d, and of its exponential by f' = -path' f. */
LANES_TARGET static void LANES_NAME(extend_fading)(struct motion_series *series, size_t k, double per)
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

LANES_TARGET static void LANES_NAME(presliding)(struct motion_series *series, size_t k, struct series_term *sum)
{
    if (!series->yields)
        return;
    const double pull = series->parameters[LADDER_X_K] * series->yield;
    const double per = series->side / series->parameters[LADDER_X_D];
    LANES_NAME(extend_fading)(series, k, per);
    sum->acceleration -= pull * series->fading[k];
    for (size_t lane = 0; lane < SERIES_LANES; lane += LANES)
        *(LANES_NAME(loose) *)&sum->by[lane] +=
            series->fading[k] * *(const LANES_NAME(loose) *)&series->turn_pulls[lane];
    sum->by[LADDER_X_K] -= series->yield * series->fading[k];
    sum->by[LADDER_X_D] -= pull * product(series->path, series->fading, k);
    series->slope_by_x[k] += pull * per * series->fading[k];
}

/* Adds coefficient k of a product with derivatives, of which the newest come last. factors: so many are not 0. */
LANES_TARGET static inline void LANES_NAME(add_product)(const double *a, size_t factors, const series_derivatives by,
                                                        size_t k, LANES_NAME(lanes) sum[SERIES_LANES / LANES])
{
    for (size_t j = factors; j-- > 0;)
        for (size_t n = 0; n < SERIES_LANES / LANES; n++)
            sum[n] += a[j] * *(const LANES_NAME(loose) *)&by[k - j][n * LANES];
}

/* All coefficients from those of order 0. The derivatives obey the linearised equation. */
LANES_TARGET static void LANES_NAME(expand)(struct motion_series *series, unsigned terms)
{
    size_t factors_of_x = 1, factors_of_v = 1;
    for (size_t k = 0; k < SERIES_ORDER; k++) {
        struct series_term sum = {.acceleration = -series->x[k]};
        series->slope_by_x[k] = k == 0 ? -1 : 0;
        series->slope_by_v[k] = 0;
        for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++)
            if (terms & LADDER_BIT(p))
                ladder_parameters[p].accelerate[LANES_KIND](series, k, &sum);
        factors_of_x = series->slope_by_x[k] != 0 ? k + 1 : factors_of_x;
        factors_of_v = series->slope_by_v[k] != 0 ? k + 1 : factors_of_v;
        LANES_NAME(lanes) of_v[SERIES_LANES / LANES] = {{0}}, of_x[SERIES_LANES / LANES] = {{0}};
        LANES_NAME(add_product)(series->slope_by_v, factors_of_v, series->v_by, k, of_v);
        LANES_NAME(add_product)(series->slope_by_x, factors_of_x, series->x_by, k, of_x);
        const double per = 1 / (double)(k + 1);
        series->x[k + 1] = series->v[k] * per;
        series->v[k + 1] = sum.acceleration * per;
        for (size_t n = 0; n < SERIES_LANES / LANES; n++) {
            const size_t lane = n * LANES;
            const LANES_NAME(lanes) own = *(const LANES_NAME(loose) *)&sum.by[lane];
            *(LANES_NAME(loose) *)&series->x_by[k + 1][lane] = *(const LANES_NAME(loose) *)&series->v_by[k][lane] * per;
            *(LANES_NAME(loose) *)&series->v_by[k + 1][lane] = (own + (of_v[n] + of_x[n])) * per;
        }
    }
}
