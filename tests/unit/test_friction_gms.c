/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The generalised Maxwell-slip model: elements that slip come to their level at a rate. */
#include "driven_contact.h"
#include "identify/loop/friction_ladder.h"
#include "identify/loop/friction_search.h"
#include "identify/loop/simulation.h"
#include "run_suite.h"

#include <math.h>
#include <stdlib.h>

enum { ELEMENTS = 3 };
static const double slip_lengths[ELEMENTS] = {6e-6, 1.6e-5, 4e-5}, slip_forces[ELEMENTS] = {1.2, 1.05, 0.75};

static const struct driven_contact contact = {.f_c = 3,
                                              .x_d = 2e-5,
                                              .ratio = 0.6,
                                              .v_s = 3e-4,
                                              .exponent = 2,
                                              .amplitude = 2e-4,
                                              .frequency = 1,
                                              .shrink = 0.5,
                                              .cycles = 4,
                                              .samples_a_cycle = 400,
                                              .noise = 0.005,
                                              .seed = 9};

/* N/s: fast enough that elements hold more, at a turn, than their level is behind it. */
static const double attraction = 300;

/* dF/dt = sense C (w/F_C - F/(F_C S)) of an element that slips, by many small steps. Behind a turn it sticks until it
 * holds what the level of the other sense allows (Al-Bender, Lampaert and Swevers 2005). */
static void step(const struct driven_contact *of, double rate, double force[ELEMENTS], double slips[ELEMENTS],
                 double way, double time_s)
{
    const double sense = way < 0 ? -1 : 1, level = driven_level_at(of, way / time_s);
    for (int k = 0; k < ELEMENTS; k++) {
        if (slips[k] * sense > 0) {
            force[k] += time_s * sense * rate * (slip_forces[k] - sense * force[k] / level) / of->f_c;
            continue;
        }
        const double stretched = force[k] + slip_forces[k] / slip_lengths[k] * way, most = slip_forces[k] * level;
        slips[k] = sense * stretched >= most ? sense : 0;
        force[k] = sense * fmin(most, sense * stretched);
    }
}

static struct driven_record drive_contact(const struct driven_contact *of, double sigma_2, double rate, double noise)
{
    struct driven_record d = driven_contact_record(of);
    double *total = d.room + 2 * d.signal.count, force[ELEMENTS] = {0}, slips[ELEMENTS] = {0};
    double v, before = driven_motion_at(of, 0, &v);
    unsigned seed = of->seed;
    for (size_t i = 0; i < d.signal.count; i++) {
        const double interval_s = i > 0 ? d.signal.time_s[i] - d.signal.time_s[i - 1] : 0;
        for (int k = 1; i > 0 && k <= DRIVEN_STEPS; k++) {
            const double now = driven_motion_at(of, d.signal.time_s[i - 1] + interval_s * k / DRIVEN_STEPS, &v);
            step(of, rate, force, slips, now - before, interval_s / DRIVEN_STEPS);
            before = now;
        }
        driven_motion_at(of, d.signal.time_s[i], &v);
        total[i] = sigma_2 * v + noise * of->f_c * driven_noise(&seed);
        for (int k = 0; k < ELEMENTS; k++)
            total[i] += force[k];
    }
    ck_assert_int_eq(loop_signal_look(&d.signal), 0);
    return d;
}

static struct driven_record drive(double sigma_2, double rate, double noise)
{
    return drive_contact(&contact, sigma_2, rate, noise);
}

static void assert_known(const struct friction_figure *figure, double truth, double share)
{
    ck_assert_msg(fabs(figure->value - truth) < 4 * figure->se && figure->se < share * truth, "%g(%g), not %g",
                  figure->value, figure->se, truth);
}

/* With a viscous force and without any. */
static const struct {
    double sigma_2;
    const char *model;
} viscous[] = {{100, "maxwell_slip+viscous+stribeck+attraction"}, {0, "maxwell_slip+stribeck+attraction"}};

