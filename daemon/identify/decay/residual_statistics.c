/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One walk over the residuals for all that is asked of them afterwards: their size, their correlation from sample to
 * sample, and a phase lag that wanders, which shows a frequency that drifts. */

#include "identify/decay/residual_statistics.h"

#include "identify/common/sample_pass.h"
#include "identify/decay/half_cycle_residual.h"

#include <math.h>
#include <string.h>

/* Phase lag of one half cycle: the residual against the slope of the model. */
struct lag_sums {
    struct half_cycle_lag now;
    double slope_per_s; /* dy/dt = amplitude omega_d g'(theta), g' = -(1 + beta²) s */
    double last_root;   /* of the half cycle before: root of what its lag explained, with the sign of the lag */
};

enum { LINE_LENGTH = 1024 };

/* Residuals on their way into the products with earlier ones; 0 where a sample was left out. */
struct residual_line {
    enum lanes_kind kind;
    size_t lags;   /* asked for, with lag 0 */
    size_t filled; /* behind the AR_MOST that came before */
    double value[AR_MOST + LINE_LENGTH];
};

/* A frequency that drifts makes neighbours lag alike; noise does not, however strongly it is correlated: noise
 * slower than a half cycle even gives them opposite lags, because the slope changes sign. Four samples at least:
 * fewer would take their noise for a lag. */
static void close_half_cycle(struct lag_sums *sums, double turn_per_time, struct residual_statistics *statistics)
{
    const struct half_cycle_lag *now = &sums->now;
    double root = 0.0, slope_slope = sums->slope_per_s * sums->slope_per_s * now->s_s;
    /* A residual that is the slope times a constant is a model that comes too late by that constant. */
    if (now->samples >= 4 && slope_slope > 0.0) {
        double residual_slope = sums->slope_per_s * now->residual_s, delay = residual_slope / slope_slope;
        double explained = delay * residual_slope;
        double rest = fmax(now->squares - explained, 0.0) / (double)(now->samples - 1);
        root = copysign(sqrt(explained), delay);
        statistics->phase_squares += explained;
        statistics->per_radian_squares += slope_slope / (turn_per_time * turn_per_time);
        statistics->phase_coherence += root * sums->last_root;
        statistics->half_cycles++;
        /* Five standard deviations, since noise alone makes a lag as well: in one half cycle of two million where it
         * has many samples, in one of 65 where four tell how large the noise is (Student's t). */
        if (explained > 25.0 * rest)
            statistics->largest_lag = fmax(statistics->largest_lag, fabs(delay) * turn_per_time);
    }
    statistics->samples += now->samples;
    statistics->sum_of_squares += now->squares;
    sums->now = (struct half_cycle_lag){.sample_squares = now->sample_squares, .sample_sum = now->sample_sum};
    sums->last_root = root;
}

/* Multiplies what has gathered with what came before it. The squares are summed elsewhere. */
static void empty_line(struct residual_line *line, struct residual_statistics *statistics)
{
    lagged_products(line->kind, line->value + AR_MOST, line->filled, 1, line->lags, statistics->autocovariance);
    memmove(line->value, line->value + line->filled, AR_MOST * sizeof *line->value);
    line->filled = 0;
}

/* Room for the next residuals, and for how many of up to `wanted`. */
static double *room_in(struct residual_line *line, struct residual_statistics *statistics, size_t *wanted)
{
    if (line->filled == LINE_LENGTH)
        empty_line(line, statistics);
    *wanted = *wanted < LINE_LENGTH - line->filled ? *wanted : LINE_LENGTH - line->filled;
    double *room = line->value + AR_MOST + line->filled;
    line->filled += *wanted;
    return room;
}

/* One sample with a time of its own, or flagged. */
static double residual_at(const struct scaled_record *scaled, const struct half_cycle_pass *pass,
                          const struct half_cycle_curve *curve, double theta, size_t i, struct half_cycle_lag *lag)
{
    if (!scaled_usable(scaled, i))
        return 0.0;
    const struct law_bases at = law_bases_at(pass->beta, theta);
    double y = scaled_value(scaled, i), r = y - curve->constant - curve->amplitude * at.g;
    lag->residual_s += r * at.s;
    lag->s_s += at.s * at.s;
    lag->squares += r * r;
    lag->sample_squares += y * y;
    lag->sample_sum += y;
    lag->samples++;
    return r;
}

/* The samples [first, last) of the walk's present half cycle. */
static void look_at_half_cycle(const struct scaled_record *scaled, const struct decay_walk *walk,
                               struct half_cycle_pass *pass, size_t first, size_t last, struct residual_line *line,
                               struct lag_sums *lag, struct residual_statistics *statistics)
{
    const bool plain = scaled_is_plain(scaled);
    const struct half_cycle_curve curve = half_cycle_curve_of(walk->parameters, &walk->half);
    lag->slope_per_s = -curve.amplitude * pass->omega_d * (1.0 + pass->beta * pass->beta);
    while (first < last) {
        size_t count = last - first;
        double *room = room_in(line, statistics, &count);
        double theta = pass->omega_d * (scaled_time(scaled, first) - walk->zero_time);
        if (plain)
            half_cycle_residuals(pass, &curve, theta, scaled->record->displacement + first, count, room, &lag->now);
        for (size_t k = 0; k < count && !plain; k++) {
            theta = pass->omega_d * (scaled_time(scaled, first + k) - walk->zero_time);
            room[k] = residual_at(scaled, pass, &curve, theta, first + k, &lag->now);
        }
        first += count;
    }
    close_half_cycle(lag, pass->omega_d, statistics);
}

static void end_statistics(struct residual_line *line, const struct lag_sums *lag,
                           struct residual_statistics *statistics)
{
    empty_line(line, statistics);
    double n = statistics->samples ? (double)statistics->samples : 1.0, sum = lag->now.sample_sum;
    statistics->total_squares = fmax(lag->now.sample_squares - sum * sum / n, 0.0);
    statistics->autocovariance[0] = statistics->sum_of_squares / n;
    for (size_t k = 1; k <= AR_MOST; k++)
        statistics->autocovariance[k] /= n;
}

void closed_form_statistics(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                            size_t lags, struct residual_statistics *statistics)
{
    struct decay_walk walk = decay_walk_from(parameters);
    struct residual_line line = {.kind = lanes_widest(), .lags = lags < AR_MOST ? lags + 1 : AR_MOST + 1, .value = {0}};
    struct lag_sums lag = {.last_root = 0.0};
    struct half_cycle_pass pass = half_cycle_pass_with(line.kind, &walk.shape, scaled->offset, scaled->scale);
    pass.beyond = scaled->record->displacement + scaled->count;
    memset(statistics, 0, sizeof *statistics);
    while (first < last) {
        decay_walk_to(&walk, scaled_time(scaled, first));
        size_t end = scaled_first_at(scaled, walk.zero_time + walk.shape.half_period);
        end = end > first + 1 ? end : first + 1;
        end = end < last ? end : last;
        look_at_half_cycle(scaled, &walk, &pass, first, end, &line, &lag, statistics);
        first = end;
    }
    end_statistics(&line, &lag, statistics);
}
