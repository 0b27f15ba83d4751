/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment_harness.h"

#include <stdlib.h>

static void keep(void *context, struct decay *decay)
{
    struct findings *findings = context;
    struct decay **more = realloc(findings->decays, (findings->count + 1) * sizeof *more);
    size_t *decided = realloc(findings->decided, (findings->count + 1) * sizeof *decided);
    if (!more || !decided)
        abort();
    findings->decays = more;
    findings->decided = decided;
    findings->decided[findings->count] = findings->fed;
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

static void gather(const struct stream *stream, const struct segment_settings *settings, size_t most,
                   const struct segment_listener *listener, struct findings *findings)
{
    *findings = (struct findings){0};
    struct segmenter *segmenter = segmenter_create(settings, listener);
    struct random random = {stream->count + most};
    for (size_t i = 0; i < stream->count;) {
        size_t size = most > 0 ? (size_t)random_uniform(&random, 1, (double)most + 1) : stream->count;
        size = arriving(stream, i, size);
        findings->fed = i + size;
        if (size > 0)
            segmenter_feed(segmenter, i, stream->displacement + i, NULL, stream->flags + i, size, 0, stream->dt);
        i += size > 0 ? size : 1;
    }
    segmenter_finish(segmenter, DECAY_END_END_OF_SOURCE);
    segmenter_state(segmenter, &findings->state);
    segmenter_destroy(segmenter);
}

void findings_gather(const struct stream *stream, const struct segment_settings *settings, size_t most,
                     struct findings *findings)
{
    const struct segment_listener listener = {.decay = keep, .progress = count_progress, .context = findings};
    gather(stream, settings, most, &listener, findings);
}

void findings_gather_unwatched(const struct stream *stream, const struct segment_settings *settings, size_t most,
                               struct findings *findings)
{
    const struct segment_listener listener = {.decay = keep, .context = findings};
    gather(stream, settings, most, &listener, findings);
}

void findings_gather_stamped(const struct stream *stream, const struct segment_settings *settings, double origin_s,
                             size_t most, struct findings *findings)
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
    struct random random = {stream->count + most};
    for (size_t i = 0, size; i < kept; i += size) {
        size = most > 0 ? (size_t)random_uniform(&random, 1, (double)most + 1) : kept;
        size = size < kept - i ? size : kept - i;
        segmenter_feed(segmenter, i, stream->displacement + i, time_s + i, stream->flags + i, size, origin_s,
                       stream->dt);
    }
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
    free(findings->decided);
    *findings = (struct findings){0};
}
