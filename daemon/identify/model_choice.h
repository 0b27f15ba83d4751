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

/* Akaike's information criterion, corrected for short records, of each fit of the same record. All are judged on the
 * same samples, those that every usable fit covers, and on residuals whitened by one autoregressive model, which is
 * found from the residuals of the last fit (the one with the most terms) and has the order that its own AICc prefers.
 * A fit that is not VERDICT_OK passes its verdict on and gets NAN. */
void model_choice(const struct decay_record *record, const struct full_record_fit fits[MODEL_COUNT],
                  struct model_merit merits[MODEL_COUNT]);

#endif
