/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From what a sensor gives to displacement. A polynomial, because LVDTs bend towards the ends of their range. */

#include "proto/calibration.h"

#include "proto/recording_parts.h"

#include <math.h>

struct calibration calibration_identity(void)
{
    return (struct calibration){.coefficients = {0, 1}, .terms = 2};
}

/* Horner's rule, from the highest term down. */
double calibration_apply(const struct calibration *calibration, double sensor_value)
{
    double displacement = 0;
    for (size_t i = calibration->terms; i-- > 0;)
        displacement = displacement * sensor_value + calibration->coefficients[i];
    return displacement;
}

size_t calibration_apply_each(const struct calibration *calibration, double *values, size_t count)
{
    size_t i = 0;
    for (; i < count; i++) {
        values[i] = calibration_apply(calibration, values[i]);
        if (!(fabs(values[i]) <= RECORDING_LARGEST_VALUE))
            break;
    }
    return i;
}

double calibration_slope(const struct calibration *calibration, double sensor_value)
{
    double slope = 0;
    for (size_t i = calibration->terms; i-- > 1;)
        slope = slope * sensor_value + (double)i * calibration->coefficients[i];
    return slope;
}

/* Newton's method: a sensor's curve is nearly straight. */
double calibration_sensor_value(const struct calibration *calibration, double displacement)
{
    enum { MAX_STEPS = 100 };
    double sensor_value = 0;
    for (int i = 0; i < MAX_STEPS; i++) {
        double slope = calibration_slope(calibration, sensor_value);
        double step =
            (displacement - calibration_apply(calibration, sensor_value)) / (slope != 0 ? slope : (double)NAN);
        sensor_value += step;
        if (!isfinite(sensor_value))
            return NAN;
        if (fabs(step) <= 1e-12 * fabs(sensor_value) || step == 0)
            return sensor_value;
    }
    return NAN;
}

/* Whether the polynomial reaches `end` in steps of the sensor value without turning back. Steps outwards from sensor
 * value 0; the slope there gives the length of a step. */
static bool reaches(const struct calibration *calibration, double end, double step)
{
    enum { MAX_STEPS = 100000 };
    double direction = calibration_slope(calibration, 0) * step > 0 ? 1 : -1;
    double sensor_value = 0;
    for (int i = 0; i < MAX_STEPS; i++) {
        if ((calibration_apply(calibration, sensor_value) - end) * direction >= 0)
            return true;
        sensor_value += step;
        if (!(calibration_slope(calibration, sensor_value) * step * direction > 0))
            return false;
    }
    return false;
}

bool calibration_is_invertible(const struct calibration *calibration, double low, double high)
{
    enum { STEPS = 256 };
    double slope = calibration_slope(calibration, 0);
    if (slope == 0)
        return false;
    double step = (high - low) / STEPS / slope;
    return isfinite(step) && reaches(calibration, high, step) && reaches(calibration, low, -step);
}
