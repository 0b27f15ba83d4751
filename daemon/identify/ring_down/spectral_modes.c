/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/spectral_modes.h"

#include <errno.h>
#include <gsl/gsl_fft_real.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Above the median of its surroundings, noise is so high once in 2^25 places. */
#define LEAST_HEIGHT 25.0
/* Modes are so far apart at least, of their frequency: a joint's softening smears one over less. */
#define LEAST_GAP 0.03
/* Surroundings reach so far, of the frequency, and over so many places at least: far beyond the skirts of a mode with a
 * damping of 4 %, as a joint that slips as a whole has. */
#define SURROUNDINGS 0.6
enum { LEAST_SURROUNDINGS = 40 };
/* An odd harmonic is so near to the multiple, and so much weaker in power, at least. */
#define HARMONIC_NEAR 0.005
#define HARMONIC_WEAKER 1e4
/* A band ends before the next mode. It is no wider, for what a wider one holds besides the mode would be counted as
 * what its model leaves; nor narrower, for its filter hides five cycles over this share, half of them at the beginning.
 */
#define BAND_SHARE 0.25
#define BAND_TO_NEXT 0.9
/* In a short record a band is wider, this over the record's duration, but not beyond 0 Hz: the filter then leaves some
 * twenty samples of the band, which a decay needs. */
#define SHORTEST 24.0

/* Power by frequency, of a record and of its halves. */
struct spectrum {
    size_t places;
    double step_hz, *power, *room;
};

/* The first motion counts most: the window falls from 1 to 0. */
static int spectrum_of(const double *samples, size_t count, double rate_hz, size_t length, struct spectrum *spectrum)
{
    *spectrum = (struct spectrum){.places = length / 2, .step_hz = rate_hz / (double)length};
    double mean = 0, weights = 0;
    spectrum->room = calloc(length + length / 2, sizeof *spectrum->room);
    if (!spectrum->room)
        return -ENOMEM;
    spectrum->power = spectrum->room + length;
    for (size_t i = 0; i < count; i++) {
        const double fall = cos(M_PI * (double)i / (2 * (double)count)), window = fall * fall;
        spectrum->room[i] = window * samples[i];
        mean += spectrum->room[i];
        weights += window;
    }
    for (size_t i = 0; i < count; i++)
        spectrum->room[i] -= mean / weights * pow(cos(M_PI * (double)i / (2 * (double)count)), 2);
    gsl_fft_real_radix2_transform(spectrum->room, 1, length);
    for (size_t k = 1; k < spectrum->places; k++)
        spectrum->power[k] = pow(spectrum->room[k], 2) + pow(spectrum->room[length - k], 2);
    return 0;
}

static int ascending(const void *first, const void *second)
{
    const double a = *(const double *)first, b = *(const double *)second;
    return (a > b) - (a < b);
}

/* The median of all. The spectrum's room is free by now. */
static double middle_of(const struct spectrum *spectrum)
{
    memcpy(spectrum->room, spectrum->power + 1, (spectrum->places - 1) * sizeof *spectrum->room);
    qsort(spectrum->room, spectrum->places - 1, sizeof *spectrum->room, ascending);
    return spectrum->room[(spectrum->places - 1) / 2];
}

/* The median around a place. The spectrum's room is free by now. */
static double middle_around(const struct spectrum *spectrum, size_t place)
{
    const size_t wide = (size_t)(SURROUNDINGS * (double)place);
    const size_t reach = wide > LEAST_SURROUNDINGS ? wide : LEAST_SURROUNDINGS;
    const size_t from = place > reach ? place - reach : 1;
    const size_t to = place + reach < spectrum->places ? place + reach : spectrum->places;
    memcpy(spectrum->room, spectrum->power + from, (to - from) * sizeof *spectrum->room);
    qsort(spectrum->room, to - from, sizeof *spectrum->room, ascending);
    return spectrum->room[(to - from) / 2];
}

/* No place as near as a mode could be is higher. */
static bool is_highest_near(const struct spectrum *spectrum, size_t place)
{
    const size_t reach = (size_t)ceil(LEAST_GAP * (double)place) + 2;
    const size_t from = place > reach ? place - reach : 1;
    for (size_t k = from; k < place + reach && k < spectrum->places; k++)
        if (spectrum->power[k] > spectrum->power[place])
            return false;
    return true;
}

/* Power near a place, which a shorter record smears. */
static double power_near(const struct spectrum *spectrum, size_t place)
{
    double sum = 0;
    for (size_t k = place > 4 ? place - 4 : 1; k < place + 4 && k < spectrum->places; k++)
        sum += spectrum->power[k];
    return sum;
}

/* Between places, by a parabola through the logarithms. */
static double frequency_at(const struct spectrum *spectrum, size_t place)
{
    const double left = log(spectrum->power[place - 1]), top = log(spectrum->power[place]);
    const double right = log(spectrum->power[place + 1]), bend = left - 2 * top + right;
    return spectrum->step_hz * ((double)place + (bend < 0 ? 0.5 * (left - right) / bend : 0));
}

