/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LAW_FIT_H
#define FRICID_IDENTIFY_LAW_FIT_H

#include "identify/common/estimate.h"
#include "identify/ring_down/microslip_law.h"
#include "identify/ring_down/mode_band.h"

#include <stdatomic.h>

/* The microslip law of a mode. The covariance is of the law's parameters and the real and imaginary part of the
 * amplitude, in white noise. */
enum { LAW_FIT_UNKNOWNS = MICROSLIP_PARAMETERS + 2 };
struct law_fit {
    enum verdict verdict;
    struct amplitude_law law;
    double complex amplitude; /* of the displacement at time 0 */
    double covariance[LAW_FIT_UNKNOWNS][LAW_FIT_UNKNOWNS];
    double noise;    /* standard deviation of a sample that the fit used, of each part of an analytic one */
    double loss;     /* nepers that the amplitude falls above the noise */
    int corrections; /* rounds of deferred correction */
};

/* From nothing but the band: starting values, the fit of the slow flow, then of the exact motion where the record can
 * tell these apart. Verdicts: those of mode_fit(), VERDICT_TOO_FEW_SAMPLES, and VERDICT_NO_OSCILLATION (nothing in the
 * band decays above the noise). cancel: may be NULL. */
void law_fit(const struct mode_record *record, const atomic_bool *cancel, struct law_fit *fit);

#endif
