/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_quantity.h"

#include <math.h>

struct friction_quantity friction_product_of(double factor, const double *value, enum friction_column a, int power_a,
                                             enum friction_column b, int power_b)
{
    struct friction_quantity of = {.logarithmic = true};
    const double rest = factor * pow(value[b], power_b);
    of.value = pow(value[a], power_a) * rest;
    of.gradient.by[a] = power_a * (a < FRICTION_LINEAR ? pow(value[a], power_a - 1) * rest : of.value);
    of.gradient.by[b] += power_b * of.value;
    return of;
}

struct friction_quantity friction_linear_of(double factor, const double *value, enum friction_column c)
{
    struct friction_quantity of = {.value = factor * value[c]};
    of.gradient.by[c] = factor;
    return of;
}

/* Of all elements of Maxwell-slip: their slip forces, and their stiffnesses. */
static struct friction_quantity sum_of_elements(const struct friction_motion *motion, const struct friction_fit *fit,
                                                bool stiffnesses)
{
    struct friction_quantity of = {.logarithmic = true};
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++) {
        const double length = motion->unit_displacement * fit->point.value[COLUMN_LENGTH + k];
        if (!(length > 0))
            continue;
        const double factor = motion->unit_force / (stiffnesses ? length : 1);
        const double part = factor * fit->point.value[COLUMN_ELEMENT + k];
        of.value += part;
        of.gradient.by[COLUMN_ELEMENT + k] = factor;
        of.gradient.by[COLUMN_LENGTH + k] = stiffnesses ? -part : 0;
    }
    return of;
}

/* A level of one direction, of the mean of both: 2 r/(1 + r) forwards, 2/(1 + r) backwards. */
static struct friction_quantity level_towards(const struct friction_fit *fit, struct friction_quantity mean,
                                              bool forward)
{
    const double ratio = fit->point.value[COLUMN_LEVELS], part = 2 * (forward ? ratio : 1) / (1 + ratio);
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
        mean.gradient.by[c] *= part;
    mean.gradient.by[COLUMN_LEVELS] = mean.value * (forward ? 2 : -2) * ratio / ((1 + ratio) * (1 + ratio));
    mean.value *= part;
    return mean;
}

/* The first over the second. */
static struct friction_quantity ratio_of(const struct friction_quantity *first, const struct friction_quantity *second)
{
    struct friction_quantity of = {.value = first->value / second->value, .logarithmic = true};
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
        of.gradient.by[c] = of.value * (first->gradient.by[c] / first->value - second->gradient.by[c] / second->value);
    return of;
}

static struct friction_quantity slip_quantity_of(const struct friction_motion *motion, const struct friction_fit *fit,
                                                 enum friction_parameter parameter)
{
    const struct friction_quantity force = sum_of_elements(motion, fit, false),
                                   stiffness = sum_of_elements(motion, fit, true);
    const double ratio = fit->point.value[COLUMN_RATIO];
    struct friction_quantity of = force;
    switch (parameter) {
    case FRICTION_X_D:
        return ratio_of(&force, &stiffness);
    case FRICTION_SIGMA_0:
        return stiffness;
    case FRICTION_F_S:
        of.value *= 1 + ratio;
        for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
            of.gradient.by[c] *= 1 + ratio;
        of.gradient.by[COLUMN_RATIO] = force.value * ratio;
        return of;
    default:
        return force;
    }
}

/* Times a factor that goes with an unknown with a logarithm. */
static struct friction_quantity scaled_by(struct friction_quantity of, double factor, enum friction_column with)
{
    of.value *= factor;
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
        of.gradient.by[c] *= factor;
    of.gradient.by[with] += of.value;
    return of;
}

/* --- parameters that stand for one unknown, or two --- */

/* What an unknown of the motion's own units is multiplied with. */
enum scale { SCALE_ONE, SCALE_FORCE, SCALE_WAY, SCALE_SPEED, SCALE_STIFFNESS, SCALE_BENT, SCALE_DAMPING, SCALE_MASS };

static double factor_of(const struct friction_motion *motion, enum scale scale)
{
    const double force = motion->unit_force, way = motion->unit_displacement;
    const double factor[] = {[SCALE_ONE] = 1,
                             [SCALE_FORCE] = force,
                             [SCALE_WAY] = way,
                             [SCALE_SPEED] = motion->unit_velocity,
                             [SCALE_STIFFNESS] = force / way,
                             [SCALE_BENT] = force / (way * way),
                             [SCALE_DAMPING] = force / motion->unit_velocity,
                             [SCALE_MASS] = force / motion->unit_acceleration};
    return factor[scale];
}

/* Linear, or a^power_a b^power_b where powers are given. */
struct quantity_row {
    enum friction_column a;
    enum scale scale;
    int power_a;
    enum friction_column b;
    int power_b;
};

#define LINEAR(column, scale)                                                                                          \
    {                                                                                                                  \
        column, scale, 0, COLUMN_START, 0                                                                              \
    }
#define PRODUCT(a, scale, power_a, b, power_b)                                                                         \
    {                                                                                                                  \
        a, scale, power_a, b, power_b                                                                                  \
    }
#define POSITIVE(column, scale) PRODUCT(column, scale, 1, COLUMN_START, 0)

