/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joints that slip as a whole in the first cycles of a ring-down: what only these cycles tell. */
#include "identify/ring_down/law_doubt.h"
#include "identify/ring_down/macroslip_figures.h"
#include "identify/ring_down/macroslip_law.h"
#include "identify/ring_down/microslip_law.h"
#include "identify/ring_down/mode_figures.h"
#include "identify/ring_down/ring_down.h"
#include "ring_down_bench.h"
#include "run_suite.h"
#include "thinning.h"

#include <string.h>

enum { CALM = 700 };
static double samples[CALM + BENCH_SAMPLES];

/* Calm until the mode is let go from so many phi_max, later_s before a sample. */
static void let_go(const struct modal_iwan *mode, double ratio, double later_s, double noise, gsl_rng *random)
{
    const double amplitude = ratio * mode->phi_max, first = amplitude * modal_iwan_secant(mode, amplitude);
    struct joint_motion *motion = joint_motion_create(mode, amplitude, 0);
    ck_assert_ptr_nonnull(motion);
    for (int i = 0; i < CALM + BENCH_SAMPLES; i++) {
        struct joint_state at = {.acceleration = 0};
        if (i >= CALM)
            ck_assert_int_eq(joint_motion_to(motion, later_s + (i - CALM) / BENCH_RATE_HZ, &at), 0);
        samples[i] = at.acceleration + gsl_ran_gaussian(random, noise * first);
    }
    joint_motion_free(motion);
}

static void look_at(const char *unit, struct ring_down *found)
{
    const struct identify_settings settings = {.cancel = NULL};
    const struct record_trace trace = {.channel = "acc1",
                                       .unit = unit,
                                       .values = samples,
                                       .count = CALM + BENCH_SAMPLES,
                                       .stride = 1,
                                       .period_s = 1 / BENCH_RATE_HZ};
    const struct record record = {&trace, 1, NULL};
    ck_assert_str_eq(verdict_name(analyse_ring_down(&record, VERDICT_OK, &settings, found)), "ok");
    ck_assert_uint_ge(found->mode_count, 1);
}

static void look(struct ring_down *found)
{
    look_at("m/s2", found);
}

static void expect(const struct bounded *bounded, double truth, double bound)
{
    ck_assert_ptr_null(bounded->reason);
    ck_assert_double_le(fabs(bounded->value / truth - 1), 3 * bound);
    ck_assert_double_le(fabs(bounded->value - truth), 3.5 * bounded->se);
    ck_assert_double_ge(bounded->se, 0.5 * truth * bound);
    /* The bound is of a record that begins when the mode is let go. */
    ck_assert_double_le(bounded->se, 1.6 * truth * bound);
    ck_assert(bounded->lower < bounded->value && bounded->value < bounded->upper);
}

/* The slow flow above and below phi_max, by others. */
START_TEST(rates_are_those_of_the_reference)
{
    static const double ratio[3] = {0.1, 0.8, 2}, alpha[3] = {3.514917, 18.137625, 21.874205};
    static const double f_hz[3] = {119.834606, 114.414548, 108.891880};
    const struct modal_iwan mode = bench_mode(&bench_strong);
    struct amplitude_law law;
    struct law_rates rates;
    ck_assert(macroslip_law(bench_omega_0(&mode), mode.c, &mode, 3 * mode.phi_max, 1.0 / 3, &law));
    const struct modal_iwan without = macroslip_joint(&law, 3 * mode.phi_max);
    ck_assert_double_eq_tol(without.phi_max / mode.phi_max, 1, 1e-9);
    law.parameters = MACROSLIP_PARAMETERS;
    law.parameter[MACROSLIP_BETA] = mode.beta;
    law.parameter[MACROSLIP_LOG_PHI] = -log(3);
    law.parameter[MACROSLIP_LOG_SHARE] = log(mode.k_t / (mode.k_t + mode.k_inf));
    for (int i = 0; i < 3; i++) {
        ck_assert(law.rates(&law, log(ratio[i] / 3), &rates));
        ck_assert_double_eq_tol(rates.omega / (2 * M_PI), f_hz[i], 1e-6);
        ck_assert_double_eq_tol(rates.alpha / alpha[i], 1, 2e-4);
    }
    /* Where another sample is the first one it is the same law. */
    const struct amplitude_law later = macroslip_from(&law, -0.7);
    struct law_rates same;
    ck_assert(law.rates(&law, -1.2, &rates) && later.rates(&later, -0.5, &same));
    ck_assert_double_eq_tol(same.alpha / rates.alpha, 1, 1e-9);
    ck_assert_double_eq_tol(same.omega / rates.omega, 1, 1e-12);
    law.parameter[MACROSLIP_LOG_SHARE] = 0.01;
    ck_assert(!law.rates(&law, 0, &rates));
}
END_TEST

