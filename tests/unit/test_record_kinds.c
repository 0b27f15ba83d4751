/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of every kind, from their traces to what is found in them. */
#include "closed_form_decay.h"
#include "identify/bounce/restitution.h"
#include "identify/decay/free_decay.h"
#include "identify/decay/identify.h"
#include "pipeline/analysis.h"
#include "report/kinds/kind_work.h"
#include "run_suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct identify_settings nothing_known = {.physical = {.mass_kg = NAN, .stiffness_n_per_m = NAN}};

/* Heights before and after, row by row as they are stored. */
static const double heights[] = {100, 64, 50, 32, 80, 52};
enum { ROWS = 3 };

static struct kept_decay *kept(const char *kind, const char *columns, const double *figures, size_t count)
{
    const struct decay_origin_names names = {.unit = "mm", .kind = kind, .columns = columns};
    const struct decay_origin origin = decay_origin_make(&names, &nothing_known.physical, NAN);
    struct decay *decay = decay_from_whole(figures, NULL, NULL, count, 0, 1, 0);
    ck_assert_ptr_nonnull(decay);
    struct kept_decay *made = kept_decay_create(&origin, decay);
    ck_assert_ptr_nonnull(made);
    return made;
}

START_TEST(every_kind_has_its_analysis)
{
    const struct record_kind *kind;
    size_t count = 0;
    for (; (kind = record_kind_at(count)); count++) {
        const struct kind_work *work = kind_work_named(kind->name);
        ck_assert_ptr_eq(work->kind, kind);
        ck_assert_ptr_nonnull(work->analyse);
        /* What is handed in has columns, or samples that are one record; what has neither is found in streams. */
        ck_assert_int_eq(work->finder != NULL, kind->form_count == 0 && !record_kind_is_whole(kind));
    }
    ck_assert_uint_gt(count, 1);
    ck_assert_ptr_eq(kind_work_named("")->kind, record_kind_at(0));
    ck_assert_ptr_null(kind_work_named("of a later program"));
}
END_TEST

/* Nobody needs to say it of an acceleration or a velocity, which is no displacement that a mass slides. */
START_TEST(units_say_the_kind_of_samples)
{
    ck_assert_str_eq(record_kind_of_samples("", "x", "mm")->name, "free_decay");
    ck_assert_str_eq(record_kind_of_samples("", "x", "V")->name, "free_decay");
    ck_assert_str_eq(record_kind_of_samples("", "x", "mm/s")->name, "ring_down");
    ck_assert_str_eq(record_kind_of_samples("", "x", "mm_per_s")->name, "ring_down");
    ck_assert_str_eq(record_kind_of_samples("free_decay", "x", "mm/s")->name, "free_decay");
    ck_assert_str_eq(record_kind_of_samples("", "x", "m/s2")->name, "ring_down");
    ck_assert_str_eq(record_kind_of_samples("free_decay", "x", "m/s2")->name, "free_decay");
    ck_assert_str_eq(record_kind_of_samples("ring_down", "x", "mm")->name, "ring_down");
    ck_assert_ptr_null(record_kind_of_samples("thunder", "x", "m/s2"));
}
END_TEST

