/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_SEGMENT_HARNESS_H
#define FRICID_TESTS_SEGMENT_HARNESS_H

#include "segment/segmenter.h"
#include "stream_generator.h"

/* What a segmenter told about a stream. */
struct findings {
    struct decay **decays;
    size_t count;
    struct segment_state state; /* at the end */
    size_t progress_calls;
};

/* Feeds a whole stream, cut into pieces of at most `most` samples (random sizes; 0: in one piece). */
void findings_gather(const struct stream *stream, const struct segment_settings *settings, size_t most,
                     struct findings *findings);
/* The same with time stamps that begin at origin_s. Lost samples are taken out of the stream. */
void findings_gather_stamped(const struct stream *stream, const struct segment_settings *settings, double origin_s,
                             struct findings *findings);
/* What a segmenter thinks after the first `count` samples. */
void state_after(const struct stream *stream, size_t count, struct segment_state *state);
void findings_clear(struct findings *findings);

/* A rig, a hand and a sensor as any lab may have them, within the range that the segmenter promises. The stream holds
 * `decays` releases. The seed decides everything. */
struct stream *random_decays(uint64_t seed, size_t decays);

/* The same, with what happens in a lab: catches, blows, releases out of a swinging hand or in quick succession, hum,
 * spikes, clipping, lost samples. */
struct stream *random_incidents(uint64_t seed);

/* Mechanics, hand and electronics that show no decay. */
struct stream *random_quiet(uint64_t seed, double samples);

/* How many of the half cycles after the first extremum of the record stand out of noise and steps. */
size_t visible_half_cycles(const struct stream *stream, const struct true_decay *decay);

/* The extremum at which a record of this decay is to begin; the index into decay->extremum. */
size_t true_first_extremum(const struct stream *stream, const struct true_decay *decay);

/* How findings compare with the truth. */
struct comparison {
    size_t expected;  /* decays that had to be found */
    size_t missed;    /* of these */
    size_t twice;     /* found in more than one piece */
    size_t misplaced; /* begins more than a tenth of a cycle from the true extremum */
    size_t misnamed;  /* ended_by says otherwise */
    size_t overrun;   /* goes on for more than a tenth of a cycle after the stop */
    size_t invented;  /* overlaps with no decay */
};

/* Missed, twice, misplaced, overrun and invented ones together. */
size_t comparison_faults(const struct comparison *sum);
/* One line about what a seed added. */
void comparison_print(const char *kind, uint64_t seed, const struct comparison *before, const struct comparison *after);
void comparison_print_sum(const struct comparison *sum);

void compare(const struct stream *stream, const struct findings *findings, struct comparison *sum);

#endif
