/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What hands do, one thing at a time: a campaign shows how often, these show what. */

#include "identify/decay/record.h"
#include "run_suite.h"
#include "segment_harness.h"

#include <math.h>

enum { RATE = 500, CYCLE = 100 };

static struct stream *bench(double zeta, double x_k)
{
    const struct plant plant = {.omega_n = 10 * M_PI, .zeta = zeta, .x_k = x_k, .x_s = x_k};
    const struct sensor sensor = {.noise = 1e-3, .gain = 1};
    struct stream *stream = stream_create(7, &plant, &sensor, RATE);
    stream_wait(stream, 300);
    return stream;
}

static void gather(const struct stream *stream, struct findings *findings)
{
    struct segment_settings settings = segment_default_settings();
    findings_gather(stream, &settings, 16, findings);
}

static double record_end(const struct decay *decay)
{
    return (double)decay->first_index + (double)decay->record.count - 1;
}

/* A blow against the motion takes a third of its velocity at mid-swing: the swings go on falling, but not by the law.
 */
START_TEST(a_weakening_blow_starts_a_decay_of_its_own)
{
    struct stream *stream = bench(0.01, 0.002);
    stream_pull(stream, 1, 400, 0);
    stream_hold(stream, 300, 0);
    stream_release(stream, 0, 500, 10.25 * CYCLE);
    double blow = (double)stream->count;
    stream_blow(stream, -stream->plant.v / 3, 1, 500, 20000);
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 2);
    ck_assert_int_eq(findings.decays[0]->ended_by, DECAY_END_NEW_EXCITATION);
    ck_assert_double_le(record_end(findings.decays[0]), blow);
    ck_assert_double_ge(record_end(findings.decays[0]), blow - CYCLE);
    ck_assert_uint_ge((unsigned)findings.decays[1]->first_index, (unsigned)blow);
    ck_assert_int_eq(findings.decays[1]->ended_by, DECAY_END_REST);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

/* Samples are lost while the mass swings; soon after them it is taken out of that within a sample, put down, and let go
 * for another motion, faster and smaller than the first one was at its end: what stood still fades no more. */
START_TEST(a_motion_that_was_cut_hides_no_smaller_one)
{
    const struct plant plant = {.omega_n = 6.4 * M_PI, .zeta = 0.006, .x_k = 0.005, .x_s = 0.005};
    const struct sensor sensor = {.noise = 1e-4, .gain = 1};
    for (int cut = 0; cut < 60; cut++) {
        struct stream *stream = stream_create(7 + (uint64_t)cut, &plant, &sensor, 4 * RATE);
        stream_wait(stream, 600);
        stream_pull(stream, 1, 700, 0);
        stream_hold(stream, 900, 0);
        size_t lost = stream->count + 4000;
        stream_release(stream, 0, 0, 7800 + 20 * cut);
        stream_lose(stream, lost, 2500);
        stream->plant.x = stream->plant.v = 0;
        stream_hold(stream, 900, 0);
        stream_pull(stream, 0.5, 700, 0);
        stream_hold(stream, 900, 0);
        stream->plant.omega_n *= 2.7;
        stream_release(stream, 0, 1400, 20000);
        struct findings findings;
        gather(stream, &findings);
        ck_assert_uint_ge(findings.count, 2);
        ck_assert_int_eq(findings.decays[findings.count - 1]->ended_by, DECAY_END_REST);
        findings_clear(&findings);
        stream_destroy(stream);
    }
}
END_TEST

/* There are two decays, and the second begins when it was let go. */
static void expect_the_second_of_two(struct stream *stream)
{
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 2);
    ck_assert_double_ge(findings.decays[1]->record.first_extremum_s / stream->dt, stream->decays[1].released);
    findings_clear(&findings);
    stream_destroy(stream);
}

/* A mass that friction stopped is let go once more from less than a tenth of the way, the friction taken off: what
 * rested fades no more, and the next motion may be smaller than its last swing. */
START_TEST(a_rest_hides_no_smaller_decay)
{
    struct stream *stream = bench(0.01, 0.0625);
    stream_pull(stream, 1, 400, 0);
    stream_hold(stream, 300, 0);
    stream_release(stream, 0, 2000, 20000);
    stream->plant.x_k = stream->plant.x_s = 1e-4;
    stream_hold(stream, 1000, 0);
    stream_pull(stream, 0.0763, 400, 0);
    stream_hold(stream, 1000, 0);
    stream_release(stream, 0, 3000, 20000);
    expect_the_second_of_two(stream);
}
END_TEST

