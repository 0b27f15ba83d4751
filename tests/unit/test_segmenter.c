/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/decay/identify.h"
#include "random_lab.h"
#include "run_suite.h"
#include "segment_harness.h"

#include <math.h>
#include <string.h>

enum { RATE = 500 };

/* Five hertz at 500 samples a second, pulled aside by 1 and released at rest. */
static struct stream *clean_release(double zeta, double x_k, double side, double rest)
{
    const struct plant plant = {.omega_n = 10 * M_PI, .zeta = zeta, .x_k = x_k, .x_s = x_k};
    const struct sensor sensor = {.offset = 0.2};
    struct stream *stream = stream_create(1, &plant, &sensor, RATE);
    stream_wait(stream, 300);
    stream_pull(stream, side, 400, 0);
    stream_hold(stream, 300, 0);
    stream_release(stream, 0, rest, 20000);
    return stream;
}

static double record_end(const struct decay *decay)
{
    return (double)decay->first_index + (double)decay->record.count - 1;
}

static void gather(const struct stream *stream, struct findings *findings)
{
    struct segment_settings settings = segment_default_settings();
    findings_gather(stream, &settings, 0, findings);
}

static void discard(void *context, struct decay *decay)
{
    (void)context;
    decay_destroy(decay);
}

START_TEST(finds_a_clean_decay_from_its_second_extremum_to_rest)
{
    struct stream *stream = clean_release(0.02, 0.01, _i ? 1 : -1, 500);
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 1);
    const struct decay *decay = findings.decays[0];
    /* SHK Eq. 4: the mass rests after 23 half cycles, of which the first is dropped. */
    ck_assert_uint_eq(decay->half_cycles, 22);
    ck_assert_int_eq(decay->ended_by, DECAY_END_REST);
    ck_assert(decay->dropped_first_half_cycle);
    ck_assert_double_eq_tol(decay->record.first_extremum_s * RATE, stream->decays[0].extremum[0], 0.5);
    ck_assert_double_eq_tol(decay->released_s * RATE, stream->decays[0].released, 3);
    ck_assert_double_eq_tol(record_end(decay), stream->decays[0].stopped, 2);
    ck_assert_double_eq_tol(decay->rest.position, stream->plant.x + 0.2, 1e-6);
    ck_assert_uint_eq(decay->pretrigger_count, 200);
    ck_assert_uint_ge(findings.progress_calls, 18);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

/* Without noise all samples at rest are alike, each of them off by up to half of a step, which is sqrt(3) standard
 * deviations of what rounding leaves. */
START_TEST(the_rest_is_no_better_known_than_a_step_of_the_sensor)
{
    const double step = 0.02, side = 1 + 0.003 * _i;
    const struct plant plant = {.omega_n = 10 * M_PI, .zeta = 0.02, .x_k = 0.03, .x_s = 0.03};
    const struct sensor sensor = {.step = step};
    struct stream *stream = stream_create(1, &plant, &sensor, RATE);
    stream_wait(stream, 300);
    stream_pull(stream, side, 400, 0);
    stream_hold(stream, 300, 0);
    stream_release(stream, 0, 500, 20000);
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 1);
    const struct rest_observation *rest = &findings.decays[0]->rest;
    ck_assert_double_le(fabs(rest->position - stream->plant.x), 1.75 * rest->se);
    ck_assert_double_le(rest->se, step);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

START_TEST(finds_a_mass_that_stops_before_it_crosses_zero)
{
    struct stream *stream = clean_release(0.1, 0.05, 1, 500);
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 1);
    const struct decay *decay = findings.decays[0];
    /* theory: 0.643 0.382 0.192 0.0538, then rest at +0.0472 on the side of the last extremum */
    ck_assert_int_eq(decay->ended_by, DECAY_END_REST);
    ck_assert_uint_ge(decay->half_cycles, 3);
    ck_assert_uint_le(decay->half_cycles, 4);
    ck_assert_double_eq_tol(decay->rest.position, 0.2 + 0.047238870, 1e-6);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

