/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The joint's closed forms and its motion, against figures that were computed elsewhere. */
#include "identify/ring_down/joint_motion.h"
#include "identify/ring_down/modal_iwan.h"
#include "run_suite.h"

#include <math.h>

/* The first mode of Deaner et al. (2015). */
static struct modal_iwan first_mode(void)
{
    struct modal_iwan mode = {.f_s = 2.33, .k_t = 1.37e5, .chi = -0.178, .beta = 0.0316, .k_inf = 4.41e5, .c = 1.51};
    ck_assert(modal_iwan_complete(&mode));
    return mode;
}

static struct modal_iwan small_joint(void)
{
    struct modal_iwan mode = {.k_t = 2, .f_s = 3, .chi = -0.1, .beta = 0.1};
    ck_assert(modal_iwan_complete(&mode));
    return mode;
}

START_TEST(closed_forms_are_those_of_the_reference)
{
    const struct modal_iwan mode = small_joint();
    ck_assert_double_eq_tol(mode.phi_max, 2.87614679, 1e-8);
    ck_assert_double_eq_tol(modal_iwan_dissipation(&mode, mode.phi_max, 1), 9.826759, 1e-6);
    ck_assert_double_eq_tol(modal_iwan_secant(&mode, mode.phi_max) / mode.k_t, 0.5215311, 1e-7);
    ck_assert_double_eq_tol(modal_iwan_dissipation(&mode, 0.1 * mode.phi_max, 1), 0.012371157, 1e-9);
    ck_assert_double_eq_tol(modal_iwan_secant(&mode, 0.1 * mode.phi_max) / mode.k_t, 0.9397643, 1e-7);
    ck_assert_double_eq_tol(modal_iwan_dissipation(&mode, 2 * mode.phi_max, 1), 44.340521, 1e-6);
    static const double at[4] = {0.1, 0.5, 1, 2}, over_k_t[4] = {0.9394586, 0.7422936, 0.5191028, 0.2266053};
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq_tol(modal_iwan_fundamental(&mode, at[i] * mode.phi_max) / mode.k_t, over_k_t[i], 1e-7);
}
END_TEST

/* What the closed forms say must follow from the virgin curve alone: a loop by Masing's rules, summed up. */
START_TEST(closed_forms_follow_from_the_virgin_curve)
{
    const struct modal_iwan mode = small_joint();
    for (double a = 0.05; a < 10; a *= 1.7) {
        enum { POINTS = 200000 };
        double loss = 0, harmonic = 0;
        for (int i = 0; i < POINTS; i++) {
            const double angle = M_PI * (i + 0.5) / POINTS, u = a * cos(angle);
            const double force = modal_iwan_virgin_force(&mode, a) - 2 * modal_iwan_virgin_force(&mode, (a - u) / 2);
            loss -= 2 * force * a * sin(angle) * M_PI / POINTS;
            harmonic += 2 / M_PI * force * cos(angle) * M_PI / POINTS;
        }
        ck_assert_double_eq_tol(modal_iwan_dissipation(&mode, a, 0) / loss, 1, 1e-8);
        ck_assert_double_eq_tol(modal_iwan_fundamental(&mode, a) / (harmonic / a), 1, 1e-8);
        const double step = 1e-5 * a, ahead = modal_iwan_virgin_force(&mode, a + step);
        const double slope = (ahead - modal_iwan_virgin_force(&mode, a - step)) / (2 * step);
        ck_assert_double_eq_tol(modal_iwan_tangent(&mode, a), slope, 1e-8);
    }
}
END_TEST

