/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Noise whose neighbours are alike makes ups and downs of its own: none of them may pass for the motion's. */
#include "fit_statistics.h"
#include "identify/decay/identify.h"
#include "run_suite.h"

enum { SEED = 20261121 };

static const struct identify_settings no_settings = {
    .physical = {.mass_kg = NAN, .stiffness_n_per_m = NAN, .gravity_m_per_s2 = 9.80665, .metres_per_unit = NAN},
    .cancel = NULL};

/* A decay with noise of the given standard deviation and correlation between neighbours; the caller frees *y. */
static struct decay_record coloured_record(const struct true_decay *truth, struct sampling sampling, double rho,
                                           gsl_rng *rng, double **y)
{
    struct sampling quiet = sampling;
    quiet.noise = 0.0;
    struct decay_record record = measured_record(truth, &quiet, rng, y);
    add_noise(*y, &sampling, rho, rng);
    return record;
}

/* Thousands of samples and few half cycles. */
START_TEST(strong_noise_hides_no_decay)
{
    enum { RECORDS = 40 };
    static const struct true_decay truths[] = {
        {10.0 * M_PI, 0.09, 0.008, 0.0, 1.0, 0.2, 0.0},
        {10.0 * M_PI, 0.0, 0.005, 0.0, 1.0, -0.4, 0.0},
        {10.0 * M_PI, 0.15, 0.0003, 0.0, 1.0, 0.0, 0.0},
    };
    const struct sampling sampling = {.period_s = 1.6e-4, .count = 4400, .noise = 0.08};
    gsl_rng *rng = seeded_rng(SEED);
    for (size_t r = 0; r < sizeof truths / sizeof *truths; r++)
        for (int n = 0; n < RECORDS; n++) {
            double *y;
            struct decay_record record = coloured_record(&truths[r], sampling, 0.84, rng, &y);
            struct full_record_fit fit;
            ck_assert_int_eq(full_record_fit(&record, &six_unknowns, &fit), VERDICT_OK);
            ck_assert_double_eq_tol(fit.estimate[FIT_OMEGA_N].value / truths[r].omega_n, 1.0, 0.05);
            free(y);
        }
    gsl_rng_free(rng);
}
END_TEST

/* Two cycles of motion, then fifteen times as long a rest, whose noise swings as well: the rhythm is the motion's. */
START_TEST(the_rhythm_is_not_that_of_noise_at_rest)
{
    enum { RECORDS = 100 };
    const struct true_decay truth = {10.0 * M_PI, 0.01, 0.13, 0.13, 1.0, 0.2, 0.0};
    const struct sampling sampling = {.period_s = 3e-3, .count = 2000, .noise = 0.021};
    gsl_rng *rng = seeded_rng(SEED);
    int lost = 0;
    for (int n = 0; n < RECORDS; n++) {
        double *y;
        struct decay_record record = coloured_record(&truth, sampling, 0.5, rng, &y);
        struct full_record_fit fit;
        full_record_fit(&record, &six_unknowns, &fit);
        lost += fit.verdict != VERDICT_OK || !(fabs(fit.estimate[FIT_OMEGA_N].value / truth.omega_n - 1.0) < 0.05);
        free(y);
    }
    printf("behind a long rest: %d of %d lost\n", lost, RECORDS);
    ck_assert_int_le(lost, 1);
    gsl_rng_free(rng);
}
END_TEST

static double log_uniform(gsl_rng *rng, double low, double high)
{
    return low * pow(high / low, gsl_rng_uniform(rng));
}

/* Noise that is alike over half a cycle shifts half cycle after half cycle, the last and smallest ones by much: no
 * frequency changes for all that. */
START_TEST(slow_noise_is_no_lost_phase)
{
    static const struct true_decay truths[] = {
        {10.0 * M_PI, 0.0079, 0.0235, 0.0235, 1.0, 0.2, 0.0},
        {10.0 * M_PI, 0.0033, 0.0125, 0.0125, 1.0, 0.2, 0.0},
        {10.0 * M_PI, 0.0111, 0.092, 0.092, 1.0, 0.2, 0.0},
        {10.0 * M_PI, 0.0302, 0.0292, 0.0292, 1.0, 0.2, 0.0},
    };
    enum { TRUTHS = sizeof truths / sizeof *truths, RECORDS = 60 };
    gsl_rng *rng = seeded_rng(SEED);
    int refused = 0;
    for (size_t n = 0; n < (size_t)TRUTHS * RECORDS; n++) {
        const struct true_decay *truth = &truths[n % TRUTHS];
        const double half_cycles = (double)true_half_cycles(truth, 100), per_cycle = log_uniform(rng, 20.0, 100.0);
        /* Three times as long at rest as in motion. */
        const struct sampling sampling = {.period_s = 0.2 / per_cycle,
                                          .count = (size_t)(2.0 * half_cycles * per_cycle),
                                          .noise = log_uniform(rng, 0.001, 0.03)};
        double *y;
        struct decay_record record = coloured_record(truth, sampling, 0.9, rng, &y);
        struct full_record_fit fit;
        refused += full_record_fit(&record, &six_unknowns, &fit) != VERDICT_OK;
        free(y);
    }
    printf("slow noise behind a rest: %d of %d refused\n", refused, TRUTHS * RECORDS);
    ck_assert_int_le(refused, 1);
    gsl_rng_free(rng);
}
END_TEST

