/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "closed_form_decay.h"
#include "identify/decay/conclusions.h"
#include "identify/decay/identify.h"
#include "identify/ladder/ladder_comparison.h"
#include "identify/ladder/ladder_motion.h"
#include "run_suite.h"

static struct estimate exactly(double value)
{
    return (struct estimate){value, 0, value, value, false, {0}};
}

static enum verdict bracket_of(const struct true_decay *truth, double rest, struct static_friction *bracket)
{
    const struct estimate zeta = exactly(truth->zeta), x_k = exactly(truth->x_k), x0 = exactly(truth->x0);
    const struct estimate bias = exactly(truth->bias);
    return static_friction_bracket(&(struct end_of_decay){{rest, 0}, &zeta, &x_k, &x0, &bias}, bracket);
}

/* The mass stops before it crosses zero: X_5 has the sign of X_4, and |X_4| is the upper limit. */
START_TEST(a_stop_before_zero_is_crossed)
{
    const double sides[] = {1, -1};
    for (size_t n = 0; n < 2; n++) {
        const struct true_decay truth = {30, 0.1, 0.05, 0.05, sides[n], 0.7, 0};
        struct static_friction found;
        ck_assert_int_eq(bracket_of(&truth, 0.7 + sides[n] * 0.047238870, &found), VERDICT_OK);
        ck_assert_double_eq_tol(found.x_s_min, 0.05, 1e-12);
        ck_assert_double_eq_tol(found.x_s_max, 0.053786273, 1e-9);
        ck_assert_double_eq_tol(found.rest, 0.047238870, 1e-9);
        ck_assert_double_eq_tol(found.last_extremum, 0.053786273, 1e-9);
    }
}
END_TEST

/* Whatever holds the mass lies within the bracket, and the bracket is never upside down. */
START_TEST(the_truth_lies_within)
{
    const unsigned long seed = 20260712;
    printf("seed %lu\n", seed);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    for (int trial = 0; trial < 2000; trial++) {
        struct true_decay truth = {.omega_n = 30,
                                   .zeta = 0.2 * gsl_rng_uniform(rng),
                                   .x_k = 0.002 + 0.1 * gsl_rng_uniform(rng),
                                   .x0 = gsl_rng_uniform(rng) < 0.5 ? 1 : -1,
                                   .bias = gsl_rng_uniform(rng) - 0.5};
        truth.x_s = truth.x_k * (1 + 0.8 * gsl_rng_uniform(rng));
        const size_t n = true_half_cycles(&truth, 100000);
        struct static_friction found;
        ck_assert_int_eq(bracket_of(&truth, truth.bias + true_extremum(&truth, n, NULL), &found), VERDICT_OK);
        ck_assert_double_le(found.x_s_min, truth.x_s * (1 + 1e-9));
        ck_assert_double_gt(found.x_s_max, truth.x_s * (1 - 1e-9));
        ck_assert_double_lt(found.x_s_min, found.x_s_max);
        ck_assert_double_eq_tol(found.last_extremum, fabs(true_extremum(&truth, n - 1, NULL)), 1e-9);
    }
    gsl_rng_free(rng);
}
END_TEST

START_TEST(uncertainty_widens)
{
    const struct true_decay truth = {30, 0.02, 0.01, 0.05, 1, 0, 0};
    const size_t n = true_half_cycles(&truth, 1000);
    const double rest = true_extremum(&truth, n, NULL);
    const struct estimate zeta = exactly(0.02), x_k = exactly(0.01), x0 = exactly(1);
    const struct estimate bias = {0, 0.001, -0.002, 0.002, false, {0}};
    struct static_friction sharp, wide;
    bracket_of(&truth, rest, &sharp);
    ck_assert_int_eq(static_friction_bracket(&(struct end_of_decay){{rest, 0.002}, &zeta, &x_k, &x0, &bias}, &wide),
                     VERDICT_OK);
    ck_assert_double_eq_tol(sharp.x_s_min - wide.x_s_min, 1.96 * sqrt(5e-6), 1e-5);
    ck_assert_double_eq_tol(wide.x_s_max - sharp.x_s_max, 1.96 * 0.001, 1e-5);
}
END_TEST