/* A decay of few half cycles far from where the mass was last is a hand's. Nobody has put the mass where a converter's
 * first reading is, nor where it was clipped. */
START_TEST(a_first_reading_far_off_hides_no_short_decay)
{
    struct stream *stream = bench(0.1, 0.02);
    stream_pull(stream, 1, 400, 0);
    stream_hold(stream, 300, 0);
    stream_release(stream, 0, 1000, 20000);
    for (size_t i = 0; i < (_i > 0 ? 12 : 1); i++) {
        stream->displacement[i] = 12;
        stream->flags[i] = _i > 0 ? SAMPLE_CLIPPED : 0;
    }
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 1);
    ck_assert_uint_lt(findings.decays[0]->half_cycles, 8);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

/* Another mass is hung on the spring: it swings at another frequency about another place. That it stood still there is
 * enough to tell that no hand holds it. */
START_TEST(a_mass_that_stands_still_elsewhere_is_let_go)
{
    const struct plant plant = {.omega_n = 2 * M_PI, .zeta = 0.16, .x_k = 0.02, .x_s = 0.024};
    const struct sensor sensor = {.step = 1e-3};
    struct stream *stream = stream_create(77, &plant, &sensor, 200);
    for (int hung = 0; hung < 2; hung++) {
        stream->plant.omega_n /= 1 + hung;
        stream->sensor.offset += 3.4 * hung;
        stream_wait(stream, 20000);
        stream_pull(stream, 1, 300, 0);
        stream_hold(stream, 100, 0);
        stream_release(stream, 0, 1500, 4000);
    }
    expect_the_second_of_two(stream);
}
END_TEST

/* A sensor with play stands still at every crest, each time a little further in: no limit clips it. */
START_TEST(play_in_the_sensor_is_no_limit)
{
    enum { SLOW_RATE = 180 };
    const double play = 0.088, step = play / 7;
    const struct plant plant = {.omega_n = 2 * M_PI, .zeta = 0.01, .x_k = 0.039, .x_s = 0.047};
    const struct sensor sensor = {.gain = 1};
    struct stream *stream = stream_create(77, &plant, &sensor, SLOW_RATE);
    stream_wait(stream, 3 * SLOW_RATE);
    stream_pull(stream, 1, 1.5 * SLOW_RATE, 0);
    stream_hold(stream, SLOW_RATE / 2.0, 0);
    stream_release(stream, 0, 7 * SLOW_RATE, 200 * SLOW_RATE);
    double follower = 0;
    for (size_t i = 0; i < stream->count; i++) {
        follower = fmin(fmax(follower, stream->displacement[i] - play), stream->displacement[i] + play);
        stream->displacement[i] = step * round(follower / step);
    }
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 1);
    ck_assert_double_le(fabs(findings.decays[0]->record.first_extremum_s / stream->dt - stream->decays[0].released),
                        1.1 * SLOW_RATE);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

/* A pull of forty cycles looks like half of a slow one. It may not be waited for, and no decay may go unseen behind it,
 * whether the stream goes on afterwards or ends. */
START_TEST(a_slow_pull_hides_no_decay)
{
    struct stream *stream = bench(0.1, 0.02);
    stream_pull(stream, 1, 40 * CYCLE, 0);
    stream_release(stream, 0, _i ? 200 * CYCLE : 1.5 * CYCLE, 20000);
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 1);
    ck_assert_int_eq(findings.decays[0]->ended_by, DECAY_END_REST);
    ck_assert_double_le((double)findings.decided[0], stream->decays[0].stopped + 2 * CYCLE);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

/* A few steps of the sensor swing to and fro, in the hand or not: nobody can tell. Behind a decay that taught the
 * rhythm of the rig the same is one more. */
START_TEST(a_few_steps_are_a_decay_in_a_known_rhythm_only)
{
    const struct plant plant = {.omega_n = 10 * M_PI, .zeta = 0.024, .x_k = 0, .x_s = 0};
    const struct sensor sensor = {.step = 0.05, .offset = 0.01, .gain = 1};
    struct stream *stream = stream_create(7, &plant, &sensor, RATE);
    stream_wait(stream, 300);
    for (int i = 0; i <= _i; i++) {
        stream_pull(stream, i < _i ? 1 : 0.115, 400, 0);
        stream_hold(stream, 300, 0);
        stream_release(stream, 0, 500, i < _i ? 5000 : 1500);
        stream_pull(stream, 0, 400, 0);
        stream_wait(stream, 500);
    }
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, _i ? 2 : 0);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

