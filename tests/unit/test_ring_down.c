/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the record of a structure that was hit to what is said of its modes, and of records that say nothing. */
#include "identify/decay/record.h"
#include "identify/ring_down/mode_backbone.h"
#include "identify/ring_down/ring_down.h"
#include "run_suite.h"
#include "struck_joint.h"
#include "thinning.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATE_HZ 2048.0
#define BLOW_S 0.3
enum { SAMPLES = 7168 };

/* 120 Hz, of which slip takes 1 % at the first amplitudes, and adds as much damping again as there is. */
static const struct struck_joint bolted = {.omega_0 = 754, .c = 1.5, .chi = -0.3, .r = 3.2e7};
static const struct struck_joint welded = {.omega_0 = 754, .c = 1.5, .chi = 0, .r = 0};

static double samples[SAMPLES], clean[SAMPLES], stamps[SAMPLES];

static void hit(const struct struck_joint *joint)
{
    memset(clean, 0, sizeof clean);
    struck_joint_add(*joint, BLOW_S, 0.003, 80, RATE_HZ, SAMPLES, clean);
}

/* The largest of what rings on its own. */
static double first_value(const double *values)
{
    double most = 0;
    for (size_t i = (size_t)((BLOW_S + 0.005) * RATE_HZ); i < SAMPLES; i++)
        most = fmax(most, fabs(values[i]));
    return most;
}

static void add_noise(double share, unsigned long seed)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const double sd = share * first_value(clean);
    gsl_rng_set(random, seed);
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = clean[i] + gsl_ran_gaussian_ziggurat(random, sd);
    gsl_rng_free(random);
}

static struct record_trace trace_of(const double *values, size_t count, const char *unit)
{
    return (struct record_trace){
        .channel = "acc1", .unit = unit, .values = values, .count = count, .stride = 1, .period_s = 1 / RATE_HZ};
}

static struct ring_down look_at(const struct record_trace *trace)
{
    static const struct identify_settings settings;
    const struct record record = {trace, 1, NULL};
    struct ring_down found;
    ck_assert_int_eq(analyse_ring_down(&record, VERDICT_OK, &settings, &found), found.verdict);
    return found;
}

static struct ring_down look(void)
{
    const struct record_trace trace = trace_of(samples, SAMPLES, "m/s2");
    return look_at(&trace);
}

static void expect_verdict(const struct record_trace *trace, const char *verdict)
{
    const struct ring_down found = look_at(trace);
    ck_assert_str_eq(verdict_name(found.verdict), verdict);
}

static void expect_near(const struct estimate *estimate, double truth)
{
    ck_assert_double_gt(estimate->se, 0);
    ck_assert_double_le(fabs(estimate->value - truth), 4.5 * estimate->se);
}

static void expect_between(const struct bounded *bounded, double truth)
{
    ck_assert(isnan(bounded->value));
    ck_assert_double_le(bounded->lower, truth);
    ck_assert(isnan(bounded->upper) || bounded->upper >= truth);
}

/* Its roots are the standard errors, and nothing in it is surer than these allow. */
static void expect_covariance(const struct ring_down_mode *mode)
{
    const struct iwan_covariance *rows = mode->iwan.covariance;
    const double se[4] = {mode->omega_0.se, mode->iwan.c.se, mode->iwan.chi.se, mode->iwan.r.se};
    ck_assert_uint_eq(mode->iwan.covariances, 4);
    for (size_t j = 0; j < 4; j++) {
        const double row[4] = {rows[j].omega_0, rows[j].c, rows[j].chi, rows[j].r};
        ck_assert_double_eq_tol(sqrt(row[j]) / se[j], 1, 1e-9);
        for (size_t k = 0; k < 4; k++)
            ck_assert_double_le(fabs(row[k]), (1 + 1e-9) * se[j] * se[k]);
    }
    ck_assert_double_eq_tol(rows[0].chi, rows[2].omega_0, 1e-9 * se[0] * se[2]);
    /* A steeper law has a larger factor. */
    ck_assert_double_gt(rows[2].r, 0.5 * se[2] * se[3]);
}

