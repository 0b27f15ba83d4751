/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where a record begins: at the first extremum after the half cycle that follows the release, and behind all that the
 * sensor could not show. */

#include "random_lab.h"
#include "run_suite.h"
#include "segment_judge.h"

#include <math.h>

enum { RATE = 500, CYCLE = 250 };

static struct stream *rig(double zeta, double x_k, const struct sensor *sensor)
{
    const struct plant plant = {.omega_n = 2 * M_PI * RATE / CYCLE, .zeta = zeta, .x_k = x_k, .x_s = x_k};
    struct stream *stream = stream_create(11, &plant, sensor, RATE);
    stream_wait(stream, 300);
    stream_pull(stream, 1, 400, 0);
    stream_hold(stream, 300, 0);
    return stream;
}

static size_t first_after(const struct true_decay *decay, double position)
{
    size_t j = 0;
    while (j + 1 < decay->extrema && decay->extremum[j] < position)
        j++;
    return j;
}

/* One decay, whose record begins within a tenth of a cycle of this true extremum. */
static void assert_begins_at(const struct stream *stream, size_t extremum)
{
    const struct segment_settings settings = segment_default_settings();
    struct findings findings;
    findings_gather(stream, &settings, 16, &findings);
    ck_assert_uint_eq(findings.count, 1);
    double begins = findings.decays[0]->record.first_extremum_s * RATE;
    ck_assert_double_le(fabs(begins - stream->decays[0].extremum[extremum]), 0.1 * CYCLE);
    findings_clear(&findings);
}

/* No speed shows in steps of a thirtieth of X_0, nor in noise, but that the sensor stands at its limit for longer than
 * the motion could. */
static const struct sensor limited[] = {
    {.step = 0.0309, .offset = 0.2, .range = 0.9, .hides_clipping = true},
    {.step = 0.0474, .noise = 3e-4, .offset = -0.1, .range = 0.7, .hides_clipping = true},
    {.step = 0.0068, .noise = 6e-3, .offset = 0.2, .range = 0.9, .hides_clipping = true},
};

START_TEST(begins_behind_a_limit_that_nobody_flagged)
{
    struct stream *stream = rig(0.01, 0.01, &limited[_i]);
    stream_release(stream, 0, 500, 20000);
    const struct true_decay *decay = &stream->decays[0];
    ck_assert_double_gt(decay->usable, decay->released + CYCLE);
    assert_begins_at(stream, first_after(decay, decay->usable));
    stream_destroy(stream);
}
END_TEST

/* The same sensors with room on both sides: steps flatten crests, and that is no limit. */
START_TEST(takes_no_coarse_crest_for_a_limit)
{
    struct sensor sensor = limited[_i];
    sensor.range = 0;
    struct stream *stream = rig(0.01, 0.01, &sensor);
    stream_release(stream, 0, 500, 20000);
    assert_begins_at(stream, first_after(&stream->decays[0], stream->decays[0].released + 0.25 * CYCLE));
    stream_destroy(stream);
}
END_TEST

/* Let go with a velocity, so that the half cycle after the release is none that could be fitted; strongly damped, so
 * that hardly anything is left of the motion when its shape is known. */
START_TEST(begins_at_the_first_extremum_of_a_strongly_damped_motion)
{
    static const struct sensor sensors[] = {{.gain = 1}, {.noise = 5e-4}, {.step = 3e-3}};
    for (int i = -4; i <= 4; i++) {
        struct stream *stream = rig(0.14, 0.002, &sensors[_i]);
        stream_release(stream, 0.06 * i * stream->plant.omega_n, 500, 20000);
        assert_begins_at(stream, first_after(&stream->decays[0], stream->decays[0].released + 0.25 * CYCLE));
        stream_destroy(stream);
    }
}
END_TEST

/* A file that begins in the hold, less than a period before the mass is let go, and a hand that stops the motion after
 * a few half cycles: nobody sees what was before the hold, but so clean a motion is no beat. */
START_TEST(a_hold_that_a_stream_begins_with_may_be_short)
{
    enum { SAMPLES = 8000, RELEASED = 150, HALF_CYCLES = 5 };
    static double displacement[SAMPLES];
    static uint8_t flags[SAMPLES];
    const struct segment_settings settings = segment_default_settings();
    const double turn = 2 * M_PI / CYCLE, caught = (HALF_CYCLES * M_PI + 0.4 * _i) / turn;
    struct random random = {(uint64_t)_i + 1};
    for (int i = 0; i < SAMPLES; i++) {
        double since = i - RELEASED, free = fmin(fmax(since, 0), caught);
        displacement[i] = exp(-0.02 * turn * free) * cos(turn * free) + 1e-3 * random_normal(&random);
        if (since > caught)
            displacement[i] += 3 * (1 - exp(-(since - caught) / (3 * CYCLE)));
    }
    const struct stream stream = {
        .displacement = displacement, .flags = flags, .count = SAMPLES, .dt = 1.0 / RATE, .samples_per_cycle = CYCLE};
    struct findings findings;
    findings_gather(&stream, &settings, 16, &findings);
    ck_assert_uint_eq(findings.count, 1);
    ck_assert_uint_ge(findings.decays[0]->half_cycles, HALF_CYCLES - 2);
    ck_assert_double_le(fabs(findings.decays[0]->record.first_extremum_s * RATE - (RELEASED + CYCLE / 2.0)),
                        0.1 * CYCLE);
    findings_clear(&findings);
}
END_TEST

/* A limit of the user's ends a record before its first half cycles were measured again: they are then. */
START_TEST(a_record_that_a_limit_ends_soon_begins_where_others_do)
{
    struct verdicts verdicts = {.invented = 0};
    for (uint64_t seed = 90100000; seed < 90100060; seed++) {
        struct lab lab = lab_with_decays(seed);
        struct segment_settings settings = segment_default_settings();
        /* Six half cycles. */
        settings.max_duration_s = 3 * lab.stream->samples_per_cycle * lab.stream->dt;
        struct findings findings;
        findings_gather(lab.stream, &settings, 16, &findings);
        judge(&lab, &findings, &verdicts);
        findings_clear(&findings);
        stream_destroy(lab.stream);
    }
    ck_assert_uint_ge(verdicts.all.expected, 100);
    ck_assert_uint_eq(verdicts.all.missed + verdicts.all.early + verdicts.all.misplaced + verdicts.invented, 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("where a record begins");
    TCase *tests = tcase_create("starts");
    tcase_add_loop_test(tests, begins_behind_a_limit_that_nobody_flagged, 0, 3);
    tcase_add_loop_test(tests, takes_no_coarse_crest_for_a_limit, 0, 3);
    tcase_add_loop_test(tests, a_hold_that_a_stream_begins_with_may_be_short, 0, 4);
    tcase_add_test(tests, a_record_that_a_limit_ends_soon_begins_where_others_do);
    tcase_add_loop_test(tests, begins_at_the_first_extremum_of_a_strongly_damped_motion, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(suite());
}
