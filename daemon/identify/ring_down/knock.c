/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Through a window of a mode's band the motion before its middle and that behind it are smooth, and so is their
 * continuation across: an exponential follows it whose rates change by polynomials over time. Where a step in the
 * middle explains what they leave beyond chance, and better than further polynomials do, which have more coefficients
 * than it, the motion changed at once. The step is as the band's filter smears it: a single
 * wrong sample, whose trace is as the filter itself, is no knock. */

#include "identify/ring_down/knock.h"

#include "identify/ring_down/baseband.h"
#include "identify/ring_down/knock_window.h"
#include "identify/ring_down/spectral_band.h"
#include "identify/ring_down/stretch.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Windows of so many samples of the band and more, each half as long again as the one before; and in each length so
 * many places of the middle. */
enum { LEAST_WINDOW = 24, PLACES = 16, MOST_LENGTHS = 64 };
/* White noise makes a step stand out so in one place of 1e9, of which a record has 1e4 at the most; the rest is for
 * what is no white noise, as hum inside of the band. */
#define CHANCE 1e-9
/* Of what a step leaves the four further polynomials explain so much by chance in one window of a thousand. */
#define CHANCE_BEYOND 1e-3
#define FURTHER 4.0
/* What is left is noise, not a motion that is too fast for the polynomials, where it is half as rough as white noise.
 */
#define LEAST_ROUGH 0.5
/* What is left of a motion below this share of its largest amplitude says next to nothing about it: by amplitudes
 * squared a ten thousandth. */
#define LEAST_LEFT 0.01
/* So far above what is left it is a motion, not noise. */
#define STANDS_OUT 3.0
/* What is as near to a mode's frequency beats with it, which is smooth. */
#define BEATS 0.1
/* A motion of less than so many steps of a converter shows as these steps, not as itself. */
#define LEAST_STEPS 5
/* No recorder tells less of its largest sample: what rounding to 24 bits leaves. */
#define FINEST 3e-8

/* A mode's band as all sensors see it. */
struct band {
    struct baseband_filter filter;
    size_t sensors, count;
    double complex *values; /* owned: of one sensor after the other */
    double largest;         /* amplitude of all sensors together */
    const double *step;     /* of each sensor's converter */
    double white;           /* of samples that are independent of each other, over all */
};

/* A step in the middle of a window, by samples of the band. */
struct step {
    double likelihood; /* logarithm of what a step makes likelier */
    size_t first, length, until;
};

/* So near to a step samples of the band see both sides of it. */
static size_t smeared_by(const struct band *band)
{
    return band->filter.taps / 2 / band->filter.step + 1;
}

static double amplitude_at(const struct band *band, size_t k)
{
    double squares = 0;
    for (size_t m = 0; m < band->sensors; m++)
        squares += pow(cabs(band->values[m * band->count + k]), 2);
    return sqrt(squares);
}

static int band_of(const double *const *samples, size_t sensors, size_t count, double rate_hz, double f_hz,
                   double reach_hz, struct band *band)
{
    *band = (struct band){.sensors = sensors};
    const int error = baseband_filter_create(rate_hz, f_hz, reach_hz, &band->filter);
    if (error)
        return error == -EDOM ? 0 : error; /* sampling does not hold that band */
    band->count = baseband_count(&band->filter, count);
    band->white = fmin(band->filter.variance / band->filter.density, 1);
    band->values = calloc(sensors * band->count + 1, sizeof *band->values);
    if (!band->values)
        return -ENOMEM;
    for (size_t m = 0; m < sensors; m++)
        baseband_of(&band->filter, rate_hz, samples[m], count, band->values + m * band->count);
    for (size_t k = 0; k < band->count; k++)
        band->largest = fmax(band->largest, amplitude_at(band, k));
    return 0;
}

/* What is said of a window, of all sensors together. */
struct comparison {
    struct knock_likelihoods all; /* rough: the least of the sensors */
    double noise;                 /* amplitude of what is left in the end */
};

