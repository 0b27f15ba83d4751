/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_exponent.h"

#include "identify/loop/friction_conclusions.h"
#include "identify/loop/friction_doubt.h"
#include "identify/loop/friction_figure.h"
#include "identify/loop/friction_unseen.h"

#include <math.h>

/* A dip of the other exponent; false: the model has none, or none with that. */
static bool fit_other(const struct friction_motion *motion, const struct friction_fit *fit, struct friction_fit *other)
{
    struct friction_point start = fit->point;
    if (!friction_column_used(&start.row, COLUMN_RATIO) || friction_column_used(&start.row, COLUMN_EXPONENT))
        return false;
    start.value[COLUMN_EXPONENT] = 3 - start.value[COLUMN_EXPONENT];
    friction_fit_from(motion, &start, other);
    return !friction_is_reduced(other);
}

/* By how much more the evidence of another fit is, by the noise that the first leaves. */
static double evidence_beyond(const struct friction_weighing *weighing, const struct friction_fit *fit,
                              const struct friction_fit *other, double samples, struct ar_model *noise)
{
    const struct friction_motion *motion = &weighing->climb->motions.all;
    friction_residuals(motion, &fit->point, weighing->residuals);
    friction_noise(weighing, noise);
    const double here = friction_innovation(weighing, noise);
    friction_residuals(motion, &other->point, weighing->residuals);
    return samples * log(friction_innovation(weighing, noise) / here);
}

/* The rung's figures become those of another fit. */
static void take(const struct friction_weighing *weighing, const struct friction_fit *fit, size_t at,
                 struct friction_rung *rung)
{
    const struct friction_motion *motion = &weighing->climb->motions.all;
    struct ar_model noise;
    friction_residuals(motion, &fit->point, weighing->residuals);
    friction_noise(weighing, &noise);
    rung->rms = friction_rms(weighing) * motion->unit_force;
    friction_conclude(motion, fit, &noise, NULL, rung);
    friction_doubt_motion(weighing, fit, rung);
    weighing->climb->fit[at] = *fit;
}

double friction_choose_exponent(const struct friction_weighing *weighing, double samples, size_t at,
                                struct friction_rung *rung, struct friction_rung *beside)
{
    const struct friction_motion *motion = &weighing->climb->motions.all;
    const struct friction_fit first = weighing->climb->fit[at];
    struct friction_fit second;
    struct ar_model noise;
    beside->verdict = VERDICT_UNDERDETERMINED;
    if (!fit_other(motion, &first, &second))
        return 0;
    const double more = evidence_beyond(weighing, &first, &second, samples, &noise);
    const bool swaps = second.squares < first.squares;
    if (swaps)
        take(weighing, &second, at, rung);
    friction_conclude(motion, swaps ? &first : &second, &noise, NULL, beside);
    friction_conclude_dip(beside);
    return 1 / (1 + exp((swaps ? -more : more) / 2));
}

/* Its static level and velocity, as if the exponent were known. */
static struct friction_exponent exponent_of(const struct friction_rung *rung, double share)
{
    return (struct friction_exponent){rung->stribeck_exponent, share, rung->figure[FRICTION_F_S],
                                      rung->figure[FRICTION_V_S]};
}

void friction_doubt_exponent(const struct friction_rung *beside, double share, struct friction_rung *rung,
                             struct friction_exponents *exponents)
{
    if (beside->verdict != VERDICT_OK)
        return;
    const bool is_either = share > 1 / (1 + exp(friction_evidence_more / 2));
    if (is_either) {
        exponents->count = 2;
        exponents->exponent[0] = exponent_of(rung, 1 - share);
        exponents->exponent[1] = exponent_of(beside, share);
    }
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++)
        friction_figure_doubt(&rung->figure[p], beside->figure[p].value, beside->figure[p].se, share);
    /* With the other exponent the dip may be one that is not seen, which is no reason to trust this one. */
    for (size_t k = 0; is_either && k < beside->fitted_count; k++) {
        const struct friction_fitted *fitted = &beside->fitted[k];
        if (isnan(beside->figure[fitted->parameter].value))
            friction_figure_doubt(&rung->figure[fitted->parameter], fitted->value, sqrt(fitted->covariance[k]), share);
    }
}
