/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ring_down/ring_down_wide.h"

#include "identify/ring_down/law_fitting.h"
#include "identify/ring_down/spectral_band.h"
#include "identify/ring_down/stretch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Room for the samples of all sensors without the motions of other modes. */
struct cleaned {
    double *room, *raw[PASS_SENSORS];
    struct ring_down_samples samples;
};

/* The modes of one band among all. */
struct among {
    size_t first, count;
};

static bool make_room(const struct ring_down_samples *samples, struct cleaned *cleaned)
{
    cleaned->room = calloc((2 * samples->sensors + 1) * samples->count, sizeof *cleaned->room);
    cleaned->samples = *samples;
    cleaned->samples.cleaned = true;
    if (!cleaned->room)
        return false;
    for (size_t m = 0; m < samples->sensors; m++) {
        cleaned->raw[m] = cleaned->room + (2 * m + 1) * samples->count;
        cleaned->samples.raw[m] = cleaned->raw[m];
        cleaned->samples.level[m] = cleaned->raw[m] + samples->count;
    }
    return true;
}

static enum verdict take_others_away(const struct ring_down_samples *samples, const atomic_bool *cancel,
                                     const struct ring_down_mode *modes, size_t count, const struct among *but,
                                     struct cleaned *cleaned)
{
    enum verdict verdict = VERDICT_OK;
    for (size_t m = 0; m < samples->sensors; m++)
        memcpy(cleaned->raw[m], samples->raw[m], samples->count * sizeof *cleaned->raw[m]);
    for (size_t r = 0; r < count && verdict == VERDICT_OK; r++)
        if ((r < but->first || r >= but->first + but->count) && modes[r].motion.there)
            verdict = mode_motion_take_away(&modes[r].motion, samples->sensed, samples->rate_hz, cancel, cleaned->room,
                                            cleaned->raw, samples->sensors, samples->count);
    for (size_t m = 0; m < samples->sensors && verdict == VERDICT_OK; m++)
        stretch_level(cleaned->raw[m], samples->count, cleaned->raw[m] + samples->count);
    return verdict;
}

/* The band reaches so far, of its frequency. */
#define WIDE_SHARE 1.0
static bool are_only_noise(const struct ring_down_mode *before, const struct ring_down_mode *now, size_t count)
{
    for (size_t r = 0; r < count; r++) {
        const struct ring_down_mode *narrow = &before[r];
        if (now[r].verdict != VERDICT_OK ||
            !ring_down_is_only_noise(narrow->noise, narrow->noise_freedom, now[r].noise))
            return false;
    }
    return true;
}

/* What is found of so many modes of a band. The first one's verdict says where others are found there. */
static enum verdict look_at_band(const struct ring_down_samples *samples, const struct spectral_mode *band, bool alone,
                                 const struct identify_settings *settings, size_t count, struct ring_down_mode *modes)
{
    struct mode_group group;
    const enum verdict verdict = count > 1 && samples->sensors == 1
                                     ? ring_down_pair_of(samples, band, settings, &group)
                                     : ring_down_group_of(samples, band, count, settings, &group);
    modes->verdict = verdict == VERDICT_OK && group.modes != count ? VERDICT_MODES_TOO_NEAR : verdict;
    size_t order[PASS_MODES] = {0};
    if (modes->verdict == VERDICT_OK && count > 1)
        mode_sensors_order(&group, samples->sensors, order);
    for (size_t r = 0; r < count && modes->verdict == VERDICT_OK; r++) {
        ring_down_mode_of(samples, band, &group, order[r], alone, settings, &modes[order[r]]);
        if (ring_down_mode_ended(&modes[order[r]]) != VERDICT_OK)
            return ring_down_mode_ended(&modes[order[r]]);
    }
    return law_fitting_is_over(verdict) ? verdict : VERDICT_OK;
}

