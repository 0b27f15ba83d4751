/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands between a driven contact and what its channels tell: signs, delays, a moving mass, a path that bends; and
 * what their uncertainties and those of the gains make of the figures. All against closed forms of a spring with
 * viscous damping. */
#include "identify/loop/contact_correction.h"
#include "identify/loop/loop.h"
#include "identify/loop/loop_signal.h"
#include "identify/loop/loop_stribeck.h"
#include "identify/loop/loop_uncertainty.h"
#include "run_suite.h"

#include <errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SAMPLES = 200, LOOPS = 12, COUNT = SAMPLES * LOOPS };

static const double amplitude = 2e-3, stiffness = 3000, damping = 40, frequency = 2;

/* How the channels tell of it. */
struct instruments {
    double sign, late_s, mass, path; /* path 0: it does not bend */
    double normal_late_s;
    double noise; /* of the displacement, of the amplitude */
};

struct told {
    double displacement[COUNT], force[COUNT], time_s[COUNT], normal[COUNT];
};

static double omega(void)
{
    return 2 * M_PI * frequency;
}

static double force_at(double time_s)
{
    const double phase = omega() * time_s + 0.01;
    return -amplitude * (stiffness * cos(phase) - damping * omega() * sin(phase));
}

static struct told *tell(const struct instruments *instruments)
{
    struct told *told = calloc(1, sizeof *told);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus);
    ck_assert(told && random);
    for (size_t i = 0; i < COUNT; i++) {
        const double time_s = (double)i / SAMPLES / frequency, then_s = time_s - instruments->late_s;
        const double inertia = instruments->mass * amplitude * omega() * omega() * cos(omega() * then_s + 0.01);
        told->time_s[i] = time_s;
        told->displacement[i] = -amplitude * cos(omega() * time_s + 0.01) +
                                gsl_ran_gaussian(random, instruments->noise * amplitude) +
                                (instruments->path > 0 ? force_at(time_s) / instruments->path : 0);
        told->force[i] = instruments->sign * (force_at(then_s) + inertia);
        told->normal[i] = 100 + 20 * sin(omega() * (time_s - instruments->normal_late_s) + 0.01);
    }
    gsl_rng_free(random);
    return told;
}

static struct loop_findings *look(const struct instruments *instruments, const struct physical_settings *physical)
{
    const struct identify_settings settings = {.physical = *physical};
    struct told *told = tell(instruments);
    const double *const columns[] = {told->displacement, told->force, told->time_s, told->normal};
    struct record_trace traces[4];
    for (int i = 0; i < 4; i++)
        traces[i] = (struct record_trace){.values = columns[i], .count = COUNT, .stride = 1};
    const struct record record = {traces, 4, NULL};
    struct loop_findings *findings = malloc(sizeof *findings);
    ck_assert_ptr_nonnull(findings);
    analyse_loop(&record, VERDICT_OK, &settings, findings);
    free(told);
    return findings;
}

static double energy(void)
{
    return M_PI * damping * omega() * amplitude * amplitude;
}

static void assert_contact(const struct loop_findings *found, double within)
{
    ck_assert_int_eq(found->verdict, VERDICT_OK);
    ck_assert_double_eq_tol(found->figure[LOOP_ENERGY].value / energy(), 1, within);
    ck_assert_double_eq_tol(found->figure[LOOP_K_SEC].value / stiffness, 1, within);
    ck_assert_double_eq_tol(found->figure[LOOP_C_EQ].value / damping, 1, within);
    ck_assert_double_eq_tol(found->figure[LOOP_STROKE].value / (2 * amplitude), 1, within);
}

