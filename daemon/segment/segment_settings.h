/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SEGMENT_SETTINGS_H
#define FRICID_SEGMENT_SEGMENT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

/* Decays of one channel are cut out of its stream by these settings. 0 or NAN where noted: no limit. */
struct segment_settings {
    double start_below;       /* use extrema whose amplitude is below this, displacement unit; NAN: all */
    double stop_below;        /* end the record below this amplitude, displacement unit; NAN: at rest or noise */
    size_t min_half_cycles;   /* shorter decays are dropped: too_short */
    double pretrigger_cycles; /* samples kept from before the record */
    double max_duration_s;    /* a longer decay ends with max_length, s; bounds the memory of a channel */
    size_t max_samples;       /* the same in samples */
    double resolution;        /* ADC step or encoder count, displacement unit; 0: not known */
    bool stamps_tell_holes;   /* a time stamp that comes far too late means missing samples */
};

/* The settings of a user who configured nothing. */
struct segment_settings segment_default_settings(void);

/* Decays are used between these amplitudes; 0: what is set holds. False: nothing is left between the two. */
#define SEGMENT_NOTHING_LEFT                                                                                           \
    "nothing is left between the amplitudes: where only one of them is given, start_below or stop_below of the "       \
    "configuration is the other"
bool segment_settings_limit(struct segment_settings *settings, double most, double least);

#endif
