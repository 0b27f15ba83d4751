/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment_harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void keep(void *context, struct decay *decay)
{
    struct findings *findings = context;
    struct decay **more = realloc(findings->decays, (findings->count + 1) * sizeof *more);
    if (!more)
        abort();
    findings->decays = more;
    findings->decays[findings->count++] = decay;
}

static void count_progress(void *context, const struct segment_state *state)
{
    struct findings *findings = context;
    findings->progress_calls += state->phase == SEGMENT_DECAYING;
}

/* Samples from i on that arrive, at most `most`. */
static size_t arriving(const struct stream *stream, size_t i, size_t most)
{
    size_t size = 0;
    while (size < most && i + size < stream->count && !(stream->flags[i + size] & STREAM_LOST))
        size++;
    return size;
}

void findings_gather(const struct stream *stream, const struct segment_settings *settings, size_t most,
                     struct findings *findings)
{
    *findings = (struct findings){0};
    const struct segment_listener listener = {.decay = keep, .progress = count_progress, .context = findings};
    struct segmenter *segmenter = segmenter_create(settings, &listener);
    struct random random = {stream->count + most};
    for (size_t i = 0; i < stream->count;) {
        size_t size = most > 0 ? (size_t)random_uniform(&random, 1, (double)most + 1) : stream->count;
        size = arriving(stream, i, size);
        if (size > 0)
            segmenter_feed(segmenter, i, stream->displacement + i, NULL, stream->flags + i, size, 0, stream->dt);
        i += size > 0 ? size : 1;
    }
    segmenter_finish(segmenter, DECAY_END_END_OF_SOURCE);
    segmenter_state(segmenter, &findings->state);
    segmenter_destroy(segmenter);
}

void findings_gather_stamped(const struct stream *stream, const struct segment_settings *settings, double origin_s,
                             struct findings *findings)
{
    *findings = (struct findings){0};
    const struct segment_listener listener = {.decay = keep, .progress = count_progress, .context = findings};
    struct segmenter *segmenter = segmenter_create(settings, &listener);
    double *time_s = malloc(stream->count * sizeof *time_s);
    if (!time_s)
        abort();
    size_t kept = 0;
    for (size_t i = 0; i < stream->count; i++)
        if (!(stream->flags[i] & STREAM_LOST)) {
            stream->displacement[kept] = stream->displacement[i];
            stream->flags[kept] = stream->flags[i];
            time_s[kept++] = origin_s + (double)i * stream->dt;
        }
    segmenter_feed(segmenter, 0, stream->displacement, time_s, stream->flags, kept, origin_s, stream->dt);
    segmenter_finish(segmenter, DECAY_END_END_OF_SOURCE);
    segmenter_state(segmenter, &findings->state);
    segmenter_destroy(segmenter);
    free(time_s);
}

void state_after(const struct stream *stream, size_t count, struct segment_state *state)
{
    struct findings findings = {0};
    const struct segment_settings settings = segment_default_settings();
    const struct segment_listener listener = {.decay = keep, .context = &findings};
    struct segmenter *segmenter = segmenter_create(&settings, &listener);
    segmenter_feed(segmenter, 0, stream->displacement, NULL, stream->flags, count, 0, stream->dt);
    segmenter_state(segmenter, state);
    segmenter_destroy(segmenter);
    findings_clear(&findings);
}

void findings_clear(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        decay_destroy(findings->decays[i]);
    free(findings->decays);
    *findings = (struct findings){0};
}

static double sometimes(struct random *random, double chance, double low, double high)
{
    return random_chance(random, chance) ? random_log_uniform(random, low, high) : 0;
}

/* Half cycles until the swing is below `least`, by the recursion; X_0 = 1. */
static size_t half_cycles_above(double zeta, double x_k, double x_s, double least, size_t most)
{
    double q = exp(-M_PI * zeta / sqrt(1 - zeta * zeta)), x = 1;
    size_t n = 0;
    for (; n < most && x > x_s && x > 0; n++) {
        double next = (x - x_k) * q - x_k;
        if (x + next < least)
            break;
        x = next;
    }
    return n;
}

