/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_DRIVEN_CONTACT_H
#define FRICID_TESTS_DRIVEN_CONTACT_H

#include "identify/loop/friction_ladder.h"
#include "identify/loop/loop_signal.h"

#include <stdbool.h>

/* A driven contact, by its own equation dzeta = (1 - sense zeta/S) dx/x_d in many small steps. */
struct driven_contact {
    double f_c, x_d, ratio, v_s, exponent, sigma_1, sigma_2, k_x, f_0;
    double level_ratio; /* of the directions; 0: 1 */
    double path_slope, path_curvature, mass;
    bool triangle;                       /* not a sine */
    double rounded;                      /* a triangle without corners, but the closer to them the closer to 1; or 0 */
    double phase;                        /* of either triangle, of a cycle */
    double dwell;                        /* of a triangle, at each end, of a cycle */
    double amplitude, frequency, shrink; /* of the last cycle against the first */
    size_t cycles, samples_a_cycle;
    double noise;
    double displacement_noise, displacement_step; /* in x_d: normal noise, and an encoder's steps; 0: none */
    unsigned seed;
};

struct driven_record {
    struct loop_signal signal;
    double *room; /* owned */
};

/* Of an interval between samples. */
enum { DRIVEN_STEPS = 400 };

/* Displacement and velocity; the level in that direction, S(v), with that of its side; normal noise. */
double driven_motion_at(const struct driven_contact *contact, double t, double *velocity);
double driven_level_at(const struct driven_contact *contact, double velocity);
double driven_noise(unsigned *seed);

struct driven_record driven_contact_record(const struct driven_contact *contact);

/* Of its record, which must have one. */
struct friction_ladder driven_contact_ladder(const struct driven_contact *contact);

#endif
