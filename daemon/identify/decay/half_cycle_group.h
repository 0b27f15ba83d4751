/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_HALF_CYCLE_GROUP_H
#define FRICID_IDENTIFY_HALF_CYCLE_GROUP_H

#include "identify/decay/decay_model.h"
#include "identify/decay/half_cycle_pass.h"

#include <stdbool.h>

/* J'J and J'r of several half cycles of uniform samples side by side: what half_cycle_sums_add() and
 * derivative_sums_add() make one after the other, a half cycle in each lane of a vector. */

enum { GROUP_MOST = 8 };

/* Half cycles that wait for each other; count begins with 0. */
struct half_cycle_group {
    size_t count;
    double samples[GROUP_MOST];
    double theta[GROUP_MOST], start_re[GROUP_MOST],
        start_im[GROUP_MOST];                                          /* of the first sample, and the phasor there */
    double first_re[POWERS][GROUP_MOST], first_im[POWERS][GROUP_MOST]; /* struct half_cycle_powers */
    double second_re[POWERS][GROUP_MOST], second_im[POWERS][GROUP_MOST];
    double envelope[POWERS][GROUP_MOST];
    double r[GROUP_MOST], gr[GROUP_MOST], sr[GROUP_MOST], ngr[GROUP_MOST], nsr[GROUP_MOST]; /* struct residual_sums */
    double omega_n_s[GROUP_MOST], omega_n_theta_s[GROUP_MOST];                              /* struct decay_weights */
    double zeta_g[GROUP_MOST], zeta_s[GROUP_MOST], zeta_theta_g[GROUP_MOST], zeta_theta_s[GROUP_MOST];
    double x_k_one[GROUP_MOST], x_k_g[GROUP_MOST], x0_g[GROUP_MOST], t0_s[GROUP_MOST];
};

/* What has come together so far, in each lane; of the matrix the upper triangle. */
struct group_sums {
    double matrix[FIT_PARAMETERS][FIT_PARAMETERS][GROUP_MOST];
    double gradient[FIT_PARAMETERS][GROUP_MOST];
    double squares;
    size_t samples;
};

/* Takes `count` samples of one half cycle from displacement on, the first of them at theta. A full group is added to
 * the sums and empty again. False when the samples cover too little of a half cycle, see half_cycle_parts_of(): nothing
 * is done then. sums begin with zeros. */
bool half_cycle_group_take(struct half_cycle_group *group, struct half_cycle_pass *pass,
                           const struct half_cycle_curve *curve, double theta, const double *displacement, size_t count,
                           const struct decay_weights *weights, struct group_sums *sums);

/* After the last half cycle: adds those that still wait, and then all lanes, to the total. */
void half_cycle_group_end(struct half_cycle_group *group, const struct half_cycle_pass *pass, struct group_sums *sums,
                          struct derivative_sums *total);

#endif