/* The amplitude that a sensor sees at the end of the window. */
static double amplitude_behind(const struct band *band, const struct knock_window *window, size_t first, size_t sensor)
{
    const size_t end = sensor * band->count + first + window->length, part = window->length / 3;
    double squares = 0;
    for (size_t i = end - part; i < end; i++)
        squares += pow(cabs(band->values[i]), 2);
    return sqrt(squares / (double)part);
}

/* The amplitude of what neither a recorder nor a converter of such a step tells of a motion: rounding comes and goes by
 * leaps, and is no knock. */
static double untold(const struct band *band, double step, double amplitude)
{
    return fmax(FINEST * band->largest, stretch_rounding(step, amplitude));
}

static struct comparison compare(const struct band *band, const struct knock_window *window, size_t first)
{
    struct comparison found = {.all = {.rough = INFINITY}};
    for (size_t m = 0; m < band->sensors; m++) {
        struct knock_likelihoods one;
        const double step = band->step[m], behind = amplitude_behind(band, window, first, m);
        if (!(behind > LEAST_STEPS * step))
            continue;
        knock_window_look(window, band->values + m * band->count + first, band->white,
                          pow(untold(band, step, behind), 2), &one);
        for (size_t k = 0; k < KNOCK_ORDERS; k++) {
            found.all.step[k] += one.step[k];
            found.all.beyond[k] += one.beyond[k];
            found.all.smooth[k] += one.smooth[k];
        }
        found.all.rough = fmin(found.all.rough, one.rough);
        found.all.left += one.left;
    }
    found.noise = sqrt(found.all.left / (double)window->length);
    return found;
}

/* The lowest order of the polynomials beside which, and a step, further ones explain no more than chance; KNOCK_ORDERS:
 * there is none. */
static size_t order_of(const struct band *band, const struct comparison *found)
{
    const double most = gsl_cdf_gamma_Qinv(CHANCE_BEYOND, FURTHER * (double)band->sensors, 1);
    size_t k = 0;
    while (k < KNOCK_ORDERS && !(found->all.beyond[k] < most))
        k++;
    return k;
}

/* The amplitude just before the middle. */
static double amplitude_before(const struct band *band, const struct knock_window *window, size_t first)
{
    double squares = 0;
    const size_t half = window->length / 2, part = half / 3;
    for (size_t i = half - part; i < half; i++)
        squares += pow(amplitude_at(band, first + i), 2);
    return sqrt(squares / (double)part);
}

/* The places of one band that were looked at. */
struct places {
    struct step *step; /* owned: of each */
    size_t count;
    struct step best; /* that stands out most */
};

/* The order that a step stands out of most. */
static size_t most_of(const struct comparison *found)
{
    size_t most = 0;
    for (size_t k = 1; k < KNOCK_ORDERS; k++)
        most = found->all.step[k] > found->all.step[most] ? k : most;
    return most;
}

/* From a place near a step to the step, where it stands out most of the polynomials of one order. */
static size_t climb(const struct band *band, const struct knock_window *window, size_t first, size_t stride,
                    struct comparison *found)
{
    const size_t k = most_of(found), last = band->count - window->length;
    for (size_t by = (stride + 1) / 2; by > 0; by /= 2) {
        const size_t beside[2] = {first > by ? first - by : 0, first + by < last ? first + by : last};
        for (int side = 0; side < 2; side++) {
            const struct comparison there = compare(band, window, beside[side]);
            if (!(there.all.step[k] > found->all.step[k]))
                continue;
            first = beside[side];
            *found = there;
        }
    }
    return first;
}

/* Takes a step for the best where it is. */
static void take(const struct band *band, const struct knock_window *window, size_t first,
                 const struct comparison *found, struct places *places)
{
    const size_t order = order_of(band, found);
    if (!(order < KNOCK_ORDERS && found->all.step[order] > places->best.likelihood &&
          found->all.step[order] > found->all.smooth[order] && found->all.rough > LEAST_ROUGH * band->white &&
          amplitude_before(band, window, first) > STANDS_OUT * found->noise))
        return;
    /* Where a step is that hardly stands out is known to what the filter smears. */
    const size_t middle = first + window->length / 2, unsure = 2 * smeared_by(band);
    const size_t free_of_it = middle > unsure ? middle - unsure : 0;
    places->best = (struct step){found->all.step[order], first, window->length,
                                 free_of_it * band->filter.step + band->filter.taps};
}

