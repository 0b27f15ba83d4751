/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_conclusions.h"

#include "identify/loop/friction_figure.h"
#include "identify/loop/friction_knowledge.h"
#include "identify/loop/friction_offsets.h"
#include "identify/loop/friction_one_speed.h"
#include "identify/loop/friction_stop.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A dip of fewer standard uncertainties says nothing about its velocity. */
static const double dip_errors = 4;

static const char *const lacks_term = "the model lacks this term";
static const char *const given_up = "given_up: another model leaves far less, and this one was not fitted to its end";
static const char not_seen[] = "not seen: the record does not tell it apart from other parameters";
static const char *const in_speed_noise =
    "not seen: noise of the displacement, or the steps of its encoder, are as much as the speeds differ by which it is "
    "told";
static const char *const by_choice = "not estimated: with an exponent of 1 or 2 the record is explained as well";
static const char *const at_bound = "not seen: the fit ran to the end of what the record can show";
static const char *const within_sample =
    "not seen: an element slips again before the first sample behind a reversal, after whatever length";
static const char *const in_noise =
    "not seen: the motion after which the contact slips is less than the noise of the displacement";
static const char *const never_slips =
    "not seen: an element does not slip within the stroke, so that the force at which all of them do is not reached";
static const char *const hardly_slips =
    "not seen: if the contact slips within the stroke at all, its force tells so no more than the residual hides";
static const char *const never_unloaded =
    "not seen: an element does not slip within the stroke, so that where its force is 0 is not known";
static const char *const vanishes = "the term vanishes: at its bound 0";
static const char *const stops_press =
    "the contact has none: a stop is still pressed when the contact slips at the other";
static const char *const dip_in_noise = "not seen: the dip is below 4 of its standard uncertainties";
static const char *const other_speeds = "not seen: the Stribeck velocity is outside of the speeds of the record";

static const char *const frictionless_alike =
    "not seen: without dry friction the record is explained as well; upper is what the level is below";
static const char *const viscous_alike =
    "not seen: the record does not tell the level from a viscous force; their sum is the force of the plateaus";

/* Why the record does not determine a quantity; NULL: it does. */
static const char *unseen(const struct friction_knowledge *of, const struct friction_gradient *gradient)
{
    return friction_is_seen(of, gradient) ? NULL : friction_is_blurred(of, gradient) ? in_speed_noise : not_seen;
}

/* Why the dip is not known; NULL: it is. */
static const char *dip_unknown(const struct friction_motion *motion, const struct friction_fit *fit,
                               const struct friction_knowledge *of)
{
    const double *value = fit->point.value;
    struct friction_gradient dip = {{0}};
    for (enum friction_column c = 0; c < FRICTION_LINEAR; c++)
        dip.by[c] = friction_is_of_level(&fit->point.row, c) ? value[COLUMN_RATIO] : 0;
    dip.by[COLUMN_RATIO] = friction_level_of(fit) * value[COLUMN_RATIO];
    if (friction_is_held(fit, COLUMN_RATIO) || friction_is_held(fit, COLUMN_V_S))
        return at_bound;
    if (!friction_is_seen(of, &dip))
        return unseen(of, &dip);
    if (value[COLUMN_V_S] > motion->fastest || value[COLUMN_V_S] < motion->slowest)
        return other_speeds;
    const double size = friction_level_of(fit) * value[COLUMN_RATIO];
    return size < dip_errors * sqrt(friction_variance_along(of, &dip)) ? dip_in_noise : NULL;
}

/* Whether an element never slips, so that nobody knows at which force it would, but how stiff it is. */
static bool has_length_at_end(const struct friction_motion *motion, const struct friction_fit *fit)
{
    bool has = false;
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++) {
        const enum friction_column length = (enum friction_column)(COLUMN_LENGTH + k);
        has = has || (fit->point.row.shape == FRICTION_MAXWELL && fit->point.value[COLUMN_ELEMENT + k] > 0 &&
                      fit->point.value[length] >= friction_bounds_of(motion, &fit->point.row, length).most);
    }
    return has;
}

/* Whether an element slips in every sample, so that nobody knows how stiff it is. */
static bool has_length_at_begin(const struct friction_motion *motion, const struct friction_fit *fit)
{
    bool has = false;
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++) {
        const enum friction_column length = (enum friction_column)(COLUMN_LENGTH + k);
        has = has || (fit->point.row.shape == FRICTION_MAXWELL && fit->point.value[COLUMN_ELEMENT + k] > 0 &&
                      friction_is_held(fit, length) &&
                      fit->point.value[length] < friction_bounds_of(motion, &fit->point.row, length).most);
    }
    return has;
}

