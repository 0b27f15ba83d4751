/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Motions whose envelope rises and falls although nobody let go: two modes of nearly the same frequency, and a motion
 * that is forced near its resonance. And a ring-down, which comes out of a steady swinging in its own rhythm too. */

#include "random_lab.h"
#include "run_suite.h"
#include "segment_harness.h"

#include <math.h>

enum { RATE = 200, SAMPLES = 60000 };

/* A swinging that is the same for ever has cycles of so many samples; noise relative to its amplitude. */
struct beat {
    double cycle, beat_cycles, weaker, noise, step;
};

static void measure(const struct beat *beat, double *displacement, struct stream *stream)
{
    static uint8_t flags[SAMPLES];
    struct random random = {(uint64_t)(1000 * beat->beat_cycles)};
    for (int i = 0; i < SAMPLES; i++) {
        displacement[i] += beat->noise * random_normal(&random);
        if (beat->step > 0)
            displacement[i] = beat->step * round(displacement[i] / beat->step);
    }
    *stream = (struct stream){.displacement = displacement,
                              .flags = flags,
                              .count = SAMPLES,
                              .dt = 1.0 / RATE,
                              .samples_per_cycle = beat->cycle};
}

static void find(const struct beat *beat, double *displacement, struct findings *findings)
{
    const struct segment_settings settings = segment_default_settings();
    struct stream stream;
    measure(beat, displacement, &stream);
    findings_gather(&stream, &settings, 16, findings);
}

static void assert_none(const struct beat *beat, double *displacement)
{
    struct findings findings;
    find(beat, displacement, &findings);
    ck_assert_uint_eq(findings.count, 0);
    findings_clear(&findings);
}

static const struct beat beats[] = {
    {.cycle = 40, .beat_cycles = 8, .weaker = 0.8, .noise = 1e-3},
    {.cycle = 60, .beat_cycles = 12, .weaker = 0.5, .noise = 3e-4},
    {.cycle = 100, .beat_cycles = 20, .weaker = 0.7, .noise = 3e-3},
    {.cycle = 37, .beat_cycles = 40, .weaker = 0.3, .noise = 1e-3, .step = 5e-3},
    {.cycle = 150, .beat_cycles = 60, .weaker = 0.9, .noise = 1e-3},
    {.cycle = 30, .beat_cycles = 110, .weaker = 0.6, .noise = 5e-3},
};
enum { BEATS = sizeof beats / sizeof *beats };

static const struct beat slow_beats[] = {
    {.cycle = 52, .beat_cycles = 40, .weaker = 0.5, .noise = 3e-4},
    {.cycle = 105, .beat_cycles = 50, .weaker = 0.5, .noise = 7e-4},
    {.cycle = 41, .beat_cycles = 12.6, .weaker = 0.7, .noise = 1e-3},
    {.cycle = 62, .beat_cycles = 27, .weaker = 0.74, .noise = 3e-3},
    {.cycle = 101, .beat_cycles = 18.1, .weaker = 0.64, .noise = 3e-3},
    {.cycle = 127, .beat_cycles = 16.6, .weaker = 0.55, .noise = 5e-3},
};
enum { SLOW_BEATS = sizeof slow_beats / sizeof *slow_beats };

START_TEST(two_close_modes_are_no_decays)
{
    static double displacement[SAMPLES];
    const struct beat *beat = &beats[_i];
    double turn = 2 * M_PI / beat->cycle, other = turn * (1 + 1 / beat->beat_cycles);
    for (int i = 0; i < SAMPLES; i++)
        displacement[i] = (sin(turn * i) + beat->weaker * sin(other * i + 1)) / (1 + beat->weaker);
    assert_none(beat, displacement);
}
END_TEST

/* Wherever in a beat the stream begins: nobody knows what came before. */
START_TEST(what_a_stream_begins_with_may_be_a_beat)
{
    enum { PLACES = 12 };
    static double displacement[SAMPLES];
    const struct beat *beat = &slow_beats[_i];
    double turn = 2 * M_PI / beat->cycle, other = turn * (1 + 1 / beat->beat_cycles);
    for (int place = 0; place < PLACES; place++) {
        double phase = 2 * M_PI * place / PLACES, first = 5 * phase;
        for (int i = 0; i < SAMPLES; i++)
            displacement[i] =
                (sin(turn * i + first) + beat->weaker * sin(other * i + first + phase)) / (1 + beat->weaker);
        assert_none(beat, displacement);
    }
}
END_TEST