/* Damping that leaves something to see, X_0 = 1. Returns the half cycles until it has all but gone. */
static size_t random_damping(struct random *random, double least, struct plant *plant)
{
    for (;;) {
        plant->zeta = sometimes(random, 0.8, 0.001, 0.2);
        plant->x_k = sometimes(random, 0.8, 0.0003, 0.15);
        plant->x_s = plant->x_k * random_uniform(random, 1, 1.4);
        size_t visible = half_cycles_above(plant->zeta, plant->x_k, plant->x_s, least, 1000);
        if (visible >= 4 && visible <= 300)
            return half_cycles_above(plant->zeta, plant->x_k, plant->x_s, least / 8, 1000);
    }
}

static double least_visible(const struct sensor *sensor, double samples_per_cycle)
{
    double bins = fmin(samples_per_cycle / 2, 32), size = fmax(samples_per_cycle / 64, 1);
    double by_noise = 2.5 * sensor->noise / sqrt(size) * sqrt(32 / bins);
    return fmax(fmax(1.6 * by_noise, 8 * sensor->noise), fmax(3 * sensor->step, 0.003));
}

static void random_sensor(struct random *random, double samples_per_cycle, struct sensor *sensor)
{
    (void)samples_per_cycle;
    *sensor = (struct sensor){
        .noise = sometimes(random, 0.7, 1e-4, 0.03),
        .step = sometimes(random, 0.6, 1e-4, 0.05),
        .offset = random_uniform(random, -1, 1),
    };
}

struct stream *random_decays(uint64_t seed, size_t decays)
{
    struct random random = {seed};
    double samples_per_cycle = random_log_uniform(&random, 20, 2000), f_n = random_log_uniform(&random, 0.05, 1000);
    struct plant plant = {.omega_n = 2 * M_PI * f_n};
    struct sensor sensor;
    random_sensor(&random, samples_per_cycle, &sensor);
    size_t last = random_damping(&random, least_visible(&sensor, samples_per_cycle), &plant);
    struct stream *stream = stream_create(seed + 1, &plant, &sensor, samples_per_cycle * f_n);
    stream_wait(stream, random_uniform(&random, 0, 10) * samples_per_cycle);
    for (size_t i = 0; i < decays; i++) {
        double side = random_chance(&random, 0.5) ? 1 : -1, tremor = sometimes(&random, 0.5, 0.001, 0.01);
        stream_pull(stream, side, random_log_uniform(&random, 0.4, 20) * samples_per_cycle, tremor);
        stream_hold(stream, sometimes(&random, 0.8, 0.1, 20) * samples_per_cycle, tremor);
        double velocity = random_chance(&random, 0.5) ? 0 : random_uniform(&random, -0.1, 0.1) * plant.omega_n;
        double to_the_end = ((double)last + 4) / 2 * samples_per_cycle;
        stream_release(stream, velocity, random_log_uniform(&random, 2, 20) * samples_per_cycle,
                       to_the_end + 20 * samples_per_cycle);
    }
    return stream;
}

size_t true_first_extremum(const struct stream *stream, const struct true_decay *decay)
{
    double cycle = stream->samples_per_cycle, earliest = decay->released + 0.3 * cycle;
    if (decay->usable > decay->released)
        earliest = decay->usable + 0.25 * cycle;
    size_t j = 0;
    while (j < decay->extrema && decay->extremum[j] < earliest)
        j++;
    return j;
}

size_t visible_half_cycles(const struct stream *stream, const struct true_decay *decay)
{
    double least = least_visible(&stream->sensor, stream->samples_per_cycle);
    size_t first = true_first_extremum(stream, decay), j = first;
    while (j + 1 < decay->extrema && fabs(decay->level[j + 1] - decay->level[j]) >= least)
        j++;
    return j - first;
}

/* The last swing before the decay was disturbed. */
static double visible_at_end(const struct stream *stream, const struct true_decay *decay)
{
    (void)stream;
    size_t n = decay->extrema;
    return n > 1 ? fabs(decay->level[n - 1] - decay->level[n - 2]) : 0;
}

static double record_end(const struct decay *decay)
{
    return (double)decay->first_index + (double)decay->record.count - 1;
}

static bool overlaps(const struct decay *found, const struct true_decay *decay)
{
    return record_end(found) > decay->released && (double)found->first_index < decay->stopped;
}

/* Whether the record begins where it should. After a blow, clipping or a gap, free motion may lead up to an extremum
 * half a cycle earlier. */
