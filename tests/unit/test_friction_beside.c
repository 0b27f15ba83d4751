/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Terms in which the force is linear beside each shape: none of two may be worth it without the other. */
#include "driven_contact.h"
#include "friction_campaign.h"
#include "identify/loop/friction_climb.h"
#include "identify/loop/friction_ladder.h"
#include "run_suite.h"
#include "thinning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double f_c = 10, amplitude = 1e-3, offset = 2;

static struct friction_ladder ladder_of(const struct loop_signal *signal)
{
    struct friction_ladder ladder;
    ck_assert_int_eq(friction_ladder_identify(signal, NULL, &ladder), VERDICT_OK);
    return ladder;
}

static void assert_known(const struct friction_ladder *ladder, enum friction_parameter p, double truth, double share)
{
    const struct friction_figure *figure = &ladder->figure[p];
    ck_assert_msg(fabs(figure->value - truth) < 4 * figure->se && figure->se < share * fabs(truth),
                  "%s: %g(%g), not %g", friction_parameters[p].name, figure->value, figure->se, truth);
}

/* Coulomb friction that follows at once, a damper and a spring, in a motion that dies away and in one that does not. */
START_TEST(a_rigid_contact_has_a_damper_and_a_spring)
{
    enum { SAMPLES = 2400 };
    static double time[SAMPLES], x[SAMPLES], force[SAMPLES];
    const double omega = 2 * M_PI, rate = _i == 0 ? 0 : 0.25;
    unsigned seed = 5;
    for (size_t i = 0; i < SAMPLES; i++) {
        time[i] = (double)i / 400;
        const double phase = omega * time[i] + 0.3, size = amplitude * exp(-rate * time[i]);
        const double v = size * (omega * cos(phase) - rate * sin(phase));
        x[i] = size * sin(phase);
        force[i] = (v < 0 ? -f_c : f_c) + 318 * v + 600 * x[i] + 0.02 * f_c * driven_noise(&seed);
    }
    struct loop_signal signal = {.time_s = time, .displacement = x, .force = force, .count = SAMPLES};
    ck_assert_int_eq(loop_signal_look(&signal), 0);
    const struct friction_ladder ladder = ladder_of(&signal);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "rigid+viscous+spring");
    assert_known(&ladder, FRICTION_F_C, f_c, 0.01);
    assert_known(&ladder, FRICTION_SIGMA_2, 318, 0.03);
    assert_known(&ladder, FRICTION_K_X, 600, 0.04);
    ck_assert(!ladder.lacks_fit);
}
END_TEST

/* A dip of a contact that follows at once, with an exponent of 2, in noise of memory. */
static struct friction_ladder ladder_of_rigid_dip(unsigned seed, double v_s)
{
    enum { SAMPLES = 900 };
    static double time[SAMPLES], x[SAMPLES], force[SAMPLES];
    const double omega = 2 * M_PI, memory = 0.9;
    double noise = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        time[i] = (double)i / 150;
        const double phase = omega * time[i] + 1.4, third = 3 * omega * time[i] + 2.8;
        const double v = amplitude * omega * (cos(phase) + 1.2 * cos(third));
        noise = memory * noise + sqrt(1 - memory * memory) * 0.03 * f_c * driven_noise(&seed);
        x[i] = amplitude * (sin(phase) + 0.4 * sin(third));
        force[i] = (v < 0 ? -f_c : f_c) * (1 + 0.15 * exp(-pow(v / v_s, 2))) + noise;
    }
    struct loop_signal signal = {.time_s = time, .displacement = x, .force = force, .count = SAMPLES};
    ck_assert_int_eq(loop_signal_look(&signal), 0);
    return ladder_of(&signal);
}

/* Dahl's shape may have the other exponent: elements or elastic bristles stood in for the right one. */
START_TEST(a_rigid_contact_has_its_own_exponent)
{
    static const unsigned seeds[] = {4, 7, 11, 33};
    const double v_s = 0.38 * M_PI * amplitude;
    const struct friction_ladder ladder = ladder_of_rigid_dip(seeds[_i], v_s);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "rigid+stribeck");
    ck_assert(!ladder.tie);
    ck_assert_double_eq(ladder.stribeck_exponent, 2);
    assert_known(&ladder, FRICTION_F_C, f_c, 0.05);
    assert_known(&ladder, FRICTION_V_S, v_s, 0.2);
}
END_TEST

