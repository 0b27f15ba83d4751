/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_quantity.h"

#include <math.h>

struct friction_quantity friction_product_of(double factor, const double *value, enum friction_column a, int power_a,
                                             enum friction_column b, int power_b)
{
    struct friction_quantity of = {.logarithmic = true};
    of.value = factor * pow(value[a], power_a) * pow(value[b], power_b);
    of.gradient.by[a] = a < FRICTION_LINEAR ? power_a * of.value / value[a] : power_a * of.value;
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

struct friction_quantity friction_quantity_of(const struct friction_motion *motion, const struct friction_fit *fit,
                                              enum friction_parameter parameter)
{
    const double *value = fit->point.value, force = motion->unit_force, way = motion->unit_displacement;
    const double per_speed = force / motion->unit_velocity, stiffness = force / way;
    struct friction_quantity of;
    if (fit->point.row.shape == FRICTION_MAXWELL && parameter <= FRICTION_F_S)
        return slip_quantity_of(motion, fit, parameter);
    switch (parameter) {
    case FRICTION_F_C:
        return friction_linear_of(force, value, COLUMN_F_C);
    case FRICTION_X_D:
        return friction_product_of(way, value, COLUMN_X_D, 1, COLUMN_START, 0);
    case FRICTION_SIGMA_0:
        return friction_product_of(stiffness, value, COLUMN_F_C, 1, COLUMN_X_D, -1);
    case FRICTION_F_S:
        of = friction_linear_of(force * (1 + value[COLUMN_RATIO]), value, COLUMN_F_C);
        of.gradient.by[COLUMN_RATIO] = force * value[COLUMN_F_C] * value[COLUMN_RATIO];
        return of;
    case FRICTION_V_S:
        return friction_product_of(motion->unit_velocity, value, COLUMN_V_S, 1, COLUMN_START, 0);
    case FRICTION_EXPONENT:
        return friction_product_of(1, value, COLUMN_EXPONENT, 1, COLUMN_START, 0);
    case FRICTION_ATTRACTION_C:
        of = sum_of_elements(motion, fit, false);
        return scaled_by(of, value[COLUMN_SHAPE] * motion->unit_velocity / way, COLUMN_SHAPE);
    case FRICTION_SIGMA_1:
        return friction_linear_of(per_speed, value, COLUMN_SIGMA_1);
    case FRICTION_SIGMA_2:
        return friction_linear_of(per_speed, value, COLUMN_SIGMA_2);
    case FRICTION_K_X:
        return friction_linear_of(stiffness, value, COLUMN_K_X);
    case FRICTION_Z_BA:
        return friction_product_of(way, value, COLUMN_SHAPE, 1, COLUMN_X_D, 1);
    case FRICTION_N_BW:
        return friction_product_of(1, value, COLUMN_SHAPE, 1, COLUMN_START, 0);
    case FRICTION_BETA_BW:
    case FRICTION_SIDES:
        return friction_product_of(1, value, COLUMN_SHAPE_2, 1, COLUMN_START, 0);
    case FRICTION_GAP:
        return friction_product_of(way, value, COLUMN_SHAPE, 1, COLUMN_START, 0);
    case FRICTION_LEVEL_RATIO:
        return friction_product_of(1, value, COLUMN_LEVELS, 1, COLUMN_START, 0);
    case FRICTION_F_C_FORWARD:
    case FRICTION_F_C_BACKWARD:
        return level_towards(fit, friction_quantity_of(motion, fit, FRICTION_F_C), parameter == FRICTION_F_C_FORWARD);
    case FRICTION_PATH_SLOPE:
        return friction_linear_of(stiffness, value, COLUMN_PATH);
    case FRICTION_PATH_CURVATURE:
        return friction_linear_of(stiffness / way, value, COLUMN_PATH_2);
    case FRICTION_PATH_MIDDLE:
        return (struct friction_quantity){.value = motion->middle};
    case FRICTION_MOVED_MASS:
        return friction_linear_of(force / motion->unit_acceleration, value, COLUMN_MASS);
    default: /* of displacement 0, not of the middle of the record's */
        of = friction_linear_of(force, value, COLUMN_F_0);
        of.value -= stiffness * value[COLUMN_K_X] * motion->middle;
        of.gradient.by[COLUMN_K_X] = -stiffness * motion->middle;
        return of;
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
