/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the last half cycles of a motion tell of how it goes on, and how surely. */
#include "closed_form_decay.h"
#include "run_suite.h"
#include "segment/last_motion.h"

#include <check.h>

static const struct remaining_half_cycles freely = {0, INFINITY};

enum { SEED = 2007, SAMPLES = 1200, PERIOD = 160, RECORDS = 400 };

static void take(const double samples[SAMPLES], struct last_means *means)
{
    struct sample_history history;
    const struct stretch stretch = {.period_s = 1};
    sample_history_init(&history);
    sample_history_restart(&history, &stretch);
    ck_assert_int_eq(sample_history_reserve(&history, SAMPLES, SAMPLES), 0);
    sample_history_append(&history, samples, NULL, NULL, SAMPLES);
    /* As a search knows start and length. */
    last_means_take(&history, PERIOD + 1.5, PERIOD / 2.0 - 0.4, SAMPLES, means);
    sample_history_clear(&history);
}

static struct true_decay truth_of(gsl_rng *rng, int n)
{
    return (struct true_decay){.omega_n = 2 * M_PI / PERIOD,
                               .zeta = gsl_ran_flat(rng, 0.005, 0.05),
                               .x_k = gsl_ran_flat(rng, 0.005, 0.02),
                               .x0 = n % 2 ? 1 : -1,
                               .bias = 20,
                               .t0 = PERIOD};
}

/* Without noise: the motion is known, and so is where it will be two half cycles later, and where it rests. */
START_TEST(a_motion_without_noise_is_foretold)
{
    double samples[SAMPLES];
    const struct true_decay truth = {
        .omega_n = 2 * M_PI / PERIOD, .zeta = 0.03, .x_k = 0.1, .x_s = 0.1, .x0 = -1, .bias = 3, .t0 = PERIOD};
    for (int i = 0; i < SAMPLES; i++)
        samples[i] = true_displacement(&truth, i) + 1e-4 * i;
    struct last_means means;
    struct last_motion motion = {.half_cycles = 0};
    take(samples, &means);
    ck_assert(last_motion_fit(&means, 3, &motion));
    ck_assert_double_eq_tol(motion.parameter[MOTION_BETA], true_beta(&truth), 2e-3);
    ck_assert_double_eq_tol(motion.parameter[MOTION_X_K], -0.1, 2e-3);
    ck_assert_double_eq_tol(motion.parameter[MOTION_SLOPE], 1e-4 * means.length, 1e-4);
    ck_assert_double_eq_tol(last_motion_extremum(&motion, 0), true_extremum(&truth, 3, NULL), 2e-3);
    /* To the end of the motion and beyond it. */
    const struct departure ahead = last_motion_departure(&means, &motion, &freely, 8);
    ck_assert_uint_ge(ahead.means, 60);
    ck_assert_double_le(ahead.rms, 2e-3);
    const struct remaining_half_cycles stopped = {0, 0};
    ck_assert_double_ge(last_motion_departure(&means, &motion, &stopped, 8).rms, 0.05);
    bool rests;
    (void)true_extremum(&truth, 6, &rests);
    ck_assert(rests && means.at[means.count - 1] > 7);
}
END_TEST

/* With white noise what is foretold is off by as much as the variance says. */
START_TEST(what_is_foretold_is_as_sure_as_it_says)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    printf("seed %d\n", SEED);
    gsl_rng_set(rng, SEED);
    double next = 0, told = 0, noise = 0.005;
    for (int n = 0; n < RECORDS; n++) {
        double samples[SAMPLES];
        const struct true_decay truth = truth_of(rng, n);
        for (int i = 0; i < SAMPLES; i++)
            samples[i] = true_displacement(&truth, i) + gsl_ran_gaussian(rng, noise);
        struct last_means means;
        struct last_motion motion = {.half_cycles = 0};
        struct departure departure;
        take(samples, &means);
        ck_assert(last_motion_fit(&means, 8, &motion));
        /* A mean of five samples has a fifth of their variance. */
        double size = floor(means.length / MEANS_A_HALF_PERIOD), own = noise * noise / size;
        ck_assert(last_motion_predict_last(&motion, &departure));
        told += departure.rms * departure.rms / (departure.expected * departure.expected + own) / RECORDS;
        departure = last_motion_departure(&means, &motion, &freely, 1);
        next += departure.rms * departure.rms / (departure.expected * departure.expected + own) / RECORDS;
    }
    gsl_rng_free(rng);
    /* Sixteen means of a half cycle, of which the smooth part of what is foretold is one or two: an effective ten. */
    double chance = 4 * sqrt(2.0 / (10 * RECORDS));
    printf("%.3f, %.3f of the variance expected\n", told, next);
    ck_assert_double_eq_tol(told, 1, 0.02 + chance);
    ck_assert_double_eq_tol(next, 1, 0.02 + chance);
}
END_TEST

/* Too few samples, and samples of nothing, are no motion. */
START_TEST(nothing_is_no_motion)
{
    static const double flat[SAMPLES];
    struct last_means means;
    struct last_motion motion = {.half_cycles = 0};
    take(flat, &means);
    ck_assert(!last_motion_fit(&means, 0, &motion));
    if (last_motion_fit(&means, 5, &motion))
        ck_assert_double_eq_tol(motion.parameter[MOTION_X0], 0, 1e-9);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("last motion");
    TCase *tests = tcase_create("last motion");
    tcase_add_test(tests, a_motion_without_noise_is_foretold);
    tcase_add_test(tests, what_is_foretold_is_as_sure_as_it_says);
    tcase_add_test(tests, nothing_is_no_motion);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