START_TEST(motion_is_that_of_the_reference)
{
    static const int turns[4] = {1, 2, 10, 50};
    static const double amplitude[4] = {0.7409141, 0.6902402, 0.4420504, 0.1436899};
    static const double time_ms[4] = {4.3632, 8.7116, 43.1373, 211.8183};
    const struct modal_iwan mode = first_mode();
    struct joint_motion *motion = joint_motion_create(&mode, 0.8 * mode.phi_max, 0);
    struct joint_state at;
    ck_assert_ptr_nonnull(motion);
    for (int turn = 1, next = 0; next < 4; turn++) {
        ck_assert_int_eq(joint_motion_to_turn(motion, 1, &at), 0);
        ck_assert_double_eq(at.velocity, 0);
        if (turn != turns[next])
            continue;
        ck_assert_double_eq_tol(fabs(at.displacement) / mode.phi_max, amplitude[next], 1e-7);
        ck_assert_double_eq_tol(1e3 * at.time_s, time_ms[next], 1e-4);
        next++;
    }
    joint_motion_free(motion);
    motion = joint_motion_create(&mode, 3 * mode.phi_max, 0);
    ck_assert_int_eq(joint_motion_to_turn(motion, 1, &at), 0);
    ck_assert_double_eq_tol(fabs(at.displacement) / mode.phi_max, 2.7662445, 1e-7);
    ck_assert_int_eq(joint_motion_to_turn(motion, 1, &at), 0);
    ck_assert_double_eq_tol(fabs(at.displacement) / mode.phi_max, 2.5391617, 1e-7);
    joint_motion_free(motion);
}
END_TEST

/* Whoever asks for samples on the way meets the same motion as who asks for its end. */
START_TEST(motion_does_not_depend_on_who_looks)
{
    const struct modal_iwan mode = first_mode();
    struct joint_motion *often = joint_motion_create(&mode, 2 * mode.phi_max, 0);
    struct joint_motion *once = joint_motion_create(&mode, 2 * mode.phi_max, 0);
    struct joint_state seen, last;
    for (int i = 1; i <= 1024; i++)
        ck_assert_int_eq(joint_motion_to(often, i / 2048.0, &seen), 0);
    ck_assert_int_eq(joint_motion_to(once, 0.5, &last), 0);
    ck_assert_double_eq_tol(seen.displacement, last.displacement, 1e-9 * mode.phi_max);
    const double size = (mode.k_t + mode.k_inf) * mode.phi_max;
    ck_assert_double_eq_tol(seen.acceleration, last.acceleration, 1e-8 * size);
    ck_assert_int_eq(joint_motion_to_turn(once, 0.5, &last), 1);
    joint_motion_free(often);
    joint_motion_free(once);
}
END_TEST

/* Started with a speed, the mode loads the joint for the first time, and every later loop is inside that one. Energy
 * must balance: what the first half cycle leaves is the loss of the virgin curve less. */
START_TEST(a_blow_loads_the_virgin_curve)
{
    struct modal_iwan mode = first_mode();
    struct joint_state at;
    mode.c = 0;
    struct joint_motion *motion = joint_motion_create(&mode, 0, 0.9 * mode.phi_max * sqrt(mode.k_t + mode.k_inf));
    ck_assert_int_eq(joint_motion_to_turn(motion, 1, &at), 0);
    enum { POINTS = 100000 };
    double work = 0.5 * mode.k_inf * at.displacement * at.displacement;
    for (int i = 0; i < POINTS; i++)
        work += modal_iwan_virgin_force(&mode, at.displacement * (i + 0.5) / POINTS) * at.displacement / POINTS;
    const double speed = 0.9 * mode.phi_max * sqrt(mode.k_t + mode.k_inf);
    ck_assert_double_eq_tol(work / (0.5 * speed * speed), 1, 1e-8);
    joint_motion_free(motion);
}
END_TEST

START_TEST(what_is_no_joint_is_refused)
{
    const struct modal_iwan good = first_mode();
    struct modal_iwan bad[5] = {good, good, good, good, good};
    bad[0].k_t = 0;
    bad[1].f_s = -1;
    bad[2].chi = -1;
    bad[3].beta = NAN;
    bad[4].k_inf = INFINITY;
    for (int i = 0; i < 5; i++)
        ck_assert(!modal_iwan_complete(&bad[i]));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("modal iwan");
    TCase *closed = tcase_create("closed forms"), *motion = tcase_create("motion");
    tcase_add_test(closed, closed_forms_are_those_of_the_reference);
    tcase_add_test(closed, closed_forms_follow_from_the_virgin_curve);
    tcase_add_test(closed, what_is_no_joint_is_refused);
    tcase_add_test(motion, motion_is_that_of_the_reference);
    tcase_add_test(motion, motion_does_not_depend_on_who_looks);
    tcase_add_test(motion, a_blow_loads_the_virgin_curve);
    suite_add_tcase(suite, closed);
    suite_add_tcase(suite, motion);
    return run_suite(suite);
}
