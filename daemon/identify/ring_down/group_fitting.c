/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/group_fitting.h"

#include "identify/ring_down/law_fitting.h"
#include "identify/ring_down/law_start.h"
#include "identify/ring_down/microslip_law.h"

#include <math.h>
#include <string.h>

/* Modes nearer to each other than this, of their frequency, or than half a turn in the whole record, are not told from
 * one mode whose shape drifts. */
#define LEAST_APART 0.003

enum verdict group_fitting_trial(struct group_fitting *fitting)
{
    mode_fit_clear(&fitting->fit);
    const enum verdict verdict =
        mode_fit(&fitting->band.samples, NULL, fitting->cancel, &fitting->trial, &fitting->fit);
    if (verdict == VERDICT_OK && fitting->fit.squares < fitting->squares) {
        fitting->squares = fitting->fit.squares;
        fitting->group->sum = fitting->trial;
        fitting->group->verdict = VERDICT_OK;
    }
    return verdict;
}

static struct amplitude_law without_joint(const struct amplitude_law *law)
{
    const double *p = law->parameter;
    const double joint =
        law->parameters > MICROSLIP_LOG_ZETA_J ? 2 * p[MICROSLIP_OMEGA_0] * exp(p[MICROSLIP_LOG_ZETA_J]) : 0;
    return linear_law(p[MICROSLIP_OMEGA_0], p[MICROSLIP_C] + joint);
}

double group_fitting_noise(const struct mode_record *record, const struct mode_samples *band, size_t sensor)
{
    return record->of_two ? mode_band_noise_among(band, sensor, GROUP_MODES) : mode_band_noise(band, sensor);
}

bool group_fitting_start(const struct group_fitting *fitting, double complex *const mode[], size_t modes,
                         struct mode_sum *starts)
{
    *starts = (struct mode_sum){.modes = modes};
    for (size_t r = 0; r < modes; r++) {
        struct mode_samples alone = fitting->band.samples;
        struct law_starts found;
        alone.sensors = 1;
        alone.values = mode[r];
        law_start(&alone, group_fitting_noise(fitting->record, &alone, 0), &found);
        if (found.count == 0)
            return false;
        starts->law[r] = found.law[0];
    }
    return true;
}

enum verdict group_fitting_with_joints(struct group_fitting *fitting, const struct mode_sum *starts)
{
    fitting->trial = *starts;
    return group_fitting_trial(fitting);
}

enum verdict group_fitting_without_joints(struct group_fitting *fitting, const struct mode_sum *starts)
{
    fitting->trial = (struct mode_sum){.modes = starts->modes};
    for (size_t r = 0; r < starts->modes; r++)
        fitting->trial.law[r] = without_joint(&starts->law[r]);
    return group_fitting_trial(fitting);
}

enum verdict group_fitting_from(struct group_fitting *fitting, double complex *const mode[], size_t modes)
{
    struct mode_sum starts;
    if (!group_fitting_start(fitting, mode, modes, &starts))
        return VERDICT_NO_OSCILLATION;
    const enum verdict verdict = group_fitting_with_joints(fitting, &starts);
    if (law_fitting_is_over(verdict))
        return verdict;
    const enum verdict linear = group_fitting_without_joints(fitting, &starts);
    return law_fitting_is_over(linear) ? linear : verdict;
}

enum verdict group_fitting_drop_joints(struct group_fitting *fitting)
{
    for (size_t r = 0; r < fitting->group->modes; r++) {
        struct mode_group *group = fitting->group;
        const struct mode_sum before = group->sum;
        const double squares = fitting->squares;
        if (before.law[r].parameters <= MICROSLIP_LOG_ZETA_J)
            continue;
        fitting->trial = before;
        fitting->trial.law[r] = without_joint(&before.law[r]);
        fitting->squares = INFINITY;
        const enum verdict verdict = group_fitting_trial(fitting);
        if (law_fitting_is_over(verdict))
            return verdict;
        const double variance = squares / (double)fitting->fit.rows;
        if (fitting->squares - squares > JOINT_SHOWS * variance * fitting->band.colour || verdict != VERDICT_OK) {
            group->sum = before;
            fitting->squares = squares;
        }
    }
    return VERDICT_OK;
}

void group_fitting_sort(struct mode_sum *sum)
{
    const struct mode_sum before = *sum;
    if (before.law[0].parameter[MICROSLIP_OMEGA_0] <= before.law[1].parameter[MICROSLIP_OMEGA_0])
        return;
    for (size_t r = 0; r < GROUP_MODES; r++) {
        sum->law[r] = before.law[1 - r];
        memcpy(sum->amplitude[r], before.amplitude[1 - r], sizeof sum->amplitude[r]);
    }
}

bool group_fitting_are_apart(const struct mode_sum *sum, const struct mode_record *record)
{
    const double duration_s = (double)record->count / record->rate_hz;
    const double first = sum->law[0].parameter[MICROSLIP_OMEGA_0], second = sum->law[1].parameter[MICROSLIP_OMEGA_0];
    return fabs(first - second) > LEAST_APART * first && fabs(first - second) * duration_s > M_PI;
}
