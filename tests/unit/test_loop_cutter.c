/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops out of a stream: each is found once, and told soon after it closed. */

#include "identify/loop/loop_reversal.h"
#include "run_suite.h"
#include "segment/loop_cutter.h"
#include "segment/loop_scans.h"

#include <check.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <malloc.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { LOOPS = 40 };

/* Scans of period 1, which closes a loop at every whole number. */
struct stream {
    double now_s, first_late, latest_late; /* latest: of those behind the first */
    size_t told, late;                     /* late: more than 5 % of the period, likewise */
};

static void on_loop(void *context, struct loop_cut *loop)
{
    struct stream *stream = context;
    const double closed_s = (double)loop->number, late = stream->now_s - closed_s;
    stream->late += stream->told > 0 && late > 0.05;
    stream->latest_late = stream->told > 0 ? fmax(stream->latest_late, late) : -INFINITY;
    stream->first_late = stream->told > 0 ? stream->first_late : late;
    stream->told++;
    ck_assert_msg(late > -0.015, "loop %d is told %g of a period before it closed", (int)loop->number, -late);
    free(loop->rows);
}

static void on_run(void *context, struct loop_cut *run)
{
    (void)context;
    free(run->rows);
}

static void on_given_up(void *context, const char *reason)
{
    (void)context;
    ck_abort_msg("%s", reason);
}

static double sine(double phase)
{
    return -cos(2 * M_PI * phase);
}

static double triangle(double phase)
{
    return 4 * fabs(phase - floor(phase + 0.5)) - 1;
}

/* Three times as fast back as there. */
static double saw(double phase)
{
    const double part = phase - floor(phase);
    return part < 0.75 ? part / 0.375 - 1 : 1 - (part - 0.75) / 0.125;
}

/* Of that many samples a period, with noise as a share of the half stroke. */
static struct stream cut(double (*shape)(double phase), int samples, double noise, gsl_rng *random)
{
    struct stream stream = {.first_late = NAN};
    const struct loop_cutter_settings settings = {.columns = 3, .most_rows = (size_t)samples * 60};
    const struct loop_cutter_listener listener = {on_loop, on_run, on_given_up, &stream};
    struct loop_cutter *cutter = loop_cutter_create(&settings, &listener);
    ck_assert_ptr_nonnull(cutter);
    const double start = gsl_rng_uniform(random) / samples;
    for (int i = -samples / 2; i <= (LOOPS + 0.4) * samples; i++) {
        stream.now_s = start + (double)i / samples;
        const double x = shape(stream.now_s);
        const struct loop_scan scan = {
            .displacement = x + gsl_ran_gaussian(random, noise), .force = x, .time_s = stream.now_s, .motion = x};
        loop_cutter_feed(cutter, &scan);
    }
    ck_assert_uint_eq(loop_cutter_loops(cutter), LOOPS);
    loop_cutter_destroy(cutter);
    return stream;
}

/* Within 5 % of its period, but for one in 40 where the samples are few and the noise is much; the first of a run,
 * of whose way back nothing is known yet, within a tenth. */
START_TEST(a_loop_is_told_soon_after_it_closed)
{
    static double (*const shapes[])(double phase) = {sine, triangle, saw};
    static const int samples[] = {50, 150, 500, 2000, 5000};
    static const double noises[] = {0, 0.003, 0.01, 0.03};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    ck_assert_ptr_nonnull(random);
    for (size_t s = 0; s < 3; s++)
        for (size_t k = 0; k < 5; k++)
            for (size_t n = 0; n < 4; n++) {
                const struct stream stream = cut(shapes[s], samples[k], noises[n], random);
                const size_t most = noises[n] > 0.01 && samples[k] < 500 ? 1 : 0;
                ck_assert_uint_eq(stream.told, LOOPS);
                ck_assert_msg(stream.late <= most && stream.latest_late < 0.1,
                              "shape %zu, %d samples, noise %g: %zu late, the latest by %g of a period", s, samples[k],
                              noises[n], stream.late, stream.latest_late);
                ck_assert_msg(stream.first_late < 0.1, "shape %zu, %d samples, noise %g: the first is late by %g", s,
                              samples[k], noises[n], stream.first_late);
            }
    gsl_rng_free(random);
}
END_TEST

/* Back at a third of the speed, with a short stop on the way. */
static double stopping(double phase)
{
    const double part = phase - floor(phase);
    return part < 0.25 ? 8 * part - 1 : part < 0.55 ? 1 - (part - 0.25) / 0.3 : part < 0.7 ? 0 : -(part - 0.7) / 0.3;
}

