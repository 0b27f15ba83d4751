/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODEL_CHOICE_H
#define FRICID_IDENTIFY_MODEL_CHOICE_H

#include "identify/decay/full_record_fit.h"
#include "identify/decay/record.h"

enum { MODEL_COUNT = 3 };

/* One damping model's merit on this record; smaller aicc is better. */
struct model_merit {
    enum damping_model model;
    enum verdict verdict;
    double aicc;
    double rms;
};

/* Akaike's information criterion, corrected for short records, of fits of the same samples of one record; the fit with
 * the most terms is the last, and its `range` says which samples. The residuals are whitened by one autoregressive
 * noise model, learnt from those of the last fit with the order that its own AICc prefers. A fit without parameters
 * passes its verdict on and gets NAN, and so do all when the last has none. */
void model_choice(const struct decay_record *record, const struct full_record_fit fits[MODEL_COUNT],
                  struct model_merit merits[MODEL_COUNT]);

/* A term of the damping enters the model when its likelihood ratio exceeds this: 2.5 % of records where it is absent.
 */
#define TERM_ENTERS 3.84

/* Which damping the record shows, and the evidence. */
struct damping_choice {
    enum verdict verdict; /* VERDICT_OK, or VERDICT_UNDECIDED when each term alone explains the record */
    enum damping_model model;
    double likelihood_ratio[FIT_PARAMETERS]; /* one-sided and robust, of each term */
};

/* The model with every term whose ratio exceeds TERM_ENTERS. NAN ratios: VERDICT_NOT_COMPUTED. */
struct damping_choice damping_choice_from(const double likelihood_ratio[FIT_PARAMETERS]);

#endif
