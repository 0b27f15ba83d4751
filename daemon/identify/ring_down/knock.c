/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Through a window of a mode's band the motion before its middle and that behind it are smooth, and so is their
 * continuation across: polynomials over time follow it. Where a step in the middle explains what they leave beyond
 * chance, and better than further polynomials do, which have more coefficients than it, the motion changed at once.
 * What the band's filter smears over the middle is left out, so that a single wrong sample is no knock. */

#include "identify/ring_down/knock.h"

#include "identify/ring_down/baseband.h"
#include "identify/ring_down/spectral_band.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_legendre.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The degrees of the polynomials, of those that a step is to beat, and what a window's rows are. */
enum { SMOOTH = 5, SMOOTHER = 9, ROW_STEP = SMOOTH + 1, ROWS = SMOOTHER + 2 };
/* Windows of so many samples of the band and more, each half as long again as the one before; and in each length so
 * many places of the middle. */
enum { LEAST_WINDOW = 36, PLACES = 16, MOST_LENGTHS = 64 };
/* White noise makes a step stand out so in one place of 1e12, of which a record has 1e4 at the most; the rest is for
 * what is no white noise, as hum inside of the band. */
#define CHANCE 1e-12
/* Of what a step leaves further polynomials explain so much by chance in one window of a thousand. */
#define CHANCE_SMOOTHER 1e-3
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
/* No recorder tells less of its largest sample: what rounding to 24 bits leaves. */
#define FINEST 3e-8

/* A mode's band as all sensors see it. */
struct band {
    struct baseband_filter filter;
    size_t sensors, count;
    double complex *values; /* owned: of one sensor after the other */
    double largest;         /* amplitude of all sensors together */
    double least;           /* amplitude that matters */
    double white;           /* of samples that are independent of each other, over all */
};

/* Windows of one length. */
struct window {
    size_t length, hidden; /* so near to the middle, samples see both sides of it */
    size_t kept;
    size_t *place;            /* owned: of those that are kept */
    double *row;              /* owned: ROWS of them, orthonormal, but for the step to SMOOTH alone */
    double complex *residual; /* owned */
};

/* A step in the middle of a window, by samples of the band. */
struct step {
    double likelihood; /* logarithm of what a step makes likelier */
    size_t first, length, until;
};

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

static void take_off(const struct window *window, const double *row, double *of)
{
    double product = 0;
    for (size_t i = 0; i < window->kept; i++)
        product += row[i] * of[i];
    for (size_t i = 0; i < window->kept; i++)
        of[i] -= product * row[i];
}

/* Twice, so that nothing of the others is left. */
static void make_orthonormal(const struct window *window, size_t which)
{
    double *row = window->row + which * window->kept, squares = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t r = 0; r < which; r++)
            take_off(window, window->row + r * window->kept, row);
    for (size_t i = 0; i < window->kept; i++)
        squares += row[i] * row[i];
    for (size_t i = 0; i < window->kept; i++)
        row[i] /= sqrt(squares);
}

static int window_of(size_t length, const struct baseband_filter *filter, struct window *window)
{
    *window = (struct window){.length = length, .hidden = filter->taps / 2 / filter->step + 1};
    window->place = calloc(length, sizeof *window->place);
    window->row = calloc(ROWS * length, sizeof *window->row);
    window->residual = calloc(length, sizeof *window->residual);
    if (!window->place || !window->row || !window->residual)
        return -ENOMEM;
    for (size_t k = 0; k < length; k++)
        if (fabs((double)k - 0.5 * (double)(length - 1)) >= (double)window->hidden)
            window->place[window->kept++] = k;
    for (size_t i = 0; i < window->kept; i++) {
        const double s = 2 * (double)window->place[i] / (double)(length - 1) - 1;
        for (int degree = 0; degree <= SMOOTHER; degree++)
            window->row[(size_t)(degree > SMOOTH ? degree + 1 : degree) * window->kept + i] =
                gsl_sf_legendre_Pl(degree, s);
        window->row[ROW_STEP * window->kept + i] = s < 0 ? -1 : 1;
    }
    for (size_t r = 0; r < ROWS; r++)
        make_orthonormal(window, r);
    return 0;
}

static void window_clear(struct window *window)
{
    free(window->place);
    free(window->row);
    free(window->residual);
}

/* The motion turned back by its own mean frequency, as far as it is kept. */
static void turn_back(const struct window *window, const double complex *values)
{
    double complex turn = 0, phasor = 1;
    for (size_t k = 1; k < window->length; k++)
        turn += conj(values[k]) * values[k - 1];
    turn = cabs(turn) > 0 ? turn / cabs(turn) : 1;
    for (size_t k = 0, i = 0; k < window->length && i < window->kept; k++) {
        if (window->place[i] == k)
            window->residual[i++] = values[k] * phasor;
        phasor *= turn;
    }
}

static double square(double complex value)
{
    return creal(value) * creal(value) + cimag(value) * cimag(value);
}

/* What a row explains; the rest stays in the window. */
static double explain(const struct window *window, size_t which)
{
    const double *row = window->row + which * window->kept;
    double complex product = 0;
    for (size_t i = 0; i < window->kept; i++)
        product += row[i] * window->residual[i];
    for (size_t i = 0; i < window->kept; i++)
        window->residual[i] -= product * row[i];
    return square(product);
}

