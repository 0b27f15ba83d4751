/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driven contact of the simulated rig: its friction against closed forms and converged values, and its drives. */
#include "acquire/simulated_contact.h"
#include "run_suite.h"

#include <math.h>

/* Everything of size one, as the published values have it. */
static struct simulated_contact_settings contact_of(enum simulated_contact_shape shape)
{
    return (struct simulated_contact_settings){
        .shape = shape, .f_c_n = 1, .v_s_m_per_s = 10, .x_d_m = 1, .z_ba = 0.5, .n_bw = 2, .beta_bw = 0.5};
}

static struct simulated_drive_settings drive_of(enum simulated_drive_shape shape, double amplitude)
{
    return (struct simulated_drive_settings){.shape = shape,
                                             .amplitude_m = amplitude,
                                             .frequency_hz = 1,
                                             .dwell_s = 0.1,
                                             .decrease = 0.19,
                                             .step_factor = 2,
                                             .steps = 2,
                                             .step_cycles = 3};
}

/* Of the eleventh cycle, which is steady, by the trapezoid: its error falls with the square of so many samples. */
static double energy_of(const struct simulated_drive_settings *drive, const struct simulated_contact_settings *settings)
{
    enum { SAMPLES = 100000 };
    struct simulated_contact contact;
    simulated_contact_init(&contact, drive, settings);
    double force = simulated_contact_force(&contact, 10);
    double displacement = simulated_contact_displacement(&contact, 10);
    double energy = 0;
    for (int i = 1; i <= SAMPLES; i++) {
        const double time_s = 10 + (double)i / SAMPLES, before = force, there = displacement;
        force = simulated_contact_force(&contact, time_s);
        displacement = simulated_contact_displacement(&contact, time_s);
        energy += 0.5 * (force + before) * (displacement - there);
    }
    return energy;
}

START_TEST(energies_are_those_of_closed_forms)
{
    const struct simulated_drive_settings five = drive_of(SIMULATED_SINE, 5), one = drive_of(SIMULATED_TRIANGLE, 1);
    const struct simulated_contact_settings dahl = contact_of(SIMULATED_DAHL),
                                            bouc_wen = contact_of(SIMULATED_BOUC_WEN);
    const struct simulated_contact_settings rigid = contact_of(SIMULATED_RIGID);
    const struct simulated_drive_settings dwells = drive_of(SIMULATED_TRAPEZOID, 5);
    ck_assert_double_eq_tol(energy_of(&five, &dahl), 4 * (5 - tanh(5)), 1e-6);
    ck_assert_double_eq_tol(energy_of(&dwells, &dahl), 4 * (5 - tanh(5)), 1e-6);
    ck_assert_double_eq_tol(energy_of(&five, &rigid), 20, 1e-3);
    ck_assert_double_eq_tol(energy_of(&one, &bouc_wen), 0.463087836,
                            1e-4); /* not steady after two cycles, but nearly */
}
END_TEST

START_TEST(energies_with_a_dip_are_those_published)
{
    const struct simulated_drive_settings ten = drive_of(SIMULATED_SINE, 10), three = drive_of(SIMULATED_SINE, 3);
    struct simulated_contact_settings lugre = contact_of(SIMULATED_LUGRE);
    lugre.f_s_n = 1.5;
    lugre.sigma_1 = 0.005;
    lugre.sigma_2 = 0.002;
    struct simulated_contact_settings elastoplastic = lugre;
    elastoplastic.shape = SIMULATED_ELASTOPLASTIC;
    ck_assert_double_eq_tol(energy_of(&ten, &lugre), 40.28529, 1e-4);
    ck_assert_double_eq_tol(energy_of(&ten, &elastoplastic), 39.97135, 1e-4);
    const struct simulated_contact_settings plain = contact_of(SIMULATED_ELASTOPLASTIC);
    ck_assert_double_eq_tol(energy_of(&three, &plain), 7.768291, 1e-4);
}
END_TEST

/* Slip lengths of 0.5, 2 and more than the whole way: the last is a spring. */
static struct simulated_contact_settings elements_of(enum simulated_contact_shape shape, double attraction)
{
    struct simulated_contact_settings settings = contact_of(shape);
    settings.elements = 3;
    settings.attraction_n_per_s = attraction;
    const double lengths[] = {0.5, 2, 12}, forces[] = {0.5, 1.75, 0.25};
    for (size_t k = 0; k < settings.elements; k++) {
        settings.slip_length_m[k] = lengths[k];
        settings.slip_force_n[k] = forces[k];
    }
    return settings;
}

