/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What speaks against recommended figures is asked of what the recommended model leaves. */
#include "identify/decay/identify_ladder.h"
#include "identify/decay/ladder_doubts.h"
#include "identify/decay/window_drifts.h"
#include "identify/ladder/ladder_comparison.h"
#include "ladder_campaign.h"
#include "run_suite.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { WINDOWS = 6 };

/* Windows as a rig would show them: 5 Hz, and what a stiffness or friction that gives way adds at an amplitude. */
static struct amplitude_windows made_windows(double cubic, double rise, const double errors[WINDOWS])
{
    struct amplitude_windows windows = {.verdict = VERDICT_OK, .count = WINDOWS};
    for (size_t n = 0; n < WINDOWS; n++) {
        struct amplitude_window *window = &windows.window[n];
        const double amplitude = pow(0.6, (double)n), se = 1e-3;
        *window = (struct amplitude_window){.largest = amplitude / 0.8, .smallest = amplitude * 0.8};
        window->f_n_hz = (struct estimate){
            .value = 5 + cubic * amplitude * amplitude + rise * pow(amplitude, -1.5) + se * errors[n], .se = se};
        for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
            window->estimate[p] = (struct estimate){.value = 0.01, .se = 1e-4};
    }
    return windows;
}

static const double none[WINDOWS] = {0}, some[WINDOWS] = {0.9, -1.2, 0.4, 1.1, -0.8, -0.2};

START_TEST(presliding_rises_towards_rest)
{
    const struct amplitude_windows plain = made_windows(0, 0, some), bent = made_windows(-0.1, 0, some),
                                   giving = made_windows(-0.1, 2e-3, some), falling = made_windows(0, -2e-3, none);
    ck_assert(!windows_show_presliding(&plain));
    ck_assert(!windows_show_presliding(&bent));
    ck_assert(windows_show_presliding(&giving));
    ck_assert(!windows_show_presliding(&falling));
}
END_TEST

START_TEST(windows_contradict_a_model)
{
    const struct amplitude_windows model = made_windows(-0.1, 0, none), record = made_windows(-0.1, 0, some);
    ck_assert(!windows_differ_in_frequency(&record, &model) && !windows_differ_in_damping(&record, &model));
    struct amplitude_windows other = record;
    other.window[4].f_n_hz.value += 6e-3;
    ck_assert(windows_differ_in_frequency(&other, &model) && !windows_differ_in_damping(&other, &model));
    other = record;
    other.window[2].estimate[FIT_ZETA].value += 6e-4;
    ck_assert(!windows_differ_in_frequency(&other, &model) && windows_differ_in_damping(&other, &model));
}
END_TEST

/* Friction that gives way is still seen where it is none of what the model explains. */
START_TEST(presliding_is_seen_beyond_a_model)
{
    const struct amplitude_windows record = made_windows(-0.1, 2e-3, some), bent = made_windows(-0.1, 0, none),
                                   giving = made_windows(-0.1, 2e-3, none);
    struct amplitude_windows left;
    windows_beyond(&record, &bent, &left);
    ck_assert(windows_show_presliding(&left));
    windows_beyond(&record, &giving, &left);
    ck_assert(!windows_show_presliding(&left));
}
END_TEST

/* A decay at 5 Hz with drag in white noise of a thousandth of X_0, and hum of a part of X_0. */
static void identify_with_hum(unsigned seed, double hum, struct identification *found)
{
    static const struct ladder_range range = {.half_cycles_most = 40, .samples_a_cycle = 80};
    const struct identify_settings settings = {.physical = physical_default_settings()};
    struct ladder_record made = ladder_record_noise_free(
        LADDER_BIT(LADDER_ZETA) | LADDER_BIT(LADDER_X_K) | LADDER_BIT(LADDER_DRAG), seed, &range);
    const double x0 = fabs(made.truth[LADDER_X0]);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    made.record.period_s *= made.truth[LADDER_OMEGA_N] / (2 * M_PI * 5);
    made.record.start_s = 0;
    for (size_t i = 0; i < made.record.count; i++)
        made.value[i] +=
            x0 * (gsl_ran_gaussian(rng, 1e-3) + hum * sin(2 * M_PI * 50 * (double)i * made.record.period_s + 1));
    identify(&made.record, NULL, &settings, found);
    identify_ladder(&made.record, &settings, found);
    gsl_rng_free(rng);
    ladder_record_clear(&made);
}

/* Hum is asked of what the chosen rung leaves: it widens the figures of that, and nothing else is named hum. */
START_TEST(hum_is_seen_behind_the_rung)
{
    static struct identification quiet, humming;
    identify_with_hum(3, 0, &quiet);
    ck_assert_int_eq(quiet.recommended, RECOMMENDED_LADDER);
    ck_assert(!quiet.doubts.mains_hum && !quiet.doubts.baseline_drift);
    ck_assert(!quiet.doubts.damping_drift && !quiet.doubts.frequency_drift && !quiet.doubts.presliding);
    identify_with_hum(3, 3e-3, &humming);
    ck_assert_int_eq(humming.recommended, RECOMMENDED_LADDER);
    ck_assert(humming.doubts.mains_hum);
    const struct ladder *ladder = humming.ladder;
    const struct ladder_model *chosen = &ladder->models[ladder->chosen];
    ck_assert_double_gt(ladder->estimate[LADDER_X_K].se, chosen->estimate[LADDER_X_K].se);
    ck_assert_double_ge(ladder->estimate[LADDER_X_K].combined.u, ladder->estimate[LADDER_X_K].se);
    identification_clear(&quiet);
    identification_clear(&humming);
}
END_TEST

