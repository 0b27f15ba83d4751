/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_FRICTION_CAMPAIGN_H
#define FRICID_TESTS_FRICTION_CAMPAIGN_H

#include "identify/loop/friction_ladder.h"

/* Random contacts that were driven to and fro, with what was put into them, and what the ladder makes of them. */

enum friction_kind { KIND_DAHL, KIND_LUGRE, KIND_ELASTOPLASTIC, KIND_BOUC_WEN, FRICTION_KINDS };
const char *friction_kind_name(enum friction_kind kind);

struct friction_truth {
    unsigned seed;
    int row; /* of friction_rows */
    double f_c, x_d, ratio, v_s, exponent, sigma_1, sigma_2, f_0;
    struct shape_parameters shape;
};

struct friction_record {
    struct friction_truth truth;
    struct loop_signal signal;
    double *room; /* owned: friction_record_clear() */
};

/* F_C and x_d over five decades, five cycles of a sine of 5 to 60 x_d that shrinks, 150 to 600 samples a cycle, noise
 * of 0.3 to 5 % of F_C, of which so much is left from sample to sample: correlation, 0: white. */
struct friction_record friction_record_make(enum friction_kind kind, double correlation, unsigned seed);

/* The same of 10 x_d and 500 samples a cycle, noise of 0.5 % of F_C, whose displacement has noise and an encoder's
 * steps in units of x_d. */
struct friction_record friction_record_measure(enum friction_kind kind, double noise, double step, unsigned seed);

void friction_record_clear(struct friction_record *record);

struct friction_tally {
    size_t records, unanswered, missed; /* missed: the optimum that a start at the truth leads to */
    size_t judged, right, tied;         /* records whose terms are four standard errors from zero */
    size_t false_bristle, false_dip;    /* in records that have none */
    /* Of the generating model where it is chosen, and the relative standard error below a tenth. */
    struct friction_tally_line {
        size_t estimates, covered;
        double squared_errors; /* over variances */
    } all, parameter[FRICTION_PARAMETERS];
};

/* Climbs the ladder and adds to the tally; prints what fails. */
void friction_record_judge(const struct friction_record *record, struct friction_tally *tally);

/* Sums over records of what the generating model's figures are off by: in their true values, and in standard errors. */
struct friction_offset {
    size_t records;
    double relative, errors;
};

void friction_record_compare(const struct friction_record *record, struct friction_offset offset[FRICTION_PARAMETERS]);

void friction_tally_print(const char *name, const struct friction_tally *tally);

#endif
