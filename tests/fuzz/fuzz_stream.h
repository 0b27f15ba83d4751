/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_FUZZ_STREAM_H
#define FRICID_TESTS_FUZZ_STREAM_H

#include "fuzz.h"
#include "segment/segmenter.h"

/* A stream of samples out of any bytes, which are read as a small program: limits, what is to be done with the stream,
 * and then a list of pieces with their parameters. Some pieces are samples: a decay, a swinging that grows or beats,
 * noise, a pull, a hold, a number as it is. Others are what happens to those that follow: another scale, rounding, a
 * limit, flags; time stamps that leap, jitter or change their pace; a gap, or a cut between two calls. */

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
    bool identify_decay, identify_whole;
    size_t piece; /* samples in a call, when calls are short */
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