static void look_through(const struct band *band, const struct knock_window *window, struct places *places)
{
    const double least = gsl_cdf_gamma_Qinv(CHANCE_BEYOND, (double)band->sensors, 1);
    const size_t stride = window->length / PLACES;
    for (size_t first = 0; first + window->length <= band->count; first += stride) {
        if (!(amplitude_before(band, window, first) > LEAST_LEFT * band->largest))
            continue;
        struct comparison found = compare(band, window, first);
        const size_t order = order_of(band, &found);
        const double likelihood = found.all.step[order < KNOCK_ORDERS ? order : KNOCK_ORDERS - 1];
        places->step[places->count++] = (struct step){likelihood, first, window->length, 0};
        if (!(found.all.step[most_of(&found)] > least))
            continue;
        const size_t at = climb(band, window, first, stride, &found);
        take(band, window, at, &found, places);
    }
}

static bool sees(const struct step *place, const struct step *step)
{
    const size_t middle = step->first + step->length / 2;
    return place->first <= middle && middle < place->first + place->length;
}

/* What makes steps everywhere, as a contact that rattles in every cycle does, is no knock: by as much as half of the
 * places that do not see the likeliest step go beyond half of chance, that is no likelier. */
static int over_all(const struct band *band, const struct places *places, double *likelihood)
{
    double *others = calloc(places->count + 1, sizeof *others);
    size_t count = 0;
    if (!others)
        return -ENOMEM;
    for (size_t i = 0; i < places->count; i++)
        if (!sees(&places->step[i], &places->best))
            others[count++] = places->step[i].likelihood;
    const double usual = count > 0 ? gsl_stats_median(others, 1, count) : 0;
    *likelihood = places->best.likelihood / fmax(usual / gsl_cdf_gamma_Pinv(0.5, (double)band->sensors, 1), 1);
    free(others);
    return 0;
}

static int look_in_band(const struct band *band, struct step *best)
{
    /* Strides are 1, 2, 3, 5 and so on at the least. */
    struct places places = {.step = calloc(4 * band->count + MOST_LENGTHS, sizeof *places.step)};
    int error = places.step ? 0 : -ENOMEM;
    for (size_t length = LEAST_WINDOW; length <= band->count && error == 0; length += length / 2) {
        struct knock_window window;
        error = knock_window_make(length, &band->filter, &window);
        if (error == 0)
            look_through(band, &window, &places);
        knock_window_clear(&window);
    }
    double likelihood = 0;
    error = error == 0 ? over_all(band, &places, &likelihood) : error;
    if (likelihood > fmax(best->likelihood, gsl_cdf_gamma_Qinv(CHANCE, (double)band->sensors, 1)))
        *best = (struct step){.likelihood = likelihood, .until = places.best.until};
    free(places.step);
    return error;
}

/* How far away the nearest mode is that does not beat with one. */
static double to_next(const struct spectral_mode *modes, size_t count, size_t r)
{
    double nearest = INFINITY;
    for (size_t k = 0; k < count; k++) {
        const double off = fabs(modes[k].f_hz - modes[r].f_hz);
        if (off > BEATS * modes[r].f_hz)
            nearest = fmin(nearest, off);
    }
    return nearest;
}

int knock_until(const double *const *samples, size_t sensors, size_t count, double rate_hz, const double *step,
                const struct spectral_mode *modes, size_t mode_count, size_t *until)
{
    struct step best = {.until = count};
    int error = 0;
    for (size_t r = 0; r < mode_count && error == 0; r++) {
        struct band band;
        const double reach_hz = spectral_widest_band(modes[r].f_hz, to_next(modes, mode_count, r));
        error = band_of(samples, sensors, count, rate_hz, modes[r].f_hz, reach_hz, &band);
        band.step = step;
        if (error == 0 && band.count > 0)
            error = look_in_band(&band, &best);
        free(band.values);
        baseband_filter_clear(&band.filter);
    }
    *until = best.until < count ? best.until : count;
    return error;
}
