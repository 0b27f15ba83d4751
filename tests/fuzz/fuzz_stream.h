/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_FUZZ_STREAM_H
#define FRICID_TESTS_FUZZ_STREAM_H

#include "fuzz.h"
#include "segment/segmenter.h"

/* A stream of samples out of any bytes. Most bytes are one sample; some begin a stretch of a decay, of a hold or of
 * noise, a gap, a number as it is (any double), another scale or pace, or a cut between two calls. */

enum { STREAM_MOST = 1200, STREAM_MOST_MARKS = 64 };

/* What happens before a sample. */
enum mark_kind { MARK_CUT, MARK_GAP, MARK_JUMP };

struct mark {
    enum mark_kind kind;
    size_t before;   /* number of the sample */
    uint64_t amount; /* samples lost, or indices left out */
};

struct stream {
    struct segment_settings settings;
    bool stamped, flagged;
    uint64_t first_index;
    double origin_s, period_s;
    size_t count;
    double displacement[STREAM_MOST];
    double time_s[STREAM_MOST];
    uint8_t flags[STREAM_MOST];
    size_t mark_count;
    struct mark marks[STREAM_MOST_MARKS];
};

void stream_read(struct stream *stream, struct fuzz_input input);

#endif
