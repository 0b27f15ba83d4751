/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the record of a structure that was hit to what is said of its modes. */
#include "identify/ring_down/mode_backbone.h"
#include "identify/ring_down/mode_laws.h"
#include "identify/ring_down/mode_pair.h"
#include "run_suite.h"
#include "struck_record.h"
#include "thinning.h"

#include <stdatomic.h>

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
    ck_assert_ptr_null(mode->reason[REASON_BEAT]);
    ck_assert_ptr_null(mode->reason[REASON_CALM]);
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

/* What becomes of a backbone, which is the first that is looked for behind a law, from one of them on; or of what
 * belongs to a law itself. */
static struct {
    size_t laws; /* that are left alone; 0: all are */
    bool memory_is_short;
    bool at_limit, at_shape; /* these are stopped */
    bool at_pair;            /* a look at two modes of one band is stopped, */
    bool began;              /* behind a backbone that was begun with; */
    bool in_pair;            /* one mode is held against two there, which is no backbone behind a law */
    bool pair_lacks_memory;  /* memory is short for it */
    bool behind_first;       /* nothing comes behind the first law */
    atomic_bool cancel;
} behind;

void __real_mode_backbone(const struct mode_record *record, const struct law_fit *fit, const atomic_bool *cancel,
                          struct backbone *backbone);
void __wrap_mode_backbone(const struct mode_record *record, const struct law_fit *fit, const atomic_bool *cancel,
                          struct backbone *backbone);

void __wrap_mode_backbone(const struct mode_record *record, const struct law_fit *fit, const atomic_bool *cancel,
                          struct backbone *backbone)
{
    const bool last = !behind.in_pair && behind.laws > 0 && --behind.laws == 0;
    behind.began = behind.began || !behind.in_pair;
    if (last && behind.memory_is_short) {
        *backbone = (struct backbone){.verdict = VERDICT_NO_MEMORY};
        return;
    }
    if (last)
        atomic_store(&behind.cancel, true);
    __real_mode_backbone(record, fit, cancel, backbone);
}

void __real_mode_laws_of(const struct mode_record *record, const atomic_bool *cancel, struct mode_laws *laws);
void __wrap_mode_laws_of(const struct mode_record *record, const atomic_bool *cancel, struct mode_laws *laws);

void __wrap_mode_laws_of(const struct mode_record *record, const atomic_bool *cancel, struct mode_laws *laws)
{
    __real_mode_laws_of(record, cancel, laws);
    if (behind.behind_first)
        atomic_store(&behind.cancel, true);
}

void __real_mode_laws_limit(const struct mode_record *record, const atomic_bool *cancel, struct mode_laws *laws);
void __wrap_mode_laws_limit(const struct mode_record *record, const atomic_bool *cancel, struct mode_laws *laws);

void __wrap_mode_laws_limit(const struct mode_record *record, const atomic_bool *cancel, struct mode_laws *laws)
{
    if (behind.at_limit)
        atomic_store(&behind.cancel, true);
    __real_mode_laws_limit(record, cancel, laws);
}

enum verdict __real_mode_shape_of(const struct mode_record *record, const struct law_fit *law,
                                  const atomic_bool *cancel, struct mode_sensor *shape, struct mode_jump *jump);
enum verdict __wrap_mode_shape_of(const struct mode_record *record, const struct law_fit *law,
                                  const atomic_bool *cancel, struct mode_sensor *shape, struct mode_jump *jump);

enum verdict __wrap_mode_shape_of(const struct mode_record *record, const struct law_fit *law,
                                  const atomic_bool *cancel, struct mode_sensor *shape, struct mode_jump *jump)
{
    if (behind.at_shape)
        atomic_store(&behind.cancel, true);
    const enum verdict verdict = __real_mode_shape_of(record, law, cancel, shape, jump);
    return behind.at_shape ? VERDICT_CANCELLED : verdict;
}

