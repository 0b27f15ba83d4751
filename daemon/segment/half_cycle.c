/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The measuring tool of the segmenter: one half cycle against the shape s(theta) that every free half cycle has.
 * Linear in swing and start, and in the shift to first order, so one pass of least squares is enough. */

#include "segment/half_cycle.h"

#include "identify/record.h"

#include <math.h>

/* 48 bins show the shape as well as 10000 samples do, and bound the work; five leave two more than there are
 * unknowns. */
enum { MAX_BINS = 48, FEWEST_BINS = 5 };

/* Samples averaged in equal groups: positions of their means, and the means. */
struct bins {
    size_t count;
    double position[MAX_BINS];
    double displacement[MAX_BINS];
    double size;
    bool even; /* equal distances */
};

/* Mean of the samples [from, to) that are not flagged; false when there is none. */
static bool average(const struct sample_history *history, uint64_t from, uint64_t to, double *position,
                    double *displacement)
{
    const double *sample = history->displacement + (from - history->first);
    size_t count = (size_t)(to - from);
    if (history->flagged <= from && !history->stamped) {
        double sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += sample[i];
        *position = (double)from + 0.5 * (double)(count - 1);
        *displacement = sum / (double)count;
        return true;
    }
    double positions = 0, sum = 0, good = 0;
    for (size_t i = 0; i < count; i++) {
        if (sample_history_flags(history, from + i))
            continue;
        positions += sample_history_position(history, from + i);
        sum += sample[i];
        good++;
    }
    *position = positions / fmax(good, 1);
    *displacement = sum / fmax(good, 1);
    return good > 0;
}

/* False when samples are missing at either end or one is clipped. */
static bool fill_bins(const struct sample_history *history, double start, double length, struct bins *bins)
{
    bins->count = 0;
    uint64_t from = sample_history_at(history, start), to = sample_history_at(history, start + length);
    bool complete = start > sample_history_position(history, history->floor) - 0.5;
    if (!complete || to <= from || sample_history_clipped_within(history, from, to))
        return false;
    size_t samples = (size_t)(to - from), size = (samples + MAX_BINS - 1) / MAX_BINS, wanted = samples / size;
    /* What does not fill a bin is left out at both ends alike. */
    from += (samples - wanted * size) / 2;
    bins->size = (double)size;
    bins->even = !history->stamped && history->flagged <= from;
    for (size_t bin = 0; bin < wanted; bin++) {
        uint64_t low = from + bin * size;
        size_t i = bins->count;
        bins->count += average(history, low, low + size, &bins->position[i], &bins->displacement[i]);
    }
    return bins->count >= FEWEST_BINS;
}

/* s(theta) and its derivative from e^(-beta theta) (cos theta, sin theta). */
static void shape(double cosine, double sine, double beta, double q, double *s, double *slope)
{
    *s = (1 - (cosine + beta * sine)) / (1 + q);
    *slope = (1 + beta * beta) * sine / (1 + q);
}

/* The columns s and s' at the bins. At equal distances one complex multiplication leads from bin to bin. */
static void fill_columns(const struct bins *bins, double start, double length, double beta, double *s, double *slope)
{
    double q = exp(-beta * M_PI), cosine = 0, sine = 0, turn_cosine = 0, turn_sine = 0;
    for (size_t i = 0; i < bins->count; i++) {
        if (!bins->even || i == 0) {
            double theta = M_PI * (bins->position[i] - start) / length, decay = exp(-beta * theta);
            double turn = M_PI * bins->size / length, turn_decay = exp(-beta * turn);
            cosine = decay * cos(theta);
            sine = decay * sin(theta);
            turn_cosine = turn_decay * cos(turn);
            turn_sine = turn_decay * sin(turn);
        }
        shape(cosine, sine, beta, q, &s[i], &slope[i]);
        double next = cosine * turn_cosine - sine * turn_sine;
        sine = cosine * turn_sine + sine * turn_cosine;
        cosine = next;
    }
}

/* Sums of the centred columns s, s', y over the bins. Centring first keeps a large constant displacement from
 * cancelling the small differences. */
struct moments {
    double ss, sd, dd, sy, dy, yy;
    double mean_s, mean_d, mean_y;
};

static void gather(const struct bins *bins, const double *s, const double *d, struct moments *sum)
{
    double count = (double)bins->count;
    *sum = (struct moments){0};
    for (size_t i = 0; i < bins->count; i++) {
        sum->mean_s += s[i] / count;
        sum->mean_d += d[i] / count;
        sum->mean_y += bins->displacement[i] / count;
    }
    for (size_t i = 0; i < bins->count; i++) {
        double cs = s[i] - sum->mean_s, cd = d[i] - sum->mean_d, cy = bins->displacement[i] - sum->mean_y;
        sum->ss += cs * cs;
        sum->sd += cs * cd;
        sum->dd += cd * cd;
        sum->sy += cs * cy;
        sum->dy += cd * cy;
        sum->yy += cy * cy;
    }
}

