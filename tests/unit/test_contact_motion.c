/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mass that a force pushes over a contact, against values of the literature that were integrated with ever smaller
 * steps by other programs, and against closed forms. */
#include "identify/loop/contact_motion.h"
#include "run_suite.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 40001 };

static const struct friction_model lugre = {.shape = FRICTION_DAHL,
                                            .f_c = 1,
                                            .x_d = 1e-5,
                                            .f_s = 1.5,
                                            .v_s = 1e-3,
                                            .stribeck_exponent = 2,
                                            .sigma_1 = 316.22776601683796,
                                            .sigma_2 = 0.4};

/* A mass of 1 kg under a force at equal distances of time. */
struct run {
    double time_s[MOST], force[MOST], friction[MOST];
    struct contact_sample motion[MOST];
    size_t count;
    double mass;
};

static struct run *run_over(double duration_s, size_t count)
{
    struct run *run = calloc(1, sizeof *run);
    ck_assert(run && count <= MOST);
    run->count = count;
    run->mass = 1;
    for (size_t i = 0; i < count; i++)
        run->time_s[i] = duration_s * (double)i / (double)(count - 1);
    return run;
}

static void ramp(struct run *run, double rate)
{
    for (size_t i = 0; i < run->count; i++)
        run->force[i] = rate * run->time_s[i];
}

static enum verdict go(const struct friction_model *model, struct run *run, struct contact_place *place)
{
    const struct contact_push push = {run->mass, run->time_s, run->force, run->count};
    return contact_motion(model, &push, NULL, place, run->motion, run->friction);
}

static void go_from_rest(const struct friction_model *model, struct run *run)
{
    struct contact_place place = {.friction = 0};
    ck_assert_int_eq(go(model, run, &place), VERDICT_OK);
    ck_assert_double_eq(place.at.displacement, run->motion[run->count - 1].displacement);
}

/* When the velocity passes `velocity` upwards for the n-th time, n from 0. */
static double passes(const struct run *run, double velocity, int n)
{
    for (size_t i = 1; i < run->count; i++) {
        const double before = run->motion[i - 1].velocity, after = run->motion[i].velocity;
        if (before < velocity && after >= velocity && n-- == 0)
            return run->time_s[i - 1] + (velocity - before) / (after - before) * (run->time_s[i] - run->time_s[i - 1]);
    }
    return NAN;
}

/* Pulled through 2 N/m at 0.1 m/s: a force of 0.2 N/s, and a spring to the ground. */
START_TEST(a_mass_on_a_spring_sticks_and_slips)
{
    struct friction_model model = lugre;
    struct run *run = run_over(22, 22001);
    double fastest = 0;
    model.k_x = 2;
    ramp(run, 0.2);
    go_from_rest(&model, run);
    for (size_t i = 0; i < run->count; i++)
        fastest = fmax(fastest, run->motion[i].velocity);
    ck_assert_double_eq_tol(passes(run, 0.05, 0), 7.54040, 1e-5);
    ck_assert_double_eq_tol(passes(run, 0.05, 1), 13.90312, 1e-5);
    ck_assert_double_eq_tol(passes(run, 0.05, 2), 20.26584, 1e-5);
    ck_assert_double_eq_tol(fastest, 0.36982, 1e-5);
    free(run);
}
END_TEST

static const struct {
    double rate, peak;
} break_aways[] = {{1, 1.43241}, {10, 1.21995}, {50, 1.00747}};

START_TEST(break_away_is_at_less_force_the_faster_it_comes)
{
    struct run *run = run_over(2 / break_aways[_i].rate, 20001);
    size_t peak = 1;
    ramp(run, break_aways[_i].rate);
    go_from_rest(&lugre, run);
    while (peak + 1 < run->count && run->friction[peak] >= run->friction[peak - 1])
        peak++;
    ck_assert_double_eq_tol(run->friction[peak - 1], break_aways[_i].peak, 6e-6);
    free(run);
}
END_TEST

START_TEST(a_slow_force_creeps_as_its_closed_form)
{
    struct run *run = run_over(1425, 2001);
    ramp(run, 1e-3);
    go_from_rest(&lugre, run);
    ck_assert_double_eq_tol(run->motion[run->count - 1].displacement, 44.936e-6, 1e-9);
    free(run);
}
END_TEST

/* Over the last of some cycles of 0.4 + 0.2 sin 2 pi t. */
static double drift_of(const struct friction_model *model)
{
    struct run *run = run_over(6, 6001);
    for (size_t i = 0; i < run->count; i++)
        run->force[i] = 0.4 + 0.2 * sin(2 * M_PI * run->time_s[i]);
    go_from_rest(model, run);
    const double drift = run->motion[6000].displacement - run->motion[5000].displacement;
    free(run);
    return drift;
}