/* Bounds by others, of the first mode of Deaner et al. from 3 phi_max at noise of 1 %. */
static void expect_whole_joint(const struct modal_iwan *mode, const struct ring_down_mode *r)
{
    ck_assert_int_eq(r->model, MODE_MACROSLIP);
    ck_assert(r->iwan.there && r->iwan.consistent);
    expect(&r->iwan.f_s, mode->f_s, 0.017);
    expect(&r->iwan.k_t, mode->k_t, 0.005);
    expect(&r->iwan.k_inf, mode->k_inf, 0.0015);
    ck_assert_double_le(fabs(r->iwan.chi.value - mode->chi), 4 * r->iwan.chi.se);
    ck_assert_double_le(fabs(r->iwan.c.value - mode->c), 4 * r->iwan.c.se);
    ck_assert_double_le(fabs(r->omega_0.value - bench_omega_0(mode)), 4 * r->omega_0.se);
    ck_assert_double_ge(r->amplitude_max, 2.3 * mode->phi_max);
}

START_TEST(a_joint_that_slipped_as_a_whole)
{
    const struct modal_iwan mode = bench_mode(&bench_strong);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct ring_down found;
    gsl_rng_set(random, 11 + (unsigned long)_i);
    let_go(&mode, 3, 0.0041 * _i, 0.01, random);
    look(&found);
    const struct ring_down_mode *r = &found.mode[0];
    ck_assert_uint_eq(found.mode_count, 1);
    expect_whole_joint(&mode, r);
    /* So few sliders at phi_max itself are told by nothing, and phi_max only between what it is. */
    ck_assert(isnan(r->iwan.beta.value) && r->iwan.beta.reason);
    ck_assert_double_le(r->iwan.phi_max.lower, mode.phi_max);
    ck_assert_double_ge(r->iwan.phi_max.upper, mode.phi_max);
    /* With less noise the third harmonic of its first cycles shows: no second mode. */
    let_go(&mode, 3, 0.0041 * _i, 0.003, random);
    look(&found);
    ck_assert_uint_eq(found.mode_count, 1);
    ck_assert_int_eq(found.mode[0].model, MODE_MACROSLIP);
    gsl_rng_free(random);
}
END_TEST

/* Beside modes that are linear, whose motions are taken away. */
START_TEST(a_joint_that_slipped_as_a_whole_among_other_modes)
{
    static const double f_hz[2] = {270, 480}, share[2] = {0.4, 0.25}, alpha = 4;
    const struct modal_iwan mode = bench_mode(&bench_strong);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct ring_down found;
    gsl_rng_set(random, 21);
    let_go(&mode, 3, 0, 0.01, random);
    const double first = 3 * mode.phi_max * modal_iwan_secant(&mode, 3 * mode.phi_max);
    for (int i = CALM; i < CALM + BENCH_SAMPLES; i++)
        for (int k = 0; k < 2; k++) {
            const double time_s = (i - CALM) / BENCH_RATE_HZ;
            samples[i] += share[k] * first * exp(-alpha * time_s) * cos(2 * M_PI * f_hz[k] * time_s);
        }
    look(&found);
    ck_assert_uint_eq(found.mode_count, 3);
    expect_whole_joint(&mode, &found.mode[0]);
    for (int k = 0; k < 2; k++) {
        const struct ring_down_mode *other = &found.mode[1 + k];
        ck_assert_int_eq(other->model, MODE_LINEAR);
        ck_assert_int_eq(other->begins, RING_DOWN_HAMMER_LEFT);
        ck_assert_double_le(fabs(other->omega_0.value - hypot(2 * M_PI * f_hz[k], alpha)), 4 * other->omega_0.se);
    }
    gsl_rng_free(random);
}
END_TEST

