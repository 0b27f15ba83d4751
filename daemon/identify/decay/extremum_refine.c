/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One extremum between the samples: Gauss-Newton with the bend that the closed form has on either side of it. */

#include "identify/decay/extremum_refine.h"

#include "identify/decay/half_cycle_residual.h"

#include <math.h>

/* Where samples are few the window is wider, but never more than a quarter of a cycle to either side. */
static const double WIDEST_WINDOW = 1.57;

/* A time that moves less than this, in radians, is settled: heights depend on its square. */
static const double SETTLED = 1e-8;

enum { FEWEST_IN_WINDOW = 4, REFINE_LIMIT = 30 };

/* The place of the first sample at or after a time, sought from `near` on. */
static size_t place_at(const struct trace *trace, size_t near, double time)
{
    size_t place = near;
    while (place > 0 && trace_time(trace, place - 1) >= time)
        --place;
    while (place < trace->count && trace_time(trace, place) < time)
        ++place;
    return place;
}

/* The samples from one time to another, [*from, *to); none of them lies far from `near`. */
static void window_around(const struct trace *trace, size_t near, double from_s, double to_s, size_t *from, size_t *to)
{
    size_t near_from = near, near_to = near;
    if (trace->uniform) {
        const double last = (double)(trace->count - 1), spacing = trace->record->period_s;
        near_from = (size_t)fmin(fmax(from_s / spacing, 0), last);
        near_to = (size_t)fmin(fmax(to_s / spacing, 0), last);
    }
    *from = place_at(trace, near_from, from_s);
    *to = place_at(trace, near_to, to_s);
    while (*to < trace->count && trace_time(trace, *to) <= to_s)
        ++*to;
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

/* The samples around an extremum, and the curve that they are compared with. */
struct neighbourhood {
    const struct trace *trace;
    size_t from, to; /* samples */
    double omega, side;
    const struct extremum_shape *shape;
    struct half_cycle_pass pass; /* for uniform samples */
};

/* The sums of one pass; `fit` gets those that are no part of the equations. */
static void add_one_by_one(const struct neighbourhood *around, struct small_least_squares *equations,
                           struct local_fit *fit)
{
    const struct trace *trace = around->trace;
    for (size_t i = around->from; i < around->to; i++) {
        if (!trace_usable(trace, i))
            continue;
        const double time = trace_time(trace, i);
        const struct neighbour at = neighbour_at(around->omega * (time - fit->time), around->side, around->shape);
        const double row[EXTREMUM_UNKNOWNS] = {1, at.bend, -(fit->curve + at.kink) * at.slope};
        const double residual = trace_value(trace, i) - fit->height - (fit->curve + at.kink) * at.bend;
        small_least_squares_add(equations, row, residual);
        fit->squares += residual * residual;
        fit->before += time < fit->time;
        fit->samples++;
    }
}

/* The curve on one side of the extremum, SHK Eq. 5: height + curve (g - 1), with curve = X_j ± x_k. */
struct one_side {
    size_t first, count;
    struct half_cycle_curve curve;
    double theta; /* of the first sample */
};

static void sides_of(const struct neighbourhood *around, const struct local_fit *fit, struct one_side sides[2])
{
    const struct trace *trace = around->trace;
    size_t middle = place_at(trace, (around->from + around->to) / 2, fit->time);
    middle = middle < around->from ? around->from : middle < around->to ? middle : around->to;
    const size_t first[3] = {around->from, middle, around->to};
    for (int k = 0; k < 2; k++) {
        const double kink = (k == 0 ? 1 : -1) * around->side * around->shape->x_k, curve = fit->curve + kink;
        sides[k] = (struct one_side){
            .first = first[k], .count = first[k + 1] - first[k], .curve = {fit->height - curve, curve}};
        if (sides[k].count > 0)
            sides[k].theta = around->omega * (trace_time(trace, first[k]) - fit->time);
    }
}

static struct half_cycle_pass pass_of(const struct neighbourhood *around)
{
    const struct decay_shape shape = {.beta = around->shape->beta, .omega_d = around->omega * around->trace->spacing_s};
    return half_cycle_pass_with(lanes_widest(), &shape, around->trace->centre, around->trace->per_span);
}

/* The same for uniform samples, from the sums over the decay's base functions: bend = g - 1, slope = -(1 + beta²) s. */
static void add_side_by_side(const struct neighbourhood *around, struct small_least_squares *equations,
                             struct local_fit *fit)
{
    const double beta = around->shape->beta;
    struct one_side sides[2];
    sides_of(around, fit, sides);
    for (int k = 0; k < 2; k++) {
        struct bend_sums sum;
        if (sides[k].count == 0)
            continue;
        bend_sums_of(&around->pass, &sides[k].curve, sides[k].theta,
                     around->trace->record->displacement + sides[k].first, sides[k].count, &sum);
        const double n = (double)sides[k].count, steep = sides[k].curve.amplitude * (1 + beta * beta);
        equations->matrix[0][0] += n;
        equations->matrix[1][0] += sum.g - n;
        equations->matrix[1][1] += sum.gg - 2 * sum.g + n;
        equations->matrix[2][0] += steep * sum.s;
        equations->matrix[2][1] += steep * (sum.gs - sum.s);
        equations->matrix[2][2] += steep * steep * sum.ss;
        equations->right[0] += sum.r;
        equations->right[1] += sum.gr - sum.r;
        equations->right[2] += steep * sum.sr;
        fit->squares += sum.rr;
    }
    fit->before = sides[0].count;
    fit->samples = around->to - around->from;
}

/* One Gauss-Newton pass; returns the shift in radians, NAN when it cannot be solved. Unknowns are the height, the curve
 * (how strongly it bends) and the shift of the time. */
static double refine_once(const struct neighbourhood *around, struct small_least_squares *equations,
                          struct local_fit *fit)
{
    double x[SMALL_MAX] = {0};
    *equations = (struct small_least_squares){.unknowns = EXTREMUM_UNKNOWNS};
    fit->before = fit->samples = 0;
    fit->squares = 0;
    if (around->trace->uniform)
        add_side_by_side(around, equations, fit);
    else
        add_one_by_one(around, equations, fit);
    if (fit->samples < FEWEST_IN_WINDOW || !small_least_squares_solve(equations, x, NULL))
        return NAN;
    /* A step of more than 0.4 rad leaves the range in which the linear fit means anything. */
    const double shift = fmin(fmax(x[EXTREMUM_SHIFT], -0.4), 0.4);
    fit->height += x[EXTREMUM_HEIGHT];
    fit->curve += x[EXTREMUM_CURVE];
    fit->time += shift / around->omega;
    return shift;
}

bool extremum_refine(const struct trace *trace, const struct turning_point *point, double omega,
                     const struct extremum_shape *shape, double window, struct local_fit *fit)
{
    const double side = point->crest ? 1 : -1, start = trace_time(trace, point->at);
    /* 3.5 samples to either side at least: with less, three unknowns leave nothing to average. */
    double half_width = fmin(WIDEST_WINDOW, fmax(window, 3.5 * omega * trace->spacing_s)) / omega;
    struct neighbourhood around = {.trace = trace, .omega = omega, .side = side, .shape = shape};
    struct small_least_squares equations;
    double shift = INFINITY;
    if (trace->uniform)
        around.pass = pass_of(&around);
    for (int pass = 0; pass < REFINE_LIMIT && (pass < 2 || !(fabs(shift) < SETTLED)); pass++) {
        /* Later the window stays: samples that come and go at its edges would keep the fit from settling. */
        if (pass < 4)
            window_around(trace, point->at, fit->time - half_width, fit->time + half_width, &around.from, &around.to);
        shift = refine_once(&around, &equations, fit);
        /* 1.2 rad away from the turning point it is another piece of the curve, not this extremum. */
        if (!isfinite(shift) || fabs(fit->time - start) * omega > 1.2)
            return false;
    }
    double unused[SMALL_MAX], inverse[SMALL_MAX][SMALL_MAX];
    if (!small_least_squares_solve(&equations, unused, inverse))
        return false;
    fit->from = around.from;
    fit->to = around.to;
    fit->height_gain = inverse[EXTREMUM_HEIGHT][EXTREMUM_HEIGHT];
    fit->shift_gain = inverse[EXTREMUM_SHIFT][EXTREMUM_SHIFT];
    return fabs(shift) < 1e-4 && fit->curve * side > 0 && isfinite(fit->height);
}

/* For uniform samples. */
static double neighbours_side_by_side(const struct neighbourhood *around, const struct local_fit *fit)
{
    enum { CHUNK = 256 };
    struct half_cycle_pass pass = around->pass;
    struct half_cycle_lag unused = {0};
    struct one_side sides[2];
    double residual[CHUNK], previous = 0, sum = 0;
    sides_of(around, fit, sides);
    for (int k = 0; k < 2; k++)
        for (size_t done = 0; done < sides[k].count; done += CHUNK) {
            const size_t rest = sides[k].count - done, count = rest < CHUNK ? rest : CHUNK;
            half_cycle_residuals(&pass, &sides[k].curve, sides[k].theta + (double)done * pass.omega_d,
                                 around->trace->record->displacement + sides[k].first + done, count, residual, &unused);
            for (size_t i = 0; i < count; i++) {
                sum += residual[i] * previous;
                previous = residual[i];
            }
        }
    return sum;
}

static double neighbours_one_by_one(const struct neighbourhood *around, const struct local_fit *fit)
{
    const struct trace *trace = around->trace;
    double previous = 0, sum = 0;
    for (size_t i = around->from; i < around->to; i++) {
        if (!trace_usable(trace, i))
            continue;
        const struct neighbour at =
            neighbour_at(around->omega * (trace_time(trace, i) - fit->time), around->side, around->shape);
        const double residual = trace_value(trace, i) - fit->height - (fit->curve + at.kink) * at.bend;
        sum += residual * previous;
        previous = residual;
    }
    return sum;
}

double extremum_neighbours(const struct trace *trace, const struct turning_point *point, double omega,
                           const struct extremum_shape *shape, const struct local_fit *fit)
{
    struct neighbourhood around = {.trace = trace,
                                   .from = fit->from,
                                   .to = fit->to,
                                   .omega = omega,
                                   .side = point->crest ? 1 : -1,
                                   .shape = shape};
    if (!trace->uniform)
        return neighbours_one_by_one(&around, fit);
    around.pass = pass_of(&around);
    return neighbours_side_by_side(&around, fit);
}
