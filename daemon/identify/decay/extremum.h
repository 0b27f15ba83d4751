/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_EXTREMUM_H
#define FRICID_IDENTIFY_EXTREMUM_H

#include "identify/common/estimate.h"
#include "identify/decay/record.h"

#include <stdatomic.h>
#include <stdbool.h>

/* A crest or trough of the record, refined between samples. */
struct extremum {
    double time_s;       /* source clock */
    double displacement; /* as measured: bias included */
    double se;           /* standard uncertainty of the displacement, displacement unit */
    double time_se_s;    /* standard uncertainty of the time, s */
    size_t index;        /* the sample nearest to it */
};

/* The most extrema that are found at a time. */
enum { EXTREMA_MOST = 4096 };

/* Finds the alternating extrema Y_0, Y_1, … of a record, refined between samples: the samples around each are fitted
 * with the shape that the decay has there (SHK Eq. 5: g(theta) with different heights on the two sides), so that
 * noise-free extrema come out exact. Stops where the motion is no longer above the noise, or at rest. Needs neither
 * starting values nor a known noise. The first sample may itself be the first extremum.
 * *extrema is allocated for the caller, who frees it; also set (maybe to NULL) on failure.
 * cancel: looked at before each extremum; may be NULL. VERDICT_TOO_FEW_HALF_CYCLES when fewer than two were found. Of
 * more than EXTREMA_MOST the first ones are found. */
enum verdict extrema_find(const struct decay_record *record, const atomic_bool *cancel, struct extremum **extrema,
                          size_t *count);

/* The same; *more: there may be others behind these. */
enum verdict extrema_find_first(const struct decay_record *record, const atomic_bool *cancel, struct extremum **extrema,
                                size_t *count, bool *more);

#endif
