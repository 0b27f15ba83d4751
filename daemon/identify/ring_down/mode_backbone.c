/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/mode_backbone.h"

#include <math.h>
#include <stdlib.h>

/* Where the exact motion counted for the law, its difference from the slow flow is part of the model here, too. */
static enum verdict correct(const struct mode_record *record, const struct law_fit *fit, const atomic_bool *cancel,
                            struct mode_band *band)
{
    if (fit->corrections == 0)
        return VERDICT_OK;
    double *motion = calloc(record->count, sizeof *motion);
    const enum verdict verdict =
        motion ? law_correct(record, &fit->law, fit->amplitude, cancel, motion, band) : VERDICT_NO_MEMORY;
    free(motion);
    return verdict;
}

/* The law as of the band's first sample, at which time 0 is from now on. */
static enum verdict begin_at_first_sample(const struct law_fit *fit, struct mode_band *band,
                                          struct backbone_start *start)
{
    struct slow_flow *flow = slow_flow_create();
    size_t hint = 0;
    if (!flow)
        return VERDICT_NO_MEMORY;
    const bool follows = slow_flow_follow(flow, &fit->law, band->samples.sensed, band->samples.first_s);
    const double x = follows ? slow_flow_amplitude(flow, band->samples.first_s, &hint) : 0;
    slow_flow_free(flow);
    *start = (struct backbone_start){
        .law = x < 0 ? microslip_from(&fit->law, x) : fit->law, .loss = fit->loss + x, .colour = band->colour};
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
