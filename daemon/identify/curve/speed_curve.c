/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/curve/speed_curve.h"

#include "identify/common/instrument_estimate.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

enum { VELOCITY_TRACE, FORCE_TRACE, DEVIATION_TRACE };

/* BIC that differs by less is odds below e: hardly a choice. */
static const double tie_within = 2;

/* Residuals below this part of the forces are rounding. */
static const double rounding = 1e-12;

const char *curve_dip_name(size_t dip)
{
    static const char *const names[CURVE_DIPS] = {"found", "none", "below_4_standard_errors", "v_s_outside_speeds",
                                                  "upside_down"};
    return dip < CURVE_DIPS ? names[dip] : NULL;
}

/* Points of one kind of motion, in units of their largest speed and force. */
struct points {
    struct curve_point *point; /* owned */
    size_t count;
    double speed, force; /* these units */
    double slowest, fastest;
};

/* --- the choice --- */

struct choice {
    struct stribeck_fit fit[STRIBECK_MODELS];
    double bic[STRIBECK_MODELS]; /* INFINITY: there is no such curve */
    enum stribeck_model chosen;
    enum curve_dip stribeck;
    bool tie;
};

static double bic_of(const struct points *points, const struct stribeck_fit *fit)
{
    const double n = (double)points->count;
    return n * log(fmax(fit->squares / n, rounding * rounding)) + (n - fit->freedom) * log(n);
}

static enum curve_dip dip_of(const struct points *points, const struct stribeck_fit *fit)
{
    const double se = sqrt(fit->covariance[STRIBECK_DIP][STRIBECK_DIP]), v_s = fit->value[STRIBECK_V_S];
    if (v_s <= points->slowest || v_s >= points->fastest)
        return CURVE_DIP_OUTSIDE;
    return fit->value[STRIBECK_DIP] >= CURVE_DIP_LEAST * se ? CURVE_DIP_FOUND : CURVE_DIP_SMALL;
}

/* Whether friction grows with speed less than in proportion: a curve with its dip upside down. */
static bool is_upside_down(const struct points *points)
{
    struct curve_point *turned = calloc(points->count, sizeof *turned);
    struct stribeck_fit plain, dip;
    bool grows = false;
    for (size_t i = 0; turned && i < points->count; i++) {
        turned[i] = points->point[i];
        /* Less a friction that is larger than all, forces are those of a friction that falls where theirs grows. */
        turned[i].force = (turned[i].speed < 0 ? -2 : 2) * (1 + fabs(turned[i].speed)) - turned[i].force;
    }
    if (turned && !stribeck_fit(turned, points->count, STRIBECK_NONE, &plain))
        for (enum stribeck_model model = STRIBECK_ONE; model <= STRIBECK_TWO && !grows; model++)
            grows = !stribeck_fit(turned, points->count, model, &dip) &&
                    bic_of(points, &dip) < bic_of(points, &plain) && dip_of(points, &dip) == CURVE_DIP_FOUND;
    free(turned);
    return grows;
}

/* The curve with the least BIC, or one as good whose dip is seen; else the one without a dip, and what became of it. */
static int choose(const struct points *points, struct choice *choice)
{
    enum stribeck_model best = STRIBECK_NONE;
    bool seen[STRIBECK_MODELS] = {true};
    choice->chosen = STRIBECK_NONE;
    choice->tie = false;
    for (enum stribeck_model model = STRIBECK_NONE; model < STRIBECK_MODELS; model++) {
        const int error = stribeck_fit(points->point, points->count, model, &choice->fit[model]);
        if (error && (error != -EDOM || model == STRIBECK_NONE))
            return error;
        choice->bic[model] = error ? (double)INFINITY : bic_of(points, &choice->fit[model]);
        seen[model] = model == STRIBECK_NONE || (!error && dip_of(points, &choice->fit[model]) == CURVE_DIP_FOUND);
        best = choice->bic[model] < choice->bic[best] ? model : best;
    }
    for (enum stribeck_model model = STRIBECK_MODELS; model-- > STRIBECK_ONE;)
        if (seen[model] && best != STRIBECK_NONE && choice->bic[model] < choice->bic[best] + tie_within &&
            (choice->chosen == STRIBECK_NONE || choice->bic[model] < choice->bic[choice->chosen]))
            choice->chosen = model;
    choice->stribeck = choice->chosen != STRIBECK_NONE ? CURVE_DIP_FOUND
                       : is_upside_down(points)        ? CURVE_DIP_UPSIDE_DOWN
                       : best != STRIBECK_NONE         ? dip_of(points, &choice->fit[best])
                                                       : CURVE_DIP_NONE;
    for (enum stribeck_model model = STRIBECK_NONE; model < STRIBECK_MODELS; model++)
        choice->tie = choice->tie || (model != choice->chosen && choice->chosen != STRIBECK_NONE &&
                                      choice->bic[model] < choice->bic[choice->chosen] + tie_within);
    return 0;
}