/* What a run was like says nothing of the loops behind a gap. */
START_TEST(the_first_loop_behind_a_gap_is_not_foretold_by_those_before)
{
    static double (*const shapes[])(double phase) = {sine, triangle, stopping};
    enum { SAMPLES = 200, BEFORE = 10, BEHIND = 5 };
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct stream stream = {.first_late = NAN};
    const struct loop_cutter_settings settings = {.columns = 3, .most_rows = 60 * SAMPLES};
    const struct loop_cutter_listener listener = {on_loop, on_run, on_given_up, &stream};
    struct loop_cutter *cutter = loop_cutter_create(&settings, &listener);
    ck_assert_ptr_nonnull(cutter);
    for (int i = -SAMPLES / 2; i <= (BEFORE + 1 + BEHIND) * SAMPLES; i++) {
        const double turns = (double)i / SAMPLES;
        const bool before = turns < BEFORE + 0.5;
        /* The loop that the gap cuts is none. */
        stream.now_s = before ? turns : turns - 1;
        if (turns == BEFORE + 0.5)
            loop_cutter_break(cutter, LOOP_CUT_GAP);
        const double x = (before ? saw : shapes[_i])(turns) + gsl_ran_gaussian(random, 0.003);
        const struct loop_scan scan = {.displacement = x, .force = x, .time_s = turns, .motion = x};
        loop_cutter_feed(cutter, &scan);
    }
    ck_assert_uint_ge(stream.told, BEFORE + BEHIND - 1);
    ck_assert_uint_eq(stream.late, 0);
    loop_cutter_destroy(cutter);
    gsl_rng_free(random);
}
END_TEST

/* --- how runs end --- */

enum { A_CYCLE = 200, MOST_ENDS = 8 };

/* A drive of period 1 until a time, and another one behind it. */
struct drive {
    double stroke, period, force; /* behind it, each as a multiple; force: what is added */
    bool rests;
    enum loop_cut_end broken; /* LOOP_CUT_ENDS: it is not */
    size_t most_cycles;       /* that are held */
};

struct ends {
    size_t runs, loops, given_up;
    enum loop_cut_end end[MOST_ENDS];
};

static void count_run(void *context, struct loop_cut *run)
{
    struct ends *ends = context;
    ck_assert_uint_lt(ends->runs, MOST_ENDS);
    ends->end[ends->runs++] = run->ended_by;
    ends->loops += run->loops;
    free(run->rows);
}

static void count_given_up(void *context, const char *reason)
{
    struct ends *ends = context;
    ck_assert_str_eq(reason, "loop_too_long");
    ends->given_up++;
}

static size_t in_use(void)
{
    return mallinfo2().uordblks + mallinfo2().hblkhd;
}

static struct loop_cutter *cutter_into(struct ends *ends, size_t most_cycles)
{
    const struct loop_cutter_settings settings = {.columns = 3, .most_rows = A_CYCLE * most_cycles};
    const struct loop_cutter_listener listener = {NULL, count_run, count_given_up, ends};
    struct loop_cutter *cutter = loop_cutter_create(&settings, &listener);
    ck_assert_ptr_nonnull(cutter);
    return cutter;
}

static void feed(struct loop_cutter *cutter, double time_s, double displacement, double force)
{
    const struct loop_scan scan = {
        .displacement = displacement, .force = force, .time_s = time_s, .motion = displacement};
    loop_cutter_feed(cutter, &scan);
}