static void assert_same(const struct decay *a, const struct decay *b)
{
    size_t count = a->record.count + a->pretrigger_count;
    ck_assert_uint_eq(a->first_index, b->first_index);
    ck_assert_uint_eq(a->pretrigger_count, b->pretrigger_count);
    ck_assert_uint_eq(a->record.count, b->record.count);
    ck_assert_int_eq(a->ended_by, b->ended_by);
    ck_assert_uint_eq(a->half_cycles, b->half_cycles);
    ck_assert(memcmp(a->displacement, b->displacement, count * sizeof(double)) == 0);
    ck_assert(memcmp(&a->record.first_extremum_s, &b->record.first_extremum_s, sizeof(double)) == 0);
    ck_assert(memcmp(&a->rest.position, &b->rest.position, sizeof(double)) == 0);
    ck_assert(!a->flags == !b->flags);
    ck_assert(!a->flags || memcmp(a->flags, b->flags, count) == 0);
}

static void assert_same_drops(const struct findings *a, const struct findings *b)
{
    ck_assert_uint_eq(a->count, b->count);
    for (int reason = 0; reason < DROP_REASONS; reason++)
        ck_assert_uint_eq(a->state.drops[reason], b->state.drops[reason]);
}

static void assert_same_findings(const struct findings *a, const struct findings *b)
{
    assert_same_drops(a, b);
    for (size_t i = 0; i < a->count; i++)
        assert_same(a->decays[i], b->decays[i]);
}

/* Labs of all kinds, with sample numbers and with time stamps. The stamps come last: lost samples are then taken out of
 * the stream. */
START_TEST(cutting_the_stream_changes_nothing)
{
    static const size_t most[] = {1, 3, 17, 100, 1000, 100000};
    struct segment_settings settings = segment_default_settings();
    uint64_t seed = (uint64_t)_i + 1;
    struct stream *stream = seed % 4 ? lab_with_decays(seed).stream : lab_without_decays_scaled(seed, 3e4).stream;
    struct findings whole, pieces;
    findings_gather(stream, &settings, 0, &whole);
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        findings_gather(stream, &settings, most[i], &pieces);
        assert_same_findings(&whole, &pieces);
        findings_clear(&pieces);
    }
    findings_clear(&whole);
    stream_destroy(stream);
}
END_TEST

START_TEST(cutting_a_stamped_stream_changes_nothing)
{
    static const size_t most[] = {0, 1, 17, 1000};
    struct segment_settings settings = segment_default_settings();
    struct findings findings[4];
    for (size_t i = 0; i < 4; i++) {
        struct stream *stream = lab_with_decays((uint64_t)_i + 1).stream;
        findings_gather_stamped(stream, &settings, 1e5, most[i], &findings[i]);
        stream_destroy(stream);
    }
    for (size_t i = 0; i < 4; i++)
        assert_same_findings(&findings[0], &findings[i]);
    for (size_t i = 0; i < 4; i++)
        findings_clear(&findings[i]);
}
END_TEST

/* Nor does it matter whether anybody listens to every half cycle: limits are met by the same one. */
START_TEST(listening_to_progress_changes_nothing)
{
    struct segment_settings settings = segment_default_settings();
    struct stream *stream = lab_with_decays((uint64_t)_i + 1).stream;
    settings.stop_below = _i % 3 == 1 ? 0.1 : NAN;
    settings.max_samples = _i % 3 == 2 ? 600 : settings.max_samples;
    struct findings watched, unwatched;
    findings_gather(stream, &settings, 1000, &watched);
    findings_gather_unwatched(stream, &settings, 1000, &unwatched);
    ck_assert_uint_eq(unwatched.progress_calls, 0);
    assert_same_findings(&watched, &unwatched);
    findings_clear(&watched);
    findings_clear(&unwatched);
    stream_destroy(stream);
}
END_TEST

