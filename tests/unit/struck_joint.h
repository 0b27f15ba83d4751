/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_STRUCK_JOINT_H
#define FRICID_TESTS_STRUCK_JOINT_H

/* A mode with a bolted joint that a hammer hits, seen by an accelerometer: integrated by Runge and Kutta's rule of
 * order 4 in short steps, the joint by Masing's rules. It shares no code with what is tested. */

#include <math.h>
#include <stddef.h>

struct struck_joint {
    double omega_0, c, chi, r; /* of small amplitudes, 1/s; density R phi^chi of the sliders; per modal mass */
    /* The joint's memory: turning points with open loops. */
    struct {
        double u, force;
    } turn[64];
    size_t turns;
    double direction;
};

enum { STRUCK_STEPS = 32 }; /* a sample */

static inline double struck_virgin(const struct struck_joint *joint, double u)
{
    const double n = joint->chi + 2;
    return joint->omega_0 * joint->omega_0 * u - joint->r * pow(u, n) / (n * (n - 1));
}

static inline double struck_force(const struct struck_joint *joint, double u)
{
    if (joint->turns == 0)
        return copysign(struck_virgin(joint, fabs(u)), u);
    const double from = joint->turn[joint->turns - 1].u, gone = fmax(joint->direction * (u - from), 0);
    return joint->turn[joint->turns - 1].force + joint->direction * 2 * struck_virgin(joint, gone / 2);
}

/* After a step: closed loops are forgotten, a change of direction is a turning point. */
static inline void struck_remember(struct struck_joint *joint, double u, double v)
{
    while (joint->turns >= 2 && joint->direction * (u - joint->turn[joint->turns - 2].u) > 0)
        joint->turns -= 2;
    if (joint->turns == 1 && joint->direction * (u + joint->turn[0].u) > 0)
        joint->turns = 0;
    if (v * joint->direction >= 0)
        return;
    if (joint->turns == sizeof joint->turn / sizeof joint->turn[0]) { /* the oldest say the least by now */
        for (size_t i = 2; i < joint->turns; i++)
            joint->turn[i - 2] = joint->turn[i];
        joint->turns -= 2;
    }
    joint->turn[joint->turns].force = struck_force(joint, u);
    joint->turn[joint->turns].u = u;
    joint->turns++;
    joint->direction = -joint->direction;
}

/* Adds the accelerations. The hammer pushes for push_s from blow_s on, a half sine of that strength (m/s^2 for a modal
 * mass of 1). */
static inline void struck_joint_add(struct struck_joint joint, double blow_s, double push_s, double strength,
                                    double rate_hz, size_t count, double *samples)
{
    const double h = 1 / (rate_hz * STRUCK_STEPS);
    double u = 0, v = 0;
    joint.turns = 0;
    joint.direction = 1;
    for (size_t i = 0; i < count * STRUCK_STEPS; i++) {
        double ku[4], kv[4];
        for (int k = 0; k < 4; k++) {
            const double share = k == 0 ? 0 : k == 3 ? 1 : 0.5, time_s = ((double)i + share) * h;
            const double at = k > 0 ? u + share * h * ku[k - 1] : u, rate = k > 0 ? v + share * h * kv[k - 1] : v;
            const double gone = (time_s - blow_s) / push_s;
            const double push = gone > 0 && gone < 1 ? strength * sin(M_PI * gone) : 0;
            ku[k] = rate;
            kv[k] = push - joint.c * rate - struck_force(&joint, at);
        }
        if (i % STRUCK_STEPS == 0)
            samples[i / STRUCK_STEPS] += kv[0];
        u += h / 6 * (ku[0] + 2 * ku[1] + 2 * ku[2] + ku[3]);
        v += h / 6 * (kv[0] + 2 * kv[1] + 2 * kv[2] + kv[3]);
        struck_remember(&joint, u, v);
    }
}

#endif
