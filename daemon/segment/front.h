/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_FRONT_H
#define FRICID_SEGMENT_FRONT_H

#include "segment/candidate.h"
#include "segment/noise_floor.h"
#include "segment/rails.h"
#include "segment/sample_history.h"

/* What is learnt of a channel from every sample, before anybody looks for motion: its noise and its steps, which
 * samples are spikes and which are clipped. */
struct front {
    struct noise_floor noise;
    struct rails rails;
    double resolution; /* ADC step or encoder count as configured, displacement unit; 0: not known */
    /* What follows from these. */
    struct channel_noise channel; /* as far as it is known */
    double hysteresis;            /* a reversal smaller than this is noise, displacement unit */
};

void front_init(struct front *front, double resolution);

/* The step of the signal from now on. */
void front_set_resolution(struct front *front, double resolution);

/* A new stretch: the limits may have changed, the noise is that of the channel. */
void front_restart(struct front *front);

/* Takes in the chunk that begins with sample `from` and flags samples in it, and clipped ones shortly before. Four
 * samples on either side of it are held. */
void front_take(struct front *front, struct sample_history *history, uint64_t from);

#endif
