/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/overlapping_bands.h"

#include "identify/ring_down/law_fitting.h"
#include "identify/ring_down/ring_down_wide.h"
#include "identify/ring_down/without_modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The modes of one band among all. */
struct shared_band {
    struct ring_down_mode *mode;
    size_t count;
};

/* Modes of one band stand side by side. */
static struct shared_band band_from(struct ring_down *ring_down, size_t first)
{
    struct shared_band band = {&ring_down->mode[first], 1};
    while (first + band.count < ring_down->mode_count && ring_down_share_band(band.mode, &band.mode[band.count]))
        band.count++;
    return band;
}

/* Whether a mode that another band tells may be seen in this one. */
static bool is_overlapped(const struct ring_down *ring_down, const struct ring_down_mode *mode)
{
    for (size_t r = 0; r < ring_down->mode_count; r++) {
        const struct ring_down_mode *other = &ring_down->mode[r];
        if (other->verdict == VERDICT_OK && ring_down_bands_overlap(mode, other))
            return true;
    }
    return false;
}

/* What the modes of all other bands leave. */
static enum verdict take_others_away(const struct ring_down_samples *samples, const struct identify_settings *settings,
                                     const struct ring_down *ring_down, const struct shared_band *band,
                                     struct without_modes *without)
{
    struct ring_down_mode *others = calloc(ring_down->mode_count, sizeof *others);
    size_t count = 0;
    if (!others)
        return VERDICT_NO_MEMORY;
    for (size_t r = 0; r < ring_down->mode_count; r++)
        if (!ring_down_share_band(band->mode, &ring_down->mode[r]))
            others[count++] = ring_down->mode[r];
    const enum verdict verdict = without_modes_of(samples, others, count, settings->cancel, without);
    free(others);
    return verdict;
}

/* Those of so many modes of which something is told, in their order. */
static size_t keep_told(struct ring_down_mode *modes, size_t count)
{
    size_t kept = 0;
    for (size_t r = 0; r < count; r++)
        if (modes[r].verdict == VERDICT_OK && kept++ < r)
            modes[kept - 1] = modes[r];
    return kept;
}

/* The modes of a band in samples that hold no others. What is left of those may pass for a mode of which nothing is
 * told. */
static enum verdict look_at_band(const struct ring_down_samples *samples, const struct shared_band *before,
                                 const struct identify_settings *settings, struct ring_down_mode *now, size_t *count)
{
    const double f_hz = ring_down_mode_centre(before->mode);
    const struct spectral_mode band = {.f_hz = f_hz,
                                       .stop_hz = before->mode->band_hz[1] - f_hz,
                                       .of_two = ring_down_are_far_apart(before->mode, before->count)};
    struct mode_group group;
    size_t order[PASS_MODES] = {0};
    enum verdict verdict = samples->sensors == 1 ? ring_down_pair_of(samples, &band, settings, &group)
                                                 : ring_down_group_of(samples, &band, GROUP_MODES, settings, &group);
    *count = 0;
    if (verdict != VERDICT_OK || group.may_be_two)
        return law_fitting_is_over(verdict) ? verdict : VERDICT_OK;
    if (group.modes > 1)
        mode_sensors_order(&group, samples->sensors, order);
    for (size_t r = 0; r < group.modes && verdict == VERDICT_OK; r++) {
        ring_down_mode_of(samples, &band, &group, order[r], false, settings, &now[order[r]]);
        verdict = ring_down_mode_ended(&now[order[r]]);
    }
    *count = verdict == VERDICT_OK ? keep_told(now, group.modes) : 0;
    return verdict;
}

static void replace(struct ring_down *ring_down, const struct shared_band *band, const struct ring_down_mode *now,
                    size_t count)
{
    const struct ring_down_mode *end = &ring_down->mode[ring_down->mode_count], *behind = &band->mode[band->count];
    memmove(&band->mode[count], behind, (size_t)(end - behind) * sizeof *now);
    memcpy(band->mode, now, count * sizeof *now);
    ring_down->mode_count = ring_down->mode_count + count - band->count;
}

static enum verdict look_without_others(const struct ring_down_samples *samples,
                                        const struct identify_settings *settings, struct ring_down *ring_down,
                                        struct shared_band *band)
{
    struct without_modes without = {NULL, {NULL}};
    struct ring_down_samples cleaned = *samples;
    struct ring_down_mode now[GROUP_MODES];
    size_t count = 0;
    enum verdict verdict = take_others_away(samples, settings, ring_down, band, &without);
    for (size_t m = 0; m < samples->sensors; m++)
        cleaned.level[m] = without.of[m];
    if (verdict == VERDICT_OK)
        verdict = look_at_band(&cleaned, band, settings, now, &count);
    without_modes_clear(&without);
    const bool other_count = count != band->count || band->mode->verdict != VERDICT_OK;
    if (verdict != VERDICT_OK || count == 0 || !other_count ||
        ring_down->mode_count + count - band->count > RING_DOWN_MODES)
        return verdict;
    replace(ring_down, band, now, count);
    band->count = count;
    return VERDICT_OK;
}

/* Two lines nearer to each other than half the width of either at half power are one peak, which no two bands end
 * between. */
static bool are_one(const struct ring_down_mode *mode, const struct ring_down_mode *other)
{
    const double omega = mode->omega_0.value, other_omega = other->omega_0.value;
    return mode->verdict == VERDICT_OK && other->verdict == VERDICT_OK && !ring_down_share_band(mode, other) &&
           fabs(other_omega - omega) < fmin(mode->zeta_0.value * omega, other->zeta_0.value * other_omega);
}

static bool is_known_better_elsewhere(const struct ring_down *ring_down, const struct ring_down_mode *mode)
{
    for (size_t r = 0; r < ring_down->mode_count; r++)
        if (are_one(mode, &ring_down->mode[r]) && ring_down->mode[r].omega_0.se < mode->omega_0.se)
            return true;
    return false;
}

void overlapping_bands_tell_once(struct ring_down *ring_down)
{
    for (size_t r = 0; r < ring_down->mode_count;) {
        struct ring_down_mode *mode = &ring_down->mode[r];
        if (is_known_better_elsewhere(ring_down, mode))
            memmove(mode, mode + 1, (--ring_down->mode_count - r) * sizeof *mode);
        else
            r++;
    }
}

enum verdict overlapping_bands_look(const struct ring_down_samples *samples, const struct identify_settings *settings,
                                    struct ring_down *ring_down)
{
    enum verdict verdict = VERDICT_OK;
    for (size_t r = 0; r < ring_down->mode_count && verdict == VERDICT_OK;) {
        struct shared_band band = band_from(ring_down, r);
        if ((band.count > 1 || band.mode->verdict == VERDICT_MODES_TOO_NEAR) && is_overlapped(ring_down, band.mode))
            verdict = look_without_others(samples, settings, ring_down, &band);
        r += band.count;
    }
    overlapping_bands_tell_once(ring_down);
    return verdict;
}
