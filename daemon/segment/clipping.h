/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_CLIPPING_H
#define FRICID_SEGMENT_CLIPPING_H

#include "segment/chunk.h"
#include "segment/sample_history.h"

#include <stdbool.h>

/* Finds clipping that no driver flagged, as in a recording, where a converter stands at its limit: the signal runs into
 * its highest or lowest value so far and stands there for longer than a turning point at that speed could, or for
 * longer than noise lets any value stand. */
struct clipping {
    double highest, lowest; /* of the stretch so far */
    double upper, lower;    /* limits that showed themselves; NAN: none */
    uint64_t run_begin;     /* of the latest samples that are all alike */
    double run_value;
    double entry;   /* how far the signal came outwards in the two samples before the run; 0: not from inside */
    bool outermost; /* the run stands at the highest or lowest value so far */
};

/* It forgets everything, for a new stretch begins. */
void clipping_restart(struct clipping *clipping);

/* It tells whether a chunk reaches a limit that is known already. */
static inline bool clipping_touched(const struct clipping *clipping, const struct chunk *chunk)
{
    return (chunk->highest >= clipping->upper) | (chunk->lowest <= clipping->lower);
}

/* Flags the clipped ones in the chunk that begins with sample `from`, and in the run that it continues. sd and step: of
 * the signal. */
void clipping_mark(struct clipping *clipping, struct sample_history *history, uint64_t from, const struct chunk *chunk,
                   double sd, double step);

/* It tells whether nothing of the stretch so far lies beyond this value on one side. */
static inline bool clipping_is_outermost(const struct clipping *clipping, double value)
{
    return value >= clipping->highest || value <= clipping->lowest;
}

/* It takes the outermost value for a limit, and flags the samples at it. */
void clipping_set_limit(struct clipping *clipping, struct sample_history *history, double value);

#endif
