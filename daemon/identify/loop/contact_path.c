/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/contact_path.h"

#include <gsl/gsl_poly.h>
#include <math.h>

/* x(s) = x0 + s (c[0] + s (c[1] + s c[2])) for s from 0 to 1: Hermite's cubic. */
struct cubic {
    double c[3];
};

static struct cubic cubic_between(const struct contact_sample *from, const struct contact_sample *to)
{
    const double time = to->time_s - from->time_s, way = to->displacement - from->displacement;
    const double start = from->velocity * time, end = to->velocity * time;
    return (struct cubic){{start, 3 * way - 2 * start - end, start + end - 2 * way}};
}

static double way_at(const struct cubic *cubic, double s)
{
    return s * (cubic->c[0] + s * (cubic->c[1] + s * cubic->c[2]));
}

/* Of the way by s. */
static double slope_at(const struct cubic *cubic, double s)
{
    return cubic->c[0] + s * (2 * cubic->c[1] + s * 3 * cubic->c[2]);
}

/* Where the velocity is 0, in ascending order. */
static size_t reversals_of(const struct cubic *cubic, double at[2])
{
    return (size_t)gsl_poly_solve_quadratic(3 * cubic->c[2], 2 * cubic->c[1], cubic->c[0], &at[0], &at[1]);
}

size_t contact_path(const struct contact_sample *from, const struct contact_sample *to, size_t pieces,
                    struct path_piece path[PATH_PIECES_MOST])
{
    const struct cubic cubic = cubic_between(from, to);
    const double time = to->time_s - from->time_s;
    double reversal[2], here = 0, way = 0;
    size_t count = 0, next = 0;
    const size_t reversals = reversals_of(&cubic, reversal);
    for (size_t k = 1; k <= pieces;) {
        double end = (double)k / (double)pieces;
        while (next < reversals && reversal[next] <= here)
            next++;
        if (next < reversals && reversal[next] < end)
            end = reversal[next];
        else
            k++;
        const double reached = way_at(&cubic, end), length = reached - way;
        path[count++] = (struct path_piece){fabs(length), length < 0 ? -1 : 1, (end - here) * time,
                                            fabs(slope_at(&cubic, end)) / time};
        here = end;
        way = reached;
    }
    return count;
}

double contact_acceleration(const struct contact_sample *motion, size_t count, size_t i)
{
    if (count < 3)
        return 0;
    const size_t inner = i > 0 ? i : 1, middle = inner + 1 < count ? inner : count - 2;
    const struct contact_sample *at = &motion[middle - 1];
    const double before = at[1].time_s - at[0].time_s, after = at[2].time_s - at[1].time_s;
    const double rise = (at[1].velocity - at[0].velocity) / before;
    const double bend = ((at[2].velocity - at[1].velocity) / after - rise) / (before + after);
    return rise + bend * (2 * motion[i].time_s - at[0].time_s - at[1].time_s);
}
