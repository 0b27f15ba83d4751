/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/unexplained_modes.h"

#include "identify/ring_down/mode_band.h"

#include <math.h>

/* The noise of a band is known from a quarter of its samples, to a third at the worst. */
#define FAR_ABOVE_NOISE 3.0
/* The microslip law leaves up to 0.8 % of the first amplitude of measured joints, smooth deviations far less. */
#define MORE_THAN_A_JOINT 0.02

static size_t reference_of(const struct ring_down_samples *samples, const struct ring_down_mode *mode)
{
    size_t reference = 0;
    while (reference + 1 < samples->sensors && samples->name[reference] != mode->reference)
        reference++;
    return reference;
}

/* The standard deviation of white noise in the record that would be as much as the noise at the end of the band. */
static enum verdict noise_of(const struct ring_down_samples *samples, const struct ring_down_mode *mode, double *noise)
{
    const double centre_hz = ring_down_mode_centre(mode);
    const struct mode_record record = {.sensed = samples->sensed,
                                       .samples = samples->level[reference_of(samples, mode)],
                                       .count = samples->count,
                                       .rate_hz = samples->rate_hz,
                                       .centre_hz = centre_hz,
                                       .stop_hz = mode->band_hz[1] - centre_hz};
    struct mode_band band;
    const enum verdict verdict = mode_band_of(&record, true, &band);
    *noise = verdict == VERDICT_OK ? mode_band_noise(&band.samples, 0) / sqrt(band.variance) : INFINITY;
    mode_band_clear(&band);
    return verdict == VERDICT_NO_MEMORY ? verdict : VERDICT_OK;
}

static enum verdict judge(const struct ring_down_samples *samples, const struct identify_settings *settings,
                          struct ring_down_mode *mode)
{
    const double left = mode->points > 0 ? mode->residual : mode->law_residual;
    double noise;
    if (mode->verdict != VERDICT_OK || !(left > MORE_THAN_A_JOINT))
        return VERDICT_OK;
    const enum verdict verdict = noise_of(samples, mode, &noise);
    if (verdict == VERDICT_OK && mode->noise * left > FAR_ABOVE_NOISE * noise * mode->law_residual) {
        const double centre_hz = ring_down_mode_centre(mode);
        const struct spectral_mode band = {.f_hz = centre_hz, .stop_hz = mode->band_hz[1] - centre_hz};
        const struct mode_group group = {.verdict = VERDICT_MODES_TOO_NEAR, .modes = 1};
        ring_down_mode_of(samples, &band, &group, 0, false, settings, mode);
    }
    return verdict;
}

enum verdict unexplained_modes_name(const struct ring_down_samples *samples, const struct identify_settings *settings,
                                    struct ring_down *ring_down)
{
    enum verdict verdict = VERDICT_OK;
    for (size_t r = 0; r < ring_down->mode_count && verdict == VERDICT_OK; r++)
        if (!steady_lines_beside(ring_down->line, ring_down->line_count, &ring_down->mode[r], 1))
            verdict = judge(samples, settings, &ring_down->mode[r]);
    return verdict;
}
