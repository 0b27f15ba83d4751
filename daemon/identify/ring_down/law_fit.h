/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LAW_FIT_H
#define FRICID_IDENTIFY_LAW_FIT_H

#include "identify/common/estimate.h"
#include "identify/ring_down/macroslip_law.h"
#include "identify/ring_down/microslip_law.h"
#include "identify/ring_down/mode_band.h"

#include <stdatomic.h>

/* The law of a mode. The covariance is of the law's parameters and, behind them, the real and imaginary part of the
 * amplitude at the reference sensor, in white noise. */
enum { LAW_FIT_UNKNOWNS = (int)FREE_PARAMETERS + 2 };
struct law_fit {
    enum verdict verdict;
    struct amplitude_law law;
    double complex amplitude; /* of the displacement at time 0 */
    struct mode_sum sum;      /* these, of all sensors, with the modes beside it */
    double covariance[LAW_FIT_UNKNOWNS][LAW_FIT_UNKNOWNS];
    double squares;  /* of what it leaves, of all sensors */
    double noise;    /* standard deviation of a sample that the fit used, of each part of an analytic one */
    double first;    /* what the sensor shows of the mode at the first of them, the height of its crests */
    double residual; /* rms of what it leaves of them at the reference sensor, of the modulus of analytic ones, over
                        that */
    double first_x;  /* ln of the amplitude there over that at time 0 */
    double white;    /* that of white noise in the record which would leave as much */
    double freedom;  /* independent values from which these follow */
    double loss;     /* nepers that the amplitude falls above the noise */
    int corrections; /* rounds of deferred correction */
};

/* The microslip law, from nothing but the band: starting values, the fit of the slow flow, then of the exact motion
 * where the record can tell these apart. Verdicts: those of mode_fit(), VERDICT_TOO_FEW_SAMPLES, and
 * VERDICT_NO_OSCILLATION (nothing in the band decays above the noise). cancel: may be NULL. */
void law_fit(const struct mode_record *record, const atomic_bool *cancel, struct law_fit *fit);

/* The covariance of two figures whose derivatives by all unknowns of the fit these are, and the standard error of one.
 */
double law_fit_covariance(const struct law_fit *fit, const double by[LAW_FIT_UNKNOWNS],
                          const double by_other[LAW_FIT_UNKNOWNS]);
double law_fit_error(const struct law_fit *fit, const double by[LAW_FIT_UNKNOWNS]);

/* The laws that a mode may have. */
struct mode_laws {
    struct law_fit linear, microslip; /* verdicts as of law_fit(); of the last also why free could not be tried */
    bool joint;                       /* the record is likelier with a joint than with the linear law, beyond chance */
    struct law_fit free; /* free_law(), where there is a joint; with VERDICT_NOT_CONVERGED it is there, too, but its
                            parameters do not say much */
    struct law_fit macroslip; /* of a record without a filter that the microslip law does not explain */
    struct law_fit with_beta; /* the same with sliders that slip at phi_max, also where the record does not tell them:
                                 what is not known of them is in its covariance, and not in that of one without */
    bool slips; /* it is there, holds the largest amplitudes above phi_max, and is likelier, beyond chance */
    bool holds; /* that law is there, and no likelier than the microslip law, beyond chance */
};
void mode_laws_of(const struct mode_record *record, const atomic_bool *cancel, struct mode_laws *laws);

/* Whether the fit of the free law has one. */
bool free_law_is_there(const struct law_fit *fit);

/* Adds to the model of a band what the exact motion of each mode has beyond its slow flow. motion: room for as
 * many samples as the record has. VERDICT_OK, VERDICT_NO_MEMORY, VERDICT_CANCELLED, or VERDICT_NOT_CONVERGED
 * where the law has no such motion. cancel: may be NULL. */
enum verdict law_correct(const struct mode_record *record, const struct mode_sum *sum, const atomic_bool *cancel,
                         double *motion, struct mode_band *band);

#endif