START_TEST(a_rate_is_found_with_its_elements)
{
    struct driven_record d = drive(viscous[_i].sigma_2, attraction, contact.noise);
    struct friction_ladder ladder;
    ck_assert_int_eq(friction_ladder_identify(&d.signal, NULL, &ladder), VERDICT_OK);
    free(d.room);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), viscous[_i].model);
    ck_assert(!ladder.lacks_fit);
    ck_assert_double_eq_tol(ladder.rms, contact.noise * contact.f_c, 0.1 * contact.noise * contact.f_c);
    ck_assert_uint_eq(ladder.spectrum.count, ELEMENTS);
    for (int k = 0; k < ELEMENTS; k++) {
        assert_known(&ladder.spectrum.element[k].slip_length, slip_lengths[k], 0.01);
        assert_known(&ladder.spectrum.element[k].slip_force, slip_forces[k], 0.02);
    }
    assert_known(&ladder.figure[FRICTION_ATTRACTION_C], attraction, 0.05);
    assert_known(&ladder.figure[FRICTION_F_C], 3, 0.01);
    assert_known(&ladder.figure[FRICTION_F_S], 4.8, 0.02);
    assert_known(&ladder.figure[FRICTION_V_S], 3e-4, 0.02);
}
END_TEST

/* In a sine, which sees a dip below a tenth of its speeds in few samples, the dip of the model without a rate is
 * another one at each of its rates: F_S was a third too low and said so to 0.3 %, or three times too high. */
START_TEST(a_rate_is_found_in_a_sine)
{
    static const double rates[] = {20, 341.7};
    struct driven_contact sine = contact;
    sine.shrink = 1;
    sine.v_s = 1.5e-4;
    struct driven_record d = drive_contact(&sine, 100, rates[_i], sine.noise);
    struct friction_ladder ladder;
    ck_assert_int_eq(friction_ladder_identify(&d.signal, NULL, &ladder), VERDICT_OK);
    free(d.room);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), viscous[0].model);
    ck_assert(!ladder.lacks_fit);
    assert_known(&ladder.figure[FRICTION_F_C], 3, 0.01);
    if (!ladder.figure[FRICTION_F_S].reason)
        assert_known(&ladder.figure[FRICTION_F_S], 4.8, 0.05);
}
END_TEST

/* Without noise nothing of an element's onset, which lies between two samples, is taken for an element more. */
START_TEST(without_noise_there_are_no_other_elements)
{
    static const double share = 1e-3;
    struct driven_record d = drive(viscous[0].sigma_2, attraction, 0);
    struct friction_ladder ladder;
    ck_assert_int_eq(friction_ladder_identify(&d.signal, NULL, &ladder), VERDICT_OK);
    free(d.room);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), viscous[0].model);
    ck_assert_uint_eq(ladder.spectrum.count, ELEMENTS);
    for (int k = 0; k < ELEMENTS; k++) {
        ck_assert_double_eq_tol(ladder.spectrum.element[k].slip_length.value, slip_lengths[k], share * slip_lengths[k]);
        ck_assert_double_eq_tol(ladder.spectrum.element[k].slip_force.value, slip_forces[k], share * slip_forces[k]);
    }
}
END_TEST

/* A motion that begins while elements slip, which hold more than their level as they come nearer to it: before that is
 * forgotten no force is said to be known. */