/* --- in the units of the record --- */

static struct estimate estimate_of(const struct stribeck_fit *fit, enum stribeck_parameter parameter, double unit)
{
    const double se = unit * sqrt(fit->covariance[parameter][parameter]);
    const double reach = gsl_cdf_tdist_Pinv(0.975, fit->freedom) * se, value = unit * fit->value[parameter];
    /* Viscous friction that would be below 0 is none, and has no error. */
    if (parameter == STRIBECK_SIGMA_2 && !fit->fitted[parameter])
        return (struct estimate){.value = 0, .se = NAN, .low = NAN, .high = NAN, .at_bound = true};
    if (!fit->fitted[parameter] || isnan(se))
        return estimate_unknown();
    return (struct estimate){.value = value, .se = se, .low = value - reach, .high = value + reach};
}

static struct estimate static_level(const struct stribeck_fit *fit, double unit)
{
    const double(*c)[STRIBECK_PARAMETERS] = fit->covariance;
    struct estimate f_s = estimate_of(fit, STRIBECK_DIP, unit);
    const double se =
        unit * sqrt(c[STRIBECK_DIP][STRIBECK_DIP] + c[STRIBECK_F_C][STRIBECK_F_C] + 2 * c[STRIBECK_DIP][STRIBECK_F_C]);
    if (isnan(f_s.value) || isnan(se))
        return estimate_unknown();
    const double value = f_s.value + unit * fit->value[STRIBECK_F_C], reach = (f_s.high - f_s.value) / f_s.se * se;
    return (struct estimate){.value = value, .se = se, .low = value - reach, .high = value + reach};
}

static void take(const struct points *points, const struct choice *choice, struct curve_fit *found)
{
    const struct stribeck_fit *fit = &choice->fit[choice->chosen];
    found->verdict = VERDICT_OK;
    found->stribeck = choice->stribeck;
    found->tie = choice->tie;
    found->f_c = estimate_of(fit, STRIBECK_F_C, points->force);
    found->dip = estimate_of(fit, STRIBECK_DIP, points->force);
    found->f_s = static_level(fit, points->force);
    found->v_s = estimate_of(fit, STRIBECK_V_S, points->speed);
    found->sigma_2 = estimate_of(fit, STRIBECK_SIGMA_2, points->force / points->speed);
    found->f_0 = estimate_of(fit, STRIBECK_F_0, points->force);
    found->exponent = choice->chosen != STRIBECK_NONE ? fit->value[STRIBECK_EXPONENT] : (double)NAN;
    found->se_exponent = sqrt(fit->covariance[STRIBECK_EXPONENT][STRIBECK_EXPONENT]);
    found->residual = points->force * fit->residual;
    found->residual_without_dip = points->force * choice->fit[STRIBECK_NONE].residual;
    found->points = points->count;
}

static struct curve_fit nothing_found(void)
{
    const struct estimate unknown = estimate_unknown();
    return (struct curve_fit){VERDICT_TOO_FEW_SPEEDS, unknown, unknown, unknown, unknown, unknown, unknown, NAN, NAN,
                              CURVE_DIP_NONE,         false,   NAN,     NAN,     0};
}

static enum verdict verdict_of(int error)
{
    return error == -EDOM ? VERDICT_NEGATIVE_ENERGY : VERDICT_NO_MEMORY;
}

/* --- the points --- */

/* A straight line with an offset wants four speeds to tell its scatter. */
enum { SPEEDS_LEAST = 4 };

static size_t speeds_of(const struct points *points)
{
    size_t different = 0;
    for (size_t i = 0; i < points->count && different < SPEEDS_LEAST; i++) {
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = points->point[k].speed == points->point[i].speed;
        different += !seen;
    }
    return different;
}

/* In units in which the largest are 1 and the weights 1 on the average, so that no scale overflows. */
static enum verdict scale(struct points *points)
{
    double weights = 0;
    bool alike = true;
    for (size_t i = 0; i < points->count; i++) {
        points->speed = fmax(points->speed, fabs(points->point[i].speed));
        points->force = fmax(points->force, fabs(points->point[i].force));
        weights += points->point[i].weight / (double)points->count;
        alike = alike && points->point[i].force == points->point[0].force;
    }
    if (speeds_of(points) < SPEEDS_LEAST)
        return VERDICT_TOO_FEW_SPEEDS;
    if (alike)
        return VERDICT_FORCE_CONSTANT;
    points->slowest = 1;
    points->fastest = 1;
    for (size_t i = 0; i < points->count; i++) {
        points->point[i].speed /= points->speed;
        points->point[i].force /= points->force;
        points->point[i].weight /= weights;
        points->slowest = fmin(points->slowest, fabs(points->point[i].speed));
    }
    return VERDICT_OK;
}