/* A model that does not estimate its exponent told, and predicted by, what another had estimated: 2.35, 1.77 and 1.95.
 */
START_TEST(an_exponent_is_estimated_or_it_is_whole)
{
    static const unsigned seeds[] = {2, 3, 5};
    const struct friction_ladder ladder = ladder_of_rigid_dip(seeds[_i], 0.38 * M_PI * amplitude);
    for (size_t r = 0; r < ladder.count; r++) {
        const struct friction_rung *rung = &ladder.rung[r];
        const unsigned terms = friction_rows[rung->row].terms;
        if (terms & FRICTION_BIT(FRICTION_STRIBECK) && !(terms & FRICTION_BIT(FRICTION_FREE_EXPONENT)))
            ck_assert_msg(rung->stribeck_exponent == 1 || rung->stribeck_exponent == 2, "%s: %g",
                          friction_row_name((size_t)rung->row), rung->stribeck_exponent);
    }
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "rigid+stribeck");
}
END_TEST

/* A damper, a spring, or both, and nothing that rubs: no Coulomb level is told but what it is below, which is a few
 * standard deviations of the mean force. */
static const struct {
    const char *model;
    double sigma_2, k_x, shrink;
    bool triangle;
} frictionless[] = {{"frictionless+viscous", 300, 0, 1, false},
                    {"frictionless+viscous", 300, 0, 0.5, false},
                    {"frictionless+spring", 0, 4000, 1, false},
                    {"frictionless+spring", 0, 4000, 1, true},
                    {"frictionless+viscous+spring", 300, 4000, 0.5, false}};

START_TEST(no_dry_friction_is_seen_where_there_is_none)
{
    const double force = frictionless[_i].sigma_2 * 2 * M_PI * amplitude + frictionless[_i].k_x * amplitude;
    const struct driven_contact contact = {.f_c = 0,
                                           .x_d = 1e-5,
                                           .exponent = 2,
                                           .sigma_2 = frictionless[_i].sigma_2,
                                           .k_x = frictionless[_i].k_x,
                                           .f_0 = 0.3 * force,
                                           .triangle = frictionless[_i].triangle,
                                           .amplitude = amplitude,
                                           .frequency = 1,
                                           .shrink = frictionless[_i].shrink,
                                           .cycles = 6,
                                           .samples_a_cycle = 400};
    struct driven_record record = driven_contact_record(&contact);
    unsigned seed = 31;
    for (size_t i = 0; i < record.signal.count; i++)
        record.room[2 * record.signal.count + i] += 0.01 * force * driven_noise(&seed);
    ck_assert_int_eq(loop_signal_look(&record.signal), 0);
    const struct friction_ladder ladder = ladder_of(&record.signal);
    const struct friction_figure *level = &ladder.figure[FRICTION_F_C];
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), frictionless[_i].model);
    ck_assert(isnan(level->value) && isnan(level->se) && level->low == 0);
    ck_assert_double_gt(level->high, 0);
    ck_assert_double_lt(level->high, 10 * 0.01 * force / sqrt((double)ladder.samples));
    ck_assert_ptr_nonnull(strstr(level->reason, "not seen"));
    if (contact.sigma_2 > 0)
        assert_known(&ladder, FRICTION_SIGMA_2, contact.sigma_2, 0.01);
    if (contact.k_x > 0)
        assert_known(&ladder, FRICTION_K_X, contact.k_x, 0.01);
    ck_assert(!ladder.lacks_fit);
    free(record.room);
}
END_TEST

/* A channel of the force that is late by a sample leaves the most just behind the turns, up and down within a few
 * samples: it is the same in every loop all the same. */
START_TEST(what_a_late_channel_leaves_repeats)
{
    const struct driven_contact contact = {.f_c = f_c,
                                           .x_d = amplitude / 12,
                                           .exponent = 2,
                                           .k_x = 200,
                                           .triangle = _i == 0,
                                           .amplitude = amplitude,
                                           .frequency = 1,
                                           .shrink = 1,
                                           .cycles = 6,
                                           .samples_a_cycle = 470};
    struct driven_record record = driven_contact_record(&contact);
    double *force = record.room + 2 * record.signal.count;
    unsigned seed = 41;
    for (size_t i = record.signal.count - 1; i > 0; i--)
        force[i] = force[i - 1] + 0.001 * f_c * driven_noise(&seed);
    ck_assert_int_eq(loop_signal_look(&record.signal), 0);
    const struct friction_ladder ladder = ladder_of(&record.signal);
    ck_assert_double_gt(ladder.rms, 2 * 0.001 * f_c);
    ck_assert(ladder.lacks_fit);
    free(record.room);
}
END_TEST

