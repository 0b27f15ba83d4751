/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_CONCLUSIONS_H
#define FRICID_IDENTIFY_CONCLUSIONS_H

#include "identify/decay/extrema_chain.h"
#include "identify/decay/identification.h"
#include "identify/decay/record.h"
#include "identify/record_analysis.h"

/* What an identification is of. */
struct conclusion_grounds {
    const struct decay_record *record; /* with its resolution and noise known, or 0 */
    const struct extrema_chain *chain;
    const struct identify_settings *settings;
};

/* What follows from the recommended section, whichever it is: the model that the record shows, static friction,
 * physical quantities and the budget, which it hands back to that section's estimates. May be called again when another
 * section is recommended: nothing is left of what followed from the one before. */
void identification_conclude(const struct conclusion_grounds *grounds, struct identification *identification);

#endif