/* Each is taken out by its key, and spoils the figures without. */
START_TEST(what_instruments_do_is_taken_out)
{
    static const struct {
        struct instruments instruments;
        struct contact_settings known;
    } cases[] = {
        {{.sign = -1}, {.force_sign = -1}},
        {{.sign = 1, .late_s = 3.3e-3}, {.force_delay_s = 3.3e-3}},
        {{.sign = 1, .late_s = -3.3e-3}, {.force_delay_s = -3.3e-3}},
        {{.sign = 1, .mass = 5}, {.moving_mass_kg = 5}},
        {{.sign = 1, .path = 2e4}, {.path_stiffness_n_per_m = 2e4}},
        {{.sign = -1, .late_s = 1e-3, .mass = 5}, {.force_sign = -1, .force_delay_s = 1e-3, .moving_mass_kg = 5}},
    };
    struct physical_settings physical = physical_default_settings();
    struct loop_findings *found = look(&cases[_i].instruments, &physical);
    const bool spoiled = found->verdict != VERDICT_OK || fabs(found->figure[LOOP_ENERGY].value / energy() - 1) > 0.01 ||
                         fabs(found->figure[LOOP_K_SEC].value / stiffness - 1) > 0.01;
    ck_assert(spoiled);
    free(found);
    physical.contact = cases[_i].known;
    found = look(&cases[_i].instruments, &physical);
    assert_contact(found, 2e-4);
    free(found);
}
END_TEST

/* Of a noisy displacement, too, the inertia comes out whole. */
START_TEST(inertia_of_a_noisy_displacement_is_not_biased)
{
    const struct instruments instruments = {.sign = 1, .mass = 5, .noise = 0.01};
    struct physical_settings physical = physical_default_settings();
    physical.contact.moving_mass_kg = 5;
    struct loop_findings *found = look(&instruments, &physical);
    const double inertia = 5 * omega() * omega();
    ck_assert_double_lt(fabs(found->figure[LOOP_K_SEC].value - stiffness), 0.03 * inertia);
    free(found);
}
END_TEST

/* By the normal force at the time of the motion. */
START_TEST(a_late_normal_force_is_brought_back)
{
    const struct instruments in_time = {.sign = 1}, late = {.sign = 1, .normal_late_s = 0.05};
    struct physical_settings physical = physical_default_settings();
    struct loop_findings *right = look(&in_time, &physical), *wrong = look(&late, &physical);
    physical.contact.normal_delay_s = 0.05;
    physical.contact.u_normal_delay_s = 0.01;
    struct loop_findings *mended = look(&late, &physical);
    const double mu = right->figure[LOOP_MU_FORWARD].value;
    ck_assert_double_gt(fabs(wrong->figure[LOOP_MU_FORWARD].value - mu), 0.01 * mu);
    ck_assert_double_eq_tol(mended->figure[LOOP_MU_FORWARD].value, mu, 1e-3 * mu);
    ck_assert_double_gt(mended->figure[LOOP_MU_FORWARD].combined.u, 1e-3 * mu);
    free(right);
    free(wrong);
    free(mended);
}
END_TEST

/* Each uncertainty is in the figures as the closed form has it. */
START_TEST(uncertainties_of_the_instruments_are_in_the_figures)
{
    static const double a = amplitude, k = stiffness, c = damping;
    const double w = omega(), e = energy();
    const struct {
        struct contact_settings known;
        double gain_percent;
        enum loop_figure figure;
        double u;
    } cases[] = {
        {{.u_force_delay_s = 1e-4}, 0, LOOP_ENERGY, M_PI * a * a * k * w * 1e-4},
        {{.u_force_delay_s = 1e-4}, 0, LOOP_K_SEC, c * w * w * 1e-4},
        {{.u_force_delay_s = 1e-4}, 0, LOOP_C_EQ, k * 1e-4},
        /* A path that bends lays the reversals elsewhere by a force of another time: F' there is c x''. */
        {{.path_stiffness_n_per_m = 1e6, .u_force_delay_s = 3e-4}, 0, LOOP_STROKE, 2 * c * a * w * w * 3e-4 / 1e6},
        {{.path_stiffness_n_per_m = 1e6, .u_moving_mass_kg = 0.1}, 0, LOOP_STROKE, 2 * 0.1 * a * w * w / 1e6},
        {{.u_moving_mass_kg = 0.1}, 0, LOOP_K_SEC, 0.1 * w * w},
        {{.path_stiffness_n_per_m = 1e9, .u_path_stiffness_n_per_m = 1e9 * 1e9 * 1e-6},
         0,
         LOOP_STROKE,
         2 * a * k * 1e-6},
        {{.u_force_gain_percent = 1}, 0, LOOP_ENERGY, 0.01 * e},
        {{.u_force_gain_percent = 1}, 0.5, LOOP_ENERGY, hypot(0.01, 0.005) * e},
        {{.u_force_gain_percent = 1}, 0.5, LOOP_C_EQ, hypot(0.01, 0.005) * c},
        {{.u_force_gain_percent = 1}, 0.5, LOOP_LOSS_FACTOR, 0},
        {{.u_force_gain_percent = 1}, 0.5, LOOP_STROKE, 0.005 * 2 * a},
    };
    const struct instruments plain = {.sign = 1};
    struct physical_settings physical = physical_default_settings();
    physical.contact = cases[_i].known;
    physical.u_gain_percent = cases[_i].gain_percent;
    struct loop_findings *found = look(&plain, &physical);
    const struct estimate *figure = &found->figure[cases[_i].figure];
    ck_assert(figure->combined.known);
    ck_assert_double_eq_tol(figure->combined.u, hypot(cases[_i].u, figure->se), 0.01 * cases[_i].u + 1e-9);
    /* The run has what the record has. */
    ck_assert_double_eq(found->run[0].figure[cases[_i].figure].combined.u, figure->combined.u);
    free(found);
}
END_TEST

