/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/ringing_spectrum.h"

#include <errno.h>
#include <gsl/gsl_fft_real.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* b times the duration of the window: at its end little is left of it, and over its last quarter that is faded out. */
#define WINDOW_FALL 12.0
#define FADING 0.25
/* Surroundings reach so far, of the frequency, and over so many places at least: far beyond the skirts of a mode with a
 * damping of 4 %, as a joint that slips as a whole has. */
#define SURROUNDINGS 0.6
enum { LEAST_SURROUNDINGS = 40 };

/* t: 0 to 1. */
static double window_at(double t)
{
    const double fading = t > 1 - FADING ? cos(M_PI / 2 * (t - 1 + FADING) / FADING) : 1;
    return t * t * t * exp(-WINDOW_FALL * t) * fading * fading;
}

/* The transform of the windowed samples less their mean. room: length. */
static void transform(const double *samples, size_t count, size_t length, double *room)
{
    double mean = 0, weights = 0;
    memset(room, 0, length * sizeof *room);
    for (size_t i = 0; i < count; i++) {
        const double window = window_at((double)i / (double)count);
        room[i] = window;
        mean += window * samples[i];
        weights += window;
    }
    for (size_t i = 0; i < count; i++)
        room[i] *= samples[i] - mean / weights;
    gsl_fft_real_radix2_transform(room, 1, length);
}

static double power_at(const double *room, size_t length, size_t place)
{
    return room[place] * room[place] + room[length - place] * room[length - place];
}

/* Sensors of no noise count as they are. */
static void add_sensor(const double *room, size_t length, double *noise, struct ringing_spectrum *spectrum)
{
    for (size_t k = 1; k < spectrum->places && !(*noise > 0); k++)
        spectrum->room[k] = power_at(room, length, k);
    if (!(*noise > 0))
        *noise = gsl_stats_median(spectrum->room + 1, 1, spectrum->places - 1);
    const double over = *noise > 0 ? *noise : 1;
    for (size_t k = 1; k < spectrum->places; k++)
        spectrum->power[k] += power_at(room, length, k) / over;
}

int ringing_spectrum_make(const double *const *samples, size_t sensors, size_t first, size_t count, double rate_hz,
                          double *noise, struct ringing_spectrum *spectrum)
{
    size_t length = 4;
    while (length < count)
        length *= 2;
    *spectrum = (struct ringing_spectrum){.places = length / 2, .step_hz = rate_hz / (double)length};
    spectrum->power = calloc(length, sizeof *spectrum->power);
    double *room = calloc(length, sizeof *room);
    if (spectrum->power && room) {
        spectrum->room = spectrum->power + spectrum->places;
        for (size_t m = 0; m < sensors; m++) {
            transform(samples[m] + first, count, length, room);
            add_sensor(room, length, &noise[m], spectrum);
        }
    }
    free(room);
    return spectrum->room ? 0 : -ENOMEM;
}

void ringing_spectrum_clear(struct ringing_spectrum *spectrum)
{
    free(spectrum->power);
    *spectrum = (struct ringing_spectrum){0};
}

double ringing_spectrum_skirt(double off_hz, double duration_s)
{
    return pow(1 + pow(2 * M_PI * off_hz * duration_s / WINDOW_FALL, 2), -2);
}

double ringing_spectrum_around(const struct ringing_spectrum *spectrum, size_t place)
{
    const size_t wide = (size_t)(SURROUNDINGS * (double)place);
    const size_t reach = wide > LEAST_SURROUNDINGS ? wide : LEAST_SURROUNDINGS;
    const size_t from = place > reach ? place - reach : 1;
    const size_t to = place + reach < spectrum->places ? place + reach : spectrum->places;
    memcpy(spectrum->room, spectrum->power + from, (to - from) * sizeof *spectrum->room);
    return gsl_stats_median(spectrum->room, 1, to - from);
}

double ringing_spectrum_peak_hz(const struct ringing_spectrum *spectrum, size_t place)
{
    const double left = log(spectrum->power[place - 1]), top = log(spectrum->power[place]);
    const double right = log(spectrum->power[place + 1]), bend = left - 2 * top + right;
    return spectrum->step_hz * ((double)place + (bend < 0 ? 0.5 * (left - right) / bend : 0));
}