static const struct quantity_row rows[FRICTION_PARAMETERS] = {
    [FRICTION_F_C] = LINEAR(COLUMN_F_C, SCALE_FORCE),
    [FRICTION_X_D] = POSITIVE(COLUMN_X_D, SCALE_WAY),
    [FRICTION_SIGMA_0] = PRODUCT(COLUMN_F_C, SCALE_STIFFNESS, 1, COLUMN_X_D, -1),
    [FRICTION_V_S] = POSITIVE(COLUMN_V_S, SCALE_SPEED),
    [FRICTION_EXPONENT] = POSITIVE(COLUMN_EXPONENT, SCALE_ONE),
    [FRICTION_SIGMA_1] = LINEAR(COLUMN_SIGMA_1, SCALE_DAMPING),
    [FRICTION_SIGMA_2] = LINEAR(COLUMN_SIGMA_2, SCALE_DAMPING),
    [FRICTION_K_X] = LINEAR(COLUMN_K_X, SCALE_STIFFNESS),
    [FRICTION_Z_BA] = PRODUCT(COLUMN_SHAPE, SCALE_WAY, 1, COLUMN_X_D, 1),
    [FRICTION_N_BW] = POSITIVE(COLUMN_SHAPE, SCALE_ONE),
    [FRICTION_BETA_BW] = POSITIVE(COLUMN_SHAPE_2, SCALE_ONE),
    [FRICTION_GAP] = POSITIVE(COLUMN_SHAPE, SCALE_WAY),
    [FRICTION_SIDES] = POSITIVE(COLUMN_SHAPE_2, SCALE_ONE),
    [FRICTION_STOPS] = POSITIVE(COLUMN_EXPONENT, SCALE_ONE),
    [FRICTION_LEVEL_RATIO] = POSITIVE(COLUMN_LEVELS, SCALE_ONE),
    [FRICTION_PATH_SLOPE] = LINEAR(COLUMN_PATH, SCALE_STIFFNESS),
    [FRICTION_PATH_CURVATURE] = LINEAR(COLUMN_PATH_2, SCALE_BENT),
    [FRICTION_MOVED_MASS] = LINEAR(COLUMN_MASS, SCALE_MASS),
};

static struct friction_quantity of_row(const struct friction_motion *motion, const double *value,
                                       const struct quantity_row *row)
{
    const double factor = factor_of(motion, row->scale);
    return row->power_a == 0 ? friction_linear_of(factor, value, row->a)
                             : friction_product_of(factor, value, row->a, row->power_a, row->b, row->power_b);
}

static struct friction_quantity static_level_of(const struct friction_motion *motion, const double *value)
{
    struct friction_quantity of = friction_linear_of(motion->unit_force * (1 + value[COLUMN_RATIO]), value, COLUMN_F_C);
    of.gradient.by[COLUMN_RATIO] = motion->unit_force * value[COLUMN_F_C] * value[COLUMN_RATIO];
    return of;
}

/* Of displacement 0, not of the middle of the record's. */
static struct friction_quantity offset_of(const struct friction_motion *motion, const double *value)
{
    const double away = motion->unit_force / motion->unit_displacement * motion->middle;
    struct friction_quantity of = friction_linear_of(motion->unit_force, value, COLUMN_F_0);
    of.value -= away * value[COLUMN_K_X];
    of.gradient.by[COLUMN_K_X] = -away;
    return of;
}

struct friction_quantity friction_part_offset(const struct friction_motion *motion, const struct friction_fit *fit,
                                              size_t part)
{
    const struct friction_own_share *share = &fit->normal.share[part];
    const double away = motion->unit_force / motion->unit_displacement * motion->middle;
    struct friction_quantity of = {.value = motion->unit_force * fit->point.own[part].offset -
                                            away * fit->point.value[COLUMN_K_X]};
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
        if (c != COLUMN_F_0 && c != COLUMN_START)
            of.gradient.by[c] =
                motion->unit_force * (share->of_offset[COLUMN_START] * share->of_start[c] - share->of_offset[c]);
    of.gradient.by[COLUMN_K_X] -= away;
    return of;
}

struct friction_quantity friction_quantity_of(const struct friction_motion *motion, const struct friction_fit *fit,
                                              enum friction_parameter parameter)
{
    const double *value = fit->point.value;
    if (fit->point.row.shape == FRICTION_MAXWELL && parameter <= FRICTION_F_S)
        return slip_quantity_of(motion, fit, parameter);
    switch (parameter) {
    case FRICTION_F_S:
        return static_level_of(motion, value);
    case FRICTION_ATTRACTION_C:
        return scaled_by(sum_of_elements(motion, fit, false),
                         value[COLUMN_SHAPE] * motion->unit_velocity / motion->unit_displacement, COLUMN_SHAPE);
    case FRICTION_F_C_FORWARD:
    case FRICTION_F_C_BACKWARD:
        return level_towards(fit, friction_quantity_of(motion, fit, FRICTION_F_C), parameter == FRICTION_F_C_FORWARD);
    case FRICTION_PATH_MIDDLE:
        return (struct friction_quantity){.value = motion->middle};
    case FRICTION_F_0:
        return offset_of(motion, value);
    default:
        return of_row(motion, value, &rows[parameter]);
    }
}

bool friction_is_of_level(const struct friction_row *row, enum friction_column c)
{
    return friction_column_used(row, c) && (c == COLUMN_F_C || friction_is_slip_force(c));
}

double friction_level_of(const struct friction_fit *fit)
{
    double sum = 0;
    for (enum friction_column c = 0; c < FRICTION_LINEAR; c++)
        sum += friction_is_of_level(&fit->point.row, c) ? fit->point.value[c] : 0;
    return sum;
}
