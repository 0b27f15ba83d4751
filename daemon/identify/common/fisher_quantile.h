/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FISHER_QUANTILE_H
#define FRICID_IDENTIFY_FISHER_QUANTILE_H

/* What Fisher's F, the ratio of two mean squares of noise of so many degrees of freedom each, 1 or more, goes beyond
 * with a probability between 1e-300 and 1. (gsl_cdf_fdist_Qinv() does not converge for one in forty of the values that
 * bursts ask for, and is then no number.) */
double fisher_quantile(double probability, double over, double under);

#endif
