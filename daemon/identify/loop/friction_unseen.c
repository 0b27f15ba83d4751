/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_unseen.h"

#include "identify/loop/friction_figure.h"
#include "identify/loop/friction_stop.h"

#include <math.h>

/* A dip of fewer standard uncertainties says nothing about its velocity. */
static const double dip_errors = 4;

const char friction_lacks_term[] = "the model lacks this term";

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
static const char *const stops_press =
    "the contact has none: a stop is still pressed when the contact slips at the other";
static const char *const dip_in_noise = "not seen: the dip is below 4 of its standard uncertainties";
static const char *const other_speeds = "not seen: the Stribeck velocity is outside of the speeds of the record";

const char *friction_why_unseen(const struct friction_knowledge *of, const struct friction_gradient *gradient)
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
        return friction_why_unseen(of, &dip);
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

unsigned friction_find_brief(const struct friction_motion *motion, const struct friction_fit *fit)
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

const char *friction_length_unknown(const struct friction_motion *motion, const struct friction_fit *fit,
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
        reason = friction_length_unknown(motion, fit, of, k);
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

bool friction_is_at_zero(const struct friction_fit *fit, enum friction_parameter parameter)
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

const char *friction_bent_by_dip(const struct friction_motion *motion, const struct friction_fit *fit,
                                 const struct friction_knowledge *of)
{
    const char *dip = friction_row_has(&fit->point.row, FRICTION_F_S) ? dip_unknown(motion, fit, of) : NULL;
    return bends_viscous_force(motion, fit, dip) ? dip : NULL;
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

const char *friction_why_unknown(const struct friction_motion *motion, const struct friction_fit *fit,
                                 const struct friction_knowledge *of, enum friction_parameter parameter,
                                 const struct friction_quantity *quantity)
{
    const bool dips = friction_row_has(&fit->point.row, FRICTION_F_S);
    const char *dip = dips ? dip_unknown(motion, fit, of) : NULL;
    if (!friction_row_has(&fit->point.row, parameter))
        return dips && parameter == FRICTION_EXPONENT ? by_choice : friction_lacks_term;
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
    if ((quantity->value == 0 && !fit->alike) || friction_is_at_zero(fit, parameter) ||
        parameter == FRICTION_PATH_MIDDLE)
        return NULL;
    return friction_why_unseen(of, &quantity->gradient);
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
