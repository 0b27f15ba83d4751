/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MICROSLIP_FIGURES_H
#define FRICID_IDENTIFY_MICROSLIP_FIGURES_H

#include "identify/ring_down/law_fit.h"

/* A quantity that a motion in microslip does not tell, only between what it is. */
struct between {
    double lower, upper;
};

/* What a joint in microslip says of the modal Iwan model. Of the slip of the whole joint it has no information; what
 * could be lies between bounds that the largest amplitude sets, and of iwan_beta, 0 or more, nothing is known. */
struct microslip_figures {
    struct estimate omega_0; /* rad/s */
    struct estimate c;       /* 1/s */
    struct estimate chi;
    struct estimate r;             /* m^(-chi-1)/s^2 */
    double by_r[LAW_FIT_UNKNOWNS]; /* derivatives of r by all unknowns of the fit */
    struct between phi_max, k_t, k_inf, f_s;
};

/* Of a law that was fitted; the largest amplitude is the one at its record's beginning. */
struct microslip_figures microslip_figures_of(const struct law_fit *fit);

/* Lower bounds that hold at 95 %, of the law of a phi_max that the record contradicts; NULL: none is known, and neither
 * are they. limit_of_phi: the same law for the bound of phi_max, where sliders may slip at phi_max and not before. */
void microslip_figures_limit(struct microslip_figures *figures, const struct law_fit *limit,
                             const struct law_fit *limit_of_phi);

#endif
