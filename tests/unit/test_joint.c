/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several channels of one motion fitted at once; long_joint.c does a hundred pairs of every rung. */
#include "joint_campaign.h"
#include "run_suite.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

static const struct ladder_range RANGE = {.half_cycles_most = 30, .samples_a_cycle = 40};

#define TERM(name) LADDER_BIT(LADDER_##name)

/* Without noise the truth comes back, with the gain and the bias, also of a sensor that is mounted the other way
 * round. */
static const unsigned rungs[] = {TERM(ZETA), TERM(X_K) | TERM(DRAG) | TERM(SQUARE),
                                 TERM(ZETA) | TERM(X_K) | TERM(CUBIC) | TERM(X_D)};

START_TEST(a_noise_free_pair_comes_back)
{
    struct joint joint;
    for (unsigned seed = 0; seed < 4; seed++) {
        struct joint_pair pair = joint_pair_make(rungs[_i], seed, &RANGE, 0, NULL);
        ck_assert(joint_pair_identify(&pair, true, &joint));
        ck_assert_int_eq(joint.verdict, VERDICT_OK);
        ck_assert_uint_eq(joint.terms, rungs[_i]);
        for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++) {
            if (!ladder_terms_have(rungs[_i], p)) {
                ck_assert_double_nan(joint.estimate[p].value);
                continue;
            }
            const double truth = pair.motion.truth[p];
            ck_assert_double_eq_tol(joint.estimate[p].value, truth, 1e-7 * fmax(fabs(truth), 0.01));
        }
        ck_assert_double_eq(joint.channels[0].gain.value, 1);
        ck_assert_double_eq_tol(joint.channels[1].gain.value, pair.gain, 1e-10 * fabs(pair.gain));
        ck_assert_double_eq_tol(joint.channels[0].bias.value, pair.motion.truth[LADDER_BIAS], 1e-10);
        ck_assert_double_eq_tol(joint.channels[1].bias.value, pair.bias, 1e-9 * fabs(pair.gain));
        joint_pair_clear(&pair);
    }
}
END_TEST

/* Statistics of a few: long_joint.c has the rest. */
START_TEST(noisy_pairs_are_covered)
{
    struct joint_tally tally = {.pairs = 0};
    for (unsigned seed = 0; seed < 60; seed++) {
        struct joint joint;
        struct joint_pair pair = joint_pair_make(rungs[seed % 3], seed, &RANGE, 1, NULL);
        joint_pair_identify(&pair, true, &joint);
        joint_pair_judge(&pair, &joint, &tally);
        joint_pair_clear(&pair);
    }
    joint_tally_print("pairs", &tally);
    ck_assert_uint_eq(tally.not_found, 0);
    ck_assert_uint_le(tally.contradictions, 1);
    ck_assert_double_ge((double)tally.covered, 0.9 * (double)tally.estimates);
    ck_assert_double_le((double)tally.covered, 0.99 * (double)tally.estimates);
    ck_assert_double_ge((double)tally.gains_covered, 0.85 * (double)tally.gains);
}
END_TEST

/* What each channel chose by itself may differ: a coarse one sees fewer terms. The fit of both has those that both
 * together show, and knows no figure worse than the finer channel alone. */
START_TEST(the_finer_channel_chooses)
{
    static const struct ladder_range range = {.half_cycles_most = 30, .samples_a_cycle = 30};
    struct joint joint;
    struct joint_pair pair = joint_pair_make(TERM(ZETA) | TERM(X_K) | TERM(CUBIC), 1, &range, 0, NULL);
    for (size_t c = 0; c < JOINT_PAIR; c++)
        for (size_t i = 0; i < pair.record[c].count; i++) {
            const double size = c == 0 ? 0.05 : 0.001 * fabs(pair.gain);
            pair.value[c][i] += size * sin(1e4 * sin(1.0 + (double)i * 1.7));
        }
    ck_assert(joint_pair_identify(&pair, false, &joint));
    ck_assert_int_eq(joint.verdict, VERDICT_OK);
    ck_assert_uint_eq(joint.terms, pair.motion.terms);
    ck_assert(!joint.contradiction.found);
    ck_assert_double_eq_tol(joint.estimate[LADDER_ZETA].value, pair.motion.truth[LADDER_ZETA],
                            4 * joint.estimate[LADDER_ZETA].se);
    ck_assert_double_gt(joint.channels[0].noise, 0.02);
    ck_assert_double_lt(joint.channels[1].noise, 0.002 * fabs(pair.gain));
    joint_pair_clear(&pair);
}
END_TEST

