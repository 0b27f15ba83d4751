/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FULL_RECORD_FIT_H
#define FRICID_IDENTIFY_FULL_RECORD_FIT_H

#include "identify/decay/full_record_result.h"
#include "identify/decay/record.h"

#include <stdatomic.h>
#include <stdbool.h>

/* What a fit works in, so that it allocates nothing; for one fit at a time. */
struct full_record_workspace;

/* NULL without memory. About 200 KiB, whatever the record; the caller's to free(). */
struct full_record_workspace *full_record_workspace_create(void);

struct full_record_options {
    enum damping_model model; /* a term that it lacks is held at 0 */
    unsigned fixed;           /* bits 1u << enum fit_parameter of what is known beforehand; omega_n excepted */
    double fixed_values[FIT_PARAMETERS]; /* their values, in the record's units; impossible ones: VERDICT_NOT_FINITE */
    struct sample_range range; /* fit these samples and no others, so that models compare; last 0: find them */
    const double *start;       /* FIT_PARAMETERS values, in the record's units, of a fit to more than this record or the
                                  same; NULL: starting values are found */
    bool residual_only;        /* only the sum of squares is asked for: estimates to 1e-5 of their standard errors, and
                                 these as if the noise were white */
    int max_iterations;        /* passes over the samples; 0: the method's own limit */
    const atomic_bool *cancel; /* looked at once a pass over the samples; may be NULL */
    struct full_record_workspace *workspace; /* the caller's; NULL: the fit makes one for itself */
};

/* Fits the model to every unflagged sample at or after the first extremum, without starting values.
 * Uniform and time-stamped records.
 *
 * The first extremum is the one next to record->first_extremum_s where that is given, otherwise the earliest one that
 * does not lie before the record by more than a sample or the uncertainty of t0: a record may start at its first
 * extremum, before it, or in the middle of a swing, which is then left out. A tail in which the mass rests is left out
 * as well. A parameter that is fixed has se 0. With VERDICT_OUT_OF_PHASE, VERDICT_NOT_DECAYING and
 * VERDICT_NOT_CONVERGED the best estimates are given all the same; with all other failures they are NAN.
 * VERDICT_NO_MEMORY: no workspace was given, and none could be made. A frequency known to a thousandth or worse: the
 * standard errors then hold what other_optima.h finds.
 * Returns fit->verdict; every member of *fit is set whatever the verdict. */
enum verdict full_record_fit(const struct decay_record *record, const struct full_record_options *options,
                             struct full_record_fit *fit);

#endif
