/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_REST_TAIL_H
#define FRICID_IDENTIFY_REST_TAIL_H

#include "identify/decay/extrema_fit.h"
#include "identify/decay/extremum.h"
#include "identify/decay/record.h"

#include <stddef.h>

/* What came to light about the end of the record, from the segmenter or from the record's own tail. */
struct rest_observation {
    double position; /* mean displacement after the stop, bias included; NAN: did not come to rest */
    double se;       /* its standard uncertainty */
};

/* Looks behind the last extremum for a cycle without motion where the decay so far lets one expect motion, or a stop.
 * Motion that merely sinks into the noise is not taken for rest: the position is then NAN. `fit` is the extrema-only
 * fit of the same extrema, whatever its verdict. */
struct rest_observation rest_tail_find(const struct decay_record *record, const struct extremum *extrema, size_t count,
                                       const struct extrema_fit *fit);

#endif