START_TEST(a_joint_is_identified)
{
    static const double noise[3] = {0.001, 0.01, 0.05}, least_phi[3] = {0.8, 0.6, 0.35};
    hit(&bolted);
    add_noise(noise[_i], 7);
    const struct ring_down found = look();
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_double_eq_tol(found.blow_s, BLOW_S, 0.005);
    ck_assert_uint_eq(found.blows, 1);
    ck_assert(found.fell_to_tenth && !found.clipped);
    ck_assert_uint_eq(found.mode_count, 1);
    const struct ring_down_mode *mode = &found.mode[0];
    ck_assert_int_eq(mode->model, MODE_MICROSLIP);
    expect_near(&mode->omega_0, bolted.omega_0);
    expect_near(&mode->zeta_0, bolted.c / (2 * bolted.omega_0));
    /* By the closed form: omega = omega_0 sqrt(1 - gamma s), gamma nearly 1. */
    const double n = bolted.chi + 1,
                 s = bolted.r * pow(mode->amplitude_min, n) / (n * (n + 1) * pow(bolted.omega_0, 2));
    ck_assert_double_ge(mode->omega_0_beyond, 0.8 * 0.5 * s);
    ck_assert_double_le(mode->omega_0_beyond, 1.25 * 0.5 * s);
    ck_assert(mode->iwan.there && mode->iwan.consistent);
    expect_near(&mode->iwan.chi, bolted.chi);
    expect_near(&mode->iwan.c, bolted.c);
    expect_covariance(mode);
    ck_assert_double_le(mode->iwan.r.low, bolted.r * 1.2);
    ck_assert_double_ge(mode->iwan.r.high, bolted.r / 1.2);
    expect_between(&mode->iwan.k_t, 0.99 * bolted.omega_0 * bolted.omega_0);
    /* A whole joint that slips in the first cycles alone is hidden by noise, the more so where a share of its sliders
     * slips only then. */
    ck_assert_double_ge(mode->iwan.phi_max.lower, least_phi[_i] * mode->amplitude_max);
    ck_assert_double_le(mode->iwan.phi_max.lower, mode->amplitude_max);
    ck_assert_int_eq(mode->recommended, MODE_LAW);
    ck_assert_int_eq(mode->ends, RING_DOWN_NOISE);
    ck_assert_uint_eq(mode->points, BACKBONE_POINTS);
    ck_assert_double_le(mode->residual, 1.3 * noise[_i]);
    /* The law is the truth: what it leaves is the noise, early and late, and all spectra are those of the
     * record. The noise is a share of a crest a little later than the first. */
    const struct mode_simulation *simulation = &mode->simulation;
    ck_assert_str_eq(verdict_name(simulation->verdict), "ok");
    ck_assert_double_eq_tol(simulation->residual / noise[_i], 1, 0.1);
    ck_assert_double_eq_tol(simulation->residual_first / noise[_i], 1, 0.15);
    ck_assert_uint_eq(simulation->spectra, SPECTRA);
    ck_assert_double_le(simulation->spectrum[0].misfit, 2 * noise[_i]);
    ck_assert_double_gt(simulation->spectrum[1].zeroed_s, simulation->spectrum[0].zeroed_s);
}
END_TEST

/* What becomes of a backbone, which is the first that is looked for behind a law, from one of them on. */
static struct {
    size_t laws; /* that are left alone; 0: all are */
    bool memory_is_short;
    atomic_bool cancel;
} behind;

void __real_mode_backbone(const struct mode_record *record, const struct law_fit *fit, const atomic_bool *cancel,
                          struct backbone *backbone);
void __wrap_mode_backbone(const struct mode_record *record, const struct law_fit *fit, const atomic_bool *cancel,
                          struct backbone *backbone);

void __wrap_mode_backbone(const struct mode_record *record, const struct law_fit *fit, const atomic_bool *cancel,
                          struct backbone *backbone)
{
    const bool last = behind.laws > 0 && --behind.laws == 0;
    if (last && behind.memory_is_short) {
        *backbone = (struct backbone){.verdict = VERDICT_NO_MEMORY};
        return;
    }
    if (last)
        atomic_store(&behind.cancel, true);
    __real_mode_backbone(record, fit, cancel, backbone);
}

static enum verdict look_until(size_t laws, bool memory_is_short, bool *stopped, struct ring_down *found)
{
    const struct record_trace trace = trace_of(samples, SAMPLES, "m/s2");
    const struct record record = {&trace, 1, NULL};
    const struct identify_settings settings = {.cancel = &behind.cancel, .stopped = stopped};
    behind.laws = laws;
    behind.memory_is_short = memory_is_short;
    *stopped = false;
    return analyse_ring_down(&record, VERDICT_OK, &settings, found);
}

static void expect_law(const struct ring_down_mode *mode)
{
    ck_assert_str_eq(verdict_name(mode->verdict), "ok");
    ck_assert_ptr_nonnull(strstr(mode->reason, "provisional"));
    expect_near(&mode->omega_0, bolted.omega_0);
    expect_near(&mode->zeta_0, bolted.c / (2 * bolted.omega_0));
    ck_assert(mode->iwan.there);
    ck_assert_uint_eq(mode->points, 0);
}

/* The law stands, and says that it is not all. Before it, nothing does. */
START_TEST(what_is_stopped_keeps_its_law)
{
    static struct ring_down found;
    bool stopped;
    hit(&bolted);
    add_noise(0.01, 7);
    ck_assert_str_eq(verdict_name(look_until(1, false, &stopped, &found)), "ok");
    ck_assert(stopped);
    expect_law(&found.mode[0]);
    ck_assert(isfinite(found.f_n_hz.value));
    ck_assert_str_eq(verdict_name(look_until(0, false, &stopped, &found)), "cancelled");
    ck_assert(!stopped);
    atomic_store(&behind.cancel, false);
    ck_assert_str_eq(verdict_name(look_until(1, true, &stopped, &found)), "ok");
    ck_assert(!stopped);
    expect_law(&found.mode[0]);
}
END_TEST