/* Channels that cannot have seen one motion are told of, with what they differ in. */
static const struct {
    struct joint_flaw flaw;
    enum ladder_parameter figure;
} flaws[] = {
    {{.stretch = 1e-3}, LADDER_OMEGA_N},
    {{.bend = 0.05}, LADDER_PARAMETERS},
    {{.late = 0.02}, LADDER_T0},
};

START_TEST(a_flaw_is_a_contradiction)
{
    struct joint joint;
    struct joint_pair pair = joint_pair_make(TERM(ZETA) | TERM(X_K) | TERM(CUBIC), 7, &RANGE, 0.3, &flaws[_i].flaw);
    ck_assert(joint_pair_identify(&pair, true, &joint));
    ck_assert(joint.contradiction.found);
    ck_assert_double_gt(joint.contradiction.errors, joint.contradiction.limit);
    ck_assert_uint_eq(joint.contradiction.channel, 0);
    ck_assert_uint_eq(joint.contradiction.other, 1);
    if (flaws[_i].figure != LADDER_PARAMETERS)
        ck_assert_int_eq(joint.contradiction.figure, flaws[_i].figure);
    joint_pair_clear(&pair);
}
END_TEST

/* Of many channels more figures are compared, and noise alone makes the largest difference larger: the limit is one of
 * the largest. */
static const size_t comparisons[] = {4, 28 * 4};

START_TEST(noise_is_seldom_a_contradiction)
{
    enum { RUNS = 20000, SEED = 20261123 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    size_t alarms = 0;
    gsl_rng_set(rng, SEED);
    for (size_t run = 0; run < RUNS; run++) {
        double largest = 0;
        for (size_t n = 0; n < comparisons[_i]; n++)
            largest = fmax(largest, fabs(gsl_ran_ugaussian(rng)));
        alarms += largest > joint_errors_most(comparisons[_i]);
    }
    gsl_rng_free(rng);
    ck_assert_uint_gt(alarms, RUNS * 2 / 1000);
    ck_assert_uint_lt(alarms, RUNS * 6 / 1000);
}
END_TEST

/* A channel whose record begins some half cycles later: the joint fit begins there. */
START_TEST(a_later_beginning_is_common)
{
    struct joint joint;
    struct joint_pair pair = joint_pair_make(TERM(ZETA) | TERM(X_K) | TERM(DRAG), 3, &RANGE, 0, NULL);
    const double half_cycle_s = M_PI / pair.motion.truth[LADDER_OMEGA_N];
    struct decay_record *late = &pair.record[1];
    const size_t dropped = (size_t)(2.7 * half_cycle_s / late->period_s);
    late->displacement += dropped;
    late->count -= dropped;
    late->start_s += (double)dropped * late->period_s;
    ck_assert(joint_pair_identify(&pair, true, &joint));
    ck_assert_int_eq(joint.verdict, VERDICT_OK);
    ck_assert_double_gt(joint.estimate[LADDER_T0].value, 2.7 * half_cycle_s);
    ck_assert_double_eq_tol(joint.estimate[LADDER_ZETA].value, pair.motion.truth[LADDER_ZETA], 1e-8);
    ck_assert_double_eq_tol(joint.channels[1].gain.value, pair.gain, 1e-9 * fabs(pair.gain));
    joint_pair_clear(&pair);
}
END_TEST

/* What is no pair says why. */
START_TEST(no_pair_is_said_to_be_none)
{
    struct joint joint;
    struct joint_pair pair = joint_pair_make(TERM(ZETA), 3, &RANGE, 1, NULL);
    pair.record[1].start_s += 1e3;
    ck_assert(joint_pair_identify(&pair, true, &joint));
    ck_assert_int_ne(joint.verdict, VERDICT_OK);
    ck_assert_double_nan(joint.f_n_hz.value);
    ck_assert_double_nan(joint.contradiction.errors);
    joint_pair_clear(&pair);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("joint");
    TCase *cases = tcase_create("cases");
    tcase_set_timeout(cases, 600);
    tcase_add_loop_test(cases, a_noise_free_pair_comes_back, 0, sizeof rungs / sizeof rungs[0]);
    tcase_add_test(cases, noisy_pairs_are_covered);
    tcase_add_test(cases, the_finer_channel_chooses);
    tcase_add_loop_test(cases, a_flaw_is_a_contradiction, 0, sizeof flaws / sizeof flaws[0]);
    tcase_add_loop_test(cases, noise_is_seldom_a_contradiction, 0, sizeof comparisons / sizeof comparisons[0]);
    tcase_add_test(cases, a_later_beginning_is_common);
    tcase_add_test(cases, no_pair_is_said_to_be_none);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