START_TEST(energies_of_elements_and_of_a_gap_are_those_of_closed_forms)
{
    const struct simulated_drive_settings five = drive_of(SIMULATED_SINE, 5);
    const struct simulated_contact_settings slip = elements_of(SIMULATED_MAXWELL_SLIP, 0);
    ck_assert_double_eq_tol(energy_of(&five, &slip), 4 * (0.5 * (5 - 0.5) + 1.75 * (5 - 2)), 1e-6);
    struct simulated_contact_settings gap = contact_of(SIMULATED_BACKLASH);
    gap.gap_m = 3;
    ck_assert_double_eq_tol(energy_of(&five, &gap), 2 * (10 - 2 - 3), 1e-6);
}
END_TEST

/* Of an element that slips all the way at a level that changes, dF/dt = C (1 - F/(F_C S)), by many small steps. */
START_TEST(what_slips_comes_to_its_force_at_its_rate)
{
    enum { STEPS = 200000 };
    const struct simulated_drive_settings five = drive_of(SIMULATED_SINE, 5);
    struct simulated_contact_settings gms = contact_of(SIMULATED_GMS);
    gms.elements = 1;
    gms.slip_length_m[0] = 0.01;
    gms.slip_force_n[0] = 2;
    gms.f_s_n = 3;
    gms.attraction_n_per_s = 3;
    struct simulated_contact contact;
    simulated_contact_init(&contact, &five, &gms);
    simulated_contact_force(&contact, 10.05); /* samples are closer than the slip length: it stuck, and slips by now */
    double force = simulated_contact_force(&contact, 10.1);
    const double end_s = 10.4, h = (end_s - 10.1) / STEPS;
    for (int i = 0; i < STEPS; i++) {
        const double v = 5 * 2 * M_PI * sin(2 * M_PI * (10.1 + (i + 0.5) * h));
        const double level = 1 + 0.5 * exp(-v * v / 100);
        force += h * 3 * (1 - force / (2 * level));
    }
    ck_assert_double_eq_tol(simulated_contact_force(&contact, end_s), force, 1e-5);
}
END_TEST

/* Behind the turn at 5 an element is a spring, though its level falls by a fifth to below what it holds. */
START_TEST(what_slipped_is_a_spring_behind_a_turn)
{
    const struct simulated_drive_settings five = drive_of(SIMULATED_SINE, 5);
    struct simulated_contact_settings gms = contact_of(SIMULATED_GMS);
    gms.elements = 1;
    gms.slip_length_m[0] = 2;
    gms.slip_force_n[0] = 2;
    gms.f_s_n = 3;
    gms.attraction_n_per_s = 1e9;
    struct simulated_contact contact;
    simulated_contact_init(&contact, &five, &gms);
    const double held = simulated_contact_force(&contact, 10.5);
    ck_assert_double_eq_tol(held, 3, 1e-3);
    for (double time_s = 10.51; time_s < 10.555; time_s += 0.01) {
        const double back = 5 * (1 + cos(2 * M_PI * time_s));
        ck_assert_double_eq_tol(simulated_contact_force(&contact, time_s), held - back, 1e-6);
    }
}
END_TEST

static double at(const struct simulated_drive_settings *drive, double time_s)
{
    const struct simulated_contact_settings settings = contact_of(SIMULATED_DAHL);
    struct simulated_contact contact;
    simulated_contact_init(&contact, drive, &settings);
    return simulated_contact_displacement(&contact, time_s);
}

START_TEST(each_drive_moves_as_it_is_called)
{
    const struct simulated_drive_settings trapezoid = drive_of(SIMULATED_TRAPEZOID, 1),
                                          steps = drive_of(SIMULATED_STEPS, 1);
    const struct simulated_drive_settings decreasing = drive_of(SIMULATED_DECREASING, 1),
                                          sine = drive_of(SIMULATED_SINE, 1);
    ck_assert_double_eq_tol(at(&sine, 0.25), 0, 1e-12);
    ck_assert_double_eq_tol(at(&trapezoid, 0.2), 0, 1e-12);
    ck_assert_double_eq_tol(at(&trapezoid, 0.45), 1, 1e-12);
    ck_assert_double_eq_tol(at(&decreasing, 1), -0.81, 1e-12);
    ck_assert_double_eq_tol(at(&steps, 2.5), 1, 1e-12);
    ck_assert_double_eq_tol(at(&steps, 3.25), 1, 1e-12); /* twice as fast from the fourth cycle on */
    ck_assert_double_eq_tol(at(&steps, 5), 1, 1e-12);    /* and slow again */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("simulated_drive");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, energies_are_those_of_closed_forms);
    tcase_add_test(cases, energies_with_a_dip_are_those_published);
    tcase_add_test(cases, energies_of_elements_and_of_a_gap_are_those_of_closed_forms);
    tcase_add_test(cases, what_slips_comes_to_its_force_at_its_rate);
    tcase_add_test(cases, what_slipped_is_a_spring_behind_a_turn);
    tcase_add_test(cases, each_drive_moves_as_it_is_called);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
