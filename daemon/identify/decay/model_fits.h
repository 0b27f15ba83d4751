/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODEL_FITS_H
#define FRICID_IDENTIFY_MODEL_FITS_H

#include "identify/decay/model_choice.h"

/* What all models are fitted to, and with. */
struct model_fitting {
    const struct decay_record *record;
    const atomic_bool *cancel;               /* may be NULL */
    struct full_record_workspace *workspace; /* NULL: each fit makes one for itself */
};

/* A fit that was not made, with the verdict that says why. */
struct full_record_fit fit_not_made(enum damping_model model, enum verdict verdict);

/* Fits every model of the table to the samples that the closed form with all its terms takes for the motion, and
 * compares them (model_choice.h): merits[], of which each has a verdict. Returns the closed form's fit, which speaks
 * for the record, reported in full. */
struct full_record_fit model_fits_compared(const struct model_fitting *fitting, struct model_merit merits[MODEL_COUNT]);

#endif
