/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several blows on one structure: whether their backbones are one, and what they say together. */
#include "identify/ring_down/mode_repeats.h"
#include "run_suite.h"

#include <math.h>

enum { BLOWS = 3 };

/* A mode whose damping is the same at all amplitudes, known to 1 %. */
static void fill_mode(double zeta, struct ring_down_mode *mode)
{
    *mode = (struct ring_down_mode){.points = BACKBONE_POINTS, .amplitude_max = 1, .amplitude_min = 0.1};
    for (size_t i = 0; i < BACKBONE_POINTS; i++)
        mode->backbone[i] = (struct backbone_point){.amplitude = pow(0.1, (double)i / (BACKBONE_POINTS - 1)),
                                                    .omega = 500,
                                                    .se_omega = 0.1,
                                                    .zeta = zeta,
                                                    .se_zeta = 1e-5,
                                                    .dissipation = 1,
                                                    .se_dissipation = 0.01,
                                                    .stiffness = 250000,
                                                    .se_stiffness = 100};
}

static void compare(const double zeta[BLOWS], const double others[BLOWS], struct ring_down_repeats *repeats)
{
    static struct ring_down_mode modes[BLOWS];
    struct repeated_mode blows[BLOWS];
    for (size_t i = 0; i < BLOWS; i++) {
        fill_mode(zeta[i], &modes[i]);
        blows[i] = (struct repeated_mode){&modes[i], others[i]};
    }
    mode_repeats_of(blows, BLOWS, repeats);
    ck_assert_uint_eq(repeats->blows, BLOWS);
}

START_TEST(blows_that_agree_are_known_better_together)
{
    static const double zeta[BLOWS] = {0.001, 0.001005, 0.000995}, others[BLOWS] = {1, 2, 3};
    struct ring_down_repeats repeats;
    compare(zeta, others, &repeats);
    ck_assert_int_eq(repeats.finding, REPEAT_AGREES);
    ck_assert_uint_eq(repeats.points, BACKBONE_POINTS);
    for (size_t i = 0; i < BACKBONE_POINTS; i++) {
        ck_assert_double_eq_tol(repeats.backbone[i].zeta, 0.001, 1e-12);
        ck_assert_double_eq_tol(repeats.backbone[i].se_zeta, 1e-5 / sqrt(BLOWS), 1e-12);
        ck_assert_double_eq_tol(repeats.backbone[i].se_omega, 0.1 / sqrt(BLOWS), 1e-9);
    }
}
END_TEST

/* Other modes explain damping that follows them from blow to blow; a structure that changed once does not. */
START_TEST(what_makes_blows_differ)
{
    static const struct {
        double zeta[BLOWS], others[BLOWS];
        enum ring_down_repeat finding;
    } cases[] = {
        {{0.001, 0.0012, 0.0014}, {1, 2, 3}, REPEAT_MODES_COUPLED},
        {{0.0012, 0.0014, 0.001}, {2, 3, 1}, REPEAT_MODES_COUPLED},
        {{0.001, 0.001, 0.0014}, {1, 1.2, 3}, REPEAT_MODES_COUPLED},
        {{0.001, 0.0012, 0.0012}, {1, 3, 0.5}, REPEAT_NOT_REPEATABLE},
        {{0.001, 0.0012, 0.0012}, {1, 0.5, 3}, REPEAT_NOT_REPEATABLE},
        {{0.001, 0.0012, 0.0013}, {1, 1.05, 3}, REPEAT_NOT_REPEATABLE},
    };
    struct ring_down_repeats repeats;
    compare(cases[_i].zeta, cases[_i].others, &repeats);
    ck_assert_int_eq(repeats.finding, cases[_i].finding);
    ck_assert_uint_eq(repeats.points, 0);
    ck_assert_double_lt(repeats.probability, 0.01);
}
END_TEST

/* Two of the blows leave open that the joint slipped as a whole, which would make up for how they differ; one excludes
 * it. */
START_TEST(what_slip_may_explain_is_no_contradiction)
{
    static struct ring_down_mode modes[BLOWS];
    static const double zeta[BLOWS] = {0.001, 0.0012, 0.0012};
    struct repeated_mode blows[BLOWS];
    struct ring_down_repeats repeats;
    for (size_t i = 0; i < BLOWS; i++) {
        fill_mode(zeta[i], &modes[i]);
        blows[i] = (struct repeated_mode){&modes[i], 1};
        for (size_t k = 0; k < BACKBONE_POINTS; k++)
            modes[i].backbone[k].slip_zeta = zeta[i] > 0.001 ? 2e-4 : 0;
    }
    mode_repeats_of(blows, BLOWS, &repeats);
    ck_assert_int_eq(repeats.finding, REPEAT_AGREES);
    ck_assert_double_eq(repeats.backbone[0].slip_zeta, 0);
    modes[0].backbone[0].slip_zeta = 3e-4;
    mode_repeats_of(blows, BLOWS, &repeats);
    ck_assert_double_eq(repeats.backbone[0].slip_zeta, 2e-4);
    for (size_t k = 0; k < BACKBONE_POINTS; k++)
        modes[0].backbone[k].slip_zeta = modes[1].backbone[k].slip_zeta = modes[2].backbone[k].slip_zeta = 0;
    mode_repeats_of(blows, BLOWS, &repeats);
    ck_assert_int_eq(repeats.finding, REPEAT_NOT_REPEATABLE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("several blows");
    TCase *tests = tcase_create("several blows");
    tcase_add_test(tests, blows_that_agree_are_known_better_together);
    tcase_add_loop_test(tests, what_makes_blows_differ, 0, 6);
    tcase_add_test(tests, what_slip_may_explain_is_no_contradiction);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