/* What ends a run is named, once; the run behind it ends with the source. */
START_TEST(a_run_ends_once_with_what_ended_it)
{
    static const struct {
        struct drive behind;
        enum loop_cut_end named;
    } rows[] = {
        {{1.5, 1, 0, false, LOOP_CUT_ENDS, 100}, LOOP_CUT_STROKE},
        {{1, 1.5, 0, false, LOOP_CUT_ENDS, 100}, LOOP_CUT_PERIOD},
        {{1, 6, 0, false, LOOP_CUT_ENDS, 100}, LOOP_CUT_PERIOD}, /* and behind two periods it has not turned back */
        {{1, 1, 0.5, false, LOOP_CUT_ENDS, 100}, LOOP_CUT_MEAN_FORCE},
        {{1, 1, 0, true, LOOP_CUT_ENDS, 100}, LOOP_CUT_REST},
        {{1, 1, 0, false, LOOP_CUT_GAP, 100}, LOOP_CUT_GAP},
        {{1, 1, 0, false, LOOP_CUT_CLIPPED, 100}, LOOP_CUT_CLIPPED},
        {{1, 1, 0, false, LOOP_CUT_ENDS, 25}, LOOP_CUT_MAX_LENGTH},
    };
    const struct drive *behind = &rows[_i].behind;
    const double change_s = 15, rest_s = behind->rests ? 6 : 0;
    struct ends ends = {0};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct loop_cutter *cutter = cutter_into(&ends, behind->most_cycles);
    for (int i = -A_CYCLE / 2; i < 45 * A_CYCLE; i++) {
        const double now_s = (double)i / A_CYCLE, past_s = now_s - change_s;
        const double turns = past_s < 0 ? now_s : change_s + fmax(0, past_s - rest_s) / behind->period;
        const double x = sine(turns) * (past_s < 0 ? 1 : behind->stroke);
        const double lower = past_s < 0 ? 0 : behind->stroke - 1; /* the drive goes on from where it was */
        const double force = sine(turns - 0.1) + (past_s < 0 ? 0 : behind->force);
        if (behind->broken < LOOP_CUT_ENDS && past_s == 0)
            loop_cutter_break(cutter, behind->broken);
        feed(cutter, now_s, x + lower + gsl_ran_gaussian(random, 0.01), force);
    }
    loop_cutter_break(cutter, LOOP_CUT_END_OF_SOURCE);
    ck_assert_uint_eq(ends.runs, 2);
    ck_assert_str_eq(loop_cut_end_name(ends.end[0]), loop_cut_end_name(rows[_i].named));
    ck_assert_str_eq(loop_cut_end_name(ends.end[1]), "end_of_source");
    const double lost = behind->broken < LOOP_CUT_ENDS ? 2 : 0;
    ck_assert_double_ge((double)ends.loops, 15 + floor((44 - change_s - rest_s) / behind->period) - lost);
    ck_assert_uint_eq(ends.given_up, 0);
    loop_cutter_destroy(cutter);
    gsl_rng_free(random);
}
END_TEST

/* A trapezoid that rests at its ends for a tenth of its period each is one run. */
START_TEST(short_rests_cut_no_run)
{
    static const double noises[] = {0, 0.003, 0.01, 0.03};
    struct ends ends = {0};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct loop_cutter *cutter = cutter_into(&ends, 100);
    for (int i = -A_CYCLE / 3; i < 30 * A_CYCLE; i++) {
        const double now_s = (double)i / A_CYCLE, phase = now_s - floor(now_s);
        const double x = fmax(-1, fmin(triangle(phase) / 0.6, 1));
        feed(cutter, now_s, x + gsl_ran_gaussian(random, noises[_i]), sine(now_s - 0.1));
    }
    ck_assert_uint_eq(ends.runs, 0);
    loop_cutter_break(cutter, LOOP_CUT_END_OF_SOURCE);
    ck_assert_uint_eq(ends.runs, 1);
    ck_assert_uint_ge(ends.loops, 28);
    loop_cutter_destroy(cutter);
    gsl_rng_free(random);
}
END_TEST

/* --- swings that are small against those before --- */

enum { SMALL = 20, SMALL_SAMPLES = 100 };

/* Half sines, two a second: so many with ends at -100 and 100, of which the last ends at -1; then between -1 and 1. */
static double small_behind(int large, double now_s)
{
    const int n = (int)floor(2 * now_s);
    const double from = n >= large ? ((n - large) % 2 ? 1 : -1) : n % 2 ? 100 : -100;
    const double to = n >= large ? -from : n == large - 1 ? -1 : -from;
    return from + (to - from) * (0.5 - 0.5 * cos(M_PI * (2 * now_s - n)));
}

static size_t loops_of_record(const struct loop_signal *signal)
{
    struct loop_reversals reversals;
    size_t lower = 0;
    ck_assert_int_eq(loop_reversals_of(signal, &reversals), 0);
    for (size_t i = 0; i < reversals.count; i++)
        lower += !reversals.reversal[i].upper;
    loop_reversals_clear(&reversals);
    return lower - 1;
}

