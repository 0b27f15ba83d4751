/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All rungs of the ladder fitted to random decays, and the choice among them; long_ladder.c does a thousand. */
#include "identify/ladder/ladder_comparison.h"
#include "identify/ladder/ladder_start.h"
#include "ladder_campaign.h"
#include "run_suite.h"

#include <math.h>
#include <stdlib.h>

enum { RECORDS = 8 };

/* From the extrema alone every rung comes to the optimum that the truth leads to; more terms never fit worse. */
START_TEST(random_decays)
{
    static const struct ladder_range range = {.half_cycles_most = 40, .samples_a_cycle = 30};
    struct ladder_tally tally = {.records = 0};
    for (unsigned seed = 0; seed < RECORDS; seed++) {
        struct ladder_record record = ladder_record_make(seed, &range);
        ladder_record_judge(&record, &tally);
        ladder_record_clear(&record);
    }
    ladder_tally_print(&tally);
    ck_assert_uint_eq(tally.not_found, 0);
    ck_assert_uint_eq(tally.above_truth, 0);
    ck_assert_uint_eq(tally.above_contained, 0);
    ck_assert_uint_ge(tally.judged, 3);
    ck_assert_uint_ge(tally.right + 1, tally.judged);
    ck_assert_double_ge((double)tally.all.covered, 0.8 * (double)tally.all.estimates);
}
END_TEST

/* Without noise the truth itself comes back, whatever the units, and its rung is chosen. */
START_TEST(a_noise_free_decay_comes_back)
{
    static const struct ladder_range range = {.half_cycles_most = 40, .samples_a_cycle = 60};
    static struct ladder ladder;
    struct extremum *extrema;
    size_t count;
    const double unit = 2.5e-4, second = 1e3;
    struct ladder_record record = ladder_record_noise_free(LADDER_BIT(LADDER_X_K) | LADDER_BIT(LADDER_DRAG) |
                                                               LADDER_BIT(LADDER_CUBIC) | LADDER_BIT(LADDER_X_D),
                                                           5, &range);
    for (size_t i = 0; i < record.record.count; i++)
        record.value[i] *= unit;
    record.record.period_s *= second;
    ck_assert_int_eq(extrema_find(&record.record, NULL, &extrema, &count), VERDICT_OK);
    ck_assert_int_eq(ladder_identify(&record.record, extrema, count, NULL, &ladder), VERDICT_OK);
    const struct ladder_model *model = &ladder.models[ladder.chosen];
    ck_assert_uint_eq(model->terms, record.terms);
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++) {
        if (!ladder_terms_have(record.terms, p)) {
            ck_assert_double_nan(model->estimate[p].value);
            continue;
        }
        const double power[LADDER_PARAMETERS] = {
            [LADDER_X_K] = 1, [LADDER_DRAG] = -1, [LADDER_CUBIC] = -2, [LADDER_SQUARE] = -1,
            [LADDER_X_D] = 1, [LADDER_X0] = 1,    [LADDER_BIAS] = 1};
        const double time = p == LADDER_OMEGA_N ? 1 / second : p == LADDER_T0 ? second : 1;
        const double scale = pow(unit, power[p]) * time;
        ck_assert_double_eq_tol(model->estimate[p].value, record.truth[p] * scale,
                                1e-7 * scale * fmax(fabs(record.truth[p]), 0.01));
    }
    ck_assert_double_lt(model->rms, 1e-9 * unit);
    /* A rung whose optimum was not sought to the end says that it leaves too much. */
    size_t left = 0;
    for (size_t n = 0; n < LADDER_RUNGS; n++) {
        const bool no_contender = ladder.models[n].verdict == VERDICT_NO_CONTENDER;
        ck_assert_int_ne(ladder.models[n].verdict, VERDICT_NOT_CONVERGED);
        ck_assert(!no_contender || ladder.models[n].rms > 2 * model->rms);
        left += no_contender;
    }
    ck_assert_uint_gt(left, 0);
    free(extrema);
    ladder_record_clear(&record);
}
END_TEST

/* Encoder steps without noise and 230 half cycles: x_d, x_k, zeta and the frequency stand in for each other along a
 * narrow bent valley, which a fit from a twentieth of x_d has to follow to its end. */
