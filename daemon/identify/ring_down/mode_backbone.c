/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/mode_backbone.h"

#include "identify/ring_down/law_correct.h"

#include <math.h>
#include <stdlib.h>

/* Where the exact motion counted for the law, its difference from the slow flow is part of the model here, too. */
static enum verdict correct(const struct mode_record *record, const struct law_fit *fit, const atomic_bool *cancel,
                            struct mode_band *band)
{
    if (fit->corrections == 0)
        return VERDICT_OK;
    double *motion = calloc(record->count, sizeof *motion);
    const enum verdict verdict = motion ? law_correct(record, &fit->sum, cancel, motion, band) : VERDICT_NO_MEMORY;
    free(motion);
    return verdict;
}

static struct amplitude_law law_from(const struct amplitude_law *law, double x)
{
    return !(x < 0) ? *law : law->joint == macroslip_joint ? macroslip_from(law, x) : microslip_from(law, x);
}

/* The law as of the band's first sample, at which time 0 is from now on. */
static enum verdict begin_at_first_sample(const struct law_fit *fit, struct mode_band *band,
                                          struct backbone_start *start)
{
    struct slow_flow *flow = slow_flow_create();
    if (!flow)
        return VERDICT_NO_MEMORY;
    double x[PASS_MODES] = {0};
    bool follows = true;
    for (size_t r = 0; r < fit->sum.modes && follows; r++) {
        size_t hint = 0;
        follows = slow_flow_follow(flow, &fit->sum.law[r], band->samples.sensed, band->samples.first_s);
        x[r] = follows ? slow_flow_amplitude(flow, band->samples.first_s, &hint) : 0;
    }
    slow_flow_free(flow);
    *start = (struct backbone_start){.law = law_from(&fit->law, x[0]),
                                     .loss = fit->loss + x[0],
                                     .colour = band->colour,
                                     .beside = fit->sum.modes - 1};
    for (size_t r = 0; r < start->beside; r++)
        start->other[r] = law_from(&fit->sum.law[r + 1], x[r + 1]);
    for (size_t p = 0; p < fit->law.parameters; p++)
        start->se[p] = sqrt(fit->covariance[p][p]);
    band->samples.first_s = 0;
    return follows && start->loss > 0 ? VERDICT_OK : VERDICT_UNDERDETERMINED;
}

void mode_backbone(const struct mode_record *record, const struct law_fit *fit, const atomic_bool *cancel,
                   struct backbone *backbone)
{
    struct mode_band band;
    struct backbone_start start;
    *backbone = (struct backbone){.verdict = mode_band_of(record, false, &band)};
    if (backbone->verdict == VERDICT_OK)
        backbone->verdict = correct(record, fit, cancel, &band);
    if (backbone->verdict == VERDICT_OK)
        backbone->verdict = begin_at_first_sample(fit, &band, &start);
    if (backbone->verdict == VERDICT_OK)
        backbone_of(&band.samples, &start, cancel, backbone);
    mode_band_clear(&band);
}