/* Behind a way that is a hundred times as long, and behind loops that are as much larger, in a stream and in a file. */
START_TEST(small_loops_behind_large_swings_are_found)
{
    static const struct {
        int large;    /* half cycles */
        size_t loops; /* that there are */
    } rows[] = {{1, SMALL - 1}, {6, 2 + SMALL}};
    enum { MOST = (3 + SMALL + 1) * SMALL_SAMPLES };
    double room[3][MOST];
    struct loop_signal signal = {.displacement = room[0], .force = room[1], .time_s = room[2]};
    struct ends ends = {0};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct loop_cutter *cutter = cutter_into(&ends, MOST);
    for (; (double)signal.count < (0.5 * rows[_i].large + SMALL + 0.4) * SMALL_SAMPLES; signal.count++) {
        const size_t i = signal.count;
        room[2][i] = (double)i / SMALL_SAMPLES;
        room[1][i] = room[0][i] = small_behind(rows[_i].large, room[2][i]);
        room[0][i] += gsl_ran_gaussian(random, 0.01);
        feed(cutter, room[2][i], room[0][i], room[1][i]);
    }
    ck_assert_uint_eq(loop_cutter_loops(cutter), rows[_i].loops);
    ck_assert_int_eq(loop_signal_look(&signal), 0);
    ck_assert_uint_eq(loops_of_record(&signal), rows[_i].loops);
    loop_cutter_break(cutter, LOOP_CUT_END_OF_SOURCE);
    ck_assert_uint_eq(ends.loops, rows[_i].loops);
    loop_cutter_destroy(cutter);
    gsl_rng_free(random);
}
END_TEST

/* A cycle of many samples, with noise that lasts for ten of them as behind a filter: the first look at few of them
 * takes it for a third of what it is, and one stream in three began with a loop of noise. */
START_TEST(noise_that_lasts_begins_with_no_loop)
{
    enum { STREAMS = 40, CYCLE = 5000, CYCLES = 3 };
    const double noise = 0.01, lasts = 0.9;
    size_t invented = 0;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int stream = 0; stream < STREAMS; stream++) {
        struct ends ends = {0};
        struct loop_cutter *cutter = cutter_into(&ends, CYCLES * CYCLE / A_CYCLE + 1);
        const double start = 0.1 + 0.7 * gsl_rng_uniform(random);
        double wander = 0;
        for (int i = 0; start + (double)i / CYCLE < CYCLES + 0.4; i++) {
            const double now_s = start + (double)i / CYCLE;
            wander = lasts * wander + gsl_ran_gaussian(random, noise * sqrt(1 - lasts * lasts));
            feed(cutter, now_s, sine(now_s) + wander, sine(now_s - 0.1));
        }
        ck_assert_uint_ge(loop_cutter_loops(cutter), CYCLES - 1);
        invented += loop_cutter_loops(cutter) - (CYCLES - 1);
        loop_cutter_destroy(cutter);
    }
    ck_assert_uint_le(invented, 4);
    gsl_rng_free(random);
}
END_TEST

/* --- what the record of a run holds --- */

/* A cycle a second, with so many samples, that begins at a whole number of seconds. */
enum { RECORD_SAMPLES = 50 };

/* Runs and, of their records, loops that are found in them. */
struct records {
    size_t runs, cut, found;
    double end_s; /* of the latest record */
    bool overlap;
};

static void look_through(void *context, struct loop_cut *run)
{
    struct records *records = context;
    double *room = calloc(3 * run->count, sizeof *room);
    struct loop_signal signal = {
        .displacement = room, .force = room + run->count, .time_s = room + 2 * run->count, .count = run->count};
    ck_assert_ptr_nonnull(room);
    for (size_t i = 0; i < run->count; i++)
        for (size_t c = 0; c < 3; c++)
            room[c * run->count + i] = run->rows[3 * i + c];
    ck_assert_int_eq(loop_signal_look(&signal), 0);
    records->runs++;
    records->cut += run->loops;
    records->found += loops_of_record(&signal);
    records->overlap = records->overlap || !(signal.time_s[0] > records->end_s);
    records->end_s = signal.time_s[run->count - 1];
    free(room);
    free(run->rows);
}

/* In noise the slow way up of a saw is seen late, and so is a first way down that the stream begins on; and a drive
 * that rests at its lower end between two runs begins the second one with the rest. */
