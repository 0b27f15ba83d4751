/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The force of a contact that is moved by a sine, against closed forms and against values that were integrated with
 * ever smaller steps by other programs. */
#include "identify/loop/friction_model.h"
#include "run_suite.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 10000, CYCLES = 15, ALL = CYCLES * SAMPLES + 1 };

/* The last of many cycles, so that the beginning is forgotten, of x = -amplitude cos(2 pi f t): from the lower reversal
 * to itself. */
struct cycle {
    double energy;   /* closed integral of F dx */
    double at_crest; /* the force at the upper reversal */
};

static struct cycle last_cycle(const struct friction_model *model, double amplitude, double frequency)
{
    struct contact_sample *motion = malloc(ALL * sizeof *motion);
    double *force = malloc(ALL * sizeof *force);
    struct friction_state state = {.deflection = 0};
    struct cycle cycle = {0, 0};
    ck_assert(motion && force);
    for (int i = 0; i < ALL; i++) {
        const double phase = 2 * M_PI * i / SAMPLES;
        motion[i] = (struct contact_sample){i / frequency / SAMPLES, -amplitude * cos(phase),
                                            2 * M_PI * frequency * amplitude * sin(phase)};
    }
    friction_force(model, motion, ALL, 1, &state, force);
    /* The force is not smooth, but dx is: by the rule of the rectangle in the phase. */
    for (int i = ALL - SAMPLES; i < ALL; i++)
        cycle.energy += force[i] * motion[i].velocity / frequency / SAMPLES;
    cycle.at_crest = force[ALL - 1 - SAMPLES / 2];
    free(motion);
    free(force);
    return cycle;
}

START_TEST(dahl_is_its_closed_form)
{
    for (double amplitude = 0.3; amplitude < 30; amplitude *= 3) {
        const struct friction_model model = {.shape = FRICTION_DAHL, .f_c = 2, .x_d = 0.5};
        const struct cycle cycle = last_cycle(&model, amplitude, 1);
        ck_assert_double_eq_tol(cycle.energy, 8 * (amplitude - 0.5 * tanh(amplitude / 0.5)), 1e-6 * amplitude);
        ck_assert_double_eq_tol(cycle.at_crest, 2 * tanh(amplitude / 0.5), 1e-6);
    }
}
END_TEST

/* n = 2, beta = 1/2: zeta_m = tanh(2A/x_d - zeta_m), E = 2 F_C x_d (ln cosh(2A/x_d - zeta_m) - zeta_m²/2). */
START_TEST(bouc_wen_is_its_closed_form)
{
    const struct friction_model model = {
        .shape = FRICTION_BOUC_WEN, .f_c = 1, .x_d = 1, .shape_parameters = {.n_bw = 2, .beta_bw = 0.5}};
    const struct cycle cycle = last_cycle(&model, 1, 1);
    ck_assert_double_eq_tol(cycle.at_crest, 0.825658862, 1e-6);
    ck_assert_double_eq_tol(cycle.energy, 0.463087836, 1e-6);
}
END_TEST

/* E = 4 sum w_i max(A - D_i, 0). */
START_TEST(maxwell_slip_is_its_closed_form)
{
    const struct friction_element elements[3] = {{0.2, 1}, {0.7, 0.5}, {3, 2}};
    const struct friction_model model = {.elements = elements, .element_count = 3};
    const struct cycle cycle = last_cycle(&model, 1.5, 1);
    ck_assert_double_eq_tol(cycle.energy, 4 * (1.3 + 0.5 * 0.8), 1e-5);
}
END_TEST

/* Levels that are unlike in the two directions change no energy as long as their mean is the same, 4 F_C (A - x_d) far
 * beyond x_d. */
