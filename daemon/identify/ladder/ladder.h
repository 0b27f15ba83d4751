/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_H
#define FRICID_IDENTIFY_LADDER_H

#include "identify/ladder/clock_steps.h"
#include "identify/ladder/zero_drift.h"

/* One rung's answer, in the record's own units. */
struct ladder_model {
    unsigned terms;                              /* bits LADDER_BIT(enum ladder_parameter) */
    enum verdict verdict;                        /* VERDICT_OK, or why there are no estimates */
    struct estimate estimate[LADDER_PARAMETERS]; /* NAN for terms that it lacks */
    struct estimate f_n_hz;
    double spread[LADDER_PARAMETERS]; /* standard errors as if none were held at its bound; 0 for terms that it lacks */
    double unbounded[LADDER_TERMS];   /* values, likewise; NAN for terms that it lacks, and for logarithmic ones */
    double rms;                       /* of the residual */
    double aicc;                      /* on whitened residuals */
    double criterion;                 /* n ln of the whitened sum of squares, and LADDER_TERM_COST a term */
};

/* What a further term, or a drift of the sensor's zero, has to take from n ln of the whitened sum of squares. Of as
 * many rungs as these, AICc's 2 lets a false term in in a third of all records, this in one of twenty. */
#define LADDER_TERM_COST 6.63

/* Friction by the extrema alone, of the chosen rung, against that of all samples. */
struct ladder_consistency {
    struct estimate x_k; /* NAN: not told */
    double errors;       /* the difference, in joint standard errors */
    bool contradicts;    /* more than three */
};

/* How large terms that the chosen rung lacks may be, by earlier releases and this one together. */
struct unseen_terms {
    size_t releases;            /* earlier ones that were asked */
    double share[LADDER_TERMS]; /* mean square of the term, of what this one alone leaves room for; 1: none was asked */
};

/* What the ladder of models says about a decay. */
struct ladder {
    enum verdict verdict; /* VERDICT_OK: one is chosen; or why not */
    size_t chosen;        /* of models[] */
    size_t samples, half_cycles;
    struct clock_step clock_step;   /* the largest of these */
    struct clock_steps clock_steps; /* all rungs were fitted with them put right */
    struct zero_drift zero_drift;   /* found: likewise */
    struct zero_steps zero_steps;   /* by the chosen rung */
    struct ladder_consistency consistency;
    struct ladder_model models[LADDER_RUNGS];
    struct unseen_terms unseen;
    /* Of the chosen rung. A term of the damping that it lacks is at its bound, under the limit of the best rung with
     * it; others are NAN, as all are where none is chosen. */
    struct estimate estimate[LADDER_PARAMETERS], f_n_hz;
};

/* From fits to answers: the rung with the least criterion is chosen. Residuals are whitened by one noise model, learnt
 * from the rung that leaves least, so that none is forgiven its misfit. */
void ladder_choose(const struct ladder_data *data, const struct ladder_rung rungs[LADDER_RUNGS], struct ladder *ladder);

/* A ladder that was not climbed, with the verdict that says why. */
void ladder_not_made(struct ladder *ladder, enum verdict verdict);

/* Fits all rungs to the samples from the first of these extrema to the last, and chooses one. Every member is set
 * whatever the verdict. cancel: may be NULL. */
enum verdict ladder_identify(const struct decay_record *record, const struct extremum *extrema, size_t count,
                             const atomic_bool *cancel, struct ladder *ladder);

#endif
