/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How decays end, one way at a time, where little of the motion is left: what is said of it, and where the record ends.
 */

#include "random_lab.h"
#include "run_suite.h"
#include "segment_harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RATE = 500, CYCLE = 100, SEED = 4100, STREAMS = 20 };

static struct stream *bench(int number, const struct plant *plant, const struct sensor *sensor)
{
    struct stream *stream = stream_create((uint64_t)(SEED + number), plant, sensor, RATE);
    stream_wait(stream, 300);
    stream_pull(stream, number % 2 ? 1 : -1, 400, 0);
    stream_hold(stream, 300, 0);
    return stream;
}

static struct plant rig(double zeta, double x_k)
{
    return (struct plant){.omega_n = 10 * M_PI, .zeta = zeta, .x_k = x_k, .x_s = 1.2 * x_k};
}

/* The first decay of a stream, which is destroyed. */
struct said {
    size_t decays;
    enum decay_end by;
    double end, stopped; /* of the record, of the motion; samples */
};

static struct said said_of(struct stream *stream)
{
    struct findings findings;
    const struct segment_settings settings = segment_default_settings();
    findings_gather(stream, &settings, 16, &findings);
    struct said said = {.decays = findings.count, .stopped = stream->decays[0].stopped};
    ck_assert_uint_ge(findings.count, 1);
    const struct decay *first = findings.decays[0];
    said.by = first->ended_by;
    said.end = (double)first->first_index + (double)first->record.count - 1;
    findings_clear(&findings);
    stream_destroy(stream);
    return said;
}

static void expect(int number, struct said said, enum decay_end by)
{
    if (said.by != by)
        printf("seed %d: %s\n", SEED + number, decay_end_name(said.by));
    ck_assert_int_eq(said.by, by);
}

/* A record from which a last half cycle is taken, because a blow had begun in it, keeps it where it would be shorter
 * than its user allows. */
START_TEST(no_record_has_fewer_half_cycles_than_asked)
{
    struct lab lab = lab_with_decays(9710039);
    struct segment_settings settings = segment_default_settings();
    struct findings all, long_ones;
    size_t asked = 0;
    findings_gather(lab.stream, &settings, 16, &all);
    for (size_t i = 0; i < all.count; i++) {
        settings.min_half_cycles = all.decays[i]->half_cycles + 1;
        findings_gather(lab.stream, &settings, 16, &long_ones);
        for (size_t j = 0; j < long_ones.count; j++, asked++)
            ck_assert_uint_ge(long_ones.decays[j]->half_cycles, settings.min_half_cycles);
        findings_clear(&long_ones);
    }
    ck_assert_uint_ge(asked, 1);
    findings_clear(&all);
    stream_destroy(lab.stream);
}
END_TEST

START_TEST(a_motion_without_friction_sinks_into_the_noise)
{
    const struct plant plant = rig(0.02, 0);
    const struct sensor sensor = {.noise = 0.01, .step = _i % 2 ? 0.02 : 0};
    struct stream *stream = bench(_i, &plant, &sensor);
    stream_release(stream, 0, 100, 40 * CYCLE);
    expect(_i, said_of(stream), DECAY_END_NOISE_FLOOR);
}
END_TEST

START_TEST(a_stop_that_hum_shakes_is_no_new_excitation)
{
    const struct plant plant = rig(0.01, 0.008);
    const struct sensor sensor = {.noise = 1e-4, .hum = 0.01, .hum_hz = 8 + 2.1 * _i};
    struct stream *stream = bench(_i, &plant, &sensor);
    stream_release(stream, 0, 600, 20000);
    struct said said = said_of(stream);
    ck_assert_uint_eq(said.decays, 1);
    ck_assert_msg(said.by == DECAY_END_REST || said.by == DECAY_END_NOISE_FLOOR, "seed %d: %s", SEED + _i,
                  decay_end_name(said.by));
}
END_TEST