START_TEST(no_rest_no_bracket)
{
    const struct true_decay truth = {30, 0.02, 0.01, 0, 1, 0, 0};
    struct static_friction found;
    ck_assert_int_eq(bracket_of(&truth, NAN, &found), VERDICT_NOT_COMPUTED);
    ck_assert_double_nan(found.x_s_min);
    ck_assert_double_nan(found.x_s_max);
    ck_assert_double_nan(found.rest);
    struct true_decay unknown = truth;
    unknown.x_k = NAN;
    ck_assert_int_eq(bracket_of(&unknown, 0.005, &found), VERDICT_NOT_COMPUTED);
}
END_TEST

/* Someone touched the mass, or the sensor drifted. */
START_TEST(a_rest_that_contradicts_the_decay)
{
    const struct true_decay truth = {30, 0.1, 0.05, 0, 1, 0, 0};
    const double impossible[] = {1.5, -2, 0.52, -0.3, 0.9};
    for (size_t n = 0; n < sizeof impossible / sizeof impossible[0]; n++) {
        struct static_friction found;
        ck_assert_int_eq(bracket_of(&truth, impossible[n], &found), VERDICT_REST_CONTRADICTS_DECAY);
        ck_assert_double_nan(found.x_s_min);
        ck_assert_double_nan(found.x_s_max);
        ck_assert_double_eq_tol(found.rest, fabs(impossible[n]), 1e-12);
    }
}
END_TEST

/* Without Coulomb friction the mass ends at the bias, and x_s is below the last amplitude that can be told from it. */
START_TEST(viscous_damping_alone)
{
    const struct estimate zeta = exactly(0.1), x_k = {0, NAN, 0, 0.001, true, {0}}, x0 = exactly(1);
    const struct estimate bias = {0.2, 0.001, 0.198, 0.202, false, {0}};
    struct static_friction found;
    ck_assert_int_eq(static_friction_bracket(&(struct end_of_decay){{0.2003, 0.0005}, &zeta, &x_k, &x0, &bias}, &found),
                     VERDICT_OK);
    ck_assert_double_eq(found.x_s_min, 0);
    ck_assert_double_gt(found.x_s_max, 0.001);
    ck_assert_double_lt(found.x_s_max, 0.01);
}
END_TEST

/* Random decays with a hold of up to three times the friction, in noise, identified from the samples: the bracket holds
 * the truth as often as its 95 % say, also where the mass stops before it crosses zero. */
START_TEST(brackets_of_noisy_records_hold_the_truth)
{
    enum { SEED = 20261121, RECORDS = 250 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, SEED);
    printf("seed %d\n", SEED);
    int decays = 0, held = 0, before_zero = 0, held_before_zero = 0;
    while (decays < RECORDS) {
        struct true_decay truth = {10 * M_PI,
                                   0.2 * gsl_rng_uniform(rng),
                                   0.005 + 0.08 * gsl_rng_uniform(rng),
                                   0,
                                   gsl_rng_uniform(rng) < 0.5 ? 1 : -1,
                                   0.3,
                                   -1e-3 * gsl_rng_uniform(rng)};
        truth.x_s = truth.x_k * (1 + 2 * gsl_rng_uniform(rng));
        const size_t half_cycles = true_half_cycles(&truth, 100);
        if (half_cycles < 4 || half_cycles > 60)
            continue;
        const double duration = (double)half_cycles * M_PI / true_omega_d(&truth) + 1;
        const struct sampling sampling = {
            .period_s = 1e-3, .count = (size_t)(duration / 1e-3), .noise = pow(10, -4 + 2 * gsl_rng_uniform(rng))};
        double *y;
        const struct decay_record record = measured_record(&truth, &sampling, rng, &y);
        const struct identify_settings settings = {.physical = physical_default_settings()};
        struct identification found;
        identify(&record, NULL, &settings, &found);
        const bool holds = found.static_friction.verdict == VERDICT_OK && found.static_friction.x_s_min <= truth.x_s &&
                           truth.x_s < found.static_friction.x_s_max;
        const bool same_side =
            true_extremum(&truth, half_cycles, NULL) * true_extremum(&truth, half_cycles - 1, NULL) > 0;
        decays++;
        held += holds;
        before_zero += same_side;
        held_before_zero += same_side && holds;
        identification_clear(&found);
        free(y);
    }
    gsl_rng_free(rng);
    ck_assert_int_ge(held, RECORDS * 95 / 100);
    ck_assert_int_gt(before_zero, 20);
    ck_assert_int_ge(held_before_zero, before_zero * 95 / 100);
}
END_TEST