/* A mode that is known says when another one was not looked at any more. */
START_TEST(who_is_not_alone_says_that_more_was_to_come)
{
    static struct ring_down found;
    for (int memory_is_short = 0; memory_is_short < 2; memory_is_short++) {
        bool stopped;
        hit(&bolted);
        const double other = 0.3 * first_value(clean);
        for (size_t i = (size_t)(BLOW_S * RATE_HZ) + 1; i < SAMPLES; i++) {
            const double t = (double)i / RATE_HZ - BLOW_S;
            clean[i] += other * exp(-0.002 * 2 * M_PI * 330 * t) * sin(2 * M_PI * 330 * t);
        }
        add_noise(0.01, 7);
        atomic_store(&behind.cancel, false);
        ck_assert_str_eq(verdict_name(look_until(2, memory_is_short, &stopped, &found)), "ok");
        ck_assert(stopped == !memory_is_short);
        ck_assert_uint_ge(found.mode_count, 2);
        for (size_t r = 0; r < found.mode_count; r++)
            ck_assert(found.mode[r].reason && strstr(found.mode[r].reason, "provisional"));
    }
}
END_TEST

/* Others get about the same in the middle of the amplitudes, and nothing of the first cycles. */
START_TEST(what_others_get_of_a_joint)
{
    hit(&bolted);
    add_noise(0.002, 7);
    const struct ring_down found = look();
    const struct ring_down_mode *mode = &found.mode[0];
    const struct hilbert_route *hilbert = &mode->hilbert;
    ck_assert_str_eq(verdict_name(hilbert->verdict), "ok");
    ck_assert_uint_ge(hilbert->count, HILBERT_POINTS * 4 / 5);
    ck_assert_double_lt(hilbert->point[0].amplitude, mode->amplitude_max);
    for (size_t i = HILBERT_POINTS / 3; i < HILBERT_POINTS / 2; i++) {
        const struct hilbert_point *at = &hilbert->point[i];
        const struct backbone_point *near = mode->backbone;
        while (near->amplitude > at->amplitude)
            near++;
        ck_assert_double_eq_tol(at->omega / near->omega, 1, 3e-4);
        ck_assert_double_eq_tol(at->zeta / near->zeta, 1, 0.1);
        ck_assert_double_eq_tol(at->dissipation, 2 * M_PI * at->zeta * pow(at->omega * at->amplitude, 2),
                                1e-6 * at->dissipation);
    }
}
END_TEST

/* What it says of a joint that is none, it says of few. */
START_TEST(without_a_joint_a_mode_is_linear)
{
    int joints = 0;
    hit(&welded);
    for (unsigned long seed = 1; seed <= 12; seed++) {
        add_noise(0.01, seed);
        const struct ring_down found = look();
        ck_assert_str_eq(verdict_name(found.verdict), "ok");
        ck_assert_uint_eq(found.mode_count, 1);
        expect_near(&found.mode[0].omega_0, welded.omega_0);
        expect_near(&found.mode[0].zeta_0, welded.c / (2 * welded.omega_0));
        joints += found.mode[0].iwan.there;
        ck_assert(found.mode[0].iwan.there || found.mode[0].reason);
    }
    ck_assert_int_le(joints, 2);
}
END_TEST

static void expect_combined(const struct estimate *estimate, double calibration)
{
    const double u = hypot(estimate->se, calibration * estimate->value);
    ck_assert(estimate->combined.known);
    ck_assert_double_eq_tol(estimate->combined.u, u, 1e-9 * u);
    ck_assert_double_eq_tol(estimate->combined.high - estimate->high, 1.959964 * (u - estimate->se), 1e-6 * u);
}

/* A clock that is wrong by some share makes rates so wrong, and a gain the density of sliders by its power. */
START_TEST(clock_and_gain_are_part_of_the_uncertainty)
{
    const double clock = 2e-3, gain = 0.03;
    const struct identify_settings settings = {.physical = {.u_clock_ppm = 1e6 * clock, .u_gain_percent = 100 * gain}};
    hit(&bolted);
    add_noise(0.01, 7);
    const struct record_trace trace = trace_of(samples, SAMPLES, "m/s2");
    const struct record record = {&trace, 1, NULL};
    struct ring_down found;
    ck_assert_int_eq(analyse_ring_down(&record, VERDICT_OK, &settings, &found), VERDICT_OK);
    const struct ring_down_mode *mode = &found.mode[0];
    ck_assert(mode->iwan.there);
    const double n = mode->iwan.chi.value + 1;
    expect_combined(&found.f_n_hz, clock);
    expect_combined(&found.zeta, 0);
    expect_combined(&mode->omega_0, clock);
    expect_combined(&mode->zeta_0, 0);
    expect_combined(&mode->iwan.c, clock);
    expect_combined(&mode->iwan.chi, 0);
    expect_combined(&mode->iwan.r, hypot(2 * (1 + n) * clock, n * gain));
}
END_TEST