/* Friction coefficients have the gains of both forces in them. */
START_TEST(a_friction_coefficient_has_two_gains)
{
    const struct instruments plain = {.sign = 1};
    struct physical_settings physical = physical_default_settings();
    physical.contact.u_force_gain_percent = 3;
    physical.contact.u_normal_gain_percent = 4;
    struct loop_findings *found = look(&plain, &physical);
    const struct estimate *mu = &found->figure[LOOP_MU_BACKWARD];
    ck_assert_double_lt(mu->value, 0);
    ck_assert_double_eq_tol(mu->combined.u, hypot(0.05 * mu->value, mu->se), 1e-6);
    /* A figure below 0 has its interval on both sides. */
    ck_assert_double_lt(mu->combined.low, mu->value - 1.9 * mu->combined.u);
    ck_assert_double_gt(mu->combined.high, mu->value + 1.9 * mu->combined.u);
    free(found);
}
END_TEST

START_TEST(a_damping_ratio_wants_mass_and_stiffness)
{
    const struct instruments plain = {.sign = 1};
    struct physical_settings physical = physical_default_settings();
    struct loop_findings *found = look(&plain, &physical);
    ck_assert(isnan(found->zeta.value));
    free(found);
    physical.mass_kg = 2;
    physical.stiffness_n_per_m = 800;
    physical.u_mass_kg = 0.1;
    found = look(&plain, &physical);
    ck_assert_double_eq_tol(found->zeta.value, damping / (2 * sqrt(2 * 800)), 1e-4);
    ck_assert_double_eq_tol(found->zeta.combined.u / found->zeta.value, 0.025, 1e-3);
    free(found);
}
END_TEST

/* u(sigma_1) contains sigma_0 u(delay). */
START_TEST(parameters_of_models_have_them_too)
{
    struct physical_settings physical = physical_default_settings();
    struct friction_ladder *ladder = calloc(1, sizeof *ladder);
    ck_assert_ptr_nonnull(ladder);
    friction_ladder_not_made(ladder, VERDICT_OK);
    ladder->figure[FRICTION_F_C] = (struct friction_figure){.value = 2, .se = 0.01};
    ladder->figure[FRICTION_SIGMA_0] = (struct friction_figure){.value = 2e4, .se = 100};
    ladder->figure[FRICTION_SIGMA_1] = (struct friction_figure){.value = 30, .se = 1};
    physical.contact.u_force_delay_s = 1e-4;
    physical.contact.u_force_gain_percent = 1;
    physical.u_gain_percent = 0.5;
    friction_ladder_combine(&physical, ladder);
    ck_assert_double_eq_tol(ladder->figure[FRICTION_F_C].u, hypot(0.01, 0.02), 1e-12);
    ck_assert_double_eq_tol(ladder->figure[FRICTION_SIGMA_0].u, hypot(100, 2e4 * hypot(0.01, 0.005)), 1e-9);
    ck_assert_double_eq_tol(ladder->figure[FRICTION_SIGMA_1].u, hypot(hypot(1, 2), 30 * hypot(0.01, 0.005)), 1e-9);
    ck_assert(isnan(ladder->figure[FRICTION_V_S].u));
    physical.contact = (struct contact_settings){.path_stiffness_n_per_m = 1e6, .u_path_stiffness_n_per_m = 1e5};
    physical.u_gain_percent = NAN;
    friction_ladder_combine(&physical, ladder);
    ck_assert_double_eq_tol(ladder->figure[FRICTION_SIGMA_0].u, hypot(100, 4e8 * 1e5 / 1e12), 1e-9);
    free(ladder);
}
END_TEST

