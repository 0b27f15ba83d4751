/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LAW_FIT_H
#define FRICID_IDENTIFY_LAW_FIT_H

#include "identify/common/estimate.h"
#include "identify/ring_down/macroslip_law.h"
#include "identify/ring_down/microslip_law.h"
#include "identify/ring_down/mode_band.h"

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
    double early;    /* of fits without a filter: probability of what it leaves of the first half cycle, in noise */
    double freedom;  /* independent values from which these follow */
    double loss;     /* nepers that the amplitude falls above the noise */
    int corrections; /* rounds of deferred correction */
};

/* The covariance of two figures whose derivatives by all unknowns of the fit these are, and the standard error of one.
 */
double law_fit_covariance(const struct law_fit *fit, const double by[LAW_FIT_UNKNOWNS],
                          const double by_other[LAW_FIT_UNKNOWNS]);
double law_fit_error(const struct law_fit *fit, const double by[LAW_FIT_UNKNOWNS]);

#endif
