/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "closed_form_decay.h"
#include "identify/decay/extremum.h"
#include "run_suite.h"

#include <string.h>

/* Decays of all kinds: light and heavy damping, crest and trough first, stop before zero is crossed. */
static const struct true_decay decays[] = {
    {31.4, 0.02, 0.01, 0, 1, 0, 0},   {31.4, 0.1, 0.05, 0.05, -1, 0.3, 2}, {31.4, 0, 0.05, 0, 1, -4, 1e3},
    {31.4, 0.25, 0.02, 0, 1, 0, -7},  {31.4, 0.25, 0, 0, -1, 0, 0},        {31.4, 0.001, 0.0005, 0, 1, 0.2, 0},
    {31.4, 0.02, 0, 0, -1, 0.001, 0}, {31.4, 0.05, 0.02, 0.05, 1, 0, 0},
};
enum { DECAYS = sizeof decays / sizeof decays[0] };

static double cycle_of(const struct true_decay *truth)
{
    return 2 * M_PI / true_omega_d(truth);
}

/* Samples a cycle and cycles, from `phase` cycles after the first extremum on. */
static struct sampling sampled(const struct true_decay *truth, double per_cycle, double cycles, double phase)
{
    const double cycle = cycle_of(truth);
    return (struct sampling){
        .start_s = truth->t0 + phase * cycle, .period_s = cycle / per_cycle, .count = (size_t)(per_cycle * cycles)};
}

/* Which true extremum the first one found is. */
static long offset_of(const struct true_decay *truth, const struct extremum *first)
{
    return lround(2 * (first->time_s - truth->t0) / cycle_of(truth));
}

/* Worst error of height and of time against the truth, in units of |X_0| and of a cycle. */
static void compare(const struct true_decay *truth, const struct extremum *extrema, size_t count, double *height,
                    double *time)
{
    const long offset = offset_of(truth, &extrema[0]);
    ck_assert_int_ge(offset, 0);
    *height = *time = 0;
    for (size_t n = 0; n < count; n++) {
        const size_t j = n + (size_t)offset;
        const double y = truth->bias + true_extremum(truth, j, NULL);
        const double t = truth->t0 + (double)j * cycle_of(truth) / 2;
        *height = fmax(*height, fabs(extrema[n].displacement - y) / fabs(truth->x0));
        *time = fmax(*time, fabs(extrema[n].time_s - t) / cycle_of(truth));
    }
}

START_TEST(noise_free_extrema_are_exact)
{
    const double per_cycle[] = {20, 23.7, 120, 1000};
    const double phases[] = {0, -0.03, -0.2, -0.4};
    for (size_t d = 0; d < DECAYS; d++)
        for (size_t s = 0; s < 4; s++) {
            for (size_t p = 0; p < 4; p++) {
                const struct true_decay *truth = &decays[d];
                const struct sampling sampling = sampled(truth, per_cycle[s], 7, phases[p]);
                double *y = NULL, height, time;
                const struct decay_record record = measured_record(truth, &sampling, NULL, &y);
                struct extremum *extrema = NULL;
                size_t count = 0;
                ck_assert_int_eq(extrema_find(&record, NULL, &extrema, &count), VERDICT_OK);
                compare(truth, extrema, count, &height, &time);
                ck_assert_double_lt(height, 1e-7);
                ck_assert_double_lt(time, 1e-4);
                ck_assert_int_eq(offset_of(truth, &extrema[0]), 0);
                const size_t all = true_half_cycles(truth, 13);
                ck_assert_uint_ge(count, all < 13 ? all : 12);
                free(extrema);
                free(y);
            }
        }
}
END_TEST