START_TEST(unlike_levels_are_their_closed_form)
{
    const struct friction_model model = {.shape = FRICTION_DAHL, .f_c = 1, .x_d = 1, .level_ratio = 1.5};
    const struct cycle cycle = last_cycle(&model, 20, 1);
    ck_assert_double_eq_tol(cycle.energy, 4 * 19, 1e-4);
    ck_assert_double_eq_tol(cycle.at_crest, 1.2, 1e-9);
}
END_TEST

/* Twice the integral of F_C(x) over the stroke. */
START_TEST(levels_along_the_path_are_their_closed_form)
{
    const struct friction_model model = {
        .shape = FRICTION_RIGID, .f_c = 1, .path_slope = 0.1, .path_curvature = 0.02, .path_middle = 0.5};
    const struct cycle cycle = last_cycle(&model, 2, 1);
    ck_assert_double_eq_tol(cycle.energy, 2 * (4 - 0.2 + 0.02 * (16. / 3 + 1)), 1e-4);
    ck_assert_double_eq_tol(cycle.at_crest, 1 + 0.15 + 0.02 * 2.25, 1e-9);
}
END_TEST

/* F_C = x_d = 1, F_S = 1.5, v_s = 10, j = 2, sigma_1 = 0.005, sigma_2 = 0.002, A = 10. */
static const struct {
    enum friction_shape shape;
    double frequency, energy, at_crest;
} converged[] = {
    {FRICTION_DAHL, 1, 40.28529, 1.046645},
    {FRICTION_DAHL, 0.1, 47.48125, 1.454569},
    {FRICTION_DAHL, 0.01, 51.00158, 1.499492},
    {FRICTION_ELASTOPLASTIC, 1, 39.97135, 1.077303},
};

START_TEST(stribeck_and_bristle_damping_are_as_integrated_elsewhere)
{
    const struct friction_model model = {.shape = converged[_i].shape,
                                         .shape_parameters = {.z_ba = 0.5},
                                         .f_c = 1,
                                         .x_d = 1,
                                         .f_s = 1.5,
                                         .v_s = 10,
                                         .stribeck_exponent = 2,
                                         .sigma_1 = 0.005,
                                         .sigma_2 = 0.002};
    const struct cycle cycle = last_cycle(&model, 10, converged[_i].frequency);
    ck_assert_double_eq_tol(cycle.energy, converged[_i].energy, 1e-5);
    ck_assert_double_eq_tol(cycle.at_crest, converged[_i].at_crest, 2e-6);
}
END_TEST

START_TEST(elastoplastic_without_a_dip_is_as_integrated_elsewhere)
{
    const struct friction_model model = {
        .shape = FRICTION_ELASTOPLASTIC, .shape_parameters = {.z_ba = 0.5}, .f_c = 1, .x_d = 1};
    ck_assert_double_eq_tol(last_cycle(&model, 3, 1).energy, 7.768291, 1e-6);
}
END_TEST

/* Behind a reversal from full sliding the slope is 2 sigma_0 for Dahl, sigma_0 for the elastoplastic model, 2 beta
 * sigma_0 for Bouc and Wen's. */
START_TEST(slopes_behind_a_reversal)
{
    const struct shape_parameters parameters = {0.5, 2, 0.7};
    ck_assert_double_eq_tol(friction_slope(FRICTION_DAHL, &parameters, -1, 1), 2, 1e-15);
    ck_assert_double_eq_tol(friction_slope(FRICTION_ELASTOPLASTIC, &parameters, -1, 1), 1, 1e-15);
    ck_assert_double_eq_tol(friction_slope(FRICTION_BOUC_WEN, &parameters, -1, 1), 1.4, 1e-15);
}
END_TEST

