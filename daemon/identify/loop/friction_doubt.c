/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_doubt.h"

#include "identify/loop/friction_conclusions.h"
#include "identify/loop/friction_figure.h"
#include "identify/loop/friction_knowledge.h"

#include <math.h>
#include <string.h>

/* Models leave as much as each other that differ by this in the evidence, less than any noise brings about; values of
 * theirs that differ by less than this share of a standard uncertainty are the same. */
static const double evidence_same = 1e-3, same_value = 0.1;

static const char *const alike =
    "not seen: a model with another term in place of one of this leaves as much, and has another value";

static const char *const jump =
    "not seen: at one sliding speed the jump of the force by a damping and the stiffest part of the "
    "contact are not told apart";

/* The share of the change of the force by the motion's noise that stays in the residuals: the unknowns take the rest.
 */
static double share_left(const struct friction_motion *motion, const struct friction_fit *fit,
                         const struct friction_shaking *shaking)
{
    const struct ar_model white = {.innovation = fit->squares / (double)motion->samples};
    const double squares = shaking->products[0] * (double)motion->samples;
    struct friction_knowledge of;
    double taken = 0;
    if (!(squares > 0) || !friction_know(motion, fit, &white, NULL, &of))
        return 1;
    for (size_t k = 0; k < shaking->count; k++) {
        struct friction_gradient gradient;
        memcpy(gradient.by, shaking->sum[k], sizeof gradient.by);
        taken += friction_variance_along(&of, &gradient) / white.innovation / (double)shaking->count;
    }
    return fmax(1 - taken / squares, 0);
}

/* Of the force alone: what the motion's noise leaves is taken from the residuals' noise, but for what is told of the
 * force from sample to sample. */
static struct ar_model force_noise(const struct friction_weighing *weighing, const struct friction_fit *fit,
                                   const struct friction_shaking *shaking)
{
    const struct friction_motion *motion = &weighing->climb->motions.all;
    const double least = pow(weighing->signal->noise_force / motion->unit_force, 2);
    const double share = share_left(motion, fit, shaking);
    double products[AR_MOST + 1] = {0};
    struct ar_model noise;
    friction_products(weighing, products);
    for (size_t lag = 0; lag <= AR_MOST; lag++)
        products[lag] -= share * shaking->products[lag];
    if (!(products[0] > least))
        return (struct ar_model){.innovation = least};
    ar_model_from(products, motion->samples, &noise);
    return noise;
}

void friction_doubt_motion(const struct friction_weighing *weighing, const struct friction_fit *fit,
                           struct friction_rung *rung)
{
    const struct friction_motions *motions = &weighing->climb->motions;
    struct friction_shaking shaking;
    if (friction_shake(weighing->signal, motions, fit, &shaking) != 0)
        rung->verdict = VERDICT_NO_MEMORY;
    else if (shaking.count > 0) {
        friction_residuals(&motions->all, &fit->point, weighing->residuals);
        const struct ar_model noise = force_noise(weighing, fit, &shaking);
        friction_conclude(&motions->all, fit, &noise, &shaking, rung);
    }
}

/* By what noise of the displacement makes the variance of an unknown larger. */
static double widening(const struct friction_knowledge *still, const struct friction_knowledge *shaken,
                       enum friction_column column)
{
    struct friction_gradient unknown = {.by = {0}};
    unknown.by[column] = 1;
    return friction_is_seen(shaken, &unknown)
               ? friction_variance_along(shaken, &unknown) / friction_variance_along(still, &unknown)
               : INFINITY;
}

bool friction_widen(const struct friction_weighing *weighing, const struct friction_fit *fit,
                    struct friction_widening *of)
{
    const struct friction_motions *motions = &weighing->climb->motions;
    struct friction_shaking shaking;
    struct friction_knowledge still, shaken;
    struct ar_model left;
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
        of->by[c] = 1;
    of->squares = 0;
    if (friction_shake(weighing->signal, motions, fit, &shaking) != 0 || shaking.count == 0)
        return false;
    of->squares = shaking.products[0] * (double)motions->all.samples;
    friction_residuals(&motions->all, &fit->point, weighing->residuals);
    friction_noise(weighing, &left);
    const struct ar_model force = force_noise(weighing, fit, &shaking);
    if (!friction_know(&motions->all, fit, &left, NULL, &still) ||
        !friction_know(&motions->all, fit, &force, &shaking, &shaken))
        return false;
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
        if (friction_column_used(&fit->point.row, c))
            of->by[c] = fmax(1, widening(&still, &shaken, c));
    return true;
}