/* A few steps of a coarse sensor, in a hand that then goes its way: nobody saw whether it had been still. */
START_TEST(a_tremor_that_a_stream_begins_with_is_no_decay)
{
    enum { HALF = 14 };
    static double displacement[SAMPLES];
    static const double ways[] = {5, -12, 11, -8, 6};
    const struct beat tremor = {.cycle = 2 * HALF, .beat_cycles = _i, .noise = 0.25, .step = 1};
    double level = 0;
    int n = 0;
    for (size_t way = 0; way < sizeof ways / sizeof *ways; level += ways[way++])
        for (int i = 0; i < HALF; i++)
            displacement[n++] = level + ways[way] * (1 - cos(M_PI * i / HALF)) / 2;
    for (double gone = 0; n < SAMPLES; gone += 0.4)
        displacement[n++] = level + gone;
    assert_none(&tremor, displacement);
}
END_TEST

/* From rest, by a force of one strength: y = cos(w t) - e^(-zeta w_n t) cos(w_n t), nearly. */
START_TEST(a_forced_motion_that_settles_is_no_decay)
{
    static double displacement[SAMPLES];
    const struct beat *beat = &beats[_i];
    double turn = 2 * M_PI / beat->cycle, forced = turn * (1 + 1 / beat->beat_cycles);
    for (int i = 0; i < SAMPLES; i++)
        displacement[i] = (cos(forced * i) - exp(-0.001 * turn * i) * cos(turn * i)) / 2;
    assert_none(beat, displacement);
}
END_TEST

/* A shaker that is held at one frequency, and whose strength sags by less than a hundredth. */
START_TEST(a_steady_motion_that_sags_is_no_decay)
{
    static double displacement[SAMPLES];
    const struct beat *beat = &beats[_i];
    double turn = 2 * M_PI / beat->cycle;
    for (int i = 0; i < SAMPLES; i++)
        displacement[i] = (1 - 0.009 * i / SAMPLES) * cos(turn * i);
    assert_none(beat, displacement);
    for (int i = 0; i < SAMPLES; i++)
        displacement[i] = (1 - 0.003 * i / SAMPLES) * cos(turn * i);
    assert_none(&(struct beat){.cycle = beat->cycle}, displacement);
}
END_TEST

/* Of any frequencies, strengths and noise. What the stream begins with is another matter: what came before that is not
 * known. */
static void assert_nobody_lets_go(uint64_t seed)
{
    const struct segment_settings settings = segment_default_settings();
    struct lab lab = lab_of_beats(seed, SAMPLES);
    struct findings findings;
    findings_gather(lab.stream, &settings, 16, &findings);
    for (size_t n = 0; n < findings.count; n++)
        ck_assert_double_le(findings.decays[n]->record.first_extremum_s / lab.stream->dt,
                            2 * lab.stream->samples_per_cycle);
    findings_clear(&findings);
    stream_destroy(lab.stream);
}

START_TEST(nobody_lets_go_in_a_beat)
{
    assert_nobody_lets_go((uint64_t)_i);
}
END_TEST

/* Beats in which a half cycle that comes out of time suits those behind it in swing and shape: with it in front they
 * would have a free motion before them. */
START_TEST(no_half_cycle_out_of_time_is_put_before_a_beat)
{
    static const uint64_t seeds[] = {100278, 100434, 100870};
    assert_nobody_lets_go(seeds[_i]);
}
END_TEST

/* Beats of which a few half cycles fall by themselves, out of a swinging of their own size. */
START_TEST(few_swings_out_of_a_beat_are_no_decay)
{
    static const uint64_t seeds[] = {1220000082, 1220000090};
    assert_nobody_lets_go(seeds[_i]);
}
END_TEST

/* Adds samples of a motion of about this amplitude that random forces keep up: a resonance that white noise drives. */
static void shake(struct stream *stream, double amplitude, double cycle, double quality, int samples)
{
    const double turn = 2 * M_PI / cycle, kept = exp(-turn / (2 * quality));
    const double one = 2 * kept * cos(turn), two = -kept * kept;
    /* With this the variance of the sum is that of a sine of the amplitude. */
    const double drive = amplitude * sqrt((1 + two) * ((1 - two) * (1 - two) - one * one) / (1 - two) / 2);
    double before = 0, latest = 0;
    for (int i = 0; i < samples; i++) {
        const double next = one * latest + two * before + drive * random_normal(&stream->random);
        before = latest;
        latest = next;
        stream_read(stream, next);
    }
}

