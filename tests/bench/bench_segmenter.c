/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How many million samples a second one channel's segmenter takes on one core, and what a thousand channels need.
 * User CPU time only; of several rounds the best, so that a busy computer does not count. The same in terms of a peer
 * that is measured beside it, a low-pass filter of the first order over the same samples, says what the segmenter costs
 * whatever the processor's frequency is. */

#include "segment/segmenter.h"
#include "stream_generator.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { BLOCK = 1000, ROUNDS = 5, CHANNELS = 1000, CHANNEL_BLOCK = 100 };
/* Samples a second of a channel on one core. */
#define GOAL 50e6
/* Of CPU a round. */
#define SECONDS 0.15
/* Of a channel in the multi-channel bench. */
#define CHANNEL_RATE 10000.0

static void drop_decay(void *context, struct decay *decay)
{
    size_t *decays = context;
    (*decays)++;
    decay_destroy(decay);
}

static double user_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

/* The stream again and again, a block at a time: how many samples a second. */
static double round_of(struct segmenter *segmenter, const struct stream *stream, uint64_t *fed)
{
    double begin = user_seconds(), seconds = 0;
    uint64_t before = *fed;
    for (; seconds < SECONDS; seconds = user_seconds() - begin)
        for (size_t i = 0; i < stream->count; i += BLOCK) {
            size_t size = stream->count - i < BLOCK ? stream->count - i : BLOCK;
            segmenter_feed(segmenter, *fed, stream->displacement + i, NULL, NULL, size, 0, stream->dt);
            *fed += size;
        }
    return (double)(*fed - before) / seconds;
}

/* Samples a second of the peer: each value waits for the one before, as a filter's must. */
static double filter_round(const struct stream *stream)
{
    double begin = user_seconds(), seconds = 0, filtered = 0;
    size_t passes = 0;
    for (; seconds < SECONDS / 3; seconds = user_seconds() - begin, passes++)
        for (size_t i = 0; i < stream->count; i++)
            filtered += 0.01 * (stream->displacement[i] - filtered);
    /* So that a compiler does not leave the work out. */
    volatile double used = filtered;
    (void)used;
    return (double)(passes * stream->count) / seconds;
}

static void measure(const char *what, struct stream *stream)
{
    size_t decays = 0;
    uint64_t fed = 0;
    double best = 0, peer = 0;
    const struct segment_settings settings = segment_default_settings();
    const struct segment_listener listener = {.decay = drop_decay, .context = &decays};
    struct segmenter *segmenter = segmenter_create(&settings, &listener);
    for (int i = 0; i < ROUNDS; i++) {
        best = fmax(best, round_of(segmenter, stream, &fed));
        peer = fmax(peer, filter_round(stream));
    }
    segmenter_destroy(segmenter);
    printf("%-54s %6.1f Msamples/s %5.1f filters  %-9s", what, best / 1e6, peer / best,
           best >= GOAL ? "goal met" : "too slow");
    if (decays > 0)
        printf("  a decay every %.0f samples", (double)fed / (double)decays);
    printf("\n");
    stream_destroy(stream);
}

static const struct plant plant = {.omega_n = 2 * M_PI * 5, .zeta = 0.002, .x_k = 0.0005, .x_s = 0.0005};
/* A noise-free encoder, an LVDT on a 16-bit ADC, the same with much noise, and with spikes and hum. */
static const struct sensor sensors[] = {
    {.step = 0.001},
    {.noise = 0.003, .step = 4.0 / 65536},
    {.noise = 0.03, .step = 4.0 / 65536},
    {.noise = 0.003, .step = 4.0 / 65536, .spike_chance = 0.001, .spike_height = 3, .hum = 0.01, .hum_hz = 23},
};
static const char *const sensor_names[] = {"encoder", "LVDT", "noisy LVDT", "LVDT with spikes and hum"};

static struct stream *idle(const struct sensor *sensor)
{
    struct stream *stream = stream_create(1, &plant, sensor, 1000);
    stream_wait(stream, 200000);
    return stream;
}

static struct stream *held(const struct sensor *sensor)
{
    struct stream *stream = stream_create(1, &plant, sensor, 1000);
    stream_pull(stream, 1, 400, 0);
    stream_hold(stream, 200000, 0.005);
    return stream;
}

static struct stream *decaying(const struct sensor *sensor, double samples_per_cycle)
{
    struct stream *stream = stream_create(1, &plant, sensor, 5 * samples_per_cycle);
    stream_wait(stream, 100);
    for (int i = 0; i < 3; i++) {
        stream_pull(stream, 1, samples_per_cycle, 0);
        stream_release(stream, 0, samples_per_cycle, 1e7);
    }
    return stream;
}

static void one_channel(void)
{
    static const double samples_per_cycle[] = {2000, 200, 20};
    for (size_t s = 0; s < sizeof sensors / sizeof *sensors; s++) {
        char what[64];
        snprintf(what, sizeof what, "idle, %s", sensor_names[s]);
        measure(what, idle(&sensors[s]));
        snprintf(what, sizeof what, "held by a hand that trembles, %s", sensor_names[s]);
        measure(what, held(&sensors[s]));
        for (size_t i = 0; i < sizeof samples_per_cycle / sizeof *samples_per_cycle; i++) {
            snprintf(what, sizeof what, "decaying, %g a cycle, %s", samples_per_cycle[i], sensor_names[s]);
            measure(what, decaying(&sensors[s], samples_per_cycle[i]));
        }
    }
}

/* Every channel gets the same stream from another place on, a block of 10 ms at a time. */
static double feed_channels(struct segmenter **segmenters, const struct stream *stream, uint64_t blocks)
{
    double begin = user_seconds();
    uint64_t places = stream->count / CHANNEL_BLOCK;
    for (uint64_t block = 0; block < blocks; block++)
        for (uint64_t i = 0; i < CHANNELS; i++) {
            const double *samples = stream->displacement + (block + i * 37) % places * CHANNEL_BLOCK;
            segmenter_feed(segmenters[i], block * CHANNEL_BLOCK, samples, NULL, NULL, CHANNEL_BLOCK, 0, stream->dt);
        }
    return user_seconds() - begin;
}

static void many_channels(void)
{
    size_t decays = 0;
    static struct segmenter *segmenters[CHANNELS];
    const struct segment_settings settings = segment_default_settings();
    const struct segment_listener listener = {.decay = drop_decay, .context = &decays};
    struct stream *stream = decaying(&sensors[1], 200);
    stream_wait(stream, 100000);
    size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    for (int i = 0; i < CHANNELS; i++)
        segmenters[i] = segmenter_create(&settings, &listener);
    const uint64_t blocks = 300;
    double seconds = feed_channels(segmenters, stream, blocks);
    double streamed = (double)blocks * CHANNEL_BLOCK / CHANNEL_RATE;
    size_t bytes = mallinfo2().uordblks + mallinfo2().hblkhd - before;
    printf("%d channels at %g kS/s: %.1f %% of one core (%.1f Msamples/s), %.0f KiB a channel\n", CHANNELS,
           CHANNEL_RATE / 1000, 100 * seconds / streamed, 1e-6 * CHANNELS * streamed * CHANNEL_RATE / seconds,
           (double)bytes / CHANNELS / 1024);
    for (int i = 0; i < CHANNELS; i++)
        segmenter_destroy(segmenters[i]);
    stream_destroy(stream);
}

int main(void)
{
    one_channel();
    many_channels();
    return EXIT_SUCCESS;
}
