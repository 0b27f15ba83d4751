/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Damping of an impact instead of a decay: the ball is one half cycle in contact, and what it keeps of its speed is
 * q = e^(-beta pi). */

#include "identify/bounce/restitution.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Of an e: a decimal figure, the quotient of two and its root round by half the last bit of a double each, and so do
 * the steps of a mean. Impacts that differ by less do not differ. */
#define ROUNDING (4 * DBL_EPSILON)

const char *restitution_kind_name(enum restitution_kind kind)
{
    static const char *const names[] = {"velocities", "heights", "flight_times"};
    return names[kind];
}

/* NAN for what is no rebound. Velocities have a direction, heights and times are more than nothing. */
static double coefficient(enum restitution_kind kind, const struct impact *impact)
{
    const bool directed = kind == RESTITUTION_VELOCITIES;
    const double before = directed ? fabs(impact->before) : impact->before;
    const double after = directed ? fabs(impact->after) : impact->after;
    if (!(before > 0) || !(after > 0) || !(after <= before) || !isfinite(before))
        return NAN;
    const double ratio = after / before, e = kind == RESTITUTION_HEIGHTS ? sqrt(ratio) : ratio;
    return e > 0 ? e : NAN;
}

double restitution_zeta(double e, double *per_e)
{
    const double loss = log(1 / e), root = sqrt(M_PI * M_PI + loss * loss);
    if (per_e)
        *per_e = -M_PI * M_PI / (e * root * root * root);
    return loss / root;
}

/* Impacts that gain energy are measuring errors or another body's doing; they are counted, not averaged. */
static void average(enum restitution_kind kind, const struct impact *impacts, size_t count, struct restitution *result)
{
    double squares = 0, mean = 0;
    for (size_t i = 0; i < count; i++) {
        const double e = coefficient(kind, &impacts[i]);
        if (isnan(e)) {
            result->left_out++;
            continue;
        }
        result->impacts++;
        const double step = e - mean;
        mean += step / (double)result->impacts;
        squares += step * (e - mean);
    }
    result->e.value = result->impacts > 0 ? mean : NAN;
    result->sd = result->impacts > 1 ? sqrt(squares / (double)(result->impacts - 1)) : NAN;
}

/* NAN where the impacts do not scatter, as those of one or of a coarse measure: then they do not tell it. */
static double standard_error(const struct restitution *result)
{
    return result->sd > ROUNDING * result->e.value ? result->sd / sqrt((double)result->impacts) : NAN;
}

static struct estimate estimate_of(double value, double se, double freedom, double most)
{
    const double reach = isfinite(se) ? gsl_cdf_tdist_Pinv(0.975, freedom) * se : NAN;
    struct estimate estimate = {value, se, value - reach, value + reach, false, {0}};
    if (isfinite(reach)) {
        estimate.low = fmax(estimate.low, 0);
        estimate.high = fmin(estimate.high, most);
        /* The scatter of the impacts is all that is uncertain about them. */
        estimate.combined = (struct combined_uncertainty){true, se, estimate.low, estimate.high};
    }
    return estimate;
}

enum verdict restitution_of(enum restitution_kind kind, const struct impact *impacts, size_t count, double mass_kg,
                            double stiffness_n_per_m, struct restitution *result)
{
    const struct estimate unknown = {NAN, NAN, NAN, NAN, false, {0}};
    *result = (struct restitution){VERDICT_TOO_FEW_SAMPLES, kind, unknown, unknown, unknown, NAN, 0, 0};
    average(kind, impacts, count, result);
    if (result->impacts == 0)
        return result->verdict = count > 0 ? VERDICT_NOT_DECAYING : VERDICT_TOO_FEW_SAMPLES;
    const double freedom = (double)result->impacts - 1, se = standard_error(result);
    double per_e = NAN;
    const double zeta = restitution_zeta(result->e.value, &per_e);
    result->e = estimate_of(result->e.value, se, freedom, 1);
    result->zeta = estimate_of(zeta, fabs(per_e) * se, freedom, 1);
    /* c = 2 sqrt(k m) zeta; two roots, so that a product of extreme settings cannot overflow. */
    const double factor = 2 * sqrt(stiffness_n_per_m) * sqrt(mass_kg);
    if (isfinite(factor) && factor > 0)
        result->c_n_s_per_m = estimate_of(factor * zeta, factor * result->zeta.se, freedom, INFINITY);
    return result->verdict = VERDICT_OK;
}

static enum restitution_kind kind_of(const struct record_trace *trace)
{
    const bool height = strcmp(trace->quantity, QUANTITY_HEIGHT) == 0;
    const bool velocity = strcmp(trace->quantity, QUANTITY_VELOCITY) == 0;
    return height ? RESTITUTION_HEIGHTS : velocity ? RESTITUTION_VELOCITIES : RESTITUTION_TIMES;
}

/* There is room for as many as the first trace has figures. */
static size_t impacts_of(const struct record *record, struct impact *impacts)
{
    const struct record_trace *first = &record->traces[0];
    size_t count = 0;
    if (record->count == 2)
        for (; count < first->count; count++)
            impacts[count] = (struct impact){record_value(first, count), record_value(&record->traces[1], count)};
    else
        for (size_t i = 1; i < first->count; i++)
            if (record_value(first, i - 1) > 0 && record_value(first, i) > 0)
                impacts[count++] = (struct impact){record_value(first, i - 1), record_value(first, i)};
    return count;
}

enum verdict analyse_bounces(const struct record *record, enum verdict left_for,
                             const struct identify_settings *settings, void *findings)
{
    const struct physical_settings *physical = &settings->physical;
    const bool left = left_for != VERDICT_OK;
    struct restitution *restitution = findings;
    struct impact *impacts = left ? NULL : calloc(record->traces[0].count + 1, sizeof *impacts);
    const size_t count = impacts ? impacts_of(record, impacts) : 0;
    restitution_of(kind_of(&record->traces[0]), impacts, count, physical->mass_kg, physical->stiffness_n_per_m,
                   restitution);
    if (!impacts)
        restitution->verdict = left ? left_for : VERDICT_NO_MEMORY;
    free(impacts);
    return restitution->verdict;
}
