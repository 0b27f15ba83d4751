/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_STRUCK_RECORD_H
#define FRICID_TESTS_STRUCK_RECORD_H

/* The record of a mode that was hit, with noise, and what is found in it. */

#include "identify/decay/record.h"
#include "identify/ring_down/ring_down.h"
#include "struck_joint.h"

#include <check.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <string.h>

#define RATE_HZ 2048.0
#define BLOW_S 0.3
enum { SAMPLES = 7168 };

/* 120 Hz, of which slip takes 1 % at the first amplitudes, and adds as much damping again as there is. */
static const struct struck_joint bolted = {.omega_0 = 754, .c = 1.5, .chi = -0.3, .r = 3.2e7};
static const struct struck_joint welded = {.omega_0 = 754, .c = 1.5, .chi = 0, .r = 0};

static double samples[SAMPLES], clean[SAMPLES];

static inline void hit(const struct struck_joint *joint)
{
    memset(clean, 0, sizeof clean);
    struck_joint_add(*joint, BLOW_S, 0.003, 80, RATE_HZ, SAMPLES, clean);
}

/* The largest of what rings on its own. */
static inline double first_value(const double *values)
{
    double most = 0;
    for (size_t i = (size_t)((BLOW_S + 0.005) * RATE_HZ); i < SAMPLES; i++)
        most = fmax(most, fabs(values[i]));
    return most;
}

static inline void add_noise(double share, unsigned long seed)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const double sd = share * first_value(clean);
    gsl_rng_set(random, seed);
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = clean[i] + gsl_ran_gaussian_ziggurat(random, sd);
    gsl_rng_free(random);
}

static inline struct record_trace trace_of(const double *values, size_t count, const char *unit)
{
    return (struct record_trace){
        .channel = "acc1", .unit = unit, .values = values, .count = count, .stride = 1, .period_s = 1 / RATE_HZ};
}

static inline struct ring_down look_at(const struct record_trace *trace)
{
    static const struct identify_settings settings;
    const struct record record = {trace, 1, NULL};
    struct ring_down found;
    ck_assert_int_eq(analyse_ring_down(&record, VERDICT_OK, &settings, &found), found.verdict);
    return found;
}

static inline struct ring_down look(void)
{
    const struct record_trace trace = trace_of(samples, SAMPLES, "m/s2");
    return look_at(&trace);
}

static inline void expect_verdict(const struct record_trace *trace, const char *verdict)
{
    const struct ring_down found = look_at(trace);
    ck_assert_str_eq(verdict_name(found.verdict), verdict);
}

static inline void expect_near(const struct estimate *estimate, double truth)
{
    ck_assert_double_gt(estimate->se, 0);
    ck_assert_double_le(fabs(estimate->value - truth), 4.5 * estimate->se);
}

#endif
