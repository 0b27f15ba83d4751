/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a device's integers to displacement and back. The way back is a search that is checked by going forth again, so
 * that it is either exact or refused. */

#include "acquire/code_scale.h"

#include <math.h>

/* A straight line needs one Newton step, a bent one a few. */
enum { MAX_STEPS = 12 };

/* Beyond this a double no longer holds every integer. */
static const double largest_code = 9007199254740992.0;

static double polynomial(const struct code_scale *scale, double u)
{
    double value = scale->coefficients[scale->terms - 1];
    for (size_t i = scale->terms - 1; i-- > 0;)
        value = value * u + scale->coefficients[i];
    return value;
}

static double polynomial_slope(const struct code_scale *scale, double u)
{
    double slope = 0;
    for (size_t i = scale->terms; i-- > 1;)
        slope = slope * u + (double)i * scale->coefficients[i];
    return slope;
}

double code_scale_displacement(const struct code_scale *scale, int64_t code)
{
    double sensor_value = polynomial(scale, (double)code - scale->origin) / scale->divisor;
    return calibration_apply(&scale->calibration, sensor_value) - scale->zero;
}

/* Displacement per code. */
static double slope_at(const struct code_scale *scale, double u)
{
    double sensor_value = polynomial(scale, u) / scale->divisor;
    return calibration_slope(&scale->calibration, sensor_value) * polynomial_slope(scale, u) / scale->divisor;
}

/* The code next to where the scale, as a smooth function, has this displacement. NAN when the search fails. */
static double search(const struct code_scale *scale, double displacement, double code)
{
    for (int i = 0; i < MAX_STEPS; i++) {
        double slope = slope_at(scale, code - scale->origin);
        if (slope == 0)
            return NAN;
        double error = displacement - code_scale_displacement(scale, (int64_t)rint(code));
        double step = error / slope;
        code = rint(code) + step;
        if (!(fabs(code) < largest_code))
            return NAN;
        if (fabs(step) < 0.5)
            break;
    }
    return rint(code);
}

bool code_scale_code(const struct code_scale *scale, double displacement, int64_t near, int64_t *code)
{
    if (scale->terms < 2 || !isfinite(displacement))
        return false;
    double found = search(scale, displacement, (double)near);
    if (!isfinite(found))
        return false;
    *code = (int64_t)found;
    return code_scale_displacement(scale, *code) == displacement;
}
