/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_IDENTIFICATION_H
#define FRICID_IDENTIFY_IDENTIFICATION_H

#include "identify/decay/amplitude_windows.h"
#include "identify/decay/decrement.h"
#include "identify/decay/disturbance.h"
#include "identify/decay/doubts.h"
#include "identify/decay/drift.h"
#include "identify/decay/extrema_fit.h"
#include "identify/decay/full_record_fit.h"
#include "identify/decay/jacobsen_ayre.h"
#include "identify/decay/linear_decrement.h"
#include "identify/decay/logarithmic_decrement.h"
#include "identify/decay/model_choice.h"
#include "identify/decay/physical.h"
#include "identify/decay/rest_tail.h"
#include "identify/decay/static_friction.h"
#include "identify/decay/uncertainty_budget.h"
#include "identify/ladder/ladder.h"

enum recommended { RECOMMENDED_NONE, RECOMMENDED_FIT, RECOMMENDED_EXTREMA_FIT, RECOMMENDED_LADDER };

/* Everything that fricid finds out about one decay: a section a method, each with its own verdict. */
struct identification {
    enum verdict verdict; /* of the recommended section, or why there is none */
    enum recommended recommended;
    struct full_record_fit fit;
    struct extrema_fit extrema_fit;
    struct decrement decrement;
    struct logarithmic_decrement logarithmic_decrement;
    struct linear_decrement linear_decrement;
    struct jacobsen_ayre jacobsen_ayre;
    struct model_merit models[MODEL_COUNT]; /* by damping_models[] */
    struct damping_choice choice;           /* which one the record shows: the ladder's, or the recommended section's */
    struct drifts drifts;                   /* of the full-record fit */
    enum disturbance disturbance;           /* what its standard errors allow for besides noise */
    struct amplitude_windows windows;
    struct doubts doubts; /* of the recommended section */
    struct static_friction static_friction;
    struct physical physical;
    struct uncertainty_budget budget; /* of the recommended section */
    struct rest_observation rest;     /* what static_friction used: as given, or as seen in the record's own tail */
    struct ladder *ladder;            /* owned; NULL: identify_ladder() was not asked */
    bool ladder_follows;              /* whoever did not ask will; of a kind in two steps: the second answer follows */
    bool ladder_stopped;              /* it, or of a kind in two steps what the second answer has more than the first,
                                         was told to stop, and all else was there before that */
};

/* An identification that was not made, with the verdict that says why: every section as it is when nothing was
 * computed.
 */
void identification_not_made(struct identification *identification, enum verdict verdict);

/* All sections that rest on the extrema fail alike when there are none. */
void identification_without_extrema(struct identification *identification, enum verdict verdict);

/* Bytes that it occupies, with what the sections own. */
size_t identification_bytes(const struct identification *identification);

void identification_clear(struct identification *identification);

#endif