static bool well_placed(const struct stream *stream, const struct true_decay *decay, const struct decay *piece)
{
    double first = piece->record.first_extremum_s / stream->dt;
    size_t j = true_first_extremum(stream, decay);
    for (size_t i = j > 0 ? j - 1 : j; i <= j && i < decay->extrema; i++) {
        bool allowed = i == j || decay->moving_at_first || decay->usable > decay->released;
        if (allowed && fabs(first - decay->extremum[i]) < 0.1 * stream->samples_per_cycle)
            return true;
    }
    return false;
}

/* Whether nothing happens for long enough after the stop to be sure of it. */
static bool left_alone(const struct stream *stream, const struct true_decay *decay)
{
    size_t stop = (size_t)decay->stopped + 1, end = stop + (size_t)(1.3 * stream->samples_per_cycle);
    for (size_t i = stop; i < end && i < stream->count; i++)
        if (stream->flags[i] || fabs(stream->clean[i] - stream->clean[stop]) > 0.001)
            return false;
    return end < stream->count;
}

static bool well_named(const struct stream *stream, const struct true_decay *decay, const struct decay *piece)
{
    if (decay->at_rest && !left_alone(stream, decay))
        return true;
    bool stopped = piece->ended_by == DECAY_END_REST || piece->ended_by == DECAY_END_NOISE_FLOOR;
    bool stops_early = record_end(piece) < decay->stopped - 2 * stream->samples_per_cycle;
    if (decay->at_rest || stops_early)
        return stopped;
    return !stopped || visible_at_end(stream, decay) < 3 * least_visible(&stream->sensor, stream->samples_per_cycle);
}

static void compare_one(const struct stream *stream, const struct true_decay *decay, const struct findings *findings,
                        struct comparison *sum)
{
    size_t pieces = 0;
    const struct decay *piece = NULL;
    for (size_t i = 0; i < findings->count; i++)
        if (overlaps(findings->decays[i], decay) && pieces++ == 0)
            piece = findings->decays[i];
    bool expected = visible_half_cycles(stream, decay) >= 3;
    sum->expected += expected;
    sum->missed += expected && pieces == 0;
    sum->twice += pieces > 1;
    if (!piece)
        return;
    sum->misplaced += expected && !well_placed(stream, decay, piece);
    sum->misnamed += expected && !well_named(stream, decay, piece);
    sum->overrun += record_end(piece) > decay->stopped + 0.1 * stream->samples_per_cycle;
}

size_t comparison_faults(const struct comparison *sum)
{
    return sum->missed + sum->twice + sum->misplaced + sum->overrun + sum->invented;
}

void comparison_print(const char *kind, uint64_t seed, const struct comparison *before, const struct comparison *after)
{
    printf("%s, seed %lu: %zu missed, %zu twice, %zu misplaced, %zu overrun, %zu invented\n", kind, (unsigned long)seed,
           after->missed - before->missed, after->twice - before->twice, after->misplaced - before->misplaced,
           after->overrun - before->overrun, after->invented - before->invented);
}

void comparison_print_sum(const struct comparison *sum)
{
    printf("%zu expected, %zu missed, %zu twice, %zu misplaced, %zu overrun, %zu misnamed, %zu invented\n",
           sum->expected, sum->missed, sum->twice, sum->misplaced, sum->overrun, sum->misnamed, sum->invented);
}

void compare(const struct stream *stream, const struct findings *findings, struct comparison *sum)
{
    for (size_t i = 0; i < stream->decay_count; i++)
        compare_one(stream, &stream->decays[i], findings, sum);
    for (size_t i = 0; i < findings->count; i++) {
        bool real = false;
        for (size_t j = 0; j < stream->decay_count; j++)
            real = real || overlaps(findings->decays[i], &stream->decays[j]);
        sum->invented += !real;
    }
}