START_TEST(bristles_drift_unless_they_are_elastic)
{
    struct friction_model elastoplastic = lugre;
    elastoplastic.shape = FRICTION_ELASTOPLASTIC;
    elastoplastic.shape_parameters.z_ba = 0.7;
    ck_assert_double_eq_tol(drift_of(&lugre), 2.3474e-6, 1e-10);
    ck_assert_double_eq_tol(drift_of(&elastoplastic), 0, 1e-12);
}
END_TEST

/* 1.5 N on 1 kg: at rest as long as they hold 2 N, then with 0.5 N. The force of a rigid contact at rest is what
 * pushes. */
START_TEST(a_rigid_contact_holds_and_gives_way)
{
    const struct friction_model holds = {.shape = FRICTION_RIGID, .f_c = 2},
                                gives = {.shape = FRICTION_RIGID, .f_c = 1};
    struct run *run = run_over(2, 2001);
    for (size_t i = 0; i < run->count; i++)
        run->force[i] = 1.5;
    go_from_rest(&holds, run);
    ck_assert_double_eq_tol(run->motion[2000].displacement, 0, 1e-7);
    ck_assert_double_eq_tol(run->friction[2000], 1.5, 1e-6);
    go_from_rest(&gives, run);
    ck_assert_double_eq_tol(run->motion[2000].displacement, 0.5 * 2 * 2 / 2, 5e-5);
    ck_assert_double_eq_tol(run->friction[2000], 1, 1e-6);
    free(run);
}
END_TEST

/* Below its slip an element is a spring: x = F/k (1 - cos(sqrt(k/m) t)). */
START_TEST(a_mass_rings_on_elements_that_do_not_slip)
{
    const struct friction_element elements[2] = {{0.5, 1}, {0.25, 1}};
    const struct friction_model model = {.elements = elements, .element_count = 2};
    struct run *run = run_over(10, 1001);
    for (size_t i = 0; i < run->count; i++)
        run->force[i] = 0.7;
    go_from_rest(&model, run);
    for (size_t i = 0; i < run->count; i++)
        ck_assert_double_eq_tol(run->motion[i].displacement, 0.7 / 6 * (1 - cos(sqrt(6) * run->time_s[i])), 1e-4);
    free(run);
}
END_TEST

/* A motion in two parts is that in one. */
START_TEST(a_motion_goes_on_where_it_was)
{
    struct run *run = run_over(4, 4001), *rest = run_over(4, 4001);
    struct contact_place place = {.friction = 0};
    ramp(run, 0.5);
    go_from_rest(&lugre, run);
    ramp(rest, 0.5);
    rest->count = 2001;
    ck_assert_int_eq(go(&lugre, rest, &place), VERDICT_OK);
    const struct contact_push push = {1, run->time_s + 2000, run->force + 2000, 2001};
    ck_assert_int_eq(contact_motion(&lugre, &push, NULL, &place, rest->motion, rest->friction), VERDICT_OK);
    ck_assert_double_eq_tol(rest->motion[2000].displacement, run->motion[4000].displacement, 1e-7);
    free(run);
    free(rest);
}
END_TEST

START_TEST(a_motion_beyond_all_numbers_ends)
{
    struct run *run = run_over(1, 101);
    struct contact_place place = {.friction = 0};
    for (size_t i = 0; i < run->count; i++)
        run->force[i] = i < 50 ? 0 : INFINITY;
    ck_assert_int_eq(go(&lugre, run, &place), VERDICT_NOT_CONVERGED);
    free(run);
}
END_TEST

START_TEST(a_motion_can_be_stopped)
{
    struct run *run = run_over(1, 101);
    struct contact_place place = {.friction = 0};
    const struct contact_push push = {1, run->time_s, run->force, run->count};
    const atomic_bool cancel = true;
    ck_assert_int_eq(contact_motion(&lugre, &push, &cancel, &place, run->motion, run->friction), VERDICT_CANCELLED);
    free(run);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("contact_motion");
    TCase *tests = tcase_create("contact_motion");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_mass_on_a_spring_sticks_and_slips);
    tcase_add_loop_test(tests, break_away_is_at_less_force_the_faster_it_comes, 0, 3);
    tcase_add_test(tests, a_slow_force_creeps_as_its_closed_form);
    tcase_add_test(tests, bristles_drift_unless_they_are_elastic);
    tcase_add_test(tests, a_rigid_contact_holds_and_gives_way);
    tcase_add_test(tests, a_mass_rings_on_elements_that_do_not_slip);
    tcase_add_test(tests, a_motion_goes_on_where_it_was);
    tcase_add_test(tests, a_motion_beyond_all_numbers_ends);
    tcase_add_test(tests, a_motion_can_be_stopped);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
