/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/curve/curve_choice.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* BIC that differs by less is odds below e: hardly a choice. */
static const double tie_within = 2;

/* Residuals below this part of the forces, which are at most 1, are rounding. */
static const double rounding = 1e-12;

/* A figure that some curves do not tell is that of the others where those have less odds together than this. */
static const double odds_least = 0.05;

const char *curve_dip_name(size_t dip)
{
    static const char *const names[CURVE_DIPS] = {"found", "none", "below_4_standard_errors", "v_s_outside_speeds",
                                                  "upside_down"};
    return dip < CURVE_DIPS ? names[dip] : NULL;
}

static double bic_of(const struct stribeck_fit *fit, size_t count)
{
    const double n = (double)count;
    return n * log(fmax(fit->squares / n, rounding * rounding)) + (n - fit->freedom) * log(n);
}

/* --- what all curves say --- */

/* BIC takes the scatter of points about a curve that goes through nearly all of them for their noise. Odds are by the
 * scatter for each degree of freedom. */
static void weigh(size_t count, struct curve_choice *choice)
{
    const double n = (double)count;
    double score[STRIBECK_MODELS], least = INFINITY, sum = 0;
    for (int m = 0; m < STRIBECK_MODELS; m++) {
        const bool fits = isfinite(choice->bic[m]);
        score[m] = fits ? choice->bic[m] + n * log(n / choice->fit[m].freedom) : (double)INFINITY;
        least = fmin(least, score[m]);
    }
    for (int m = 0; m < STRIBECK_MODELS; m++) {
        choice->odds[m] = exp(0.5 * (least - score[m]));
        sum += choice->odds[m];
    }
    for (int m = 0; m < STRIBECK_MODELS; m++)
        choice->odds[m] /= sum;
}

/* Viscous friction that would be below 0 is none: that is a value, too. */
static bool has_all(const struct stribeck_fit *fit, const double by[STRIBECK_PARAMETERS])
{
    bool has = true;
    for (int p = 0; p < STRIBECK_PARAMETERS; p++)
        has = has && (by[p] == 0 || fit->fitted[p] || p == STRIBECK_SIGMA_2);
    return has;
}

static double sum_of(const struct stribeck_fit *fit, const double by[STRIBECK_PARAMETERS])
{
    double sum = 0;
    for (int p = 0; p < STRIBECK_PARAMETERS; p++)
        sum += by[p] * fit->value[p];
    return sum;
}

static double variance_of_sum(const struct stribeck_fit *fit, const double by[STRIBECK_PARAMETERS])
{
    double variance = 0;
    for (int p = 0; p < STRIBECK_PARAMETERS; p++)
        for (int q = 0; q < STRIBECK_PARAMETERS; q++)
            variance += by[p] != 0 && by[q] != 0 && stribeck_is_unknown(fit, p) && stribeck_is_unknown(fit, q)
                            ? by[p] * by[q] * fit->covariance[p][q]
                            : 0;
    return variance;
}

static double variance_about(const struct curve_choice *choice, enum stribeck_model model,
                             const double by[STRIBECK_PARAMETERS])
{
    const double value = sum_of(&choice->fit[model], by);
    double sum = 0, odds = 0, not_told = 0;
    for (int m = 0; m < STRIBECK_MODELS; m++) {
        const struct stribeck_fit *fit = &choice->fit[m];
        if (!(choice->odds[m] > 0) || !has_all(fit, by))
            continue;
        const double variance = variance_of_sum(fit, by);
        if (isnan(variance))
            not_told += choice->odds[m];
        else {
            sum += choice->odds[m] * (variance + pow(sum_of(fit, by) - value, 2));
            odds += choice->odds[m];
        }
    }
    return not_told < odds_least * (odds + not_told) ? sum / odds : (double)NAN;
}

double curve_choice_variance(const struct curve_choice *choice, const double by[STRIBECK_PARAMETERS])
{
    return variance_about(choice, choice->told, by);
}

/* --- the choice --- */

struct speeds {
    double slowest, fastest;
};

static enum curve_dip dip_of(const struct stribeck_fit *fit, double variance, const struct speeds *speeds)
{
    const double v_s = fit->value[STRIBECK_V_S];
    if (v_s <= speeds->slowest || v_s >= speeds->fastest)
        return CURVE_DIP_OUTSIDE;
    /* What neighbours have in common widens errors, and hides no dip that all of them show. */
    return fit->value[STRIBECK_DIP] >= CURVE_DIP_LEAST * sqrt(variance / fit->common) ? CURVE_DIP_FOUND
                                                                                      : CURVE_DIP_SMALL;
}