/* An acceleration without a unit would give a wrong displacement in silence. */
START_TEST(names_say_the_kind_where_units_do_not)
{
    static const char *const accelerations[] = {
        "acceleration", "acc", "acc1", "Accel X", "Beschleunigung", "acc\xc3\xa9l\xc3\xa9ration", "ACCELEROMETER_2"};
    static const char *const others[] = {"x", "a", "lvdt", "accuracy", "access", "value", ""};
    for (size_t i = 0; i < sizeof accelerations / sizeof accelerations[0]; i++) {
        ck_assert_str_eq(record_kind_of_samples("", accelerations[i], "")->name, "ring_down");
        ck_assert_str_eq(record_kind_of_samples("", accelerations[i], "V")->name, "ring_down");
        ck_assert_str_eq(record_kind_of_samples("", accelerations[i], "mm")->name, "free_decay");
        ck_assert_str_eq(record_kind_of_samples("free_decay", accelerations[i], "")->name, "free_decay");
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        ck_assert_str_eq(record_kind_of_samples("", others[i], "")->name, "free_decay");
    ck_assert_str_eq(record_kind_of_samples("", "velocity", "")->name, "ring_down");
    ck_assert_str_eq(record_kind_of_samples("", "Geschwindigkeit", "")->name, "ring_down");
    ck_assert_str_eq(record_kind_of_samples("", "velocity", "1")->name, "ring_down");
    ck_assert_str_eq(record_kind_of_samples("", "velocity", "V")->name, "free_decay");
}
END_TEST

START_TEST(columns_are_traces_however_they_lie)
{
    double before[ROWS], after[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        before[i] = heights[2 * i];
        after[i] = heights[2 * i + 1];
    }
    const struct record_trace apart[] = {
        {.quantity = QUANTITY_HEIGHT, .values = before, .count = ROWS, .stride = 1},
        {.quantity = QUANTITY_HEIGHT, .values = after, .count = ROWS, .stride = 1},
    };
    const struct record record = {apart, 2, NULL};
    struct restitution expected;
    ck_assert_int_eq(analyse_bounces(&record, VERDICT_OK, &nothing_known, &expected), VERDICT_OK);
    ck_assert_double_eq_tol(expected.e.value, (0.8 + 0.8 + sqrt(0.65)) / 3, 1e-15);
    struct kept_decay *decay = kept("bounces", "h0,h1", heights, 2 * ROWS);
    struct kept_result *result = identify_kept_decay(decay, &(struct analysis_steps){0}, NULL);
    const struct restitution *found = result->found;
    ck_assert_int_eq(result->identification.verdict, VERDICT_OK);
    ck_assert_int_eq(found->kind, RESTITUTION_HEIGHTS);
    ck_assert_uint_eq(found->impacts, ROWS);
    ck_assert_double_eq(found->e.value, expected.e.value);
    ck_assert_double_eq(found->e.se, expected.e.se);
    kept_result_release(result);
    kept_decay_release(decay);
}
END_TEST

static void samples_of_a_decay(double *samples, size_t count)
{
    const struct true_decay truth = {.omega_n = 31.4, .zeta = 0.02, .x_k = 0.05, .x_s = 0.05, .x0 = 10};
    for (size_t i = 0; i < count; i++)
        samples[i] = true_displacement(&truth, (double)i * 1e-2);
}

START_TEST(a_free_decay_is_identified_as_ever)
{
    double samples[600];
    samples_of_a_decay(samples, 600);
    const struct decay_record decay = {
        .displacement = samples, .count = 600, .period_s = 1e-2, .first_extremum_s = 0.02, .resolution = 1e-3};
    const struct record_seen seen = {0.02, {0.01, 0.001}, RECORD_JUST_ENDS, NULL};
    const struct record_trace trace = {
        .values = samples, .count = 600, .stride = 1, .period_s = 1e-2, .resolution = 1e-3};
    const struct record record = {&trace, 1, &seen};
    struct identification direct, found;
    ck_assert_int_eq(identify(&decay, &seen.rest, &nothing_known, &direct), VERDICT_OK);
    ck_assert_int_eq(analyse_free_decay(&record, VERDICT_OK, &nothing_known, &found), VERDICT_OK);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        ck_assert_int_eq(memcmp(&found.fit.estimate[p], &direct.fit.estimate[p], sizeof(double)), 0);
    ck_assert_double_eq(found.rest.position, seen.rest.position);
    identification_clear(&direct);
    identification_clear(&found);
}
END_TEST

START_TEST(what_is_left_says_why)
{
    double samples[600];
    samples_of_a_decay(samples, 600);
    struct kept_decay *decays[] = {kept(NULL, NULL, samples, 600), kept("bounces", "h0,h1", heights, 2 * ROWS),
                                   kept("of a later program", NULL, samples, 600)};
    for (size_t i = 0; i < 3; i++) {
        struct kept_result *result = leave_kept_decay(decays[i], VERDICT_GIVEN_UP);
        const struct restitution *found = result->found;
        ck_assert_int_eq(result->identification.verdict, VERDICT_GIVEN_UP);
        ck_assert_double_nan(result->identification.fit.estimate[FIT_ZETA].value);
        ck_assert_int_eq(found != NULL, i == 1);
        if (found) {
            ck_assert_int_eq(found->verdict, VERDICT_GIVEN_UP);
            ck_assert_double_nan(found->e.value);
        }
        kept_result_release(result);
        kept_decay_release(decays[i]);
    }
}
END_TEST

START_TEST(what_a_later_program_stored_is_not_computed)
{
    static const char *const of[][2] = {{"bounces", "loudness"}, {"of a later program", ""}};
    for (size_t i = 0; i < 2; i++) {
        struct kept_decay *decay = kept(of[i][0], of[i][1], heights, 2 * ROWS);
        struct kept_result *result = identify_kept_decay(decay, &(struct analysis_steps){0}, NULL);
        ck_assert_int_eq(result->identification.verdict, VERDICT_NOT_COMPUTED);
        ck_assert_ptr_null(result->found);
        kept_result_release(result);
        kept_decay_release(decay);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("record kinds");
    TCase *tests = tcase_create("record kinds");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, every_kind_has_its_analysis);
    tcase_add_test(tests, units_say_the_kind_of_samples);
    tcase_add_test(tests, names_say_the_kind_where_units_do_not);
    tcase_add_test(tests, columns_are_traces_however_they_lie);
    tcase_add_test(tests, a_free_decay_is_identified_as_ever);
    tcase_add_test(tests, what_is_left_says_why);
    tcase_add_test(tests, what_a_later_program_stored_is_not_computed);
    return run_suite(suite);
}