START_TEST(a_delay_longer_than_the_record_is_told)
{
    const struct instruments plain = {.sign = 1};
    struct physical_settings physical = physical_default_settings();
    physical.contact.force_delay_s = 50;
    struct loop_findings *found = look(&plain, &physical);
    ck_assert_int_eq(found->verdict, VERDICT_TOO_FEW_SAMPLES);
    free(found);
}
END_TEST

/* Friction over speed that is known at every speed, one way and the other, comes out point by point: also its dip, in
 * which a motion is that is slow between the middle of a stroke and its end. */
START_TEST(what_slides_makes_a_curve)
{
    static const double f_c = 2, dip = 1, v_s = 0.012, viscous = 10, offset = 0.2, third = 0.25;
    const struct instruments plain = {.sign = 1, .noise = 2e-4};
    struct identify_settings settings = {.physical = physical_default_settings()};
    settings.physical.contact.u_force_gain_percent = 30;
    settings.physical.u_gain_percent = 40;
    struct told *told = tell(&plain);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus);
    ck_assert_ptr_nonnull(random);
    for (size_t i = 0; i < COUNT; i++) {
        const double phase = omega() * told->time_s[i] + 0.01;
        const double v = amplitude * omega() * (sin(phase) + 3 * third * sin(3 * phase - 1.5));
        told->displacement[i] = -amplitude * (cos(phase) + third * cos(3 * phase - 1.5));
        told->force[i] =
            copysign(f_c + dip * exp(-v * v / (v_s * v_s)), v) + viscous * v + offset + gsl_ran_gaussian(random, 0.01);
    }
    const double *const columns[] = {told->displacement, told->force, told->time_s};
    struct record_trace traces[3];
    for (int i = 0; i < 3; i++)
        traces[i] = (struct record_trace){.values = columns[i], .count = COUNT, .stride = 1};
    const struct record record = {traces, 3, NULL};
    struct loop_findings *findings = malloc(sizeof *findings);
    ck_assert_ptr_nonnull(findings);
    analyse_loop(&record, VERDICT_OK, &settings, findings);
    const struct speed_curve *curve = &findings->stribeck;
    ck_assert_int_eq(curve->verdict, VERDICT_OK);
    ck_assert_uint_ge(curve->listed, 8);
    for (size_t i = 0; i < curve->listed; i++) {
        const double v = curve->point[i].speed;
        const double truth = copysign(f_c + dip * exp(-v * v / (v_s * v_s)), v) + viscous * v + offset;
        ck_assert_double_eq_tol(curve->point[i].force, truth, 0.01);
    }
    ck_assert_int_eq(curve->both.stribeck, CURVE_DIP_FOUND);
    ck_assert_double_lt(fabs(curve->both.v_s.value - v_s), 4 * curve->both.v_s.se);
    ck_assert_double_lt(fabs(curve->both.f_0.value - offset), 4 * curve->both.f_0.se);
    const struct estimate *level = &curve->way[0].f_c, *speed = &curve->both.v_s;
    ck_assert_double_eq_tol(level->combined.u, hypot(level->se, 0.3 * level->value), 1e-9);
    ck_assert_double_eq_tol(speed->combined.u, hypot(speed->se, 0.4 * speed->value), 1e-9);
    ck_assert_double_eq_tol(curve->both.sigma_2.combined.u,
                            hypot(curve->both.sigma_2.se, 0.5 * curve->both.sigma_2.value), 1e-9);
    free(findings);
    gsl_rng_free(random);
    free(told);
}
END_TEST

