/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_CALIBRATION_H
#define FRICID_PROTO_CALIBRATION_H

#include <stdbool.h>
#include <stddef.h>

enum { CALIBRATION_MAX_TERMS = 8 };

/* Polynomial from what the sensor gives (volts, counts, file values) to the displacement unit:
 * c[0] + c[1] v + c[2] v² + … */
struct calibration {
    double coefficients[CALIBRATION_MAX_TERMS];
    size_t terms;
};

/* Displacement = sensor value. */
struct calibration calibration_identity(void);

double calibration_apply(const struct calibration *calibration, double sensor_value);

/* Of each of `count` values, in place. How many come out before the first that is larger than RECORDING_LARGEST_VALUE
 * or no number: `count`, all. */
size_t calibration_apply_each(const struct calibration *calibration, double *values, size_t count);

/* Slope at a sensor value: turns the sensor's step into displacement units. */
double calibration_slope(const struct calibration *calibration, double sensor_value);

/* The sensor value that gives this displacement; NAN when none does, or the search fails. Of several, one next to where
 * the straight part of the polynomial has it. */
double calibration_sensor_value(const struct calibration *calibration, double displacement);

/* Whether the polynomial rises or falls all the way from one displacement to another (low < high), so that each belongs
 * to one sensor value. */
bool calibration_is_invertible(const struct calibration *calibration, double low, double high);

#endif
