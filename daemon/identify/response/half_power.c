/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/response/half_power.h"

#include "identify/common/instrument_estimate.h"
#include "identify/response/gain_parabola.h"
#include "identify/response/second_peak.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESPONSE_TRACE, FREQUENCY_TRACE, FORCE_TRACE };

/* Points of a smooth piece, and those of the whole record at least. */
enum { PIECE = 4, POINTS_LEAST = 7 };

/* A linear resonance is looked for where the amplitude is at least this part of the largest. */
static const double shape_from = 0.3;

/* The peak is none of a linear resonance from so many times the scatter on, which has three degrees of freedom (by
 * chance in 2 %), and this share of the amplitude; and from that share on in any case, for where a peak jumps the
 * pieces scatter, too. */
static const double misfit_times = 4, misfit_least = 0.005, misfit_sure = 0.1;

/* A width of fewer standard errors is scatter, by chance in less than 1 % with the fewest degrees of freedom. */
static const double SEEN = 6;

static int by_frequency(const void *a, const void *b)
{
    const struct response_point *one = a, *other = b;
    return (one->frequency > other->frequency) - (one->frequency < other->frequency);
}

static enum verdict take_points(const struct record *record, struct response_point *points)
{
    const size_t count = record->traces[0].count;
    for (size_t i = 0; i < count; i++) {
        const double force = record->count > FORCE_TRACE ? record_value(&record->traces[FORCE_TRACE], i) : 1;
        points[i] = (struct response_point){.frequency = record_value(&record->traces[FREQUENCY_TRACE], i),
                                            .response = record_value(&record->traces[RESPONSE_TRACE], i),
                                            .force = force};
        if (!isfinite(points[i].frequency) || !isfinite(points[i].response) || !isfinite(force))
            return VERDICT_NOT_FINITE;
        if (!(points[i].frequency > 0) || !(points[i].response > 0) || !(force > 0))
            return VERDICT_NOT_POSITIVE;
        points[i].gain = points[i].response / force;
    }
    return VERDICT_OK;
}

/* In order of their frequencies; one that was measured several times, as by a sweep up and one down, is a point of the
 * means. How many there are. */
static size_t join_points(struct response_point *points, size_t count)
{
    size_t joined = 0;
    qsort(points, count, sizeof *points, by_frequency);
    for (size_t i = 0, behind; i < count; i = behind) {
        struct response_point mean = {.frequency = points[i].frequency};
        for (behind = i; behind < count && !(points[behind].frequency > mean.frequency); behind++) {
            mean.response += points[behind].response;
            mean.force += points[behind].force;
            mean.gain += points[behind].gain;
        }
        const double times = (double)(behind - i);
        points[joined++] =
            (struct response_point){mean.frequency, mean.response / times, mean.force / times, mean.gain / times};
    }
    return joined;
}

/* --- the peak and its flanks --- */

struct flank {
    struct gain_parabola parabola;
    double x, slope; /* where y is twice that of the peak; dy/df there */
};

/* The piece about the points `at` and the next. */
static bool piece_about(const struct response_point *points, size_t count, size_t at, double peak,
                        struct gain_parabola *parabola)
{
    size_t first = at + 1 > PIECE / 2 ? at + 1 - PIECE / 2 : 0;
    first = first + PIECE > count ? count - PIECE : first;
    return gain_parabola_fit(points + first, PIECE, peak, 0, parabola);
}

/* The crossing between two points, by the parabola where it crosses there, else by the straight line in 1/gain^2. */
static void cross(const struct response_point *points, size_t at, double peak, double level, struct flank *flank)
{
    const struct gain_parabola *p = &flank->parabola;
    double low = gain_parabola_place(p, points[at].frequency), high = gain_parabola_place(p, points[at + 1].frequency);
    const double y_low = pow(peak / points[at].gain, 2), y_high = pow(peak / points[at + 1].gain, 2);
    const bool rises = y_high > y_low, crosses = (gain_parabola_value(p, low) < level) == rises &&
                                                 (gain_parabola_value(p, high) > level) == rises;
    flank->x = low + (high - low) * (level - y_low) / (y_high - y_low);
    for (int i = 0; i < 60 && crosses; i++) {
        flank->x = 0.5 * (low + high);
        if ((gain_parabola_value(p, flank->x) < level) == rises)
            low = flank->x;
        else
            high = flank->x;
    }
    const double f = gain_parabola_frequency(p, flank->x);
    flank->slope = (p->c[1] + 2 * p->c[2] * flank->x) * 2 * f / (p->middle * p->middle * p->width);
}

