/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_PASS_H
#define FRICID_IDENTIFY_MODE_PASS_H

#include "identify/ring_down/slow_flow.h"

enum { PASS_MODES = 8, PASS_SENSORS = 16 };

/* Samples of sensors that see the same modes at the same times. All is borrowed. */
struct mode_samples {
    enum sensed sensed;
    size_t sensors, count;
    double first_s, period_s; /* of sample 0, 0 or more after the modes' time 0; and between samples */
    /* Of each sensor `count` samples. Analytic ones are those of the complex signal, turned back by carrier (rad/s);
     * else the real parts count alone. */
    bool analytic;
    double carrier;
    const double complex *values;
    /* What is added to the model beside the modes, in the same order, or NULL. */
    const double complex *correction;
    double least_variance; /* of a row of the first sensor: no noise of a recorder is less */
};

/* A sum of modes, each seen by all sensors: q_r = Re{a e^(x + i psi)} by law r. */
struct mode_sum {
    size_t modes;
    struct amplitude_law law[PASS_MODES];
    double complex amplitude[PASS_MODES][PASS_SENSORS]; /* displacements at time 0 */
    double squares[PASS_SENSORS];                       /* of what it leaves of each sensor */
};

/* How many unknowns such a sum has: first the parameters mode by mode, then the real and imaginary parts of the
 * amplitudes, sensor by sensor and of each mode by mode. */
size_t mode_sum_unknowns(const struct mode_sum *sum, size_t sensors);

/* Room for passes over samples: NULL: no memory. */
struct mode_pass;
struct mode_pass *mode_pass_create(const struct mode_samples *samples, const struct mode_sum *like);
void mode_pass_free(struct mode_pass *pass);

/* Follows the laws of the sum and gives it the amplitudes that explain the samples best. Returns the sum of squares
 * of what is left, which is that of its sensors, or INFINITY where a law has no motion or the samples do not tell the
 * amplitudes apart. */
double mode_pass_follow(struct mode_pass *pass, struct mode_sum *sum);

/* At the sum that was followed last: half the gradient of the sum of squares, and Gauss and Newton's J'J by rows, by
 * all unknowns. */
void mode_pass_normal(const struct mode_pass *pass, const struct mode_sum *sum, double *gradient, double *matrix);

/* What one mode is there for a = 1, at sample i, as the samples are. */
double complex mode_pass_signal(const struct mode_pass *pass, size_t mode, size_t i);

/* What the model leaves of one sensor there, whose imaginary part is 0 where the samples are real. */
double complex mode_pass_left(const struct mode_pass *pass, const struct mode_sum *sum, size_t sensor, size_t i);

#endif