bool ring_down_are_far_apart(const struct ring_down_mode *modes, size_t count)
{
    return count > 1 && modes[1].omega_0.value - modes[0].omega_0.value >= SPECTRAL_NEAR * modes[0].omega_0.value;
}

static bool are_all_told(const struct ring_down_mode *modes, size_t count)
{
    size_t told = 0;
    while (told < count && modes[told].verdict == VERDICT_OK)
        told++;
    return told == count;
}

/* Without a filter, or in a wide band, where what is left is noise. told: whether it was. */
static enum verdict look_alone(const struct cleaned *cleaned, const struct identify_settings *settings, bool filtered,
                               const struct ring_down_mode *before, size_t count, struct ring_down_mode *modes,
                               bool *told)
{
    const struct ring_down_samples *samples = &cleaned->samples;
    const double f_hz = ring_down_mode_centre(before),
                 alone_hz = spectral_band(f_hz, INFINITY, (double)samples->count / samples->rate_hz);
    const struct spectral_mode band = {.f_hz = f_hz,
                                       .stop_hz = filtered ? WIDE_SHARE * f_hz : alone_hz,
                                       .of_two = ring_down_are_far_apart(before, count)};
    struct ring_down_mode now[GROUP_MODES];
    const enum verdict verdict = look_at_band(samples, &band, !filtered, settings, count, now);
    *told = verdict == VERDICT_OK && now->verdict == VERDICT_OK && (filtered || now->begins != RING_DOWN_FILTER) &&
            are_only_noise(before, now, count);
    if (*told)
        memcpy(modes, now, count * sizeof *modes);
    return verdict;
}

/* Modes of one band stand side by side. */
static struct among band_from(const struct ring_down_mode *modes, size_t count, size_t first)
{
    struct among band = {first, 1};
    while (first + band.count < count && band.count < GROUP_MODES &&
           ring_down_share_band(&modes[first], &modes[first + band.count]))
        band.count++;
    return band;
}

/* No law holds that has a joint in it: what is left after a joint slipped as a whole looks so. */
static bool may_have_slipped(const struct ring_down_mode *mode)
{
    return mode->model == MODE_LINEAR && mode->recommended == MODE_BACKBONE;
}

/* Where a joint follows no law, more samples of it would not make it follow one. */
static bool are_worth_it(const struct ring_down_mode *modes, const struct among *band)
{
    for (size_t r = 0; r < band->count; r++) {
        const struct ring_down_mode *mode = &modes[band->first + r];
        const bool slipped = band->count == 1 && may_have_slipped(mode);
        if (mode->verdict != VERDICT_OK || (mode->recommended != MODE_LAW && !slipped))
            return false;
    }
    return true;
}

/* What the first look left out. */
static bool lacks_limits(const struct ring_down_mode *modes, size_t count)
{
    bool lacks = false;
    for (size_t r = 0; r < count; r++)
        lacks = lacks || (modes[r].iwan.there && modes[r].iwan.consistent);
    return lacks;
}

/* As it was seen at first, whatever the look after that took it for, and with what the first look left out. */
static enum verdict look_again(const struct ring_down_samples *samples, const struct identify_settings *settings,
                               const struct ring_down_mode *before, size_t count, struct ring_down_mode *modes)
{
    const double f_hz = ring_down_mode_centre(before);
    const struct spectral_mode band = {
        .f_hz = f_hz, .stop_hz = before->band_hz[1] - f_hz, .of_two = ring_down_are_far_apart(before, count)};
    struct ring_down_samples last = *samples;
    memcpy(modes, before, count * sizeof *modes);
    if (!lacks_limits(before, count))
        return VERDICT_OK;
    last.preliminary = false;
    const enum verdict verdict = look_at_band(&last, &band, false, settings, count, modes);
    if (law_fitting_is_over(verdict) || !are_all_told(modes, count))
        memcpy(modes, before, count * sizeof *modes);
    return verdict;
}

