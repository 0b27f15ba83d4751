/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_LAWS_H
#define FRICID_IDENTIFY_MODE_LAWS_H

#include "identify/ring_down/law_fit.h"

#include <stdatomic.h>

/* The microslip law, from nothing but the band: starting values, the fit of the slow flow, then of the exact motion
 * where the record can tell these apart. Verdicts: those of mode_fit(), VERDICT_TOO_FEW_SAMPLES, and
 * VERDICT_NO_OSCILLATION (nothing in the band decays above the noise). cancel: may be NULL. */
void law_fit(const struct mode_record *record, const atomic_bool *cancel, struct law_fit *fit);

/* The laws that a mode may have. */
struct mode_laws {
    struct law_fit linear, microslip; /* verdicts as of law_fit(); of the last also why free could not be tried */
    bool joint;                       /* the record is likelier with a joint than with the linear law, beyond chance */
    struct law_fit free; /* free_law(), where there is a joint; with VERDICT_NOT_CONVERGED it is there, too, but its
                            parameters do not say much */
    struct law_fit macroslip; /* of a record without a filter that the microslip law does not explain */
    struct law_fit with_beta; /* the same with sliders that slip at phi_max, also where the record does not tell them:
                                 what is not known of them is in its covariance, and not in that of one without */
    struct law_fit without_beta; /* macroslip without such sliders, where it has them */
    bool tells_beta;             /* macroslip has them, and the record tells how many */
    struct law_fit limit; /* of a joint in microslip that holds: the law of a phi_max that the record contradicts, at
                             95 %, and with it any smaller one */
    struct law_fit limit_of_phi;   /* the same of joints with any share of sliders at phi_max */
    struct amplitude_law admitted; /* what macroslip does below phi_max, whose distance from microslip is in the
                                      covariance of that, with its first displacement, m; size 0: it is not */
    double admitted_size;
    bool slips; /* macroslip is there, holds the largest amplitudes above phi_max, and is likelier, beyond chance */
    bool holds; /* that law is there, and no likelier than the microslip law, beyond chance */
};
void mode_laws_of(const struct mode_record *record, const atomic_bool *cancel, struct mode_laws *laws);

/* limit and limit_of_phi of a joint in microslip that holds, from those laws of the same record. What ends it is the
 * verdict of both. */
void mode_laws_limit(const struct mode_record *record, const atomic_bool *cancel, struct mode_laws *laws);

/* Whether the fit of the free law has one. */
bool free_law_is_there(const struct law_fit *fit);

#endif
