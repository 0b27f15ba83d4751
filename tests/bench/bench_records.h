/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_BENCH_RECORDS_H
#define FRICID_TESTS_BENCH_RECORDS_H

/* Records to measure times on, made from the closed form that the unit tests use. */

#include "closed_form_decay.h"

struct bench_case {
    const char *name;
    double f_n_hz, zeta, x_k, x0;
    double duration_s;
    double noise, rho; /* standard deviation; correlation with the sample before */
    double step;       /* of an encoder or converter; 0: none */
};

static const struct bench_case ecp_case = {"ECP case, white noise", 6.89, 0.0184, 0.0112, 1.5, 3.2, 8.8e-4, 0.0, 0.0};

static const struct bench_case bench_cases[] = {
    {"ECP case, white noise", 6.89, 0.0184, 0.0112, 1.5, 3.2, 8.8e-4, 0.0, 0.0},
    {"ECP case, encoder of 16000 counts, no noise", 6.89, 0.0184, 0.0112, 1.5, 3.2, 0.0, 0.0, 7.06 / 16000},
    {"ECP case, correlated noise (0.9)", 6.89, 0.0184, 0.0112, 1.5, 3.2, 8.8e-3, 0.9, 0.0},
    {"150 half cycles, white noise", 15.0, 0.005, 1e-4, 1.0, 5.0, 1e-2, 0.0, 0.0},
};

enum { bench_case_count = sizeof bench_cases / sizeof *bench_cases };

struct bench_record {
    struct decay_record record;
    double *displacement;
};

static inline struct bench_record bench_record_make(size_t count, const struct bench_case *decay, unsigned long seed)
{
    struct true_decay truth = {
        .omega_n = 2 * M_PI * decay->f_n_hz, .zeta = decay->zeta, .x_k = decay->x_k, .x0 = decay->x0};
    struct sampling sampling = {.period_s = decay->duration_s / (double)count, .count = count};
    struct bench_record made;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, seed);
    made.record = measured_record(&truth, &sampling, NULL, &made.displacement);
    double noise = gsl_ran_gaussian(rng, 1.0);
    for (size_t i = 0; i < count; i++) {
        made.displacement[i] += decay->noise * noise;
        noise = decay->rho * noise + gsl_ran_gaussian(rng, sqrt(1.0 - decay->rho * decay->rho));
        if (decay->step > 0)
            made.displacement[i] = round(made.displacement[i] / decay->step) * decay->step;
    }
    made.record.resolution = decay->step;
    gsl_rng_free(rng);
    return made;
}

static inline void bench_record_free(struct bench_record *made)
{
    free(made->displacement);
}

#endif