/* Of what follows no law nobody knows how much is left in the samples that a filter hides. */
static bool can_be_taken_away(const struct ring_down_mode *modes, size_t count)
{
    bool can = true;
    for (size_t r = 0; r < count; r++)
        can =
            can && (modes[r].verdict != VERDICT_OK || modes[r].recommended == MODE_LAW || may_have_slipped(&modes[r]));
    return can;
}

/* Everything that is known of all modes of a record. */
struct cleaning {
    const struct ring_down_samples *samples;
    const struct ring_down_mode *before; /* as narrow bands show them */
    struct ring_down_mode *modes;
    size_t count;
    bool can_be_cleaned;
    struct cleaned cleaned;
};

static enum verdict look_at_one(struct cleaning *cleaning, const struct among *band,
                                const struct identify_settings *settings)
{
    const struct ring_down_mode *before = &cleaning->before[band->first];
    struct ring_down_mode *modes = &cleaning->modes[band->first];
    struct cleaned *cleaned = &cleaning->cleaned;
    bool told = false;
    enum verdict verdict = VERDICT_NOT_COMPUTED;
    if (cleaning->can_be_cleaned && are_worth_it(cleaning->before, band))
        verdict =
            take_others_away(cleaning->samples, settings->cancel, cleaning->modes, cleaning->count, band, cleaned);
    if (verdict == VERDICT_OK && band->count == 1)
        verdict = look_alone(cleaned, settings, false, before, 1, modes, &told);
    if (verdict == VERDICT_OK && !told)
        verdict = look_alone(cleaned, settings, true, before, band->count, modes, &told);
    if (!told && !law_fitting_is_over(verdict) && !cleaned->samples.preliminary)
        verdict = look_again(cleaning->samples, settings, before, band->count, modes);
    return law_fitting_is_over(verdict) ? verdict : VERDICT_OK;
}

static enum verdict look_at_all(struct cleaning *cleaning, bool preliminary, const struct identify_settings *settings)
{
    const struct ring_down_mode *modes = cleaning->before;
    struct identify_settings own = *settings;
    enum verdict verdict = VERDICT_OK;
    own.more_follows = preliminary || settings->more_follows;
    cleaning->cleaned.samples.preliminary = preliminary;
    for (struct among band = band_from(modes, cleaning->count, 0);
         band.first < cleaning->count && verdict == VERDICT_OK;
         band = band_from(modes, cleaning->count, band.first + band.count))
        verdict = look_at_one(cleaning, &band, &own);
    return verdict;
}

/* The first time gives laws alone, to take motions away: what is stopped behind it has its narrow band's backbone. */
static bool is_stopped(const struct ring_down_mode *mode, const struct identify_settings *settings)
{
    return law_fitting_is_over(mode->verdict) ||
           (!settings->more_follows && mode->simulation.verdict == VERDICT_PENDING);
}

enum verdict ring_down_wide(const struct ring_down_samples *samples, const struct identify_settings *settings,
                            struct ring_down_mode *modes, size_t count)
{
    struct cleaning cleaning = {.samples = samples, .modes = modes, .count = count};
    struct ring_down_mode *before = calloc(count, sizeof *before);
    enum verdict verdict = before && make_room(samples, &cleaning.cleaned) ? VERDICT_OK : VERDICT_NO_MEMORY;
    if (verdict == VERDICT_OK) {
        memcpy(before, modes, count * sizeof *before);
        cleaning.before = before;
        cleaning.can_be_cleaned = can_be_taken_away(modes, count);
        /* The first time the motions of the others are as narrow bands show them. */
        verdict = look_at_all(&cleaning, true, settings);
    }
    if (verdict == VERDICT_OK)
        verdict = look_at_all(&cleaning, false, settings);
    for (size_t r = 0; before && r < count; r++)
        if (is_stopped(&modes[r], settings))
            modes[r] = before[r];
    free(cleaning.cleaned.room);
    free(before);
    return verdict;
}
