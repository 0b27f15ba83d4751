/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How fast a card's clock runs, and what it says now, from when its scans were seen. */

#include "acquire/card_clock.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A window holds many deliveries of the driver, one of which will have been seen at once. */
static const double first_window_s = 1;
/* Longer windows would average over the card's warming up. */
static const double longest_window_s = 16;
/* A line through fewer windows says more of their scatter than of the clock. */
enum { MIN_WINDOWS = 8 };
/* What is told never steps, for a decay may be running, and follows the line so slowly that no frequency suffers:
 * relative. */
static const double largest_slew = 2e-7;
/* A clock that is so wrong that its own error matters more may be followed faster: part of that error. */
static const double slew_of_error = 0.05;
/* The slope of the line is followed only when it is so many times its uncertainty, or every stamp would get the noise
 * of it; and gradually, 1/s. */
static const double sure_slope = 4, largest_drift_change_per_s = 20e-6;

static void forget(struct card_clock *clock)
{
    clock->window_s = first_window_s;
    clock->count = 0;
    clock->best_delay_s = clock->smallest_delay_s = INFINITY;
    clock->scatter_s = 0;
}

void card_clock_init(struct card_clock *clock)
{
    *clock = (struct card_clock){.slope_se = NAN, .offset_s = NAN};
    forget(clock);
}

static double line(const struct card_clock *clock, double monotonic_s)
{
    double slope = clock->count >= MIN_WINDOWS ? clock->slope : clock->told_drift;
    return clock->offset_s + slope * (monotonic_s - clock->centre_s);
}

/* The delay of a scan that is seen at once. Scans are seen late, by part of the driver's beat or by many of them; how
 * late at best is known from the start, whose moment was chosen here. */
static double taken(const struct card_clock *clock, double monotonic_s)
{
    return line(clock, monotonic_s) - clock->latency_s;
}

/* The delays from now on may differ by what the start took, so the line is forgotten; its slope is the best guess
 * until there is a new one. That scans are seen late is no part of source time: it would add up from start to start. */
double card_clock_start(struct card_clock *clock, double monotonic_s, double error_s, double period_s)
{
    double delay_s = isnan(clock->offset_s) ? 0 : taken(clock, monotonic_s);
    forget(clock);
    clock->began_s = clock->centre_s = clock->started_s = clock->told_from_s = monotonic_s;
    clock->offset_s = clock->told_offset_s = clock->start_delay_s = delay_s;
    clock->latency_s = 0;
    clock->start_error_s = error_s;
    clock->period_s = period_s;
    return monotonic_s - delay_s;
}

/* Each pair of windows becomes the better of the two. */
static void merge_windows(struct card_clock *clock)
{
    for (size_t i = 0; i < CARD_CLOCK_WINDOWS / 2; i++) {
        /* Better means nearer to the line: the smaller delay once the drift is taken out. */
        double drift = clock->slope * (clock->at_s[2 * i + 1] - clock->at_s[2 * i]);
        size_t best = clock->delay_s[2 * i + 1] - drift < clock->delay_s[2 * i] ? 2 * i + 1 : 2 * i;
        clock->at_s[i] = clock->at_s[best];
        clock->delay_s[i] = clock->delay_s[best];
    }
    clock->count = CARD_CLOCK_WINDOWS / 2;
    clock->window_s *= 2;
}

/* Without further merging the oldest window goes: the line follows the clock. */
static void drop_oldest(struct card_clock *clock)
{
    clock->count--;
    memmove(clock->at_s, clock->at_s + 1, clock->count * sizeof clock->at_s[0]);
    memmove(clock->delay_s, clock->delay_s + 1, clock->count * sizeof clock->delay_s[0]);
}

static double mean_of_kept(const double *values, const bool *kept, size_t count)
{
    double sum = 0;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        sum += kept[i] ? values[i] - values[0] : 0;
        used += kept[i];
    }
    return values[0] + sum / (double)used;
}

/* Delays drift with the beat between driver and reader, so neighbouring windows err alike and tell less than as many
 * independent ones: by the variance of a mean with first-order correlation. */
static double inflation(double neighbours, double residual)
{
    double correlation = residual > 0 ? fmin(fmax(neighbours / residual, 0), 0.95) : 0;
    return sqrt((1 + correlation) / (1 - correlation));
}

static double residual(const struct card_clock *clock, size_t i)
{
    return clock->delay_s[i] - clock->offset_s - clock->slope * (clock->at_s[i] - clock->centre_s);
}

/* How long ago the latest scan was taken when the driver hands it out is anything up to a period, and drifts between
 * these ends as slowly as a wrong clock: two moments, each known to a rectangle as wide as a period. */
static double slope_by_period(const struct card_clock *clock)
{
    return clock->period_s / sqrt(6) / (clock->at_s[clock->count - 1] - clock->at_s[0]);
}

