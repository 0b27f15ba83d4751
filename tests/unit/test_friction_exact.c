/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records without any noise: what is not known of the motion between their samples is told of no contact. */
#include "driven_contact.h"
#include "identify/loop/friction_ladder.h"
#include "run_suite.h"

#include <math.h>
#include <stdbool.h>

static const struct driven_contact made = {
    .f_c = 3, .x_d = 2e-5, .exponent = 2, .f_0 = 0.4, .frequency = 1, .shrink = 1};

static void assert_exact(const struct friction_ladder *ladder, enum friction_parameter p, double truth, double within)
{
    ck_assert_msg(fabs(ladder->figure[p].value - truth) < within * truth, "%s: %.9g, not %.9g",
                  friction_parameters[p].name, ladder->figure[p].value, truth);
}

/* Turns that are a few samples wide: what is not known of the motion between them is the same in every loop, as is what
 * steps leave, and none of it stands for a term, nor is a real one lost for it. */
START_TEST(what_steps_leave_is_no_term)
{
    static const struct {
        const char *model;
        double ratio, v_s, sigma_1, sigma_2, amplitude, rounded, phase;
        size_t samples_a_cycle, cycles;
        bool stiffness_alone; /* is told: hardly a sample is as slow as v_s */
    } rows[] = {{"dahl", 0, 0, 0, 0, 3e-4, 0.98, 0, 300, 5, false},
                {"dahl", 0, 0, 0, 0, 1.2e-4, 0.98, 0.13, 150, 6, false},
                {"dahl+stribeck", 0.5, 2e-4, 0, 0, 3e-4, 0.98, 0, 200, 5, true},
                {"dahl+stribeck", 0.5, 6.75e-4, 0, 0, 5.38e-4, 0.9, 0.13, 150, 6, false},
                {"dahl+viscous+stribeck+bristle", 0.5, 5e-4, 500, 200, 2e-4, 0.98, 0, 200, 5, false}};
    struct driven_contact contact = made;
    contact.ratio = rows[_i].ratio;
    contact.v_s = rows[_i].v_s;
    contact.sigma_1 = rows[_i].sigma_1;
    contact.sigma_2 = rows[_i].sigma_2;
    contact.amplitude = rows[_i].amplitude;
    contact.rounded = rows[_i].rounded;
    contact.phase = rows[_i].phase;
    contact.samples_a_cycle = rows[_i].samples_a_cycle;
    contact.cycles = rows[_i].cycles;
    const struct friction_ladder ladder = driven_contact_ladder(&contact);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), rows[_i].model);
    assert_exact(&ladder, FRICTION_SIGMA_0, 1.5e5, 2e-4);
    if (rows[_i].stiffness_alone)
        return;
    assert_exact(&ladder, FRICTION_F_C, 3, 1e-4);
    assert_exact(&ladder, FRICTION_X_D, 2e-5, 1e-4);
    if (contact.sigma_1 > 0) {
        assert_exact(&ladder, FRICTION_F_S, 4.5, 1e-3);
        assert_exact(&ladder, FRICTION_V_S, contact.v_s, 1e-3);
        assert_exact(&ladder, FRICTION_SIGMA_1, contact.sigma_1, 1e-3);
        assert_exact(&ladder, FRICTION_SIGMA_2, contact.sigma_2, 1e-3);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("friction_exact");
    TCase *tests = tcase_create("friction_exact");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, what_steps_leave_is_no_term, 0, 5);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
