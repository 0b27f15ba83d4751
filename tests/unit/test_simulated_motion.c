/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The simulated rig is the truth that identifications are held against, so it is held against what is known exactly:
 * the extrema of free decays, and energy. */
#include "acquire/simulated_motion.h"
#include "run_suite.h"

#include <math.h>

/* m = k = 1, so omega_n = 1 and friction in N is a displacement. */
static struct simulated_mechanics unit_rig(double zeta, double x_k)
{
    return (struct simulated_mechanics){.mass_kg = 1, .stiffness_n_per_m = 1, .zeta = zeta, .f_k_n = x_k, .f_s_n = x_k};
}

/* Advances to the next velocity zero. */
static void next_extremum(struct simulated_motion *motion)
{
    do
        simulated_motion_advance(motion);
    while (motion->v_m_per_s != 0);
}

/* Releases at rest from +1 and compares the first extrema; returns how many half cycles there are in all. */
static int expect_extrema(const struct simulated_mechanics *mechanics, const double *expected, int count,
                          double tolerance)
{
    struct simulated_motion motion;
    simulated_motion_init(&motion, mechanics);
    simulated_motion_release(&motion, 0, 1, 0);
    int half_cycles = 0;
    while (!motion.resting) {
        next_extremum(&motion);
        if (half_cycles < count)
            ck_assert_double_eq_tol(motion.x_m, expected[half_cycles], tolerance);
        half_cycles++;
        ck_assert_int_lt(half_cycles, 1000);
    }
    return half_cycles;
}

/* Printed to nine places. */
static const double printed = 0.5001e-9;

START_TEST(viscous_and_coulomb)
{
    const double expected[] = {-0.919698667, 0.844288524, -0.773471645, 0.706968253, -0.644515612};
    const struct simulated_mechanics mechanics = unit_rig(0.02, 0.01);
    ck_assert_int_eq(expect_extrema(&mechanics, expected, 5, printed), 23);
}
END_TEST

START_TEST(coulomb_alone)
{
    const double expected[] = {-0.9, 0.8, -0.7, 0.6, -0.5, 0.4, -0.3, 0.2, -0.1, 0};
    const struct simulated_mechanics mechanics = unit_rig(0, 0.05);
    /* The last extremum but one is 0.1 and friction takes 0.1 a half cycle. */
    ck_assert_int_eq(expect_extrema(&mechanics, expected, 10, 1e-13), 10);
}
END_TEST

/* The mass turns for the last time at 0.0538 and stops at 0.0472, on the same side. */
START_TEST(the_stop_may_be_on_the_same_side)
{
    const double expected[] = {-0.642785234, 0.382287217, -0.192319661, 0.053786273, 0.047238870};
    const struct simulated_mechanics mechanics = unit_rig(0.1, 0.05);
    ck_assert_int_eq(expect_extrema(&mechanics, expected, 5, printed), 5);
}
END_TEST

START_TEST(breakaway_friction_stops_earlier)
{
    struct simulated_mechanics mechanics = unit_rig(0.1, 0.05);
    mechanics.f_s_n = 0.06;
    ck_assert_int_eq(expect_extrema(&mechanics, NULL, 0, 0), 4);
}
END_TEST

/* Each half cycle takes pi/omega_d, whatever the friction. */
START_TEST(time_of_the_extrema)
{
    const struct simulated_mechanics mechanics = {
        .mass_kg = 1.92, .stiffness_n_per_m = 2310, .zeta = 0.0177, .f_k_n = 0.413, .f_s_n = 0.47};
    double half_cycle_s = M_PI / (sqrt(2310 / 1.92) * sqrt(1 - 0.0177 * 0.0177));
    struct simulated_motion motion;
    simulated_motion_init(&motion, &mechanics);
    simulated_motion_release(&motion, 3, -0.012, 0);
    for (int i = 1; !motion.resting; i++) {
        next_extremum(&motion);
        ck_assert_double_eq_tol(motion.time_s, 3 + i * half_cycle_s, 1e-13);
    }
}
END_TEST

START_TEST(quadratic_drag)
{
    const double expected[] = {-0.846593915838, 0.724455741863, -0.623924741652, 0.538893756341};
    struct simulated_mechanics mechanics = unit_rig(0, 0.02);
    mechanics.drag_per_m = 0.1;
    expect_extrema(&mechanics, expected, 4, 1e-12);
    struct simulated_motion motion;
    simulated_motion_init(&motion, &mechanics);
    simulated_motion_release(&motion, 0, 1, 0);
    next_extremum(&motion);
    ck_assert_double_eq_tol(motion.time_s, 3.146049, 0.5001e-6);
}
END_TEST

/* Duffing's oscillator: x'' + x + kappa x³ = 0 from 1 has the period 4 K(m)/sqrt(1 + kappa), m = kappa/(2 (1 + kappa)).
 * For kappa = 1, K(1/4) = 1.685750354812596. */
START_TEST(cubic_stiffness)
{
    struct simulated_mechanics mechanics = unit_rig(0, 0);
    mechanics.cubic_per_m2 = 1;
    struct simulated_motion motion;
    simulated_motion_init(&motion, &mechanics);
    simulated_motion_release(&motion, 0, 1, 0);
    next_extremum(&motion);
    ck_assert_double_eq_tol(motion.x_m, -1, 1e-12);
    next_extremum(&motion);
    ck_assert_double_eq_tol(motion.x_m, 1, 1e-12);
    ck_assert_double_eq_tol(motion.time_s, 4 * 1.685750354812596 / sqrt(2), 1e-12);
}
END_TEST

