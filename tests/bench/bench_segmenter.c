/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many million samples a second one channel's segmenter takes, idle and decaying. */
#include "segment/segmenter.h"
#include "stream_generator.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

static void drop_decay(void *context, struct decay *decay)
{
    size_t *decays = context;
    (*decays)++;
    decay_destroy(decay);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(const char *what, const struct stream *stream)
{
    size_t decays = 0, fed = 0;
    const struct segment_settings settings = segment_default_settings();
    const struct segment_listener listener = {.decay = drop_decay, .context = &decays};
    struct segmenter *segmenter = segmenter_create(&settings, &listener);
    double begin = now(), seconds = 0;
    for (; seconds < 0.5; seconds = now() - begin) {
        for (size_t i = 0; i < stream->count; i += 1000) {
            size_t size = stream->count - i < 1000 ? stream->count - i : 1000;
            segmenter_feed(segmenter, fed, stream->displacement + i, NULL, NULL, size, 0, stream->dt);
            fed += size;
        }
    }
    segmenter_destroy(segmenter);
    printf("%-24s %7.1f Msamples/s, %zu decays\n", what, (double)fed / seconds / 1e6, decays);
}

static struct stream *make(double samples_per_cycle, double step, bool decaying)
{
    const struct plant plant = {.omega_n = 2 * M_PI * 5, .zeta = 0.01, .x_k = 0.002, .x_s = 0.002};
    const struct sensor sensor = {.noise = 0.003, .step = step};
    struct stream *stream = stream_create(1, &plant, &sensor, 5 * samples_per_cycle);
    stream_wait(stream, decaying ? 100 : 200000);
    for (int i = 0; decaying && i < 10; i++) {
        stream_pull(stream, 1, samples_per_cycle, 0);
        stream_release(stream, 0, samples_per_cycle, 1e6);
    }
    return stream;
}

int main(void)
{
    static const double samples_per_cycle[] = {20, 200, 2000};
    struct stream *stream = make(200, 0.001, false);
    measure("idle", stream);
    stream_destroy(stream);
    for (size_t i = 0; i < 3; i++) {
        char what[64];
        snprintf(what, sizeof what, "decaying, %g a cycle", samples_per_cycle[i]);
        stream = make(samples_per_cycle[i], 0.001, true);
        measure(what, stream);
        stream_destroy(stream);
    }
    return 0;
}
