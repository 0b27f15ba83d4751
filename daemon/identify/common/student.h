/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_STUDENT_H
#define FRICID_IDENTIFY_STUDENT_H

#include <gsl/gsl_cdf.h>
#include <math.h>

/* The likelihood ratio of a term that is so many standard errors from zero, where those have so many degrees of
 * freedom (INFINITY: they are known): the log-likelihood is taken as quadratic, and Student's deviation is replaced by
 * the normal one that is as rare. 1e-300 is what a double can tell from impossible: some 37 deviations,
 * beyond which all have one ratio, 1370. freedom is above 0. */
static inline double student_likelihood_ratio(double deviation, double freedom)
{
    const double normal =
        isinf(freedom) ? deviation : gsl_cdf_ugaussian_Qinv(fmax(gsl_cdf_tdist_Q(fabs(deviation), freedom), 1e-300));
    return normal * normal;
}

#endif
