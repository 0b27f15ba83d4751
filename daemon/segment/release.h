/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_RELEASE_H
#define FRICID_SEGMENT_RELEASE_H

#include "segment/candidate.h"
#include "segment/sample_history.h"

#include <stdbool.h>

/* The place where the free motion of a candidate begins. */
struct release {
    size_t first;    /* the extremum at which the record begins */
    double position; /* of the release; NAN when the stream began in the middle of the decay */
    bool unseen;     /* the stream began so shortly before that nobody knows what the mass did */
};

/* The latest clipped sample between two positions, or the first of them. */
double clipped_before(const struct sample_history *history, double begin, double end);

/* The first half cycle after the release is dropped, because the hand may have given it a velocity: the record begins
 * at the first extremum that free motion led up to. `from`: nothing before this position belongs to the motion. */
struct release release_find(const struct candidate *candidate, const struct sample_history *history, double from);

#endif