/* The mass is held where friction could not hold it, a few standard deviations from its middle. */
START_TEST(a_hand_that_catches_a_small_swing_is_no_rest)
{
    const struct plant plant = rig(0.02, 0.001);
    const struct sensor sensor = {.noise = 0.01};
    struct stream *stream = bench(_i, &plant, &sensor);
    stream_release(stream, 0, 100, (17 + 0.05 * _i) * CYCLE);
    stream_catch(stream, 0.05 * CYCLE);
    stream_hold(stream, 4 * CYCLE, 0);
    struct said said = said_of(stream);
    expect(_i, said, DECAY_END_NEW_EXCITATION);
    ck_assert_double_le(said.end, said.stopped + 0.2 * CYCLE);
}
END_TEST

/* … and pulled to the limit of the sensor before the half cycle is over. */
START_TEST(a_hand_that_pulls_to_the_limit_is_what_ended_it)
{
    const struct plant plant = rig(0.02, 0.001);
    const struct sensor sensor = {.noise = 1e-3, .range = 1.1};
    struct stream *stream = bench(_i, &plant, &sensor);
    stream_release(stream, 0, 100, (5 + 0.05 * _i) * CYCLE);
    stream_catch(stream, 0.05 * CYCLE);
    stream_pull(stream, 1.5, 0.4 * CYCLE, 0);
    stream_hold(stream, 4 * CYCLE, 0);
    expect(_i, said_of(stream), DECAY_END_NEW_EXCITATION);
}
END_TEST

/* Samples are lost shortly after a hand took the mass, and while it swings freely. */
START_TEST(a_gap_ends_what_a_hand_did_not)
{
    const struct plant plant = rig(0.01, 0.001);
    const struct sensor sensor = {.noise = 2e-3};
    bool caught = _i % 2;
    struct stream *stream = bench(_i, &plant, &sensor);
    stream_release(stream, 0, 100, (8 + 0.05 * _i) * CYCLE);
    size_t gap = stream->count - CYCLE / 4;
    if (caught) {
        stream_catch(stream, 0.05 * CYCLE);
        stream_hold(stream, 4 * CYCLE, 0);
        gap += CYCLE / 4 + CYCLE * 2 / 5;
    }
    stream_lose(stream, gap, 10);
    expect(_i, said_of(stream), caught ? DECAY_END_NEW_EXCITATION : DECAY_END_GAP);
}
END_TEST

/* Half of its velocity is taken from a mass that swings by some eight standard deviations: it goes on smaller and dies
 * away.
 */
START_TEST(a_blow_at_a_small_swing_is_no_noise_floor)
{
    const struct plant plant = rig(0.05, 0.001);
    const struct sensor sensor = {.noise = 0.004};
    struct stream *stream = bench(_i, &plant, &sensor);
    stream_release(stream, 0, 100, (8.25 + 0.01 * _i) * CYCLE);
    stream_blow(stream, -1.5 * stream->plant.v, 2, 500, 20000);
    expect(_i, said_of(stream), DECAY_END_NEW_EXCITATION);
}
END_TEST

/* From sample `at` on the clock is so many samples further on, or back: what comes behind comes sooner, or some of what
 * was there comes once more. Nobody is told. */
static void jump(struct stream *stream, size_t at, int samples)
{
    double *displacement = stream->displacement;
    size_t from = samples > 0 ? at + (size_t)samples : at, to = samples > 0 ? at : at + (size_t)-samples;
    stream->count -= samples > 0 ? (size_t)samples : (size_t)-samples;
    memmove(displacement + to, displacement + from, (stream->count - at) * sizeof *displacement);
    if (samples < 0)
        memcpy(displacement + at, displacement + at - (size_t)-samples, (size_t)-samples * sizeof *displacement);
}

/* A clock jumps twice, forwards or back, in the middle of a half cycle each time, two to nine half cycles apart: it is
 * one decay, with the half cycles that there were, and ends where it came to rest. */