/* At any place in the cycle, also where two exponents of their own explain the record as well as one. */
START_TEST(sliders_at_phi_max_are_told_where_there_are_many)
{
    static const double later_s[2] = {0.002, 0.0057};
    struct modal_iwan mode = bench_strong;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct ring_down found;
    mode.beta = 0.5;
    mode = bench_mode(&mode);
    let_go(&mode, 3, later_s[_i], 0.01, random);
    look(&found);
    const struct ring_down_iwan *iwan = &found.mode[0].iwan;
    ck_assert(iwan->there && iwan->consistent);
    ck_assert_double_le(fabs(iwan->beta.value - mode.beta), 3.5 * iwan->beta.se);
    ck_assert_double_le(iwan->beta.se, 0.1 * mode.beta);
    ck_assert_double_le(fabs(iwan->phi_max.value - mode.phi_max), 3.5 * iwan->phi_max.se);
    gsl_rng_free(random);
}
END_TEST

/* The record of a mode that is let go from twice phi_max, from its first sample on. */
static struct mode_record held_at_twice_phi_max(const struct modal_iwan *mode, unsigned long seed)
{
    const double amplitude = 2 * mode->phi_max, first = amplitude * modal_iwan_secant(mode, amplitude);
    struct joint_motion *motion = joint_motion_create(mode, amplitude, 0);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    ck_assert_ptr_nonnull(motion);
    gsl_rng_set(random, seed);
    const double later_s = gsl_rng_uniform(random) / 117;
    for (int i = 0; i < BENCH_SAMPLES; i++) {
        struct joint_state at;
        ck_assert_int_eq(joint_motion_to(motion, later_s + i / BENCH_RATE_HZ, &at), 0);
        samples[i] = at.acceleration + gsl_ran_gaussian(random, 0.01 * first);
    }
    gsl_rng_free(random);
    joint_motion_free(motion);
    return (struct mode_record){.sensed = SENSED_ACCELERATION,
                                .samples = samples,
                                .count = BENCH_SAMPLES,
                                .rate_hz = BENCH_RATE_HZ,
                                .centre_hz = 119,
                                .stop_hz = 30,
                                .alone = true};
}

/* Noise makes these records a little likelier with five times the sliders at phi_max, and 16 % less of that. */
START_TEST(few_sliders_at_phi_max_are_no_figure)
{
    static const unsigned long seed[2] = {65, 84};
    const struct modal_iwan mode = bench_mode(&bench_strong);
    const struct instrument instrument = {.clock = 0};
    const struct mode_record record = held_at_twice_phi_max(&mode, seed[_i]);
    static struct mode_laws laws;
    mode_laws_of(&record, NULL, &laws);
    ck_assert(laws.slips);
    /* With sliders at phi_max the interval of the fit alone would miss. */
    const struct macroslip_figures figures = macroslip_figures_of(&laws.macroslip);
    ck_assert_double_lt(figures.phi_max.high, mode.phi_max);
    laws.holds = true;
    const struct ring_down_iwan iwan = mode_iwan_of(&laws, &instrument, record.sensed, NULL);
    ck_assert(isnan(iwan.beta.value) && isnan(iwan.phi_max.value));
    ck_assert_double_lt(iwan.phi_max.lower, mode.phi_max);
    ck_assert_double_gt(iwan.phi_max.upper, mode.phi_max);
}
END_TEST

/* Nine of ten sliders slip at phi_max and not before: no joint without them is like that, nor leads there. */
START_TEST(most_sliders_slip_at_phi_max)
{
    struct modal_iwan open = bench_strong;
    open.chi = -0.3;
    open.beta = 0.8;
    const struct modal_iwan mode = bench_mode(&open);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct ring_down found;
    let_go(&mode, 1.7, 0.003, 0.01, random);
    look(&found);
    gsl_rng_free(random);
    const struct ring_down_iwan *iwan = &found.mode[0].iwan;
    ck_assert_int_eq(found.mode[0].model, MODE_MACROSLIP);
    ck_assert(iwan->consistent);
    const struct bounded *const figures[3] = {&iwan->f_s, &iwan->k_t, &iwan->k_inf};
    const double truth[3] = {mode.f_s, mode.k_t, mode.k_inf};
    for (int k = 0; k < 3; k++) {
        ck_assert_double_le(fabs(figures[k]->value - truth[k]), 3.5 * figures[k]->se);
        ck_assert_double_le(figures[k]->se, 0.2 * truth[k]);
    }
    ck_assert_double_le(fabs(iwan->chi.value - mode.chi), 3.5 * iwan->chi.se);
}
END_TEST

/* Little noise tells each half cycle beyond phi_max, and a fit that begins a few per cent beside phi_max ends there,
 * where it leaves up to ten times the noise. */