/* Least squares of y on 1, s, s'. */
static void solve(const struct moments *sum, double bins, double length, struct half_cycle *half)
{
    double determinant = sum->ss * sum->dd - sum->sd * sum->sd;
    double swing = (sum->sy * sum->dd - sum->dy * sum->sd) / determinant;
    double bump = (sum->ss * sum->dy - sum->sd * sum->sy) / determinant;
    double left = sum->yy - swing * sum->sy - bump * sum->dy;
    double variance = fmax(left, 0) / fmax(bins - 3, 1);
    half->swing = swing;
    half->start = sum->mean_y - swing * sum->mean_s - bump * sum->mean_d;
    half->residual = sqrt(variance);
    half->swing_se = sqrt(variance * sum->dd / determinant);
    /* Without a clear swing the shift is noise divided by noise. */
    bool clear = fabs(swing) > 3 * half->swing_se && swing != 0;
    /* A model that comes too late by d shows as -d times its slope; bump is the coefficient of that slope. */
    half->shift = clear ? -bump * length / (M_PI * swing) : 0;
    half->shift_se = clear ? sqrt(variance * sum->ss / determinant) * length / (M_PI * fabs(swing)) : length;
}

void half_cycle_fit(const struct sample_history *history, double start, double length, double beta,
                    struct half_cycle *half)
{
    struct bins bins;
    struct moments sum;
    double s[MAX_BINS], slope[MAX_BINS];
    *half = (struct half_cycle){.usable = fill_bins(history, start, length, &bins)};
    if (!half->usable)
        return;
    fill_columns(&bins, start, length, beta, s, slope);
    gather(&bins, s, slope, &sum);
    half->bins = bins.count;
    half->bin_size = bins.size;
    solve(&sum, (double)bins.count, length, half);
}

double motion_before(const struct sample_history *history, const struct motion_end *end, double back, double *residual)
{
    double crest = end->position, length = end->half_period, q = exp(-end->beta * M_PI);
    uint64_t from = sample_history_at(history, crest - back), to = sample_history_at(history, crest - 0.02 * length);
    *residual = 0;
    if (to < from + 2 || sample_history_clipped_within(history, from, to))
        return NAN;
    double xx = 0, xy = 0, yy = 0, count = 0;
    for (uint64_t i = from; i < to; i++) {
        if (sample_history_flags(history, i))
            continue;
        /* Counted backwards from the extremum, where a half cycle ends: theta is pi there. */
        double theta = M_PI - M_PI * (crest - sample_history_position(history, i)) / length;
        double decay = exp(-end->beta * theta), s, slope;
        shape(decay * cos(theta), decay * sin(theta), end->beta, q, &s, &slope);
        double x = end->swing * (1 - s), y = sample_history_value(history, i) - end->level;
        xx += x * x;
        xy += x * y;
        yy += y * y;
        count++;
    }
    double follow = xx > 0 ? xy / xx : NAN;
    *residual = sqrt(fmax(yy - follow * xy, 0) / fmax(count, 1));
    return follow;
}

/* y = c0 + c1 u + c2 u² over the window, u in [-1, 1]; false when the samples do not determine it. */
static bool parabola(const struct sample_history *history, double centre, double width, double c[3])
{
    uint64_t from = sample_history_at(history, centre - width), to = sample_history_at(history, centre + width);
    double u1 = 0, u2 = 0, u3 = 0, u4 = 0, y0 = 0, y1 = 0, y2 = 0, n = 0;
    if (to < from + 3 || sample_history_clipped_within(history, from, to))
        return false;
    double reference = sample_history_value(history, from);
    for (uint64_t i = from; i < to; i++) {
        if (history->flagged > from && sample_history_flags(history, i))
            continue;
        double u = (sample_history_position(history, i) - centre) / width;
        double y = sample_history_value(history, i) - reference;
        n++;
        u1 += u;
        u2 += u * u;
        u3 += u * u * u;
        u4 += u * u * u * u;
        y0 += y;
        y1 += u * y;
        y2 += u * u * y;
    }
    double a = u2 - u1 * u1 / n, b = u3 - u1 * u2 / n, d = u4 - u2 * u2 / n;
    double p = y1 - u1 * y0 / n, r = y2 - u2 * y0 / n;
    double determinant = a * d - b * b;
    if (n < 3 || !(determinant > 1e-12 * a * d))
        return false;
    c[1] = (p * d - r * b) / determinant;
    c[2] = (a * r - b * p) / determinant;
    c[0] = reference + (y0 - c[1] * u1 - c[2] * u2) / n;
    return true;
}

bool vertex_fit(const struct sample_history *history, double centre, double width, int curvature, double *position,
                double *level)
{
    double c[3];
    if (!parabola(history, centre, width, c) || !(c[2] * curvature > 0))
        return false;
    double u = -c[1] / (2 * c[2]);
    if (!(fabs(u) <= 1))
        return false;
    *position = centre + u * width;
    *level = c[0] + c[1] * u / 2;
    return true;
}