/* Heights and times scatter by what they say, and nothing is found that is not there. */
START_TEST(noise_moves_them_by_their_standard_errors)
{
    const unsigned long seed = 20260713;
    printf("seed %lu\n", seed);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    const double noises[] = {1e-4, 0.01, 0.05};
    for (size_t n = 0; n < 3; n++) {
        double heights = 0, times = 0, tested = 0;
        for (int trial = 0; trial < 40; trial++) {
            const struct true_decay truth = {31.4, 0.01, 0.003, 0, trial % 2 ? 1 : -1, 0.3, 5};
            struct sampling sampling = sampled(&truth, 100 + trial, 10, -0.3);
            sampling.noise = noises[n];
            double *y = NULL;
            const struct decay_record record = measured_record(&truth, &sampling, rng, &y);
            struct extremum *extrema = NULL;
            size_t count = 0;
            ck_assert_int_eq(extrema_find(&record, NULL, &extrema, &count), VERDICT_OK);
            ck_assert_uint_ge(count, 19);
            ck_assert_uint_le(count, 20);
            ck_assert_int_eq(offset_of(&truth, &extrema[0]), 0);
            for (size_t j = 0; j < count; j++) {
                const double t = truth.t0 + (double)j * cycle_of(&truth) / 2;
                heights +=
                    pow((extrema[j].displacement - truth.bias - true_extremum(&truth, j, NULL)) / extrema[j].se, 2);
                times += pow((extrema[j].time_s - t) / extrema[j].time_se_s, 2);
                tested++;
            }
            free(extrema);
            free(y);
        }
        ck_assert_double_eq_tol(sqrt(heights / tested), 1, 0.12);
        ck_assert_double_eq_tol(sqrt(times / tested), 1, 0.12);
    }
    gsl_rng_free(rng);
}
END_TEST

/* An encoder: long runs of equal samples at every extremum. */
START_TEST(steps_of_an_encoder)
{
    const double steps[] = {0.001, 0.01, 0.04};
    for (size_t n = 0; n < 3; n++)
        for (size_t told = 0; told < 2; told++) {
            const struct true_decay truth = {31.4, 0.01, 0.003, 0, 1, 0.3, 5};
            struct sampling sampling = sampled(&truth, 400, 8, -0.3);
            sampling.step = steps[n];
            double *y = NULL, height, time;
            struct decay_record record = measured_record(&truth, &sampling, NULL, &y);
            record.resolution = told ? steps[n] : 0;
            struct extremum *extrema = NULL;
            size_t count = 0;
            ck_assert_int_eq(extrema_find(&record, NULL, &extrema, &count), VERDICT_OK);
            ck_assert_uint_ge(count, 15);
            compare(&truth, extrema, count, &height, &time);
            ck_assert_double_lt(height, 0.35 * steps[n]);
            ck_assert_double_lt(time, 0.3 * steps[n] + 1e-4);
            for (size_t j = 0; j < count; j++)
                ck_assert_double_gt(extrema[j].se, 0.01 * steps[n]);
            free(extrema);
            free(y);
        }
}
END_TEST

/* The mass has stopped long ago; noise goes on. */
START_TEST(a_long_tail_at_rest_adds_nothing)
{
    const unsigned long seed = 20260714;
    printf("seed %lu\n", seed);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    for (int trial = 0; trial < 20; trial++) {
        const struct true_decay truth = {31.4, 0.02, 0.02, 0.03, 1, 0.3, 0};
        struct sampling sampling = sampled(&truth, 60, 100, 0);
        sampling.noise = trial == 0 ? 0 : 0.002;
        sampling.step = trial == 1 ? 0.01 : 0;
        double *y = NULL, height, time;
        const struct decay_record record = measured_record(&truth, &sampling, rng, &y);
        struct extremum *extrema = NULL;
        size_t count = 0;
        ck_assert_int_eq(extrema_find(&record, NULL, &extrema, &count), VERDICT_OK);
        ck_assert_uint_eq(count, true_half_cycles(&truth, 100));
        compare(&truth, extrema, count, &height, &time);
        ck_assert_double_lt(height, 5 * fmax(sampling.noise, sampling.step) + 1e-6);
        free(extrema);
        free(y);
    }
    gsl_rng_free(rng);
}
END_TEST

