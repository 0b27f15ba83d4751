/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_FIT_STATISTICS_H
#define FRICID_TESTS_FIT_STATISTICS_H

/* Errors of the full-record fit over many noisy records of one decay. */

#include "closed_form_decay.h"
#include "identify/decay/full_record_fit.h"

#include <check.h>

static const struct full_record_options six_unknowns = {.model = DAMPING_VISCOUS_COULOMB};

/* Cramér-Rao bounds with all six parameters unknown, computed elsewhere: f_0 = 5 Hz, 1000 samples/s, X_0 = 1,
 * sigma = 0.01, record until the amplitude is 2 % or 1.5 x_k. */
struct bound_row {
    double zeta, x_k;
    size_t samples;
    double zeta_percent, x_k_percent, correlation, f_percent;
};

enum { BOUND_ROWS = 4 };

static const struct bound_row bound_rows[BOUND_ROWS] = {
    {0.02, 0.01, 2200, 0.626, 0.781, -0.943, 0.0053},
    {0.01, 0.001, 8100, 0.204, 1.016, -0.906, 0.0010},
    {0.05, 0.02, 1001, 0.807, 1.205, -0.934, 0.0190},
    {0.10, 0.05, 402, 1.516, 2.090, -0.951, 0.0743},
};

struct fit_errors {
    double rmse[FIT_PARAMETERS];
    double coverage[FIT_PARAMETERS]; /* share of the records whose 95 % interval holds the truth */
    double robust;                   /* share of the records whose covariance is not "white" */
};

static inline gsl_rng *seeded_rng(unsigned long seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, seed);
    return rng;
}

/* Noise of the given standard deviation, each value correlated by rho with the one before. */
static inline void add_noise(double *y, const struct sampling *sampling, double rho, gsl_rng *rng)
{
    double noise = gsl_ran_gaussian(rng, sampling->noise);
    for (size_t i = 0; i < sampling->count; i++) {
        y[i] += noise;
        noise = rho * noise + gsl_ran_gaussian(rng, sampling->noise * sqrt(1.0 - rho * rho));
    }
}

static inline void count_fit(const struct full_record_fit *fit, const double *truth, int records,
                             struct fit_errors *errors)
{
    const struct estimate *estimates[FIT_PARAMETERS] = {&fit->estimate[FIT_OMEGA_N], &fit->estimate[FIT_ZETA],
                                                        &fit->estimate[FIT_X_K],     &fit->estimate[FIT_X0],
                                                        &fit->estimate[FIT_BIAS],    &fit->estimate[FIT_T0]};
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        double error = estimates[p]->value - truth[p];
        errors->rmse[p] += error * error / records;
        errors->coverage[p] += (estimates[p]->low <= truth[p] && truth[p] <= estimates[p]->high) / (double)records;
    }
    errors->robust += (fit->covariance_kind[0] != 'w') / (double)records;
}

static inline void fit_errors_with(const struct true_decay *truth, const struct sampling *sampling, double rho,
                                   int records, unsigned long seed, struct fit_errors *errors)
{
    const double values[FIT_PARAMETERS] = {truth->omega_n, truth->zeta, truth->x_k, truth->x0, truth->bias, truth->t0};
    struct sampling quiet = *sampling;
    quiet.noise = 0.0;
    gsl_rng *rng = seeded_rng(seed);
    *errors = (struct fit_errors){0};
    for (int n = 0; n < records; n++) {
        double *y;
        struct decay_record record = measured_record(truth, &quiet, rng, &y);
        add_noise(y, sampling, rho, rng);
        struct full_record_fit fit;
        ck_assert_int_eq(full_record_fit(&record, &six_unknowns, &fit), VERDICT_OK);
        count_fit(&fit, values, records, errors);
        free(y);
    }
    for (int p = 0; p < FIT_PARAMETERS; p++)
        errors->rmse[p] = sqrt(errors->rmse[p]);
    gsl_rng_free(rng);
}

static inline void fit_errors_of(const struct true_decay *truth, const struct sampling *sampling, int records,
                                 unsigned long seed, struct fit_errors *errors)
{
    fit_errors_with(truth, sampling, 0.0, records, seed, errors);
}

#endif
