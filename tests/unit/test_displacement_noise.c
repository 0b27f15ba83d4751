/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Noise of the displacement is in the standard errors: they are as large as estimates scatter from record to record. */
#include "driven_contact.h"
#include "identify/loop/friction_conclusions.h"
#include "identify/loop/friction_ladder.h"
#include "run_suite.h"

#include <math.h>
#include <stdlib.h>

enum { RECORDS = 30 };

static const struct driven_contact contact = {.f_c = 1,
                                              .x_d = 1,
                                              .sigma_2 = 0.002,
                                              .amplitude = 10,
                                              .frequency = 1,
                                              .shrink = 1,
                                              .cycles = 3,
                                              .samples_a_cycle = 300,
                                              .noise = 0.005};

/* Mean squares of errors over standard errors, with and without the displacement's noise. */
struct scatter {
    double with, without;
};

static void fit(const struct driven_contact *truth, struct scatter *scatter)
{
    struct driven_record record = driven_contact_record(truth);
    struct friction_motions motions;
    ck_assert_int_eq(friction_motions_make(&record.signal, 1, &motions), 0);
    const struct friction_point start = {
        .row = friction_rows[friction_row_of(FRICTION_DAHL, FRICTION_BIT(FRICTION_VISCOUS))],
        .value = {[COLUMN_EXPONENT] = 2, [COLUMN_X_D] = 1 / motions.all.unit_displacement, [COLUMN_LEVELS] = 1}};
    struct friction_fit found;
    struct friction_shaking shaking;
    struct friction_rung shaken, still;
    friction_fit_from(&motions.all, &start, &found);
    const double variance = found.squares / (double)motions.all.samples, unit = motions.all.unit_force;
    const struct ar_model left = {.innovation = variance}, of_force = {.innovation = pow(truth->noise / unit, 2)};
    ck_assert_int_eq(friction_shake(&record.signal, &motions, &found, &shaking), 0);
    friction_conclude(&motions.all, &found, &left, NULL, &still);
    friction_conclude(&motions.all, &found, &of_force, &shaking, &shaken);
    const struct friction_figure *with = &shaken.figure[FRICTION_X_D], *without = &still.figure[FRICTION_X_D];
    ck_assert_double_eq(with->value, without->value);
    scatter->with += pow((with->value - truth->x_d) / with->se, 2) / RECORDS;
    scatter->without += pow((with->value - truth->x_d) / without->se, 2) / RECORDS;
    friction_motions_clear(&motions);
    free(record.room);
}

static void scatter_of(double noise, double step, struct scatter *scatter)
{
    struct driven_contact truth = contact;
    truth.displacement_noise = noise;
    truth.displacement_step = step;
    *scatter = (struct scatter){0, 0};
    for (unsigned k = 0; k < RECORDS; k++) {
        truth.seed = 1 + 7919 * k;
        fit(&truth, scatter);
    }
}

/* Of a mean of 30 squares of normal variables one in a thousand is beyond 0.35 or 2.1. */
START_TEST(standard_errors_are_the_scatter)
{
    static const double flaws[][2] = {{0.03, 0}, {0, 0.05}};
    struct scatter scatter;
    scatter_of(flaws[_i][0], flaws[_i][1], &scatter);
    ck_assert_msg(scatter.with > 0.35 && scatter.with < 2.1, "mean square of error over standard error: %g",
                  scatter.with);
    ck_assert_msg(scatter.without > 2, "the noise is small: %g", scatter.without);
}
END_TEST

/* Of a displacement that is as good as exact nothing is drawn. */
START_TEST(small_noise_costs_nothing)
{
    struct driven_record record = driven_contact_record(&contact);
    struct friction_motions motions;
    struct friction_shaking shaking;
    ck_assert_int_eq(friction_motions_make(&record.signal, 1, &motions), 0);
    const struct friction_point start = {
        .row = friction_rows[friction_row_of(FRICTION_DAHL, FRICTION_BIT(FRICTION_VISCOUS))],
        .value = {[COLUMN_EXPONENT] = 2, [COLUMN_X_D] = 1 / motions.all.unit_displacement, [COLUMN_LEVELS] = 1}};
    struct friction_fit found;
    friction_fit_from(&motions.all, &start, &found);
    ck_assert_int_eq(friction_shake(&record.signal, &motions, &found, &shaking), 0);
    ck_assert_uint_eq(shaking.count, 0);
    friction_motions_clear(&motions);
    free(record.room);
}
END_TEST

