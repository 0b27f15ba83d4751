/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RINGING_SPECTRUM_H
#define FRICID_IDENTIFY_RINGING_SPECTRUM_H

#include <stddef.h>

/* Power by frequency of what rings, of all sensors together, each over its noise. The window is t^3 exp(-bt), through
 * which an exponential decay has one peak, 3!/(alpha + b + i delta)^4, and skirts that fall from it without a lobe: so
 * a mode stands out beside another one that is far stronger. */
struct ringing_spectrum {
    size_t places;          /* from 0 Hz to half the sampling rate */
    double step_hz, *power; /* owned */
    double *room;           /* owned: as many places */
};

/* Half the width of a mode's peak at half its power, where it hardly decays within the window, times its duration. */
#define RINGING_HALF_WIDTH 0.83

/* Above the median of its surroundings, noise is so high once in 2^25 places. */
#define RINGING_LEAST_HEIGHT 25.0

/* `count` samples of each sensor, from the first on, padded to `length`, a power of 2. noise: the middle of
 * each sensor's spectrum for as many samples, which is mostly noise; 0: not known yet, and then filled in. 0, -ENOMEM.
 */
int ringing_spectrum_make(const double *const *samples, size_t sensors, size_t first, size_t count, double rate_hz,
                          double *noise, struct ringing_spectrum *spectrum);
void ringing_spectrum_clear(struct ringing_spectrum *spectrum); /* one that is all 0, too */

/* What a steady motion shows so far beside its frequency through a window that long, over what it shows there: an
 * amplitude. */
double ringing_spectrum_skirt(double off_hz, double duration_s);

/* The median around a place: what is high in few places around it does not count. */
double ringing_spectrum_around(const struct ringing_spectrum *spectrum, size_t place);

/* The frequency of the peak at a place, between places. */
double ringing_spectrum_peak_hz(const struct ringing_spectrum *spectrum, size_t place);

#endif
