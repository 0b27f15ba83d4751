/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/calm_lines.h"

#include "identify/ring_down/ringing_spectrum.h"

#include <math.h>

/* A calm tells a line by so many cycles of it. */
#define LEAST_CYCLES 5.0
/* And its noise by so many samples. */
enum { LEAST_SAMPLES = 64 };
/* A line below that share of the least amplitude told bends damping and frequency by no more than that. */
#define BENDS_NOTHING 0.01
/* The standard error of the frequency of a peak, over half its width at half its power and the relative error of its
 * amplitude: as that of a line through a window without a taper. */
#define PEAK_ERROR 1.25

/* The calm, and its spectrum. */
struct calm {
    const struct ring_down_samples *samples;
    struct calm_before before;
    struct ringing_spectrum spectrum;
};

static enum verdict calm_begin(const struct ring_down_samples *samples, struct calm_before before, struct calm *calm)
{
    const double *of[PASS_SENSORS];
    double noise[PASS_SENSORS] = {0};
    *calm = (struct calm){.samples = samples, .before = before};
    for (size_t m = 0; m < samples->sensors; m++)
        of[m] = samples->raw[m] - before.ago;
    return ringing_spectrum_make(of, samples->sensors, 0, before.count, samples->rate_hz, noise, &calm->spectrum) == 0
               ? VERDICT_OK
               : VERDICT_NO_MEMORY;
}

/* How far from its frequency a line reaches in the calm. */
static double reach_hz(const struct calm *calm)
{
    return 2 * RINGING_HALF_WIDTH * calm->samples->rate_hz / (double)calm->before.count;
}

/* The highest place in the band of a mode, 0 where that does not stand out, or has no peak within the band. */
static size_t peak_in_band(const struct calm *calm, const struct ring_down_mode *mode)
{
    const struct ringing_spectrum *spectrum = &calm->spectrum;
    size_t highest = 0;
    for (size_t k = 2; k + 1 < spectrum->places; k++) {
        const double f_hz = (double)k * spectrum->step_hz;
        if (f_hz > mode->band_hz[0] && f_hz < mode->band_hz[1] &&
            (highest == 0 || spectrum->power[k] > spectrum->power[highest]))
            highest = k;
    }
    const bool is_peak = highest > 0 && spectrum->power[highest] > spectrum->power[highest - 1] &&
                         spectrum->power[highest] >= spectrum->power[highest + 1];
    return is_peak && spectrum->power[highest] > RINGING_LEAST_HEIGHT * ringing_spectrum_around(spectrum, highest)
               ? highest
               : 0;
}

/* By the sensor that sees most of it, with the noise that surrounds it. */
static struct steady_line line_at(const struct calm *calm, size_t place)
{
    const struct ring_down_samples *samples = calm->samples;
    const double f_hz = ringing_spectrum_peak_hz(&calm->spectrum, place), omega = 2 * M_PI * f_hz;
    struct steady_line line = {.f_hz = f_hz, .angle = omega / samples->rate_hz};
    for (size_t m = 0; m < samples->sensors; m++) {
        const double *of = samples->raw[m] - calm->before.ago;
        const double size =
            cabs(steady_line_amplitude(of, 0, calm->before.count, line.angle)) / pow(omega, (double)samples->sensed);
        if (size > line.amplitude || !line.sensor) {
            line.amplitude = size;
            line.sensor = samples->name[m];
        }
    }
    /* The median of noise is ln 2 of its mean power, half of which each component has. */
    const double over_noise = calm->spectrum.power[place] * M_LN2 / ringing_spectrum_around(&calm->spectrum, place);
    const double relative = 1 / sqrt(2 * over_noise);
    line.se_amplitude = relative * line.amplitude;
    line.se_f_hz = PEAK_ERROR * relative * 0.5 * reach_hz(calm);
    return line;
}

static bool is_any_near(const struct steady_line *lines, size_t count, double f_hz, double within_hz)
{
    for (size_t k = 0; k < count; k++)
        if (fabs(lines[k].f_hz - f_hz) < within_hz)
            return true;
    return false;
}

/* In the order of their frequencies. */
static void tell(const struct steady_line *line, struct ring_down *ring_down)
{
    size_t at = ring_down->line_count;
    if (at == STEADY_LINES)
        return;
    for (; at > 0 && ring_down->line[at - 1].f_hz > line->f_hz; at--)
        ring_down->line[at] = ring_down->line[at - 1];
    ring_down->line[at] = *line;
    ring_down->line_count++;
}

static bool can_tell(const struct calm *calm, const struct ring_down_mode *mode)
{
    const double seconds = (double)calm->before.count / calm->samples->rate_hz;
    return mode->verdict == VERDICT_OK && seconds * mode->band_hz[0] >= LEAST_CYCLES;
}

static void look_at_modes(const struct calm *calm, struct ring_down *ring_down)
{
    struct steady_line found[STEADY_LINES];
    size_t count = 0;
    for (size_t r = 0; r < ring_down->mode_count; r++) {
        struct ring_down_mode *mode = &ring_down->mode[r];
        const size_t place = can_tell(calm, mode) ? peak_in_band(calm, mode) : 0;
        if (place == 0)
            continue;
        const struct steady_line line = line_at(calm, place);
        if (!(line.amplitude > BENDS_NOTHING * mode->amplitude_min) ||
            is_any_near(ring_down->line, ring_down->line_count, line.f_hz, reach_hz(calm)))
            continue;
        mode->reason[REASON_CALM] =
            "doubtful: before the blow something rings in its band already, hum or the mode that is moved from "
            "elsewhere, which is among the steady lines; it goes on behind the blow, and bends the backbone where the "
            "mode is not far larger";
        if (count < STEADY_LINES && !is_any_near(found, count, line.f_hz, reach_hz(calm)))
            found[count++] = line;
    }
    for (size_t k = 0; k < count; k++)
        tell(&found[k], ring_down);
}

enum verdict calm_lines_doubt(const struct ring_down_samples *samples, struct calm_before before,
                              struct ring_down *ring_down)
{
    struct calm calm;
    if (before.count < LEAST_SAMPLES)
        return VERDICT_OK;
    const enum verdict verdict = calm_begin(samples, before, &calm);
    if (verdict == VERDICT_OK)
        look_at_modes(&calm, ring_down);
    ringing_spectrum_clear(&calm.spectrum);
    return verdict;
}
