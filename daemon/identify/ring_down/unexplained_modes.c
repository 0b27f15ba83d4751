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

/* Modes of a band whose motion does not count as noise: a pair and one more. */
enum { UNEXPLAINED_AMONG = 3 };

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
    *noise = verdict == VERDICT_OK ? mode_band_noise_among(&band.samples, 0, UNEXPLAINED_AMONG) / sqrt(band.variance)
                                   : INFINITY;
    mode_band_clear(&band);
    return verdict == VERDICT_NO_MEMORY ? verdict : VERDICT_OK;
}

/* Of the first crest. */
static double left_of(const struct ring_down_mode *mode)
{
    return mode->points > 0 ? mode->residual : mode->law_residual;
}

enum verdict unexplained_mode_is(const struct ring_down_samples *samples, const struct ring_down_mode *mode,
                                 bool *unexplained)
{
    const double left = left_of(mode);
    double noise;
    *unexplained = false;
    if (mode->verdict != VERDICT_OK || !(left > MORE_THAN_A_JOINT))
        return VERDICT_OK;
    const enum verdict verdict = noise_of(samples, mode, &noise);
    *unexplained = verdict == VERDICT_OK && mode->noise * left > FAR_ABOVE_NOISE * noise * mode->law_residual;
    return verdict;
}

static void name(const struct ring_down_samples *samples, const struct identify_settings *settings,
                 struct ring_down_mode *mode)
{
    const double centre_hz = ring_down_mode_centre(mode);
    const struct spectral_mode band = {.f_hz = centre_hz, .stop_hz = mode->band_hz[1] - centre_hz};
    struct mode_group group = {.verdict = VERDICT_MODES_TOO_NEAR, .modes = 1};
    ring_down_mode_of(samples, &band, &group, 0, false, settings, mode);
}

/* Whether all that is left is little of another mode in the same band, whose joint it then may be of. */
static bool is_little_of_another(const struct ring_down *ring_down, const struct ring_down_mode *mode)
{
    for (size_t r = 0; r < ring_down->mode_count; r++) {
        const struct ring_down_mode *other = &ring_down->mode[r];
        if (other != mode && other->verdict == VERDICT_OK && other->band_hz[0] == mode->band_hz[0] &&
            other->band_hz[1] == mode->band_hz[1] && !(left_of(other) > MORE_THAN_A_JOINT))
            return true;
    }
    return false;
}

enum verdict unexplained_modes_name(const struct ring_down_samples *samples, const struct identify_settings *settings,
                                    struct ring_down *ring_down)
{
    enum verdict verdict = VERDICT_OK;
    for (size_t r = 0; r < ring_down->mode_count && verdict == VERDICT_OK; r++) {
        struct ring_down_mode *mode = &ring_down->mode[r];
        bool unexplained;
        if (steady_lines_beside(ring_down->line, ring_down->line_count, mode, 1) ||
            is_little_of_another(ring_down, mode))
            continue;
        verdict = unexplained_mode_is(samples, mode, &unexplained);
        if (unexplained)
            name(samples, settings, mode);
    }
    return verdict;
}

void unexplained_modes_name_at_lines(const struct ring_down_samples *samples, const struct identify_settings *settings,
                                     struct ring_down *ring_down)
{
    for (size_t r = 0; r < ring_down->mode_count; r++) {
        struct ring_down_mode *mode = &ring_down->mode[r];
        if (!steady_lines_hide(samples, ring_down->line, ring_down->line_count, mode) ||
            !(left_of(mode) > MORE_THAN_A_JOINT))
            continue;
        name(samples, settings, mode);
        mode->reason = "a steady line is so near, and so much stronger, that this may be what is left of it";
    }
}
