/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ring_down/mode_duration.h"

#include "identify/ring_down/baseband.h"
#include "identify/ring_down/spectral_band.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* A mode is lost where its rms amplitude over the next 20 cycles, together with the noise, is below so much of the
 * noise's, that of the last quarter: its own is then below 1.7 times the noise's. */
#define LOST 2.0
/* A motion that is lost stood so far above the noise before, as one sample of a sensor's noise in nine millions does,
 * exp(4^2). */
#define STOOD_OUT 4.0

/* In a narrower band a motion of few cycles would be as long as the filter. */
static double reach_of(const struct ring_down_mode *modes, size_t count, size_t which)
{
    const double f_hz = ring_down_mode_centre(&modes[which]);
    double nearest = INFINITY;
    for (size_t r = 0; r < count; r++) {
        const double off = fabs(ring_down_mode_centre(&modes[r]) - f_hz);
        if (off > 0)
            nearest = fmin(nearest, off);
    }
    return spectral_widest_band(f_hz, nearest);
}

/* The squares of the amplitudes of all sensors, which are added. */
static void add_squares(const struct baseband_filter *filter, const struct ring_down_samples *samples,
                        double complex *values, double *squares)
{
    const size_t count = baseband_count(filter, samples->count);
    for (size_t m = 0; m < samples->sensors; m++) {
        baseband_of(filter, samples->rate_hz, samples->level[m], samples->count, values);
        for (size_t k = 0; k < count; k++)
            squares[k] += creal(values[k]) * creal(values[k]) + cimag(values[k]) * cimag(values[k]);
    }
}

static double mean_of(const double *squares, size_t from, size_t to)
{
    double sum = 0;
    for (size_t k = from; k < to; k++)
        sum += squares[k];
    return to > from ? sum / (double)(to - from) : 0;
}

/* cycles: that a fit needs, in samples of the band. */
static bool are_lost(const double *squares, size_t count, size_t cycles)
{
    const double noise = mean_of(squares, count - count / 4, count);
    double most = 0;
    for (size_t k = 0; k < count; k++)
        most = fmax(most, squares[k]);
    return cycles < count / 2 && most > STOOD_OUT * STOOD_OUT * noise &&
           mean_of(squares, cycles, 2 * cycles) < LOST * LOST * noise;
}

/* Whether a mode is lost within the cycles that a fit needs. */
static enum verdict is_lost(const struct ring_down_samples *samples, double f_hz, double reach_hz, bool *lost)
{
    struct baseband_filter filter;
    const int error = baseband_filter_create(samples->rate_hz, f_hz, reach_hz, &filter);
    *lost = false;
    if (error)
        return error == -ENOMEM ? VERDICT_NO_MEMORY : VERDICT_OK;
    const size_t count = baseband_count(&filter, samples->count);
    double complex *values = calloc(count + 1, sizeof *values);
    double *squares = calloc(count + 1, sizeof *squares);
    const bool there = values && squares;
    const double cycles = MODE_LEAST_CYCLES / f_hz * samples->rate_hz / (double)filter.step;
    /* A filter that is longer than these cycles, for the next mode is near, does not show when a motion was lost. */
    if (there && count > 0 && cycles * (double)filter.step > (double)filter.taps) {
        add_squares(&filter, samples, values, squares);
        *lost = are_lost(squares, count, (size_t)cycles);
    }
    free(values);
    free(squares);
    baseband_filter_clear(&filter);
    return there ? VERDICT_OK : VERDICT_NO_MEMORY;
}

static const char lost_early[] =
    "the mode is lost in the noise within 20 cycles, which is fewer than its damping is known from";

enum verdict mode_durations_judge(const struct ring_down_samples *samples, struct ring_down_mode *modes, size_t count)
{
    enum verdict verdict = VERDICT_OK;
    for (size_t r = 0; r < count && verdict == VERDICT_OK; r++) {
        bool lost = false;
        if (modes[r].verdict != VERDICT_NOT_DECAYING && modes[r].verdict != VERDICT_UNDERDETERMINED &&
            modes[r].verdict != VERDICT_NOT_CONVERGED)
            continue;
        verdict = is_lost(samples, ring_down_mode_centre(&modes[r]), reach_of(modes, count, r), &lost);
        if (!lost)
            continue;
        ring_down_mode_leave(&modes[r], VERDICT_TOO_FEW_HALF_CYCLES, lost_early);
    }
    return verdict;
}

/* Whether a mode is seen for a cycle at least behind what a filter hides: less shows no damping, and a motion that was
 * swept through a band may be seen for as little. */
static bool is_seen(const struct backbone_point *curve, size_t count)
{
    return count > 1 && log(curve[0].amplitude / curve[count - 1].amplitude) > 2 * M_PI * curve[count - 1].zeta;
}

/* How many cycles a mode with a law is seen in, from the first sample on, also where a filter hides it. A
 * neper takes 1/(2 pi zeta) of them. */
static double cycles_seen(const struct ring_down_mode *mode, const struct backbone_point *curve, size_t count)
{
    double cycles = fmax(log(mode->at_first_sample / curve[0].amplitude), 0) / (2 * M_PI * curve[0].zeta);
    for (size_t i = 1; i < count; i++)
        cycles += log(curve[i - 1].amplitude / curve[i].amplitude) / (M_PI * (curve[i - 1].zeta + curve[i].zeta));
    return cycles;
}

/* How many more it takes until the sensor shows it no higher than its noise. */
static double cycles_down_to_noise(const struct ring_down_samples *samples, const struct ring_down_mode *mode,
                                   const struct backbone_point *last)
{
    const double crest = last->amplitude * pow(last->omega, (double)samples->sensed);
    return fmax(log(crest / mode->noise), 0) / (2 * M_PI * last->zeta);
}

/* Whether a mode with a law is lost in the noise within the cycles that its figures are told from: the record goes on
 * for as many at least, and for so long that the mode falls to a tenth of what was above. Short records hide as much of
 * a motion at both ends of a filter, but do not fall so far there. */
static bool is_lost_early(const struct ring_down_samples *samples, const struct ring_down_mode *mode)
{
    size_t count;
    const struct backbone_point *curve = mode_curve(mode, &count);
    const bool seen = is_seen(curve, count);
    const double omega = seen ? curve[count - 1].omega : mode->omega_0.value;
    const double zeta = seen ? curve[count - 1].zeta : mode->zeta_0.value;
    const double cycles =
        seen ? cycles_seen(mode, curve, count) + cycles_down_to_noise(samples, mode, &curve[count - 1]) : 0;
    const double all = omega / (2 * M_PI) * (double)samples->count / samples->rate_hz;
    return cycles < MODE_LEAST_CYCLES && all >= 2 * MODE_LEAST_CYCLES && 2 * M_PI * zeta * (all - cycles) > log(10);
}

void mode_durations_name(const struct ring_down_samples *samples, const struct identify_settings *settings,
                         struct ring_down_mode *modes, size_t count)
{
    for (size_t r = 0; r < count; r++) {
        if (modes[r].verdict != VERDICT_OK || !is_lost_early(samples, &modes[r]))
            continue;
        ring_down_mode_deny(samples, VERDICT_TOO_FEW_HALF_CYCLES, settings, &modes[r]);
        ring_down_mode_leave(&modes[r], VERDICT_TOO_FEW_HALF_CYCLES, lost_early);
    }
}