/* Its arrays stay those of `told`. */
static struct loop_signal looked_at(const struct told *told)
{
    struct loop_signal signal = {
        .time_s = told->time_s, .displacement = told->displacement, .force = told->force, .count = COUNT};
    ck_assert_int_eq(loop_signal_look(&signal), 0);
    return signal;
}

/* Of a mass and of a path that are known, friction over speed is free. */
START_TEST(what_is_known_beside_is_no_friction_over_speed)
{
    static const double f_c = 2, viscous = 10, mass = 20, slope = 300, curvature = 2e5, middle = 5e-4;
    const struct instruments plain = {.sign = 1, .noise = 2e-4};
    struct told *told = tell(&plain);
    struct loop_reversals reversals = {NULL, 0, 0};
    struct speed_curve *curve = malloc(sizeof *curve);
    ck_assert_ptr_nonnull(curve);
    for (size_t i = 0; i < COUNT; i++) {
        const double phase = omega() * told->time_s[i] + 0.01, v = amplitude * omega() * sin(phase);
        const double way = -amplitude * cos(phase) - middle;
        told->force[i] = copysign(f_c + way * (slope + curvature * way), v) + viscous * v +
                         mass * amplitude * omega() * omega() * cos(phase);
    }
    const struct loop_signal signal = looked_at(told);
    ck_assert_int_eq(loop_reversals_of(&signal, &reversals), 0);
    const struct sliding sliding = {.signal = &signal,
                                    .reversals = &reversals,
                                    .to_s = told->time_s[COUNT - 1],
                                    .presliding = 1e-5,
                                    .mass = mass,
                                    .path_slope = slope,
                                    .path_curvature = curvature,
                                    .path_middle = middle};
    loop_stribeck(&sliding, curve);
    ck_assert_uint_ge(curve->listed, 8);
    for (size_t i = 0; i < curve->listed; i++) {
        const double v = curve->point[i].speed;
        ck_assert_double_eq_tol(curve->point[i].force, copysign(f_c, v) + viscous * v, 0.02);
    }
    free(curve);
    loop_reversals_clear(&reversals);
    free(told);
}
END_TEST

/* Two thirds of a sine's stroke slide, at 0.75 to 1 of its largest speed: that is a narrow range, in which friction
 * falls by a tenth. */
START_TEST(few_speeds_make_a_curve)
{
    static const double f_c = 2, dip = 1, share = 1.0 / 6;
    const struct instruments plain = {.sign = 1, .noise = 2e-4};
    const double v_s = 0.7 * amplitude * omega();
    struct told *told = tell(&plain);
    struct loop_reversals reversals = {NULL, 0, 0};
    struct speed_curve curve;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus);
    for (size_t i = 0; i < COUNT; i++) {
        const double v = amplitude * omega() * sin(omega() * told->time_s[i] + 0.01);
        told->force[i] = copysign(f_c + dip * exp(-pow(v / v_s, 2)), v) + gsl_ran_gaussian(random, 0.01);
    }
    const struct loop_signal signal = looked_at(told);
    ck_assert_int_eq(loop_reversals_of(&signal, &reversals), 0);
    const struct sliding sliding = {.signal = &signal,
                                    .reversals = &reversals,
                                    .to_s = told->time_s[COUNT - 1],
                                    .presliding = share * 2 * amplitude / SLIDING_LENGTHS};
    loop_stribeck(&sliding, &curve);
    ck_assert_int_eq(curve.verdict, VERDICT_OK);
    ck_assert_uint_ge(curve.listed, 16);
    for (size_t i = 0; i < curve.listed; i++) {
        const double v = curve.point[i].speed, truth = copysign(f_c + dip * exp(-pow(v / v_s, 2)), v);
        ck_assert_double_lt(fabs(curve.point[i].model - truth), 4 * curve.point[i].u_model);
        ck_assert_double_lt(curve.point[i].u_model, 0.01);
    }
    loop_reversals_clear(&reversals);
    gsl_rng_free(random);
    free(told);
}
END_TEST