START_TEST(time_stamps_and_flags)
{
    const unsigned long seed = 20260715;
    printf("seed %lu\n", seed);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    const struct true_decay truth = {31.4, 0.02, 0.01, 0, 1, 0.3, 0};
    enum { SAMPLES = 600 };
    double time[SAMPLES], y[SAMPLES], height, late;
    uint8_t flags[SAMPLES] = {0};
    for (size_t i = 0; i < SAMPLES; i++) {
        time[i] = -0.02 + cycle_of(&truth) / 80 * ((double)i + 0.6 * gsl_rng_uniform(rng));
        y[i] = true_displacement(&truth, time[i]);
        if (y[i] > truth.bias + 0.9) { /* clipped */
            y[i] = truth.bias + 0.9;
            flags[i] = SAMPLE_CLIPPED;
        } else if (i % 37 == 5) {
            y[i] = i % 2 ? NAN : 1e6;
            flags[i] = SAMPLE_SPIKE;
        }
    }
    const struct decay_record record = {.displacement = y,
                                        .time_s = time,
                                        .flags = flags,
                                        .count = SAMPLES,
                                        .period_s = cycle_of(&truth) / 80,
                                        .first_extremum_s = NAN};
    struct extremum *extrema = NULL;
    size_t count = 0;
    ck_assert_int_eq(extrema_find(&record, NULL, &extrema, &count), VERDICT_OK);
    ck_assert_uint_ge(count, 14);
    compare(&truth, extrema, count, &height, &late);
    ck_assert_double_lt(height, 1e-7);
    for (size_t n = 0; n < count; n++)
        ck_assert_double_lt(fabs(time[extrema[n].index] - extrema[n].time_s), cycle_of(&truth) / 30);
    free(extrema);
    gsl_rng_free(rng);
}
END_TEST

/* The segmenter's word on where the decay begins counts. */
START_TEST(the_first_extremum_may_be_told)
{
    const struct true_decay truth = {31.4, 0.02, 0.01, 0, 1, 0.3, 0};
    const struct sampling sampling = sampled(&truth, 80, 6, -0.3);
    double *y = NULL;
    struct decay_record record = measured_record(&truth, &sampling, NULL, &y);
    for (size_t j = 0; j < 4; j++) {
        record.first_extremum_s = truth.t0 + (double)j * cycle_of(&truth) / 2 + 0.003;
        struct extremum *extrema = NULL;
        size_t count = 0;
        ck_assert_int_eq(extrema_find(&record, NULL, &extrema, &count), VERDICT_OK);
        ck_assert_int_eq(offset_of(&truth, &extrema[0]), (long)j);
        free(extrema);
    }
    free(y);
}
END_TEST

START_TEST(units_do_not_matter)
{
    const double units[] = {1e-12, 1e12}, seconds[] = {1e-9, 1e9};
    for (size_t u = 0; u < 2; u++)
        for (size_t s = 0; s < 2; s++) {
            const struct true_decay truth = {31.4 / seconds[s], 0.02,           0.01 * units[u], 0,
                                             units[u],          0.3 * units[u], 10 * seconds[s]};
            const struct sampling sampling = sampled(&truth, 50, 8, -0.2);
            double *y = NULL, height, time;
            const struct decay_record record = measured_record(&truth, &sampling, NULL, &y);
            struct extremum *extrema = NULL;
            size_t count = 0;
            ck_assert_int_eq(extrema_find(&record, NULL, &extrema, &count), VERDICT_OK);
            ck_assert_uint_ge(count, 15);
            compare(&truth, extrema, count, &height, &time);
            ck_assert_double_lt(height, 1e-8);
            free(extrema);
            free(y);
        }
}
END_TEST

