/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/joint_rates.h"

#include <math.h>

bool joint_rates(const struct amplitude_law *law, const struct joint_part *joint,
                 const struct joint_direction *directions, struct law_rates *rates)
{
    const double omega_0 = law->parameter[JOINT_LAW_OMEGA_0], c = law->parameter[JOINT_LAW_C];
    const double w = sqrt(joint->fundamental);
    if (!(joint->tangent > 0.01) || !(w > 0) || !(omega_0 > 0))
        return false;
    rates->omega = omega_0 * w;
    rates->alpha = (joint->zeta * omega_0 * w + 0.5 * c * w * w) / joint->tangent;
    for (size_t d = 0; d < 1 + law->parameters; d++) {
        const struct joint_direction *by = &directions[d];
        const double w_d = by->joint.fundamental / (2 * w);
        const double loss_d = (by->joint.zeta * omega_0 + joint->zeta * by->omega_0) * w + 0.5 * by->c * w * w +
                              (joint->zeta * omega_0 + c * w) * w_d;
        *(d > 0 ? &rates->omega_p[d - 1] : &rates->omega_x) = by->omega_0 * w + omega_0 * w_d;
        *(d > 0 ? &rates->alpha_p[d - 1] : &rates->alpha_x) =
            (loss_d - rates->alpha * by->joint.tangent) / joint->tangent;
    }
    return rates->alpha > 0;
}
