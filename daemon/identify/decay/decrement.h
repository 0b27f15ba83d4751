/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DECREMENT_H
#define FRICID_IDENTIFY_DECREMENT_H

#include "identify/common/estimate.h"
#include "identify/decay/extremum.h"

#include <stddef.h>

/* One local application of the bias-free decrement, LF 1998 Eqs. 9-11, at extremum i. */
struct decrement_local {
    size_t i;    /* the middle extremum of Eq. 11 */
    double beta; /* NAN where the ratio of differences is not a decay */
    double zeta;
    double x_k; /* displacement unit, from Eq. 9 with the local beta */
};

/* Mean and standard deviation over the local values that are finite. */
struct decrement_spread {
    double mean;
    double sd; /* NAN with fewer than two values */
    size_t count;
};

/* The decrement method of LF 1998: local, and cumulative over m half cycles with the error bounds. */
struct decrement {
    enum verdict verdict;
    struct decrement_spread zeta, x_k;
    struct decrement_local *local; /* local_count of them, owned: decrement_clear() */
    size_t local_count;
    double delta;       /* the measurement error that the bounds assume, displacement unit */
    size_t i, j;        /* the extrema used for beta and for x_k, as in LF 1998 §4 */
    size_t m;           /* half cycles accumulated: the m that minimises bound_beta */
    double beta;        /* cumulative, Eq. 12 */
    double zeta_m;      /* the same as damping ratio */
    double x_k_m;       /* displacement unit, Eq. 9 with the cumulative beta */
    double bound_beta;  /* alpha, Eq. 15 */
    double bound_x_k;   /* psi, Eq. 17 with |delta beta| = alpha, displacement unit */
    double bound_gamma; /* gamma, Eq. 18 (m = 1), displacement unit */
};

/* Cumulative decrement for given i, j and m (LF 1998 Eqs. 9, 12, 15, 17, 18): sets beta, zeta_m, x_k_m and the
 * bounds. VERDICT_TOO_FEW_HALF_CYCLES when the extrema do not reach that far. */
enum verdict decrement_cumulative(const double *y, size_t count, size_t i, size_t j, size_t m, double delta,
                                  struct decrement *decrement);

/* The whole method with the best m. delta: largest error of a measured extremum, displacement unit. */
enum verdict decrement_identify(const struct extremum *extrema, size_t count, double delta,
                                struct decrement *decrement);

/* Mean and standard deviation of the local values, anew. */
void decrement_spreads(struct decrement *decrement);

void decrement_clear(struct decrement *decrement);

#endif
