/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/copied_sensor.h"

#include "identify/ring_down/ringing_spectrum.h"

#include <errno.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* Noise of a sensor that is not the other's own stays, whatever is taken away: of two sensors all of it and more. A
 * power of a tenth is left where 95 % of the noise is common to both. */
#define OWN_NOISE 0.1
/* Noise is told block by block, for a blow is as wide a spectrum as noise, and both sensors see it; and by so many
 * samples at the most. */
enum { BLOCK = 512, MOST_SAMPLES = 65536 };

/* The middle of a spectrum, which is mostly noise where there is no blow; seen: it is more than the skirts of what
 * rings a sixteenth of the rate away, which are all that a record has that was calculated without noise. */
static int noise_of(const double *samples, double *noise, bool *seen)
{
    struct ringing_spectrum spectrum;
    *noise = 0;
    const int error = ringing_spectrum_make(&samples, 1, 0, BLOCK, 1, noise, &spectrum);
    *seen = error == 0 && *noise > 0 &&
            gsl_stats_max(spectrum.power, 1, spectrum.places) * pow(ringing_spectrum_skirt(0.0625, BLOCK), 2) < 1;
    ringing_spectrum_clear(&spectrum);
    return error;
}

/* By the block of the least noise: how much of that is in the rest. 1: no noise is seen there. */
static int own_share(const double *samples, const double *rest, size_t count, double *share)
{
    double least = INFINITY;
    bool seen, rest_seen;
    int error = 0;
    *share = 1;
    for (size_t from = 0; from + BLOCK <= count && error == 0; from += BLOCK) {
        double noise, left = 0;
        error = noise_of(samples + from, &noise, &seen);
        if (error == 0 && noise > 0 && noise < least) {
            error = noise_of(rest + from, &left, &rest_seen);
            least = noise;
            *share = seen ? left / noise : 1;
        }
    }
    return error;
}

int copied_sensor(const double *one, const double *other, size_t count, bool *is)
{
    const size_t used = count < MOST_SAMPLES ? count : MOST_SAMPLES;
    double zero, scale, covariance[3], squares, share = 1;
    *is = false;
    if (used < BLOCK || !(pow(gsl_stats_correlation(one, 1, other, 1, used), 2) > 1 - OWN_NOISE))
        return 0;
    gsl_fit_linear(one, 1, other, 1, used, &zero, &scale, &covariance[0], &covariance[1], &covariance[2], &squares);
    double *rest = calloc(used, sizeof *rest);
    if (!rest)
        return -ENOMEM;
    for (size_t i = 0; i < used; i++)
        rest[i] = other[i] - zero - scale * one[i];
    const int error = own_share(other, rest, used, &share);
    *is = error == 0 && share < OWN_NOISE;
    free(rest);
    return error;
}