START_TEST(phi_max_is_found_among_optima)
{
    static const double ratio[] = {1.6, 1.8, 2};
    const struct modal_iwan mode = bench_mode(&bench_strong);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct ring_down found;
    let_go(&mode, ratio[_i], 0, 3e-5, random);
    look(&found);
    gsl_rng_free(random);
    const struct ring_down_iwan *iwan = &found.mode[0].iwan;
    ck_assert_int_eq(found.mode[0].model, MODE_MACROSLIP);
    ck_assert(iwan->consistent);
    ck_assert_double_le(fabs(iwan->f_s.value - mode.f_s), 4 * iwan->f_s.se);
    ck_assert_double_le(fabs(iwan->k_t.value - mode.k_t), 4 * iwan->k_t.se);
    ck_assert_double_le(fabs(iwan->chi.value - mode.chi), 4 * iwan->chi.se);
    ck_assert_double_le(fabs(iwan->c.value - mode.c), 4 * iwan->c.se);
    ck_assert_double_le(iwan->f_s.se, 2e-3 * mode.f_s);
}
END_TEST

/* A displacement, some cycles after the mode was let go: where it comes to rest follows from what the joint did before,
 * which tells of no slip of the whole joint. */
START_TEST(where_the_mass_comes_to_rest_is_no_slip)
{
    const struct modal_iwan mode = bench_mode(&bench_strong);
    const double amplitude = 0.95 * mode.phi_max;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct joint_motion *motion = joint_motion_create(&mode, amplitude, 0);
    struct ring_down found;
    ck_assert_ptr_nonnull(motion);
    for (int i = 0; i < CALM + BENCH_SAMPLES; i++) {
        struct joint_state at;
        ck_assert_int_eq(joint_motion_to(motion, 0.03 + i / BENCH_RATE_HZ, &at), 0);
        samples[i] = at.displacement + gsl_ran_gaussian(random, 0.001 * amplitude);
    }
    joint_motion_free(motion);
    gsl_rng_free(random);
    look_at("m", &found);
    const struct ring_down_mode *r = &found.mode[0];
    ck_assert_int_eq(r->model, MODE_MICROSLIP);
    ck_assert(r->iwan.consistent);
    ck_assert(isnan(r->iwan.f_s.value));
    ck_assert_double_le(fabs(r->iwan.chi.value - mode.chi), 3.5 * r->iwan.chi.se);
    ck_assert_double_le(fabs(r->omega_0.value - bench_omega_0(&mode)), 3.5 * r->omega_0.se);
}
END_TEST

/* Below phi_max nothing of it is ever a number. */
START_TEST(a_joint_that_did_not)
{
    const struct modal_iwan mode = bench_mode(&bench_strong);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct ring_down found;
    gsl_rng_set(random, 31 + (unsigned long)_i);
    let_go(&mode, 0.95, 0.003 * _i, _i % 2 == 0 ? 0.01 : 0.001, random);
    look(&found);
    const struct ring_down_iwan *iwan = &found.mode[0].iwan;
    ck_assert_int_eq(found.mode[0].model, MODE_MICROSLIP);
    const struct bounded *const all[] = {&iwan->f_s, &iwan->phi_max, &iwan->k_t, &iwan->k_inf, &iwan->beta};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        ck_assert(isnan(all[k]->value) && isnan(all[k]->se));
        ck_assert(strstr(all[k]->reason, "microslip_only"));
    }
    gsl_rng_free(random);
}
END_TEST

/* What is likelier with slip of the whole joint than by chance, and not so much that it is called that: no figure
 * claims more than both laws leave. */
START_TEST(a_joint_of_which_nobody_knows)
{
    struct modal_iwan open = bench_strong;
    open.chi = 0.15;
    open.beta = 0.5;
    open.c = 4;
    const struct modal_iwan mode = bench_mode(&open);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct ring_down found;
    gsl_rng_set(random, 3);
    let_go(&mode, 2, 0.003, 0.02, random);
    look(&found);
    gsl_rng_free(random);
    const struct ring_down_mode *r = &found.mode[0];
    ck_assert_int_eq(r->model, MODE_MICROSLIP);
    ck_assert_double_le(fabs(r->iwan.chi.value - mode.chi), 3 * r->iwan.chi.se);
    ck_assert_double_le(fabs(r->iwan.c.value - mode.c), 3 * r->iwan.c.se);
    ck_assert_double_le(fabs(r->omega_0.value - bench_omega_0(&mode)), 3 * r->omega_0.se);
}
END_TEST