START_TEST(a_motion_may_begin_anywhere)
{
    const double slow = 10, f_c = contact.f_c;
    struct driven_record d = drive(0, slow, 0);
    const size_t from = (size_t)(2 * contact.samples_a_cycle);
    struct known_contact known = {.shape = FRICTION_MAXWELL, .stribeck_exponent = 2, .element_count = ELEMENTS};
    struct simulation simulation;
    double stiffness = 0;
    for (int k = 0; k < ELEMENTS; k++) {
        known.element[k] = (struct friction_element){slip_lengths[k], slip_forces[k]};
        stiffness += slip_forces[k] / slip_lengths[k];
    }
    known.value[FRICTION_F_C] = f_c;
    known.value[FRICTION_X_D] = f_c / stiffness;
    known.value[FRICTION_F_S] = f_c * (1 + contact.ratio);
    known.value[FRICTION_V_S] = contact.v_s;
    known.value[FRICTION_ATTRACTION_C] = slow;
    const struct simulation_input input = {d.signal.time_s + from, d.signal.displacement + from, d.signal.force + from,
                                           d.signal.count - from, 0};
    ck_assert_int_eq(simulate(&known, &input, NULL, &simulation), VERDICT_OK);
    ck_assert_uint_lt(simulation.known_from, input.count);
    for (size_t i = simulation.known_from; i < input.count; i++)
        ck_assert_double_eq_tol(simulation.force[i], input.force[i], 1e-3 * f_c);
    simulation_clear(&simulation);
    free(d.room);
}
END_TEST

/* The force's derivatives are those by two points. */
START_TEST(derivatives_are_central_differences)
{
    static const enum friction_column columns[] = {COLUMN_SHAPE,    COLUMN_RATIO,  COLUMN_V_S,
                                                   COLUMN_EXPONENT, COLUMN_LENGTH, COLUMN_LENGTH + 1};
    const unsigned terms = FRICTION_BIT(FRICTION_VISCOUS) | FRICTION_BIT(FRICTION_STRIBECK) |
                           FRICTION_BIT(FRICTION_ATTRACTION) | FRICTION_BIT(FRICTION_FREE_EXPONENT);
    struct driven_record d = drive(100, attraction, contact.noise);
    struct friction_motions motions;
    ck_assert_int_eq(friction_motions_make(&d.signal, 1, &motions), 0);
    const struct friction_motion *m = &motions.all;
    struct friction_point point = {.row = friction_rows[friction_row_of(FRICTION_MAXWELL, terms)],
                                   .value = {[COLUMN_ELEMENT] = 0.5,
                                             [COLUMN_ELEMENT + 1] = 0.4,
                                             [COLUMN_LENGTH] = 0.05,
                                             [COLUMN_LENGTH + 1] = 0.15,
                                             [COLUMN_RATIO] = 0.6,
                                             [COLUMN_V_S] = 0.3,
                                             [COLUMN_EXPONENT] = 1.7,
                                             [COLUMN_LEVELS] = 1,
                                             [COLUMN_SHAPE] = 3}};
    double *low = calloc(2 * m->samples, sizeof *low), *high = low + m->samples;
    ck_assert_ptr_nonnull(low);
    struct friction_normal normal;
    friction_pass(m, &point, true, &normal);
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        const enum friction_column c = columns[k];
        const double value = point.value[c], change = 1e-7;
        double squares = 0;
        point.value[c] = value * exp(-change);
        friction_residuals(m, &point, low);
        point.value[c] = value * exp(change);
        friction_residuals(m, &point, high);
        point.value[c] = value;
        for (size_t i = 0; i < m->samples; i++)
            squares += pow((low[i] - high[i]) / (2 * change), 2);
        ck_assert_msg(fabs(normal.sum[c][c] - squares) < 1e-5 * squares, "column %d: %g, by differences %g", (int)c,
                      normal.sum[c][c], squares);
    }
    free(low);
    friction_motions_clear(&motions);
    free(d.room);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("friction_gms");
    TCase *tests = tcase_create("friction_gms");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_rate_is_found_with_its_elements, 0, 2);
    tcase_add_loop_test(tests, a_rate_is_found_in_a_sine, 0, 2);
    tcase_add_test(tests, without_noise_there_are_no_other_elements);
    tcase_add_test(tests, a_motion_may_begin_anywhere);
    tcase_add_test(tests, derivatives_are_central_differences);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
