/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_JOINT_H
#define FRICID_IDENTIFY_JOINT_H

#include "identify/ladder/joint_contradiction.h"

/* One answer of all channels that saw a motion. */

struct joint_channel {
    struct estimate gain; /* its displacement for one unit of the reference's; of the reference 1, without an error */
    struct estimate bias; /* in the channel's own unit */
    double noise;         /* standard deviation of what the fit leaves, likewise */
    size_t samples;
};

struct joint {
    enum verdict verdict;                        /* VERDICT_OK, or why there are no estimates */
    unsigned terms;                              /* of the rung */
    struct estimate estimate[LADDER_PARAMETERS]; /* in the reference's unit; NAN for terms that the rung lacks */
    struct estimate f_n_hz;
    size_t half_cycles; /* of the reference */
    size_t count;       /* of the channels, the first of which is the reference */
    struct joint_channel channels[JOINT_CHANNELS_MOST];
    struct joint_contradiction contradiction;
};

/* A fit that was not made of so many channels, with the verdict that says why. */
void joint_not_made(struct joint *joint, size_t count, enum verdict verdict);

/* Fits all channels at once with each rung that the ladder of one of them chose, and takes that with the least
 * criterion. Standard errors are those of each channel's own noise, as if no other channel shared it and each one's
 * step of the clock were known. The first channel is the reference; of more than JOINT_CHANNELS_MOST the first ones
 * count. The ladders are VERDICT_OK. Every member is set whatever the verdict. cancel: may be NULL. */
enum verdict joint_identify(const struct joint_input *inputs, size_t count, const atomic_bool *cancel,
                            struct joint *joint);

#endif
