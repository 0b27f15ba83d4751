/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The terms of the ladder, a row each, and their right-hand sides:
 *
 *   x'' = -x - 2 zeta x' - d x'|x'| - k_2 x² - kappa x³ - x_k z,   Dahl: z' = (x'/x_d)(1 - side z)
 *
 * z is `side`, the sign of x', where friction is rigid, which is Coulomb's row; presliding adds z - side. Within a half
 * cycle from (X, Z), z - side = (Z - side) e^(-|x - X|/x_d). */

#include "identify/ladder/ladder_term.h"

#include <math.h>

/* Coefficient k of a product; in two sums, neither of which waits for the other. */
static double product(const double *a, const double *b, size_t k)
{
    double even = k % 2 ? 0 : a[k] * b[0], odd = 0;
    for (size_t j = 0; j < k; j += 2) {
        even += a[j] * b[k - j];
        odd += a[j + 1] * b[k - j - 1];
    }
    return even + odd;
}

/* Coefficient k of a square. */
static double squared(const double *a, size_t k)
{
    double sum = 0;
    for (size_t j = 0; 2 * j < k; j++)
        sum += a[j] * a[k - j];
    return 2 * sum + (k % 2 ? 0 : a[k / 2] * a[k / 2]);
}

/* Adds factor times coefficient k of a product with derivatives. */
static void add_product(double factor, const double *a, const series_lanes by, size_t k, lanes *sum)
{
    lanes even = {0}, odd = {0};
    for (size_t j = 0; j < k; j += 2) {
        even += a[j] * by[k - j];
        odd += a[j + 1] * by[k - j - 1];
    }
    if (k % 2 == 0)
        even += a[k] * by[0];
    *sum += factor * (even + odd);
}

static void viscous(struct motion_series *series, size_t k, double *acceleration, lanes *by)
{
    const double twice = 2 * series->parameters[LADDER_ZETA];
    *acceleration -= twice * series->v[k];
    *by -= twice * series->v_by[k];
    (*by)[LADDER_ZETA] -= 2 * series->v[k];
}

static void coulomb(struct motion_series *series, size_t k, double *acceleration, lanes *by)
{
    if (k > 0)
        return;
    *acceleration -= series->parameters[LADDER_X_K] * series->side;
    (*by)[LADDER_X_K] -= series->side;
}

static void drag(struct motion_series *series, size_t k, double *acceleration, lanes *by)
{
    const double signed_drag = series->parameters[LADDER_DRAG] * series->side;
    const double square = squared(series->v, k);
    *acceleration -= signed_drag * square;
    add_product(-2 * signed_drag, series->v, series->v_by, k, by);
    (*by)[LADDER_DRAG] -= series->side * square;
}

static void cubic(struct motion_series *series, size_t k, double *acceleration, lanes *by)
{
    const double kappa = series->parameters[LADDER_CUBIC];
    series->square[k] = squared(series->x, k);
    const double cube = product(series->square, series->x, k);
    *acceleration -= kappa * cube;
    add_product(-3 * kappa, series->square, series->x_by, k, by);
    (*by)[LADDER_CUBIC] -= cube;
}

static void square(struct motion_series *series, size_t k, double *acceleration, lanes *by)
{
    const double k_2 = series->parameters[LADDER_SQUARE];
    const double product_k = squared(series->x, k);
    *acceleration -= k_2 * product_k;
    add_product(-2 * k_2, series->x, series->x_by, k, by);
    (*by)[LADDER_SQUARE] -= product_k;
}

/* The series of |x - turn|/x_d, and of its exponential by f' = -path' f. */
static void extend_fading(struct motion_series *series, size_t k)
{
    const double per = series->side / series->parameters[LADDER_X_D];
    const double path = per * (k == 0 ? series->x[0] - series->turn : series->x[k]);
    series->path_by[k] = per * (k == 0 ? series->x_by[0] - series->turn_by : series->x_by[k]);
    series->path_by[k][LADDER_X_D] -= path;
    series->fading[k] = k == 0 ? exp(-path) : -per / (double)k * product(series->v, series->fading, k - 1);
}

static void presliding(struct motion_series *series, size_t k, double *acceleration, lanes *by)
{
    if (!series->yields)
        return;
    const double x_k = series->parameters[LADDER_X_K];
    extend_fading(series, k);
    *acceleration -= x_k * series->yield * series->fading[k];
    *by -= x_k * series->fading[k] * series->yield_by;
    add_product(x_k * series->yield, series->fading, series->path_by, k, by);
    (*by)[LADDER_X_K] -= series->yield * series->fading[k];
}

#define COULOMB LADDER_BIT(LADDER_X_K)

const struct ladder_parameter_row ladder_parameters[LADDER_PARAMETERS] = {
    [LADDER_ZETA] = {"zeta", "viscous", KIND_ONE, .not_negative = true, .below = 1, .accelerate = viscous,
                     .about = "damping ratio"},
    [LADDER_X_K] = {"x_k", "coulomb", KIND_DISPLACEMENT, .not_negative = true, .below = INFINITY, .accelerate = coulomb,
                    .about = "Coulomb friction over stiffness; with presliding its asymptote"},
    [LADDER_DRAG] = {"drag", "drag", KIND_PER_DISPLACEMENT, .not_negative = true, .below = INFINITY, .accelerate = drag,
                     .about = "quadratic drag over mass"},
    [LADDER_CUBIC] = {"cubic", "cubic", KIND_PER_DISPLACEMENT_SQUARED, .below = INFINITY, .accelerate = cubic,
                      .about = "cubic part of the restoring force over its linear one"},
    [LADDER_SQUARE] = {"square", "square", KIND_PER_DISPLACEMENT, .below = INFINITY, .accelerate = square,
                       .about = "square part of the restoring force over its linear one"},
    [LADDER_X_D] = {"x_d", "presliding", KIND_DISPLACEMENT, .logarithmic = true, .below = INFINITY, .needs = COULOMB,
                    .accelerate = presliding, .about = "distance over which friction gives way before it slides"},
    [LADDER_X0] = {"x0", NULL, KIND_DISPLACEMENT, .below = INFINITY, .about = "displacement at the first extremum"},
    [LADDER_OMEGA_N] = {"omega_n", NULL, KIND_RAD_PER_S, .below = INFINITY, .about = "natural angular frequency"},
    [LADDER_BIAS] = {"bias", NULL, KIND_DISPLACEMENT, .below = INFINITY, .about = "constant offset"},
    [LADDER_T0] = {"t0", NULL, KIND_S, .below = INFINITY, .about = "time of the first extremum, source clock"},
};

bool ladder_terms_have(unsigned terms, enum ladder_parameter parameter)
{
    return !ladder_parameters[parameter].term || terms & LADDER_BIT(parameter);
}

bool ladder_terms_allowed(unsigned terms)
{
    bool allowed = terms & (LADDER_BIT(LADDER_ZETA) | COULOMB);
    for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++)
        allowed = allowed && !(terms & LADDER_BIT(p) && ladder_parameters[p].needs & ~terms);
    return allowed;
}

unsigned ladder_terms_count(unsigned terms)
{
    unsigned count = 0;
    for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++)
        count += ladder_terms_have(terms, p);
    return count;
}

double ladder_spring(const double parameters[LADDER_MOTION], double x)
{
    return x * (1 + x * (parameters[LADDER_SQUARE] + x * parameters[LADDER_CUBIC]));
}

double ladder_spring_slope(const double parameters[LADDER_MOTION], double x)
{
    return 1 + x * (2 * parameters[LADDER_SQUARE] + x * 3 * parameters[LADDER_CUBIC]);
}
