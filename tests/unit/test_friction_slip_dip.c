/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maxwell-slip with a dip, without noise: every element is found as it is, and no other contact stands in for it. */
#include "identify/loop/friction_ladder.h"
#include "run_suite.h"

#include <math.h>
#include <stdlib.h>

enum { ELEMENTS_MOST = 4, CYCLES = 4, STEPS = 300 };

/* A sine of amplitude and frequency 1. Slip lengths of the amplitude, slip forces of 1 in all, the Stribeck velocity of
 * the largest speed. */
struct contact {
    double f_s, v_s, sigma_2, phase;
    size_t samples_a_cycle, elements;
    double slip_length[ELEMENTS_MOST], slip_force[ELEMENTS_MOST];
};

static const double fastest = 2 * M_PI;

static double displacement_at(const struct contact *contact, double time_s)
{
    return sin(2 * M_PI * time_s + contact->phase);
}

static double velocity_at(const struct contact *contact, double time_s)
{
    return fastest * cos(2 * M_PI * time_s + contact->phase);
}

static double level_at(const struct contact *contact, double velocity)
{
    return 1 + (contact->f_s - 1) * exp(-pow(velocity / fastest / contact->v_s, 2));
}

/* Springs that slip where they hold more than the level of the speed allows. */
static void stretch(const struct contact *contact, double way, double level, double force[ELEMENTS_MOST])
{
    for (size_t k = 0; k < contact->elements; k++) {
        const double most = contact->slip_force[k] * level;
        force[k] += contact->slip_force[k] / contact->slip_length[k] * way;
        force[k] = fmax(-most, fmin(most, force[k]));
    }
}

static void drive(const struct contact *contact, double *time_s, double *displacement, double *total)
{
    double force[ELEMENTS_MOST] = {0};
    const double interval_s = 1 / (double)contact->samples_a_cycle;
    for (size_t i = 0; i < CYCLES * contact->samples_a_cycle; i++) {
        time_s[i] = (double)i * interval_s;
        displacement[i] = displacement_at(contact, time_s[i]);
        total[i] = contact->sigma_2 / fastest * velocity_at(contact, time_s[i]);
        for (size_t k = 0; k < contact->elements; k++)
            total[i] += force[k];
        for (int s = 0; s < STEPS; s++) {
            const double from = time_s[i] + s * interval_s / STEPS, to = from + interval_s / STEPS;
            stretch(contact, displacement_at(contact, to) - displacement_at(contact, from),
                    level_at(contact, velocity_at(contact, to)), force);
        }
    }
}

static void assert_near(const char *name, double value, double truth, double share)
{
    ck_assert_msg(fabs(value - truth) < share * truth, "%s %.9g, not %.9g", name, value, truth);
}

static const struct contact contacts[] = {
    {1.64, 0.45, 0.15, 2, 240, 3, {0.052, 0.219, 0.603}, {0.32, 0.35, 0.33}},
    {1.54, 0.55, 0.1, 1, 346, 4, {0.028, 0.069, 0.217, 0.618}, {0.138, 0.175, 0.295, 0.392}},
    {1.72, 0.53, 0.2, 5, 214, 3, {0.055, 0.213, 0.663}, {0.383, 0.445, 0.172}},
    {1.6, 0.35, 0.2, 3, 318, 4, {0.02, 0.05, 0.16, 0.5}, {0.2, 0.3, 0.3, 0.2}},
    /* Whose elements stick before the motion turns, where the level rises faster than their springs are loaded. */
    {1.382, 0.1986, 0.156, 4.155, 288, 3, {0.026, 0.0672, 0.1743}, {0.353, 0.327, 0.32}},
    {1.689, 0.3743, 0.198, 1.683, 225, 3, {0.046, 0.1352, 0.416}, {0.323, 0.265, 0.412}},
    /* One alone, which other dips suit worse than an elastoplastic contact. */
    {1.333, 0.4035, 0.331, 1.494, 400, 1, {0.0467}, {1}},
    {1.323, 0.3886, 0.218, 2.836, 400, 1, {0.0325}, {1}},
};

enum { CONTACTS = sizeof contacts / sizeof *contacts };

START_TEST(all_elements_are_found_beside_a_dip)
{
    const struct contact *contact = &contacts[_i];
    const size_t count = CYCLES * contact->samples_a_cycle;
    double *room = calloc(3 * count, sizeof *room), *displacement = room + count, *force = displacement + count;
    struct friction_ladder *ladder = calloc(1, sizeof *ladder);
    ck_assert(room && ladder);
    drive(contact, room, displacement, force);
    struct loop_signal signal = {.time_s = room, .displacement = displacement, .force = force, .count = count};
    ck_assert_int_eq(loop_signal_look(&signal), 0);
    ck_assert_int_eq(friction_ladder_identify(&signal, NULL, ladder), VERDICT_OK);
    ck_assert_str_eq(friction_row_name((size_t)ladder->model), "maxwell_slip+viscous+stribeck");
    ck_assert_uint_eq(ladder->spectrum.count, contact->elements);
    for (size_t k = 0; k < contact->elements; k++) {
        assert_near("slip length", ladder->spectrum.element[k].slip_length.value, contact->slip_length[k], 1e-3);
        assert_near("slip force", ladder->spectrum.element[k].slip_force.value, contact->slip_force[k], 1e-3);
    }
    assert_near("F_C", ladder->figure[FRICTION_F_C].value, 1, 1e-4);
    assert_near("F_S", ladder->figure[FRICTION_F_S].value, contact->f_s, 1e-3);
    assert_near("v_s", ladder->figure[FRICTION_V_S].value, contact->v_s * fastest, 1e-3);
    assert_near("sigma_2", ladder->figure[FRICTION_SIGMA_2].value, contact->sigma_2 / fastest, 1e-3);
    free(room);
    free(ladder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("friction_slip_dip");
    TCase *tests = tcase_create("friction_slip_dip");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, all_elements_are_found_beside_a_dip, 0, CONTACTS);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
