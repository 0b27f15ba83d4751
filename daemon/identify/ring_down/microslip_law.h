/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MICROSLIP_LAW_H
#define FRICID_IDENTIFY_MICROSLIP_LAW_H

#include "identify/ring_down/amplitude_law.h"
#include "identify/ring_down/modal_iwan.h"

/* The parameters of the microslip law, by place. */
enum microslip_parameter {
    MICROSLIP_OMEGA_0,    /* rad/s, at small amplitudes */
    MICROSLIP_C,          /* viscous coefficient, 1/s */
    MICROSLIP_LOG_ZETA_J, /* ln of what the joint adds to zeta at A_0 */
    MICROSLIP_CHI,
    MICROSLIP_PARAMETERS,
};

/* A mode with a joint that never slips as a whole. */
struct amplitude_law microslip_law(double omega_0, double c, double zeta_j, double chi);

/* A mode without a joint: the first two parameters. */
struct amplitude_law linear_law(double omega_0, double c);

/* The parameters of a law whose joint lowers the stiffness by another power of the amplitude than it adds damping:
 * those of the microslip law, whose chi is that of the damping alone here and whose omega_0 is omega at A_0, and: */
enum free_parameter {
    FREE_LOG_SLOPE = MICROSLIP_PARAMETERS, /* ln of the share of stiffness that a neper of amplitude takes at A_0 */
    FREE_STIFFNESS_EXPONENT,               /* chi + 1 in the microslip law */
    FREE_PARAMETERS,
};

/* The microslip law as such a law, of which it is a special case. The tangent stiffness keeps that joint's share of
 * the slope. */
struct amplitude_law free_law(const struct amplitude_law *microslip);

/* The same mode, with a joint in microslip or without one, of a record that begins at e^x of the first amplitude. */
struct amplitude_law microslip_from(const struct amplitude_law *law, double x);

/* s of the joint, the share by which slip lowers the secant stiffness at A_0. */
double microslip_softening(const struct amplitude_law *law);

/* The share by which it lowers the stiffness of the first harmonic there. */
double microslip_lowering(const struct amplitude_law *law);

/* Some joint that moves alike up to A_0, for what lies above is not known: all of omega_0^2 is its stiffness, and it
 * never slips as a whole. */
struct modal_iwan microslip_joint(const struct amplitude_law *law, double amplitude_0);

#endif
