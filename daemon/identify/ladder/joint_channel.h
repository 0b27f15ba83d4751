/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_JOINT_CHANNEL_H
#define FRICID_IDENTIFY_JOINT_CHANNEL_H

#include "identify/ladder/ladder.h"

/* One channel of several that see the same motion: value = bias + gain * (motion of the reference). A motion that is
 * larger by a gain is one of the same rung, with other parameters; so a channel is asked about these, by the same pass
 * as if it stood alone. */

/* What a channel's sums are by: the reference's parameters, and what is its own. */
enum { JOINT_GAIN = LADDER_PARAMETERS, JOINT_BIAS, JOINT_LOCAL };
struct joint_sums {
    double matrix[JOINT_LOCAL][JOINT_LOCAL]; /* both halves */
    double gradient[JOINT_LOCAL];
};

struct joint_channel_fit {
    struct ladder_data data;        /* owned; of all channels by the reference's times */
    bool is_reference;              /* gain is 1, and the bias that of the reference's parameters */
    double sign;                    /* -1: the values stand here with the other sign, so that gains are positive */
    double gain, bias;              /* in the units of the data, from those of the reference's */
    double variance;                /* of a residual, in the units of the data squared */
    struct ladder_rung alone, seen; /* the channel by itself; the common motion as this channel sees it */
};

/* What a joint fit gets of a channel. */
struct joint_input {
    const struct decay_record *record;
    const struct extremum *extrema; /* extrema_count of them, all of the record's */
    size_t extrema_count;
    const struct ladder *ladder; /* the record's own, VERDICT_OK */
};

/* Samples and extrema of all channels from the latest of their first extrema on. The first one is the reference.
 * VERDICT_OK, VERDICT_NOT_ONE_DECAY where the channels have no extremum in common, or as of ladder_data_from();
 * joint_channels_clear() either way. */
enum verdict joint_channels_from(const struct joint_input *inputs, size_t count, struct joint_channel_fit *channels);
void joint_channels_clear(struct joint_channel_fit *channels, size_t count);

/* The reference's parameters as this channel has them, with its gain and bias, and back. */
void joint_parameters_to(const struct joint_channel_fit *channel, const double reference[LADDER_PARAMETERS],
                         double own[LADDER_PARAMETERS]);
void joint_parameters_from(const struct joint_channel_fit *channel, const double own[LADDER_PARAMETERS],
                           double reference[LADDER_PARAMETERS]);

/* From sums by the channel's own parameters, lower half, to those by the reference's. gradient: NULL, it is 0. */
void joint_sums_from(const struct joint_channel_fit *channel, double matrix[LADDER_PARAMETERS][LADDER_PARAMETERS],
                     const double *gradient, struct joint_sums *sums);

#endif