/* A drift by the noise in a decay of many half cycles, which a fit does not ask for. */
START_TEST(a_drift_of_zero_is_doubted_in_long_records)
{
    static const struct ladder_range range = {.half_cycles_most = 100, .half_cycles_least = 70, .samples_a_cycle = 60};
    const struct identify_settings settings = {.physical = physical_default_settings()};
    static struct identification found;
    struct ladder_record made = ladder_record_make(109, &range);
    const double drift = 3 * hypot(made.noise, made.step);
    for (size_t i = 0; i < made.record.count; i++)
        made.value[i] += drift * (double)i / (double)made.record.count;
    identify(&made.record, NULL, &settings, &found);
    identify_ladder(&made.record, &settings, &found);
    const struct ladder *ladder = found.ladder;
    const struct estimate *bias = &ladder->estimate[LADDER_BIAS];
    ck_assert_uint_gt(ladder->half_cycles, 60);
    ck_assert_int_eq(found.recommended, RECOMMENDED_LADDER);
    ck_assert(ladder->zero_drift.found && found.doubts.baseline_drift);
    ck_assert_double_eq_tol(bias->value, made.truth[LADDER_BIAS] + 0.5 * drift, 5 * bias->se);
    ck_assert_double_gt(ladder->estimate[LADDER_X_K].se, 0);
    ck_assert_double_ge(ladder->estimate[LADDER_X_K].se, ladder->models[ladder->chosen].estimate[LADDER_X_K].se);
    identification_clear(&found);
    ladder_record_clear(&made);
}
END_TEST

static enum verdict doubt_again(const struct decay_record *record, const atomic_bool *cancel,
                                struct identification *found)
{
    struct extrema_chain chain;
    ck_assert_int_eq(extrema_chain_find(record, NULL, &chain), VERDICT_OK);
    const enum verdict verdict = ladder_doubt(record, &chain, cancel, found);
    extrema_chain_clear(&chain);
    return verdict;
}

/* The best rung without this term, which a ladder may have chosen. */
static void choose_without(enum ladder_parameter term, struct ladder *ladder)
{
    double least = INFINITY;
    for (size_t n = 0; n < LADDER_RUNGS; n++) {
        const struct ladder_model *model = &ladder->models[n];
        if (model->verdict != VERDICT_OK || ladder_terms_have(model->terms, term) || !(model->criterion < least))
            continue;
        least = model->criterion;
        ladder->chosen = n;
    }
    ladder_speak(ladder);
}

/* A rung that lacks presliding is asked for it again, of a decay with windows enough; where nobody could ask, it is
 * said. */
START_TEST(a_rung_without_presliding_is_doubted)
{
    static const struct ladder_range range = {.half_cycles_most = 40, .samples_a_cycle = 40};
    static struct identification found;
    const struct identify_settings settings = {.physical = physical_default_settings()};
    const atomic_bool cancel = true;
    struct ladder_record made = ladder_record_noise_free(LADDER_BIT(LADDER_X_K) | LADDER_BIT(LADDER_X_D), 12, &range);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < made.record.count; i++)
        made.value[i] += fabs(made.truth[LADDER_X0]) * gsl_ran_gaussian(rng, 2e-4);
    identify(&made.record, NULL, &settings, &found);
    ck_assert_int_eq(identify_ladder(&made.record, &settings, &found), VERDICT_OK);
    ck_assert(!found.doubts.presliding);
    choose_without(LADDER_X_D, found.ladder);
    ck_assert_int_eq(doubt_again(&made.record, NULL, &found), VERDICT_OK);
    ck_assert(found.doubts.presliding);
    ck_assert_int_eq(doubt_again(&made.record, &cancel, &found), VERDICT_CANCELLED);
    ck_assert(found.doubts.presliding);
    found.windows.verdict = VERDICT_TOO_FEW_HALF_CYCLES;
    ck_assert_int_eq(doubt_again(&made.record, NULL, &found), VERDICT_OK);
    ck_assert(found.doubts.presliding);
    identification_clear(&found);
    gsl_rng_free(rng);
    ladder_record_clear(&made);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("doubts");
    TCase *cases = tcase_create("cases");
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, presliding_rises_towards_rest);
    tcase_add_test(cases, windows_contradict_a_model);
    tcase_add_test(cases, presliding_is_seen_beyond_a_model);
    tcase_add_test(cases, a_rung_without_presliding_is_doubted);
    tcase_add_test(cases, hum_is_seen_behind_the_rung);
    tcase_add_test(cases, a_drift_of_zero_is_doubted_in_long_records);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
