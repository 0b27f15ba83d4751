/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_SHAKING_H
#define FRICID_IDENTIFY_FRICTION_SHAKING_H

#include "identify/common/ar_model.h"
#include "identify/loop/friction_search.h"

/* What noise of the displacement does to a fit, which walks along the measured motion as if that were the true one. It
 * is drawn again and again, beside the smoothed displacement and by the steps of its encoder, and smoothed likewise
 * (Monte Carlo, JCGM 101): where a contact is stiff it is much force, that repeats over a window's samples, and where
 * the motion turns back it moves all that comes behind. */

enum { FRICTION_SHAKES = 160 };

struct friction_shaking {
    size_t count;                                   /* 0: there is no noise of the displacement that counts */
    double sum[FRICTION_SHAKES][FRICTION_UNKNOWNS]; /* J' times the change of the force, of each */
    double products[AR_MOST + 1];                   /* of that change at so many samples from each other, mean */
};

/* Of a fit to motions->all, where nothing is shaken if that measured its velocity. 0, -ENOMEM or -ECANCELED. */
int friction_shake(const struct loop_signal *signal, const struct friction_motions *motions,
                   const struct friction_fit *fit, struct friction_shaking *shaking);

#endif
