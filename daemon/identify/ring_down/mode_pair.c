/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two modes of one band, from what one sensor sees of them. */

#include "identify/ring_down/mode_pair.h"

#include "identify/ring_down/group_fitting.h"
#include "identify/ring_down/law_fitting.h"
#include "identify/ring_down/mode_backbone.h"
#include "identify/ring_down/mode_laws.h"
#include "identify/ring_down/mode_separation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The noise is known from a quarter of a band's samples, and not to better than this. */
#define PAIR_LEAVES 1.3
/* Chi squared: with their twelve unknowns two laws leave so much less of one mode, in units of its noise, by chance in
 * one record of a thousand. */
#define TWO_BY_CHANCE 32.9

/* What one sensor saw a little later stands in for a second sensor: the modes have turned by then, each in its own way.
 */
static enum verdict fit_delayed(struct group_fitting *fitting, double one, double complex *room)
{
    static const size_t lags[] = {2, 4, 8, 16, 32, 64};
    const size_t all = fitting->band.samples.count;
    double complex *mode[GROUP_MODES] = {room, room + all};
    enum verdict verdict = VERDICT_OK;
    for (size_t k = 0; k < sizeof lags / sizeof lags[0] && 4 * lags[k] < all && !law_fitting_is_over(verdict); k++) {
        double complex *plane[GROUP_MODES] = {fitting->band.values, fitting->band.values + lags[k]};
        struct mode_sum starts;
        memset(room, 0, 2 * all * sizeof *room);
        if (!mode_separation(plane, all - lags[k], lags[k], mode) ||
            !group_fitting_start(fitting, mode, GROUP_MODES, &starts))
            continue;
        verdict = group_fitting_without_joints(fitting, &starts);
        /* Where beats are most of what one law leaves, two linear modes explain most of it. */
        if (!law_fitting_is_over(verdict) && fitting->squares * GROUP_ONE_LEAVES * GROUP_ONE_LEAVES < one)
            verdict = group_fitting_with_joints(fitting, &starts);
    }
    return law_fitting_is_over(verdict) ? verdict : VERDICT_OK;
}

/* Joints follow laws of their own: whether one mode whose damping and frequency deviate smoothly from the microslip law
 * leaves no more than two laws do, but for chance. Where no such mode is found, none does. */
static enum verdict may_be_one(const struct group_fitting *fitting, bool *one)
{
    const double count = (double)fitting->band.samples.count;
    const double variance = fitting->squares / (2 * count) * fitting->band.colour;
    struct law_fit fit;
    struct backbone backbone = {.verdict = VERDICT_NOT_COMPUTED};
    law_fit(fitting->record, fitting->cancel, &fit);
    if (fit.verdict == VERDICT_OK)
        mode_backbone(fitting->record, &fit, fitting->cancel, &backbone);
    *one = backbone.verdict == VERDICT_OK &&
           backbone.residual * backbone.residual * count - fitting->squares < TWO_BY_CHANCE * variance;
    return fit.verdict == VERDICT_OK ? backbone.verdict : fit.verdict;
}

static enum verdict find_pair(struct group_fitting *fitting, double complex *room)
{
    struct mode_group *group = fitting->group;
    double complex *const whole[1] = {fitting->band.values};
    const double count = 2 * (double)fitting->band.samples.count, noise = mode_band_noise(&fitting->band.samples, 0);
    /* Where the spectrum shows two modes, their beats are no noise. */
    const double most = fitting->record->of_two ? INFINITY : PAIR_LEAVES * noise;
    enum verdict verdict = group_fitting_from(fitting, whole, 1);
    const double one = fitting->squares;
    if (!law_fitting_is_over(verdict) && (fitting->record->of_two || sqrt(one / count) > most))
        verdict = fit_delayed(fitting, one, room);
    if (law_fitting_is_over(verdict))
        return verdict;
    const double left = sqrt(fitting->squares / count);
    if (group->sum.modes != GROUP_MODES || left > most || sqrt(one / count) < GROUP_ONE_LEAVES * left)
        return VERDICT_OK;
    verdict = group_fitting_drop_joints(fitting);
    if (law_fitting_is_over(verdict))
        return verdict;
    group_fitting_sort(&group->sum);
    group->noise[0] = left;
    if (!group_fitting_are_apart(&group->sum, fitting->record))
        return VERDICT_OK;
    const enum verdict of_one = may_be_one(fitting, &group->may_be_two);
    if (law_fitting_is_over(of_one))
        return of_one;
    group->modes = group->may_be_two ? 1 : GROUP_MODES;
    return VERDICT_OK;
}

void mode_pair_of(const struct mode_record *record, const atomic_bool *cancel, struct mode_group *group)
{
    struct group_fitting fitting = {
        .record = record, .cancel = cancel, .weighted = *record, .squares = INFINITY, .group = group};
    double complex *room = NULL;
    *group = (struct mode_group){.modes = 1};
    enum verdict verdict = mode_band_of(record, true, &fitting.band);
    if (verdict == VERDICT_OK)
        room = calloc(GROUP_MODES * fitting.band.samples.count, sizeof *room);
    if (verdict == VERDICT_OK)
        verdict = room ? find_pair(&fitting, room) : VERDICT_NO_MEMORY;
    group->verdict = verdict;
    if (group->modes == 1)
        group->sum.modes = 0;
    free(room);
    mode_fit_clear(&fitting.fit);
    mode_band_clear(&fitting.band);
}