static bool is_harmonic(const struct spectrum *spectrum, size_t place)
{
    for (size_t multiple = 3; multiple <= 7; multiple += 2) {
        const double base = (double)place / (double)multiple, near = HARMONIC_NEAR * base + 1;
        for (size_t k = (size_t)fmax(base - near, 1); (double)k <= base + near; k++)
            if (spectrum->power[k] > HARMONIC_WEAKER * spectrum->power[place])
                return true;
    }
    return false;
}

static int by_height(const void *first, const void *second)
{
    const double a = ((const struct spectral_mode *)first)->height, b = ((const struct spectral_mode *)second)->height;
    return (a < b) - (a > b);
}

static int by_frequency(const void *first, const void *second)
{
    const double a = ((const struct spectral_mode *)first)->f_hz, b = ((const struct spectral_mode *)second)->f_hz;
    return (a > b) - (a < b);
}

/* Among the highest so far. */
static size_t keep(struct spectral_mode *modes, size_t found, size_t most, const struct spectral_mode *mode)
{
    if (found < most)
        modes[found++] = *mode;
    else if (mode->height > modes[most - 1].height)
        modes[most - 1] = *mode;
    qsort(modes, found, sizeof *modes, by_height);
    return found;
}

double spectral_band(double f_hz, double to_next_hz, double duration_s)
{
    const double wide = fmin(fmax(BAND_SHARE * f_hz, SHORTEST / duration_s), f_hz);
    return fmin(wide, BAND_TO_NEXT * to_next_hz);
}

static void set_bands(double duration_s, struct spectral_mode *modes, size_t found)
{
    qsort(modes, found, sizeof *modes, by_frequency);
    for (size_t r = 0; r < found; r++) {
        const double below = r > 0 ? modes[r].f_hz - modes[r - 1].f_hz : INFINITY;
        const double above = r + 1 < found ? modes[r + 1].f_hz - modes[r].f_hz : INFINITY;
        modes[r].stop_hz = spectral_band(modes[r].f_hz, fmin(below, above), duration_s);
    }
}

static size_t pick(const struct spectrum *whole, const struct spectrum *first, const struct spectrum *second,
                   double least_fall, struct spectral_mode *modes, size_t most)
{
    size_t found = 0;
    for (size_t k = 2; k + 1 < whole->places; k++) {
        if (!(whole->power[k] > whole->power[k - 1] && whole->power[k] >= whole->power[k + 1]))
            continue;
        if (!is_highest_near(whole, k) || is_harmonic(whole, k) ||
            !(power_near(first, k) > least_fall * power_near(second, k)))
            continue;
        const struct spectral_mode mode = {frequency_at(whole, k), 0, whole->power[k] / middle_around(whole, k)};
        if (mode.height > LEAST_HEIGHT)
            found = keep(modes, found, most, &mode);
    }
    return found;
}

/* Adds a sensor's power over the middle of its spectrum, which is mostly noise. noise: that middle; 0: not
 * known yet. */
static int add_sensor(const double *samples, size_t count, double rate_hz, size_t length, struct spectrum *sum,
                      double *noise)
{
    struct spectrum own;
    const int error = spectrum_of(samples, count, rate_hz, length, &own);
    if (error)
        return error;
    if (!(*noise > 0))
        *noise = middle_of(&own);
    for (size_t k = 1; k < own.places; k++)
        sum->power[k] += *noise > 0 ? own.power[k] / *noise : own.power[k];
    free(own.room);
    return 0;
}

static int make_empty(size_t length, double rate_hz, struct spectrum *spectrum)
{
    *spectrum = (struct spectrum){.places = length / 2, .step_hz = rate_hz / (double)length};
    spectrum->room = calloc(length + length / 2, sizeof *spectrum->room);
    spectrum->power = spectrum->room ? spectrum->room + length : NULL;
    return spectrum->room ? 0 : -ENOMEM;
}

int spectral_modes_of(const double *const *samples, size_t sensors, size_t count, double rate_hz, double least_fall,
                      struct spectral_mode *modes, size_t most)
{
    struct spectrum whole = {0}, first = {0}, second = {0};
    size_t length = 64;
    if (count < 64)
        return 0;
    while (length < count)
        length *= 2;
    int result = make_empty(length, rate_hz, &whole);
    if (result == 0)
        result = make_empty(length, rate_hz, &first);
    if (result == 0)
        result = make_empty(length, rate_hz, &second);
    for (size_t m = 0; m < sensors && result == 0; m++) {
        double noise = 0;
        result = add_sensor(samples[m], count, rate_hz, length, &whole, &noise);
        if (result == 0)
            result = add_sensor(samples[m], count / 2, rate_hz, length, &first, &noise);
        if (result == 0)
            result = add_sensor(samples[m] + count / 2, count / 2, rate_hz, length, &second, &noise);
    }
    if (result == 0) {
        const size_t found = pick(&whole, &first, &second, least_fall, modes, most);
        set_bands((double)count / rate_hz, modes, found);
        result = (int)found;
    }
    free(whole.room);
    free(first.room);
    free(second.room);
    return result;
}
