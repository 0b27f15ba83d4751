/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment_judge.h"

#include "identify/decay/identify.h"

#include <math.h>

/* How far off a parameter may be: five standard errors. A record without noise and steps has none worth the name; it
 * has to come back to 1e-9 of the scale, and nothing is asked beyond that. */
#define DEVIATIONS 5
#define EXACT 1e-9

/* At its bound an estimate has an upper limit of 95 %, 1.645 standard deviations above. */
static bool agrees(const struct estimate *estimate, double truth, double scale)
{
    if (isnan(estimate->value))
        return false;
    double se = estimate->at_bound ? (estimate->high - estimate->value) / 1.645 : estimate->se;
    return fabs(estimate->value - truth) <= DEVIATIONS * se + EXACT * scale;
}

/* The extremum at which the fit's t0 says that it begins. */
static size_t nearest(const struct true_decay *decay, double position)
{
    size_t best = 0;
    for (size_t j = 1; j < decay->extrema; j++)
        if (fabs(decay->extremum[j] - position) < fabs(decay->extremum[best] - position))
            best = j;
    return best;
}

static bool all_agree(const struct stream *stream, const struct true_decay *decay, const struct estimate estimates[5])
{
    const struct plant *plant = &stream->plant;
    double gain = fabs(stream->sensor.gain), f_n = plant->omega_n / (2 * M_PI);
    size_t j = nearest(decay, estimates[4].value / stream->dt);
    double x0 = stream->sensor.gain * decay->level[j], scale = fabs(x0);
    return agrees(&estimates[0], f_n, f_n) && agrees(&estimates[1], plant->zeta, 1) &&
           agrees(&estimates[2], gain * plant->x_k, scale) && agrees(&estimates[3], x0, scale) &&
           agrees(&estimates[4], decay->extremum[j] * stream->dt, stream->dt * stream->samples_per_cycle);
}

static const struct true_decay *true_decay_of(const struct stream *stream, const struct decay *piece)
{
    double middle = (double)piece->first_index + (double)piece->record.count / 2;
    for (size_t i = 0; i < stream->decay_count; i++)
        if (middle > stream->decays[i].released && middle < stream->decays[i].stopped)
            return &stream->decays[i];
    return NULL;
}

static void compare_record(const struct stream *stream, const struct decay *piece, struct parameters *sum)
{
    const struct true_decay *decay = true_decay_of(stream, piece);
    if (!decay || decay->extrema == 0)
        return;
    static const struct identify_settings settings = {0};
    struct identification result;
    sum->records++;
    identify(&piece->record, &piece->rest, &settings, &result);
    if (result.recommended == RECOMMENDED_NONE) {
        sum->refused++;
    } else {
        const struct full_record_fit *fit = &result.fit;
        const struct extrema_fit *extrema = &result.extrema_fit;
        const struct estimate by_fit[5] = {fit->f_n_hz, fit->estimate[FIT_ZETA], fit->estimate[FIT_X_K],
                                           fit->estimate[FIT_X0], fit->estimate[FIT_T0]};
        const struct estimate by_extrema[5] = {extrema->f_n_hz, extrema->estimate[FIT_ZETA], extrema->estimate[FIT_X_K],
                                               extrema->estimate[FIT_X0], extrema->estimate[FIT_T0]};
        sum->outside += !all_agree(stream, decay, result.recommended == RECOMMENDED_FIT ? by_fit : by_extrema);
    }
    identification_clear(&result);
}

void judge_parameters(const struct lab *lab, uint64_t seed, const struct findings *findings, size_t every,
                      struct parameters *sum)
{
    for (size_t i = 0; i < findings->count; i++)
        if ((seed + i) % every == 0)
            compare_record(lab->stream, findings->decays[i], sum);
}
