/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The simulated beam against closed forms: energy from turn to turn, and a mode without a joint. */
#include "acquire/simulated_beam.h"
#include "run_suite.h"

#include <math.h>

static struct simulated_beam_settings settings_of(double joint_share, double zeta)
{
    return (struct simulated_beam_settings){.modes = 1,
                                            .frequency_hz = 50,
                                            .zeta = zeta,
                                            .joint_share = joint_share,
                                            .phi_max_m = 1e-3,
                                            .chi = -0.4,
                                            .beta = 0.5,
                                            .blow_m_per_s2 = 500,
                                            .blow_s = 0.002,
                                            .every_s = 1,
                                            .spread = 0};
}

static void run(struct simulated_beam *beam, double until_s)
{
    for (double time_s = beam->time_s; time_s < until_s; time_s += 1e-3)
        simulated_beam_advance(beam, time_s);
    simulated_beam_advance(beam, until_s);
}

/* Of the force of a joint that was never moved before, from 0 to x. */
static double work_of(const struct simulated_beam_mode *mode, double x)
{
    const double chi = mode->chi, end = fmin(x, mode->phi_max);
    const double slip = mode->k_t * mode->phi_max - mode->r * pow(mode->phi_max, chi + 2) / ((chi + 1) * (chi + 2));
    return 0.5 * mode->k_t * end * end - mode->r * pow(end, chi + 3) / ((chi + 1) * (chi + 2) * (chi + 3)) +
           slip * (x - end);
}

/* Without a damper what the springs hold at a turn is what they held at the one before, less what the joint took on the
 * way: that is the integral of Masing's branch. Where the whole joint slips, steps go over its corner. */
START_TEST(energy_goes_from_turn_to_turn)
{
    const double strength[2] = {500, 5000};
    for (int k = 0; k < 2; k++) {
        struct simulated_beam_settings settings = settings_of(0.3, 0);
        settings.blow_m_per_s2 = strength[k];
        struct simulated_random *random = simulated_random_create(1, 0);
        struct simulated_beam beam;
        ck_assert_int_eq(simulated_beam_init(&beam, &settings, random), 0);
        run(&beam, 1.6);
        const struct simulated_beam_mode *mode = &beam.mode[0];
        ck_assert_uint_gt(mode->reversals, 40);
        ck_assert(fabs(mode->reversal[0].at_m) > (k ? 1 : 0) * mode->phi_max);
        for (size_t n = 1; n < mode->reversals; n++) {
            const double a = mode->reversal[n - 1].at_m, b = mode->reversal[n].at_m, way = b - a;
            const double springs = 0.5 * mode->k_inf * (b * b - a * a);
            const double joint = mode->reversal[n - 1].force * way + 4 * work_of(mode, 0.5 * fabs(way));
            ck_assert_double_le(fabs(springs + joint), (k ? 1e-5 : 1e-6) * 0.5 * (mode->k_inf + mode->k_t) * a * a);
            ck_assert(n < 2 || fabs(way) < fabs(a - mode->reversal[n - 2].at_m));
        }
        simulated_beam_clear(&beam);
        simulated_random_destroy(random);
    }
}
END_TEST

/* A blow that comes while the beam still rings closes the loops that the decay left, and the joint takes what it takes
 * of the larger motion. */
START_TEST(larger_motion_closes_loops)
{
    struct simulated_beam_settings settings = settings_of(0.3, 0.002);
    struct simulated_random *random = simulated_random_create(1, 0);
    struct simulated_beam beam;
    ck_assert_int_eq(simulated_beam_init(&beam, &settings, random), 0);
    run(&beam, 1.9);
    const size_t before = beam.mode[0].reversals;
    run(&beam, 2.05);
    ck_assert_uint_gt(before, 60);
    ck_assert_uint_lt(beam.mode[0].reversals, 20);
    simulated_beam_clear(&beam);
    simulated_random_destroy(random);
}
END_TEST

START_TEST(a_beam_without_a_joint_is_linear)
{
    struct simulated_beam_settings settings = settings_of(0, 0.01);
    settings.every_s = 10;
    struct simulated_random *random = simulated_random_create(1, 0);
    struct simulated_beam beam;
    ck_assert_int_eq(simulated_beam_init(&beam, &settings, random), 0);
    const double omega = 2 * M_PI * 50, damped = omega * sqrt(1 - 1e-4), cycles_s = 20 * 2 * M_PI / damped;
    run(&beam, 0.999);
    ck_assert_double_eq(simulated_beam_acceleration(&beam, 1), 0);
    run(&beam, 1.01);
    const double q = beam.mode[0].q, a = simulated_beam_acceleration(&beam, 1);
    ck_assert_double_gt(fabs(a), 10);
    run(&beam, 1.01 + cycles_s);
    const double fall = exp(-0.01 * omega * cycles_s);
    ck_assert_double_eq_tol(beam.mode[0].q / q, fall, 1e-5);
    ck_assert_double_eq_tol(simulated_beam_acceleration(&beam, 1) / a, fall, 1e-5);
    ck_assert_double_eq_tol(simulated_beam_acceleration(&beam, 0.5) / simulated_beam_acceleration(&beam, 1), 0.33952,
                            1e-4); /* of a cantilever's first mode */
    simulated_beam_clear(&beam);
    simulated_random_destroy(random);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("simulated_beam");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, energy_goes_from_turn_to_turn);
    tcase_add_test(cases, larger_motion_closes_loops);
    tcase_add_test(cases, a_beam_without_a_joint_is_linear);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