/* An element is back at its level two slip lengths behind a reversal. Samples up to this many of them tell how far it
 * is on its way; so close to the reversal as this many standard deviations of the displacement, noise alone puts them.
 */
static const double way_back = 1.8, reversal_noise = 3;

/* How far from 0 an element's slip length is stretched where its level is highest; 0: there is no such element. */
static double longest_of(const struct friction_fit *fit, size_t element)
{
    const double *value = fit->point.value;
    const double highest = friction_column_used(&fit->point.row, COLUMN_RATIO) ? 1 + value[COLUMN_RATIO] : 1;
    return value[COLUMN_ELEMENT + element] > 0 ? highest * value[COLUMN_LENGTH + element] : 0;
}

/* Of an element that slips again before the first sample behind each reversal nobody knows after which length: the sum
 * of squares begins to rise at that which would be seen, and there the fit ends. */
static unsigned find_brief(const struct friction_motion *motion, const struct friction_fit *fit)
{
    unsigned brief = 0;
    double longest[FRICTION_ELEMENTS], way = 0;
    if (fit->point.row.shape != FRICTION_MAXWELL)
        return 0;
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++) {
        longest[k] = longest_of(fit, k);
        brief |= longest[k] > 0 ? 1u << k : 0;
    }
    for (size_t i = 0; i < motion->count && brief; i++) {
        way = (i > 0 && motion->sense[i] == motion->sense[i - 1] ? way : 0) + motion->way[i];
        if (motion->weight[i] > 0 && way > reversal_noise * motion->noise_displacement)
            for (size_t k = 0; k < FRICTION_ELEMENTS; k++)
                brief &= way < way_back * longest[k] ? ~(1u << k) : ~0u;
    }
    return brief;
}

/* Whether a length after which the contact slips is less than the noise of the displacement. */
static bool is_in_noise(const struct friction_motion *motion, double length)
{
    return length < motion->noise_displacement;
}

/* Why an element's slip length is not known beside what the derivatives tell; NULL: it is. */
static const char *length_unknown(const struct friction_motion *motion, const struct friction_fit *fit,
                                  const struct friction_knowledge *of, size_t element)
{
    const double longest = longest_of(fit, element);
    if (longest > 0 && is_in_noise(motion, longest))
        return in_noise;
    return of->brief & 1u << element ? within_sample : NULL;
}

/* Why the length after which the contact slips, and what is calculated with it, are not known; NULL: they are. */
static const char *presliding_unknown(const struct friction_motion *motion, const struct friction_fit *fit,
                                      const struct friction_knowledge *of)
{
    const char *reason = NULL;
    if (fit->point.row.shape != FRICTION_MAXWELL)
        return is_in_noise(motion, fit->point.value[COLUMN_X_D]) ? in_noise : NULL;
    for (size_t k = 0; k < FRICTION_ELEMENTS && !reason; k++)
        reason = length_unknown(motion, fit, of, k);
    return reason;
}

/* The force that a contact with backlash would come to, did it not slip at the ends of the stroke, is above its level
 * by at least this many times what the residual leaves, if it is seen to slip. */
static const double slip_least = 3;

/* Whether the stroke hardly goes beyond where the stops slip: friction beside them then decides where the fit lets
 * them.
 */
static bool slips_hardly(const struct friction_motion *motion, const struct friction_fit *fit)
{
    const double *value = fit->point.value;
    if (fit->point.row.shape != FRICTION_BACKLASH)
        return false;
    const struct friction_stops stops = {value[COLUMN_SHAPE] / value[COLUMN_X_D], value[COLUMN_SHAPE_2],
                                         friction_row_has(&fit->point.row, FRICTION_STOPS) ? value[COLUMN_EXPONENT]
                                                                                           : 1};
    const double held = (friction_stop_limit_way(&stops, 1) + friction_stop_limit_way(&stops, -1)) / 2;
    const double half_stroke = 1 / value[COLUMN_X_D], beyond = value[COLUMN_F_C] * (half_stroke - held);
    return beyond < slip_least * sqrt(fit->squares / (double)motion->samples);
}

/* Whether it is of a term that vanishes, for it would be negative. */
static bool is_at_zero(const struct friction_fit *fit, enum friction_parameter parameter)
{
    static const struct {
        enum friction_parameter parameter;
        enum friction_column column;
    } never_negative[] = {{FRICTION_SIGMA_1, COLUMN_SIGMA_1},
                          {FRICTION_SIGMA_2, COLUMN_SIGMA_2},
                          {FRICTION_K_X, COLUMN_K_X},
                          {FRICTION_MOVED_MASS, COLUMN_MASS}};
    for (size_t k = 0; k < sizeof never_negative / sizeof *never_negative; k++)
        if (never_negative[k].parameter == parameter)
            return friction_is_held(fit, never_negative[k].column) && !friction_is_alike(fit, never_negative[k].column);
    return false;
}