/* Where the level of sliding falls below what the bristles hold, they let go without going beyond it. */
START_TEST(bristles_let_go_when_the_level_falls)
{
    const struct shape_parameters parameters = {0.5, 10, 0.5};
    for (int shape = FRICTION_ELASTOPLASTIC; shape <= FRICTION_BOUC_WEN; shape++) {
        double before = 1.5;
        for (double way = 0.001; way < 1e4; way *= 1.5) {
            const double y = friction_advance((enum friction_shape)shape, &parameters, 1.5, way, 1);
            ck_assert_double_le(y, before + 1e-12);
            ck_assert_double_ge(y, 1 - 1e-12);
            before = y;
        }
        ck_assert_double_eq_tol(before, 1, 1e-12);
    }
}
END_TEST

/* A cubic that turns back twice between two samples goes more way than it comes forward. */
START_TEST(a_path_is_cut_where_it_turns_back)
{
    const struct contact_sample from = {0, 0, 8}, to = {1, 0.5, 8};
    struct path_piece path[PATH_PIECES_MOST];
    for (size_t pieces = 1; pieces <= PATH_PIECES; pieces++) {
        const size_t count = contact_path(&from, &to, pieces, path);
        double way = 0, forward = 0, time = 0;
        ck_assert_uint_eq(count, pieces + 2);
        for (size_t k = 0; k < count; k++) {
            way += path[k].length;
            forward += path[k].length * path[k].forward;
            time += path[k].time_s;
        }
        ck_assert_double_eq_tol(forward, 0.5, 1e-14);
        ck_assert_double_eq_tol(time, 1, 1e-14);
        ck_assert_double_gt(way, 1.5);
    }
}
END_TEST

/* An element that slips holds what its level allows at the speed of that very sample, however far apart samples are. */
START_TEST(what_slips_is_at_the_level_of_its_speed)
{
    enum { COUNT = 201 };
    const struct friction_element element = {0.01, 1};
    const struct friction_model model = {
        .f_c = 1, .f_s = 1.5, .v_s = 10, .stribeck_exponent = 2, .elements = &element, .element_count = 1};
    struct contact_sample motion[COUNT];
    struct friction_state state = {.deflection = 0};
    double force[COUNT];
    size_t compared = 0;
    for (int i = 0; i < COUNT; i++) {
        const double phase = 2 * M_PI * i / (COUNT - 1);
        motion[i] = (struct contact_sample){i / 200., 10 * sin(phase), 20 * M_PI * cos(phase)};
    }
    friction_force(&model, motion, COUNT, 1, &state, force);
    for (int i = 1; i < COUNT; i++) {
        const double v = motion[i].velocity;
        if (fabs(v) < 8)
            continue;
        ck_assert_double_eq_tol(force[i], copysign(1 + 0.5 * exp(-v * v / 100), v), 1e-12);
        compared++;
    }
    ck_assert_uint_gt(compared, 150);
}
END_TEST

/* The error falls with the square of the step. */
START_TEST(finer_pieces_come_nearer)
{
    enum { COARSE = 200, COUNT = 2 * COARSE + 1 };
    const struct friction_model model = {
        .shape = FRICTION_DAHL, .f_c = 1, .x_d = 1, .f_s = 1.5, .v_s = 10, .stribeck_exponent = 2};
    struct contact_sample motion[COUNT];
    double force[3][COUNT], rms[2] = {0, 0};
    static const size_t pieces[3] = {1, 4, 16};
    for (int i = 0; i < COUNT; i++)
        motion[i] = (struct contact_sample){(double)i / COARSE, 10 * sin(2 * M_PI * i / COARSE),
                                            20 * M_PI * cos(2 * M_PI * i / COARSE)};
    for (int p = 0; p < 3; p++) {
        struct friction_state state = {.deflection = 0};
        friction_force(&model, motion, COUNT, pieces[p], &state, force[p]);
    }
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < COUNT; i++)
            rms[p] += pow(force[p][i] - force[2][i], 2) / COUNT;
    ck_assert_double_lt(sqrt(rms[0]), 1.5e-4);
    ck_assert_double_lt(sqrt(rms[1]), 0.1 * sqrt(rms[0]));
}
END_TEST

/* Of GMS an element that slips comes to its force at another speed exponentially, at the rate C/(F_C S): closed form.
 */
