/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_conclusions.h"

#include "identify/loop/friction_figure.h"
#include "identify/loop/friction_knowledge.h"
#include "identify/loop/friction_offsets.h"
#include "identify/loop/friction_one_speed.h"
#include "identify/loop/friction_unseen.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const given_up = "given_up: another model leaves far less, and this one was not fitted to its end";
static const char *const vanishes = "the term vanishes: at its bound 0";
static const char *const frictionless_alike =
    "not seen: without dry friction the record is explained as well; upper is what the level is below";
static const char *const viscous_alike =
    "not seen: the record does not tell the level from a viscous force; their sum is the force of the plateaus";

/* With its standard uncertainty and interval. */
static struct friction_figure known_figure(const struct friction_knowledge *of,
                                           const struct friction_quantity *quantity)
{
    const double se = sqrt(friction_variance_along(of, &quantity->gradient));
    return friction_figure_of(quantity->value, se, quantity->logarithmic);
}

static struct friction_figure seen_figure(const struct friction_knowledge *of, const struct friction_quantity *quantity)
{
    const char *reason = friction_why_unseen(of, &quantity->gradient);
    return reason ? friction_figure_without(reason) : known_figure(of, quantity);
}

static struct friction_figure figure_of(const struct friction_motion *motion, const struct friction_fit *fit,
                                        const struct friction_knowledge *of, enum friction_parameter parameter)
{
    const bool by_plateaus = parameter == FRICTION_SIGMA_0 && friction_has_plateau_stiffness(motion, &fit->point.row);
    const struct friction_quantity quantity =
        by_plateaus ? friction_plateau_stiffness(motion, fit) : friction_quantity_of(motion, fit, parameter);
    struct friction_figure figure =
        friction_figure_without(friction_why_unknown(motion, fit, of, parameter, &quantity));
    if (figure.reason)
        return figure;
    if (friction_is_at_zero(fit, parameter)) {
        figure.value = quantity.value;
        figure.reason = vanishes;
        return figure;
    }
    return known_figure(of, &quantity);
}

/* By their slip lengths; a length that is not known stands last. */
static int by_length(const void *a, const void *b)
{
    const double one = ((const struct friction_spectrum_line *)a)->slip_length.value;
    const double other = ((const struct friction_spectrum_line *)b)->slip_length.value;
    return (one > other || isnan(one)) - (one < other || isnan(other));
}

/* The elements that the fit found. */
static void conclude_elements(const struct friction_motion *motion, const struct friction_fit *fit,
                              const struct friction_knowledge *of, struct friction_spectrum *spectrum)
{
    const char *bent = friction_bent_by_dip(motion, fit, of);
    spectrum->count = 0;
    for (enum friction_column c = COLUMN_ELEMENT; c < FRICTION_LINEAR; c++) {
        if (!friction_column_used(&fit->point.row, c) || friction_is_held(fit, c))
            continue;
        const struct friction_quantity force = friction_linear_of(motion->unit_force, fit->point.value, c);
        const struct friction_quantity length = friction_product_of(
            motion->unit_displacement, fit->point.value, c - COLUMN_ELEMENT + COLUMN_LENGTH, 1, COLUMN_START, 0);
        struct friction_spectrum_line *line = &spectrum->element[spectrum->count++];
        const char *reason = bent ? bent : friction_length_unknown(motion, fit, of, c - COLUMN_ELEMENT);
        line->slip_length = reason ? friction_figure_without(reason) : seen_figure(of, &length);
        line->slip_force = bent ? friction_figure_without(bent) : seen_figure(of, &force);
        line->fitted_length = length.value;
        line->fitted_force = force.value;
    }
    qsort(spectrum->element, spectrum->count, sizeof spectrum->element[0], by_length);
}

/* What predictions begin with. A change of the scaled unknowns of 1 changes the force by as much as has squares that
 * sum up to 1, were it not for the others. */