void __real_mode_pair_of(const struct mode_record *record, const atomic_bool *cancel, struct mode_group *pair);
void __wrap_mode_pair_of(const struct mode_record *record, const atomic_bool *cancel, struct mode_group *pair);

void __wrap_mode_pair_of(const struct mode_record *record, const atomic_bool *cancel, struct mode_group *pair)
{
    if (behind.at_pair && behind.began)
        atomic_store(&behind.cancel, true);
    behind.in_pair = true;
    if (behind.pair_lacks_memory)
        *pair = (struct mode_group){.verdict = VERDICT_NO_MEMORY, .modes = 1};
    else
        __real_mode_pair_of(record, cancel, pair);
    behind.in_pair = false;
}

static bool says(const struct ring_down_mode *mode, enum mode_reason which, const char *what)
{
    return mode->reason[which] && strstr(mode->reason[which], what);
}

static enum verdict look_until(size_t laws, bool memory_is_short, bool *stopped, struct ring_down *found)
{
    const struct record_trace trace = trace_of(samples, SAMPLES, "m/s2");
    const struct record record = {&trace, 1, NULL};
    const struct identify_settings settings = {.cancel = &behind.cancel, .stopped = stopped};
    behind.laws = laws;
    behind.memory_is_short = memory_is_short;
    behind.began = false;
    *stopped = false;
    return analyse_ring_down(&record, VERDICT_OK, &settings, found);
}