START_TEST(the_record_of_a_run_shows_its_loops_and_no_others)
{
    static const struct {
        double (*shape)(double phase);
        double noise, rest_s, lead_s; /* lead: before the first lower reversal */
        size_t runs;
    } rows[] = {{saw, 0.03, 0, 0.5, 1},
                {sine, 0.03, 0, 0.5, 1},
                {sine, 0.002, 3, 0.5, 2},
                {sine, 0.01, 6, 0.5, 2},
                {sine, 0.03, 0, 0.2, 1}};
    const double change_s = 10, rest_s = rows[_i].rest_s, end_s = 20.35 + rest_s;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int record = 0; record < 10; record++) {
        struct records records = {.end_s = -INFINITY};
        const struct loop_cutter_settings settings = {.columns = 3, .most_rows = 1 << 14};
        const struct loop_cutter_listener listener = {NULL, look_through, on_given_up, &records};
        struct loop_cutter *cutter = loop_cutter_create(&settings, &listener);
        ck_assert_ptr_nonnull(cutter);
        for (int i = (int)(-rows[_i].lead_s * RECORD_SAMPLES); i < end_s * RECORD_SAMPLES; i++) {
            const double now_s = (double)i / RECORD_SAMPLES;
            const double turns = now_s < change_s ? now_s : fmax(change_s, now_s - rest_s);
            const double x = rows[_i].shape(turns);
            feed(cutter, now_s, x + gsl_ran_gaussian(random, rows[_i].noise), rows[_i].shape(turns - 0.1));
        }
        loop_cutter_break(cutter, LOOP_CUT_END_OF_SOURCE);
        ck_assert_uint_eq(records.runs, rows[_i].runs);
        ck_assert_uint_eq(records.cut, 20);
        ck_assert_uint_eq(records.found, records.cut);
        ck_assert(!records.overlap || rest_s == 0);
        loop_cutter_destroy(cutter);
    }
    gsl_rng_free(random);
}
END_TEST

/* Noise behind a filter of one or two poles, each of which leaves so much of a sample to the next: two of them hide it
 * from neighbours, where it was not seen at all and began most streams with loops. In white noise the record of a
 * triangle's run lacked its first loop. */
START_TEST(filtered_noise_is_no_loop)
{
    static const struct {
        double (*shape)(double phase);
        int cycle, poles;
        double lasts, noise;
    } rows[] = {{sine, 150, 1, 0.9, 0.03},   {triangle, 50, 1, 0.9, 0.03}, {sine, 500, 2, 0.7, 0.03},
                {sine, 500, 1, 0.97, 0.03},  {sine, 5000, 2, 0.9, 0.03},   {triangle, 5000, 2, 0.7, 0.03},
                {sine, 5000, 1, 0.97, 0.03}, {triangle, 5000, 1, 0, 0.03}};
    enum { STREAMS = 20, CYCLES = 4 };
    const double r = rows[_i].lasts, r2 = r * r;
    const double variance = rows[_i].poles == 1 ? 1 / (1 - r2) : (1 + r2) / pow(1 - r2, 3);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int stream = 0; stream < STREAMS; stream++) {
        struct records records = {.end_s = -INFINITY};
        const struct loop_cutter_settings settings = {.columns = 3, .most_rows = 1 << 16};
        const struct loop_cutter_listener listener = {NULL, look_through, on_given_up, &records};
        struct loop_cutter *cutter = loop_cutter_create(&settings, &listener);
        const double start = 0.05 + 0.75 * gsl_rng_uniform(random);
        double first = 0, second = 0;
        for (int i = 0; start + (double)i / rows[_i].cycle < CYCLES + 0.4; i++) {
            const double now_s = start + (double)i / rows[_i].cycle;
            first = r * first + gsl_ran_gaussian(random, rows[_i].noise / sqrt(variance));
            second = r * second + first;
            feed(cutter, now_s, rows[_i].shape(now_s) + (rows[_i].poles == 1 ? first : second), sine(now_s - 0.1));
        }
        loop_cutter_break(cutter, LOOP_CUT_END_OF_SOURCE);
        ck_assert_uint_eq(records.runs, 1);
        ck_assert_uint_eq(records.cut, CYCLES - 1);
        ck_assert_uint_eq(records.found, CYCLES - 1);
        loop_cutter_destroy(cutter);
    }
    gsl_rng_free(random);
}
END_TEST

/* To and fro once a second, a fifth of it each way; in between it sticks, and creeps by up to a hundredth of the
 * stroke. */
