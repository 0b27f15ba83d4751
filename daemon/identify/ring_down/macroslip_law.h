/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MACROSLIP_LAW_H
#define FRICID_IDENTIFY_MACROSLIP_LAW_H

#include "identify/ring_down/amplitude_law.h"
#include "identify/ring_down/microslip_law.h"
#include "identify/ring_down/modal_iwan.h"

/* The parameters of a mode whose joint slips as a whole at the largest amplitudes. omega_0, c and chi stand where they
 * do in the microslip law. */
enum macroslip_parameter {
    MACROSLIP_OMEGA_0,
    MACROSLIP_C,
    MACROSLIP_LOG_SHARE, /* ln of k_t/omega_0^2 */
    MACROSLIP_CHI,
    MACROSLIP_LOG_PHI, /* ln of phi_max/A_0 */
    MACROSLIP_BETA,    /* the last: a law with one parameter less has no sliders that all slip at phi_max */
    MACROSLIP_PARAMETERS,
};

/* Without such sliders, from a joint whose chi and r are right; phi: phi_max over the amplitude at x = 0. False where
 * no joint has these. With more parameters it has them: a little below 0, where no joint has its beta, it has a motion,
 * too, so that a fit does not end there. */
bool macroslip_law(double omega_0, double c, const struct modal_iwan *joint, double amplitude_0, double phi,
                   struct amplitude_law *law);

/* The same law with x = 0 where x was; as microslip_from(). */
struct amplitude_law macroslip_from(const struct amplitude_law *law, double x);

/* Of a share of sliders at phi_max to begin with, what such a law without them has room for: with it k_t stays below
 * omega_0^2. */
double macroslip_room_for_beta(const struct amplitude_law *law, double beta);

/* Such a law with that share of sliders at phi_max besides. */
struct amplitude_law macroslip_with_beta(const struct amplitude_law *law, double beta);

/* Such a law with sliders at phi_max of which a fit finds the share alone, for phi_max is given: R phi^chi is as before
 * at first. Its parameters stand in another order, and only its own joint knows them. */
struct amplitude_law macroslip_given_phi(const struct amplitude_law *law, double beta);

/* The joint of such a law where the amplitude at x = 0 is amplitude_0. */
struct modal_iwan macroslip_joint(const struct amplitude_law *law, double amplitude_0);

#endif
