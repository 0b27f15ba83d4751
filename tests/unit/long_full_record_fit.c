/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What takes minutes: efficiency over thousands of records, and a search for records on which the fit gets lost. */
#include "fit_statistics.h"
#include "identify/decay/damping_model.h"
#include "identify/decay/decay_minimiser.h"
#include "run_suite.h"

#include <string.h>

enum { SEED = 19981112, EFFICIENCY_RECORDS = 5000, RANDOM_RECORDS = 4000 };

START_TEST(errors_are_at_the_bound)
{
    for (size_t r = 0; r < BOUND_ROWS; r++) {
        const struct bound_row *row = &bound_rows[r];
        /* Half a period before the first sample: no sample is left out by the noise in t0. */
        struct true_decay truth = {10.0 * M_PI, row->zeta, row->x_k, 0.0, 1.0, 0.0, -5e-4};
        struct sampling sampling = {.period_s = 1e-3, .count = row->samples, .noise = 0.01};
        struct fit_errors errors;
        fit_errors_of(&truth, &sampling, EFFICIENCY_RECORDS, SEED, &errors);
        double zeta = 100.0 * errors.rmse[FIT_ZETA] / row->zeta / row->zeta_percent;
        double x_k = 100.0 * errors.rmse[FIT_X_K] / row->x_k / row->x_k_percent;
        printf("zeta %g, x_k %g: RMSE/bound %.3f and %.3f; coverage", row->zeta, row->x_k, zeta, x_k);
        for (int p = 0; p < FIT_PARAMETERS; p++)
            printf(" %.3f", errors.coverage[p]);
        printf("\n");
        ck_assert_double_eq_tol(zeta, 1.0, 0.05);
        ck_assert_double_eq_tol(x_k, 1.0, 0.05);
        for (int p = 0; p < FIT_PARAMETERS; p++)
            ck_assert_double_eq_tol(errors.coverage[p], 0.95, 0.012);
    }
}
END_TEST

static double log_uniform(gsl_rng *rng, double low, double high)
{
    return low * pow(high / low, gsl_rng_uniform(rng));
}

/* A random decay of the kind that the fit promises to find, its sampling, and 3 or more half cycles of motion. */
static void random_decay(gsl_rng *rng, struct true_decay *truth, struct sampling *sampling)
{
    double half_cycles, per_cycle;
    do {
        *truth = (struct true_decay){.omega_n = log_uniform(rng, 1.0, 1000.0), .bias = gsl_ran_gaussian(rng, 3.0)};
        truth->zeta = gsl_rng_uniform(rng) < 0.15 ? 0.0 : log_uniform(rng, 1e-4, 0.25);
        truth->x_k = gsl_rng_uniform(rng) < 0.15 ? 0.0 : log_uniform(rng, 1e-4, 0.15);
        truth->x0 = gsl_rng_uniform(rng) < 0.5 ? 1.0 : -1.0;
        half_cycles = log_uniform(rng, 3.0, 150.0);
        per_cycle = log_uniform(rng, 20.0, 2000.0);
        while (half_cycles >= 1.0) {
            double x = fabs(true_extremum(truth, (size_t)ceil(half_cycles), NULL));
            if (x > 1.5 * truth->x_k && x > 0.02)
                break;
            half_cycles = ceil(half_cycles) - 1.0;
        }
    } while (half_cycles < 3.0 || half_cycles * per_cycle > 60000.0);
    double half_period = M_PI / true_omega_d(truth);
    sampling->period_s = 2.0 * half_period / per_cycle;
    sampling->start_s = 0.0;
    truth->t0 = gsl_rng_uniform(rng) * half_period;
    sampling->count = (size_t)((truth->t0 + half_cycles * half_period) / sampling->period_s) + 1;
    sampling->noise = log_uniform(rng, 1e-4, 0.1);
}

/* The optimum that a search reaches from the truth on the samples of the fit. */
static double squares_from_truth(const struct decay_record *record, const struct true_decay *truth,
                                 const struct full_record_fit *fit)
{
    struct scaled_record scaled;
    struct normal_equations normal;
    ck_assert_int_eq(scaled_record_from(record, FIT_PARAMETERS + 1, &scaled), VERDICT_OK);
    double half_period = M_PI / true_omega_d(truth), parameters[FIT_PARAMETERS];
    double values[FIT_PARAMETERS] = {truth->omega_n, truth->zeta, truth->x_k, truth->x0, truth->bias, truth->t0};
    if (fit->estimate[FIT_T0].value <
        truth->t0 - 0.5 * half_period) { /* the half cycle before was whole enough to be used */
        double sigma = truth->x0 > 0.0 ? -1.0 : 1.0;
        values[FIT_X0] = -(truth->x0 - sigma * truth->x_k) * exp(true_beta(truth) * M_PI) + sigma * truth->x_k;
        values[FIT_T0] -= half_period;
    }
    scaled_from_record(&scaled, values, parameters);
    struct decay_minimiser minimiser = {.scaled = &scaled,
                                        .first = fit->range.first,
                                        .last = fit->range.last,
                                        .free = {.free = {true, true, true, true, true, true}},
                                        .passes_left = 1000};
    ck_assert_int_eq(decay_minimise(&minimiser, 1e-7, parameters, &normal), VERDICT_OK);
    return normal.sum_of_squares / scaled.scale / scaled.scale;
}

START_TEST(no_decay_is_lost)
{
    gsl_rng *rng = seeded_rng(SEED);
    int lost = 0;
    for (int n = 0; n < RANDOM_RECORDS; n++) {
        struct true_decay truth;
        struct sampling sampling = {0};
        double *y;
        random_decay(rng, &truth, &sampling);
        struct decay_record record = measured_record(&truth, &sampling, rng, &y);
        struct full_record_fit fit;
        full_record_fit(&record, &six_unknowns, &fit);
        double off = fabs(fit.estimate[FIT_OMEGA_N].value - truth.omega_n);
        bool found = fit.verdict == VERDICT_OK &&
                     off <= fmax(0.01 * truth.omega_n, 5.0 * fit.estimate[FIT_OMEGA_N].se) &&
                     fit.sum_of_squares <= squares_from_truth(&record, &truth, &fit) * (1.0 + 1e-6);
        if (!found) {
            lost++;
            printf("lost record %d: %s, zeta %g, x_k %g, noise %g, %zu samples\n", n, verdict_name(fit.verdict),
                   truth.zeta, truth.x_k, sampling.noise, sampling.count);
        }
        free(y);
    }
    printf("%d random decays, %d lost\n", RANDOM_RECORDS, lost);
    ck_assert_int_eq(lost, 0);
    gsl_rng_free(rng);
}
END_TEST

int main(void)
{
    printf("seed %d\n", SEED);
    Suite *suite = suite_create("full-record fit, long");
    TCase *tests = tcase_create("long");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 3600);
    tcase_add_test(tests, errors_are_at_the_bound);
    tcase_add_test(tests, no_decay_is_lost);
    return run_suite(suite);
}