/* Some three steps of an encoder, in a building that trembles: now and then a dozen swings fall. */
START_TEST(a_few_steps_that_tremble_are_no_decay)
{
    enum { CYCLE = 40, QUALITY = 20 };
    static const uint64_t seeds[] = {2, 26, 27, 28, 29, 34};
    const struct plant plant = {.omega_n = 2 * M_PI};
    const struct sensor sensor = {.step = 0.6};
    const struct segment_settings settings = segment_default_settings();
    struct stream *stream = stream_create(seeds[_i], &plant, &sensor, CYCLE);
    struct findings findings;
    stream_wait(stream, 300);
    shake(stream, 1, CYCLE, QUALITY, SAMPLES);
    findings_gather(stream, &settings, 16, &findings);
    ck_assert_uint_eq(findings.count, 0);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

/* A rig in a building that trembles without end; it may have been let go twice before, so that its rhythm is known. Who
 * looks only at what follows an extremum takes three to 29 stretches of each of these streams for decays. */
static const struct tremble {
    uint64_t seed;
    double cycle, quality, noise, step;
    int releases;
} trembles[] = {
    {1, 100, 10, 0, 0, 2},   {7, 100, 20, 0.01, 0, 2},      {5, 60, 20, 0, 0.02, 0},  {5, 100, 50, 0.02, 0, 0},
    {5, 60, 50, 0, 0.01, 2}, {6, 100, 100, 0, 0.01, 0},     {6, 60, 100, 0.03, 0, 2}, {7, 100, 200, 0.01, 0.02, 0},
    {9, 40, 200, 0, 0, 2},   {8, 100, 500, 0.02, 0.005, 0}, {8, 100, 500, 0, 0, 2},
};
enum { TREMBLES = sizeof trembles / sizeof *trembles };
START_TEST(what_random_forces_keep_swinging_is_no_decay)
{
    const struct tremble *tremble = &trembles[_i];
    const double cycle = tremble->cycle;
    const struct plant plant = {.omega_n = 2 * M_PI, .zeta = 0.01, .x_k = 1e-3, .x_s = 1e-3};
    const struct sensor sensor = {.noise = tremble->noise, .step = tremble->step};
    const struct segment_settings settings = segment_default_settings();
    struct stream *stream = stream_create(tremble->seed, &plant, &sensor, cycle);
    struct findings findings;
    stream_wait(stream, 3 * cycle);
    for (int i = 0; i < tremble->releases; i++) {
        stream_pull(stream, 1, 4 * cycle, 0);
        stream_hold(stream, 3 * cycle, 0);
        stream_release(stream, 0, 5 * cycle, 200 * cycle);
    }
    const size_t begin = stream->count;
    shake(stream, 1, cycle, tremble->quality, SAMPLES);
    findings_gather(stream, &settings, 16, &findings);
    ck_assert_uint_eq(findings.count, (size_t)tremble->releases);
    for (size_t n = 0; n < findings.count; n++)
        ck_assert_double_lt(findings.decays[n]->record.first_extremum_s / stream->dt, (double)begin);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

/* Held, and let go: that two modes of nearly one frequency are in it makes it no beat. */
START_TEST(a_rig_with_two_close_modes_can_be_let_go)
{
    static double displacement[SAMPLES];
    const struct beat *beat = &beats[_i];
    double turn = 2 * M_PI / beat->cycle, other = turn * (1 + 1 / beat->beat_cycles), held = 20 * beat->cycle;
    for (int i = 0; i < SAMPLES; i++) {
        double since = i - held, pull = 0.5 * (1 - cos(M_PI * fmin(i / (4 * beat->cycle), 1)));
        double free = exp(-0.01 * turn * since) * (cos(turn * since) + beat->weaker / 3 * cos(other * since));
        displacement[i] = since < 0 ? pull : free / (1 + beat->weaker / 3);
    }
    struct findings findings;
    find(beat, displacement, &findings);
    ck_assert_uint_ge(findings.count, 1);
    double begins = findings.decays[0]->record.first_extremum_s * RATE;
    ck_assert_double_le(fabs(begins - held), beat->cycle);
    findings_clear(&findings);
}
END_TEST

/* Held, let go, and caught long before it rests: a weak second mode makes the envelope of a light damping wavy, and
 * where its waves lie depends on how the mass was let go. */
enum { PHASES = 8, FREE_CYCLES = 70 };
START_TEST(a_wavy_envelope_is_that_of_one_decay)
{
    static double displacement[SAMPLES];
    const struct beat beat = {.cycle = 245, .beat_cycles = 20 + _i, .noise = 2e-4};
    double turn = 2 * M_PI / beat.cycle, held = 20 * beat.cycle, phase = 2 * M_PI * _i / PHASES;
    double at_once = 1 + 0.06 * cos(phase), caught = FREE_CYCLES * beat.cycle, last = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double since = i - held, pull = at_once * 0.5 * (1 - cos(M_PI * fmin(i / (4 * beat.cycle), 1)));
        double free = exp(-0.0027 * turn * since) * (cos(turn * since) + 0.06 * cos(1.05 * turn * since + phase));
        if (since <= caught)
            last = since < 0 ? pull : free;
        displacement[i] = last;
    }
    struct findings findings;
    find(&beat, displacement, &findings);
    ck_assert_uint_eq(findings.count, 1);
    ck_assert_double_le(fabs(findings.decays[0]->record.first_extremum_s * RATE - held), beat.cycle);
    ck_assert_uint_ge(findings.decays[0]->half_cycles, 2 * (FREE_CYCLES - 3));
    findings_clear(&findings);
}
END_TEST

/* Shaken at its resonance until the shaker is switched off, at a crest or between two. */
START_TEST(a_ring_down_is_a_decay)
{
    static double displacement[SAMPLES];
    const struct beat *beat = &beats[_i];
    double turn = 2 * M_PI / beat->cycle, off = round((SAMPLES / 2 + 0.3 * _i * beat->cycle));
    for (int i = 0; i < SAMPLES; i++)
        displacement[i] = sin(turn * i) * (i > off ? exp(-0.05 * turn * (i - off)) : 1);
    struct findings findings;
    find(beat, displacement, &findings);
    ck_assert_uint_eq(findings.count, 1);
    double begins = findings.decays[0]->record.first_extremum_s * RATE;
    ck_assert_double_le(fabs(begins - off), beat->cycle);
    findings_clear(&findings);
}
END_TEST

/* A linear rig that is forced near its resonance from rest on, and let go before it has settled: its swings still rise
 * and fall then. Integrated in fine steps; *off is the sample at which the force ends. */
static struct stream *shaken(uint64_t seed, double *off)
{
    enum { STEPS = 20 };
    struct random random = {~seed * 7};
    const double cycle = random_log_uniform(&random, 20, 200);
    const struct plant plant = {.omega_n = 2 * M_PI};
    struct sensor sensor = {.noise = random_log_uniform(&random, 1e-4, 0.02)};
    if (random_chance(&random, 0.3))
        sensor.step = random_log_uniform(&random, 1e-4, 0.02);
    struct stream *stream = stream_create(seed + 1, &plant, &sensor, cycle);
    const double zeta = random_log_uniform(&random, 2e-3, 0.05), turn = 2 * M_PI / cycle;
    const double detuned = random_uniform(&random, -3, 3) * zeta;
    const double settling = random_chance(&random, 0.5) ? 20 : random_uniform(&random, 1, 6);
    const double begin = random_uniform(&random, 0, 3) * cycle;
    const double force = 2 * zeta * hypot(1, detuned / zeta) * turn * turn;
    double x = 0, v = 0;
    *off = begin + settling / (zeta * turn);
    for (double i = 0; i < *off + 8 / (zeta * turn) + 5 * cycle; i++) {
        stream_read(stream, x);
        for (int k = 0; k < STEPS; k++) {
            const double t = i + (double)k / STEPS;
            const double pushed = t < begin || t > *off ? 0 : force * sin(turn * (1 + detuned) * (t - begin));
            v += (pushed - turn * turn * x - 2 * zeta * turn * v) / STEPS;
            x += v / STEPS;
        }
    }
    return stream;
}

/* What it does while the force lasts is no decay, and none of its half cycles that fits badly may pass for one: the
 * decay that follows would be lost. */
START_TEST(a_rig_that_is_shaken_can_be_let_go)
{
    static const uint64_t seeds[] = {34, 60, 209, 251, 313, 363, 404, 454, 468};
    const struct segment_settings settings = segment_default_settings();
    double off;
    struct stream *stream = shaken(seeds[_i], &off);
    struct findings findings;
    findings_gather(stream, &settings, 16, &findings);
    ck_assert_uint_eq(findings.count, 1);
    double begins = findings.decays[0]->record.first_extremum_s / stream->dt;
    ck_assert_double_le(fabs(begins - off), 1.1 * stream->samples_per_cycle);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

/* An amplitude that is waited for hides what came before it from the record, but not from the question whether anybody
 * let go. */
START_TEST(a_window_lets_no_beat_pass_for_a_decay)
{
    static const uint64_t seeds[] = {92000006, 92000026, 92000027, 92000030};
    struct segment_settings settings = segment_default_settings();
    settings.start_below = 0.6;
    struct lab lab = lab_of_beats(seeds[_i], SAMPLES);
    struct findings findings;
    findings_gather(lab.stream, &settings, 16, &findings);
    ck_assert_uint_eq(findings.count, 0);
    findings_clear(&findings);
    stream_destroy(lab.stream);
}
END_TEST

/* A mass that trembles, and by and by trembles more for a few half cycles: nobody lets go, which must not be forgotten
 * because the tremor is smaller than the amplitude at which records end. */
START_TEST(a_tremor_below_the_window_is_still_one)
{
    enum { CYCLE = 100, EVERY = 5000 };
    static double displacement[SAMPLES];
    static uint8_t flags[SAMPLES];
    struct random random = {(uint64_t)_i};
    for (int i = 0; i < SAMPLES; i++) {
        double more = i < EVERY ? 0 : 16 * exp(-0.24 * (i % EVERY) / CYCLE);
        displacement[i] = fmax(more, 8) * cos(2 * M_PI * i / CYCLE) + random_normal(&random);
    }
    const struct stream stream = {
        .displacement = displacement, .flags = flags, .count = SAMPLES, .dt = 1.0 / RATE, .samples_per_cycle = CYCLE};
    struct segment_settings settings = segment_default_settings();
    settings.stop_below = 9;
    struct findings findings;
    findings_gather(&stream, &settings, 16, &findings);
    ck_assert_uint_eq(findings.count, 0);
    findings_clear(&findings);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("segment beats");
    TCase *tests = tcase_create("beats");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, two_close_modes_are_no_decays, 0, BEATS);
    tcase_add_loop_test(tests, what_a_stream_begins_with_may_be_a_beat, 0, SLOW_BEATS);
    tcase_add_loop_test(tests, a_forced_motion_that_settles_is_no_decay, 0, BEATS);
    tcase_add_loop_test(tests, a_steady_motion_that_sags_is_no_decay, 0, BEATS);
    tcase_add_loop_test(tests, nobody_lets_go_in_a_beat, 0, 150);
    tcase_add_loop_test(tests, a_window_lets_no_beat_pass_for_a_decay, 0, 4);
    tcase_add_loop_test(tests, a_tremor_below_the_window_is_still_one, 1, 5);
    tcase_add_loop_test(tests, no_half_cycle_out_of_time_is_put_before_a_beat, 0, 3);
    tcase_add_loop_test(tests, few_swings_out_of_a_beat_are_no_decay, 0, 2);
    tcase_add_loop_test(tests, a_few_steps_that_tremble_are_no_decay, 0, 6);
    tcase_add_loop_test(tests, what_random_forces_keep_swinging_is_no_decay, 0, TREMBLES);
    tcase_add_loop_test(tests, a_rig_with_two_close_modes_can_be_let_go, 1, BEATS);
    tcase_add_loop_test(tests, a_wavy_envelope_is_that_of_one_decay, 0, PHASES);
    tcase_add_loop_test(tests, a_ring_down_is_a_decay, 1, BEATS - 1);
    tcase_add_loop_test(tests, a_rig_that_is_shaken_can_be_let_go, 0, 9);
    tcase_add_loop_test(tests, a_tremor_that_a_stream_begins_with_is_no_decay, 0, 20);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