/* On a stroke that is shorter than twice the way on which friction is built up no sample slides, though the contact
 * does, whether that way is just more than half of the stroke, most of it, or more than all. */
START_TEST(a_stroke_too_short_to_slide_is_told)
{
    static const double share[] = {0.55, 0.8, 1.2};
    const struct instruments plain = {.sign = 1, .noise = 2e-4};
    struct told *told = tell(&plain);
    struct loop_reversals reversals = {NULL, 0, 0};
    struct speed_curve curve;
    const struct loop_signal signal = looked_at(told);
    ck_assert_int_eq(loop_reversals_of(&signal, &reversals), 0);
    const struct sliding sliding = {.signal = &signal,
                                    .reversals = &reversals,
                                    .to_s = told->time_s[COUNT - 1],
                                    .presliding = share[_i] * 2 * amplitude / SLIDING_LENGTHS};
    loop_stribeck(&sliding, &curve);
    ck_assert_int_eq(curve.verdict, VERDICT_TOO_FEW_SLIDING);
    ck_assert_uint_eq(curve.listed, 0);
    loop_reversals_clear(&reversals);
    free(told);
}
END_TEST

/* Behind the correction the noise of the force is that of what is left of it. */
START_TEST(inertia_brings_noise_with_it)
{
    const struct instruments instruments = {.sign = 1, .mass = 5, .noise = 0.02};
    const struct contact_settings contact = {.moving_mass_kg = 5};
    struct told *told = tell(&instruments);
    struct loop_signal signal = looked_at(told);
    struct contact_correction correction;
    double squares = 0;
    ck_assert_int_eq(contact_correct(&contact, &contact, &signal, NULL, &correction), 0);
    for (size_t i = SAMPLES; i < COUNT - SAMPLES; i++)
        squares += pow(correction.signal.force[i] - force_at(told->time_s[i]), 2);
    const double left = sqrt(squares / (COUNT - 2 * SAMPLES));
    ck_assert_double_gt(left, 10 * signal.noise_force);
    ck_assert_double_eq_tol(correction.signal.noise_force / left, 1, 0.25);
    contact_correction_clear(&correction);
    free(told);
}
END_TEST

/* A long record is left as soon as nobody waits for it any more: by what is shifted, and by what has inertia. */
START_TEST(a_correction_is_cancelled)
{
    const struct instruments instruments = {.sign = 1, .mass = 5, .noise = 0.02};
    const struct contact_settings rows[] = {{.moving_mass_kg = 5}, {.force_delay_s = 1e-3}};
    const atomic_bool cancelled = true, awaited = false;
    struct told *told = tell(&instruments);
    struct loop_signal signal = looked_at(told);
    struct contact_correction correction;
    ck_assert_int_eq(contact_correct(&rows[_i], &rows[_i], &signal, &cancelled, &correction), -ECANCELED);
    contact_correction_clear(&correction);
    ck_assert_int_eq(contact_correct(&rows[_i], &rows[_i], &signal, &awaited, &correction), 0);
    contact_correction_clear(&correction);
    free(told);
}
END_TEST

/* A stepper motor rests between its steps, and so evenly that its neighbours tell each sample: the rounding of a scale
 * is seen by its steps. Where nothing rounds, the motor's own are none of these. */
START_TEST(a_scale_rounds_an_even_motion)
{
    static struct told told;
    const double motor = 1.3e-7, scale = _i == 0 ? 1e-7 : 0;
    double way = motor, at = 0;
    for (size_t i = 0; i < COUNT; i++) {
        if (i > 0 && i % SAMPLES == 0)
            way = -way;
        at += i % 2 == 0 ? way : 0;
        told.time_s[i] = (double)i * 5e-3;
        told.displacement[i] = scale > 0 ? scale * rint(at / scale) : at;
        told.force[i] = way;
    }
    struct loop_signal signal = {
        .time_s = told.time_s, .displacement = told.displacement, .force = told.force, .count = COUNT};
    ck_assert_int_eq(loop_signal_look(&signal), 0);
    ck_assert_double_eq_tol(signal.rounding, scale / sqrt(12), 1e-6 * motor);
}
END_TEST

