/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tremor and hum of several frequencies beat: swings fall for a while, but not by the law of a decay, which is
 * D_(j+1) = q D_j - 2 (1 + q) x_k (LF 1998). Each half cycle by itself may look free. */

#include "segment/beats.h"

#include "segment/candidate_chain.h"
#include "segment/extremes.h"
#include "segment/tolerances.h"

#include <math.h>

/* Swings may rise on their way by at most this part of what they fall by in all: half way between a decay, which does
 * not rise, and a beat, which rises by as much as it falls. */
#define MOST_RISE_OF_FALL 0.5
/* In a decay whose swings seem to fall more and more at first, none is larger than one before it by more than this part
 * of the first: a second mode whose amplitude is half of this part of the first mode's lets two of them differ by as
 * much. */
#define MOST_RISE_OF_FIRST 0.05
/* Noise changes a swing by so many times what it changes an extremum: the uncertainty of means of swings follows from
 * that. */
enum { NOISES_OF_SWING = 2 };

static double rise_of(const double *swing, size_t first, size_t last)
{
    double smallest = swing[first], rise = 0;
    for (size_t j = first + 1; j < last; j++) {
        rise = larger(rise, swing[j] - smallest);
        smallest = smaller(smallest, swing[j]);
    }
    return rise;
}

/* Noise and drift of the electronics let the swings of a decay rise a little, by far less than they fall. */
bool swings_rise_and_fall(const struct candidate *candidate, size_t first, size_t last)
{
    const double *swing = candidate->swing;
    return rise_of(swing, first, last) > MOST_RISE_OF_FALL * (swing[first] - swing[last - 1]);
}

bool swings_beat(const struct candidate *candidate, size_t first, size_t last)
{
    const double *swing = candidate->swing;
    return !swings_level_off(candidate, first, first + (last - first) / 2) &&
           rise_of(swing, first, last) > MOST_RISE_OF_FIRST * swing[first];
}

static double mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* The means over their first and their last third are compared, in which noise averages out. */
bool swings_fall(const struct candidate *candidate, size_t first, size_t last)
{
    size_t third = (last - first) / 3 ? (last - first) / 3 : 1;
    double early = mean(candidate->swing + first, third), late = mean(candidate->swing + last - third, third);
    double uncertainty = NOISES_OF_SWING * candidate->noise * sqrt(2.0 / (double)third);
    return early - late > uncertainty && late < (1 - LEAST_FALL_OF_SWING) * early;
}

bool swings_level_off(const struct candidate *candidate, size_t first, size_t last)
{
    size_t swings = last - first, third = swings / 3;
    if (third < 2)
        return true;
    size_t centred = third + (swings - third) % 2;
    double early = mean(candidate->swing + first, third);
    double middle = mean(candidate->swing + first + (swings - centred) / 2, centred);
    double late = mean(candidate->swing + last - third, third);
    return middle < (early + late) / 2 * (1 + HUM_SPAN) + NOISES_OF_SWING * candidate->noise;
}

static double largest_residual(const struct candidate *candidate, size_t first, size_t last)
{
    double largest = 0;
    for (size_t j = first; j < last; j++)
        largest = larger(candidate->residual[j], largest);
    return largest;
}

bool swings_fall_cleanly(const struct candidate *candidate, size_t first, size_t last)
{
    const double *swing = candidate->swing;
    double closely = candidate_residual_by(candidate->noise_least, candidate->step), first_swing = swing[first];
    /* Noise and steps may leave more than hum; of a noisy swing a tremor is not told before half of it has gone. */
    if (swing[last - 1] > HALF_OF_FIRST * first_swing)
        closely = smaller(closely, DEPARTURE_OF_SWING * first_swing);
    double allowed = larger(CLEAN_MISFIT_OF_SWING * first_swing, closely);
    return largest_residual(candidate, first, last) <= allowed &&
           first_swing - swing[last - 1] > HUM_OF_TWO_SWINGS * first_swing;
}
