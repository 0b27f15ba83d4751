/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MACROSLIP_SEARCH_H
#define FRICID_IDENTIFY_MACROSLIP_SEARCH_H

#include "identify/ring_down/law_fitting.h"

/* Whether a phi_max near that of a law of a joint that slips as a whole, which was fitted with the exact motion,
 * explains the record better: `fit` is the best law then. with_beta: one with sliders that slip at phi_max and not
 * before, which `fit` need not have. VERDICT_OK, or what law_fitting_is_over() tells of. */
enum verdict macroslip_search(struct law_fitting *fitting, bool with_beta, struct law_fit *fit);

#endif
