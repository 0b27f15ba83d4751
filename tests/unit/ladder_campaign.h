/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_LADDER_CAMPAIGN_H
#define FRICID_TESTS_LADDER_CAMPAIGN_H

#include "identify/ladder/ladder.h"

/* Random decays of every rung of the ladder, with what was put into them. */

/* Half cycles of a record: from 20, or from the least, to the most. faintness: of drag and unsteady stiffness, whose
 * sizes are multiplied by it; 0: they are not. */
struct ladder_range {
    double half_cycles_most, samples_a_cycle, half_cycles_least, faintness;
};

struct ladder_record {
    unsigned seed, terms;
    double truth[LADDER_PARAMETERS]; /* in the record's units */
    double noise, step;
    double *value; /* the samples; owned: ladder_record_clear() */
    struct decay_record record;
};

/* 20 half cycles or more, noise of 0.1 to 3 % of X_0 or encoder steps of 0.03 to 0.8 %, or both. */
struct ladder_record ladder_record_make(unsigned seed, const struct ladder_range *range);

/* As the motion itself is, of given terms. */
struct ladder_record ladder_record_noise_free(unsigned terms, unsigned seed, const struct ladder_range *range);

void ladder_record_clear(struct ladder_record *record);

/* What the ladder made of records. */
struct ladder_tally {
    size_t records, not_found; /* not_found: without extrema or data */
    size_t rungs; /* that were compared with the optimum from the truth, and with rungs that they contain */
    size_t above_truth, above_contained;
    double worst;                      /* relative excess over the optimum from the truth */
    size_t judged, right, false_terms; /* records whose terms are four standard errors from zero */
    /* Of the generating rung's parameters there; errors over variances. stepped: of encoders without noise, which are
     * in none of the others. */
    struct ladder_tally_line {
        size_t estimates, covered;
        double squared_errors;
    } all, stepped, parameter[LADDER_PARAMETERS];
};

/* Fits all rungs and adds to the tally; prints what fails. */
void ladder_record_judge(const struct ladder_record *record, struct ladder_tally *tally);

/* One line; and one a parameter. */
void ladder_tally_print(const struct ladder_tally *tally);
void ladder_tally_print_parameters(const struct ladder_tally *tally);

#endif
