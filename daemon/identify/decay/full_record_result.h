/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FULL_RECORD_RESULT_H
#define FRICID_IDENTIFY_FULL_RECORD_RESULT_H

#include "identify/common/estimate.h"
#include "identify/decay/damping_model.h"
#include "identify/decay/decay_parameter.h"

#include <stdbool.h>
#include <stddef.h>

/* Samples [first, last) of a record. */
struct sample_range {
    size_t first, last;
};

/* SHK 2007 Eq. 9 with t0 as sixth parameter. */
struct full_record_fit {
    enum verdict verdict;
    enum damping_model model; /* that was fitted */
    unsigned shown;           /* its terms that the record shows, bits LADDER_BIT(); all of them where nobody knows */
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
    bool few_effective_samples;  /* so few that 95 % may be 85 or 98 */
    bool few_half_cycles;        /* so few of noise that is, or may be, correlated, that 95 % may be 85 or 98 */
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

#endif
