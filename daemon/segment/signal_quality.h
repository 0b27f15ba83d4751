/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SIGNAL_QUALITY_H
#define FRICID_SEGMENT_SIGNAL_QUALITY_H

#include "segment/candidate.h"
#include "segment/clipping.h"
#include "segment/noise_floor.h"
#include "segment/sample_history.h"
#include "segment/spikes.h"

/* So many samples on either side of those that are looked at must be held: spikes need the most. The first ones of a
 * stretch, and its last ones, are asked for nothing. */
enum { SIGNAL_MARGIN = SPIKE_REACH };

/* Every sample teaches this of a channel, before motion is looked for: its noise and its steps, and which samples are
 * spikes and which are clipped. */
struct signal_quality {
    struct noise_floor noise;
    struct clipping clipping;
    double resolution; /* ADC step or encoder count as configured, displacement unit; 0: not known */
    /* These follow from the ones above. */
    struct channel_noise channel; /* as far as it is known */
    double hysteresis;            /* a reversal smaller than this is noise, displacement unit */
};

void signal_quality_init(struct signal_quality *signal_quality, double resolution);

/* The step of the signal from now on. */
void signal_quality_set_resolution(struct signal_quality *signal_quality, double resolution);

/* It begins a new stretch: the limits may have changed, the noise is that of the channel. */
void signal_quality_restart(struct signal_quality *signal_quality);

/* Takes in the chunk that begins with sample `from` and flags samples in it, and clipped ones shortly before.
 * SIGNAL_MARGIN samples on either side of it are held. */
void signal_quality_take(struct signal_quality *signal_quality, struct sample_history *history, uint64_t from);

/* Flags the spikes among the last samples of a stretch, [from, to), which fill no chunk, behind one that was taken in.
 * They tell nothing of noise and limits. SIGNAL_MARGIN samples on either side are held. */
void signal_quality_end_stretch(const struct signal_quality *signal_quality, struct sample_history *history,
                                uint64_t from, uint64_t to);

#endif