/* A long way that ends without a corner, half a second of rest, and loops that begin without one. */
static double way_at(double t)
{
    const double part = fmin(t / 2, 1);
    return 2e-2 * part * part * (3 - 2 * part) + (t > 2.5 ? 2.5e-4 * (1 - cos(4 * M_PI * (t - 2.5))) : 0);
}

/* While the contact rests, noise of its displacement is no way to and fro, which would wear the force off. */
START_TEST(a_rest_without_corners_keeps_the_force)
{
    enum { COUNT = 6000, STEPS = 40 };
    static double time_s[COUNT], displacement[COUNT], force[COUNT];
    const double f_c = 2.3, x_d = 5e-5, noise = 0.004;
    unsigned seed = 11 + (unsigned)_i;
    double deflection = 0;
    for (size_t i = 0; i < COUNT; i++) {
        time_s[i] = 1e-3 * (double)i;
        for (int k = 1; i > 0 && k <= STEPS; k++) {
            const double now = time_s[i - 1] + 1e-3 * k / STEPS, way = way_at(now) - way_at(now - 1e-3 / STEPS);
            const double goal = way < 0 ? -1 : 1;
            deflection = goal + (deflection - goal) * exp(-fabs(way) / x_d);
        }
        displacement[i] = way_at(time_s[i]) + noise * x_d * driven_noise(&seed);
        force[i] = f_c * (deflection + 0.01 * driven_noise(&seed));
    }
    struct loop_signal signal = {.time_s = time_s, .displacement = displacement, .force = force, .count = COUNT};
    struct friction_ladder ladder;
    ck_assert_int_eq(loop_signal_look(&signal), 0);
    ck_assert_int_eq(friction_ladder_identify(&signal, NULL, &ladder), VERDICT_OK);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "dahl");
    const struct friction_figure *level = &ladder.figure[FRICTION_F_C], *length = &ladder.figure[FRICTION_X_D];
    ck_assert_double_lt(fabs(level->value - f_c), 4 * level->se);
    ck_assert_double_lt(level->se, 1e-3 * f_c);
    ck_assert_double_lt(fabs(length->value - x_d), 4 * length->se);
    ck_assert_double_lt(length->se, 2e-3 * x_d);
}
END_TEST

static void identify(const struct driven_contact *truth, struct friction_ladder *ladder)
{
    struct driven_record record = driven_contact_record(truth);
    ck_assert_int_eq(friction_ladder_identify(&record.signal, NULL, ladder), VERDICT_OK);
    free(record.room);
}

/* Where the motion is slower than a step a sample, windows see the same error in many samples. */
START_TEST(steps_of_a_slow_motion_are_smoothed)
{
    struct driven_contact truth = contact;
    struct friction_ladder ladder;
    truth.sigma_2 = 0.01;
    truth.amplitude = 3.15;
    truth.cycles = 4;
    truth.samples_a_cycle = 558;
    truth.displacement_step = 0.15;
    truth.seed = 3;
    identify(&truth, &ladder);
    const struct friction_figure *level = &ladder.figure[FRICTION_F_C], *length = &ladder.figure[FRICTION_X_D];
    ck_assert_msg(fabs(level->value - 1) < 4 * level->se && level->se < 0.02, "F_C %g(%g)", level->value, level->se);
    ck_assert_msg(fabs(length->value - 1) < 4 * length->se && length->se < 0.1, "x_d %g(%g)", length->value,
                  length->se);
}
END_TEST

/* Steps that lie alike in every loop, and leave nothing else, are no reason to give up a dip of half the level. */
START_TEST(steps_of_an_even_motion_hide_no_dip)
{
    struct driven_contact truth = contact;
    struct friction_ladder ladder;
    truth.ratio = 0.5;
    truth.v_s = 60;
    truth.exponent = 2;
    truth.sigma_1 = 0.003;
    truth.cycles = 4;
    truth.samples_a_cycle = 400;
    truth.noise = 0;
    truth.displacement_step = 0.02;
    identify(&truth, &ladder);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "dahl+viscous+stribeck+bristle");
}
END_TEST