/* A law in microslip whose errors hold already how far it is from a joint that may slip, below the phi_max of that. */
static struct mode_laws laws_that_admit(const struct modal_iwan *mode)
{
    const double omega_0 = bench_omega_0(mode), a = 1.1 * mode->phi_max, n = mode->chi + 2;
    const double s = mode->r * pow(a, n - 1) / ((n - 1) * n * omega_0 * omega_0);
    const double zeta_j = 2 * (n - 1) * s / (M_PI * (n + 1));
    struct mode_laws laws = {.joint = true,
                             .with_beta.verdict = VERDICT_NOT_COMPUTED,
                             .limit.verdict = VERDICT_NOT_COMPUTED,
                             .limit_of_phi.verdict = VERDICT_NOT_COMPUTED,
                             .admitted = microslip_law(omega_0, mode->c, zeta_j, mode->chi),
                             .admitted_size = a};
    laws.microslip.law = microslip_law(omega_0, mode->c, 1.3 * zeta_j, mode->chi + 0.2);
    laws.microslip.amplitude = laws.macroslip.amplitude = a;
    ck_assert(macroslip_law(omega_0, mode->c, mode, a, mode->phi_max / a, &laws.macroslip.law));
    return laws;
}

/* That distance is not counted again in the curve of the law, be it above or below phi_max, and nowhere else is it
 * known. */
START_TEST(a_doubt_is_counted_once)
{
    struct modal_iwan open = bench_strong;
    open.beta = 0;
    const struct modal_iwan mode = bench_mode(&open);
    static struct mode_laws laws;
    laws = laws_that_admit(&mode);
    for (int above = 0; above < 2; above++) {
        const struct backbone_point point = {
            .amplitude = (above ? 1.09 : 0.9) * mode.phi_max, .omega = 700, .zeta = 0.01};
        struct backbone_point by_law = point, by_deviations = point;
        law_doubt_add(&laws, true, &by_law, 1);
        law_doubt_add(&laws, false, &by_deviations, 1);
        ck_assert_double_gt(by_deviations.se_zeta, 1e-4);
        ck_assert_double_lt(by_law.se_zeta, above ? 0.98 * by_deviations.se_zeta : 0.01 * by_deviations.se_zeta);
        ck_assert(above ? by_law.se_zeta > 1e-4 : true);
    }
}
END_TEST

/* From a little above phi_max nothing shows that the whole joint slipped; what is said must hold the truth all the
 * same, and the largest amplitude that was seen is no lower bound. With little noise the sliders that slip at phi_max
 * itself show, too, and phi_max is smaller than without them. */
static const struct {
    double ratio, later_s, noise, beta;
} hardly[] = {{1.05, 0, 0.01, 0.0316},     {1.15, 0.002, 0.01, 0.0316},  {1.2, 0.004, 0.01, 0.0316},
              {1.25, 0.006, 0.01, 0.0316}, {1.2, 0.0002, 0.001, 0.0316}, {1.2, 0.0004, 0.001, 0.0316},
              {1.3, 0.003, 0.01, 0.5},     {1.5, 0.003, 0.03, 0.5}};
enum { HARDLY = sizeof hardly / sizeof hardly[0] };

/* That the joint slips as a whole at the largest amplitude multiplies the damping there: that it may is told. */
static void expect_top(const struct modal_iwan *mode, const struct backbone_point *curve, size_t count)
{
    ck_assert_uint_ge(count, 10);
    for (size_t i = 0; i < 3; i++) {
        const double a = curve[i].amplitude, omega = sqrt(modal_iwan_fundamental(mode, a));
        const double loss = modal_iwan_dissipation(mode, a, omega);
        ck_assert_double_le(fabs(curve[i].omega - omega), 4 * hypot(curve[i].se_omega, curve[i].slip_omega));
        ck_assert_double_le(fabs(curve[i].zeta - loss / (2 * M_PI * modal_iwan_tangent(mode, a) * a * a)),
                            4 * hypot(curve[i].se_zeta, curve[i].slip_zeta));
    }
    /* Where it does not slip nothing is doubtful. */
    ck_assert_double_le(curve[count / 2].se_zeta, 0.05 * curve[count / 2].zeta);
}