/* Stops that harden leave no gap where the other one is still pressed when the contact slips. */
static bool has_no_gap(const struct friction_fit *fit)
{
    const double *value = fit->point.value;
    const struct friction_stops stops = {value[COLUMN_SHAPE] / value[COLUMN_X_D], value[COLUMN_SHAPE_2],
                                         value[COLUMN_EXPONENT]};
    return friction_row_has(&fit->point.row, FRICTION_STOPS) && !friction_stops_are_apart(&stops);
}

/* Whether a dip that is not known because of this stands for a bend of the viscous force: the level that it would come
 * down to, what is told in parts of that, and the force that would rise from there are none of the record's. */
static bool bends_viscous_force(const struct friction_motion *motion, const struct friction_fit *fit, const char *dip)
{
    return dip == other_speeds && fit->point.value[COLUMN_V_S] > motion->fastest;
}

/* Why the force at which the contact slips, and what it does before, are not known beside what the derivatives tell;
 * NULL: they are. */
static const char *slip_unknown(const struct friction_motion *motion, const struct friction_fit *fit,
                                const struct friction_knowledge *of, enum friction_parameter parameter)
{
    const bool is_level = parameter == FRICTION_F_C || parameter == FRICTION_F_S || parameter == FRICTION_F_C_FORWARD ||
                          parameter == FRICTION_F_C_BACKWARD;
    if ((parameter == FRICTION_X_D || parameter == FRICTION_SIGMA_0) && has_length_at_begin(motion, fit))
        return at_bound;
    const char *reason = NULL;
    if (parameter == FRICTION_X_D || parameter == FRICTION_SIGMA_0 || parameter == FRICTION_SIGMA_1)
        reason = presliding_unknown(motion, fit, of);
    if (reason)
        return reason;
    if ((parameter == FRICTION_F_C || parameter == FRICTION_X_D || parameter == FRICTION_SIDES) &&
        slips_hardly(motion, fit))
        return hardly_slips;
    if ((is_level || parameter == FRICTION_X_D) && has_length_at_end(motion, fit))
        return never_slips;
    if (parameter == FRICTION_F_0 && has_length_at_end(motion, fit))
        return never_unloaded;
    if (!friction_is_held(fit, COLUMN_X_D))
        return NULL;
    const bool spring = fit->point.value[COLUMN_X_D] >= friction_bounds_of(motion, &fit->point.row, COLUMN_X_D).most;
    return parameter == FRICTION_X_D || parameter == (spring ? FRICTION_F_C : FRICTION_SIGMA_0) ? at_bound : NULL;
}

static const char *unknown(const struct friction_motion *motion, const struct friction_fit *fit,
                           const struct friction_knowledge *of, enum friction_parameter parameter,
                           const struct friction_quantity *quantity)
{
    const bool dips = friction_row_has(&fit->point.row, FRICTION_F_S);
    const char *dip = dips ? dip_unknown(motion, fit, of) : NULL;
    if (!friction_row_has(&fit->point.row, parameter))
        return dips && parameter == FRICTION_EXPONENT ? by_choice : lacks_term;
    if (dip && (parameter == FRICTION_F_S || parameter == FRICTION_V_S || parameter == FRICTION_EXPONENT))
        return dip;
    /* Only beyond the speeds of the record: of a dip that is below all of them nearly nothing is left. */
    if (bends_viscous_force(motion, fit, dip) &&
        (parameter == FRICTION_F_C || parameter == FRICTION_X_D || parameter == FRICTION_SIGMA_2 ||
         parameter == FRICTION_F_C_FORWARD || parameter == FRICTION_F_C_BACKWARD))
        return dip;
    if ((parameter == FRICTION_EXPONENT || parameter == FRICTION_STOPS) && friction_is_held(fit, COLUMN_EXPONENT))
        return at_bound;
    const char *slip = slip_unknown(motion, fit, of, parameter);
    if (slip)
        return slip;
    if (parameter == FRICTION_GAP && has_no_gap(fit))
        return stops_press;
    if ((parameter == FRICTION_Z_BA || parameter == FRICTION_N_BW || parameter == FRICTION_GAP ||
         parameter == FRICTION_ATTRACTION_C) &&
        friction_is_held(fit, COLUMN_SHAPE))
        return at_bound;
    if ((parameter == FRICTION_BETA_BW || parameter == FRICTION_SIDES) && friction_is_held(fit, COLUMN_SHAPE_2))
        return at_bound;
    if ((parameter == FRICTION_LEVEL_RATIO || parameter == FRICTION_F_C_FORWARD ||
         parameter == FRICTION_F_C_BACKWARD) &&
        friction_is_held(fit, COLUMN_LEVELS))
        return at_bound;
    if ((quantity->value == 0 && !fit->alike) || is_at_zero(fit, parameter) || parameter == FRICTION_PATH_MIDDLE)
        return NULL;
    return unseen(of, &quantity->gradient);
}