START_TEST(a_clock_that_jumps_twice_ends_nothing)
{
    static const int by[4][2] = {{10, 15}, {15, -10}, {-10, 12}, {-15, -8}};
    const int *samples = by[_i % 4];
    const struct plant plant = rig(0.005, 0.008);
    const struct sensor sensor = {.noise = 5e-4};
    struct stream *stream = bench(_i, &plant, &sensor);
    stream_release(stream, 0, 500, 20000);
    const struct true_decay truth = stream->decays[0];
    size_t first = 11, second = first + 2 + (size_t)(_i / 4);
    jump(stream, (size_t)truth.extremum[second] + CYCLE / 4, samples[1]);
    jump(stream, (size_t)truth.extremum[first] + CYCLE / 4, samples[0]);
    struct findings findings;
    const struct segment_settings settings = segment_default_settings();
    findings_gather(stream, &settings, 16, &findings);
    ck_assert_uint_eq(findings.count, 1);
    const struct decay *decay = findings.decays[0];
    double end = (double)decay->first_index + (double)decay->record.count - 1;
    double first_extremum = decay->record.first_extremum_s * RATE;
    ck_assert_int_eq(decay->ended_by, DECAY_END_REST);
    ck_assert_double_eq_tol(first_extremum, truth.extremum[0], 0.02 * CYCLE);
    ck_assert_double_eq_tol(end, truth.extremum[truth.extrema - 1] - samples[0] - samples[1], 0.05 * CYCLE);
    ck_assert_uint_eq(decay->half_cycles, truth.extrema - 1);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

/* … in whichever half cycle of those that arrive together, and whether or not somebody listens to each. */
START_TEST(a_clock_that_jumps_ends_nothing_for_whoever_listens)
{
    const struct plant plant = {.omega_n = 50 * M_PI, .zeta = 0.004, .x_k = 0.004, .x_s = 0.005};
    const struct sensor sensor = {.noise = 5e-4};
    struct stream *stream = bench(_i, &plant, &sensor);
    stream_release(stream, 0, 500, 20000);
    const struct true_decay truth = stream->decays[0];
    jump(stream, (size_t)truth.extremum[20 + _i] + 5, 2);
    const struct segment_settings settings = segment_default_settings();
    struct findings watched, unwatched;
    findings_gather(stream, &settings, 1000, &watched);
    findings_gather_unwatched(stream, &settings, 1000, &unwatched);
    ck_assert_uint_eq(watched.count, 1);
    ck_assert_uint_eq(unwatched.count, 1);
    ck_assert_uint_eq(watched.decays[0]->half_cycles, truth.extrema - 1);
    ck_assert_uint_eq(unwatched.decays[0]->half_cycles, watched.decays[0]->half_cycles);
    findings_clear(&watched);
    findings_clear(&unwatched);
    stream_destroy(stream);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("how decays end");
    TCase *tests = tcase_create("endings");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, no_record_has_fewer_half_cycles_than_asked);
    tcase_add_loop_test(tests, a_motion_without_friction_sinks_into_the_noise, 0, STREAMS);
    tcase_add_loop_test(tests, a_stop_that_hum_shakes_is_no_new_excitation, 0, STREAMS);
    tcase_add_loop_test(tests, a_hand_that_catches_a_small_swing_is_no_rest, 0, STREAMS);
    tcase_add_loop_test(tests, a_hand_that_pulls_to_the_limit_is_what_ended_it, 0, STREAMS);
    tcase_add_loop_test(tests, a_gap_ends_what_a_hand_did_not, 0, STREAMS);
    tcase_add_loop_test(tests, a_blow_at_a_small_swing_is_no_noise_floor, 0, STREAMS);
    tcase_add_loop_test(tests, a_clock_that_jumps_twice_ends_nothing, 0, 32);
    tcase_add_loop_test(tests, a_clock_that_jumps_ends_nothing_for_whoever_listens, 0, 16);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
