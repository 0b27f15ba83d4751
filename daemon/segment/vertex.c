/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where between samples is a crest or a trough? A parabola through the samples about it tells. */

#include "segment/vertex.h"

#include "segment/vertex_loops.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* A fit must have more than this part of its determinant left: of less, rounding, which is 2e-16 of each term, is a
 * part in 5000. */
#define LEAST_DETERMINED 1e-12

/* y = c[0] + c[1] u + c[2] u^2 with u = (position - origin) / unit. */
struct parabola {
    double origin, unit;
    double c[3];
};

/* Sums over the samples of a window: of powers of u in [-1, 1], and of these times y. */
struct powers {
    double n, u1, u2, u3, u4, y0, y1, y2;
};

static void add_powers(struct powers *sum, double u, double y)
{
    double uu = u * u;
    sum->n++;
    sum->u1 += u;
    sum->u2 += uu;
    sum->u3 += uu * u;
    sum->u4 += uu * uu;
    sum->y0 += y;
    sum->y1 += u * y;
    sum->y2 += uu * y;
}

/* Samples at distances of their own, or with gaps between them. */
static bool fit_unevenly(const struct sample_history *history, uint64_t from, uint64_t to, struct parabola *parabola)
{
    struct powers sum = {0};
    double reference = sample_history_value(history, from), *c = parabola->c;
    for (uint64_t i = from; i < to; i++)
        if (!sample_history_flags(history, i))
            add_powers(&sum, (sample_history_position(history, i) - parabola->origin) / parabola->unit,
                       sample_history_value(history, i) - reference);
    double n = sum.n;
    if (n < 3)
        return false;
    double a = sum.u2 - sum.u1 * sum.u1 / n, b = sum.u3 - sum.u1 * sum.u2 / n, d = sum.u4 - sum.u2 * sum.u2 / n;
    double p = sum.y1 - sum.u1 * sum.y0 / n, r = sum.y2 - sum.u2 * sum.y0 / n;
    double determinant = a * d - b * b;
    if (!(determinant > LEAST_DETERMINED * a * d))
        return false;
    c[1] = (p * d - r * b) / determinant;
    c[2] = (a * r - b * p) / determinant;
    c[0] = reference + (sum.y0 - c[1] * sum.u1 - c[2] * sum.u2) / n;
    return true;
}

/* Counted from their middle, of evenly spaced samples the odd powers cancel and the even ones have closed sums. */
static void fit_evenly(const double *y, uint64_t from, size_t count, struct parabola *parabola)
{
    double sums[3], n = (double)(int64_t)count, *c = parabola->c;
    vertex_loops_of(lanes_widest())->moments(y, count, sums);
    double squares = n * (n * n - 1) / 12, fourths = squares * (3 * n * n - 7) / 20;
    c[1] = sums[1] / squares;
    c[2] = (sums[2] - squares * sums[0] / n) / (fourths - squares * squares / n);
    c[0] = y[0] + (sums[0] - c[2] * squares) / n;
    parabola->origin = (double)(int64_t)from + 0.5 * (n - 1);
    parabola->unit = 1;
}

/* False when the samples do not determine it. */
static bool fit(const struct sample_history *history, double centre, double width, struct parabola *parabola)
{
    uint64_t from = sample_history_at(history, centre - width), to = sample_history_at(history, centre + width);
    if (to < from + 3 || sample_history_clipped_within(history, from, to))
        return false;
    *parabola = (struct parabola){.origin = centre, .unit = width};
    const double *y = sample_history_span(history, from, to).displacement;
    if (!y || history->stamped || sample_history_flagged_within(history, from, to))
        return fit_unevenly(history, from, to, parabola);
    fit_evenly(y, from, (size_t)(to - from), parabola);
    return true;
}

bool vertex_fit(const struct sample_history *history, double centre, double width, int curvature, double *position,
                double *level)
{
    struct parabola parabola;
    const double *c = parabola.c;
    if (!fit(history, centre, width, &parabola) || !(c[2] * curvature > 0))
        return false;
    double u = -c[1] / (2 * c[2]), at = parabola.origin + u * parabola.unit;
    if (!(fabs(at - centre) <= width))
        return false;
    *position = at;
    *level = c[0] + c[1] * u / 2;
    return true;
}
