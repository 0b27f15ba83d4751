/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_BACKBONE_H
#define FRICID_IDENTIFY_BACKBONE_H

#include "identify/common/estimate.h"
#include "identify/ring_down/mode_pass.h"

#include <stdatomic.h>

enum { BACKBONE_POINTS = 60 };

/* A mode at one displacement amplitude. */
struct backbone_point {
    double amplitude;
    double omega, se_omega; /* rate of the phase, rad/s */
    double zeta, se_zeta;   /* alpha/omega */
    /* Loss a cycle, J/kg, without a model of the joint; its error is that of zeta omega^2, for that of omega's slope is
     * far smaller. */
    double dissipation, se_dissipation;
    double stiffness, se_stiffness; /* of the first harmonic, 1/s^2 */
    /* How far off these are if the whole joint slips, which nothing shows; 0: it cannot. */
    double slip_omega, slip_zeta, slip_dissipation;
};

/* ln omega, ln zeta and ln(zeta omega^2) at an amplitude: with the last goes the loss, and the errors of the other two
 * belong together. */
enum { LOG_OMEGA, LOG_ZETA, LOG_LOSS, LOGARITHMS };

/* These at the displacement amplitude |a| e^x, where a is that at x = 0, and their derivatives by all parameters of the
 * law and, in by[k][place] and behind it, by the real and the imaginary part of a: where on the law an amplitude lies
 * follows from a. */
void backbone_logarithms(const struct amplitude_law *law, const struct law_rates *rates, double complex a, size_t place,
                         double value[LOGARITHMS], double *const by[LOGARITHMS]);

/* The point of these; slope: d ln omega/dx there. */
struct backbone_point backbone_point_of(double amplitude, const double value[LOGARITHMS], const double se[LOGARITHMS],
                                        double slope);

/* What such a curve, which has a point at least and begins with the largest amplitude, says of one: between two of its
 * points by ln amplitude, the loss by its logarithm; beyond the ends what these say. */
struct backbone_point backbone_curve_at(const struct backbone_point *points, size_t count, double amplitude);

/* Frequency and damping of a mode over its amplitude: its law with smooth deviations, averaged over their sizes. */
struct backbone {
    enum verdict verdict;
    size_t count; /* from the largest amplitude down */
    struct backbone_point point[BACKBONE_POINTS];
    double law_misfit;       /* the likeliest size of the deviations of ln alpha */
    double frequency_misfit; /* of those of omega/omega_0 */
    double excess; /* ln of how much likelier these sizes are than the smallest that can be had, which are hardly any */
    double residual; /* rms of what it leaves of a sample of the first sensor, of the modulus of an analytic one */
    double residual_first,
        residual_after; /* in the first cycles (residual.h) and after them; NAN: no sample is there */
};

/* What is known of a mode already. */
struct backbone_start {
    struct amplitude_law law; /* a law that was fitted to the samples, and its standard errors */
    size_t beside;            /* modes in the same band */
    struct amplitude_law other[PASS_MODES - 1];
    double se[LAW_PARAMETERS];
    double loss;   /* nepers of amplitude that the samples show above their noise */
    double colour; /* variance of white noise that weighs as much at the mode, over that of the samples */
};

/* From samples of sensors that see that mode and those beside it, its reference sensor first. Time 0 is to be that of
 * the first sample, for a deviation at amplitudes that no sample shows would change places with the amplitude. cancel:
 * may be NULL. Verdicts: those of mode_fit(), and VERDICT_TOO_FEW_SAMPLES. */
void backbone_of(const struct mode_samples *samples, const struct backbone_start *start, const atomic_bool *cancel,
                 struct backbone *backbone);

#endif
