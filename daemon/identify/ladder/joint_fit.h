/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_JOINT_FIT_H
#define FRICID_IDENTIFY_JOINT_FIT_H

#include "identify/ladder/joint_channel.h"

/* One rung fitted to all channels at once: its parameters are those of the reference, and each other channel has a gain
 * and a bias of its own. These two enter linearly: they are eliminated, and what is left is a rung's fit like any
 * other. Residuals are weighted by the channels' own variances, which are learnt. */

enum { JOINT_CHANNELS_MOST = 8, JOINT_UNKNOWNS = LADDER_PARAMETERS + 2 * (JOINT_CHANNELS_MOST - 1) };

/* Begins with what a rung's fit is told of the data, of which only the number of samples counts. */
struct joint_fit {
    struct ladder_data all;
    size_t count; /* of the channels, the first of which is the reference */
    struct joint_channel_fit *channels;
    struct ladder_rung rung; /* of all channels, in the reference's units; squares in its variances */
};

/* Fits each channel by itself, and then all of them, to these terms. fit has its channels, as made of these inputs.
 * Returns the verdict of the joint fit, which has an optimum when it is VERDICT_OK. cancel: may be NULL. */
enum verdict joint_fit(struct joint_fit *fit, const struct joint_input *inputs, unsigned terms,
                       const atomic_bool *cancel);

/* Where an unknown of a channel stands among those of the fit: a parameter of the reference, or JOINT_GAIN or
 * JOINT_BIAS of another channel. */
size_t joint_place(const struct joint_fit *fit, const struct joint_channel_fit *channel, size_t unknown);

/* How many unknowns the fit has. */
size_t joint_unknowns(const struct joint_fit *fit);

/* The channel's part of a weighted sum of squares is worth this, in the units of the reference's variance. */
double joint_weight(const struct joint_fit *fit, const struct joint_channel_fit *channel);

#endif