/* Four half cycles, then seven at rest: the noise there is no motion, and the rest is seen. */
START_TEST(a_tail_at_rest_stays_at_rest)
{
    enum { RECORDS = 50 };
    const struct true_decay truth = {10.0 * M_PI, 0.001, 0.117, 0.12, 1.0, 0.3, 0.0};
    const struct sampling sampling = {.period_s = 1e-3, .count = 1100, .noise = 2e-4};
    gsl_rng *rng = seeded_rng(SEED);
    int bracketed = 0;
    for (int n = 0; n < RECORDS; n++) {
        double *y;
        struct decay_record record = coloured_record(&truth, sampling, 0.83, rng, &y);
        struct identification found;
        ck_assert_int_eq(identify(&record, NULL, &no_settings, &found), VERDICT_OK);
        ck_assert_int_eq(found.extrema_fit.verdict, VERDICT_OK);
        ck_assert_double_eq_tol(found.extrema_fit.estimate[FIT_X_K].value, truth.x_k, 0.005);
        ck_assert_double_ge(found.extrema_fit.estimate[FIT_ZETA].low, 0.0); /* an interval ends at its bound */
        bracketed += found.static_friction.verdict == VERDICT_OK && found.static_friction.x_s_min <= truth.x_s &&
                     truth.x_s < found.static_friction.x_s_max;
        identification_clear(&found);
        free(y);
    }
    gsl_rng_free(rng);
    ck_assert_int_ge(bracketed, 9 * RECORDS / 10);
}
END_TEST

/* The frequency is constant; slow noise shifts the half cycles to and fro, but not neighbours alike. */
START_TEST(slow_noise_is_no_drift_of_the_frequency)
{
    enum { RECORDS = 300 };
    const struct true_decay truth = {10.0 * M_PI, 0.155, 0.001, 0.0, 1.0, 0.0, 0.0};
    const struct sampling sampling = {.period_s = 0.2 / 32.0, .count = 157, .noise = 0.013};
    gsl_rng *rng = seeded_rng(SEED);
    int blamed = 0;
    for (int n = 0; n < RECORDS; n++) {
        double *y;
        struct decay_record record = coloured_record(&truth, sampling, 0.76, rng, &y);
        struct full_record_fit fit;
        blamed += full_record_fit(&record, &six_unknowns, &fit) != VERDICT_OK;
        free(y);
    }
    gsl_rng_free(rng);
    ck_assert_int_le(blamed, RECORDS / 100);
}
END_TEST

/* White noise, three half cycles of fifteen samples: the fit leaves a hole in the residual's spectrum, which is no
 * property of the noise; intervals that believed in it would cover too little. */
START_TEST(a_short_record_promises_no_more_than_it_knows)
{
    enum { RECORDS = 3000 };
    const struct true_decay truth = {10.0 * M_PI, 0.01, 0.12, 0.0, 1.0, 0.0, -1e-6};
    const struct sampling sampling = {.period_s = 0.2 / 30.0, .count = 46, .noise = 0.002};
    const double values[FIT_PARAMETERS] = {truth.omega_n, truth.zeta, truth.x_k, truth.x0, truth.bias, truth.t0};
    gsl_rng *rng = seeded_rng(SEED);
    struct fit_errors errors = {.robust = 0};
    for (int n = 0; n < RECORDS; n++) {
        double *y;
        struct decay_record record = coloured_record(&truth, sampling, 0.0, rng, &y);
        struct full_record_fit fit;
        ck_assert_int_eq(full_record_fit(&record, &six_unknowns, &fit), VERDICT_OK);
        count_fit(&fit, values, RECORDS, &errors);
        ck_assert(fit.few_effective_samples);
        free(y);
    }
    gsl_rng_free(rng);
    /* 95 % within three standard deviations of the count. */
    for (int p = 0; p < FIT_PARAMETERS; p++)
        ck_assert_double_eq_tol(errors.coverage[p], 0.95, 0.012);
}
END_TEST

/* Each of the two flags judges what it is called by: a record with thousands of effective samples has not few of them,
 * and one of many half cycles not few of these. */
START_TEST(flags_are_called_by_what_is_few)
{
    gsl_rng *rng = seeded_rng(SEED + 8);
    const struct true_decay truth = {10.0 * M_PI, 0.02, 0.005, 0.0, 1.0, 0.0, -1e-6};
    const struct {
        size_t count;
        double period_s, rho;
        bool samples, half_cycles;
    } records[] = {
        {4400, 0.00025, 0.3, false, true}, /* 11 half cycles, 2400 effective samples */
        {280, 0.0125, 0.95, true, false},  /* 35 half cycles */
        {4400, 0.00025, 0, false, false},
    };
    for (size_t n = 0; n < 3; n++) {
        const struct sampling sampling = {.period_s = records[n].period_s, .count = records[n].count, .noise = 0.003};
        double *y;
        const struct decay_record record = coloured_record(&truth, sampling, records[n].rho, rng, &y);
        struct full_record_fit fit;
        ck_assert_int_eq(full_record_fit(&record, &six_unknowns, &fit), VERDICT_OK);
        printf("%.0f effective samples, %zu half cycles\n", fit.effective_samples, fit.half_cycles);
        ck_assert(fit.few_effective_samples == records[n].samples);
        ck_assert(fit.few_half_cycles == records[n].half_cycles);
        free(y);
    }
    gsl_rng_free(rng);
}
END_TEST

int main(void)
{
    printf("seed %d\n", SEED);
    Suite *suite = suite_create("coloured noise");
    TCase *tests = tcase_create("coloured");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, strong_noise_hides_no_decay);
    tcase_add_test(tests, the_rhythm_is_not_that_of_noise_at_rest);
    tcase_add_test(tests, slow_noise_is_no_lost_phase);
    tcase_add_test(tests, a_tail_at_rest_stays_at_rest);
    tcase_add_test(tests, slow_noise_is_no_drift_of_the_frequency);
    tcase_add_test(tests, flags_are_called_by_what_is_few);
    tcase_add_test(tests, a_short_record_promises_no_more_than_it_knows);
    return run_suite(suite);
}