static enum verdict verdict_of(const double *y, size_t count)
{
    const struct decay_record record = {.displacement = y, .count = count, .period_s = 0.001, .first_extremum_s = NAN};
    struct extremum *extrema = NULL;
    size_t found = 0;
    const enum verdict verdict = extrema_find(&record, NULL, &extrema, &found);
    ck_assert_int_eq(verdict == VERDICT_OK, extrema != NULL);
    ck_assert_int_eq(verdict == VERDICT_OK, found >= 2);
    free(extrema);
    return verdict;
}

START_TEST(what_is_no_decay_is_named)
{
    enum { SAMPLES = 3000 };
    double y[SAMPLES] = {0};
    ck_assert_int_eq(verdict_of(NULL, 0), VERDICT_TOO_FEW_SAMPLES);
    ck_assert_int_eq(verdict_of(y, 1), VERDICT_TOO_FEW_SAMPLES);
    ck_assert_int_eq(verdict_of(y, SAMPLES), VERDICT_NO_OSCILLATION);
    y[7] = NAN;
    ck_assert_int_eq(verdict_of(y, SAMPLES), VERDICT_NOT_FINITE);
    y[7] = -INFINITY;
    ck_assert_int_eq(verdict_of(y, SAMPLES), VERDICT_NOT_FINITE);
    for (size_t i = 0; i < SAMPLES; i++)
        y[i] = 0.1 * (double)i;
    ck_assert_int_ne(verdict_of(y, SAMPLES), VERDICT_OK);
    for (size_t i = 0; i < SAMPLES; i++)
        y[i] = i % 2 ? 1.7e308 : -1.7e308;
    ck_assert_int_ne(verdict_of(y, SAMPLES), VERDICT_OK);

    const unsigned long seed = 20260716;
    printf("seed %lu\n", seed);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    for (int trial = 0; trial < 20; trial++) {
        for (size_t i = 0; i < SAMPLES; i++)
            y[i] = gsl_ran_gaussian(rng, 1);
        ck_assert_int_eq(verdict_of(y, SAMPLES), VERDICT_NO_OSCILLATION);
    }
    gsl_rng_free(rng);

    const double standing[10] = {0}, backwards[10] = {0, 1, 2, 3, 3, 4, 5, 6, 7, 8};
    const struct decay_record record = {
        .displacement = standing, .time_s = backwards, .count = 10, .first_extremum_s = NAN};
    struct extremum *extrema = NULL;
    size_t found = 0;
    ck_assert_int_eq(extrema_find(&record, NULL, &extrema, &found), VERDICT_TIME_NOT_INCREASING);
}
END_TEST

/* Whoever shuts down does not wait for a long record. */
START_TEST(cancelled_leaves_nothing_behind)
{
    const struct true_decay truth = {31.4, 0.02, 0.01, 0, 1, 0, 0};
    const struct sampling sampling = {.period_s = 0.002, .count = 1500};
    const atomic_bool cancel = true;
    struct extremum *extrema = NULL;
    double *y = NULL;
    size_t count = 1;
    const struct decay_record record = measured_record(&truth, &sampling, NULL, &y);
    ck_assert_int_eq(extrema_find(&record, &cancel, &extrema, &count), VERDICT_CANCELLED);
    ck_assert_ptr_null(extrema);
    ck_assert_uint_eq(count, 0);
    free(y);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("extremum");
    TCase *tests = tcase_create("extremum");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, noise_free_extrema_are_exact);
    tcase_add_test(tests, noise_moves_them_by_their_standard_errors);
    tcase_add_test(tests, steps_of_an_encoder);
    tcase_add_test(tests, a_long_tail_at_rest_adds_nothing);
    tcase_add_test(tests, time_stamps_and_flags);
    tcase_add_test(tests, the_first_extremum_may_be_told);
    tcase_add_test(tests, units_do_not_matter);
    tcase_add_test(tests, what_is_no_decay_is_named);
    tcase_add_test(tests, cancelled_leaves_nothing_behind);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