/* A spring and the inertia of a mass of which 0.4 of the spring's force at the end is taken: in a sine their difference
 * is told, for what it is; in one with another frequency both are. */
START_TEST(a_spring_and_a_mass_are_one_at_one_frequency)
{
    enum { SAMPLES = 2400 };
    static double time[SAMPLES], x[SAMPLES], force[SAMPLES];
    const double omega = 2 * M_PI, k_x = 6e4, mass = 0.4 * k_x / (omega * omega), second = _i == 0 ? 0 : 0.2;
    unsigned seed = 6;
    for (size_t i = 0; i < SAMPLES; i++) {
        const double phase = omega * (double)i / 400;
        const double v = cos(phase) + second * 3 * cos(3 * phase + 1);
        time[i] = (double)i / 400;
        x[i] = amplitude * (sin(phase) + second * sin(3 * phase + 1));
        force[i] = (v < 0 ? -f_c : f_c) + k_x * x[i] -
                   mass * amplitude * omega * omega * (sin(phase) + second * 9 * sin(3 * phase + 1)) +
                   0.02 * f_c * driven_noise(&seed);
    }
    struct loop_signal signal = {.time_s = time, .displacement = x, .force = force, .count = SAMPLES};
    ck_assert_int_eq(loop_signal_look(&signal), 0);
    const struct friction_ladder ladder = ladder_of(&signal);
    const struct friction_figure *spring = &ladder.figure[FRICTION_K_X];
    assert_known(&ladder, FRICTION_F_C, f_c, 0.01);
    assert_known(&ladder, FRICTION_K_X, _i == 0 ? 0.6 * k_x : k_x, 0.01);
    if (_i == 0) {
        ck_assert_ptr_nonnull(spring->reason);
        ck_assert_ptr_nonnull(strstr(spring->reason, "at one frequency"));
        return;
    }
    assert_known(&ladder, FRICTION_MOVED_MASS, mass, 0.01);
    ck_assert(!spring->reason && !ladder.figure[FRICTION_MOVED_MASS].reason);
}
END_TEST

/* Two elements beside a spring, or beside the inertia of a mass. */
static struct driven_record elements_with(double spring, double mass)
{
    static const double length[] = {2e-5, 2.5e-4}, slip_force[] = {6.5, 3.5};
    const struct driven_contact contact = {
        .f_c = f_c, .x_d = 1, .amplitude = amplitude, .frequency = 1, .shrink = 1, .cycles = 6, .samples_a_cycle = 400};
    struct driven_record record = driven_contact_record(&contact);
    const double *x = record.room + record.signal.count, omega = 2 * M_PI;
    double *force = record.room + 2 * record.signal.count, held[] = {0, 0};
    unsigned seed = 3;
    for (size_t i = 0; i < record.signal.count; i++) {
        force[i] = spring * x[i] - mass * omega * omega * x[i] + offset + 0.005 * f_c * driven_noise(&seed);
        for (int k = 0; k < 2; k++) {
            const double moved = held[k] + slip_force[k] / length[k] * (i > 0 ? x[i] - x[i - 1] : 0);
            held[k] = fmax(-slip_force[k], fmin(slip_force[k], moved));
            force[i] += held[k];
        }
    }
    ck_assert_int_eq(loop_signal_look(&record.signal), 0);
    return record;
}

START_TEST(elements_have_a_spring_or_a_mass)
{
    const bool spring = _i == 0;
    struct driven_record record = spring ? elements_with(3000, 0) : elements_with(0, 80);
    const struct friction_ladder ladder = ladder_of(&record.signal);
    free(record.room);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), spring ? "maxwell_slip+spring" : "maxwell_slip+mass");
    ck_assert_uint_eq(ladder.spectrum.count, 2);
    assert_known(&ladder, FRICTION_F_C, f_c, 0.01);
    assert_known(&ladder, FRICTION_F_0, offset, 0.01);
    assert_known(&ladder, spring ? FRICTION_K_X : FRICTION_MOVED_MASS, spring ? 3000 : 80, 0.02);
}
END_TEST

