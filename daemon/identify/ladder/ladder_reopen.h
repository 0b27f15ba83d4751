/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_REOPEN_H
#define FRICID_IDENTIFY_LADDER_REOPEN_H

#include "identify/ladder/ladder.h"

/* The chosen rung of a ladder beside the data that it was fitted to, for whoever asks more of what it leaves. */
struct ladder_reopened {
    struct ladder_data data; /* owned: ladder_data_clear(); a drift of the zero and a step of the clock are put right */
    unsigned terms;
    double parameters[LADDER_PARAMETERS];
    bool free[LADDER_PARAMETERS]; /* those that have a standard error */
};

/* From the record and the extrema that the ladder was made of; its verdict is ok. Verdicts as ladder_data_from(). */
enum verdict ladder_reopen(const struct decay_record *record, const struct extremum *extrema, size_t count,
                           const struct ladder *ladder, struct ladder_reopened *open);

/* What one unit of a parameter's spread is in the record's own units, of a logarithmic one by its logarithm. */
double ladder_reopened_unit(const struct ladder_reopened *open, enum ladder_parameter parameter);

/* The rung's motion at the samples of the record that it was fitted to, into an array as long as the record's; those of
 * other samples are left. */
void ladder_reopened_motion(const struct ladder_reopened *open, const struct decay_record *record,
                            double *displacement);

#endif