/* Scale, sign, time and unit change the units alone. */
START_TEST(what_changes_nothing)
{
    hit(&bolted);
    add_noise(0.01, 3);
    const struct ring_down before = look();
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] *= -1000;
    struct record_trace trace = trace_of(samples, SAMPLES, "mm/s2");
    trace.start_s = 1e6;
    const struct ring_down found = look_at(&trace);
    const struct ring_down_mode *one = &before.mode[0], *other = &found.mode[0];
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_double_eq_tol(found.blow_s - 1e6, before.blow_s, 1e-6);
    ck_assert_double_eq_tol(other->omega_0.value / one->omega_0.value, 1, 1e-8);
    ck_assert_double_eq_tol(other->zeta_0.value / one->zeta_0.value, 1, 1e-6);
    ck_assert_double_eq_tol(other->iwan.chi.value, one->iwan.chi.value, 1e-5);
    ck_assert_double_eq_tol(other->amplitude_max / one->amplitude_max, 1000, 1e-3);
    ck_assert_double_eq_tol(other->backbone[30].zeta / one->backbone[30].zeta, 1, 1e-5);
    const double factor = pow(1000, -one->iwan.chi.value - 1);
    ck_assert_double_eq_tol(other->iwan.r.value / one->iwan.r.value / factor, 1, 1e-3);
}
END_TEST

/* One sensor tells a pair by its beats. */
START_TEST(a_pair_beats)
{
    static const double apart[3] = {1.01, 1.025, 1.05};
    struct struck_joint other = welded;
    other.omega_0 *= apart[_i];
    other.c *= 1.2;
    hit(&bolted);
    struck_joint_add(other, BLOW_S, 0.003, 60, RATE_HZ, SAMPLES, clean);
    add_noise(0.002, 21);
    const struct ring_down found = look();
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_uint_eq(found.mode_count, 2);
    expect_near(&found.mode[0].omega_0, bolted.omega_0);
    expect_near(&found.mode[1].omega_0, other.omega_0);
    expect_near(&found.mode[1].zeta_0, other.c / (2 * other.omega_0));
    ck_assert_int_eq(found.mode[0].model, MODE_MICROSLIP);
    expect_near(&found.mode[0].iwan.chi, bolted.chi);
}
END_TEST

/* A sensor's zero and its drift are no motion, and a converter of few steps clips nothing. */
START_TEST(offset_drift_and_coarse_steps)
{
    hit(&bolted);
    const double first = first_value(clean);
    add_noise(0.002, 5);
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] += first * (20 + 5 * (double)i / SAMPLES);
    struct ring_down found = look();
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_double_eq_tol(found.mode[0].omega_0.value / bolted.omega_0, 1, 2e-4);
    double most = 0;
    for (size_t i = 0; i < SAMPLES; i++)
        most = fmax(most, fabs(clean[i]));
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = round(clean[i] / most * 127) * most / 127;
    found = look();
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert(!found.clipped);
    ck_assert_double_eq_tol(found.mode[0].omega_0.value / bolted.omega_0, 1, 1e-3);
}
END_TEST

/* What stands in for spikes is near to the motion that they hide: no blow comes of them, and nothing else changes. */
START_TEST(spikes_are_bridged)
{
    static uint8_t flags[SAMPLES];
    hit(&bolted);
    add_noise(0.001, 6);
    struct record_trace trace = trace_of(samples, SAMPLES, "m/s2");
    const struct ring_down before = look_at(&trace);
    memset(flags, 0, sizeof flags);
    trace.flags = flags;
    static const size_t spikes[] = {0, 100, 3000, 3001, SAMPLES - 1};
    for (size_t i = 0; i < sizeof spikes / sizeof spikes[0]; i++) {
        samples[spikes[i]] = 20 * first_value(clean);
        flags[spikes[i]] = SAMPLE_SPIKE;
    }
    const struct ring_down found = look_at(&trace);
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_uint_eq(found.blows, 1);
    ck_assert_double_eq_tol(found.start_s, before.start_s, 1e-9);
    const struct estimate *omega_0 = &found.mode[0].omega_0, *chi = &found.mode[0].iwan.chi;
    ck_assert_double_eq_tol(omega_0->value, before.mode[0].omega_0.value, omega_0->se);
    ck_assert_double_eq_tol(chi->value, before.mode[0].iwan.chi.value, chi->se);
}
END_TEST