static double what_is_left(const struct window *window)
{
    double squares = 0;
    for (size_t i = 0; i < window->kept; i++)
        squares += square(window->residual[i]);
    return squares;
}

/* Half the mean square of differences between neighbours over the mean square: 1 of white noise. */
static double roughness(const struct window *window)
{
    double squares = 0;
    for (size_t i = 1; i < window->kept; i++)
        squares += square(window->residual[i] - window->residual[i - 1]);
    return 0.5 * squares / what_is_left(window);
}

/* What is said of a window, of all sensors together. */
struct comparison {
    double step;     /* by how much the logarithm of the likelihood grows by a step */
    double smoother; /* and then by further polynomials */
    double rough;    /* the least of the sensors */
    double noise;    /* amplitude of what is left in the end */
};

/* Of noise, what a row explains of one sensor's squares leaves a share that is below x by the chance x^(freedom - 1).
 */
static struct comparison compare(const struct band *band, const struct window *window, size_t first)
{
    const double floor = (double)window->kept * pow(FINEST * band->largest, 2);
    const double freedom = band->white * (double)(window->kept - ROW_STEP - 1);
    struct comparison found = {0, 0, INFINITY, 0};
    double squares = 0;
    for (size_t m = 0; m < band->sensors; m++) {
        turn_back(window, band->values + m * band->count + first);
        for (size_t r = 0; r <= SMOOTH; r++)
            explain(window, r);
        const double left = what_is_left(window) + floor, by_step = explain(window, ROW_STEP);
        double further = 0;
        for (size_t r = ROW_STEP + 1; r < ROWS; r++)
            further += explain(window, r);
        found.step += freedom * log(left / fmax(left - by_step, floor));
        found.smoother += freedom * log(fmax(left - by_step, floor) / fmax(left - by_step - further, floor));
        found.rough = fmin(found.rough, roughness(window));
        squares += what_is_left(window);
    }
    found.noise = sqrt(squares / (double)window->kept);
    return found;
}

/* The amplitude just before the middle. */
static double amplitude_before(const struct band *band, const struct window *window, size_t first)
{
    double squares = 0;
    const size_t half = window->kept / 2, part = half / 3;
    for (size_t i = half - part; i < half; i++)
        squares += pow(amplitude_at(band, first + window->place[i]), 2);
    return sqrt(squares / (double)part);
}

/* The places of one band that were looked at. */
struct places {
    struct step *step; /* owned: of each */
    size_t count;
    struct step best; /* that stands out most */
};

static void look_through(const struct band *band, const struct window *window, struct places *places)
{
    const double further = SMOOTHER - SMOOTH;
    const double most_smoother = gsl_cdf_gamma_Qinv(CHANCE_SMOOTHER, further * (double)band->sensors, 1);
    const size_t stride = window->length / PLACES;
    for (size_t first = 0; first + window->length <= band->count; first += stride) {
        const double amplitude = amplitude_before(band, window, first);
        if (!(amplitude > fmax(LEAST_LEFT * band->largest, band->least)))
            continue;
        const struct comparison found = compare(band, window, first);
        struct step *step = &places->step[places->count++];
        *step = (struct step){found.step, first, window->length, 0};
        if (!(found.step > places->best.likelihood && found.smoother < most_smoother &&
              found.rough > LEAST_ROUGH * band->white && amplitude > STANDS_OUT * found.noise))
            continue;
        const size_t middle = first + window->length / 2, hidden = window->hidden + 2 * stride;
        const size_t free_of_it = middle > hidden ? middle - hidden : 0;
        step->until = free_of_it * band->filter.step + band->filter.taps;
        places->best = *step;
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
    const size_t hidden = 2 * (band->filter.taps / 2 / band->filter.step + 1);
    /* Strides are 1, 2, 3, 5 and so on at the least. */
    struct places places = {.step = calloc(4 * band->count + MOST_LENGTHS, sizeof *places.step)};
    int error = places.step ? 0 : -ENOMEM;
    for (size_t length = LEAST_WINDOW > 3 * hidden ? LEAST_WINDOW : 3 * hidden; length <= band->count && error == 0;
         length += length / 2) {
        struct window window;
        error = window_of(length, &band->filter, &window);
        if (error == 0)
            look_through(band, &window, &places);
        window_clear(&window);
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

int knock_until(const double *const *samples, size_t sensors, size_t count, double rate_hz, double least,
                const struct spectral_mode *modes, size_t mode_count, size_t *until)
{
    struct step best = {.until = count};
    int error = 0;
    for (size_t r = 0; r < mode_count && error == 0; r++) {
        struct band band;
        const double reach_hz = spectral_widest_band(modes[r].f_hz, to_next(modes, mode_count, r));
        error = band_of(samples, sensors, count, rate_hz, modes[r].f_hz, reach_hz, &band);
        band.least = least;
        if (error == 0 && band.count > 0)
            error = look_in_band(&band, &best);
        free(band.values);
        baseband_filter_clear(&band.filter);
    }
    *until = best.until < count ? best.until : count;
    return error;
}