START_TEST(what_slips_comes_to_its_level_at_a_rate)
{
    enum { SLOW = 40, FAST = 60, COUNT = SLOW + FAST };
    static const struct friction_element element = {0.1, 2};
    const struct friction_model model = {.shape = FRICTION_MAXWELL,
                                         .f_c = 2,
                                         .f_s = 3,
                                         .v_s = 1,
                                         .stribeck_exponent = 2,
                                         .elements = &element,
                                         .element_count = 1,
                                         .attraction = 5};
    struct contact_sample motion[COUNT];
    struct friction_state state = friction_state_at(&model, 0);
    double force[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const double t = 0.05 * i, turn = 0.05 * SLOW;
        motion[i] = i <= SLOW ? (struct contact_sample){t, 0.1 * t, 0.1}
                              : (struct contact_sample){t, 0.1 * turn + 3 * (t - turn), 3};
    }
    friction_force(&model, motion, COUNT, 1, &state, force);
    const double high = 2 * friction_level(&model, 0.1), low = 2 * friction_level(&model, 3);
    for (int i = SLOW + 1; i < COUNT; i++) {
        const double left = exp(-5 / low * (motion[i].time_s - motion[SLOW].time_s));
        ck_assert_double_eq_tol(force[i], low + (force[SLOW] - low) * left, 1e-9);
    }
    ck_assert_double_eq_tol(force[SLOW], high, 1e-9);
}
END_TEST

/* Behind a turn an element of GMS is a spring, though its level, which it holds, falls by a third to where the speed is
 * that of the dip: closed form. */
START_TEST(what_slipped_is_a_spring_behind_a_turn)
{
    enum { UP = 40, BACK = 10, COUNT = UP + BACK + 1 };
    static const struct friction_element element = {1, 2};
    const struct friction_model model = {.shape = FRICTION_MAXWELL,
                                         .f_c = 2,
                                         .f_s = 4,
                                         .v_s = 1,
                                         .stribeck_exponent = 2,
                                         .elements = &element,
                                         .element_count = 1,
                                         .attraction = 1e6};
    struct contact_sample motion[COUNT];
    struct friction_state state = friction_state_at(&model, 0);
    double force[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const double t = 0.1 * (i - UP);
        motion[i] = (struct contact_sample){t, -t * t / 2, -t};
    }
    friction_force(&model, motion, COUNT, 4, &state, force);
    ck_assert_double_eq_tol(force[UP], 4, 1e-2);
    for (int i = UP + 1; i < COUNT; i++)
        ck_assert_double_eq_tol(force[i], force[UP] + 2 * motion[i].displacement, 1e-9);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("friction_model");
    TCase *tests = tcase_create("friction_model");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, dahl_is_its_closed_form);
    tcase_add_test(tests, bouc_wen_is_its_closed_form);
    tcase_add_test(tests, maxwell_slip_is_its_closed_form);
    tcase_add_test(tests, unlike_levels_are_their_closed_form);
    tcase_add_test(tests, levels_along_the_path_are_their_closed_form);
    tcase_add_loop_test(tests, stribeck_and_bristle_damping_are_as_integrated_elsewhere, 0,
                        sizeof converged / sizeof *converged);
    tcase_add_test(tests, elastoplastic_without_a_dip_is_as_integrated_elsewhere);
    tcase_add_test(tests, slopes_behind_a_reversal);
    tcase_add_test(tests, bristles_let_go_when_the_level_falls);
    tcase_add_test(tests, a_path_is_cut_where_it_turns_back);
    tcase_add_test(tests, what_slips_is_at_the_level_of_its_speed);
    tcase_add_test(tests, finer_pieces_come_nearer);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, what_slips_comes_to_its_level_at_a_rate);
    tcase_add_test(tests, what_slipped_is_a_spring_behind_a_turn);
    return run_suite(suite);
}