struct peak {
    struct flank summit, below, above;
    double least; /* y of the summit */
};

/* How far down the flanks have fallen beside the largest, in points; `count`: nowhere. */
static size_t fallen(const struct response_point *points, size_t count, size_t top, int step, double gain)
{
    for (size_t i = top;; i += (size_t)step) {
        if (points[i].gain <= gain)
            return i;
        if ((step < 0 && i == 0) || (step > 0 && i + 1 == count))
            return count;
    }
}

static enum verdict find_peak(const struct response_point *points, size_t count, size_t top, struct peak *peak)
{
    const double gain = points[top].gain;
    struct gain_parabola *summit = &peak->summit.parabola;
    if (top < 2 || top + 2 >= count)
        return VERDICT_NO_PEAK;
    if (!piece_about(points, count, points[top - 1].gain > points[top + 1].gain ? top - 1 : top, gain, summit) ||
        !(summit->c[2] > 0))
        return VERDICT_NO_PEAK;
    peak->summit.x = -0.5 * summit->c[1] / summit->c[2];
    peak->summit.x = fmax(gain_parabola_place(summit, points[top - 1].frequency),
                          fmin(gain_parabola_place(summit, points[top + 1].frequency), peak->summit.x));
    peak->least = gain_parabola_value(summit, peak->summit.x);
    if (!(peak->least > 0))
        return VERDICT_NO_PEAK;
    const double half = gain / sqrt(2 * peak->least);
    /* Frequencies this far apart have not met the peak. */
    if (points[top].gain <= half)
        return VERDICT_NO_HALF_POWER;
    const size_t below = fallen(points, count, top, -1, half), above = fallen(points, count, top, 1, half);
    if (below == count || above == count)
        return VERDICT_NO_HALF_POWER;
    if (!piece_about(points, count, below, gain, &peak->below.parabola) ||
        !piece_about(points, count, above - 1, gain, &peak->above.parabola))
        return VERDICT_NO_HALF_POWER;
    cross(points, below, gain, 2 * peak->least, &peak->below);
    cross(points, above - 1, gain, 2 * peak->least, &peak->above);
    return VERDICT_OK;
}

/* --- what it says --- */

static struct estimate estimate_of(double value, double se, double freedom)
{
    const double reach = gsl_cdf_tdist_Pinv(0.975, freedom) * se;
    return (struct estimate){.value = value, .se = se, .low = value - reach, .high = value + reach};
}

/* zeta of a displacement and of an acceleration: with zeta = sin(a), (f_2^2 - f_1^2)/(f_1^2 + f_2^2) is
 * sin(2a)/cos(2a). At most sin(pi/8). */
static double exact_damping(double f_1, double f_2)
{
    const double square_1 = f_1 * f_1, square_2 = f_2 * f_2;
    return sin(0.5 * atan2(square_2 - square_1, square_1 + square_2));
}

/* By how much the rule itself is wrong where the damping is not small; of a velocity it is wrong by less. */
static double bias_of_rule(double f_1, double f_2)
{
    return (f_2 - f_1) / (f_1 + f_2) - exact_damping(f_1, f_2);
}

static double crossing_variance(const struct flank *flank, double variance)
{
    return variance * gain_parabola_variance(&flank->parabola, flank->x) / (flank->slope * flank->slope);
}

/* The summit of a displacement is at f_n sqrt(1 - 2 zeta^2), that of a velocity at f_n, and that of an acceleration at
 * f_n/sqrt(1 - 2 zeta^2): (f_summit/f_n)^2 is 1 - 2 zeta^2 to the power 1, 0 or -1. */