/* Dahl friction that slides at once is rigid friction. */
START_TEST(presliding_becomes_coulomb_when_its_distance_vanishes)
{
    const double expected[] = {-0.9, 0.8, -0.7, 0.6, -0.5, 0.4, -0.3, 0.2, -0.1, 0};
    struct simulated_mechanics mechanics = unit_rig(0, 0.05);
    mechanics.presliding_distance_m = 1e-5;
    expect_extrema(&mechanics, expected, 10, 1e-4);
    mechanics.presliding_distance_m = 1e-9;
    ck_assert_int_eq(expect_extrema(&mechanics, expected, 10, 1e-8), 10);
}
END_TEST

/* Over a half cycle from -a to b, Dahl friction does the work f_k ∫ z dx, and along a monotone path
 * z = 1 + (z_0 - 1) exp(-dx/x_d): the spring's energy pays for it. */
START_TEST(presliding_takes_its_energy)
{
    struct simulated_mechanics mechanics = unit_rig(0, 0.05);
    double x_d = mechanics.presliding_distance_m = 0.03;
    struct simulated_motion motion;
    simulated_motion_init(&motion, &mechanics);
    motion.slip = -0.25;
    simulated_motion_release(&motion, 0, -1, 0);
    for (int i = 0; i < 6; i++) {
        double from = motion.x_m, z = motion.slip;
        next_extremum(&motion);
        double sign = motion.x_m > from ? 1 : -1;
        double distance = fabs(motion.x_m - from);
        double passed = exp(-distance / x_d);
        double work = 0.05 * (distance + (sign * z - 1) * x_d * (1 - passed));
        ck_assert_double_eq_tol(from * from / 2 - motion.x_m * motion.x_m / 2, work, 1e-12);
        ck_assert_double_eq_tol(motion.slip, sign + (z - sign) * passed, 1e-12);
    }
}
END_TEST

/* Between the steps: the displacement obeys the equation of motion by differences. */
START_TEST(motion_between_the_steps)
{
    struct simulated_mechanics mechanics = unit_rig(0.05, 0.02);
    mechanics.drag_per_m = 0.2;
    mechanics.cubic_per_m2 = 0.3;
    mechanics.presliding_distance_m = 0.1;
    struct simulated_motion motion;
    simulated_motion_init(&motion, &mechanics);
    simulated_motion_release(&motion, 0, 1, 0.3);
    for (int i = 0; i < 40 && !motion.resting; i++) {
        simulated_motion_advance(&motion);
        double h = (motion.time_s - motion.start_s) / 64;
        double t = motion.start_s + 32 * h;
        double before = simulated_motion_displacement(&motion, t - h);
        double x = simulated_motion_displacement(&motion, t);
        double after = simulated_motion_displacement(&motion, t + h);
        double v = (after - before) / (2 * h), a = (after - 2 * x + before) / (h * h);
        struct simulated_motion middle = motion;
        simulated_motion_cut(&middle, t);
        double residual = a + 0.1 * v + x + 0.3 * x * x * x + 0.2 * v * fabs(v) + 0.02 * middle.slip;
        ck_assert_double_eq_tol(residual, 0, 1e-3);
    }
}
END_TEST

START_TEST(a_push_from_rest_and_within_a_motion)
{
    struct simulated_mechanics mechanics = unit_rig(0.02, 0.01);
    struct simulated_motion whole, cut;
    simulated_motion_init(&whole, &mechanics);
    simulated_motion_release(&whole, 0, 0.004, 0.5);
    ck_assert(!whole.resting);
    cut = whole;
    simulated_motion_advance(&whole);
    simulated_motion_advance(&cut);
    simulated_motion_cut(&cut, cut.time_s / 3);
    next_extremum(&whole);
    next_extremum(&cut);
    ck_assert_double_eq_tol(cut.x_m, whole.x_m, 1e-14);
    ck_assert_double_eq_tol(cut.time_s, whole.time_s, 1e-13);
    simulated_motion_release(&cut, 0, 0.009, 0);
    ck_assert(cut.resting);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("simulated motion");
    TCase *exact = tcase_create("exact");
    tcase_add_test(exact, viscous_and_coulomb);
    tcase_add_test(exact, coulomb_alone);
    tcase_add_test(exact, the_stop_may_be_on_the_same_side);
    tcase_add_test(exact, breakaway_friction_stops_earlier);
    tcase_add_test(exact, time_of_the_extrema);
    suite_add_tcase(suite, exact);
    TCase *extras = tcase_create("extras");
    tcase_add_test(extras, quadratic_drag);
    tcase_add_test(extras, cubic_stiffness);
    tcase_add_test(extras, presliding_becomes_coulomb_when_its_distance_vanishes);
    tcase_add_test(extras, presliding_takes_its_energy);
    tcase_add_test(extras, motion_between_the_steps);
    tcase_add_test(extras, a_push_from_rest_and_within_a_motion);
    suite_add_tcase(suite, extras);
    return run_suite(suite);
}