static double stuck(double now_s)
{
    static const double creep[] = {0, 0.010, 0.007, 0.019, 0.017, 0.025, 0.024, 0.025};
    const double phase = now_s - floor(now_s), half = fmod(phase, 0.5), rest = fmax(0, half - 0.2) / 0.3 * 7;
    const int k = (int)fmin(rest, 6);
    const double gone = fmin(half / 0.2, 1) + (creep[k] + (creep[k + 1] - creep[k]) * (rest - k)) / 2;
    return phase < 0.5 ? 2 * gone - 1 : 1.025 - 2 * gone;
}

/* Though the record begins with a short swing, behind which the rests are long. */
START_TEST(what_creeps_in_a_rest_is_no_loop)
{
    enum { CYCLES = 9, RATE = 250, MOST = CYCLES * RATE };
    double room[3][MOST];
    struct loop_signal signal = {.displacement = room[0], .force = room[1], .time_s = room[2], .count = MOST};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < MOST; i++) {
        room[2][i] = (double)i / RATE;
        room[1][i] = room[0][i] = stuck(room[2][i] + 0.62);
        room[0][i] += gsl_ran_gaussian(random, 1e-5);
    }
    ck_assert_int_eq(loop_signal_look(&signal), 0);
    ck_assert_uint_eq(loops_of_record(&signal), CYCLES - 1);
    gsl_rng_free(random);
}
END_TEST

/* Held is what settings allow, however far the displacement goes. */
START_TEST(a_loop_that_never_closes_is_given_up)
{
    enum { MOST_CYCLES = 40, FOREVER = 100 * MOST_CYCLES * A_CYCLE };
    struct ends ends = {0};
    struct loop_cutter *cutter = cutter_into(&ends, MOST_CYCLES);
    double now_s = -0.5, x = 1;
    for (; now_s < 1.25; now_s += 1.0 / A_CYCLE)
        feed(cutter, now_s, x = sine(now_s), 1);
    const size_t before = in_use();
    for (int i = 0; i < FOREVER; i++, now_s += 1.0 / A_CYCLE)
        feed(cutter, now_s, x += 0.01, 1);
    ck_assert_uint_lt(in_use(), before + 2 * MOST_CYCLES * A_CYCLE * sizeof(struct loop_scan));
    ck_assert_uint_ge(ends.given_up, 1);
    loop_cutter_destroy(cutter);
}
END_TEST

/* A force that comes late, or early, has no values for the rows at one end: there it stays as it was last seen. */
START_TEST(a_force_that_comes_late_is_not_led_on_beyond_its_ends)
{
    enum { SCANS = 40 };
    static const double late[] = {3.3, 12, -3.3, -12};
    struct loop_scans scans = {.first = 0};
    for (int i = 0; i < SCANS; i++) {
        const struct loop_scan scan = {.displacement = i, .force = i % 2 ? 1 : -1, .time_s = i, .motion = i};
        ck_assert(loop_scans_add(&scans, &scan));
    }
    const struct loop_row_form form = {.columns = 3, .force_late = late[_i]};
    double *rows = loop_scans_rows(&scans, &form, 0, SCANS);
    ck_assert_ptr_nonnull(rows);
    for (int i = 0; i < SCANS; i++)
        ck_assert_double_le(fabs(rows[3 * i + 1]), 1.25);
    const int edge = late[_i] > 0 ? 0 : SCANS - 1;
    ck_assert_double_eq(rows[3 * edge + 1], edge % 2 ? 1 : -1);
    free(rows);
    loop_scans_clear(&scans);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loop_cutter");
    TCase *tests = tcase_create("loops");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_loop_is_told_soon_after_it_closed);
    tcase_add_loop_test(tests, the_first_loop_behind_a_gap_is_not_foretold_by_those_before, 0, 3);
    tcase_add_loop_test(tests, a_run_ends_once_with_what_ended_it, 0, 8);
    tcase_add_loop_test(tests, short_rests_cut_no_run, 0, 4);
    tcase_add_loop_test(tests, small_loops_behind_large_swings_are_found, 0, 2);
    tcase_add_test(tests, noise_that_lasts_begins_with_no_loop);
    tcase_add_loop_test(tests, the_record_of_a_run_shows_its_loops_and_no_others, 0, 5);
    tcase_add_loop_test(tests, filtered_noise_is_no_loop, 0, 8);
    tcase_add_test(tests, what_creeps_in_a_rest_is_no_loop);
    tcase_add_test(tests, a_loop_that_never_closes_is_given_up);
    tcase_add_loop_test(tests, a_force_that_comes_late_is_not_led_on_beyond_its_ends, 0, 4);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