/* Friction along the path stands in for the spring where the shape is Dahl's. */
START_TEST(bouc_and_wen_s_contact_has_a_spring)
{
    struct friction_record record = friction_record_make(KIND_BOUC_WEN, 0, 40 + (unsigned)_i);
    const struct friction_truth *truth = &record.truth;
    const double *x = record.signal.displacement;
    double *force = record.room + 2 * record.signal.count, most = 0;
    for (size_t i = 0; i < record.signal.count; i++)
        most = fmax(most, fabs(x[i]));
    const double spring = 0.35 * truth->f_c / most;
    for (size_t i = 0; i < record.signal.count; i++)
        force[i] += spring * x[i];
    ck_assert_int_eq(loop_signal_look(&record.signal), 0);
    const struct friction_ladder ladder = ladder_of(&record.signal);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "bouc_wen+spring");
    assert_known(&ladder, FRICTION_K_X, spring, 0.1);
    assert_known(&ladder, FRICTION_F_C, truth->f_c, 0.05);
    assert_known(&ladder, FRICTION_N_BW, truth->shape.n_bw, 0.5);
    friction_record_clear(&record);
}
END_TEST

/* What the shape leaves without the path it takes for its sharpness and share, and from there no way leads back. */
START_TEST(bouc_and_wen_s_contact_has_a_level_along_the_path)
{
    struct friction_record record = friction_record_make(KIND_BOUC_WEN, 0, 40 + (unsigned)_i);
    const struct friction_truth *truth = &record.truth;
    const double *x = record.signal.displacement;
    double *force = record.room + 2 * record.signal.count, most = 0;
    for (size_t i = 0; i < record.signal.count; i++)
        most = fmax(most, fabs(x[i]));
    for (size_t i = 0; i < record.signal.count; i++)
        force[i] = truth->f_0 + (force[i] - truth->f_0) * (1 - 0.3 * x[i] / most);
    ck_assert_int_eq(loop_signal_look(&record.signal), 0);
    const struct friction_ladder ladder = ladder_of(&record.signal);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "bouc_wen+path");
    assert_known(&ladder, FRICTION_PATH_SLOPE, -0.3 * truth->f_c / most, 0.1);
    assert_known(&ladder, FRICTION_N_BW, truth->shape.n_bw, 0.5);
    friction_record_clear(&record);
}
END_TEST

/* Where noise hardly changes from sample to sample, least squares leave a model's figures away from those that are
 * likeliest: models that are compared there, and not where each is likeliest, lose to others (all five of these did).
 */
START_TEST(slow_noise_hides_no_elastoplastic_contact)
{
    static const unsigned seeds[] = {12, 22, 50, 51, 53};
    struct friction_record record = friction_record_make(KIND_ELASTOPLASTIC, 0.9, seeds[_i]);
    const struct friction_ladder ladder = ladder_of(&record.signal);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), friction_row_name((size_t)record.truth.row));
    friction_record_clear(&record);
}
END_TEST

/* Without the damping of the bristles the elastic part seems nearly as long as x_d, and from there it runs into its
 * bound: a fit that stays there leaves 8 % more. */
START_TEST(an_elastic_part_that_runs_into_its_bound_is_looked_for_within)
{
    struct friction_record record = friction_record_make(KIND_ELASTOPLASTIC, 0.9, 8029);
    struct friction_tally tally = {.records = 0};
    friction_record_judge(&record, &tally);
    friction_record_clear(&record);
    ck_assert_uint_eq(tally.unanswered, 0);
    ck_assert_uint_eq(tally.missed, 0);
    /* It is chosen, and elements are not. */
    ck_assert_uint_gt(tally.all.estimates, 0);
}
END_TEST

/* A dip whose velocity runs beyond all speeds is looked for within, and behind whatever led to the fit the other
 * exponent is tried: without, 0.7 % and 1e-5 more were left. */
START_TEST(a_dip_is_looked_for_within_the_speeds_and_with_both_exponents)
{
    static const unsigned seeds[] = {8093, 8048};
    struct friction_record record = friction_record_make(KIND_ELASTOPLASTIC, 0.9, seeds[_i]);
    struct friction_tally tally = {.records = 0};
    friction_record_judge(&record, &tally);
    friction_record_clear(&record);
    ck_assert_uint_eq(tally.unanswered, 0);
    ck_assert_uint_eq(tally.missed, 0);
}
END_TEST

