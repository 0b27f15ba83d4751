/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LAW_FIT_H
#define FRICID_IDENTIFY_LAW_FIT_H

#include "identify/common/estimate.h"
#include "identify/ring_down/baseband.h"
#include "identify/ring_down/microslip_law.h"
#include "identify/ring_down/slow_flow.h"

#include <stdatomic.h>

/* A ring-down of one sensor and where one mode is in it; time 0 is the first sample. Borrowed. */
struct law_record {
    enum sensed sensed;
    const double *samples;
    size_t count;
    double rate_hz, centre_hz;
    double stop_hz; /* the mode is alone nearer to the centre than this */
    bool alone;     /* it is alone in the whole record, which the fit then uses without a filter */
};

/* The microslip law of that mode. The covariance is of the law's parameters and the real and imaginary part of the
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
void law_fit(const struct law_record *record, const atomic_bool *cancel, struct law_fit *fit);

#endif