/* The converter knows better what it cut off than anybody who sees the samples. */
START_TEST(the_ring_down_begins_behind_what_is_flagged_as_clipped)
{
    static uint8_t flags[SAMPLES];
    hit(&bolted);
    add_noise(0.001, 6);
    struct record_trace trace = trace_of(samples, SAMPLES, "m/s2");
    memset(flags, 0, sizeof flags);
    trace.flags = flags;
    const size_t last = (size_t)((BLOW_S + 0.1) * RATE_HZ);
    flags[last] = SAMPLE_CLIPPED;
    const struct ring_down found = look_at(&trace);
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert(found.clipped);
    ck_assert_double_eq_tol(found.start_s, (double)(last + 1) / RATE_HZ, 1e-9);
    ck_assert_int_eq(found.mode[0].begins, RING_DOWN_CLIPPING);
}
END_TEST

START_TEST(more_samples_than_are_fitted)
{
    enum { MANY = 2000002 };
    double *many = calloc(MANY, sizeof *many);
    ck_assert_ptr_nonnull(many);
    for (size_t i = 0; i < MANY; i++)
        many[i] = exp(-1e-6 * (double)i) * cos(0.4 * (double)i);
    const struct record_trace trace = trace_of(many, MANY, "m/s2");
    expect_verdict(&trace, "too_long");
    free(many);
}
END_TEST

/* What was cut off is left out, and the result says so. */
START_TEST(clipped_crests_are_left_out)
{
    hit(&bolted);
    add_noise(0.001, 6);
    const double limit = 0.6 * first_value(clean);
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = fmax(fmin(samples[i], limit), -limit);
    const struct ring_down found = look();
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert(found.clipped);
    ck_assert_double_gt(found.start_s, BLOW_S + 0.01);
    ck_assert_double_eq_tol(found.mode[0].omega_0.value / bolted.omega_0, 1, 2e-4);
}
END_TEST

START_TEST(a_second_blow_ends_the_record)
{
    hit(&bolted);
    const size_t later = (size_t)(1.5 * RATE_HZ);
    for (size_t i = SAMPLES; i-- > later;)
        clean[i] += clean[i - later];
    add_noise(0.01, 8);
    const struct ring_down found = look();
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_uint_eq(found.blows, 2);
    ck_assert_int_eq(found.ended_by, RING_DOWN_NEXT_BLOW);
    ck_assert_double_eq_tol(found.end_s, BLOW_S + 1.5, 0.005);
    expect_near(&found.mode[0].omega_0, bolted.omega_0);
}
END_TEST

/* Adds the motion of a blow that strong, as if nothing had moved before, with a second mode beside it. */
static void hit_again(double later_s, const struct struck_joint *joint, double strength, double beside)
{
    const struct struck_joint other = {.omega_0 = 2 * M_PI * 410, .c = 10, .chi = 0, .r = 0};
    struck_joint_add(*joint, BLOW_S + later_s, 0.003, strength, RATE_HZ, SAMPLES, clean);
    struck_joint_add(other, BLOW_S + later_s, 0.0005, beside, RATE_HZ, SAMPLES, clean);
}

/* Two blows of different strength on one structure, and on one that another mode, or the time, changes. */
START_TEST(blows_are_compared)
{
    static const struct {
        double c, beside[2];
        const char *finding;
    } cases[] = {{8, {300, 600}, "agree"},
                 {12, {100, 600}, "modes_coupled"},
                 {12, {600, 100}, "not_repeatable"},
                 {12, {300, 600}, "not_repeatable"}};
    /* Of the two that have the same name. */
    if (_i >= 2 && is_left_out_of(2, _i))
        return;
    /* So quick that hardly anything is left of one motion when the next blow comes. */
    struct struck_joint changed = bolted, before = bolted;
    before.c = cases[0].c;
    changed.c = cases[_i].c;
    memset(clean, 0, sizeof clean);
    hit_again(0, &before, 80, cases[_i].beside[0]);
    hit_again(1.6, &changed, 160, cases[_i].beside[1]);
    add_noise(0.005, 8);
    const struct ring_down found = look();
    ck_assert_uint_eq(found.blows, 2);
    ck_assert_uint_eq(found.mode_count, 2);
    const struct ring_down_repeats *repeats = &found.mode[0].repeats;
    ck_assert_uint_eq(repeats->blows, 2);
    ck_assert_str_eq(ring_down_repeat_name(repeats->finding), cases[_i].finding);
    ck_assert_double_gt(repeats->overlap[1], 1.5 * repeats->overlap[0]);
    ck_assert_uint_eq(repeats->points, _i == 0 ? BACKBONE_POINTS : 0);
    if (_i > 0)
        return;
    /* One curve, over the amplitudes of both, and better known than that of one. */
    ck_assert_double_ge(repeats->backbone[0].amplitude, 1.2 * found.mode[0].amplitude_max);
    const struct backbone_point *first = &found.mode[0].backbone[20], *pooled = repeats->backbone;
    while (pooled->amplitude > first->amplitude)
        pooled++;
    ck_assert_double_lt(pooled->se_zeta, 0.95 * first->se_zeta);
    ck_assert_double_le(fabs(pooled->zeta - first->zeta), 3 * first->se_zeta + 0.02 * first->zeta);
}
END_TEST