START_TEST(a_long_valley_is_followed)
{
    static const struct ladder_range range = {.half_cycles_most = 300, .samples_a_cycle = 80};
    struct ladder_record record = ladder_record_make(5014, &range);
    struct extremum *extrema;
    size_t count;
    struct ladder_data data;
    struct ladder_normal normal, of_truth;
    double parameters[LADDER_PARAMETERS], truth[LADDER_PARAMETERS];
    ck_assert(record.noise == 0 && ladder_terms_have(record.terms, LADDER_X_D));
    ck_assert_int_eq(extrema_find(&record.record, NULL, &extrema, &count), VERDICT_OK);
    ck_assert_int_eq(ladder_data_from(&record.record, extrema, count, &data), VERDICT_OK);
    ladder_from_record(&data, record.truth, truth);
    ladder_start(&data, record.terms, truth[LADDER_X_D] / 20, parameters);
    ladder_minimise(ladder_extrema_pass, &data, record.terms, 1e-3, 12, NULL, parameters, &normal);
    ck_assert_int_eq(ladder_minimise(ladder_sample_pass, &data, record.terms, 1e-8, 80, NULL, parameters, &normal),
                     VERDICT_OK);
    ck_assert_int_eq(ladder_minimise(ladder_sample_pass, &data, record.terms, 1e-12, 80, NULL, truth, &of_truth),
                     VERDICT_OK);
    ck_assert_double_le(normal.squares, of_truth.squares * (1 + 1e-6));
    ladder_data_clear(&data);
    free(extrema);
    ladder_record_clear(&record);
}
END_TEST

/* Records whose optimum is out of the way. 19: noise-free steps, and two kinds of damping at their bounds, of which
 * only one stays there. 5114: friction that cannot be seen, whose best presliding reaches over half of X_0. 2 and 31: a
 * valley on which presliding reaches over all of X_0, where damped steps are short long before its end. 20358: such a
 * valley so bent that the steps along it are a hundredth of its length. */
static const unsigned hidden[] = {19, 5114, 2, 31, 20358};

START_TEST(a_hidden_optimum_is_found)
{
    static const struct ladder_range range = {.half_cycles_most = 300, .samples_a_cycle = 80};
    struct ladder_tally tally = {.records = 0};
    struct ladder_record record = ladder_record_make(hidden[_i], &range);
    ladder_record_judge(&record, &tally);
    ck_assert_uint_eq(tally.not_found, 0);
    ck_assert_uint_eq(tally.above_truth, 0);
    ck_assert_uint_eq(tally.above_contained, 0);
    ladder_record_clear(&record);
}
END_TEST

/* What cannot be fitted says why, and so does each of its rungs. */
START_TEST(too_little_is_said_to_be)
{
    static const struct ladder_range range = {.half_cycles_most = 40, .samples_a_cycle = 60};
    static struct ladder ladder;
    struct ladder_record record = ladder_record_make(1, &range);
    struct extremum *extrema;
    size_t count;
    const atomic_bool cancel = true;
    ck_assert_int_eq(extrema_find(&record.record, NULL, &extrema, &count), VERDICT_OK);
    ck_assert_int_eq(ladder_identify(&record.record, extrema, LADDER_EXTREMA - 1, NULL, &ladder),
                     VERDICT_TOO_FEW_HALF_CYCLES);
    for (size_t n = 0; n < LADDER_RUNGS; n++) {
        ck_assert_int_eq(ladder.models[n].verdict, VERDICT_TOO_FEW_HALF_CYCLES);
        ck_assert(ladder_terms_allowed(ladder.models[n].terms));
        ck_assert_double_nan(ladder.models[n].rms);
    }
    ck_assert_int_eq(ladder_identify(&record.record, extrema, count, &cancel, &ladder), VERDICT_CANCELLED);
    free(extrema);
    ladder_record_clear(&record);
}
END_TEST

/* A rung that says a damping ratio, with an error, and is so much worse than the best by L and 6.63 a term. */
static void say(struct ladder *ladder, unsigned terms, double criterion, double zeta, double se)
{
    for (size_t n = 0; n < LADDER_RUNGS; n++) {
        struct ladder_model *model = &ladder->models[n];
        if (model->terms != terms)
            continue;
        model->criterion = criterion;
        model->estimate[LADDER_ZETA] = (struct estimate){.value = zeta, .se = se};
        model->spread[LADDER_ZETA] = se;
        ladder->chosen = criterion > 0 ? ladder->chosen : n;
    }
}

