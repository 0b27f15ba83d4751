/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_LAST_MOTION_H
#define FRICID_SEGMENT_LAST_MOTION_H

#include "segment/decay_law.h"
#include "segment/motion_walk.h"
#include "segment/sample_history.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So many half periods behind the end of a motion are looked at; one more is kept, for the fit may find that the end
 * is later. */
enum { ENDING_HALF_PERIODS_BEHIND = 2, LAST_AFTER = ENDING_HALF_PERIODS_BEHIND + 1 };
/* The motion is fitted to so many half cycles before its end. Each of these, and each half period behind it, has so
 * many means; one of few samples has up to twice as many. */
enum { LAST_HALF_CYCLES = DECAY_LAW_SWINGS, MEANS_A_HALF_PERIOD = 16 };
enum { LAST_MEANS = 2 * MEANS_A_HALF_PERIOD * (LAST_HALF_CYCLES + LAST_AFTER) };

/* Neighbouring samples in means. Times are half periods after the first extremum. */
struct last_means {
    double start, length; /* of the first half cycle, as far as is known; positions */
    size_t count;
    double at[LAST_MEANS];
    double value[LAST_MEANS]; /* displacement from that of the first sample */
    double averaging_gain;    /* the mean over a part of a half cycle is nearer to its middle than the motion, by this
                                 factor */
};

/* Samples from position `start` on that are not flagged, up to number `ready` or as many as there is room for. */
void last_means_take(const struct sample_history *history, double start, double length, uint64_t ready,
                     struct last_means *means);

/* The equations of a Gauss-Newton step, as sums over the means of a half cycle. */
struct half_cycle_sums {
    double normal[MOTION_PARAMETERS][MOTION_PARAMETERS], right[MOTION_PARAMETERS], squares, means;
};

/* One free motion with viscous and Coulomb damping (SHK 2007 Eqs. 2-4) on a sensor that drifts in a straight line. */
struct last_motion {
    double parameter[MOTION_PARAMETERS];
    double covariance[MOTION_PARAMETERS][MOTION_PARAMETERS]; /* for noise of 1 */
    double rms;                                              /* of the means about it */
    double worst_rms;                                        /* the same in the half cycle that it explains worst */
    size_t half_cycles;
    double averaging_gain; /* of the means */
    struct half_cycle_sums sums[LAST_HALF_CYCLES];
};

/* Fits the first half cycles, LAST_HALF_CYCLES at most, from the motion that *motion holds if it has half cycles. False
 * when the means do not determine one. */
bool last_motion_fit(const struct last_means *means, size_t half_cycles, struct last_motion *motion);

/* The time at which its half cycles end. */
static inline double last_motion_end(const struct last_motion *motion)
{
    return motion->parameter[MOTION_START] + (double)motion->half_cycles * motion->parameter[MOTION_LENGTH];
}

/* Means differ from a motion by this, displacement unit; expected: because that is uncertain. */
struct departure {
    double rms, expected;
    double worst_rms; /* rms of the half cycle that the motion explains worst */
    size_t means;
};

/* It tells how the last half cycle of a motion differs from what the ones before it predict; false when these do not
 * tell. Nothing is fitted anew: the sums of the whole motion lead to that of the half cycles before the last in one
 * step. */
bool last_motion_predict_last(const struct last_motion *motion, struct departure *departure);

/* Half cycles that it goes on for: in between by its law, until friction stops it. */
struct remaining_half_cycles {
    double least, most;
};

/* It tells how the means of its next half periods differ from it. */
struct departure last_motion_departure(const struct last_means *means, const struct last_motion *motion,
                                       const struct remaining_half_cycles *further, double half_periods);

/* Displacement from the centre at the extremum after so many more half cycles. */
double last_motion_extremum(const struct last_motion *motion, size_t more);

/* Variance of its displacement at its end, for noise of 1. */
double last_motion_end_variance(const struct last_motion *motion);

#endif