START_TEST(cuts_at_the_amplitude_window)
{
    struct stream *stream = clean_release(0.01, 0.002, 1, 500);
    struct segment_settings settings = segment_default_settings();
    settings.start_below = 0.5;
    settings.stop_below = 0.2;
    struct findings findings;
    findings_gather(stream, &settings, 0, &findings);
    ck_assert_uint_eq(findings.count, 1);
    const struct decay *decay = findings.decays[0];
    const struct true_decay *truth = &stream->decays[0];
    size_t first = 0, last;
    while (fabs(truth->level[first + 1] - truth->level[first]) / 2 >= 0.5)
        first++;
    for (last = first; fabs(truth->level[last + 1] - truth->level[last]) / 2 >= 0.2;)
        last++;
    ck_assert_int_eq(decay->ended_by, DECAY_END_STOP_BELOW);
    ck_assert_double_eq_tol(decay->record.first_extremum_s * RATE, truth->extremum[first], 1);
    ck_assert_double_eq_tol(record_end(decay), truth->extremum[last], 2);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

/* So many half cycles before the window that the samples of the release are gone when the record is taken. */
START_TEST(an_amplitude_that_is_waited_for_hides_no_release)
{
    struct stream *stream = clean_release(0.005, 0.0005, 1, 500);
    struct segment_settings settings = segment_default_settings();
    settings.start_below = 0.2;
    struct findings findings;
    findings_gather(stream, &settings, 16, &findings);
    ck_assert_uint_eq(findings.count, 1);
    ck_assert_double_eq_tol(findings.decays[0]->released_s * RATE, stream->decays[0].released, 3);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

/* Of a stream that begins in the motion: nobody saw the release, nor the half cycle behind it. */
START_TEST(what_was_not_seen_was_not_dropped)
{
    struct stream *stream = clean_release(0.01, 0.002, 1, 500);
    size_t late = (size_t)stream->decays[0].extremum[3] - 15;
    const struct segment_settings settings = segment_default_settings();
    const struct stream rest = {.displacement = stream->displacement + late,
                                .flags = stream->flags + late,
                                .count = stream->count - late,
                                .dt = stream->dt};
    struct findings findings;
    findings_gather(&rest, &settings, 16, &findings);
    ck_assert_uint_eq(findings.count, 1);
    ck_assert(isnan(findings.decays[0]->released_s));
    ck_assert(!findings.decays[0]->dropped_first_half_cycle);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

enum { MOST_TOLD = 64 };

struct told {
    enum segment_phase phase[MOST_TOLD];
    size_t count;
    enum segment_phase latest;
};

static void note_phase(void *context, const struct segment_state *state)
{
    struct told *told = context;
    if (state->phase != told->latest && told->count < MOST_TOLD)
        told->phase[told->count++] = state->phase;
    told->latest = state->phase;
}

static void tell_phases(const struct stream *stream, size_t at_once, struct told *told)
{
    const struct segment_settings settings = segment_default_settings();
    const struct segment_listener listener = {.decay = discard, .progress = note_phase, .context = told};
    struct segmenter *segmenter = segmenter_create(&settings, &listener);
    *told = (struct told){.latest = SEGMENT_STARTING};
    for (size_t i = 0; i < stream->count; i += at_once) {
        size_t size = stream->count - i < at_once ? stream->count - i : at_once;
        segmenter_feed(segmenter, i, stream->displacement + i, NULL, NULL, size, 0, stream->dt);
    }
    segmenter_destroy(segmenter);
}

/* A mass that is pulled aside and put back soon, again and again: whether it is told that it was held depends on which
 * samples are asked, and these must not be the latest that have come. */
START_TEST(the_phases_that_are_told_do_not_depend_on_the_calls)
{
    const struct plant plant = {.omega_n = 10 * M_PI, .zeta = 0.02, .x_k = 0.01, .x_s = 0.01};
    const struct sensor sensor = {.noise = 1e-3};
    struct stream *stream = stream_create(5, &plant, &sensor, RATE);
    for (int i = 0; i < 12; i++) {
        stream_wait(stream, 700);
        stream_pull(stream, 1, 60, 0);
        stream_hold(stream, 30 + 17 * i, 0);
        stream_pull(stream, 0, 60, 0);
    }
    struct told whole, pieces;
    tell_phases(stream, stream->count, &whole);
    tell_phases(stream, 1, &pieces);
    ck_assert_uint_ge(whole.count, 4);
    ck_assert_uint_eq(whole.count, pieces.count);
    ck_assert(memcmp(whole.phase, pieces.phase, whole.count * sizeof *whole.phase) == 0);
    stream_destroy(stream);
}
END_TEST

/* Half cycles that come in time, but stand out of the noise by a dozen deviations only, are no hand's because of their
 * duration. */
START_TEST(says_what_few_half_cycles_lack)
{
    const struct plant plant = {.omega_n = 10 * M_PI, .zeta = 0.05, .x_k = 0.03, .x_s = 0.03};
    const struct sensor sensor = {.noise = 0.12};
    struct stream *stream = stream_create((uint64_t)_i + 3, &plant, &sensor, 10 * RATE);
    stream_wait(stream, 3000);
    stream_pull(stream, 1, 4000, 0);
    stream_hold(stream, 3000, 0);
    stream_release(stream, 0, 5000, 200000);
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 0);
    ck_assert_uint_eq(findings.state.drops[DROP_IN_DOUBT], 1);
    ck_assert_uint_eq(findings.state.drops[DROP_IRREGULAR_PERIOD], 0);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

START_TEST(ends_at_a_gap_and_goes_on_behind_it)
{
    struct stream *stream = clean_release(0.01, 0.002, 1, 500);
    size_t lost = (size_t)stream->decays[0].extremum[12] + 20;
    stream_lose(stream, lost, 7);
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 2);
    ck_assert_int_eq(findings.decays[0]->ended_by, DECAY_END_GAP);
    ck_assert_double_le(record_end(findings.decays[0]), (double)lost - 1);
    ck_assert_double_ge(record_end(findings.decays[0]), (double)lost - 100);
    ck_assert_uint_ge(findings.decays[1]->first_index, lost + 7);
    ck_assert_uint_eq(findings.state.gaps, 1);
    ck_assert_uint_eq(findings.state.lost_samples, 7);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

static void note_hole(void *context, uint64_t lost, double at_s)
{
    double *hole = context;
    hole[0] = (double)lost;
    hole[1] = at_s;
}

/* Rows are missing in a recording: the time stamps tell, whatever the period that the whole file seems to have. */
START_TEST(sees_a_gap_in_time_stamps)
{
    struct stream *stream = clean_release(0.01, 0.002, 1, 500);
    size_t lost = (size_t)stream->decays[0].extremum[12] + 20;
    stream_lose(stream, lost, 20);
    struct segment_settings settings = segment_default_settings();
    struct findings findings;
    findings_gather_stamped(stream, &settings, 1e9, 0, &findings);
    ck_assert_uint_eq(findings.count, 2);
    ck_assert_int_eq(findings.decays[0]->ended_by, DECAY_END_GAP);
    ck_assert_uint_ge(findings.decays[1]->first_index, lost);
    ck_assert_uint_eq(findings.state.gaps, 1);
    ck_assert_uint_eq(findings.state.lost_samples, 20);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

START_TEST(tells_of_holes_but_not_of_jitter)
{
    double y[4000], time_s[4000], time = 0, hole[2] = {0, 0};
    for (size_t i = 0; i < 4000; i++) {
        y[i] = sin((double)i * 0.05);
        time_s[i] = time += 1e-3 * (1 + 0.8 * sin(1.7 * (double)i) + (i % 700 == 0 ? 2 : 0)) + (i == 2500 ? 3600 : 0);
    }
    struct segment_settings settings = segment_default_settings();
    const struct segment_listener listener = {.decay = discard, .hole = note_hole, .context = hole};
    struct segmenter *segmenter = segmenter_create(&settings, &listener);
    segmenter_feed(segmenter, 0, y, time_s, NULL, 4000, 0, 0.9); /* the mean period of such a file */
    struct segment_state state;
    segmenter_state(segmenter, &state);
    ck_assert_uint_eq(state.gaps, 1);
    ck_assert_double_eq(hole[1], time_s[2500]);
    ck_assert_double_gt(hole[0], 1e6);
    segmenter_destroy(segmenter);
}
END_TEST

START_TEST(takes_a_sample_that_is_no_number_for_a_lost_one)
{
    struct stream *stream = clean_release(0.01, 0.002, 1, 500);
    stream->displacement[(size_t)stream->decays[0].extremum[12]] = _i ? NAN : -INFINITY;
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 2);
    ck_assert_uint_eq(findings.state.lost_samples, 1);
    ck_assert_uint_eq(findings.state.samples, stream->count - 1);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

START_TEST(flags_spikes_and_keeps_the_decay)
{
    struct stream *stream = clean_release(0.01, 0.002, 1, 500);
    size_t spike = (size_t)stream->decays[0].extremum[5] + 13;
    stream->displacement[spike] += 0.7;
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 1);
    const struct decay_record *record = &findings.decays[0]->record;
    ck_assert_ptr_nonnull(record->flags);
    for (size_t i = 0; i < record->count; i++)
        ck_assert_uint_eq(record->flags[i], findings.decays[0]->first_index + i == spike ? SAMPLE_SPIKE : 0);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

/* The stream ends just behind an extremum: a spike shortly before it costs no half cycle, wherever chunks end. */
START_TEST(flags_spikes_at_the_end_of_a_stream)
{
    const struct plant plant = {.omega_n = 10 * M_PI, .zeta = 0.01, .x_k = 0.002, .x_s = 0.002};
    const struct sensor sensor = {.offset = 0.2};
    struct stream *stream = stream_create(1, &plant, &sensor, RATE);
    stream_wait(stream, 300 + _i);
    stream_pull(stream, 1, 400, 0);
    stream_hold(stream, 300, 0);
    stream_release(stream, 0, 500, 20000);
    stream->count = (size_t)stream->decays[0].extremum[12] + 4;
    size_t spike = stream->count - 7;
    stream->displacement[spike] += 0.7;
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 1);
    const struct decay *decay = findings.decays[0];
    ck_assert_int_eq(decay->ended_by, DECAY_END_END_OF_SOURCE);
    ck_assert_uint_eq(decay->half_cycles, 12);
    ck_assert_ptr_nonnull(decay->record.flags);
    ck_assert_uint_eq(decay->record.flags[spike - decay->first_index], SAMPLE_SPIKE);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

/* Clipped at 0.8 while it moves to 1, by a sensor with these steps; the flags may be lost, as in a recording. */
static void check_clipped(double noise, double step, bool flagged)
{
    const struct plant plant = {.omega_n = 10 * M_PI, .zeta = 0.02, .x_k = 0.005, .x_s = 0.005};
    const struct sensor sensor = {.range = 0.8, .noise = noise, .step = step};
    struct stream *stream = stream_create(1, &plant, &sensor, RATE);
    stream_wait(stream, 300);
    stream_pull(stream, 1, 400, 0);
    stream_release(stream, 0, 500, 20000);
    for (size_t i = 0; i < stream->count && !flagged; i++)
        stream->flags[i] = 0;
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 1);
    ck_assert_uint_eq(findings.decays[0]->clipped_count, 0);
    /* One or two samples at the limit cannot be told from a turning point. */
    ck_assert_double_gt((double)findings.decays[0]->first_index, stream->decays[0].usable - (flagged ? 0 : 4));
    ck_assert_double_lt((double)findings.decays[0]->first_index, stream->decays[0].usable + 100);
    findings_clear(&findings);
    stream_destroy(stream);
}

START_TEST(starts_behind_clipped_cycles)
{
    check_clipped(0, 0, true);
    check_clipped(0, 0, false);
    check_clipped(1e-3, 1e-3, false);
    check_clipped(1e-3, 0, false);
    check_clipped(0, 1e-3, false);
    /* noise that hides how fast the signal ran into the limit */
    check_clipped(1e-2, 0, false);
    check_clipped(1e-2, 1e-3, false);
}
END_TEST

/* A crest of few steps is flat, but not clipped. */
START_TEST(takes_no_coarse_crest_for_clipping)
{
    static const double steps[] = {0.1, 0.05, 0.02, 0.01, 1e-3};
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++)
        for (double rate = 60; rate < 3000; rate *= 1.7) {
            const struct plant plant = {.omega_n = 10 * M_PI, .zeta = 0.02, .x_k = 0.005, .x_s = 0.005};
            const struct sensor sensor = {.step = steps[n], .offset = 0.3 * steps[n]};
            struct stream *stream = stream_create(n + 1, &plant, &sensor, rate);
            stream_wait(stream, 2 * rate);
            stream_pull(stream, 1, 0.4 * rate, 0);
            stream_hold(stream, 0.5 * rate, 0);
            stream_release(stream, 0, rate, 20 * rate);
            struct findings findings;
            gather(stream, &findings);
            ck_assert_uint_eq(findings.count, 1);
            ck_assert_uint_eq(findings.decays[0]->clipped_count, 0);
            double late = (double)findings.decays[0]->first_index - stream->decays[0].extremum[0];
            ck_assert_double_lt(fabs(late), 0.1 * rate);
            findings_clear(&findings);
            stream_destroy(stream);
        }
}
END_TEST

START_TEST(two_decays_when_a_blow_restarts_the_motion)
{
    const struct plant plant = {.omega_n = 10 * M_PI, .zeta = 0.01, .x_k = 0.005, .x_s = 0.005};
    const struct sensor sensor = {.noise = 0.002};
    struct stream *stream = stream_create(3, &plant, &sensor, RATE);
    stream_wait(stream, 300);
    stream_pull(stream, 1, 400, 0);
    stream_release(stream, 0, 0, 730);
    stream_blow(stream, 30, 1, 500, 20000);
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 2);
    ck_assert_int_eq(findings.decays[0]->ended_by, DECAY_END_NEW_EXCITATION);
    ck_assert_double_le(record_end(findings.decays[0]), stream->decays[0].stopped);
    ck_assert_double_ge((double)findings.decays[1]->first_index, stream->decays[1].released);
    ck_assert_int_eq(findings.decays[1]->ended_by, DECAY_END_REST);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

START_TEST(ends_as_the_caller_says_when_the_stream_ends)
{
    struct stream *stream = clean_release(0.01, 0.002, 1, 500);
    stream->count = (size_t)stream->decays[0].extremum[10] + 5;
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 1);
    ck_assert_int_eq(findings.decays[0]->ended_by, DECAY_END_END_OF_SOURCE);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

START_TEST(ends_at_the_maximum_length_and_finds_the_rest_no_second_time)
{
    struct stream *stream = clean_release(0.005, 0.001, 1, 500);
    struct segment_settings settings = segment_default_settings();
    settings.max_duration_s = 2;
    struct findings findings;
    findings_gather(stream, &settings, 0, &findings);
    ck_assert_uint_eq(findings.count, 1);
    ck_assert_int_eq(findings.decays[0]->ended_by, DECAY_END_MAX_LENGTH);
    ck_assert_uint_le(findings.decays[0]->record.count, 2 * RATE);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

START_TEST(time_stamps_work_like_uniform_samples)
{
    struct stream *stream = clean_release(0.02, 0.01, 1, 500);
    struct segment_settings settings = segment_default_settings();
    struct findings uniform, stamped;
    findings_gather(stream, &settings, 0, &uniform);
    findings_gather_stamped(stream, &settings, 1e9, 0, &stamped);
    ck_assert_uint_eq(stamped.count, 1);
    const struct decay_record *a = &uniform.decays[0]->record, *b = &stamped.decays[0]->record;
    ck_assert_ptr_nonnull(b->time_s);
    ck_assert_double_eq_tol(b->first_extremum_s - 1e9, a->first_extremum_s, 1e-3);
    ck_assert_double_eq_tol(b->time_s[0] - 1e9, a->start_s, 3e-3);
    ck_assert_uint_eq(stamped.decays[0]->half_cycles, uniform.decays[0]->half_cycles);
    findings_clear(&uniform);
    findings_clear(&stamped);
    stream_destroy(stream);
}
END_TEST

START_TEST(says_why_a_candidate_was_dropped)
{
    struct stream *stream = clean_release(0, 0.15, 1, 500);
    struct segment_settings settings = segment_default_settings();
    settings.min_half_cycles = 10;
    struct findings findings;
    findings_gather(stream, &settings, 0, &findings);
    ck_assert_uint_eq(findings.count, 0);
    ck_assert_uint_eq(findings.state.drops[DROP_TOO_SHORT], 1);
    ck_assert_str_eq(drop_reason_name(DROP_TOO_SHORT), "too_short");
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

START_TEST(shows_what_it_thinks)
{
    struct stream *stream = clean_release(0.02, 0.01, 1, 500);
    const size_t decaying = (size_t)stream->decays[0].extremum[6], held = (size_t)stream->decays[0].released - 20;
    const struct {
        size_t count;
        enum segment_phase phase;
    } steps[] = {{10, SEGMENT_STARTING},
                 {290, SEGMENT_IDLE},
                 {held, SEGMENT_HELD},
                 {decaying, SEGMENT_DECAYING},
                 {stream->count, SEGMENT_IDLE}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct segment_state state;
        state_after(stream, steps[i].count, &state);
        ck_assert_str_eq(segment_phase_name(state.phase), segment_phase_name(steps[i].phase));
        if (state.phase != SEGMENT_DECAYING)
            continue;
        ck_assert_double_eq_tol(state.frequency_hz, 5, 0.05);
        ck_assert_uint_ge(state.half_cycle, 4);
        ck_assert_double_gt(state.amplitude, 0.4);
        ck_assert_double_lt(state.amplitude, 0.8);
    }
    stream_destroy(stream);
}
END_TEST

static void no_decay(void *context, struct decay *decay)
{
    (void)context;
    decay_destroy(decay);
}

static void count_decay(void *context, struct decay *decay)
{
    int *decays = context;
    ++*decays;
    decay_destroy(decay);
}

/* A period that is taken for granted would give a frequency that is wrong, and looks like any other. */
START_TEST(samples_without_a_time_are_lost_and_not_guessed)
{
    static const double periods[] = {0, -1e-3, NAN, INFINITY, 1e-3};
    enum { COUNT = 8000 };
    static double displacement[COUNT];
    for (size_t i = 2000; i < COUNT; i++)
        displacement[i] = i < 3000 ? 10 : 10 * exp(-0.002 * (double)(i - 3000)) * cos(0.05 * (double)(i - 3000));
    int decays = 0;
    const struct segment_settings settings = segment_default_settings();
    const struct segment_listener listener = {.decay = count_decay, .context = &decays};
    struct segmenter *segmenter = segmenter_create(&settings, &listener);
    struct segment_state state;
    for (size_t p = 0; p < sizeof periods / sizeof periods[0]; p++) {
        ck_assert_int_eq(decays, 0);
        segmenter_feed(segmenter, p * COUNT, displacement, NULL, NULL, COUNT, 0, periods[p]);
        segmenter_finish(segmenter, DECAY_END_END_OF_SOURCE);
    }
    segmenter_state(segmenter, &state);
    ck_assert_uint_eq(state.lost_samples, 4 * COUNT);
    ck_assert_uint_eq(state.samples, COUNT);
    ck_assert_int_eq(decays, 1);
    segmenter_destroy(segmenter);
}
END_TEST

START_TEST(a_signal_that_never_changed_has_no_noise)
{
    const struct segment_settings settings = segment_default_settings();
    const struct segment_listener listener = {.decay = no_decay};
    struct segmenter *segmenter = segmenter_create(&settings, &listener);
    struct segment_state state;
    const double displacement[2000] = {0};
    segmenter_feed(segmenter, 0, displacement, NULL, NULL, 2000, 0, 0.001);
    segmenter_state(segmenter, &state);
    ck_assert_int_eq(state.phase, SEGMENT_IDLE);
    ck_assert(state.noise_floor == 0 && state.hysteresis == 0);
    segmenter_destroy(segmenter);
}
END_TEST

/* A device tells its steps when it is there, which may be after the start. */
START_TEST(a_step_that_is_told_later_counts)
{
    const struct segment_settings settings = segment_default_settings();
    const struct segment_listener listener = {.decay = no_decay};
    struct segmenter *segmenter = segmenter_create(&settings, &listener);
    struct segment_state state;
    double displacement[200];
    for (size_t i = 0; i < 200; i++)
        displacement[i] = sin(0.1 * (double)i);
    segmenter_set_resolution(segmenter, 0.5);
    segmenter_feed(segmenter, 0, displacement, NULL, NULL, 200, 0, 0.001);
    segmenter_state(segmenter, &state);
    /* A reversal of one step may be chatter: it takes more than that. */
    ck_assert_double_gt(state.hysteresis, 0.5);
    segmenter_destroy(segmenter);
}
END_TEST

START_TEST(a_whole_record_is_copied)
{
    const double displacement[] = {1, 2, 3}, time_s[] = {0, 1, 3};
    const uint8_t flags[] = {0, SAMPLE_CLIPPED, 0};
    struct decay *decay = decay_from_whole(displacement, time_s, flags, 3, 0, 1, 0.5);
    ck_assert_ptr_nonnull(decay);
    ck_assert_uint_eq(decay->record.count, 3);
    ck_assert_uint_eq(decay->clipped_count, 1);
    ck_assert_double_eq(decay->record.period_s, 1.5);
    ck_assert_double_eq(decay->record.resolution, 0.5);
    ck_assert(isnan(decay->released_s) && isnan(decay->record.first_extremum_s));
    ck_assert_uint_ge(decay_bytes(decay), sizeof *decay + 3 * (2 * sizeof(double) + 1));
    decay_destroy(decay);
    decay_destroy(NULL);
}
END_TEST

/* The segmenter hands over where it saw the first extremum, which starts the fit there; without that the fit searches
 * for its start, as it does in a whole record. Both find the same optimum. */
START_TEST(what_is_handed_over_changes_no_figure)
{
    static const double rigs[][2] = {{0.02, 0.01}, {0.002, 0}, {0, 0.004}, {0.1, 0.002}, {0.005, 0.02}, {0.05, 0}};
    const struct plant plant = {.omega_n = 10 * M_PI, .zeta = rigs[_i][0], .x_k = rigs[_i][1], .x_s = rigs[_i][1]};
    const struct sensor sensor = {.offset = 0.2, .noise = 0.003, .gain = 1};
    struct stream *stream = stream_create(5, &plant, &sensor, RATE);
    stream_wait(stream, 300);
    stream_pull(stream, 1, 400, 0);
    stream_hold(stream, 300, 0);
    stream_release(stream, 0, 500, 20000);
    struct findings findings;
    gather(stream, &findings);
    ck_assert_uint_eq(findings.count, 1);
    const struct identify_settings settings = {0};
    struct decay_record record = findings.decays[0]->record;
    struct identification handed, blind;
    ck_assert(isfinite(record.first_extremum_s));
    ck_assert_int_eq(identify(&record, NULL, &settings, &handed), VERDICT_OK);
    record.first_extremum_s = NAN;
    ck_assert_int_eq(identify(&record, NULL, &settings, &blind), VERDICT_OK);
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        const struct estimate *one = &handed.fit.estimate[p], *other = &blind.fit.estimate[p];
        ck_assert_int_eq(isnan(one->value), isnan(other->value));
        if (!isnan(one->value))
            ck_assert_double_le(fabs(one->value - other->value), 1e-4 * (isnan(one->se) ? 0 : one->se) + 1e-12);
    }
    identification_clear(&handed);
    identification_clear(&blind);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("segmenter");
    TCase *tests = tcase_create("finding");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, finds_a_clean_decay_from_its_second_extremum_to_rest, 0, 2);
    tcase_add_test(tests, finds_a_mass_that_stops_before_it_crosses_zero);
    tcase_add_loop_test(tests, the_rest_is_no_better_known_than_a_step_of_the_sensor, 0, 8);
    tcase_add_test(tests, what_was_not_seen_was_not_dropped);
    tcase_add_test(tests, the_phases_that_are_told_do_not_depend_on_the_calls);
    tcase_add_loop_test(tests, says_what_few_half_cycles_lack, 0, 3);
    tcase_add_loop_test(tests, cutting_the_stream_changes_nothing, 0, 24);
    tcase_add_loop_test(tests, cutting_a_stamped_stream_changes_nothing, 0, 12);
    tcase_add_loop_test(tests, listening_to_progress_changes_nothing, 0, 24);
    tcase_add_test(tests, cuts_at_the_amplitude_window);
    tcase_add_test(tests, an_amplitude_that_is_waited_for_hides_no_release);
    tcase_add_test(tests, ends_at_a_gap_and_goes_on_behind_it);
    tcase_add_test(tests, sees_a_gap_in_time_stamps);
    tcase_add_test(tests, tells_of_holes_but_not_of_jitter);
    tcase_add_loop_test(tests, takes_a_sample_that_is_no_number_for_a_lost_one, 0, 2);
    tcase_add_test(tests, flags_spikes_and_keeps_the_decay);
    tcase_add_loop_test(tests, flags_spikes_at_the_end_of_a_stream, 0, 16);
    tcase_add_test(tests, starts_behind_clipped_cycles);
    tcase_add_test(tests, takes_no_coarse_crest_for_clipping);
    tcase_add_test(tests, two_decays_when_a_blow_restarts_the_motion);
    tcase_add_test(tests, ends_as_the_caller_says_when_the_stream_ends);
    tcase_add_test(tests, ends_at_the_maximum_length_and_finds_the_rest_no_second_time);
    tcase_add_test(tests, time_stamps_work_like_uniform_samples);
    tcase_add_test(tests, says_why_a_candidate_was_dropped);
    tcase_add_test(tests, shows_what_it_thinks);
    tcase_add_test(tests, a_step_that_is_told_later_counts);
    tcase_add_test(tests, a_signal_that_never_changed_has_no_noise);
    tcase_add_test(tests, samples_without_a_time_are_lost_and_not_guessed);
    tcase_add_test(tests, a_whole_record_is_copied);
    tcase_add_loop_test(tests, what_is_handed_over_changes_no_figure, 0, 6);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