/* To and fro by so many steps a sample, on ways of so many samples, with turns half a sample apart. */
static const struct {
    double steps, converter;
    size_t samples;
    bool rounded;
} even_motions[] = {{3.03, 1, 1000, true},  {2.97, 1, 1000, true}, {3.5, 1, 1000, true},
                    {1.3, 1, 50, true},     {0.3, 1, 1000, true},  {0.03, 1, 2000, true},
                    {2, 1e-3, 1000, false}, {2, 1e-3, 8, false},   {2, 1e-3, 5, false}};

START_TEST(an_encoder_is_told_from_an_even_motion)
{
    enum { EVEN = 100000 };
    const double whole = (double)even_motions[_i].samples, step = even_motions[_i].converter;
    double *at = calloc(EVEN, sizeof *at);
    ck_assert_ptr_nonnull(at);
    for (size_t i = 0; i < EVEN; i++) {
        const double phase = fmod((double)i, 2 * whole + 1), gone = fmin(phase, 2 * whole + 1 - phase);
        at[i] = step * rint(even_motions[_i].steps * gone / step);
    }
    ck_assert(loop_comes_in_steps(at, EVEN, 1) == even_motions[_i].rounded);
    free(at);
}
END_TEST

/* Of a fine encoder at 20 samples a cycle neighbours are 12 steps from each other and more; those of different cycles
 * tell the step. */
START_TEST(a_step_is_seen_though_neighbours_are_far_from_each_other)
{
    enum { CYCLES = 20, CYCLE = 20, FINE = CYCLES * CYCLE };
    double at[FINE], nearest = INFINITY;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < FINE; i++)
        at[i] = rint(1000 * sin(2 * M_PI * ((double)i + 0.37) / CYCLE) + gsl_ran_gaussian(random, 0.3));
    for (size_t i = 1; i < FINE; i++)
        nearest = fmin(nearest, fabs(at[i] - at[i - 1]));
    ck_assert_double_gt(nearest, 10);
    ck_assert_double_eq(loop_smallest_distance(at, FINE), 1);
    ck_assert(loop_moves_by_steps(at, FINE, 1));
    ck_assert(!loop_moves_by_steps(at, FINE, nearest));
    ck_assert(!loop_moves_by_steps(at, FINE, INFINITY));
    gsl_rng_free(random);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loop_instruments");
    TCase *tests = tcase_create("loop_instruments");
    suite_add_tcase(suite, tests);
    tcase_add_loop_test(tests, what_instruments_do_is_taken_out, 0, 6);
    tcase_add_test(tests, a_step_is_seen_though_neighbours_are_far_from_each_other);
    tcase_add_test(tests, inertia_of_a_noisy_displacement_is_not_biased);
    tcase_add_test(tests, a_late_normal_force_is_brought_back);
    tcase_add_loop_test(tests, uncertainties_of_the_instruments_are_in_the_figures, 0, 12);
    tcase_add_test(tests, a_friction_coefficient_has_two_gains);
    tcase_add_loop_test(tests, a_correction_is_cancelled, 0, 2);
    tcase_add_test(tests, a_damping_ratio_wants_mass_and_stiffness);
    tcase_add_test(tests, parameters_of_models_have_them_too);
    tcase_add_test(tests, what_slides_makes_a_curve);
    tcase_add_test(tests, what_is_known_beside_is_no_friction_over_speed);
    tcase_add_test(tests, few_speeds_make_a_curve);
    tcase_add_loop_test(tests, a_stroke_too_short_to_slide_is_told, 0, 3);
    tcase_add_test(tests, inertia_brings_noise_with_it);
    tcase_add_test(tests, a_delay_longer_than_the_record_is_told);
    tcase_add_loop_test(tests, a_scale_rounds_an_even_motion, 0, 2);
    tcase_add_loop_test(tests, an_encoder_is_told_from_an_even_motion, 0, sizeof even_motions / sizeof even_motions[0]);
    return run_suite(suite);
}
