/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_RING_DOWN_BENCH_H
#define FRICID_TESTS_RING_DOWN_BENCH_H

/* Ring-downs whose truth is known: a mode with a joint is held, let go, and seen by an accelerometer. */

#include "identify/ring_down/joint_motion.h"

#include <check.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { BENCH_SAMPLES = 6144 };
#define BENCH_RATE_HZ 2048.0

/* Deaner et al. (2015), mode 1, and one whose joint softens it by 0.8 % only at 0.8 phi_max. */
static const struct modal_iwan bench_strong = {
    .f_s = 2.33, .k_t = 1.37e5, .chi = -0.178, .beta = 0.0316, .k_inf = 4.41e5, .c = 1.51};
static const struct modal_iwan bench_mild = {
    .f_s = 2.33, .k_t = 1.37e4, .chi = -0.3, .beta = 0.5, .k_inf = 5.6e5, .c = 1.51};

static inline struct modal_iwan bench_mode(const struct modal_iwan *open)
{
    struct modal_iwan mode = *open;
    ck_assert(modal_iwan_complete(&mode));
    return mode;
}

static inline double bench_omega_0(const struct modal_iwan *mode)
{
    return sqrt(mode->k_t + mode->k_inf);
}

/* Adds the acceleration of a mode that is held at 0.8 phi_max and let go later_s before the first sample. */
static inline void bench_add(const struct modal_iwan *mode, double later_s, double *samples)
{
    struct joint_motion *motion = joint_motion_create(mode, 0.8 * mode->phi_max, 0);
    struct joint_state at;
    ck_assert_ptr_nonnull(motion);
    for (int i = 0; i < BENCH_SAMPLES; i++) {
        ck_assert_int_eq(joint_motion_to(motion, later_s + i / BENCH_RATE_HZ, &at), 0);
        samples[i] += at.acceleration;
    }
    joint_motion_free(motion);
}

/* Its first acceleration when it was let go. */
static inline double bench_first(const struct modal_iwan *mode)
{
    return 0.8 * mode->phi_max * modal_iwan_secant(mode, 0.8 * mode->phi_max);
}

#endif
