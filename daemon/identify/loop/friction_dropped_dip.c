/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_dropped_dip.h"

#include "identify/loop/friction_conclusions.h"
#include "identify/loop/friction_figure.h"

#include <math.h>

/* Twice the logarithm of likelihood that an unknown more gains by noise alone in one record of twenty, of two or three
 * at once: a dip that gains as much is there as likely as not, and one that gains less is not feared. */
static const double by_chance = 2.5;

static const char *const beyond =
    "not seen: with a dip whose velocity the record does not show it is explained as well, and has another level";

/* Whether a model has a dip, and maybe damping, beside or in place of what another without one has. Bouc and Wen's
 * shape has none, and stands in for one beside Dahl's. */
static bool has_dip(const struct friction_rung *one, const struct friction_rung *other)
{
    const unsigned dip = FRICTION_BIT(FRICTION_STRIBECK);
    const unsigned damping = FRICTION_BIT(FRICTION_VISCOUS) | FRICTION_BIT(FRICTION_BRISTLE);
    const struct friction_row *first = &friction_rows[one->row], *second = &friction_rows[other->row];
    const unsigned added = second->terms & ~first->terms;
    const bool bent = first->shape == FRICTION_BOUC_WEN && second->shape == FRICTION_DAHL;
    return other->verdict == VERDICT_OK && (first->shape == second->shape || bent) && added & dip &&
           !(added & ~(dip | damping));
}

/* One whose velocity ran to a bound is there all the same. */
static bool vanishes(const struct friction_fit *fit)
{
    struct friction_fit unbound = *fit;
    unbound.held &= ~(1u << COLUMN_V_S);
    return friction_is_reduced(&unbound);
}

/* By how much the logarithm of likelihood of one fit is below another's, twice, by the noise that this leaves. */
static double gained(const struct friction_weighing *weighing, double samples, const struct friction_fit *from,
                     const struct friction_fit *to)
{
    const struct friction_motion *motion = &weighing->climb->motions.all;
    struct ar_model noise;
    friction_residuals(motion, &to->point, weighing->residuals);
    friction_noise(weighing, &noise);
    const double floor =
        friction_floor(samples, friction_share_whitened(&noise, to->squares / (double)motion->samples));
    const double after = friction_bic(samples, friction_innovation(weighing, &noise), floor, 0);
    friction_residuals(motion, &from->point, weighing->residuals);
    return friction_bic(samples, friction_innovation(weighing, &noise), floor, 0) - after;
}

/* The likeliest model with a dip, and how much likelier than a rung it is; `at` itself where none is: a dip that gains
 * less is what noise makes of most records without any, whose level is known far better than it leaves it. */
static size_t likeliest_dip(const struct friction_weighing *weighing, double samples, size_t at,
                            const struct friction_rung *rung, double *likelier)
{
    const struct friction_fit *fit = weighing->climb->fit;
    size_t best = at;
    *likelier = 0;
    for (size_t r = 0; r < weighing->climb->count; r++) {
        if (!has_dip(&rung[at], &rung[r]) || vanishes(&fit[r]))
            continue;
        const double unknowns = friction_unknowns(&fit[r]) - friction_unknowns(&fit[at]);
        const double more = gained(weighing, samples, &fit[at], &fit[r]) - by_chance * unknowns;
        if (more > *likelier) {
            *likelier = more;
            best = r;
        }
    }
    return best;
}

void friction_doubt_dropped_dip(const struct friction_weighing *weighing, double samples, size_t at,
                                struct friction_rung *rung)
{
    double likelier;
    const size_t dip = likeliest_dip(weighing, samples, at, rung, &likelier);
    const double share = 1 / (1 + exp(-likelier / 2));
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS && dip != at; p++) {
        struct friction_figure *figure = &rung[at].figure[p];
        const struct friction_figure *other = &rung[dip].figure[p];
        if (!friction_row_has(&friction_rows[rung[dip].row], p))
            continue;
        if (isfinite(other->se))
            friction_figure_doubt(figure, other->value, other->se, share);
        else if (isfinite(figure->se) && isnan(other->value))
            *figure = friction_figure_without(beyond);
    }
}
