/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One extremum between the samples: Gauss-Newton with the bend that the closed form has on either side of it. */

#include "identify/extremum_refine.h"

#include <math.h>

/* Where samples are few the window is wider, but never more than a quarter of a cycle to either side. */
static const double WIDEST_WINDOW = 1.57;

/* A time that moves less than this, in radians, is settled: heights depend on its square. */
static const double SETTLED = 1e-8;

enum { FEWEST_IN_WINDOW = 4, REFINE_LIMIT = 30 };

/* The samples from one time to another, [*from, *to), sought from sample `near` outwards: it is never far. */
static void window_around(const struct trace *trace, size_t near, double from_s, double to_s, size_t *from, size_t *to)
{
    *from = *to = near;
    while (*from > 0 && trace->time[*from - 1] >= from_s)
        --*from;
    while (*from < trace->count && trace->time[*from] < from_s)
        ++*from;
    while (*to < trace->count && trace->time[*to] <= to_s)
        ++*to;
    while (*to > *from && trace->time[*to - 1] > to_s)
        --*to;
}

/* One sample of the neighbourhood of an extremum, SHK Eq. 5: before it the height of the curve is X_j plus x_k, after
 * it X_j minus x_k (counted along X_j), and the bend is g(theta) - 1 with theta = omega_d (t - t_j) on both sides. */
struct neighbour {
    double bend;  /* g - 1 */
    double slope; /* g' */
    double kink;  /* what x_k adds to the curve, displacement unit */
};

static struct neighbour neighbour_at(double theta, double side, const struct extremum_shape *shape)
{
    const double beta = shape->beta, decay = exp(-beta * theta), sine = sin(theta);
    struct neighbour result;
    result.bend = decay * (cos(theta) + beta * sine) - 1;
    result.slope = -(1 + beta * beta) * decay * sine;
    result.kink = theta < 0 ? side * shape->x_k : -side * shape->x_k;
    return result;
}

/* One Gauss-Newton pass over the samples [from, to); returns the shift in radians, NAN when it cannot be solved.
 * Unknowns are the height, the curve (how strongly it bends) and the shift of the time. */
static double refine_once(const struct trace *trace, size_t from, size_t to, double omega, double side,
                          const struct extremum_shape *shape, struct local_fit *fit)
{
    struct small_least_squares equations = {.unknowns = EXTREMUM_UNKNOWNS};
    double x[SMALL_MAX] = {0}, squares = 0, neighbours = 0, previous = 0;
    fit->before = 0;
    fit->samples = to - from;
    for (size_t i = from; i < to; i++) {
        const struct neighbour at = neighbour_at(omega * (trace->time[i] - fit->time), side, shape);
        const double row[EXTREMUM_UNKNOWNS] = {1, at.bend, -(fit->curve + at.kink) * at.slope};
        const double residual = trace->value[i] - fit->height - (fit->curve + at.kink) * at.bend;
        small_least_squares_add(&equations, row, residual);
        squares += residual * residual;
        neighbours += residual * previous;
        previous = residual;
        fit->before += trace->time[i] < fit->time;
    }
    fit->squares = squares;
    fit->neighbours = neighbours;
    if (!small_least_squares_solve(&equations, x, fit->inverse))
        return NAN;
    /* A step of more than 0.4 rad leaves the range in which the linear fit means anything. */
    const double shift = fmin(fmax(x[EXTREMUM_SHIFT], -0.4), 0.4);
    fit->height += x[EXTREMUM_HEIGHT];
    fit->curve += x[EXTREMUM_CURVE];
    fit->time += shift / omega;
    return shift;
}

bool extremum_refine(const struct trace *trace, const struct turning_point *point, double omega,
                     const struct extremum_shape *shape, struct local_fit *fit)
{
    const double side = point->crest ? 1 : -1, start = trace->time[point->at];
    /* 3.5 samples to either side at least: with less, three unknowns leave nothing to average. */
    double half_width = fmin(WIDEST_WINDOW, fmax(EXTREMUM_WINDOW, 3.5 * omega * trace->spacing_s)) / omega;
    size_t from = 0, to = 0;
    double shift = INFINITY;
    for (int pass = 0; pass < REFINE_LIMIT && (pass < 2 || !(fabs(shift) < SETTLED)); pass++) {
        /* Later the window stays: samples that come and go at its edges would keep the fit from settling. */
        if (pass < 4)
            window_around(trace, point->at, fit->time - half_width, fit->time + half_width, &from, &to);
        if (to - from < FEWEST_IN_WINDOW)
            return false;
        shift = refine_once(trace, from, to, omega, side, shape, fit);
        /* 1.2 rad away from the turning point it is another piece of the curve, not this extremum. */
        if (!isfinite(shift) || fabs(fit->time - start) * omega > 1.2)
            return false;
    }
    return fabs(shift) < 1e-4 && fit->curve * side > 0 && isfinite(fit->height);
}