/* The hammer of the first is still there when the second comes: nothing rings between the two, and what rings behind
 * the second speaks for the record. */
START_TEST(a_second_blow_at_once)
{
    memset(clean, 0, sizeof clean);
    const double push_s = 0.025;
    struck_joint_add(bolted, BLOW_S + push_s, 0.003, 80, RATE_HZ, SAMPLES, clean);
    for (size_t i = 0; i < SAMPLES; i++) {
        const double since_s = (double)i / RATE_HZ - BLOW_S;
        clean[i] += since_s > 0 && since_s < push_s ? 0.02 * first_value(clean) * sin(M_PI * since_s / push_s) : 0;
    }
    add_noise(0.001, 12);
    const struct ring_down found = look();
    ck_assert_uint_eq(found.blows, 2);
    ck_assert_int_eq(found.ended_by, RING_DOWN_RECORD_ENDS);
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_double_eq_tol(found.blow_s, BLOW_S + push_s, 0.005);
    ck_assert_uint_eq(found.mode_count, 1);
    expect_near(&found.mode[0].omega_0, bolted.omega_0);
}
END_TEST

/* A record that begins behind its blow has no blow, and says why it begins where it does. */
START_TEST(a_blow_that_is_not_in_the_record)
{
    hit(&bolted);
    add_noise(0.01, 9);
    const size_t from = (size_t)((BLOW_S + 0.02) * RATE_HZ);
    const struct record_trace trace = trace_of(samples + from, SAMPLES - from, "m/s2");
    const struct ring_down found = look_at(&trace);
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert(isnan(found.blow_s));
    ck_assert_uint_eq(found.blows, 0);
    ck_assert_int_eq(found.mode[0].begins, RING_DOWN_RECORD_BEGINS);
    expect_near(&found.mode[0].omega_0, bolted.omega_0);
}
END_TEST

/* Where samples are missing the ring-down ends; where they come at any time there is none. */
START_TEST(stamps_with_a_gap_and_stamps_without_order)
{
    hit(&bolted);
    add_noise(0.01, 10);
    struct record_trace trace = trace_of(samples, SAMPLES, "m/s2");
    trace.time_s = stamps;
    for (size_t i = 0; i < SAMPLES; i++)
        stamps[i] = ((double)i + (i < 4000 ? 0 : 17)) / RATE_HZ;
    const struct ring_down found = look_at(&trace);
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_int_eq(found.ended_by, RING_DOWN_GAP);
    ck_assert_double_eq_tol(found.end_s, 3999 / RATE_HZ, 1e-9);
    expect_near(&found.mode[0].omega_0, bolted.omega_0);
    for (size_t i = 0; i < SAMPLES; i++)
        stamps[i] = ((double)i + 0.3 * (double)(i % 2)) / RATE_HZ;
    expect_verdict(&trace, "irregular_stamps");
}
END_TEST

/* The ring-down is behind an early gap, however near to the blow. */
START_TEST(a_gap_before_the_blow)
{
    hit(&bolted);
    add_noise(0.01, 10);
    struct record_trace trace = trace_of(samples, SAMPLES, "m/s2");
    trace.time_s = stamps;
    const size_t gaps[] = {1, 2, (size_t)(0.5 * BLOW_S * RATE_HZ)};
    for (size_t k = 0; k < sizeof gaps / sizeof gaps[0]; k++) {
        for (size_t i = 0; i < SAMPLES; i++)
            stamps[i] = (double)i / RATE_HZ + (i < gaps[k] ? 0 : 5);
        const struct ring_down found = look_at(&trace);
        ck_assert_str_eq(verdict_name(found.verdict), "ok");
        ck_assert_uint_eq(found.blows, 1);
        ck_assert_double_eq_tol(found.blow_s, BLOW_S + 5, 0.005);
        ck_assert_int_eq(found.ended_by, RING_DOWN_RECORD_ENDS);
        expect_near(&found.mode[0].omega_0, bolted.omega_0);
    }
    /* Distances that differ by up to 0.6 of a period: some are taken for gaps, the third one too. */
    for (size_t i = 0; i < SAMPLES; i++)
        stamps[i] = ((double)i + 0.3 * sin((double)(i * i))) / RATE_HZ;
    stamps[2] += 0.2 / RATE_HZ;
    expect_verdict(&trace, "irregular_stamps");
}
END_TEST

/* Stamps too near to each other have no rate. */
START_TEST(stamps_that_leave_no_rate)
{
    hit(&bolted);
    add_noise(0.01, 10);
    struct record_trace trace = trace_of(samples, SAMPLES, "m/s2");
    trace.time_s = stamps;
    static const double distance[] = {1e-310, 1e-300};
    for (size_t k = 0; k < sizeof distance / sizeof distance[0]; k++) {
        for (size_t i = 0; i < SAMPLES; i++)
            stamps[i] = (double)i * distance[k];
        expect_verdict(&trace, "too_few_samples");
    }
    trace.count = 1;
    expect_verdict(&trace, "too_few_samples");
}
END_TEST

