/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_SEGMENT_HARNESS_H
#define FRICID_TESTS_SEGMENT_HARNESS_H

#include "segment/segmenter.h"
#include "stream_generator.h"

/* What a segmenter told about a stream. */
struct findings {
    struct decay **decays;
    size_t *decided; /* samples that had been fed when it was told */
    size_t count;
    struct segment_state state; /* at the end */
    size_t progress_calls;
    size_t fed;
};

/* Feeds a whole stream, cut into pieces of at most `most` samples (random sizes; 0: in one piece). */
void findings_gather(const struct stream *stream, const struct segment_settings *settings, size_t most,
                     struct findings *findings);
/* The same while nobody listens to how the search goes on. */
void findings_gather_unwatched(const struct stream *stream, const struct segment_settings *settings, size_t most,
                               struct findings *findings);
/* The same with time stamps that begin at origin_s. Lost samples are taken out of the stream. */
void findings_gather_stamped(const struct stream *stream, const struct segment_settings *settings, double origin_s,
                             size_t most, struct findings *findings);
/* What a segmenter thinks after the first `count` samples. */
void state_after(const struct stream *stream, size_t count, struct segment_state *state);
void findings_clear(struct findings *findings);

#endif
