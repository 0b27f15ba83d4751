/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/curve/speed_curve.h"

#include "identify/common/instrument_estimate.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

enum { VELOCITY_TRACE, FORCE_TRACE, DEVIATION_TRACE };

/* Points of one kind of motion, in units of their largest speed and force. */
struct points {
    struct curve_point *point; /* owned */
    size_t count;
    double speed, force; /* these units */
};

/* --- in the units of the record --- */

/* Of a sum of parameters, by its derivatives. */
static struct estimate estimate_of(const struct curve_choice *choice, const double by[STRIBECK_PARAMETERS], double unit)
{
    const struct stribeck_fit *fit = &choice->fit[choice->told];
    const double se = unit * sqrt(curve_choice_variance(choice, by));
    const double reach = gsl_cdf_tdist_Pinv(0.975, fit->freedom) * se;
    double value = 0;
    bool fitted = true;
    for (int p = 0; p < STRIBECK_PARAMETERS; p++) {
        value += unit * by[p] * fit->value[p];
        fitted = fitted && (by[p] == 0 || fit->fitted[p]);
    }
    if (!fitted || isnan(se))
        return estimate_unknown();
    return (struct estimate){.value = value, .se = se, .low = value - reach, .high = value + reach};
}

static struct estimate parameter_of(const struct curve_choice *choice, enum stribeck_parameter parameter, double unit)
{
    double by[STRIBECK_PARAMETERS] = {0};
    by[parameter] = 1;
    return estimate_of(choice, by, unit);
}

/* What would be below 0 is none, and has no error. */
static struct estimate viscous_of(const struct curve_choice *choice, double unit)
{
    if (!choice->fit[choice->told].fitted[STRIBECK_SIGMA_2])
        return (struct estimate){.value = 0, .se = NAN, .low = NAN, .high = NAN, .at_bound = true};
    return parameter_of(choice, STRIBECK_SIGMA_2, unit);
}

static void take_dip(const struct points *points, const struct curve_choice *choice, struct curve_fit *found)
{
    static const double level[STRIBECK_PARAMETERS] = {[STRIBECK_F_C] = 1, [STRIBECK_DIP] = 1};
    const struct stribeck_fit *fit = &choice->fit[choice->told];
    found->dip = parameter_of(choice, STRIBECK_DIP, points->force);
    found->f_s = estimate_of(choice, level, points->force);
    found->v_s = parameter_of(choice, STRIBECK_V_S, points->speed);
    found->exponent = fit->value[STRIBECK_EXPONENT];
    found->se_exponent = sqrt(fit->covariance[STRIBECK_EXPONENT][STRIBECK_EXPONENT]);
}

static void take(const struct points *points, const struct curve_choice *choice, struct curve_fit *found)
{
    found->verdict = VERDICT_OK;
    found->stribeck = choice->stribeck;
    found->tie = choice->tie;
    found->f_c = parameter_of(choice, STRIBECK_F_C, points->force);
    found->sigma_2 = viscous_of(choice, points->force / points->speed);
    found->f_0 = parameter_of(choice, STRIBECK_F_0, points->force);
    if (choice->stribeck == CURVE_DIP_FOUND)
        take_dip(points, choice, found);
    found->residual = points->force * choice->fit[choice->told].residual;
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
    for (size_t i = 0; i < points->count; i++) {
        points->point[i].speed /= points->speed;
        points->point[i].force /= points->force;
        points->point[i].weight /= weights;
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
    struct curve_choice choice;
    found->verdict = points_one_way(all, sign, &way);
    const int error = found->verdict == VERDICT_OK ? curve_choose(way.point, way.count, &choice) : 0;
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
    struct curve_choice choice;
    enum verdict verdict = take_points(record, &points, &curve->left_out);
    if (verdict == VERDICT_OK)
        verdict = scale(&points);
    const int error = verdict == VERDICT_OK ? curve_choose(points.point, points.count, &choice) : 0;
    if (error)
        verdict = verdict_of(error);
    if (verdict == VERDICT_OK) {
        take(&points, &choice, &curve->both);
        list_points(&points, &choice.fit[choice.told], curve);
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