static void tell_fitted(const struct friction_motion *motion, const struct friction_fit *fit,
                        const struct friction_knowledge *of, struct friction_rung *rung)
{
    struct friction_quantity quantity[FRICTION_FITTED];
    const double unseen = friction_level_of(fit) * sqrt((double)motion->samples);
    size_t count = 0;
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++) {
        if (friction_parameter_follows(p) || !friction_row_has(&fit->point.row, p))
            continue;
        assert(count < FRICTION_FITTED);
        quantity[count] = friction_quantity_of(motion, fit, p);
        rung->fitted[count] = (struct friction_fitted){.parameter = (int)p, .value = quantity[count].value};
        count++;
    }
    rung->fitted_count = count;
    for (size_t a = 0; a < count; a++) {
        rung->fitted[a].count = count;
        for (size_t b = 0; b < count; b++) {
            const struct friction_gradient *one = &quantity[a].gradient, *other = &quantity[b].gradient;
            double *covariance = &rung->fitted[a].covariance[b];
            *covariance = friction_covariance_along(of, one, other);
            for (size_t k = 0; k < of->count; k++)
                if (!of->seen[k])
                    *covariance +=
                        unseen * unseen * friction_change_along(of, one, k) * friction_change_along(of, other, k);
        }
    }
}

/* The unknowns without which a model is a simpler one. GMS at any rate is not Maxwell-slip: what slips follows a level
 * that rises, and is not held back as springs are. */
static unsigned terms_of(const struct friction_row *row)
{
    static const enum friction_column columns[] = {COLUMN_SIGMA_1, COLUMN_SIGMA_2,  COLUMN_K_X,    COLUMN_RATIO,
                                                   COLUMN_V_S,     COLUMN_EXPONENT, COLUMN_SHAPE,  COLUMN_SHAPE_2,
                                                   COLUMN_LEVELS,  COLUMN_PATH,     COLUMN_PATH_2, COLUMN_MASS};
    unsigned bits = 0;
    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++)
        bits |= friction_column_used(row, columns[k]) ? 1u << columns[k] : 0;
    return row->shape == FRICTION_MAXWELL ? bits & ~(1u << COLUMN_SHAPE) : bits;
}

/* Of elements all of which slip in every sample, or never do, nothing is left but the rigid shape and a spring. */
static bool has_no_element(const struct friction_fit *fit)
{
    bool none = fit->point.row.shape == FRICTION_MAXWELL;
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++)
        none = none && (!(fit->point.value[COLUMN_ELEMENT + k] > 0) ||
                        friction_is_held(fit, (enum friction_column)(COLUMN_LENGTH + k)));
    return none;
}

/* A gap that ends at its lower bound is no gap; one at its upper bound is never crossed. This value, in half strokes,
 * lies between the bounds. */
static const double gap_between_bounds = 1;

/* What an unknown at its bound leaves of the model though it is none without it: stops that harden as much as is looked
 * for, and that have no gap. */
static unsigned not_simpler(const struct friction_fit *fit)
{
    const double *value = fit->point.value;
    if (!friction_row_has(&fit->point.row, FRICTION_STOPS) || !(value[COLUMN_EXPONENT] > 1))
        return 0;
    return 1u << COLUMN_EXPONENT | (value[COLUMN_SHAPE] < gap_between_bounds ? 1u << COLUMN_SHAPE : 0);
}

bool friction_is_reduced(const struct friction_fit *fit)
{
    return fit->held & terms_of(&fit->point.row) & ~not_simpler(fit) || has_no_element(fit);
}

/* What a Coulomb level is below, of which nothing is seen: the end of the interval of one that is fitted beside. */
static struct friction_figure most_level(const struct friction_motion *motion, const struct friction_fit *fit,
                                         const struct ar_model *noise, const struct friction_shaking *shaking)
{
    struct friction_figure figure = friction_figure_without(frictionless_alike);
    struct friction_point point = fit->point;
    struct friction_fit wider;
    struct friction_knowledge of;
    point.row.shape = FRICTION_RIGID;
    friction_fit_from(motion, &point, &wider);
    const struct friction_quantity level = friction_quantity_of(motion, &wider, FRICTION_F_C);
    if (!friction_know(motion, &wider, noise, shaking, &of) || !friction_is_seen(&of, &level.gradient))
        return figure;
    const double se = sqrt(friction_variance_along(&of, &level.gradient));
    figure.low = 0;
    figure.high = friction_figure_of(fmax(level.value, 0), se, false).high;
    return figure;
}

