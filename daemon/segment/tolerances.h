/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_TOLERANCES_H
#define FRICID_SEGMENT_TOLERANCES_H

#include <math.h>

/* This file says what noise, the steps of the sensor and hum may do to a free motion, and how strongly that may be
 * damped. Every limit that stands for one of these is here, and so is one that more than one question is judged by. */

/* --- noise --- */

/* Noise of a normal distribution is further off than this once in 1.7 million values: a decay has a hundred. */
#define CERTAIN_DEVIATIONS 5
/* What has smaller odds than exp of minus this is no chance: they come up once in a thousand million runs of samples,
 * of which a day has as many. */
#define CERTAIN_LOG_ODDS 21.0
/* The residual of five bins, the fewest, has two degrees of freedom: exp(-3^2), once in 8,000 half cycles, it is this
 * many times the deviation of a bin. Where it is asked by what the noise floor makes of that at least, which is four
 * fifths of it, one half cycle in 300 has more; likewise with bends. */
#define RESIDUAL_DEVIATIONS 3
/* Noise may bend three swings of 32 bins each by this many deviations of a bin: sqrt(1 + 4 + 1) 2 sqrt(2) / sqrt(32)
 * times CERTAIN_DEVIATIONS. */
#define BEND_DEVIATIONS 6
/* Two fits, both of which hold, leave rms values whose ratio differs from 1 by 1 / sqrt(n) by chance, where each sees n
 * means: by 0.14 for the bins of a half cycle, and by 0.06 to 0.1 for those of a short decay, less where both see the
 * same samples. One that leaves less by more than this ratio is better. */
#define BETTER_FIT_RATIO 1.2
/* What a fit leaves tells how well it holds where it has so many means more than unknowns: the rms is known to a third
 * then, 1 / sqrt(2 * 4). */
enum { SPARE_MEANS = 4 };
/* A reversal of less than this many standard deviations is noise: the largest and the smallest of a thousand samples
 * are as far apart. */
#define HYSTERESIS_DEVIATIONS 6
/* A spike stands out by this much. It leaves six times itself in the fourth difference, in which noise has sqrt(70)
 * deviations: these are eight of those, which a day of noise does not reach. */
#define SPIKE_DEVIATIONS 11
/* The difference of two samples, whose deviation is sqrt(2) of theirs, exceeds so many of theirs by chance once in 65
 * million pairs: what is larger is speed. */
enum { SPEED_DEVIATIONS = 8 };
/* Values are not told apart below so many times the rounding of their arithmetic. */
#define ROUNDING_EPSILONS 64

/* --- steps --- */

/* The lines of an encoder are uneven: a step may be a fifth wider than the mean one. A swing, the difference between
 * two levels, is off by up to such a step. */
#define STEPS_OF_SWING 1.2
/* A level, or the rms of some, is off by up to half of it. */
#define STEPS_OF_RESIDUAL (STEPS_OF_SWING / 2)
/* Rounding moves samples by this part of a step, rms, for the true value may be anywhere within the step. */
#define STEPS_OF_ROUNDING (1 / sqrt(12))
/* A single step of an uneven encoder, of all that it has, may be this many mean ones wide. A larger difference is more
 * than one step, and a smaller reversal is noise: a signal between two steps goes to and fro by one. */
#define WIDEST_STEP 1.5
/* A spike stands out by more than so many steps. */
#define SPIKE_STEPS 3
/* Two samples, each of which may be off by one step, differ by no more than so many where the signal does not move. */
enum { SPEED_STEPS = 2 };
/* Noise of less than this part of a step cannot be measured through the steps, most of which it does not cross. */
#define UNSEEN_NOISE_STEPS 0.15
/* Noise of more than this part of a step lets neighbouring samples differ. */
#define CROSSING_NOISE_STEPS 0.6
/* A residual of less than this part of a swing tells nothing: a swing of a thousand steps has as much by rounding. */
#define LEAST_MISFIT_OF_SWING 0.0003

/* --- hum --- */

/* Hum and slow ripple on the motion are borne up to this amplitude, of X_0. All that is judged by it follows from here;
 * the first swing of a decay is twice X_0. */
#define HUM_OF_X0 0.01
/* As parts of the first swing these are the amplitude of such hum, its span from peak to peak, and that span with a
 * fifth more for noise. */
