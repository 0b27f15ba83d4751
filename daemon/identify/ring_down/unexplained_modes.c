/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/unexplained_modes.h"

#include "identify/ring_down/mode_band.h"

#include <math.h>

/* How much of a mode is too much to be left. */
struct left_limits {
    double over_noise;    /* in units of the noise of the band */
    double of_first;      /* in units of the first crest, where only a law is told */
    double of_deviations; /* in the same, where smooth deviations from the law are told, too */
};

/* The noise of a band is known from a quarter of its samples, to a third at the worst. The microslip law leaves up to
 * 0.8 % of the first amplitude of measured joints, smooth deviations far less. */
static const struct left_limits by_itself = {3, 0.02, 0.02};
/* In the band of a pair a further mode hides, of which deviations from its laws take up a part: twice the noise does
 * not come from how well that is known, and half a percent not from a joint that two modes share. */
static const struct left_limits in_a_pair = {2, 0.02, 0.005};

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

static bool leaves_little(const struct ring_down_mode *mode, const struct left_limits *limits)
{
    return !(left_of(mode) > (mode->points > 0 ? limits->of_deviations : limits->of_first));
}

static enum verdict is_unexplained(const struct ring_down_samples *samples, const struct ring_down_mode *mode,
                                   const struct left_limits *limits, bool *unexplained)
{
    double noise;
    *unexplained = false;
    if (mode->verdict != VERDICT_OK || leaves_little(mode, limits))
        return VERDICT_OK;
    const enum verdict verdict = noise_of(samples, mode, &noise);
    *unexplained =
        verdict == VERDICT_OK && mode->noise * left_of(mode) > limits->over_noise * noise * mode->law_residual;
    return verdict;
}

enum verdict unexplained_mode_is(const struct ring_down_samples *samples, const struct ring_down_mode *mode,
                                 bool *unexplained)
{
    return is_unexplained(samples, mode, &by_itself, unexplained);
}

static void name(const struct ring_down_samples *samples, const struct identify_settings *settings,
                 struct ring_down_mode *mode)
{
    ring_down_mode_deny(samples, VERDICT_MODES_TOO_NEAR, settings, mode);
}

static const struct left_limits *limits_of(const struct ring_down *ring_down, const struct ring_down_mode *mode)
{
    for (size_t r = 0; r < ring_down->mode_count; r++)
        if (&ring_down->mode[r] != mode && ring_down_share_band(mode, &ring_down->mode[r]))
            return &in_a_pair;
    return &by_itself;
}

/* Whether all that is left is little of another mode in the same band, whose joint it then may be of. */
static bool is_little_of_another(const struct ring_down *ring_down, const struct ring_down_mode *mode,
                                 const struct left_limits *limits)
{
    for (size_t r = 0; r < ring_down->mode_count; r++) {
        const struct ring_down_mode *other = &ring_down->mode[r];
        if (other != mode && other->verdict == VERDICT_OK && ring_down_share_band(mode, other) &&
            leaves_little(other, limits))
            return true;
    }
    return false;
}

/* Both laws of a pair were fitted at once: where one has a motion in it that is no mode, or is not determined, neither
 * is known. */
static bool is_beside_no_mode(const struct ring_down *ring_down, const struct ring_down_mode *mode)
{
    for (size_t r = 0; r < ring_down->mode_count; r++) {
        const struct ring_down_mode *other = &ring_down->mode[r];
        if ((other->verdict == VERDICT_UNDERDETERMINED || other->verdict == VERDICT_MODES_TOO_NEAR) &&
            ring_down_share_band(mode, other))
            return true;
    }
    return false;
}

static bool overlaps_untold(const struct ring_down *ring_down, const struct ring_down_mode *mode)
{
    for (size_t r = 0; r < ring_down->mode_count; r++)
        if (ring_down->mode[r].verdict == VERDICT_MODES_TOO_NEAR && ring_down_bands_overlap(mode, &ring_down->mode[r]))
            return true;
    return false;
}

/* Most modes beside such a band are right, and none is left out for it. A first answer says already that another
 * follows. */
static void doubt_beside_untold(const struct identify_settings *settings, struct ring_down *ring_down)
{
    for (size_t r = 0; r < ring_down->mode_count && !settings->more_follows; r++) {
        struct ring_down_mode *mode = &ring_down->mode[r];
        if (mode->verdict == VERDICT_OK && overlaps_untold(ring_down, mode))
            mode->reason[REASON_NEIGHBOURS] = "doubtful: its band overlaps one whose modes could not be told apart, "
                                              "and what is told of it may be theirs";
    }
}

enum verdict unexplained_modes_name(const struct ring_down_samples *samples, const struct identify_settings *settings,
                                    struct ring_down *ring_down)
{
    enum verdict verdict = VERDICT_OK;
    for (size_t r = 0; r < ring_down->mode_count && verdict == VERDICT_OK; r++) {
        struct ring_down_mode *mode = &ring_down->mode[r];
        const struct left_limits *limits = limits_of(ring_down, mode);
        bool unexplained;
        if (steady_lines_beside(ring_down->line, ring_down->line_count, mode, 1) ||
            is_little_of_another(ring_down, mode, limits))
            continue;
        verdict = is_unexplained(samples, mode, limits, &unexplained);
        if (unexplained)
            name(samples, settings, mode);
    }
    for (size_t r = 0; r < ring_down->mode_count; r++)
        if (ring_down->mode[r].verdict == VERDICT_OK && is_beside_no_mode(ring_down, &ring_down->mode[r]))
            name(samples, settings, &ring_down->mode[r]);
    doubt_beside_untold(settings, ring_down);
    return verdict;
}

void unexplained_modes_name_at_lines(const struct ring_down_samples *samples, const struct identify_settings *settings,
                                     struct ring_down *ring_down)
{
    for (size_t r = 0; r < ring_down->mode_count; r++) {
        struct ring_down_mode *mode = &ring_down->mode[r];
        if (!steady_lines_hide(samples, ring_down->line, ring_down->line_count, mode) ||
            leaves_little(mode, &by_itself))
            continue;
        name(samples, settings, mode);
        ring_down_mode_leave(mode, mode->verdict,
                             "a steady line is so near, and so much stronger, that this may be what is left of it");
    }
    doubt_beside_untold(settings, ring_down);
}