/* As far as all curves with a dip agree on it. */
static enum curve_dip dip_among_all(const struct curve_choice *choice, enum stribeck_model model,
                                    const struct speeds *speeds)
{
    static const double dip[STRIBECK_PARAMETERS] = {[STRIBECK_DIP] = 1};
    return dip_of(&choice->fit[model], variance_about(choice, model, dip), speeds);
}

/* 0, or as stribeck_fit(). */
static int fit_all(const struct curve_point *points, size_t count, struct curve_choice *choice)
{
    for (enum stribeck_model model = STRIBECK_NONE; model < STRIBECK_MODELS; model++) {
        const int error = stribeck_fit(points, count, model, &choice->fit[model]);
        if (error && (error != -EDOM || model == STRIBECK_NONE))
            return error;
        choice->bic[model] = error ? (double)INFINITY : bic_of(&choice->fit[model], count);
    }
    weigh(count, choice);
    return 0;
}

static enum stribeck_model best_of(const struct curve_choice *choice)
{
    enum stribeck_model best = STRIBECK_NONE;
    for (enum stribeck_model model = STRIBECK_NONE; model < STRIBECK_MODELS; model++)
        best = choice->bic[model] < choice->bic[best] ? model : best;
    return best;
}

/* Whether friction grows with speed less than in proportion, so that its dip stands upside down, and no other curve
 * explains that as well. */
static bool is_upside_down(const struct curve_point *points, size_t count, const struct speeds *speeds,
                           double least_bic)
{
    struct curve_point *turned = calloc(count, sizeof *turned);
    struct stribeck_fit fit;
    bool grows = false;
    for (size_t i = 0; turned && i < count; i++) {
        turned[i] = points[i];
        /* Less a friction that is larger than all, forces are those of a friction that falls where theirs grows. */
        turned[i].force = (turned[i].speed < 0 ? -2 : 2) * (1 + fabs(turned[i].speed)) - turned[i].force;
    }
    for (enum stribeck_model model = STRIBECK_ONE; turned && model <= STRIBECK_TWO && !grows; model++)
        grows = !stribeck_fit(turned, count, model, &fit) && bic_of(&fit, count) < least_bic - tie_within &&
                dip_of(&fit, fit.covariance[STRIBECK_DIP][STRIBECK_DIP], speeds) == CURVE_DIP_FOUND;
    free(turned);
    return grows;
}

static bool is_tied(const struct curve_choice *choice)
{
    bool tie = false;
    for (enum stribeck_model model = STRIBECK_NONE; model < STRIBECK_MODELS; model++)
        tie = tie || (model != choice->told && choice->bic[model] < choice->bic[choice->told] + tie_within);
    return tie;
}

int curve_choose(const struct curve_point *points, size_t count, struct curve_choice *choice)
{
    struct speeds speeds = {INFINITY, 0};
    for (size_t i = 0; i < count; i++) {
        speeds.slowest = fmin(speeds.slowest, fabs(points[i].speed));
        speeds.fastest = fmax(speeds.fastest, fabs(points[i].speed));
    }
    const int error = fit_all(points, count, choice);
    if (error)
        return error;
    const enum stribeck_model best = best_of(choice);
    choice->told = best;
    choice->stribeck = best != STRIBECK_NONE ? dip_among_all(choice, best, &speeds) : CURVE_DIP_NONE;
    for (enum stribeck_model model = STRIBECK_ONE; best != STRIBECK_NONE && model < STRIBECK_MODELS; model++)
        if (choice->bic[model] < choice->bic[best] + tie_within &&
            (choice->stribeck != CURVE_DIP_FOUND || choice->bic[model] < choice->bic[choice->told]) &&
            dip_among_all(choice, model, &speeds) == CURVE_DIP_FOUND) {
            choice->told = model;
            choice->stribeck = CURVE_DIP_FOUND;
        }
    choice->tie = choice->stribeck == CURVE_DIP_FOUND && is_tied(choice);
    if (choice->stribeck != CURVE_DIP_FOUND && is_upside_down(points, count, &speeds, choice->bic[best])) {
        choice->stribeck = CURVE_DIP_UPSIDE_DOWN;
        choice->told = STRIBECK_NONE;
    }
    return 0;
}
