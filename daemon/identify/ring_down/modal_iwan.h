/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODAL_IWAN_H
#define FRICID_IDENTIFY_MODAL_IWAN_H

#include <stdbool.h>

/* A mode of a structure with a bolted joint, per modal mass, so that every force is an acceleration: a spring and a
 * damper, and beside them Segalman's joint of four parameters, sliders of one stiffness whose slipping displacements
 * have the density R phi^chi up to phi_max. Amplitudes below phi_max are microslip, those above macroslip. */
struct modal_iwan {
    double k_t;     /* stiffness of the joint when it is stuck, 1/s^2 */
    double k_inf;   /* stiffness that is left when it slips, 1/s^2 */
    double f_s;     /* force at which the whole joint slips, m/s^2 */
    double phi_max; /* displacement at which it does, m */
    double chi;     /* exponent of the density, -1 < chi */
    double beta;    /* stiffness of the sliders at phi_max, over that of those below */
    double r;       /* R, m^(-chi-1)/s^2 */
    double c;       /* viscous coefficient, 1/s */
};

/* Fills in phi_max and r from the other members. False where no joint has these: k_t and f_s above 0, chi above -1,
 * k_inf, beta and c not negative, all finite. */
bool modal_iwan_complete(struct modal_iwan *mode);

/* The joint's force when it is loaded for the first time, up to the displacement u >= 0. */
double modal_iwan_virgin_force(const struct modal_iwan *mode, double u);

/* Energy that a cycle of the displacement amplitude loses, J/kg; omega: rate of its phase, rad/s. Exact in both
 * regimes. */
double modal_iwan_dissipation(const struct modal_iwan *mode, double amplitude, double omega);

/* Stiffnesses at a displacement amplitude, k_inf included, 1/s^2: from the origin to the virgin curve; its slope; and
 * the first harmonic of the force in a cycle, over the amplitude. */
double modal_iwan_secant(const struct modal_iwan *mode, double amplitude);
double modal_iwan_tangent(const struct modal_iwan *mode, double amplitude);
double modal_iwan_fundamental(const struct modal_iwan *mode, double amplitude);

#endif