/* --- of a rung --- */

/* A ladder that chose these terms, and knows them exactly; X_0 is theirs, and the bias is 0. */
static struct ladder *ladder_that_chose(unsigned terms, const double parameters[LADDER_MOTION])
{
    struct ladder *ladder = malloc(sizeof *ladder);
    ladder_not_made(ladder, VERDICT_NOT_CONVERGED);
    while (ladder->models[ladder->chosen].terms != terms)
        ladder->chosen++;
    struct ladder_model *model = &ladder->models[ladder->chosen];
    ladder->verdict = model->verdict = VERDICT_OK;
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        if (ladder_terms_have(terms, p))
            model->estimate[p] = exactly(p < LADDER_MOTION ? parameters[p] : p == LADDER_OMEGA_N ? 2 * M_PI : 0);
    ladder_speak(ladder);
    return ladder;
}

/* What an identification that recommends such a ladder says of where the mass came to rest. */
static struct static_friction concluded(unsigned terms, const double parameters[LADDER_MOTION], double rest)
{
    const struct identify_settings settings = {.physical = physical_default_settings()};
    struct identification found;
    identification_not_made(&found, VERDICT_OK);
    found.ladder = ladder_that_chose(terms, parameters);
    found.recommended = RECOMMENDED_LADDER;
    found.rest = (struct rest_observation){rest, 0};
    identification_conclude(&(struct conclusion_grounds){NULL, NULL, &settings}, &found);
    const struct static_friction bracket = found.static_friction;
    identification_clear(&found);
    return bracket;
}

/* Turns until friction holds the springs. */
struct held {
    const double *parameters;
    double x_s, before, last;
    size_t turns;
};

static bool hold(void *taker, const struct ladder_turn *turn)
{
    struct held *held = taker;
    held->before = held->last;
    held->last = turn->x;
    held->turns++;
    return fabs(ladder_spring(held->parameters, turn->x)) > held->x_s;
}

/* A decay with a drag, a square and a cubic term as large as rigs have them. */
static void draw_parameters(gsl_rng *rng, double parameters[LADDER_MOTION])
{
    memset(parameters, 0, LADDER_MOTION * sizeof *parameters);
    parameters[LADDER_ZETA] = 0.02 * gsl_rng_uniform(rng);
    parameters[LADDER_X_K] = 0.005 + 0.03 * gsl_rng_uniform(rng);
    parameters[LADDER_DRAG] = 0.005 + 0.1 * gsl_rng_uniform(rng);
    parameters[LADDER_CUBIC] = -0.15 + 0.2 * gsl_rng_uniform(rng);
    parameters[LADDER_SQUARE] = 0.2 * (gsl_rng_uniform(rng) - 0.5);
    parameters[LADDER_X0] = gsl_rng_uniform(rng) < 0.5 ? 1 : -1;
}

