/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODEL_CHOICE_H
#define FRICID_IDENTIFY_MODEL_CHOICE_H

#include "identify/full_record_fit.h"
#include "identify/record.h"

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

#endif
