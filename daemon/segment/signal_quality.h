/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SIGNAL_QUALITY_H
#define FRICID_SEGMENT_SIGNAL_QUALITY_H

#include "segment/candidate.h"
#include "segment/clipping.h"
#include "segment/noise_floor.h"
#include "segment/sample_history.h"

/* What is learnt of a channel from every sample, before motion is looked for: its noise and its steps, which
 * samples are spikes and which are clipped. */
struct signal_quality {
    struct noise_floor noise;
    struct clipping clipping;
    double resolution; /* ADC step or encoder count as configured, displacement unit; 0: not known */
    /* What follows from these. */
    struct channel_noise channel; /* as far as it is known */
    double hysteresis;            /* a reversal smaller than this is noise, displacement unit */
};

void signal_quality_init(struct signal_quality *signal_quality, double resolution);

/* The step of the signal from now on. */
void signal_quality_set_resolution(struct signal_quality *signal_quality, double resolution);

/* A new stretch: the limits may have changed, the noise is that of the channel. */
void signal_quality_restart(struct signal_quality *signal_quality);

/* Takes in the chunk that begins with sample `from` and flags samples in it, and clipped ones shortly before. Four
 * samples on either side of it are held. So the first four samples of a stretch and its last ones, up to 19, are in no
 * chunk: nobody looks for spikes and limits among them, and a half cycle that a spike there spoils is lost. */
void signal_quality_take(struct signal_quality *signal_quality, struct sample_history *history, uint64_t from);

#endif