static void random_end(struct random *random, struct stream *stream, double last)
{
    double cycle = stream->samples_per_cycle, rest = random_log_uniform(random, 1, 10) * cycle;
    double to_the_end = (last + 4) / 2 * cycle + rest, early = random_uniform(random, 1.5, last / 2 + 1) * cycle;
    double velocity = random_chance(random, 0.5) ? 0 : random_uniform(random, -0.1, 0.1) * stream->plant.omega_n;
    double choice = random_uniform(random, 0, 4);
    if (choice < 1) {
        stream_release(stream, velocity, rest, to_the_end);
    } else if (choice < 2) {
        stream_release(stream, velocity, rest, early);
        stream_catch(stream, random_uniform(random, 0.02, 0.2) * cycle);
        stream_hold(stream, random_log_uniform(random, 0.5, 5) * cycle, 0);
    } else if (choice < 3) {
        stream_release(stream, velocity, rest, early);
        double blow = random_uniform(random, 0.5, 1.5) * stream->plant.omega_n;
        stream_blow(stream, random_chance(random, 0.5) ? blow : -blow, rest, to_the_end);
    } else {
        size_t begin = stream->count;
        stream_release(stream, velocity, rest, to_the_end);
        double gap = random_log_uniform(random, 1, 3 * cycle);
        stream_lose(stream, begin + (size_t)early, (size_t)gap);
    }
}

static void random_electronics(struct random *random, struct stream *stream)
{
    struct sensor *sensor = &stream->sensor;
    double choice = random_uniform(random, 0, 4);
    if (choice < 1) {
        sensor->hum = random_log_uniform(random, 0.001, 0.01);
        sensor->hum_hz = 50;
    } else if (choice < 2) {
        sensor->spike_chance = 0.05 / stream->samples_per_cycle;
        sensor->spike_height = random_uniform(random, 0.5, 2) + 16 * sensor->noise + 5 * sensor->step;
    } else if (choice < 3) {
        sensor->range = fabs(sensor->offset) + random_uniform(random, 0.6, 0.95);
    } else {
        sensor->drift_per_s = random_uniform(random, -0.001, 0.001) * stream->plant.omega_n;
    }
}

struct stream *random_incidents(uint64_t seed)
{
    struct random random = {seed};
    double samples_per_cycle = random_log_uniform(&random, 20, 2000), f_n = random_log_uniform(&random, 0.05, 1000);
    struct plant plant = {.omega_n = 2 * M_PI * f_n};
    struct sensor sensor;
    random_sensor(&random, samples_per_cycle, &sensor);
    double last = (double)random_damping(&random, least_visible(&sensor, samples_per_cycle), &plant);
    struct stream *stream = stream_create(seed + 1, &plant, &sensor, samples_per_cycle * f_n);
    random_electronics(&random, stream);
    stream_wait(stream, random_uniform(&random, 0, 10) * samples_per_cycle);
    for (int i = 0; i < 3; i++) {
        double side = random_chance(&random, 0.5) ? 1 : -1, tremor = sometimes(&random, 0.3, 0.001, 0.01);
        if (random_chance(&random, 0.2)) {
            stream_swing(stream, side, random_uniform(&random, 1, 4));
        } else {
            stream_pull(stream, side, random_log_uniform(&random, 0.4, 20) * samples_per_cycle, tremor);
            stream_hold(stream, sometimes(&random, 0.8, 0.1, 20) * samples_per_cycle, tremor);
        }
        random_end(&random, stream, last);
    }
    return stream;
}

struct stream *random_quiet(uint64_t seed, double samples)
{
    struct random random = {seed};
    double samples_per_cycle = random_log_uniform(&random, 20, 2000), f_n = random_log_uniform(&random, 0.05, 1000);
    struct plant plant = {.omega_n = 2 * M_PI * f_n};
    struct sensor sensor;
    random_sensor(&random, samples_per_cycle, &sensor);
    if (random_chance(&random, 0.4)) {
        sensor.hum = random_log_uniform(&random, 0.001, 0.01);
        sensor.hum_hz = 50;
    }
    struct stream *stream = stream_create(seed + 1, &plant, &sensor, samples_per_cycle * f_n);
    while ((double)stream->count < samples) {
        double tremor = sometimes(&random, 0.7, 0.001, 0.02), length = random_log_uniform(&random, 0.5, 40);
        double choice = random_uniform(&random, 0, 4);
        if (choice < 1)
            stream_wait(stream, length * samples_per_cycle);
        else if (choice < 2)
            stream_pull(stream, random_uniform(&random, -1, 1), length * samples_per_cycle, tremor);
        else if (choice < 3)
            stream_hold(stream, length * samples_per_cycle, tremor);
        else
            stream_wander(stream, length * samples_per_cycle, 1,
                          random_log_uniform(&random, 0.1, 2) * samples_per_cycle);
    }
    return stream;
}