/* Steps that hide the shape of presliding are told, finer ones and none are not called so. */
START_TEST(coarse_steps_are_told)
{
    static const double steps[] = {0, 0.02, 0.5};
    struct driven_contact truth = contact;
    struct friction_ladder ladder;
    truth.displacement_step = steps[_i];
    truth.seed = 5;
    identify(&truth, &ladder);
    ck_assert_int_eq(ladder.coarse_steps, steps[_i] > 0.1);
    if (ladder.coarse_steps)
        ck_assert_double_gt(ladder.displacement_steps, 0.1);
    else
        ck_assert_double_le(fabs(ladder.displacement_steps - steps[_i]), 0.05 * steps[_i]);
}
END_TEST

/* Length and stiffness, which are 1, are told within their uncertainties, or not at all. */
static void assert_presliding_is_not_wrong(const struct friction_ladder *ladder)
{
    const struct friction_figure *length = &ladder->figure[FRICTION_X_D];
    const struct friction_figure *stiffness = &ladder->figure[FRICTION_SIGMA_0];
    ck_assert_msg(isnan(length->value) || fabs(length->value - 1) < 4 * length->se, "x_d %g(%g)", length->value,
                  length->se);
    ck_assert_msg(isnan(stiffness->value) || fabs(stiffness->value - 1) < 4 * stiffness->se, "sigma_0 %g(%g)",
                  stiffness->value, stiffness->se);
}

/* Where noise of the displacement is more than the motion after which a contact slips, presliding was not measured: its
 * length came out two and a half times too long, and a damping of the bristles that is none, within a tenth. */
START_TEST(presliding_within_the_noise_is_not_seen)
{
    struct driven_contact truth = contact;
    struct friction_ladder ladder;
    truth.amplitude = 1600;
    truth.frequency = 5;
    truth.sigma_2 = 1e-6;
    truth.samples_a_cycle = 400;
    truth.cycles = 6;
    truth.displacement_noise = 4;
    truth.seed = 3 + (unsigned)_i;
    identify(&truth, &ladder);
    assert_presliding_is_not_wrong(&ladder);
    ck_assert(isnan(ladder.figure[FRICTION_SIGMA_1].value));
    ck_assert_double_lt(fabs(ladder.figure[FRICTION_F_C].value - 1), 0.01);
}
END_TEST

/* With samples at the reversals, and the next ones twenty presliding lengths on, an element may slip after any length
 * up to half of that: it came out ten times too long, within a hundredth. */
START_TEST(what_slips_between_two_samples_has_no_length)
{
    static const double noises[] = {0.1, 0.5, 1};
    struct driven_contact truth = contact;
    struct friction_ladder ladder;
    truth.amplitude = 1600;
    truth.frequency = 5;
    truth.samples_a_cycle = 40;
    truth.sigma_2 = 1e-6;
    truth.cycles = 10;
    truth.noise = 0.01;
    truth.displacement_noise = noises[_i];
    truth.seed = 3;
    identify(&truth, &ladder);
    assert_presliding_is_not_wrong(&ladder);
    for (size_t k = 0; k < ladder.spectrum.count; k++)
        ck_assert(isnan(ladder.spectrum.element[k].slip_length.value));
    ck_assert_double_lt(fabs(ladder.figure[FRICTION_F_C].value - 1), 0.01);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("noise of the displacement");
    TCase *tcase = tcase_create("friction");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, standard_errors_are_the_scatter, 0, 2);
    tcase_add_test(tcase, small_noise_costs_nothing);
    tcase_add_test(tcase, steps_of_a_slow_motion_are_smoothed);
    tcase_add_test(tcase, steps_of_an_even_motion_hide_no_dip);
    tcase_add_loop_test(tcase, coarse_steps_are_told, 0, 3);
    tcase_add_loop_test(tcase, presliding_within_the_noise_is_not_seen, 0, 3);
    tcase_add_loop_test(tcase, what_slips_between_two_samples_has_no_length, 0, 3);
    tcase_add_loop_test(tcase, a_rest_without_corners_keeps_the_force, 0, 2);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
