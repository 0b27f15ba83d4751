/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_JOINT_RATES_H
#define FRICID_IDENTIFY_JOINT_RATES_H

#include "identify/ring_down/amplitude_law.h"

/* The first two parameters of the law of any mode with a joint. */
enum joint_law_parameter { JOINT_LAW_OMEGA_0, JOINT_LAW_C };

/* What a joint does at an amplitude: the zeta that it adds, and two stiffnesses over omega_0^2. */
struct joint_part {
    double zeta, fundamental, tangent;
};

/* One direction: how that changes in it, and omega_0 and c. */
struct joint_direction {
    struct joint_part joint;
    double omega_0, c;
};

/* The slow flow of such a mode. directions: along x, then by every parameter.
 * The stiffness that turns loss into decay is the tangent one: a half cycle from q to -q' loses half of D at
 * m = (q + q')/2, and K_tangent(m) m (q - q') is that energy. False where there is no such motion. */
bool joint_rates(const struct amplitude_law *law, const struct joint_part *joint,
                 const struct joint_direction *directions, struct law_rates *rates);

#endif
