/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODEL_CHOICE_H
#define FRICID_IDENTIFY_MODEL_CHOICE_H

#include "identify/decay/full_record_fit.h"
#include "identify/decay/record.h"

/* Lists of all models, by the table without its place for none; and where in them is the closed form with all its
 * terms.
 */
enum { MODEL_COUNT = DAMPING_MODELS - DAMPING_VISCOUS, CLOSED_FORM = DAMPING_VISCOUS_COULOMB - DAMPING_VISCOUS };

/* One damping model's merit on this record; smaller aicc is better. */
struct model_merit {
    enum damping_model model;
    enum verdict verdict;
    double aicc;
    double rms;
};

/* Whether a fit has what it is compared by: one that is out of phase, or stops before the record does, is a bad model,
 * but a model. */
bool model_comparable(const struct full_record_fit *fit);

/* Akaike's information criterion, corrected for short records, of fits of the same samples of one record: of those that
 * the closed form with all its terms took. The residuals are whitened by one autoregressive noise model, learnt from
 * those of that form, with the order that its own AICc prefers. A fit without parameters passes its
 * verdict on and gets NAN, and so do all when the closed form has none. */
void model_choice(const struct decay_record *record, const struct full_record_fit fits[MODEL_COUNT],
                  struct model_merit merits[MODEL_COUNT]);

/* A term of the damping enters the model when its likelihood ratio exceeds this: 2.5 % of records where it is absent.
 */
#define TERM_ENTERS 3.84

/* Which model the record shows, and the evidence. */
struct damping_choice {
    enum verdict verdict; /* VERDICT_OK, or VERDICT_UNDECIDED when each term alone explains the record */
    unsigned terms;       /* bits LADDER_BIT(enum ladder_parameter); 0 unless the verdict is ok */
    bool by_ladder;       /* chosen by the ladder's criterion, from among its rungs */
    double likelihood_ratio[FIT_PARAMETERS]; /* of each term: one-sided and robust, or as of ladder_term_ratio() */
    double threshold;                        /* a term enters above it */
};

/* From the ratios of a model's terms: the model within it that has every term whose ratio exceeds TERM_ENTERS. NAN
 * ratios: VERDICT_NOT_COMPUTED. */
struct damping_choice damping_choice_from(enum damping_model model, const double likelihood_ratio[FIT_PARAMETERS]);

#endif