/* Least squares, about the centre so that seconds since the computer's start cost no digits. */
static void fit_kept(struct card_clock *clock, const bool *kept)
{
    size_t n = clock->count, used = 0;
    double centre = mean_of_kept(clock->at_s, kept, n), offset = mean_of_kept(clock->delay_s, kept, n);
    double sxx = 0, sxy = 0, sum = 0, neighbours = 0, before = 0;
    for (size_t i = 0; i < n; i++) {
        double x = clock->at_s[i] - centre;
        sxx += kept[i] ? x * x : 0;
        sxy += kept[i] ? x * (clock->delay_s[i] - offset) : 0;
        used += kept[i];
    }
    clock->centre_s = centre;
    clock->offset_s = offset;
    clock->slope = sxy / sxx;
    for (size_t i = 0; i < n; i++) {
        double r = kept[i] ? residual(clock, i) : 0;
        sum += r * r;
        neighbours += r * before;
        before = r;
    }
    clock->scatter_s = sqrt(sum / (double)(used - 2));
    double by_scatter = clock->scatter_s / sqrt(sxx) * inflation(neighbours, sum);
    clock->slope_se = hypot(by_scatter, slope_by_period(clock));
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

/* Through the medians, of the slopes between all pairs of windows and of what is left (Theil and Sen): up to a quarter
 * of them may be anywhere, also all at one end, where least squares would follow them. */
static void draw_through_medians(struct card_clock *clock)
{
    double values[CARD_CLOCK_WINDOWS * (CARD_CLOCK_WINDOWS - 1) / 2];
    size_t n = clock->count, pairs = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            values[pairs++] = (clock->delay_s[j] - clock->delay_s[i]) / (clock->at_s[j] - clock->at_s[i]);
    clock->slope = median(values, pairs);
    clock->centre_s = clock->at_s[n / 2];
    clock->offset_s = 0;
    for (size_t i = 0; i < n; i++)
        values[i] = residual(clock, i);
    clock->offset_s = median(values, n);
}

/* Less than this may be the beat between driver and reader, of which every window must be kept. */
static const double late_s = 1e-3;

/* Windows in which every scan was seen late, because the computer was busy for all of it, lie far above the line and
 * tell nothing of the card. Far is five of the others' deviations. None is dropped when too few would stay. */
static void drop_late(const struct card_clock *clock, bool *kept)
{
    static const double deviations_per_median = 1.4826; /* of a normal distribution */
    double deviations[CARD_CLOCK_WINDOWS];
    size_t n = clock->count, stay = 0;
    for (size_t i = 0; i < n; i++)
        deviations[i] = fabs(residual(clock, i));
    double limit = fmax(5 * deviations_per_median * median(deviations, n), late_s);
    for (size_t i = 0; i < n; i++) {
        kept[i] = residual(clock, i) <= limit;
        stay += kept[i];
    }
    for (size_t i = 0; i < n && 3 * stay < 2 * n; i++)
        kept[i] = true;
}

static void fit_line(struct card_clock *clock)
{
    bool kept[CARD_CLOCK_WINDOWS];
    draw_through_medians(clock);
    drop_late(clock, kept);
    fit_kept(clock, kept);
}

static void close_window(struct card_clock *clock)
{
    if (clock->count == CARD_CLOCK_WINDOWS && clock->window_s < longest_window_s)
        merge_windows(clock);
    else if (clock->count == CARD_CLOCK_WINDOWS)
        drop_oldest(clock);
    clock->at_s[clock->count] = clock->best_at_s;
    clock->delay_s[clock->count] = clock->best_delay_s;
    clock->count++;
    clock->best_delay_s = INFINITY;
    if (clock->count >= MIN_WINDOWS)
        fit_line(clock);
    if (clock->count == MIN_WINDOWS)
        clock->latency_s = fmax(line(clock, clock->started_s) - clock->start_delay_s, 0);
}

static double told(const struct card_clock *clock, double monotonic_s)
{
    return clock->told_offset_s + clock->told_slope * (monotonic_s - clock->told_from_s);
}

static double within(double value, double limit)
{
    return fmin(fmax(value, -limit), limit);
}

/* How far what is told lies from the line, beyond what is known of the line: which scan of a period was seen, and how
 * late. */
static double astray(const struct card_clock *clock, double monotonic_s)
{
    double off_s = taken(clock, monotonic_s) - clock->told_offset_s;
    return off_s - within(off_s, clock->period_s + 2 * clock->scatter_s);
}

/* Once a window: from here on, a little nearer to the line. */
static void follow_line(struct card_clock *clock, double monotonic_s)
{
    double elapsed_s = monotonic_s - clock->told_from_s;
    bool known = fabs(clock->slope) > sure_slope * clock->slope_se;
    double drift = known ? clock->slope : clock->told_drift;
    clock->told_offset_s = told(clock, monotonic_s);
    clock->told_from_s = monotonic_s;
    clock->told_drift += within(drift - clock->told_drift, largest_drift_change_per_s * elapsed_s);
    double catch_up = astray(clock, monotonic_s) / longest_window_s;
    clock->told_slope =
        clock->told_drift + within(catch_up, fmax(largest_slew, slew_of_error * fabs(clock->told_drift)));
}

void card_clock_note(struct card_clock *clock, double source_s, double monotonic_s)
{
    double delay_s = monotonic_s - source_s;
    /* Until there is a line, the smallest delay of all is the best offset. */
    if (clock->count < MIN_WINDOWS && delay_s < clock->smallest_delay_s) {
        clock->smallest_delay_s = clock->offset_s = delay_s;
        clock->centre_s = monotonic_s;
        clock->latency_s = fmax(delay_s - clock->start_delay_s, 0);
    }
    if (monotonic_s - clock->began_s >= clock->window_s) {
        if (isfinite(clock->best_delay_s))
            close_window(clock);
        follow_line(clock, monotonic_s);
        clock->began_s = monotonic_s;
    }
    if (delay_s < clock->best_delay_s) {
        clock->best_delay_s = delay_s;
        clock->best_at_s = monotonic_s;
    }
}

double card_clock_source_s(const struct card_clock *clock, double monotonic_s)
{
    return monotonic_s - told(clock, monotonic_s);
}

double card_clock_error_s(const struct card_clock *clock, double monotonic_s)
{
    return fabs(taken(clock, monotonic_s) - told(clock, monotonic_s)) + clock->scatter_s + clock->latency_s +
           clock->start_error_s;
}

double card_clock_rate_error(const struct card_clock *clock, double *se)
{
    *se = clock->slope_se;
    return isnan(clock->slope_se) ? (double)NAN : -clock->slope;
}
