/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_ESTIMATE_H
#define FRICID_IDENTIFY_LADDER_ESTIMATE_H

#include "identify/ladder/ladder_fit.h"

/* From the covariance of a rung's parameters to estimates in the record's own units. */

/* Which parameters of an optimum have a spread. */
struct ladder_freedom {
    bool free[LADDER_PARAMETERS]; /* those inside their bounds */
    bool all[LADDER_PARAMETERS];  /* and those that lie at one */
    bool bound;                   /* there is one that does */
};

struct ladder_freedom ladder_freedom_of(const struct ladder_rung *rung);

/* variance: of the free ones, in the units of the data; loose: with all of them free, by which what lies at its bound
 * gets an upper limit; NULL: it gets none. Parameters that the rung lacks stay as they are. */
void ladder_estimates_from(const struct ladder_data *data, const struct ladder_rung *rung,
                           const struct ladder_freedom *freedom, const double variance[LADDER_PARAMETERS],
                           const double *loose, struct estimate estimate[LADDER_PARAMETERS]);

/* Standard errors in the record's own units, from variances in those of the data. */
void ladder_spreads_from(const struct ladder_data *data, const struct ladder_rung *rung,
                         const double variance[LADDER_PARAMETERS], double spread[LADDER_PARAMETERS]);

/* A value with its 95 % interval, and the limit that it is below in 95 %. */
struct estimate ladder_two_sided(double value, double se);
double ladder_upper_limit(double value, double se);

/* f_n of omega_n. */
struct estimate ladder_frequency(const struct estimate *omega_n);

#endif