static void expect_law(const struct ring_down_mode *mode)
{
    ck_assert_str_eq(verdict_name(mode->verdict), "ok");
    ck_assert(says(mode, REASON_STOPPED, "provisional"));
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

/* So does one whose limits or whose shape nobody came to. */
START_TEST(what_is_stopped_behind_its_fit_is_a_law)
{
    static struct ring_down found;
    bool stopped;
    hit(&bolted);
    add_noise(0.01, 7);
    for (int at_shape = 0; at_shape < 2; at_shape++) {
        behind.at_limit = !at_shape;
        behind.at_shape = at_shape;
        atomic_store(&behind.cancel, false);
        ck_assert_str_eq(verdict_name(look_until(0, false, &stopped, &found)), "ok");
        ck_assert(stopped);
        expect_law(&found.mode[0]);
        ck_assert_str_eq(verdict_name(found.mode[0].simulation.verdict), "cancelled");
    }
    behind.at_limit = behind.at_shape = false;
}
END_TEST

/* The bolted joint, and a linear mode of 330 Hz beside it. */
static void hit_with_another(void)
{
    hit(&bolted);
    const double other = 0.3 * first_value(clean);
    for (size_t i = (size_t)(BLOW_S * RATE_HZ) + 1; i < SAMPLES; i++) {
        const double t = (double)i / RATE_HZ - BLOW_S;
        clean[i] += other * exp(-0.002 * 2 * M_PI * 330 * t) * sin(2 * M_PI * 330 * t);
    }
    add_noise(0.01, 7);
}

/* Both are looked at until that backbone is stopped, or memory is short for it. */
static void look_at_both_until(size_t backbone, bool memory_is_short, struct ring_down *found)
{
    bool stopped;
    hit_with_another();
    atomic_store(&behind.cancel, false);
    ck_assert_str_eq(verdict_name(look_until(backbone, memory_is_short, &stopped, found)), "ok");
    ck_assert(stopped == !memory_is_short);
    ck_assert(found->cut_short && strstr(found->cut_short, memory_is_short ? "memory" : "ladder_deadline_s"));
}

/* A mode that is known says when another one was not looked at any more. */
START_TEST(who_is_not_alone_says_that_more_was_to_come)
{
    static struct ring_down found;
    for (int memory_is_short = 0; memory_is_short < 2; memory_is_short++) {
        look_at_both_until(2, memory_is_short, &found);
        ck_assert_uint_ge(found.mode_count, 2);
        for (size_t r = 0; r < found.mode_count; r++)
            ck_assert(says(&found.mode[r], REASON_STOPPED, "provisional"));
    }
}
END_TEST

/* What is stopped when each mode is looked at without the other one keeps all that was known of them before. */
START_TEST(what_is_stopped_in_a_wide_look_keeps_its_backbones)
{
    enum { BEFORE = 2 };
    static struct ring_down found;
    for (int memory_is_short = 0; memory_is_short < 2; memory_is_short++) {
        look_at_both_until(BEFORE + 1, memory_is_short, &found);
        ck_assert_uint_eq(found.mode_count, 2);
        for (size_t r = 0; r < 2; r++) {
            ck_assert_str_eq(verdict_name(found.mode[r].simulation.verdict), "ok");
            ck_assert_uint_eq(found.mode[r].points, BACKBONE_POINTS);
            ck_assert(says(&found.mode[r], REASON_STOPPED, "provisional"));
        }
    }
}
END_TEST

/* What is stopped in the backbone of its first mode has the laws of all. */
START_TEST(laws_come_first)
{
    static struct ring_down found;
    for (int memory_is_short = 0; memory_is_short < 2; memory_is_short++) {
        look_at_both_until(1, memory_is_short, &found);
        ck_assert_uint_eq(found.mode_count, 2);
        expect_law(&found.mode[0]);
        ck_assert_str_eq(verdict_name(found.mode[1].verdict), "ok");
        ck_assert(says(&found.mode[1], REASON_STOPPED, "provisional"));
        expect_near(&found.mode[1].omega_0, 2 * M_PI * 330);
        for (size_t r = 0; r < 2; r++)
            ck_assert_str_eq(verdict_name(found.mode[r].simulation.verdict),
                             memory_is_short ? "no_memory" : "cancelled");
        ck_assert_uint_eq(found.left.count, 0);
    }
}
END_TEST

/* A line that nobody came to is no mode yet, and is told; where all is looked at nothing is cut short. */
START_TEST(who_was_not_looked_at_is_left_out)
{
    static struct ring_down found;
    bool stopped, told = false;
    hit_with_another();
    atomic_store(&behind.cancel, false);
    behind.behind_first = true;
    ck_assert_str_eq(verdict_name(look_until(0, false, &stopped, &found)), "ok");
    behind.behind_first = false;
    ck_assert(stopped && found.cut_short);
    ck_assert_str_eq(verdict_name(found.mode[0].simulation.verdict), "cancelled");
    ck_assert_uint_eq(found.mode_count, 1);
    for (size_t k = 0; k < found.left.count; k++)
        told = told || (found.left.line[k].cause == LEFT_STOPPED && fabs(found.left.line[k].f_hz - 330) < 1);
    ck_assert(told);
    atomic_store(&behind.cancel, false);
    ck_assert_str_eq(verdict_name(look_until(0, false, &stopped, &found)), "ok");
    ck_assert(!stopped && !found.cut_short);
    ck_assert_uint_eq(found.mode_count, 2);
}
END_TEST

/* What its neighbours might have told of a mode is open; that a record is too short for it is not. */
START_TEST(what_later_looks_might_tell_is_left_open)
{
    struct ring_down_mode mode = {.verdict = VERDICT_UNDERDETERMINED};
    ring_down_mode_is_left_open(&mode, VERDICT_CANCELLED);
    ck_assert_str_eq(verdict_name(mode.verdict), "cancelled");
    ck_assert(says(&mode, REASON_LAW, "provisional"));
    mode = (struct ring_down_mode){.verdict = VERDICT_TOO_FEW_HALF_CYCLES};
    ring_down_mode_is_left_open(&mode, VERDICT_CANCELLED);
    ck_assert_str_eq(verdict_name(mode.verdict), "too_few_half_cycles");
}
END_TEST

/* The first answer has the laws that bands show, and waits for nothing else. */
START_TEST(the_first_answer_waits_for_no_wide_look)
{
    static struct ring_down found;
    const struct record_trace trace = trace_of(samples, SAMPLES, "m/s2");
    const struct record record = {&trace, 1, NULL};
    const struct struck_joint other = {.omega_0 = 2 * M_PI * 330, .c = 6, .chi = 0, .r = 0};
    hit(&bolted);
    struck_joint_add(other, BLOW_S, 0.001, 100, RATE_HZ, SAMPLES, clean);
    add_noise(0.005, 7);
    for (int more_follows = 1; more_follows >= 0; more_follows--) {
        const struct identify_settings settings = {.more_follows = more_follows};
        ck_assert_str_eq(verdict_name(analyse_ring_down(&record, VERDICT_OK, &settings, &found)), "ok");
        ck_assert_uint_eq(found.mode_count, 2);
        expect_near(&found.mode[0].omega_0, bolted.omega_0);
        expect_near(&found.mode[1].omega_0, other.omega_0);
        for (size_t r = 0; r < 2; r++) {
            /* A wide look is one without a filter, or in a band from 0 on. */
            const bool wide = found.mode[r].begins != RING_DOWN_FILTER || found.mode[r].band_hz[0] < 1;
            ck_assert_int_eq(wide, !more_follows);
            ck_assert_uint_eq(found.mode[r].points, more_follows ? 0 : BACKBONE_POINTS);
        }
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
        ck_assert(found.mode[0].iwan.there || found.mode[0].reason[REASON_LAW]);
    }
    ck_assert_int_le(joints, 2);
}
END_TEST

/* The Cramér-Rao bound of the frequency, and of alpha, of a linear mode: rad/s. The noise of a sample is that share of
 * the first crest. */
static double linear_bound(double alpha, double noise)
{
    return 4 * pow(alpha, 1.5) * noise / sqrt(RATE_HZ);
}

/* A joint that is too weak to show: what is said of small amplitudes holds the truth, and where the record tells most
 * it is nearly as sure as of a mode that is known to be linear. */
START_TEST(a_joint_that_is_too_weak_to_show)
{
    const struct struck_joint weak = {.omega_0 = 754, .c = 3, .chi = -0.5, .r = 4e3};
    const double alpha = 0.5 * weak.c, noise = 0.05, bound = linear_bound(alpha, noise);
    int linear = 0, held = 0, held_by_bound = 0;
    hit(&weak);
    for (unsigned long seed = 1; seed <= 8; seed++) {
        add_noise(noise, seed);
        const struct ring_down found = look();
        const struct ring_down_mode *mode = &found.mode[0];
        ck_assert_uint_eq(found.mode_count, 1);
        if (mode->model != MODE_LINEAR)
            continue;
        const double error = fabs(mode->omega_0.value - weak.omega_0);
        double least = INFINITY;
        for (size_t i = 0; i < mode->law_points; i++)
            least = fmin(least, mode->law[i].se_omega);
        linear++;
        held += error < 1.96 * mode->omega_0.se;
        held_by_bound += error < 1.96 * bound;
        ck_assert_double_le(least, 2 * bound);
        ck_assert(says(mode, REASON_LAW, "too weak to show"));
        expect_near(&mode->zeta_0, alpha / weak.omega_0);
    }
    ck_assert_int_ge(linear, 5);
    ck_assert_int_ge(held, linear - 2);
    ck_assert_int_le(held_by_bound, linear / 2);
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
    ck_assert_double_eq_tol(other->omega_0.value / one->omega_0.value, 1, 1e-9);
    ck_assert_double_eq_tol(other->zeta_0.value / one->zeta_0.value, 1, 1e-7);
    ck_assert_double_eq_tol(other->zeta_0.se / one->zeta_0.se, 1, 1e-6);
    ck_assert_double_eq_tol(other->iwan.chi.value, one->iwan.chi.value, 1e-7);
    ck_assert_double_eq_tol(other->amplitude_max / one->amplitude_max, 1000, 1e-4);
    ck_assert_double_eq_tol(other->backbone[30].zeta / one->backbone[30].zeta, 1, 1e-7);
    ck_assert_double_eq_tol(other->backbone[30].se_zeta / one->backbone[30].se_zeta, 1, 1e-6);
    const double factor = pow(1000, -one->iwan.chi.value - 1);
    ck_assert_double_eq_tol(other->iwan.r.value / one->iwan.r.value / factor, 1, 1e-6);
}
END_TEST

/* The bolted joint, and beside it another mode, which is told. */
static struct struck_joint hit_a_pair(double apart)
{
    struct struck_joint other = welded;
    other.omega_0 *= apart;
    other.c *= 1.2;
    hit(&bolted);
    struck_joint_add(other, BLOW_S, 0.003, 60, RATE_HZ, SAMPLES, clean);
    add_noise(0.002, 21);
    return other;
}

/* Where a pair was given up in its first mode the second one is named, be it a pair at once or one that beats. */
START_TEST(the_second_of_a_pair_is_named)
{
    static const double apart[2] = {1.05, 1.01};
    static struct ring_down found;
    const int beats = _i % 2;
    const bool memory_is_short = _i / 2;
    bool stopped;
    hit_a_pair(apart[beats]);
    atomic_store(&behind.cancel, false);
    ck_assert_str_eq(verdict_name(look_until(1 + (size_t)beats, memory_is_short, &stopped, &found)), "ok");
    ck_assert(stopped == !memory_is_short);
    ck_assert_uint_eq(found.mode_count, 2);
    for (size_t r = 0; r < 2; r++) {
        const struct ring_down_mode *mode = &found.mode[r];
        ck_assert(ring_down_share_band(mode, &found.mode[0]));
        if (mode->verdict == VERDICT_OK)
            ck_assert(says(mode, REASON_STOPPED, "provisional"));
        else
            ck_assert_str_eq(verdict_name(mode->verdict), memory_is_short ? "no_memory" : "cancelled");
    }
    ck_assert(found.mode[0].verdict == VERDICT_OK || found.mode[1].verdict == VERDICT_OK);
    ck_assert(!beats || found.mode[0].verdict != VERDICT_OK || found.mode[1].verdict != VERDICT_OK);
}
END_TEST

/* Two peaks that memory is short for are not taken for one mode each, in bands that both are in. */
START_TEST(a_pair_that_memory_is_short_for_is_given_up)
{
    static struct ring_down found;
    bool stopped;
    hit_a_pair(1.05);
    atomic_store(&behind.cancel, false);
    behind.pair_lacks_memory = true;
    ck_assert_str_eq(verdict_name(look_until(0, false, &stopped, &found)), "no_memory");
    behind.pair_lacks_memory = false;
}
END_TEST

/* Where the laws of a pair that beats are known, beside another mode, a stop does not make one mode of it again, be it
 * in the backbone of that one or in the look at both. */
START_TEST(a_stop_leaves_the_laws_of_a_pair)
{
    static struct ring_down found;
    bool stopped;
    const struct struck_joint other = hit_a_pair(1.01), third = {.omega_0 = 2 * M_PI * 330, .c = 6};
    struck_joint_add(third, BLOW_S, 0.001, 60, RATE_HZ, SAMPLES, clean);
    add_noise(0.002, 21);
    atomic_store(&behind.cancel, false);
    behind.at_pair = _i;
    ck_assert_str_eq(verdict_name(look_until(!_i, false, &stopped, &found)), "ok");
    behind.at_pair = false;
    ck_assert(stopped);
    ck_assert_uint_eq(found.mode_count, 3);
    const double omega_0[3] = {bolted.omega_0, other.omega_0, third.omega_0};
    for (size_t r = 0; r < 3; r++) {
        ck_assert_str_eq(verdict_name(found.mode[r].verdict), "ok");
        expect_near(&found.mode[r].omega_0, omega_0[r]);
        ck_assert(says(&found.mode[r], REASON_STOPPED, "provisional"));
        ck_assert_str_eq(verdict_name(found.mode[r].simulation.verdict), "cancelled");
    }
}
END_TEST

/* A doubt is told beside the reason that all was stopped. */
START_TEST(a_stop_leaves_doubts)
{
    struct ring_down_mode mode = {.reason[REASON_BACKBONE] = "doubtful", .reason[REASON_LAW] = "no joint"};
    ring_down_mode_is_cut_short(&mode, VERDICT_CANCELLED);
    ck_assert(says(&mode, REASON_STOPPED, "provisional"));
    ck_assert(says(&mode, REASON_BACKBONE, "doubtful"));
    ck_assert(says(&mode, REASON_LAW, "no joint"));
}
END_TEST

/* 3 % of the blow in noise of 5 %: too little to be seen beside any smooth motion, and enough to move damping or
 * frequency by several of their errors. Who knows the law sees the motion jump. */
START_TEST(a_knock_that_only_the_law_shows_is_a_doubt)
{
    enum { KNOCKED = 6 };
    const struct struck_joint linear = {.omega_0 = 2 * M_PI * 100, .c = 2 * 0.0015 * 2 * M_PI * 100};
    int told[2] = {0};
    for (int record = 0; record < 2 * KNOCKED; record++) {
        const int knocked = record % 2;
        hit(&linear);
        struck_joint_add(linear, BLOW_S + 0.9, 0.003, knocked * 0.03 * 80, RATE_HZ, SAMPLES, clean);
        add_noise(0.05, 1 + (unsigned long)record / 2);
        const struct ring_down found = look();
        ck_assert_str_eq(verdict_name(found.verdict), "ok");
        ck_assert_uint_eq(found.mode_count, 1);
        told[knocked] += says(&found.mode[0], REASON_KNOCK, "doubtful");
        ck_assert(knocked || found.ended_by == RING_DOWN_RECORD_ENDS);
    }
    ck_assert_int_eq(told[0], 0);
    ck_assert_int_ge(told[1], KNOCKED / 2);
}
END_TEST

/* One sensor tells a pair by its beats. */
START_TEST(a_pair_beats)
{
    static const double apart[3] = {1.01, 1.025, 1.05};
    const struct struck_joint other = hit_a_pair(apart[_i]);
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

/* Two modes without a joint move against each other so that no backbone of one follows their beats. */
START_TEST(a_pair_without_joints_beats)
{
    static const double f_hz[3][2] = {{94.7, 95.75}, {150.5, 152.7}, {161.1, 163.2}};
    static const double zeta[3][2] = {{0.0041, 0.0041}, {0.0041, 0.0037}, {0.0043, 0.0034}};
    static const double strength[3] = {-100, -60, 60};
    memset(clean, 0, sizeof clean);
    for (int r = 0; r < 2; r++) {
        struct struck_joint mode = welded;
        mode.omega_0 = 2 * M_PI * f_hz[_i][r];
        mode.c = 2 * zeta[_i][r] * mode.omega_0;
        struck_joint_add(mode, BLOW_S, 0.002, r == 0 ? 80 : strength[_i], RATE_HZ, SAMPLES, clean);
    }
    add_noise(0.004, 3);
    const struct ring_down found = look();
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_uint_eq(found.mode_count, 2);
    for (int r = 0; r < 2; r++) {
        ck_assert_int_eq(found.mode[r].model, MODE_LINEAR);
        expect_near(&found.mode[r].omega_0, 2 * M_PI * f_hz[_i][r]);
        expect_near(&found.mode[r].zeta_0, zeta[_i][r]);
    }
}
END_TEST

/* A mode that is let go at the first sample, whose joint no Iwan model has: its frequency falls by the logarithm of the
 * amplitude. By the midpoint rule. */
static const struct {
    double omega, zeta, zeta_j, exponent, softening;
} off_law = {.omega = 2 * M_PI * 90.4, .zeta = 0.002, .zeta_j = 0.0022, .exponent = 0.93, .softening = 0.0015};

static double zeta_off_law(double share)
{
    return off_law.zeta + off_law.zeta_j * pow(share, off_law.exponent);
}

static double omega_off_law(double share)
{
    return off_law.omega * (1 - off_law.softening * (1 + 0.25 * log(share + 0.003)));
}

static void let_go_off_law(void)
{
    enum { STEPS = 16 };
    const double step_s = 1 / (RATE_HZ * STEPS);
    double share = 1, phase = 0.3;
    for (size_t i = 0; i < STEPS * SAMPLES; i++) {
        if (i % STEPS == 0)
            clean[i / STEPS] = share * cos(phase);
        const double middle = share * (1 - 0.5 * step_s * off_law.omega * zeta_off_law(share));
        share -= step_s * off_law.omega * middle * zeta_off_law(middle);
        phase += step_s * omega_off_law(middle);
    }
}

/* One mode, of which it is doubtful whether it is one, and so with a curve and no law. */
static const struct ring_down_mode *only_mode_in_doubt(const struct ring_down *found)
{
    const struct ring_down_mode *mode = &found->mode[0];
    ck_assert_str_eq(verdict_name(found->verdict), "ok");
    ck_assert_uint_eq(found->mode_count, 1);
    ck_assert(says(mode, REASON_BEAT, "doubtful"));
    ck_assert_int_eq(mode->recommended, MODE_BACKBONE);
    return mode;
}

/* In such noise two laws explain it as well, and far better than the law of one mode. */
START_TEST(a_joint_off_its_law_is_no_pair)
{
    static const unsigned long seeds[3] = {15, 7, 41};
    let_go_off_law();
    for (int k = 0; k < 3; k++) {
        add_noise(0.01 * (k + 1), seeds[k]);
        const struct ring_down found = look();
        const struct ring_down_mode *mode = only_mode_in_doubt(&found);
        for (size_t i = 0; i < mode->points; i++) {
            const struct backbone_point *point = &mode->backbone[i];
            const double share = point->amplitude * point->omega * point->omega;
            ck_assert_double_eq_tol(point->zeta, zeta_off_law(share), 4 * point->se_zeta);
            ck_assert_double_eq_tol(point->omega, omega_off_law(share), 4 * point->se_omega);
        }
    }
}
END_TEST

/* Of 1 % of the blow, a quarter of a hertz below the mode, through the whole record. */
START_TEST(hum_that_a_mode_hides_is_doubted)
{
    const double f_hz = bolted.omega_0 / (2 * M_PI) - 0.25;
    hit(&bolted);
    const double size = 0.01 * first_value(clean);
    for (size_t i = 0; i < SAMPLES; i++)
        clean[i] += size * sin(2 * M_PI * f_hz * (double)i / RATE_HZ + 1);
    add_noise(0.01, 7);
    const struct ring_down found = look();
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert(says(&found.mode[0], REASON_CALM, "doubtful"));
    ck_assert_uint_eq(found.line_count, 1);
    ck_assert_double_eq_tol(found.line[0].f_hz, f_hz, 4 * found.line[0].se_f_hz);
    ck_assert_double_eq_tol(found.line[0].amplitude, size / pow(2 * M_PI * f_hz, 2), 4 * found.line[0].se_amplitude);
}
END_TEST

/* Within the record they beat once. What is told is of neither of them, and lists show no more than lies between. */
START_TEST(a_pair_too_near_to_be_told_apart_is_doubted)
{
    static const double of_first[3] = {0.8, 0.6, 1.3}, zeta = 0.002;
    const double f_hz[2] = {120, _i < 3 ? 120.3 : 119.7};
    memset(clean, 0, sizeof clean);
    for (int r = 0; r < 2; r++) {
        struct struck_joint mode = welded;
        mode.omega_0 = 2 * M_PI * f_hz[r];
        mode.c = 2 * zeta * mode.omega_0;
        struck_joint_add(mode, BLOW_S, 0.003, r == 0 ? 80 : 80 * of_first[_i % 3], RATE_HZ, SAMPLES, clean);
    }
    add_noise(0.005, 8);
    const struct ring_down found = look();
    const struct ring_down_mode *mode = only_mode_in_doubt(&found);
    ck_assert_double_eq_tol(mode->zeta_0.value, zeta, 3 * mode->zeta_0.se);
    ck_assert_double_eq_tol(found.zeta.value, zeta, 2 * found.zeta.se);
    ck_assert_double_eq_tol(found.f_n_hz.value, f_hz[0], 2 * found.f_n_hz.se);
}
END_TEST

/* No two laws explain three modes, nor does one, however much it bends. */
START_TEST(three_that_are_not_told_apart_are_named)
{
    static const double f_hz[3] = {91.1, 92.1, 92.9};
    memset(clean, 0, sizeof clean);
    for (int r = 0; r < 3; r++)
        struck_joint_add((struct struck_joint){.omega_0 = 2 * M_PI * f_hz[r], .c = 4}, BLOW_S, 0.003,
                         r == _i ? -80 : 80, RATE_HZ, SAMPLES, clean);
    add_noise(0.004, 5);
    ck_assert_str_eq(verdict_name(look().mode[0].verdict), "modes_too_near");
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
    TCase *whole = tcase_create("modes"), *stopped = tcase_create("stopped");
    tcase_set_timeout(whole, 60);
    seed_of_run();
    add_thinned_loop_test(whole, a_joint_is_identified, 3);
    tcase_add_test(whole, what_others_get_of_a_joint);
    add_thinned_loop_test(whole, a_pair_beats, 3);
    tcase_add_loop_test(whole, a_pair_without_joints_beats, 0, 3);
    tcase_add_test(whole, a_joint_off_its_law_is_no_pair);
    tcase_add_test(whole, hum_that_a_mode_hides_is_doubted);
    tcase_add_loop_test(whole, a_pair_too_near_to_be_told_apart_is_doubted, 0, 6);
    tcase_add_loop_test(whole, three_that_are_not_told_apart_are_named, 0, 4);
    tcase_add_test(whole, without_a_joint_a_mode_is_linear);
    tcase_add_test(whole, a_joint_that_is_too_weak_to_show);
    tcase_add_test(whole, clock_and_gain_are_part_of_the_uncertainty);
    tcase_add_test(whole, what_changes_nothing);
    tcase_add_test(whole, units_say_what_is_measured);
    suite_add_tcase(suite, whole);
    TCase *knocks = tcase_create("knocks");
    tcase_set_timeout(knocks, 60);
    tcase_add_test(knocks, a_knock_that_only_the_law_shows_is_a_doubt);
    suite_add_tcase(suite, knocks);
    tcase_set_timeout(stopped, 120);
    tcase_add_test(stopped, what_is_stopped_keeps_its_law);
    tcase_add_test(stopped, what_is_stopped_behind_its_fit_is_a_law);
    tcase_add_loop_test(stopped, the_second_of_a_pair_is_named, 0, 4);
    tcase_add_test(stopped, a_pair_that_memory_is_short_for_is_given_up);
    tcase_add_loop_test(stopped, a_stop_leaves_the_laws_of_a_pair, 0, 2);
    tcase_add_test(stopped, a_stop_leaves_doubts);
    tcase_add_test(stopped, the_first_answer_waits_for_no_wide_look);
    tcase_add_test(stopped, who_is_not_alone_says_that_more_was_to_come);
    tcase_add_test(stopped, what_is_stopped_in_a_wide_look_keeps_its_backbones);
    tcase_add_test(stopped, laws_come_first);
    tcase_add_test(stopped, who_was_not_looked_at_is_left_out);
    tcase_add_test(stopped, what_later_looks_might_tell_is_left_open);
    suite_add_tcase(suite, stopped);
    return run_suite(suite);
}
