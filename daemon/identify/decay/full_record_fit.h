/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FULL_RECORD_FIT_H
#define FRICID_IDENTIFY_FULL_RECORD_FIT_H

#include "identify/common/estimate.h"
#include "identify/decay/damping_model.h"
#include "identify/decay/decay_parameter.h"
#include "identify/decay/record.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Samples [first, last) of a record. */
struct sample_range {
    size_t first, last;
};

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

/* SHK 2007 Eq. 9 with t0 as sixth parameter. */
struct full_record_fit {
    enum verdict verdict;
    enum damping_model model;
    struct estimate estimate[FIT_PARAMETERS];           /* as decay_parameter.h says; t0 on the source clock */
    struct estimate f_n_hz;                             /* omega_n in Hz */
    double beta;                                        /* zeta/sqrt(1-zeta²) */
    double omega_d;                                     /* rad/s */
    double covariance[FIT_PARAMETERS][FIT_PARAMETERS];  /* NAN rows for parameters at a bound */
    double correlation[FIT_PARAMETERS][FIT_PARAMETERS]; /* likewise */
    const char *covariance_kind; /* the noise that the standard errors assume: "white", "ar", "quantisation" */
    double noise_density;        /* variance of white noise as strong as this one at the decay's frequency, unit² */
    double freedom;              /* degrees of freedom behind the standard errors (Student's t) of all but the bias */
    double bias_freedom;         /* of the bias, which listens to the noise at frequency 0 */
    double effective_samples;    /* independent samples that the noise leaves; `samples` when it is white */
    bool few_effective_samples;  /* so few, or so few half cycles of correlated noise, that 95 % may be 85 or 98 */
    double likelihood_ratio[FIT_PARAMETERS]; /* one-sided and robust, of each damping term against the model without it;
                                                chi squared with one degree of freedom, 0 at the bound; NAN: no term */
    double rms;                              /* of the residuals, displacement unit */
    double sum_of_squares;                   /* displacement unit squared */
    double r_squared;
    double residual_lag1;      /* lag-1 autocorrelation of the residuals */
    struct sample_range range; /* where the samples lie that entered the fit */
    size_t samples;            /* their number, without the flagged ones */
    size_t half_cycles;        /* that those samples span, counted in full */
    int iterations;
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
 * standard errors then hold what rivals.h finds.
 * Returns fit->verdict; every member of *fit is set whatever the verdict. */
enum verdict full_record_fit(const struct decay_record *record, const struct full_record_options *options,
                             struct full_record_fit *fit);

#endif