/* The third half cycle of the record has just ended when samples are lost: it counts, although nothing of the next one
 * was seen. */
START_TEST(a_gap_behind_an_extremum_costs_no_half_cycle)
{
    struct stream *stream = bench(0.004, 0.01);
    stream_pull(stream, 1, 400, 0);
    stream_hold(stream, 300, 0);
    stream_release(stream, 0, 500, 20000);
    stream_lose(stream, (size_t)floor(stream->decays[0].extremum[3]) + (size_t)_i, CYCLE);
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 2);
    ck_assert_uint_eq(findings.decays[0]->half_cycles, 3);
    ck_assert_int_eq(findings.decays[0]->ended_by, DECAY_END_GAP);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

/* A hand stops the mass on its way and lets it go again: neither decay spoils the other. */
START_TEST(a_catch_hides_no_later_decay)
{
    struct stream *stream = bench(0.005, 0.001);
    stream_pull(stream, 1, 400, 0);
    stream_hold(stream, 300, 0);
    stream_release(stream, 0, 500, 3.2 * CYCLE);
    stream_catch(stream, 0.2 * CYCLE);
    stream_pull(stream, 1, 60, 0);
    stream_release(stream, 0, 500, 40000);
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 2);
    ck_assert_int_eq(findings.decays[0]->ended_by, DECAY_END_NEW_EXCITATION);
    ck_assert_double_le(record_end(findings.decays[0]), stream->decays[0].stopped);
    ck_assert_int_eq(findings.decays[1]->ended_by, DECAY_END_REST);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

/* What `watch` shows: each change of the phase once. */
struct phases {
    enum segment_phase phase[64];
    size_t count;
};

static void hear(void *context, const struct segment_state *state)
{
    struct phases *heard = context;
    if (heard->count == 0 || heard->phase[heard->count - 1] != state->phase)
        if (heard->count < sizeof heard->phase / sizeof *heard->phase)
            heard->phase[heard->count++] = state->phase;
    ck_assert(state->phase == SEGMENT_DECAYING || isnan(state->amplitude));
    ck_assert(state->phase == SEGMENT_STARTING || state->noise_floor > 0);
}

static void take(void *context, struct decay *decay)
{
    (void)context;
    decay_destroy(decay);
}

START_TEST(tells_idle_held_and_decaying)
{
    struct stream *stream = bench(0.02, 0.01);
    stream_pull(stream, 1, 400, 0);
    stream_hold(stream, 600, 0);
    stream_release(stream, 0, 3000, 20000);
    struct phases heard = {.count = 0};
    const struct segment_settings settings = segment_default_settings();
    const struct segment_listener listener = {.decay = take, .progress = hear, .context = &heard};
    struct segmenter *segmenter = segmenter_create(&settings, &listener);
    for (size_t i = 0; i < stream->count; i += 50)
        segmenter_feed(segmenter, i, stream->displacement + i, NULL, NULL,
                       stream->count - i < 50 ? stream->count - i : 50, 0, stream->dt);
    segmenter_destroy(segmenter);
    const enum segment_phase expected[] = {SEGMENT_IDLE, SEGMENT_HELD, SEGMENT_DECAYING, SEGMENT_IDLE};
    ck_assert_uint_eq(heard.count, 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(heard.phase[i], expected[i]);
    stream_destroy(stream);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("segmenter and hands");
    TCase *tests = tcase_create("hands");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_weakening_blow_starts_a_decay_of_its_own);
    tcase_add_loop_test(tests, a_slow_pull_hides_no_decay, 0, 2);
    tcase_add_loop_test(tests, a_few_steps_are_a_decay_in_a_known_rhythm_only, 0, 2);
    tcase_add_loop_test(tests, a_gap_behind_an_extremum_costs_no_half_cycle, 0, 3);
    tcase_add_test(tests, a_catch_hides_no_later_decay);
    tcase_add_test(tests, a_motion_that_was_cut_hides_no_smaller_one);
    tcase_add_test(tests, a_rest_hides_no_smaller_decay);
    tcase_add_loop_test(tests, a_first_reading_far_off_hides_no_short_decay, 0, 2);
    tcase_add_test(tests, a_mass_that_stands_still_elsewhere_is_let_go);
    tcase_add_test(tests, play_in_the_sensor_is_no_limit);
    tcase_add_test(tests, tells_idle_held_and_decaying);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
