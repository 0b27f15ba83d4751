/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does one free motion explain a few half cycles, and does it fail to explain what only looks like one? */
#include "closed_form_decay.h"
#include "run_suite.h"
#include "segment/free_fit.h"

#include <check.h>

enum { SEED = 1998, SAMPLES = 600, PERIOD = 100, RECORDS = 100 };

static struct sample_history history_of(const double samples[SAMPLES])
{
    struct sample_history history;
    const struct stretch stretch = {.period_s = 1};
    sample_history_init(&history);
    sample_history_restart(&history, &stretch);
    ck_assert_int_eq(sample_history_reserve(&history, SAMPLES, SAMPLES), 0);
    sample_history_append(&history, samples, NULL, NULL, SAMPLES);
    return history;
}

/* The span is told wrongly by a few hundredths of a half period, as a search does. */
static struct free_fit fitted(const double samples[SAMPLES], size_t half_cycles)
{
    struct sample_history history = history_of(samples);
    const struct free_span span = {PERIOD + 1.0, PERIOD / 2.0 - 0.4, half_cycles};
    struct free_fit fit = free_fit_of(&history, &span);
    sample_history_clear(&history);
    return fit;
}

/* Noise of a hundredth of X_0: of a variance of so many means, four standard deviations more are chance. */
START_TEST(a_free_motion_leaves_its_noise)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    printf("seed %d\n", SEED);
    gsl_rng_set(rng, SEED);
    for (int n = 0; n < RECORDS; n++) {
        double samples[SAMPLES], side = n % 2 ? 1 : -1, noise = 0.01;
        const struct true_decay truth = {.omega_n = 2 * M_PI / PERIOD,
                                         .zeta = gsl_ran_flat(rng, 0, 0.1),
                                         .x_k = gsl_ran_flat(rng, 0, 0.05),
                                         .x0 = side,
                                         .bias = 20,
                                         .t0 = PERIOD};
        for (int i = 0; i < SAMPLES; i++)
            samples[i] = true_displacement(&truth, i) + gsl_ran_gaussian(rng, noise);
        struct free_fit fit = fitted(samples, 3);
        double chance = 1 + 4 * sqrt(2.0 / (double)fit.means);
        ck_assert_double_le(fit.rms * fit.rms, chance * noise * noise / fit.mean_size);
    }
    gsl_rng_free(rng);
}
END_TEST

/* Swings that fall, one by one the shape of half a cycle: but each takes a tenth longer than the one before, or they
 * fall ever faster. Without any noise. */
START_TEST(falling_swings_of_another_kind_are_no_free_motion)
{
    static const struct {
        double longer, swing[5];
    } kinds[] = {{1.1, {1.8, 1.5, 1.25, 1.04, 0.87}}, {1, {1.8, 1.7, 1.5, 1.1, 0.4}}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        double samples[SAMPLES], begin = PERIOD, length = PERIOD / 2.0, level = 0.9, way = -1;
        size_t half = 0;
        for (int i = 0; i < SAMPLES; i++) {
            while (half < 5 && i >= begin + length) {
                level += way * kinds[k].swing[half++];
                way = -way;
                begin += length;
                length *= kinds[k].longer;
            }
            double theta = i < begin || half == 5 ? 0 : M_PI * (i - begin) / length;
            samples[i] = level + way * (half < 5 ? kinds[k].swing[half] : 0) * (1 - cos(theta)) / 2;
        }
        ck_assert_double_gt(fitted(samples, 5).rms, 0.012 * 1.8);
    }
}
END_TEST

START_TEST(too_few_samples_fit_nothing)
{
    double samples[SAMPLES] = {0};
    struct sample_history history = history_of(samples);
    const struct free_span span = {10, 2, 3};
    ck_assert(isinf(free_fit_of(&history, &span).rms));
    sample_history_clear(&history);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("free fit");
    TCase *tests = tcase_create("short decays");
    tcase_add_test(tests, a_free_motion_leaves_its_noise);
    tcase_add_test(tests, falling_swings_of_another_kind_are_no_free_motion);
    tcase_add_test(tests, too_few_samples_fit_nothing);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