/* Cut before it fell by a fifth, a mode has omega and zeta, and nothing else. */
START_TEST(a_record_that_is_cut_early)
{
    const struct struck_joint slow = {.omega_0 = 754, .c = 0.3, .chi = -0.3, .r = 1e5};
    hit(&slow);
    add_noise(0.001, 11);
    const struct record_trace trace = trace_of(samples, (size_t)((BLOW_S + 1) * RATE_HZ), "m/s2");
    const struct ring_down found = look_at(&trace);
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert(!found.fell_to_tenth);
    ck_assert_int_eq(found.mode[0].model, MODE_LINEAR);
    ck_assert(!found.mode[0].iwan.there);
    ck_assert_ptr_nonnull(strstr(found.mode[0].reason, "by a fifth"));
    ck_assert_double_eq_tol(found.mode[0].omega_0.value / slow.omega_0, 1, 1e-3);
}
END_TEST

/* Also where it hardly fell: what falls beyond its errors decays. */
START_TEST(a_record_in_which_hardly_anything_fell)
{
    const struct struck_joint slow = {.omega_0 = 503, .c = 0.5, .chi = 0, .r = 0};
    hit(&slow);
    add_noise(0.001, 11);
    const struct record_trace trace = trace_of(samples, (size_t)((BLOW_S + 0.31) * RATE_HZ), "m/s2");
    const struct ring_down found = look_at(&trace);
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_uint_eq(found.mode_count, 1);
    ck_assert_int_eq(found.mode[0].model, MODE_LINEAR);
    expect_near(&found.mode[0].omega_0, slow.omega_0);
    expect_near(&found.mode[0].zeta_0, slow.c / (2 * slow.omega_0));
}
END_TEST

/* A converter of few steps shows the end of a motion as steps, which are no damping. */
START_TEST(the_ring_down_ends_where_it_is_steps)
{
    static const struct struck_joint lossy = {.omega_0 = 754, .c = 6, .chi = 0, .r = 0};
    const double steps = _i == 0 ? 100 : 16;
    hit(&lossy);
    add_noise(0.2 / steps, 19);
    const double step = first_value(clean) / steps;
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = step * round(samples[i] / step);
    const struct ring_down found = look();
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_int_eq(found.ended_by, RING_DOWN_NOISE);
    ck_assert_double_lt(found.end_s, (double)(SAMPLES - 100) / RATE_HZ);
    ck_assert_int_eq(found.mode[0].model, MODE_LINEAR);
    expect_near(&found.mode[0].omega_0, lossy.omega_0);
    expect_near(&found.mode[0].zeta_0, lossy.c / (2 * lossy.omega_0));
}
END_TEST

/* Cut after so many cycles, a motion that began and ended within the filter's reach. */
START_TEST(a_short_record)
{
    static const int cycles[3] = {24, 40, 60};
    hit(&bolted);
    add_noise(0.001, 13);
    const double duration_s = cycles[_i] * 2 * M_PI / bolted.omega_0;
    const struct record_trace trace = trace_of(samples, (size_t)((BLOW_S + 0.01 + duration_s) * RATE_HZ), "m/s2");
    const struct ring_down found = look_at(&trace);
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    const struct ring_down_mode *mode = &found.mode[0];
    ck_assert_double_eq_tol(mode->omega_0.value / bolted.omega_0, 1, 0.01);
    ck_assert_double_gt(mode->zeta_0.value, 0);
    ck_assert_ptr_nonnull(mode_model_name(mode->model));
}
END_TEST

START_TEST(records_that_say_nothing)
{
    const struct record_trace trace = trace_of(samples, SAMPLES, "m/s2");
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = 1.5;
    expect_verdict(&trace, "no_oscillation");
    samples[77] = NAN;
    expect_verdict(&trace, "not_finite");
    memset(clean, 0, sizeof clean);
    clean[1000] = 1;
    add_noise(0.1, 12);
    samples[1000] = 0;
    expect_verdict(&trace, "no_blow");
    samples[1000] = samples[1001] = 100;
    expect_verdict(&trace, "no_ring_down");
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = exp(1e-3 * (double)i) * sin(0.4 * (double)i);
    expect_verdict(&trace, "no_blow");
    const struct record_trace few = trace_of(samples, 20, "m/s2"), none = trace_of(samples, 0, "m/s2");
    expect_verdict(&few, "too_few_samples");
    expect_verdict(&none, "too_few_samples");
}
END_TEST

