/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_HILBERT_JOINT_H
#define FRICID_IDENTIFY_HILBERT_JOINT_H

#include "identify/common/estimate.h"

#include <stdatomic.h>

struct hilbert_point {
    double amplitude, omega, zeta;
    double dissipation; /* 2 pi alpha omega A^2, J/kg, which is too large where a joint softens */
};

/* The joint of Deaner et al. (2015) from the curve of their route: that for which dissipation and frequency by their
 * Eqs. 9 to 16 are nearest to the curve, by their Eqs. 35 to 37 with dividing rectangles and then a simplex. It has no
 * errors. */
struct hilbert_joint {
    enum verdict verdict;
    const char *reason;                          /* why something of it is missing; NULL: nothing is */
    double omega_0, c, chi, r;                   /* NAN: not found */
    double f_s, k_t, k_inf, phi_max, beta;       /* likewise, or others would do as well */
    double dissipation_misfit, frequency_misfit; /* rms over the curve, as shares of what either changes along it */
};

/* Where none was looked for, or there is no curve. */
struct hilbert_joint hilbert_joint_without(enum verdict verdict);

/* Of points from the largest amplitude to the smallest. Verdicts: VERDICT_OK, VERDICT_UNDERDETERMINED (all points are
 * below phi_max, where f_s, k_t, k_inf, phi_max and beta count by omega_0 and r alone, or along the curve nothing
 * changes), VERDICT_NOT_CONVERGED, VERDICT_CANCELLED or VERDICT_NO_MEMORY. cancel: may be NULL. */
void hilbert_joint(const struct hilbert_point *points, size_t count, const atomic_bool *cancel,
                   struct hilbert_joint *joint);

#endif