/* With its standard uncertainty and interval. */
static struct friction_figure known_figure(const struct friction_knowledge *of,
                                           const struct friction_quantity *quantity)
{
    const double se = sqrt(friction_variance_along(of, &quantity->gradient));
    return friction_figure_of(quantity->value, se, quantity->logarithmic);
}

static struct friction_figure seen_figure(const struct friction_knowledge *of, const struct friction_quantity *quantity)
{
    const char *reason = unseen(of, &quantity->gradient);
    return reason ? friction_figure_without(reason) : known_figure(of, quantity);
}

static struct friction_figure figure_of(const struct friction_motion *motion, const struct friction_fit *fit,
                                        const struct friction_knowledge *of, enum friction_parameter parameter)
{
    const bool by_plateaus = parameter == FRICTION_SIGMA_0 && friction_has_plateau_stiffness(motion, &fit->point.row);
    const struct friction_quantity quantity =
        by_plateaus ? friction_plateau_stiffness(motion, fit) : friction_quantity_of(motion, fit, parameter);
    struct friction_figure figure = friction_figure_without(unknown(motion, fit, of, parameter, &quantity));
    if (figure.reason)
        return figure;
    if (is_at_zero(fit, parameter)) {
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
    const char *dip = friction_row_has(&fit->point.row, FRICTION_F_S) ? dip_unknown(motion, fit, of) : NULL;
    const bool bends = bends_viscous_force(motion, fit, dip);
    spectrum->count = 0;
    for (enum friction_column c = COLUMN_ELEMENT; c < FRICTION_LINEAR; c++) {
        if (!friction_column_used(&fit->point.row, c) || friction_is_held(fit, c))
            continue;
        const struct friction_quantity force = friction_linear_of(motion->unit_force, fit->point.value, c);
        const struct friction_quantity length = friction_product_of(
            motion->unit_displacement, fit->point.value, c - COLUMN_ELEMENT + COLUMN_LENGTH, 1, COLUMN_START, 0);
        struct friction_spectrum_line *line = &spectrum->element[spectrum->count++];
        const char *reason = bends ? dip : length_unknown(motion, fit, of, c - COLUMN_ELEMENT);
        line->slip_length = reason ? friction_figure_without(reason) : seen_figure(of, &length);
        line->slip_force = bends ? friction_figure_without(dip) : seen_figure(of, &force);
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

static const struct friction_fitted *fitted_of(const struct friction_rung *rung, enum friction_parameter parameter,
                                               size_t *index)
{
    for (*index = 0; *index < rung->fitted_count; ++*index)
        if (rung->fitted[*index].parameter == (int)parameter)
            return &rung->fitted[*index];
    return NULL;
}

void friction_conclude_dip(struct friction_rung *rung)
{
    static const enum friction_parameter of_dip[] = {FRICTION_F_S, FRICTION_V_S, FRICTION_EXPONENT};
    const struct friction_figure *top = &rung->figure[FRICTION_F_S], *level = &rung->figure[FRICTION_F_C];
    size_t f_c, f_s;
    const struct friction_fitted *of_level = fitted_of(rung, FRICTION_F_C, &f_c);
    if (!fitted_of(rung, FRICTION_F_S, &f_s) || !of_level || !isfinite(top->se) || !isfinite(level->value))
        return;
    const double variance = top->se * top->se + of_level->covariance[f_c] - 2 * of_level->covariance[f_s];
    if (top->value - level->value >= dip_errors * sqrt(fmax(variance, 0)))
        return;
    for (size_t k = 0; k < sizeof of_dip / sizeof *of_dip; k++)
        if (isfinite(rung->figure[of_dip[k]].value))
            rung->figure[of_dip[k]] = friction_figure_without(dip_in_noise);
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
        rung->figure[p] = friction_figure_without(friction_row_has(&fit->point.row, p) ? not_told : lacks_term);
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
    of.brief = find_brief(motion, fit);
    conclude_elements(motion, fit, &of, &rung->spectrum);
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++)
        rung->figure[p] = figure_of(motion, fit, &of, p);
    if (frictionless)
        rung->figure[FRICTION_F_C] = most_level(motion, fit, noise, shaking);
    tell_fitted(motion, fit, &of, rung);
    friction_conclude_offsets(motion, fit, noise, &of, rung);
}