#define HUM_OF_SWING (HUM_OF_X0 / 2)
#define HUM_SPAN HUM_OF_X0
#define HUM_SPAN_AT_MOST (1.2 * HUM_SPAN)
/* Three swings bend by HUM_SPAN_AT_MOST of one where no blow was: hum, which moves four extrema, bends them by 0.6 of
 * that, rms. Where none is allowed 19 of 4452 decays are found twice and 26 are cut short; with 0.02 a rig that is
 * shaken is not found to be let go in 6 of 9 streams. */

/* Hum moves both ends of a swing, and both ends of that with which it is compared. */
#define HUM_OF_TWO_SWINGS (2 * HUM_SPAN)
/* Swings that lose less in all than hum at its most may take from one of them do not fall. */
#define LEAST_FALL_OF_SWING HUM_SPAN
/* A mass at rest departs from a fitted end by this part of the first swing: slow hum and drift, which a free motion
 * takes up in its parameters, show again behind it with the amplitude of such hum. */
#define SLOW_HUM_OF_FIRST (HUM_SPAN_AT_MOST / 2)
/* The half period in which friction holds the mass leaves at most this part of the last swing, rms: that is hum, and
 * the last swing is smaller than the first one, of which hum is told. */
#define STICTION_RESIDUAL_OF_SWING (1.5 * HUM_OF_SWING)
/* A reversal that comes soon after the extreme counts from this part of the swing on: hum and tremor turn back by less.
 */
#define EARLY_REVERSAL_OF_SWING 0.25
/* A fit of a clean free motion leaves at most this part of a swing, rms: hum at its most leaves 0.0035 of the first
 * one. */
#define CLEAN_MISFIT_OF_SWING 0.004
/* A fit may leave this part of a swing, rms, where more than hum is in the motion: a release that has just passed, or
 * an envelope that changes quickly. A modulation of the fourth degree leaves this much of the fastest beats of which
 * three falling half cycles are to be seen. */
#define LOOSE_MISFIT_OF_SWING (5 * CLEAN_MISFIT_OF_SWING)
/* What the law of the swings leaves out of a free half cycle is at most this part of its swing: twice as much, for play
 * and a slow drift add up with the hum. */
#define DEPARTURE_OF_SWING (2 * CLEAN_MISFIT_OF_SWING)

/* --- swings --- */

/* A swing of less than this part of the first one is changed by hum at its most by a twelfth: little is known from it,
 * and the motion has all but gone. */
#define FADED_SWING_OF_FIRST 0.12
/* What has lost half of its first swing is a decay, unless it beats strongly. */
#define HALF_OF_FIRST 0.5
/* A motion that turns back by this part of a swing has turned. Hum spans a thirtieth of that; what noise spans is asked
 * for beside it, or averaged away. Of a free half cycle whose length is off by MOST_SHIFT_AT_FIRST the next one has
 * come back by a fifth of its swing. */
#define REVERSAL_OF_SWING 0.35

/* --- damping --- */

/* No fit looks for a stronger damping, which leaves less than a third of a swing for the next one: there are no three
 * half cycles to be judged. */
#define MOST_BETA 0.35
/* Friction that holds the mass at the end of a swing may be twice what it was in motion. So a swing of less than this
 * part of the one that was to come is none; even MOST_BETA leaves 0.33. */
#define STICTION_SWING_RATIO 0.35
/* A damping that leaves half of a swing for the next one: few rigs have more, and the shape changes little. */
#define HALVING_BETA (M_LN2 / M_PI)
/* Dampings that are tried lie so far apart: the shape of a half cycle, which is off by 0.0185 of the difference,
 * changes by less than hum does. */
#define BETA_GRID 0.04
/* A light damping as first guess: the shape hardly depends on it. */
#define FIRST_BETA 0.03

/* --- times --- */

/* Times are relative to the half period. An extremum by itself, the vertex of a parabola in noise, is known to this. */
#define EXTREMUM_UNCERTAINTY 0.06
/* A free motion is within 0.6 % of its swing from the extremum by then. */
#define NEAR_EXTREMUM 0.05
/* A shift by half of a half period may as well be one the other way: up to this it is unambiguous. */
#define UNAMBIGUOUS_SHIFT 0.45
/* The moment of a stop is not known better than this. */
#define STOP_UNCERTAINTY 0.1

#endif
