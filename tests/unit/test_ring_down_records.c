/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of a structure that was hit with something in them besides one ring-down, and records that say nothing. */
#include "run_suite.h"
#include "struck_record.h"
#include "thinning.h"

#include <stdlib.h>

static double stamps[SAMPLES];

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

/* Rounding makes the amplitude of a motion go to and fro by leaps where the sensor has no noise, which are no knock. */
START_TEST(steps_of_a_converter_are_no_knock)
{
    static const struct struck_joint mild = {.omega_0 = 757.4, .c = 1.51, .chi = -0.3, .r = 2.0e6};
    memset(clean, 0, sizeof clean);
    struck_joint_add(mild, BLOW_S, 0.004, 100, RATE_HZ, SAMPLES, clean);
    const double step = first_value(clean) * (1 + 0.013 * (double)_i) / 100;
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = step * round(clean[i] / step + 0.37 * (double)_i);
    const struct ring_down found = look();
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_int_ne(found.ended_by, RING_DOWN_KNOCK);
    ck_assert(isnan(found.double_hit_s));
    ck_assert_uint_eq(found.mode_count, 1);
    ck_assert_ptr_null(found.mode[0].reason[REASON_KNOCK]);
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

/* Of two blows whose ring-downs are both too short the first is told, which has a mode, and not the last, behind which
 * the record ends at once. */
START_TEST(of_blows_that_tell_little_the_first_is_told)
{
    const size_t again = (size_t)((BLOW_S + 0.13) * RATE_HZ), ends = again + (size_t)(0.02 * RATE_HZ);
    hit(&bolted);
    struck_joint_add(bolted, BLOW_S + 0.13, 0.003, 400, RATE_HZ, SAMPLES, clean);
    add_noise(0.0001, 5);
    const struct record_trace both = trace_of(samples, ends, "m/s2");
    const struct ring_down found = look_at(&both);
    ck_assert_uint_eq(found.blows, 2);
    ck_assert_str_ne(verdict_name(found.verdict), "ok");
    ck_assert_str_ne(verdict_name(found.verdict), "no_ring_down");
    ck_assert_double_eq_tol(found.blow_s, BLOW_S, 0.005);
    ck_assert_int_eq(found.ended_by, RING_DOWN_NEXT_BLOW);
    ck_assert_uint_eq(found.mode_count, 1);
    ck_assert_double_lt(found.mode[0].band_hz[0], 120);
    ck_assert_double_gt(found.mode[0].band_hz[1], 120);
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
    ck_assert_double_eq(found.start_s, 0);
    expect_near(&found.mode[0].omega_0, bolted.omega_0);
}
END_TEST

/* One that begins so shortly before its blow that there is no calm, or in it, has none either; but what the hammer
 * pushed is no motion of a joint that slips as a whole. */
START_TEST(a_record_that_begins_at_its_blow)
{
    static const double before_s[] = {0.013, 0.008, 0.002, -0.001};
    static const double noise[] = {0.002, 0.05};
    const double left_s = BLOW_S + 0.003 * 5 / 6; /* what it pushed then makes a fifteenth of the motion */
    hit(&bolted);
    for (size_t i = 0; i < 8; i++) {
        add_noise(noise[i % 2], 9 + i);
        const size_t from = (size_t)((BLOW_S - before_s[i / 2]) * RATE_HZ);
        const struct record_trace trace = trace_of(samples + from, SAMPLES - from, "m/s2");
        const struct ring_down found = look_at(&trace);
        ck_assert_str_eq(verdict_name(found.verdict), "ok");
        ck_assert(isnan(found.blow_s));
        ck_assert_double_ge(found.start_s + (double)from / RATE_HZ, left_s);
        ck_assert_double_le(found.start_s + (double)from / RATE_HZ, left_s + 0.01);
        ck_assert_uint_eq(found.mode_count, 1);
        ck_assert_int_eq(found.mode[0].model, MODE_MICROSLIP);
        ck_assert_int_eq(found.mode[0].begins, RING_DOWN_HAMMER_LEFT);
        ck_assert(isnan(found.mode[0].iwan.f_s.value));
        expect_near(&found.mode[0].omega_0, bolted.omega_0);
        expect_near(&found.mode[0].iwan.chi, bolted.chi);
    }
}
END_TEST

/* What was hit, of which every sample has a time of its own in stamps. */
static struct record_trace stamped_record_of(const struct struck_joint *joint)
{
    hit(joint);
    add_noise(0.01, 10);
    struct record_trace trace = trace_of(samples, SAMPLES, "m/s2");
    trace.time_s = stamps;
    return trace;
}

/* Where samples are missing the ring-down ends; where they come at any time there is none. */
START_TEST(stamps_with_a_gap_and_stamps_without_order)
{
    struct record_trace trace = stamped_record_of(&bolted);
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
    struct record_trace trace = stamped_record_of(&welded);
    const size_t gaps[] = {1, 2, (size_t)(0.5 * BLOW_S * RATE_HZ)};
    for (size_t k = 0; k < sizeof gaps / sizeof gaps[0]; k++) {
        for (size_t i = 0; i < SAMPLES; i++)
            stamps[i] = (double)i / RATE_HZ + (i < gaps[k] ? 0 : 5);
        const struct ring_down found = look_at(&trace);
        ck_assert_str_eq(verdict_name(found.verdict), "ok");
        ck_assert_uint_eq(found.blows, 1);
        ck_assert_double_eq_tol(found.blow_s, BLOW_S + 5, 0.005);
        ck_assert_int_eq(found.ended_by, RING_DOWN_RECORD_ENDS);
        expect_near(&found.mode[0].omega_0, welded.omega_0);
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
    struct record_trace trace = stamped_record_of(&bolted);
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

/* A motion that is gone within two cycles falls, but does not ring; and noise was not struck. */
START_TEST(a_thump_and_noise)
{
    const double f_hz = 20 + 15 * (double)_i, zeta = 0.3 + 0.04 * (double)_i;
    const struct struck_joint thump = {.omega_0 = 2 * M_PI * f_hz, .c = 4 * M_PI * f_hz * zeta, .chi = 0, .r = 0};
    hit(&thump);
    add_noise(_i % 2 ? 0.0005 : 0.005, 20 + (unsigned long)_i);
    const struct ring_down found = look();
    ck_assert_str_eq(verdict_name(found.verdict), "no_ring_down");
    for (size_t r = 0; r < found.mode_count; r++)
        ck_assert_int_ne(found.mode[r].verdict, VERDICT_NOT_DECAYING);
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] -= clean[i];
    ck_assert_str_eq(verdict_name(look().verdict), "no_blow");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("records of ring-downs");
    TCase *records = tcase_create("records");
    tcase_set_timeout(records, 60);
    seed_of_run();
    add_thinned_loop_test(records, blows_are_compared, 4);
    tcase_add_test(records, offset_drift_and_coarse_steps);
    tcase_add_loop_test(records, steps_of_a_converter_are_no_knock, 0, 24);
    tcase_add_test(records, spikes_are_bridged);
    tcase_add_test(records, the_ring_down_begins_behind_what_is_flagged_as_clipped);
    tcase_add_test(records, more_samples_than_are_fitted);
    tcase_add_test(records, clipped_crests_are_left_out);
    tcase_add_test(records, a_second_blow_ends_the_record);
    tcase_add_test(records, a_second_blow_at_once);
    tcase_add_test(records, of_blows_that_tell_little_the_first_is_told);
    tcase_add_test(records, a_blow_that_is_not_in_the_record);
    tcase_add_test(records, a_record_that_begins_at_its_blow);
    tcase_add_test(records, stamps_with_a_gap_and_stamps_without_order);
    tcase_add_test(records, a_gap_before_the_blow);
    tcase_add_test(records, stamps_that_leave_no_rate);
    tcase_add_loop_test(records, the_ring_down_ends_where_it_is_steps, 0, 2);
    tcase_add_test(records, records_that_say_nothing);
    tcase_add_test(records, a_forced_sine);
    tcase_add_loop_test(records, a_thump_and_noise, 0, 10);
    suite_add_tcase(suite, records);
    return run_suite(suite);
}
