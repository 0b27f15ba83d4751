/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_IDENTIFY_H
#define FRICID_IDENTIFY_IDENTIFY_H

#include "identify/decay/amplitude_windows.h"
#include "identify/decay/decrement.h"
#include "identify/decay/disturbance.h"
#include "identify/decay/drift.h"
#include "identify/decay/extrema_fit.h"
#include "identify/decay/full_record_fit.h"
#include "identify/decay/jacobsen_ayre.h"
#include "identify/decay/linear_decrement.h"
#include "identify/decay/logarithmic_decrement.h"
#include "identify/decay/model_choice.h"
#include "identify/decay/physical.h"
#include "identify/decay/record.h"
#include "identify/decay/rest_tail.h"
#include "identify/decay/static_friction.h"
#include "identify/decay/uncertainty_budget.h"
#include "identify/ladder/ladder.h"
#include "identify/record_analysis.h"

enum recommended { RECOMMENDED_NONE, RECOMMENDED_FIT, RECOMMENDED_EXTREMA_FIT };

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
    struct damping_choice choice;           /* which of them, from the recommended section */
    struct drifts drifts;                   /* of the full-record fit */
    enum disturbance disturbance;           /* what its standard errors allow for besides noise */
    struct amplitude_windows windows;
    struct static_friction static_friction;
    struct physical physical;
    struct uncertainty_budget budget; /* of the recommended section */
    struct rest_observation rest;     /* what static_friction used: as given, or as seen in the record's own tail */
    struct ladder *ladder;            /* owned; NULL: identify_ladder() was not asked */
};

/* The one entry to the science: a record in, an identification out. No I/O, no globals; several threads may call it
 * at once. Returns identification->verdict; every member is set whatever the verdict, and what could not be determined
 * is NAN. identification_clear() frees what the sections own.
 *
 * rest: position NAN, or NULL, when nobody saw the mass come to rest; a tail at rest in the record itself is then used.
 * The full-record fit is recommended when its verdict is ok and its phase follows the record: no drift of the frequency
 * puts it out of phase by more than 0.05 rad, or makes up most of its residual. Else it is the extrema-only fit, which
 * does not mind a frequency that drifts. Static friction and physical quantities are those of the recommended
 * section. */
enum verdict identify(const struct decay_record *record, const struct rest_observation *rest,
                      const struct identify_settings *settings, struct identification *identification);

/* An identification that was not made, with the verdict that says why. */
void identification_not_made(struct identification *identification, enum verdict verdict);

/* Bytes that it occupies, with what the sections own. */
size_t identification_bytes(const struct identification *identification);

void identification_clear(struct identification *identification);

#endif
