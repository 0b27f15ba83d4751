/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_COVERAGE_CAMPAIGN_H
#define FRICID_TESTS_COVERAGE_CAMPAIGN_H

/* How often the published 95 % intervals of the full-record fit hold the truth, over many records of one cell of a
 * grid. Every record has its own phase, side and, for encoders, place on the encoder's grid. */

#include "fit_statistics.h"
#include "identify/decay/disturbance.h"

struct coverage_cell {
    double zeta, x_k; /* X_0 is 1 */
    size_t half_cycles;
    double per_cycle; /* samples */
    double noise;     /* standard deviation */
    double rho;       /* correlation of neighbouring samples' noise */
    double counts;    /* encoder counts in X_0; 0: no encoder */
};

struct coverage {
    double share[FIT_PARAMETERS]; /* of the records whose interval holds the truth */
    double flagged;               /* few_effective_samples or few_half_cycles */
    double quantised;             /* covariance_kind "quantisation" */
    double widened;               /* for a drift or hum that is not there */
    int records, refused;         /* refused: another verdict than ok; not part of the shares */
};

/* The half cycles of a cell, cut where the bound would no longer apply: 2 % or 1.5 x_k. 0 when there are not three. */
static inline size_t usable_half_cycles(const struct coverage_cell *cell)
{
    const struct true_decay truth = {.omega_n = 10.0 * M_PI, .zeta = cell->zeta, .x_k = cell->x_k, .x0 = 1.0};
    size_t half_cycles = cell->half_cycles;
    while (half_cycles >= 3) {
        const double x = fabs(true_extremum(&truth, half_cycles, NULL));
        if (x >= 1.5 * cell->x_k && x >= 0.02)
            return half_cycles;
        half_cycles--;
    }
    return 0;
}

static inline void count_coverage(const struct full_record_fit *fit, const struct true_decay *truth,
                                  struct coverage *coverage)
{
    const double values[FIT_PARAMETERS] = {truth->omega_n, truth->zeta, truth->x_k, truth->x0, truth->bias, truth->t0};
    const struct estimate *estimates[FIT_PARAMETERS] = {&fit->estimate[FIT_OMEGA_N], &fit->estimate[FIT_ZETA],
                                                        &fit->estimate[FIT_X_K],     &fit->estimate[FIT_X0],
                                                        &fit->estimate[FIT_BIAS],    &fit->estimate[FIT_T0]};
    if (fit->verdict != VERDICT_OK) {
        coverage->refused++;
        return;
    }
    for (int p = 0; p < FIT_PARAMETERS; p++)
        coverage->share[p] += estimates[p]->low <= values[p] && values[p] <= estimates[p]->high;
    coverage->flagged += fit->few_effective_samples || fit->few_half_cycles;
    coverage->quantised += fit->covariance_kind[0] == 'q';
    coverage->records++;
}

static inline struct coverage coverage_of(const struct coverage_cell *cell, int records, gsl_rng *rng)
{
    struct coverage coverage = {.records = 0};
    const size_t half_cycles = usable_half_cycles(cell);
    for (int n = 0; n < records; n++) {
        struct true_decay truth = {.omega_n = 10.0 * M_PI, .zeta = cell->zeta, .x_k = cell->x_k, .x0 = 1.0};
        const double half_period = M_PI / true_omega_d(&truth), step = cell->counts > 0 ? 1.0 / cell->counts : 0.0;
        struct sampling sampling = {.period_s = 2.0 * half_period / cell->per_cycle, .step = step};
        truth.x0 = (gsl_rng_uniform(rng) < 0.5 ? -1.0 : 1.0) * (1.0 + 2.0 * step * gsl_rng_uniform(rng));
        truth.bias = step > 0 ? 7.0 * step * gsl_rng_uniform(rng) : 0.3 * gsl_rng_uniform(rng);
        truth.t0 = -0.999 * sampling.period_s * gsl_rng_uniform(rng);
        sampling.count = (size_t)((double)half_cycles * half_period / sampling.period_s);
        double *y;
        struct decay_record record = measured_record(&truth, &sampling, NULL, &y);
        struct sampling noise = sampling;
        noise.noise = cell->noise;
        if (cell->noise > 0)
            add_noise(y, &noise, cell->rho, rng);
        struct full_record_fit fit;
        full_record_fit(&record, &six_unknowns, &fit);
        coverage.widened += disturbance_widen(&record, &fit) != DISTURBANCE_NONE;
        count_coverage(&fit, &truth, &coverage);
        free(y);
    }
    for (int p = 0; p < FIT_PARAMETERS; p++)
        coverage.share[p] /= coverage.records > 0 ? coverage.records : 1;
    coverage.flagged /= coverage.records > 0 ? coverage.records : 1;
    coverage.quantised /= coverage.records > 0 ? coverage.records : 1;
    coverage.widened /= coverage.records > 0 ? coverage.records : 1;
    return coverage;
}

/* All shares of a cell within limits, widened by what counting so few records leaves uncertain. */
static inline void expect_coverage(const struct coverage_cell *cell, const struct coverage *coverage, double low,
                                   double high)
{
    /* Four standard deviations: a campaign looks at hundreds of shares. */
    const double n = coverage->records > 0 ? coverage->records : 1;
    const double below = 4.0 * sqrt(low * (1.0 - low) / n), above = 4.0 * sqrt(high * (1.0 - high) / n);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        ck_assert_msg(coverage->share[p] >= low - below && coverage->share[p] <= high + above,
                      "zeta %g, x_k %g, %zu half cycles, %g a cycle, noise %g, rho %g, %g counts: parameter %d is "
                      "covered in %.3f of %d records",
                      cell->zeta, cell->x_k, cell->half_cycles, cell->per_cycle, cell->noise, cell->rho, cell->counts,
                      p, coverage->share[p], coverage->records);
}

#endif
