/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_EXTREMA_CHAIN_H
#define FRICID_IDENTIFY_EXTREMA_CHAIN_H

#include "identify/decay/decrement.h"
#include "identify/decay/drift.h"
#include "identify/decay/extrema_fit.h"
#include "identify/decay/extremum.h"
#include "identify/decay/jacobsen_ayre.h"

/* The extrema of a record of any length, in memory that does not grow with it.
 *
 * Up to EXTREMA_MOST they are all there. Of more, every third is kept, or every ninth, and so on. An odd number of half
 * cycles later the mass is on the other side, and SHK Eq. 4 applied s times is SHK Eq. 4 again:
 * |X_{j+s}| = Q |X_j| - (1 + Q) x_s with Q = q^s and x_s = x_k tanh(s beta pi/2)/tanh(beta pi/2). So every method for
 * extrema may be asked about the thinned chain as it is, and its answer told a half cycle. */
struct extrema_chain {
    struct extremum *extrema; /* count of them, owned: extrema_chain_clear() */
    size_t count;
    size_t stride;           /* half cycles from one to the next: 1, 3, 9, … */
    struct extremum last[4]; /* the last ones that were found, one half cycle apart, where not all are kept */
    size_t last_count;
};

/* Verdicts as those of extrema_find(). */
enum verdict extrema_chain_find(const struct decay_record *record, const atomic_bool *cancel,
                                struct extrema_chain *chain);

void extrema_chain_clear(struct extrema_chain *chain);

/* From answers about a thinned chain to answers about the decay; they change nothing where stride is 1. Numbers of
 * extrema become numbers of half cycles; how many extrema took part stays as it is. */
void extrema_fit_of_decay(size_t stride, struct extrema_fit *fit);
void decrement_of_decay(size_t stride, struct decrement *decrement);
void jacobsen_ayre_of_decay(size_t stride, struct jacobsen_ayre *result);
void drifts_of_decay(size_t stride, struct drifts *drifts);

#endif