START_TEST(a_joint_that_hardly_did)
{
    struct modal_iwan joint = bench_strong;
    joint.beta = hardly[_i].beta;
    const struct modal_iwan mode = bench_mode(&joint);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct ring_down found;
    gsl_rng_set(random, 41 + (unsigned long)_i);
    let_go(&mode, hardly[_i].ratio, hardly[_i].later_s, hardly[_i].noise, random);
    look(&found);
    const struct ring_down_iwan *iwan = &found.mode[0].iwan;
    const struct bounded *const all[] = {&iwan->f_s, &iwan->phi_max, &iwan->k_t, &iwan->k_inf};
    const double truth[] = {mode.f_s, mode.phi_max, mode.k_t, mode.k_inf};
    ck_assert(iwan->there && iwan->consistent);
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        ck_assert_double_le(all[k]->lower, truth[k]);
        ck_assert(isnan(all[k]->upper) || all[k]->upper >= truth[k]);
    }
    ck_assert_double_ge(iwan->f_s.lower, 0.3 * mode.f_s);
    ck_assert_double_ge(iwan->k_t.lower, 0.5 * mode.k_t);
    expect_top(&mode, found.mode[0].law, found.mode[0].law_points);
    expect_top(&mode, found.mode[0].backbone, found.mode[0].points);
    gsl_rng_free(random);
}
END_TEST

/* Of a record in which no joint shows: halfway between two points of the backbone its errors are the mean of theirs,
 * and the distance of a joint's law counts where that is likelier by more than its standard error. */
START_TEST(a_likelier_joint_is_in_the_errors_of_a_linear_law)
{
    static struct mode_laws laws;
    const struct backbone_point backbone[2] = {
        {.amplitude = 1, .omega = 754, .se_omega = 0.01, .zeta = 2e-3, .se_zeta = 1e-5},
        {.amplitude = exp(-2), .omega = 754, .se_omega = 0.03, .zeta = 2e-3, .se_zeta = 3e-5}};
    const double likelier = _i ? 1.2 : 0.8;
    struct backbone_point law = {.amplitude = exp(-1), .omega = 754, .zeta = 2e-3, .dissipation = 7, .stiffness = 5e5};
    struct law_rates rates;
    laws.linear = (struct law_fit){.law = linear_law(754, 3), .squares = 1 + likelier / 1000};
    laws.microslip =
        (struct law_fit){.law = microslip_law(754.1, 2.9, 1e-4, -0.5), .amplitude = 1, .squares = 1, .freedom = 1000};
    ck_assert(laws.microslip.law.rates(&laws.microslip.law, -1, &rates));
    law_doubt_of_linear(&laws, backbone, 2, &law, 1);
    ck_assert_double_eq_tol(law.se_omega, hypot(0.02, _i ? rates.omega - 754 : 0), 1e-12);
    ck_assert_double_eq_tol(law.se_zeta, hypot(2e-5, _i ? rates.alpha / rates.omega - 2e-3 : 0), 1e-15);
    ck_assert_double_eq_tol(law.se_dissipation / 7, law.se_zeta / 2e-3, 1e-12);
    ck_assert_double_eq_tol(law.se_stiffness / 5e5, 2 * law.se_omega / 754, 1e-12);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("macroslip");
    TCase *tests = tcase_create("macroslip");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 300);
    seed_of_run();
    tcase_add_loop_test(tests, a_likelier_joint_is_in_the_errors_of_a_linear_law, 0, 2);
    tcase_add_test(tests, rates_are_those_of_the_reference);
    add_thinned_loop_test(tests, a_joint_that_slipped_as_a_whole, 2);
    tcase_add_test(tests, a_joint_that_slipped_as_a_whole_among_other_modes);
    add_thinned_loop_test(tests, sliders_at_phi_max_are_told_where_there_are_many, 2);
    tcase_add_loop_test(tests, few_sliders_at_phi_max_are_no_figure, 0, 2);
    tcase_add_test(tests, most_sliders_slip_at_phi_max);
    tcase_add_loop_test(tests, phi_max_is_found_among_optima, 0, 3);
    tcase_add_test(tests, where_the_mass_comes_to_rest_is_no_slip);
    add_thinned_loop_test(tests, a_joint_that_did_not, 4);
    tcase_add_test(tests, a_joint_of_which_nobody_knows);
    tcase_add_test(tests, a_doubt_is_counted_once);
    add_thinned_loop_test(tests, a_joint_that_hardly_did, HARDLY);
    return run_suite(suite);
}