static bool is_new(const struct friction_fit *fit, const struct friction_fit *without, enum friction_column column)
{
    return friction_column_used(&fit->point.row, column) && !friction_column_used(&without->point.row, column);
}

double friction_widening_beyond(const struct friction_widening *of, const struct friction_fit *fit,
                                const struct friction_fit *without)
{
    double most = 1;
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
        if (is_new(fit, without, c))
            most = fmax(most, of->by[c]);
    return most;
}

/* Of a parameter that a model may lack; a term that it lacks is 0. */
static double value_in(const struct friction_rung *rung, enum friction_parameter p)
{
    const bool zero = p == FRICTION_SIGMA_1 || p == FRICTION_SIGMA_2 || p == FRICTION_K_X || p == FRICTION_MOVED_MASS;
    return zero && !friction_row_has(&friction_rows[rung->row], p) ? 0 : rung->figure[p].value;
}

/* The same model with damping beside. */
static bool is_damped(const struct friction_rung *one, const struct friction_rung *other)
{
    const unsigned damping = FRICTION_BIT(FRICTION_VISCOUS) | FRICTION_BIT(FRICTION_BRISTLE);
    const struct friction_row *first = &friction_rows[one->row], *second = &friction_rows[other->row];
    const unsigned added = second->terms ^ first->terms;
    return other->verdict == VERDICT_OK && !other->reduced && friction_row_extends(first, second) && added &&
           !(added & ~damping);
}

/* Beside a dip a viscous force is nearly a level, and behind a turn damped bristles are nearly shorter ones: a damping
 * that is not worth it may be there all the same, with other values of these. */
static bool is_alternative(const struct friction_rung *one, const struct friction_rung *other)
{
    const struct friction_row *first = &friction_rows[one->row], *second = &friction_rows[other->row];
    return other->verdict == VERDICT_OK && !other->reduced && first->shape == second->shape &&
           !friction_row_extends(second, first) && (!friction_row_extends(first, second) || is_damped(one, other)) &&
           other->evidence < one->evidence + friction_evidence_more;
}

void friction_doubt_alternatives(const struct friction_weighing *weighing, size_t at, struct friction_rung *rung)
{
    struct friction_rung *one = &rung[at];
    const struct friction_fit *fit = weighing->climb->fit;
    for (size_t r = 0; r < weighing->climb->count; r++) {
        const struct friction_rung *other = &rung[r];
        if (!is_alternative(one, other))
            continue;
        const double more = other->evidence - one->evidence, share = 1 / (1 + exp(more / 2));
        const bool same = fabs(more) < evidence_same && friction_unknowns(&fit[r]) == friction_unknowns(&fit[at]);
        for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++) {
            struct friction_figure *figure = &one->figure[p];
            const double value = value_in(other, p), apart = value - figure->value;
            if (same && fabs(apart) > same_value * figure->se)
                *figure = friction_figure_without(alike);
            else
                friction_figure_doubt(figure, value, other->figure[p].se, share);
        }
    }
}

/* An element of which no more than one sample is between slipping one way and the other, two slip lengths, has a
 * stiffness like that of a jump. */
static bool has_jump(const struct friction_motion *motion, const struct friction_rung *rung)
{
    bool has = false;
    for (size_t k = 0; k < rung->spectrum.count; k++)
        has = has || rung->spectrum.element[k].slip_length.value <= motion->usual_step * motion->unit_displacement;
    return has;
}

void friction_doubt_stiffness(const struct friction_motion *motion, size_t count, size_t at, struct friction_rung *rung)
{
    struct friction_figure *one = &rung[at].figure[FRICTION_SIGMA_0];
    double furthest = one->value;
    if (!friction_motion_has_one_speed(motion) || !isfinite(one->value))
        return;
    bool told = !has_jump(motion, &rung[at]);
    for (size_t r = 0; r < count; r++) {
        const double other = rung[r].figure[FRICTION_SIGMA_0].value;
        if (!is_damped(&rung[at], &rung[r]))
            continue;
        told = told && isfinite(other);
        furthest = fabs(other - one->value) > fabs(furthest - one->value) ? other : furthest;
    }
    if (told)
        friction_figure_doubt(one, furthest, 0, 1);
    else
        *one = friction_figure_without(jump);
}
