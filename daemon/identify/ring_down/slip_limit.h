/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SLIP_LIMIT_H
#define FRICID_IDENTIFY_SLIP_LIMIT_H

#include "identify/ring_down/law_fitting.h"

/* Of a joint that is seen in microslip alone, by the laws that were fitted, the second of which need not be there: the
 * law of the largest phi_max that the record contradicts, by the profile of its likelihood, at 95 %. Nobody knows from
 * a record that it ends below phi_max: one that begins a little above looks the same. limit: by joints without sliders
 * that slip at phi_max and not before, which have the least force and stiffness; limit_of_phi: by joints with any share
 * of them, whose phi_max may be smaller; its verdict tells whether there is one. VERDICT_OK, VERDICT_NOT_CONVERGED
 * (none was found), VERDICT_CANCELLED or VERDICT_NO_MEMORY. */
enum verdict slip_limit_of(struct law_fitting *fitting, const struct law_fit *microslip,
                           const struct law_fit *macroslip, struct law_fit *limit, struct law_fit *limit_of_phi);

#endif