static double deviation_at(const struct record *record, size_t i)
{
    return record->count > DEVIATION_TRACE ? record_value(&record->traces[DEVIATION_TRACE], i) : 1;
}

/* Weights are told by it, so that the square of no deviation overflows. */
static double least_deviation(const struct record *record)
{
    double least = INFINITY;
    for (size_t i = 0; i < record->traces[0].count; i++)
        least = fmin(least, deviation_at(record, i));
    return least;
}

/* Those that move, as they stand in the record. */
static enum verdict take_points(const struct record *record, struct points *points, size_t *left_out)
{
    const size_t count = record->traces[0].count;
    *points = (struct points){.point = calloc(count + 1, sizeof *points->point)};
    if (!points->point)
        return VERDICT_NO_MEMORY;
    const double least = least_deviation(record);
    for (size_t i = 0; i < count; i++) {
        const double speed = record_value(&record->traces[VELOCITY_TRACE], i);
        const double force = record_value(&record->traces[FORCE_TRACE], i);
        const double sd = deviation_at(record, i);
        if (!isfinite(speed) || !isfinite(force) || !isfinite(sd))
            return VERDICT_NOT_FINITE;
        if (!(sd > 0))
            return VERDICT_NOT_POSITIVE;
        if (speed != 0)
            points->point[points->count++] = (struct curve_point){speed, force, least / sd * (least / sd)};
    }
    *left_out = count - points->count;
    return VERDICT_OK;
}

/* Those of one way, as sizes. */
static enum verdict points_one_way(const struct points *all, double sign, struct points *way)
{
    *way = (struct points){.point = calloc(all->count + 1, sizeof *way->point)};
    if (!way->point)
        return VERDICT_NO_MEMORY;
    for (size_t i = 0; i < all->count; i++)
        if (sign * all->point[i].speed > 0)
            way->point[way->count++] = (struct curve_point){
                sign * all->speed * all->point[i].speed, sign * all->force * all->point[i].force, all->point[i].weight};
    return scale(way);
}

static void fit_one_way(const struct points *all, double sign, struct curve_fit *found)
{
    struct points way;
    struct choice choice;
    found->verdict = points_one_way(all, sign, &way);
    const int error = found->verdict == VERDICT_OK ? choose(&way, &choice) : 0;
    if (error)
        found->verdict = verdict_of(error);
    else if (found->verdict == VERDICT_OK)
        take(&way, &choice, found);
    found->points = way.count;
    free(way.point);
}

static void list_points(const struct points *points, const struct stribeck_fit *fit, struct speed_curve *curve)
{
    size_t stride = 1;
    while (points->count > stride * CURVE_POINTS)
        stride *= 2;
    for (size_t i = 0; i < points->count; i += stride) {
        double u;
        const double model = stribeck_force(fit, points->point[i].speed, &u);
        curve->point[curve->listed++] =
            (struct listed_point){points->speed * points->point[i].speed, points->force * points->point[i].force,
                                  points->force * model, points->force * u};
    }
}

static enum verdict look_at(const struct record *record, struct speed_curve *curve)
{
    struct points points;
    struct choice choice;
    enum verdict verdict = take_points(record, &points, &curve->left_out);
    if (verdict == VERDICT_OK)
        verdict = scale(&points);
    const int error = verdict == VERDICT_OK ? choose(&points, &choice) : 0;
    if (error)
        verdict = verdict_of(error);
    if (verdict == VERDICT_OK) {
        take(&points, &choice, &curve->both);
        list_points(&points, &choice.fit[choice.chosen], curve);
        fit_one_way(&points, 1, &curve->way[0]);
        fit_one_way(&points, -1, &curve->way[1]);
    }
    free(points.point);
    return verdict;
}

enum verdict analyse_curve(const struct record *record, enum verdict left_for, const struct identify_settings *settings,
                           void *found)
{
    struct speed_curve *curve = found;
    (void)settings;
    *curve = (struct speed_curve){.both = nothing_found(), .way = {nothing_found(), nothing_found()}};
    curve->verdict = left_for != VERDICT_OK ? left_for : look_at(record, curve);
    curve->both.verdict = curve->verdict;
    for (int w = 0; w < CURVE_WAYS && curve->verdict != VERDICT_OK; w++)
        curve->way[w].verdict = curve->verdict;
    return curve->verdict;
}