/* A further term has all the say, however little the record shows of it; two terms more have none. */
START_TEST(each_term_that_is_not_seen_is_heard_by_itself)
{
    static const double nothing = 6.63, almost = 1e-9;
    enum { VISCOUS = LADDER_BIT(LADDER_ZETA), DRAG = LADDER_BIT(LADDER_DRAG), CUBIC = LADDER_BIT(LADDER_CUBIC) };
    struct ladder *ladder = malloc(sizeof *ladder);
    ck_assert_ptr_nonnull(ladder);
    ladder_not_made(ladder, VERDICT_OK);
    say(ladder, VISCOUS, 0, 0.01, 1e-5);
    const struct estimate *chosen = &ladder->models[ladder->chosen].estimate[LADDER_ZETA];
    ck_assert_double_eq(ladder_model_uncertainty(ladder, LADDER_ZETA, chosen), 0);
    say(ladder, VISCOUS | DRAG | CUBIC, almost, 0.02, 1e-3);
    ck_assert_double_eq(ladder_model_uncertainty(ladder, LADDER_ZETA, chosen), 0);
    say(ladder, VISCOUS | DRAG, nothing, 0.01003, 4e-5);
    ck_assert_double_eq_tol(ladder_model_uncertainty(ladder, LADDER_ZETA, chosen), sqrt(24e-10), 1e-9);
    say(ladder, VISCOUS | DRAG, almost, 0.01003, 4e-5);
    ck_assert_double_eq_tol(ladder_model_uncertainty(ladder, LADDER_ZETA, chosen), sqrt(24e-10), 1e-9);
    /* One that says the same takes nothing from it, and a second one adds to it. */
    say(ladder, VISCOUS | CUBIC, nothing, 0.01, 1e-5);
    ck_assert_double_eq_tol(ladder_model_uncertainty(ladder, LADDER_ZETA, chosen), sqrt(24e-10), 1e-9);
    say(ladder, VISCOUS | CUBIC, nothing, 0.01, 3e-5);
    ck_assert_double_eq_tol(ladder_model_uncertainty(ladder, LADDER_ZETA, chosen), sqrt(24e-10 + 8e-10), 1e-9);
    free(ladder);
}
END_TEST

/* What is found may be chance: a rung without it is heard as much as it is likely, at even odds where the term is worth
 * 4.22. */
START_TEST(a_term_that_is_found_may_be_chance)
{
    enum { VISCOUS = LADDER_BIT(LADDER_ZETA), DRAG = LADDER_BIT(LADDER_DRAG) };
    struct ladder *ladder = malloc(sizeof *ladder);
    ck_assert_ptr_nonnull(ladder);
    ladder_not_made(ladder, VERDICT_OK);
    say(ladder, VISCOUS | DRAG, 0, 0.01, 1e-5);
    const struct estimate *chosen = &ladder->models[ladder->chosen].estimate[LADDER_ZETA];
    say(ladder, VISCOUS, 1e-9, 0.01005, 0);
    ck_assert_double_eq_tol(ladder_model_uncertainty(ladder, LADDER_ZETA, chosen),
                            sqrt(24e-10 / (1 + exp((6.63 - 4.22) / 2))), 1e-9);
    say(ladder, VISCOUS, 2 * log(3), 0.01005, 0);
    ck_assert_double_eq_tol(ladder_model_uncertainty(ladder, LADDER_ZETA, chosen),
                            sqrt(24e-10 / (1 + 3 * exp((6.63 - 4.22) / 2))), 1e-9);
    free(ladder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ladder");
    TCase *cases = tcase_create("cases");
    tcase_set_timeout(cases, 600);
    tcase_add_test(cases, random_decays);
    tcase_add_test(cases, a_noise_free_decay_comes_back);
    tcase_add_test(cases, a_long_valley_is_followed);
    tcase_add_loop_test(cases, a_hidden_optimum_is_found, 0, sizeof hidden / sizeof hidden[0]);
    tcase_add_test(cases, too_little_is_said_to_be);
    tcase_add_test(cases, each_term_that_is_not_seen_is_heard_by_itself);
    tcase_add_test(cases, a_term_that_is_found_may_be_chance);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