static bool power_of_shift(const char *quantity, double *power)
{
    static const struct {
        const char *quantity;
        double power;
    } rows[] = {{QUANTITY_DISPLACEMENT, 1}, {QUANTITY_VELOCITY, 0}, {QUANTITY_ACCELERATION, -1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (quantity && strcmp(quantity, rows[i].quantity) == 0) {
            *power = rows[i].power;
            return true;
        }
    return false;
}

/* Variance of the place of the summit in x: dx = -dc_1/(2 c_2) and x dc_2/c_2. */
static double summit_variance(const struct flank *summit, double variance)
{
    const struct gain_parabola *p = &summit->parabola;
    const double c = p->c[2], x = summit->x;
    return variance * (p->inverse[1][1] / 4 + x * p->inverse[1][2] + x * x * p->inverse[2][2]) / (c * c);
}

/* The undamped frequency, for a damping zeta of that standard error. Of a response whose quantity nobody says, the
 * summit is given, and by how much it may be beside f_n to either side is in the uncertainty. */
static struct estimate undamped_frequency(const struct flank *summit, double zeta, double zeta_se, const char *quantity,
                                          double variance, double freedom)
{
    const struct gain_parabola *p = &summit->parabola;
    const double f = gain_parabola_frequency(p, summit->x), shift = 1 - 2 * zeta * zeta;
    const double se = p->middle * p->middle * p->width / (2 * f) * sqrt(summit_variance(summit, variance));
    double power;
    if (!power_of_shift(quantity, &power))
        return estimate_of(f, hypot(se, zeta * zeta * f), freedom);
    const double corrects = pow(shift, -0.5 * power);
    return estimate_of(f * corrects, corrects * hypot(se, 2 * power * zeta * zeta_se * f / shift), freedom);
}

static void take_figures(const struct peak *peak, const char *quantity, const struct physical_settings *physical,
                         struct half_power *found)
{
    const struct instrument instrument = instrument_of(physical);
    const struct gain_parabola *summit = &peak->summit.parabola;
    const double freedom = summit->freedom + peak->below.parabola.freedom + peak->above.parabola.freedom;
    const double squares = summit->squares + peak->below.parabola.squares + peak->above.parabola.squares;
    const double variance = squares / freedom;
    const double f_1 = gain_parabola_frequency(&peak->below.parabola, peak->below.x);
    const double f_2 = gain_parabola_frequency(&peak->above.parabola, peak->above.x), both = f_1 + f_2;
    /* The height of the summit moves both crossings apart; the rest of each is its own. */
    const double summit_u = 2 * sqrt(variance * gain_parabola_variance(summit, peak->summit.x));
    const double widens = summit_u * (1 / fabs(peak->below.slope) + 1 / fabs(peak->above.slope));
    const double own_1 = crossing_variance(&peak->below, variance), own_2 = crossing_variance(&peak->above, variance);
    const double by_1 = 2 * f_2 / (both * both), by_2 = 2 * f_1 / (both * both);
    const double se = sqrt(by_1 * by_1 * own_1 + by_2 * by_2 * own_2 + pow(widens / both, 2));
    found->noise = sqrt(variance) / 2; /* a share of 1/gain^2 is twice that of the gain */
    found->zeta = estimate_combined(estimate_of((f_2 - f_1) / both, hypot(se, bias_of_rule(f_1, f_2)), freedom),
                                    &instrument, 0, 0);
    found->f_1 = estimate_combined(estimate_of(f_1, hypot(sqrt(own_1), summit_u / peak->below.slope), freedom),
                                   &instrument, 1, 0);
    found->f_2 = estimate_combined(estimate_of(f_2, hypot(sqrt(own_2), summit_u / peak->above.slope), freedom),
                                   &instrument, 1, 0);
    const struct estimate f_n =
        undamped_frequency(&peak->summit, exact_damping(f_1, f_2), se, quantity, variance, freedom);
    found->f_n = estimate_combined(f_n, &instrument, 1, 0);
}

static double spread_of(const struct response_point *points, size_t first, size_t behind, bool of_force, double *mean)
{
    double least = INFINITY, most = 0, sum = 0;
    for (size_t i = first; i < behind; i++) {
        const double value = of_force ? points[i].force : points[i].response;
        least = fmin(least, value);
        most = fmax(most, value);
        sum += value;
    }
    *mean = sum / (double)(behind - first);
    return (most - least) / *mean;
}

/* What was held while the peak was measured, and whether it is a linear resonance. */
static void judge(const struct response_point *points, size_t count, size_t top, bool has_force,
                  struct half_power *found)
{
    double ignored;
    size_t first = top, behind = top + 1;
    while (first > 0 && points[first - 1].frequency >= found->f_1.value)
        first--;
    while (behind < count && points[behind].frequency <= found->f_2.value)
        behind++;
    found->response_spread = spread_of(points, first, behind, false, &found->response);
    found->force_spread = has_force ? spread_of(points, first, behind, true, &ignored) : (double)NAN;
    found->response_constant = found->response_spread <= HALF_POWER_SPREAD;
    while (first > 0 && points[first - 1].gain >= shape_from * points[top].gain)
        first--;
    while (behind < count && points[behind].gain >= shape_from * points[top].gain)
        behind++;
    for (int order = 0; order <= 2; order++) {
        struct gain_parabola whole;
        if (behind - first > GAIN_PARABOLA &&
            gain_parabola_fit(points + first, behind - first, points[top].gain, order, &whole))
            found->misfit = fmin(found->misfit, sqrt(whole.squares / whole.freedom) / 2); /* fmin leaves out NAN */
    }
    found->amplitude_dependent = !found->response_constant && isnan(found->second_peak) &&
                                 found->misfit > misfit_least &&
                                 (found->misfit > misfit_times * found->noise || found->misfit > misfit_sure);
}

/* Beside what the instruments add. */
static struct estimate widened(struct estimate estimate, double besides)
{
    const double u = estimate.combined.u, se = estimate.se;
    return estimate_widened(estimate, hypot(sqrt(fmax(u * u - se * se, 0)), besides));
}

/* The flank of another resonance stands under the peak. At a distance of many half widths it is that share of the peak,
 * in any phase: so much the width may be off, and the summit and crossings by that share of the half width. */
static void add_second_peak(const struct second_peak *second, struct half_power *found)
{
    if (!(second->share > 0))
        return;
    const double half_width = 0.5 * (found->f_2.value - found->f_1.value);
    const double flank = second->share * half_width / fabs(second->frequency - found->f_n.value);
    found->second_peak = second->frequency;
    found->zeta = widened(found->zeta, flank * found->zeta.value);
    found->f_n = widened(found->f_n, flank * half_width);
    found->f_1 = widened(found->f_1, flank * half_width);
    found->f_2 = widened(found->f_2, flank * half_width);
}

/* A width that is not seen, or crossings on one side, come of scatter. */
static bool is_peak(const struct half_power *found)
{
    const double bias = bias_of_rule(found->f_1.value, found->f_2.value);
    const double scatter_squared = found->zeta.se * found->zeta.se - bias * bias;
    return found->f_1.value < found->f_n.value && found->f_n.value < found->f_2.value &&
           found->zeta.value * found->zeta.value > SEEN * SEEN * scatter_squared;
}

static void forget(struct half_power *found)
{
    const struct estimate unknown = estimate_unknown();
    *found = (struct half_power){.zeta = unknown,
                                 .f_n = unknown,
                                 .f_1 = unknown,
                                 .f_2 = unknown,
                                 .response = NAN,
                                 .response_spread = NAN,
                                 .force_spread = NAN,
                                 .second_peak = NAN,
                                 .noise = NAN,
                                 .misfit = NAN,
                                 .points = found->points};
}

/* Of points that were taken, by their frequencies. */
static enum verdict look_at_peak(const struct response_point *points, size_t count, const struct record *record,
                                 const struct identify_settings *settings, double *scratch, struct half_power *found)
{
    struct peak peak;
    size_t top = 0;
    for (size_t i = 0; i < count; i++)
        top = points[i].gain > points[top].gain ? i : top;
    const enum verdict verdict = find_peak(points, count, top, &peak);
    if (verdict != VERDICT_OK)
        return verdict;
    take_figures(&peak, record->traces[RESPONSE_TRACE].quantity, &settings->physical, found);
    if (!is_peak(found))
        return VERDICT_NO_PEAK;
    const struct second_peak second = second_peak_of(points, count, top, found->f_1.value, found->f_2.value, scratch);
    add_second_peak(&second, found);
    judge(points, count, top, record->count > FORCE_TRACE, found);
    return VERDICT_OK;
}

static enum verdict look_at(const struct record *record, const struct identify_settings *settings,
                            struct half_power *found)
{
    const size_t count = record->traces[0].count;
    struct response_point *points = calloc(count + 1, sizeof *points);
    double *scratch = calloc(count + 1, sizeof *scratch);
    found->points = count;
    enum verdict verdict = !points || !scratch ? VERDICT_NO_MEMORY : take_points(record, points);
    if (verdict == VERDICT_OK) {
        found->points = join_points(points, count);
        verdict = found->points < POINTS_LEAST ? VERDICT_TOO_FEW_SAMPLES
                                               : look_at_peak(points, found->points, record, settings, scratch, found);
    }
    if (verdict != VERDICT_OK)
        forget(found);
    free(scratch);
    free(points);
    return verdict;
}

enum verdict analyse_response(const struct record *record, enum verdict left_for,
                              const struct identify_settings *settings, void *findings)
{
    struct half_power *found = findings;
    found->points = 0;
    forget(found);
    return found->verdict = left_for != VERDICT_OK ? left_for : look_at(record, settings, found);
}
