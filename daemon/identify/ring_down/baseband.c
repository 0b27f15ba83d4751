/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/baseband.h"

#include <errno.h>
#include <gsl/gsl_sf_bessel.h>
#include <math.h>
#include <stdlib.h>

/* Kaiser's window of 80 dB, and the length that it needs, times the width of the transition over the rate. */
#define KAISER_BETA 7.857
#define KAISER_LENGTH 5.02

/* But for a factor, which making the weights' sum 1 takes off. */
static double kaiser(double place)
{
    return gsl_sf_bessel_I0(KAISER_BETA * sqrt(fmax(1 - place * place, 0)));
}

size_t baseband_step(double rate_hz, double stop_hz)
{
    return (size_t)fmax(floor(rate_hz / ((1 + BASEBAND_FLAT) * stop_hz)), 1);
}

int baseband_filter_create(double rate_hz, double centre_hz, double stop_hz, struct baseband_filter *filter)
{
    const double width = (1 - BASEBAND_FLAT) * stop_hz / rate_hz,
                 corner = 0.5 * (1 + BASEBAND_FLAT) * stop_hz / rate_hz;
    *filter = (struct baseband_filter){.centre_hz = centre_hz, .stop_hz = stop_hz, .gain = centre_hz > 0 ? 2 : 1};
    if (!(stop_hz > 0 && centre_hz >= 0 && centre_hz < 0.5 * rate_hz && width > 1e-6 && width < 1))
        return -EDOM;
    const size_t half = (size_t)ceil(0.5 * KAISER_LENGTH / width);
    filter->taps = 2 * half + 1;
    filter->step = baseband_step(rate_hz, stop_hz);
    filter->weight = calloc(filter->taps, sizeof *filter->weight);
    if (!filter->weight)
        return -ENOMEM;
    double sum = 0, squares = 0;
    for (size_t j = 0; j <= half; j++) {
        const double angle = 2 * M_PI * corner * (double)j, sinc = j == 0 ? 1 : sin(angle) / angle;
        const double weight = sinc * kaiser((double)j / ((double)half + 1));
        filter->weight[half - j] = filter->weight[half + j] = weight;
        sum += j == 0 ? weight : 2 * weight;
    }
    for (size_t k = 0; k < filter->taps; k++) {
        filter->weight[k] *= 1 / sum;
        squares += filter->weight[k] * filter->weight[k];
    }
    filter->variance = filter->gain * squares;
    filter->density = filter->gain / (double)filter->step;
    return 0;
}

void baseband_filter_clear(struct baseband_filter *filter)
{
    free(filter->weight);
    filter->weight = NULL;
}

size_t baseband_count(const struct baseband_filter *filter, size_t count)
{
    return count < filter->taps ? 0 : (count - filter->taps) / filter->step + 1;
}

void baseband_of(const struct baseband_filter *filter, double rate_hz, const double *samples, size_t count,
                 double complex *values)
{
    const double angle = -2 * M_PI * filter->centre_hz / rate_hz;
    const size_t half = filter->taps / 2, left = baseband_count(filter, count);
    const double complex turn = CMPLX(cos(angle), sin(angle));
    for (size_t k = 0; k < left; k++) {
        const size_t first = k * filter->step;
        double complex phasor = CMPLX(1, 0), sum = 0;
        /* Turned from the filter's centre on, so that rounding does not grow along the record. */
        for (size_t j = 0; j <= half; j++) {
            const double later = samples[first + half + j], earlier = j > 0 ? samples[first + half - j] : 0;
            const double weight = filter->weight[half + j];
            sum += weight * CMPLX((later + earlier) * creal(phasor), (later - earlier) * cimag(phasor));
            phasor = CMPLX(creal(phasor) * creal(turn) - cimag(phasor) * cimag(turn),
                           creal(phasor) * cimag(turn) + cimag(phasor) * creal(turn));
        }
        const double centre = angle * (double)(first + half);
        values[k] = filter->gain * sum * CMPLX(cos(centre), sin(centre));
    }
}

void baseband_low_pass(const struct baseband_filter *filter, const double *samples, size_t count, double *values)
{
    const size_t half = filter->taps / 2, left = baseband_count(filter, count);
    const double *weight = filter->weight + half;
    for (size_t k = 0; k < left; k++) {
        const double *centre = samples + k * filter->step + half;
        double sum = weight[0] * *centre;
        for (size_t j = 1; j <= half; j++)
            sum += weight[j] * (*(centre + j) + *(centre - j));
        values[k] = sum;
    }
}