/* The last place is one, and there is none behind it. */
START_TEST(a_full_climb_takes_no_probe)
{
    struct friction_climb climb = {.count = FRICTION_RUNGS - 1};
    const struct friction_probe probe = {.row = 3};
    climb.fit = calloc(FRICTION_RUNGS, sizeof *climb.fit);
    ck_assert_ptr_nonnull(climb.fit);
    size_t rung = 0;
    for (size_t k = 0; k < climb.count; k++)
        climb.row[k] = FRICTION_ROWS + k;
    ck_assert(friction_climb_take(&climb, &probe, &rung));
    ck_assert_uint_eq(rung, FRICTION_RUNGS - 1);
    ck_assert_uint_eq(climb.row[FRICTION_RUNGS - 1], 3);
    ck_assert(!friction_climb_take(&climb, &(struct friction_probe){.row = 4}, &rung));
    ck_assert_uint_eq(climb.count, FRICTION_RUNGS);
    free(climb.fit);
}
END_TEST

static size_t rung_of(const struct friction_climb *climb, const char *name)
{
    size_t rung = 0;
    while (rung < climb->count && strcmp(friction_row_name(climb->row[rung]), name) != 0)
        rung++;
    ck_assert_uint_lt(rung, climb->count);
    return rung;
}

/* A model that ended beside its optimum, as where rounding decides, is found from one with a term more. */
START_TEST(a_rung_that_ended_elsewhere_is_replaced)
{
    struct friction_record record = friction_record_make(KIND_DAHL, 0, 1);
    struct friction_climb climb;
    struct friction_probe probe;
    ck_assert_int_eq(friction_climb_make(&record.signal, NULL, &climb), 0);
    ck_assert_int_eq(friction_climb_base(&record.signal, &climb), 0);
    const size_t plain = rung_of(&climb, "dahl"), full = rung_of(&climb, "dahl+viscous"), count = climb.count;
    const double best = climb.fit[plain].squares;
    climb.fit[plain].point.value[COLUMN_X_D] *= 3;
    friction_fit_linear(&climb.motions.all, &climb.fit[plain].point, &climb.fit[plain]);
    ck_assert_double_gt(climb.fit[plain].squares, 1.01 * best);
    ck_assert(friction_climb_to(&climb, full, 0, &probe));
    size_t rung = count;
    ck_assert(friction_climb_take(&climb, &probe, &rung));
    ck_assert_uint_eq(rung, plain);
    ck_assert_uint_eq(climb.count, count);
    ck_assert_double_le(climb.fit[plain].squares, (1 + 1e-6) * best);
    friction_climb_clear(&climb);
    friction_record_clear(&record);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("friction_beside");
    TCase *tests = tcase_create("friction_beside");
    tcase_set_timeout(tests, 60);
    seed_of_run();
    tcase_add_loop_test(tests, no_dry_friction_is_seen_where_there_is_none, 0,
                        (int)(sizeof frictionless / sizeof *frictionless));
    tcase_add_loop_test(tests, a_rigid_contact_has_a_damper_and_a_spring, 0, 2);
    tcase_add_loop_test(tests, a_rigid_contact_has_its_own_exponent, 0, 4);
    tcase_add_loop_test(tests, an_exponent_is_estimated_or_it_is_whole, 0, 3);
    tcase_add_loop_test(tests, what_a_late_channel_leaves_repeats, 0, 2);
    tcase_add_loop_test(tests, a_spring_and_a_mass_are_one_at_one_frequency, 0, 2);
    tcase_add_loop_test(tests, elements_have_a_spring_or_a_mass, 0, 2);
    add_thinned_loop_test(tests, bouc_and_wen_s_contact_has_a_spring, 4);
    add_thinned_loop_test(tests, bouc_and_wen_s_contact_has_a_level_along_the_path, 10);
    add_thinned_loop_test(tests, slow_noise_hides_no_elastoplastic_contact, 5);
    tcase_add_test(tests, an_elastic_part_that_runs_into_its_bound_is_looked_for_within);
    tcase_add_loop_test(tests, a_dip_is_looked_for_within_the_speeds_and_with_both_exponents, 0, 2);
    tcase_add_test(tests, a_full_climb_takes_no_probe);
    tcase_add_test(tests, a_rung_that_ended_elsewhere_is_replaced);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
