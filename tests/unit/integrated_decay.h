/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_INTEGRATED_DECAY_H
#define FRICID_TESTS_INTEGRATED_DECAY_H

/* A decay with quadratic drag and cubic stiffness, integrated from the equation of motion with Runge and Kutta's fourth
 * order from one reversal to the next. It shares nothing with the library, so that it can judge it. */

#include <math.h>
#include <stddef.h>

/* x'' + 2 zeta omega_n x' + drag x'|x'| + omega_n² (x + cubic x³) + omega_n² x_k sign x' = 0 */
struct true_motion {
    double omega_n, zeta, x_k, drag, cubic, x0;
};

static inline double motion_acceleration(const struct true_motion *motion, double x, double v, double side)
{
    const double square = motion->omega_n * motion->omega_n;
    return -2 * motion->zeta * motion->omega_n * v - motion->drag * v * fabs(v) -
           square * (x + motion->cubic * x * x * x) - square * motion->x_k * side;
}

/* One step of length h; side: sign of the velocity in this half cycle. */
static inline void motion_step(const struct true_motion *motion, double h, double side, double *x, double *v)
{
    const double a1 = motion_acceleration(motion, *x, *v, side);
    const double v2 = *v + h / 2 * a1, a2 = motion_acceleration(motion, *x + h / 2 * *v, v2, side);
    const double v3 = *v + h / 2 * a2, a3 = motion_acceleration(motion, *x + h / 2 * v2, v3, side);
    const double v4 = *v + h * a3, a4 = motion_acceleration(motion, *x + h * v3, v4, side);
    *x += h / 6 * (*v + 2 * v2 + 2 * v3 + v4);
    *v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
}

/* Fills displacement[count] from the release at x0, at rest, on; each sample is reached in steps of at most a
 * two-hundredth of a cycle, and a reversal within a step is found by bisection. The motion must not end before. */
static inline void motion_sample(const struct true_motion *motion, double period_s, double *displacement, size_t count)
{
    double x = motion->x0, v = 0, side = motion->x0 > 0 ? -1 : 1;
    const size_t parts = (size_t)ceil(period_s * motion->omega_n / (2 * M_PI) * 200);
    for (size_t i = 0; i < count; i++) {
        displacement[i] = x;
        for (size_t part = 0; part < parts; part++) {
            double left = period_s / (double)parts, next_x = x, next_v = v;
            motion_step(motion, left, side, &next_x, &next_v);
            if (next_v * side < 0) { /* it turned within the step */
                double low = 0, high = left;
                for (int halving = 0; halving < 60; halving++) {
                    const double middle = (low + high) / 2;
                    double try_x = x, try_v = v;
                    motion_step(motion, middle, side, &try_x, &try_v);
                    if (try_v * side < 0)
                        high = middle;
                    else
                        low = middle;
                }
                motion_step(motion, low, side, &x, &v);
                v = 0;
                side = -side;
                next_x = x;
                next_v = v;
                motion_step(motion, left - low, side, &next_x, &next_v);
            }
            x = next_x;
            v = next_v;
        }
    }
}

/* The same without drag and cubic stiffness, but with friction that gives way over a distance before it slides (Dahl):
 * z' = (x'/x_d) (1 - z sign x'). */
static inline void presliding_rates(const struct true_motion *motion, double x_d, const double state[3],
                                    double rates[3])
{
    const double square = motion->omega_n * motion->omega_n, v = state[1], side = v > 0 ? 1 : v < 0 ? -1 : 0;
    rates[0] = v;
    rates[1] = -2 * motion->zeta * motion->omega_n * v - square * (state[0] + motion->x_k * state[2]);
    rates[2] = v / x_d * (1 - state[2] * side);
}

/* Runge and Kutta's fourth order, in steps in which a thirtieth of x_d is passed at most. */
static inline void presliding_sample(const struct true_motion *motion, double x_d, double period_s,
                                     double *displacement, size_t count)
{
    double state[3] = {motion->x0, 0, 0};
    const size_t parts = (size_t)ceil(period_s * motion->omega_n * fabs(motion->x0) / x_d * 30) + 1;
    const double h = period_s / (double)parts;
    for (size_t i = 0; i < count; i++) {
        displacement[i] = state[0];
        for (size_t part = 0; part < parts; part++) {
            double rates[4][3], at[3];
            presliding_rates(motion, x_d, state, rates[0]);
            for (int stage = 1; stage < 4; stage++) {
                for (int k = 0; k < 3; k++)
                    at[k] = state[k] + (stage < 3 ? h / 2 : h) * rates[stage - 1][k];
                presliding_rates(motion, x_d, at, rates[stage]);
            }
            for (int k = 0; k < 3; k++)
                state[k] += h / 6 * (rates[0][k] + 2 * rates[1][k] + 2 * rates[2][k] + rates[3][k]);
        }
    }
}

#endif
