/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rules of ladder_term.c, each for one coefficient and all derivatives; lanes_each.h says how it is read. */

LANES_TARGET static void LANES_NAME(add_scaled)(double factor, const derivatives by, derivatives sum)
{
    for (size_t lane = 0; lane < SERIES_LANES; lane += LANES)
        *(LANES_NAME(loose) *)&sum[lane] += factor * *(const LANES_NAME(loose) *)&by[lane];
}

/* Adds factor times coefficient k of a product with derivatives. */
LANES_TARGET static void LANES_NAME(add_product)(double factor, const double *a, const series_derivatives by, size_t k,
                                                 derivatives sum)
{
    for (size_t lane = 0; lane < SERIES_LANES; lane += LANES) {
        LANES_NAME(lanes) even = {0}, odd = {0};
        for (size_t j = 0; j < k; j += 2) {
            even += a[j] * *(const LANES_NAME(loose) *)&by[k - j][lane];
            odd += a[j + 1] * *(const LANES_NAME(loose) *)&by[k - j - 1][lane];
        }
        if (k % 2 == 0)
            even += a[k] * *(const LANES_NAME(loose) *)&by[0][lane];
        *(LANES_NAME(loose) *)&sum[lane] += factor * (even + odd);
    }
}

LANES_TARGET static void LANES_NAME(viscous)(struct motion_series *series, size_t k, double *acceleration,
                                             derivatives by)
{
    const double twice = 2 * series->parameters[LADDER_ZETA];
    *acceleration -= twice * series->v[k];
    LANES_NAME(add_scaled)(-twice, series->v_by[k], by);
    by[LADDER_ZETA] -= 2 * series->v[k];
}

LANES_TARGET static void LANES_NAME(coulomb)(struct motion_series *series, size_t k, double *acceleration,
                                             derivatives by)
{
    if (k > 0)
        return;
    *acceleration -= series->parameters[LADDER_X_K] * series->side;
    by[LADDER_X_K] -= series->side;
}

LANES_TARGET static void LANES_NAME(drag)(struct motion_series *series, size_t k, double *acceleration, derivatives by)
{
    const double signed_drag = series->parameters[LADDER_DRAG] * series->side;
    const double square = squared(series->v, k);
    *acceleration -= signed_drag * square;
    LANES_NAME(add_product)(-2 * signed_drag, series->v, series->v_by, k, by);
    by[LADDER_DRAG] -= series->side * square;
}

LANES_TARGET static void LANES_NAME(cubic)(struct motion_series *series, size_t k, double *acceleration, derivatives by)
{
    const double kappa = series->parameters[LADDER_CUBIC];
    series->square[k] = squared(series->x, k);
    const double cube = product(series->square, series->x, k);
    *acceleration -= kappa * cube;
    LANES_NAME(add_product)(-3 * kappa, series->square, series->x_by, k, by);
    by[LADDER_CUBIC] -= cube;
}

LANES_TARGET static void LANES_NAME(square)(struct motion_series *series, size_t k, double *acceleration,
                                            derivatives by)
{
    const double k_2 = series->parameters[LADDER_SQUARE];
    const double product_k = squared(series->x, k);
    *acceleration -= k_2 * product_k;
    LANES_NAME(add_product)(-2 * k_2, series->x, series->x_by, k, by);
    by[LADDER_SQUARE] -= product_k;
}

/* The series of |x - turn|/x_d, and of its exponential by f' = -path' f. */
LANES_TARGET static void LANES_NAME(extend_fading)(struct motion_series *series, size_t k)
{
    const double per = series->side / series->parameters[LADDER_X_D];
    const double path = per * (k == 0 ? series->x[0] - series->turn : series->x[k]);
    for (size_t lane = 0; lane < SERIES_LANES; lane++)
        series->path_by[k][lane] = per * (series->x_by[k][lane] - (k == 0 ? series->turn_by[lane] : 0));
    series->path_by[k][LADDER_X_D] -= path;
    series->fading[k] = k == 0 ? exp(-path) : -per / (double)k * product(series->v, series->fading, k - 1);
}

LANES_TARGET static void LANES_NAME(presliding)(struct motion_series *series, size_t k, double *acceleration,
                                                derivatives by)
{
    if (!series->yields)
        return;
    const double x_k = series->parameters[LADDER_X_K];
    LANES_NAME(extend_fading)(series, k);
    *acceleration -= x_k * series->yield * series->fading[k];
    LANES_NAME(add_scaled)(-x_k * series->fading[k], series->yield_by, by);
    LANES_NAME(add_product)(x_k * series->yield, series->fading, series->path_by, k, by);
    by[LADDER_X_K] -= series->yield * series->fading[k];
}

/* All coefficients from those of order 0. */
LANES_TARGET static void LANES_NAME(expand)(struct motion_series *series, unsigned terms)
{
    for (size_t k = 0; k < SERIES_ORDER; k++) {
        double acceleration = -series->x[k];
        derivatives by = {0};
        LANES_NAME(add_scaled)(-1, series->x_by[k], by);
        for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++)
            if (terms & LADDER_BIT(p))
                ladder_parameters[p].accelerate[LANES_KIND](series, k, &acceleration, by);
        const double per = 1 / (double)(k + 1);
        series->x[k + 1] = series->v[k] * per;
        series->v[k + 1] = acceleration * per;
        for (size_t lane = 0; lane < SERIES_LANES; lane++) {
            series->x_by[k + 1][lane] = series->v_by[k][lane] * per;
            series->v_by[k + 1][lane] = by[lane] * per;
        }
    }
}