/* The same fit with a viscous force of 0. */
static struct friction_fit with_viscous(const struct friction_motion *motion, const struct friction_fit *fit)
{
    struct friction_fit wider = *fit;
    wider.point.row.terms |= FRICTION_BIT(FRICTION_VISCOUS);
    wider.point.value[COLUMN_SIGMA_2] = 0;
    wider.held &= ~(1u << COLUMN_SIGMA_2);
    friction_pass(motion, &wider.point, true, &wider.normal);
    if (!(fit->normal.sum[COLUMN_START][COLUMN_START] > 0))
        wider.normal.sum[COLUMN_START][COLUMN_START] = 0;
    return wider;
}

void friction_conclude_level(const struct friction_motion *motion, const struct friction_fit *fit,
                             struct friction_rung *rung)
{
    static const enum friction_parameter of_level[] = {
        FRICTION_F_C, FRICTION_F_S, FRICTION_X_D, FRICTION_LEVEL_RATIO, FRICTION_F_C_FORWARD, FRICTION_F_C_BACKWARD};
    static const struct ar_model white = {.innovation = 1};
    struct friction_knowledge of;
    if (rung->verdict != VERDICT_OK)
        return;
    if (friction_motion_has_one_speed(motion))
        friction_conclude_one_speed(motion, fit, rung);
    if (friction_column_used(&fit->point.row, COLUMN_SIGMA_2))
        return;
    const struct friction_fit wider = with_viscous(motion, fit);
    if (!friction_know(motion, &wider, &white, NULL, &of))
        return;
    for (size_t k = 0; k < sizeof of_level / sizeof *of_level; k++) {
        struct friction_figure *figure = &rung->figure[of_level[k]];
        const struct friction_quantity quantity = friction_quantity_of(motion, &wider, of_level[k]);
        if (isfinite(figure->se) && !friction_is_seen(&of, &quantity.gradient))
            *figure = friction_figure_without(viscous_alike);
    }
}

static_assert(FRICTION_UNKNOWNS <= 32, "every unknown has its bit");

void friction_conclude(const struct friction_motion *motion, const struct friction_fit *fit,
                       const struct ar_model *noise, const struct friction_shaking *shaking, struct friction_rung *rung)
{
    struct friction_knowledge of;
    rung->reduced = !fit->abandoned && friction_is_reduced(fit);
    const bool frictionless = fit->point.row.shape == FRICTION_NONE;
    rung->verdict = frictionless || friction_level_of(fit) > 0 ? VERDICT_OK : VERDICT_UNDERDETERMINED;
    if (fit->abandoned)
        rung->verdict = VERDICT_NOT_CONVERGED;
    const char *const not_told = fit->abandoned ? given_up : verdict_sentence(rung->verdict);
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++)
        rung->figure[p] =
            friction_figure_without(friction_row_has(&fit->point.row, p) ? not_told : friction_lacks_term);
    rung->spectrum.count = rung->offsets.count = 0;
    rung->fitted_count = 0;
    /* With stops that harden the unknown is theirs. */
    rung->stribeck_exponent =
        friction_row_has(&fit->point.row, FRICTION_STOPS) ? NAN : fit->point.value[COLUMN_EXPONENT];
    if (rung->verdict != VERDICT_OK)
        return;
    if (!friction_know(motion, fit, noise, shaking, &of)) {
        rung->verdict = VERDICT_NO_MEMORY;
        return;
    }
    of.brief = friction_find_brief(motion, fit);
    conclude_elements(motion, fit, &of, &rung->spectrum);
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++)
        rung->figure[p] = figure_of(motion, fit, &of, p);
    if (frictionless)
        rung->figure[FRICTION_F_C] = most_level(motion, fit, noise, shaking);
    tell_fitted(motion, fit, &of, rung);
    friction_conclude_offsets(motion, fit, noise, &of, rung);
}