/* A shaker does not stop. */
START_TEST(a_forced_sine)
{
    memset(clean, 0, sizeof clean);
    for (size_t i = 0; i < SAMPLES; i++)
        clean[i] = sin(0.4 * (double)i);
    add_noise(0.01, 13);
    const struct record_trace trace = trace_of(samples, SAMPLES, "m/s2");
    const struct ring_down found = look_at(&trace);
    ck_assert_msg(found.verdict == VERDICT_NO_BLOW || found.verdict == VERDICT_NOT_DECAYING, "%s",
                  verdict_name(found.verdict));
    /* One that is switched on passes for a blow. */
    for (size_t i = 0; i < 1024; i++)
        samples[i] -= clean[i];
    ck_assert_str_eq(verdict_name(look().verdict), "not_decaying");
}
END_TEST

/* 20 cycles, and four samples a cycle. */
START_TEST(motions_that_are_too_short_or_too_fast)
{
    hit(&bolted);
    add_noise(0.001, 14);
    const struct record_trace trace = trace_of(samples, (size_t)((BLOW_S + 0.12) * RATE_HZ), "m/s2");
    expect_verdict(&trace, "too_few_half_cycles");
    const struct struck_joint fast = {.omega_0 = 2 * M_PI * 700, .c = 3, .chi = 0, .r = 0};
    hit(&fast);
    add_noise(0.001, 15);
    const struct ring_down found = look();
    ck_assert_str_eq(verdict_name(found.verdict), "too_few_samples");
}
END_TEST

START_TEST(units_say_what_is_measured)
{
    static const char *const unknown[] = {"", "1", "V", "/s2", "g"};
    hit(&welded);
    add_noise(0.01, 16);
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        const struct record_trace trace = trace_of(samples, SAMPLES, unknown[i]);
        expect_verdict(&trace, "unit_unknown");
    }
    static const char *const known[] = {"mm/s2", "m/s^2", "m/s\xc2\xb2", "m/s", "mm"};
    double amplitude[5];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct record_trace trace = trace_of(samples, SAMPLES, known[i]);
        const struct ring_down found = look_at(&trace);
        ck_assert_str_eq(verdict_name(found.verdict), "ok");
        amplitude[i] = found.mode[0].amplitude_max;
    }
    ck_assert_double_eq_tol(amplitude[2], amplitude[1], 1e-9 * amplitude[1]);
    ck_assert_double_eq_tol(amplitude[3] / amplitude[2], welded.omega_0, 1);
    ck_assert_double_eq_tol(amplitude[4] / amplitude[3], welded.omega_0, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ring-downs");
    TCase *good = tcase_create("records of a mode"), *bad = tcase_create("records with something wrong");
    tcase_set_timeout(good, 60);
    seed_of_run();
    tcase_add_loop_test(good, a_joint_is_identified, 0, 3);
    tcase_add_loop_test(good, blows_are_compared, 0, 4);
    tcase_add_test(good, what_others_get_of_a_joint);
    tcase_add_loop_test(good, a_pair_beats, 0, 3);
    tcase_add_test(good, without_a_joint_a_mode_is_linear);
    tcase_add_test(good, clock_and_gain_are_part_of_the_uncertainty);
    tcase_add_test(good, what_changes_nothing);
    tcase_add_test(good, units_say_what_is_measured);
    tcase_set_timeout(bad, 60);
    tcase_add_test(bad, offset_drift_and_coarse_steps);
    tcase_add_test(bad, spikes_are_bridged);
    tcase_add_test(bad, the_ring_down_begins_behind_what_is_flagged_as_clipped);
    tcase_add_test(bad, more_samples_than_are_fitted);
    tcase_add_test(bad, clipped_crests_are_left_out);
    tcase_add_test(bad, a_second_blow_ends_the_record);
    tcase_add_test(bad, a_second_blow_at_once);
    tcase_add_test(bad, a_blow_that_is_not_in_the_record);
    tcase_add_test(bad, stamps_with_a_gap_and_stamps_without_order);
    tcase_add_test(bad, a_gap_before_the_blow);
    tcase_add_test(bad, stamps_that_leave_no_rate);
    tcase_add_test(bad, a_record_in_which_hardly_anything_fell);
    tcase_add_loop_test(bad, the_ring_down_ends_where_it_is_steps, 0, 2);
    tcase_add_test(bad, a_record_that_is_cut_early);
    tcase_add_loop_test(bad, a_short_record, 0, 3);
    tcase_add_test(bad, records_that_say_nothing);
    tcase_add_test(bad, a_forced_sine);
    tcase_add_test(bad, motions_that_are_too_short_or_too_fast);
    suite_add_tcase(suite, good);
    suite_add_tcase(suite, bad);
    TCase *stopped = tcase_create("stopped");
    suite_add_tcase(suite, stopped);
    tcase_set_timeout(stopped, 120);
    tcase_add_test(stopped, what_is_stopped_keeps_its_law);
    tcase_add_test(stopped, who_is_not_alone_says_that_more_was_to_come);
    return run_suite(suite);
}
