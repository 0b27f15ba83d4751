/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_EXTREMUM_H
#define FRICID_IDENTIFY_EXTREMUM_H

#include "identify/estimate.h"
#include "identify/record.h"

/* A crest or trough of the record, refined between samples. */
struct extremum {
    double time_s;       /* source clock */
    double displacement; /* as measured: bias included */
    double se;           /* standard uncertainty of the displacement, displacement unit */
    size_t index;        /* the sample nearest to it */
};

/* Finds the alternating extrema Y_0, Y_1, … of a record by a least-squares parabola around each, whose width suits
 * the noise and the number of samples a cycle. Stops where the motion is no longer above the noise or at rest.
 * *extrema is allocated for the caller, who frees it; also set (maybe to NULL) on failure. */
enum verdict extrema_find(const struct decay_record *record, struct extremum **extrema, size_t *count);

#endif
