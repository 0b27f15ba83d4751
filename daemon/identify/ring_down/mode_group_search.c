/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two modes of one band, from what several sensors see of them: y(t) = shapes q(t). What the sensors see in common is
 * separated into the modes, and that starts a fit of both modes at once. */

#include "identify/ring_down/mode_group_search.h"

#include "identify/ring_down/common_motion.h"
#include "identify/ring_down/group_fitting.h"
#include "identify/ring_down/law_fitting.h"
#include "identify/ring_down/mode_separation.h"

#include <math.h>
#include <stdlib.h>

static enum verdict weigh(struct group_fitting *fitting, const double *noise)
{
    fitting->weighted = *fitting->record;
    for (size_t m = 1; m <= fitting->record->others; m++)
        fitting->weighted.other_weight[m - 1] = noise[0] / noise[m];
    mode_band_clear(&fitting->band);
    return mode_band_of(&fitting->weighted, true, &fitting->band);
}

static enum verdict fit_separated(struct group_fitting *fitting, double complex *const plane[GROUP_MODES],
                                  double complex *mode[GROUP_MODES])
{
    static const size_t lags[] = {1, 2, 4, 8, 16, 32};
    const size_t count = fitting->band.samples.count;
    if (fitting->group->modes == 1)
        return group_fitting_from(fitting, plane, 1);
    for (size_t k = 0; k < sizeof lags / sizeof lags[0] && 4 * lags[k] < count; k++)
        if (mode_separation(plane, count, lags[k], mode)) {
            const enum verdict verdict = group_fitting_from(fitting, mode, GROUP_MODES);
            if (law_fitting_is_over(verdict))
                return verdict;
        }
    return VERDICT_OK;
}

/* Of a motion that has not died out the noise is not known, and the second mode may be below what is taken for it:
 * where there are two peaks, two laws count that leave far less than one. */
static enum verdict fit_second_peak(struct group_fitting *fitting, double complex *const plane[GROUP_MODES],
                                    double complex *mode[GROUP_MODES])
{
    struct mode_group *group = fitting->group;
    const struct mode_group one = *group;
    const double squares = fitting->squares;
    group->modes = GROUP_MODES;
    fitting->squares = INFINITY;
    const enum verdict verdict = fit_separated(fitting, plane, mode);
    if (!law_fitting_is_over(verdict) && fitting->squares * GROUP_ONE_LEAVES * GROUP_ONE_LEAVES < squares)
        return VERDICT_OK;
    *group = one;
    fitting->squares = squares;
    return verdict;
}

/* Once more by the noise that the fit leaves. */
static enum verdict fit_weighted(struct group_fitting *fitting)
{
    struct mode_group *group = fitting->group;
    const struct mode_samples *samples = &fitting->band.samples;
    for (size_t m = 0; m < samples->sensors; m++) {
        const double weight = m > 0 ? fitting->weighted.other_weight[m - 1] : 1;
        const double variance = fmax(group->sum.squares[m] / (2 * (double)samples->count), samples->least_variance);
        group->noise[m] = sqrt(variance) / weight;
    }
    enum verdict verdict = weigh(fitting, group->noise);
    fitting->trial = group->sum;
    fitting->squares = INFINITY;
    if (verdict == VERDICT_OK)
        verdict = group_fitting_trial(fitting);
    /* The way to a joint that the record hardly tells is long: how far it came is held against none. */
    if (verdict == VERDICT_NOT_CONVERGED) {
        group->sum = fitting->trial;
        fitting->squares = fitting->fit.squares;
        verdict = VERDICT_OK;
    }
    if (verdict == VERDICT_OK)
        verdict = group_fitting_drop_joints(fitting);
    return verdict;
}

static enum verdict join(struct group_fitting *fitting, size_t peaks, double complex *room)
{
    struct mode_group *group = fitting->group;
    struct seen_band seen = {.band = &fitting->band.samples};
    struct common_motion common;
    const size_t count = fitting->band.samples.count;
    double complex *plane[GROUP_MODES] = {room, room + count};
    double complex *mode[GROUP_MODES] = {room + 2 * count, room + 3 * count};
    for (size_t m = 0; m < seen.band->sensors; m++)
        seen.noise[m] = group_fitting_noise(fitting->record, seen.band, m);
    if (!common_motion_of(&seen, &common))
        return VERDICT_NO_MEMORY;
    group->modes = common_motion_rank(&common, seen.band);
    if (group->modes > GROUP_MODES)
        return VERDICT_MODES_TOO_NEAR;
    common_motion_project(&seen, &common, plane);
    enum verdict verdict = weigh(fitting, seen.noise);
    group->verdict = VERDICT_NO_OSCILLATION;
    if (verdict == VERDICT_OK)
        verdict = fit_separated(fitting, plane, mode);
    if (!law_fitting_is_over(verdict) && group->modes < peaks)
        verdict = fit_second_peak(fitting, plane, mode);
    if (law_fitting_is_over(verdict) || group->verdict != VERDICT_OK)
        return law_fitting_is_over(verdict) ? verdict
               : group->modes > 1           ? VERDICT_MODES_TOO_NEAR
                                            : VERDICT_NO_OSCILLATION;
    verdict = fit_weighted(fitting);
    if (law_fitting_is_over(verdict) || group->modes == 1)
        return verdict;
    group_fitting_sort(&group->sum);
    return verdict != VERDICT_OK || !group_fitting_are_apart(&group->sum, fitting->record) ? VERDICT_MODES_TOO_NEAR
                                                                                           : VERDICT_OK;
}

void mode_group_of(const struct mode_record *record, size_t peaks, const atomic_bool *cancel, struct mode_group *group)
{
    struct group_fitting fitting = {
        .record = record, .cancel = cancel, .weighted = *record, .squares = INFINITY, .group = group};
    *group = (struct mode_group){.verdict = VERDICT_OK, .modes = 1};
    if (record->others == 0)
        return;
    for (size_t m = 0; m < record->others; m++)
        fitting.weighted.other_weight[m] = 1;
    enum verdict verdict = mode_band_of(&fitting.weighted, true, &fitting.band);
    double complex *room = NULL;
    if (verdict == VERDICT_OK)
        room = calloc(2 * GROUP_MODES * fitting.band.samples.count, sizeof *room);
    if (verdict == VERDICT_OK)
        verdict = room ? join(&fitting, peaks, room) : VERDICT_NO_MEMORY;
    group->verdict = verdict;
    for (size_t r = 0; r < group->modes && r < GROUP_MODES; r++)
        for (size_t m = 1; m <= record->others; m++)
            group->sum.amplitude[r][m] /= fitting.weighted.other_weight[m - 1];
    free(room);
    mode_fit_clear(&fitting.fit);
    mode_band_clear(&fitting.band);
}