/* Where the mass left last is what the rung itself says: a linear decay from the same X_0 passes elsewhere. */
START_TEST(a_rung_s_own_extrema_bracket_the_truth)
{
    enum { SEED = 20261123, DECAYS = 300 };
    const unsigned terms = LADDER_BIT(LADDER_ZETA) | LADDER_BIT(LADDER_X_K) | LADDER_BIT(LADDER_DRAG) |
                           LADDER_BIT(LADDER_CUBIC) | LADDER_BIT(LADDER_SQUARE);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, SEED);
    for (int decay = 0; decay < DECAYS; decay++) {
        double parameters[LADDER_MOTION];
        draw_parameters(rng, parameters);
        struct held held = {.parameters = parameters, .x_s = parameters[LADDER_X_K] * (1 + gsl_rng_uniform(rng))};
        const struct ladder_takers takers = {.turn = hold, .taker = &held};
        ck_assert(ladder_walk(parameters, terms, 1000, WALK_EXACT, &takers));
        ck_assert_uint_gt(held.turns, 2);
        const struct static_friction found = concluded(terms, parameters, held.last);
        ck_assert_int_eq(found.verdict, VERDICT_OK);
        ck_assert_double_le(found.x_s_min, held.x_s * (1 + 1e-9));
        ck_assert_double_ge(found.x_s_max, held.x_s * (1 - 1e-9));
        ck_assert_double_eq_tol(found.last_extremum, fabs(held.before), 1e-9);
        ck_assert_double_eq_tol(found.rest, fabs(held.last), 1e-12);
    }
    gsl_rng_free(rng);
}
END_TEST

/* The fourth extremum of a decay whose figures two other integrators agree on. */
START_TEST(a_rung_with_a_cubic_stiffness)
{
    const double parameters[LADDER_MOTION] = {
        [LADDER_ZETA] = 0.01, [LADDER_X_K] = 0.01, [LADDER_CUBIC] = -0.1, [LADDER_X0] = 1};
    const struct static_friction found = concluded(
        LADDER_BIT(LADDER_ZETA) | LADDER_BIT(LADDER_X_K) | LADDER_BIT(LADDER_CUBIC), parameters, 0.7938550462);
    ck_assert_int_eq(found.verdict, VERDICT_OK);
    ck_assert_double_eq_tol(found.last_extremum, 0.8422501609, 1e-9);
    ck_assert_double_eq_tol(found.x_s_max, 0.8422501609 - 0.1 * pow(0.8422501609, 3), 1e-9);
    ck_assert_double_eq_tol(found.x_s_min, 0.7938550462 - 0.1 * pow(0.7938550462, 3), 1e-9);
}
END_TEST

START_TEST(friction_that_gives_way_has_no_break_away)
{
    const double parameters[LADDER_MOTION] = {[LADDER_X_K] = 0.02, [LADDER_X_D] = 0.05, [LADDER_X0] = 1};
    const struct static_friction found =
        concluded(LADDER_BIT(LADDER_X_K) | LADDER_BIT(LADDER_X_D), parameters, 0.8486740828);
    ck_assert_int_eq(found.verdict, VERDICT_NEVER_STICKS);
    ck_assert_double_nan(found.x_s_min);
    ck_assert_double_nan(found.x_s_max);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("static_friction");
    TCase *tests = tcase_create("static_friction");
    tcase_add_test(tests, a_stop_before_zero_is_crossed);
    tcase_add_test(tests, the_truth_lies_within);
    tcase_add_test(tests, uncertainty_widens);
    tcase_add_test(tests, no_rest_no_bracket);
    tcase_add_test(tests, a_rest_that_contradicts_the_decay);
    tcase_add_test(tests, viscous_damping_alone);
    tcase_add_test(tests, a_rung_s_own_extrema_bracket_the_truth);
    tcase_add_test(tests, a_rung_with_a_cubic_stiffness);
    tcase_add_test(tests, friction_that_gives_way_has_no_break_away);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, brackets_of_noisy_records_hold_the_truth);
    return run_suite(suite);
}
