/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MACROSLIP_FIGURES_H
#define FRICID_IDENTIFY_MACROSLIP_FIGURES_H

#include "identify/ring_down/law_fit.h"

/* What a joint that was seen to slip as a whole says of the modal Iwan model, with standard errors of normal noise. All
 * but beta are known to a factor, and so are their intervals. */
struct macroslip_figures {
    struct estimate phi_max, k_t, k_inf, f_s, r, beta;
    double by_r[LAW_FIT_UNKNOWNS]; /* derivatives of r by all unknowns of the fit */
};

/* Of a macroslip law that was fitted. */
struct macroslip_figures macroslip_figures_of(const struct law_fit *fit);

#endif
