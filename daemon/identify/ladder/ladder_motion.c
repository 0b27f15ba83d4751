/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From turn to turn. Within a half cycle the equation of motion is analytic, so a Taylor series of high order takes
 * long steps at the accuracy of the arithmetic; at a turn, time and place go on by the implicit function theorem. */

#include "identify/ladder/ladder_motion.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

static_assert((int)LADDER_MOTION <= (int)SERIES_LANES, "each parameter of the motion has a lane");

/* A half cycle of a decay lasts about pi. */
static const double HALF_CYCLE_MOST = 4 * M_PI;

enum { STEPS_MOST = 400, NEWTON_MOST = 60 };

/* Derivatives lead a fit with seven digits as well as with fifteen: they go to fewer orders there than the motion. */
enum { FIT_BY_ORDER = 12 };

/* Swings below this part of X_0 are rounding: the mass is at rest. */
static const double REST = 1e-11;

struct walk {
    enum lanes_kind kind;
    double accuracy;
    unsigned terms; /* whose rules are called */
    const struct ladder_takers *takers;
    struct ladder_turn turn; /* where this half cycle began */
    double z;
    derivatives z_by;
    double local; /* time since the turn, of the series' origin */
    struct motion_series series;
};

static bool presliding(const struct walk *walk)
{
    return walk->terms & LADDER_BIT(LADDER_X_D);
}

/* The terms of an order may cancel, as those of two harmonics do at some amplitude, and then the last coefficients say
 * nothing: those before them may be larger by this, which is ten times as much as they usually are. */
static const double CANCELLED = 1e3;

/* How far the last coefficients let the series reach. Seen from a turn, every other one may be zero. */
static double reach(const struct motion_series *series, double accuracy)
{
    const double allowed = accuracy * fabs(series->parameters[LADDER_X0]);
    double logarithm = log(HALF_CYCLE_MOST);
    for (size_t k = SERIES_ORDER - 3; k <= SERIES_ORDER; k++) {
        const double term = k < SERIES_ORDER - 1 ? CANCELLED * allowed : allowed;
        if (series->v[k] != 0)
            logarithm = fmin(logarithm, log(term / fabs(series->v[k])) / (double)k);
    }
    return exp(logarithm);
}

/* Where the velocity is zero between 0, where it is not past it, and `length`, where it is: Newton's steps, halved
 * where they would leave the bracket. */
static double zero_of_velocity(const struct walk *walk, double length)
{
    const struct motion_series *series = &walk->series;
    double low = 0, high = length, time = length;
    for (int n = 0; n < NEWTON_MOST && high - low > DBL_EPSILON * high; n++) {
        double slope;
        const double v = series_value(walk->kind, series->v, time, &slope);
        if (v * series->side > 0)
            low = time;
        else
            high = time;
        const double next = time - v / slope;
        if (fabs(next - time) <= 2 * DBL_EPSILON * time)
            return next;
        time = next > low && next < high ? next : 0.5 * (low + high);
    }
    return time;
}

/* Hands the series over as a function of tau at fixed parameters: a later turn shifts it. */
static bool hand_over(struct walk *walk, double from, double to)
{
    if (!walk->takers->piece)
        return true;
    series_derivatives x_by;
    series_release_by(walk->kind, &walk->series, walk->turn.time_by, x_by);
    const double origin = walk->turn.time + walk->local;
    const struct ladder_piece piece = {origin, from, to, walk->series.x, x_by, walk->series.by_order};
    return walk->takers->piece(walk->takers->taker, &piece);
}

/* Order 0 at a turn: at rest, friction on the given side. */
static void begin_half_cycle(struct walk *walk, double side)
{
    struct motion_series *series = &walk->series;
    series->side = side;
    series->turn = series->x[0] = walk->turn.x;
    series->v[0] = 0;
    series->yield = walk->z - side;
    series->yields = presliding(walk);
    memcpy(series->turn_by, walk->turn.x_by, sizeof series->turn_by);
    memcpy(series->x_by[0], walk->turn.x_by, sizeof series->turn_by);
    memcpy(series->yield_by, walk->z_by, sizeof series->yield_by);
    memset(series->v_by[0], 0, sizeof series->v_by[0]);
    walk->local = 0;
}

/* Order 0 a step further on. */
static void step_on(struct walk *walk, double length)
{
    struct motion_series *series = &walk->series;
    double slope;
    const double x = series_value(walk->kind, series->x, length, &slope);
    const double v = series_value(walk->kind, series->v, length, &slope);
    derivatives x_by, v_by;
    series_at(walk->kind, series->x_by, series->by_order, length, x_by);
    series_at(walk->kind, series->v_by, series->by_order, length, v_by);
    memcpy(series->x_by[0], x_by, sizeof x_by);
    memcpy(series->v_by[0], v_by, sizeof v_by);
    series->x[0] = x;
    series->v[0] = v;
    walk->local += length;
    const double path = presliding(walk) ? fabs(x - series->turn) / series->parameters[LADDER_X_D] : 0;
    series->yields = series->yields && exp(-path) > WALK_EXACT;
}

/* Dahl's z goes on from the turn that ends this half cycle. */
static void yield_until(struct walk *walk, double x, const derivatives x_by)
{
    const struct motion_series *series = &walk->series;
    const double per = series->side / series->parameters[LADDER_X_D], path = per * (x - series->turn);
    const double fading = exp(-path);
    for (size_t lane = 0; lane < SERIES_LANES; lane++) {
        const double path_by = per * (x_by[lane] - series->turn_by[lane]) - (lane == LADDER_X_D ? path : 0);
        walk->z_by[lane] = fading * (series->yield_by[lane] - series->yield * path_by);
    }
    walk->z = series->side + series->yield * fading;
}

/* The turn, at `time` after the origin of the series. */
static void take_turn(struct walk *walk, double time)
{
    struct motion_series *series = &walk->series;
    derivatives x_by, v_by;
    double acceleration;
    series_value(walk->kind, series->v, time, &acceleration);
    const double x = series_value(walk->kind, series->x, time, &(double){0});
    series_at(walk->kind, series->x_by, series->by_order, time, x_by);
    series_at(walk->kind, series->v_by, series->by_order, time, v_by);
    if (presliding(walk))
        yield_until(walk, x, x_by);
    walk->turn.time += walk->local + time;
    walk->turn.x = x;
    for (size_t lane = 0; lane < SERIES_LANES; lane++)
        walk->turn.time_by[lane] -= v_by[lane] / acceleration;
    memcpy(walk->turn.x_by, x_by, sizeof x_by);
}

enum progress { MOVING, ENOUGH, LOST };

/* One half cycle, up to its turn. */
static enum progress half_cycle(struct walk *walk, double side)
{
    struct motion_series *series = &walk->series;
    begin_half_cycle(walk, side);
    for (int step = 0; step < STEPS_MOST && walk->local < HALF_CYCLE_MOST; step++) {
        ladder_expand(walk->kind, walk->terms, series);
        const double length = reach(series, walk->accuracy), from = walk->turn.time + walk->local;
        if (!(length > 0))
            return LOST;
        const bool reverses = !(series_value(walk->kind, series->v, length, &(double){0}) * side > 0);
        const double end = reverses ? zero_of_velocity(walk, length) : length;
        if (!isfinite(end))
            return LOST;
        if (!hand_over(walk, from, from + end))
            return ENOUGH;
        if (reverses) {
            take_turn(walk, end);
            return MOVING;
        }
        step_on(walk, end);
    }
    return LOST;
}

/* Rest: a constant, which moves with the parameters as the last turn does. */
static void rest(struct walk *walk)
{
    struct motion_series *series = &walk->series;
    memset(series->x, 0, sizeof series->x);
    memset(series->v, 0, sizeof series->v);
    memset(series->x_by, 0, sizeof series->x_by);
    series->x[0] = walk->turn.x;
    memcpy(series->x_by[0], walk->turn.x_by, sizeof walk->turn.x_by);
    walk->local = 0;
    hand_over(walk, walk->turn.time, INFINITY);
}

/* The way that the mass goes from a turn; 0: friction holds it. */
static double way_from(const struct walk *walk, const double *parameters)
{
    const double spring = ladder_spring(parameters, walk->turn.x), friction = parameters[LADDER_X_K];
    const double force = spring + (presliding(walk) ? friction * walk->z : 0);
    if (!(fabs(force) > (presliding(walk) ? 0 : friction)))
        return 0;
    return force > 0 ? -1 : 1;
}

/* The release: at rest, with friction as in a loop that has closed. */
static void release(struct walk *walk, const double *parameters)
{
    const double x0 = parameters[LADDER_X0];
    walk->turn.x = x0;
    walk->turn.x_by[LADDER_X0] = 1;
    if (!presliding(walk))
        return;
    const double x_d = parameters[LADDER_X_D], away = x0 / x_d;
    walk->z = tanh(away);
    walk->z_by[LADDER_X0] = (1 - walk->z * walk->z) / x_d;
    walk->z_by[LADDER_X_D] = -(1 - walk->z * walk->z) * away;
}

bool ladder_walk(const double parameters[LADDER_MOTION], unsigned terms, double until, double accuracy,
                 const struct ladder_takers *takers)
{
    struct walk walk = {
        .kind = lanes_widest(),
        .accuracy = accuracy,
        .terms = terms,
        .takers = takers,
        .series = {.parameters = parameters, .by_order = accuracy > WALK_EXACT ? FIT_BY_ORDER : SERIES_ORDER}};
    if (!(parameters[LADDER_X_D] > 0))
        walk.terms &= ~LADDER_BIT(LADDER_X_D);
    const double x0 = parameters[LADDER_X0];
    enum progress progress = MOVING;
    release(&walk, parameters);
    begin_half_cycle(&walk, x0 > 0 ? 1 : -1);
    ladder_expand(walk.kind, walk.terms, &walk.series);
    if (!hand_over(&walk, -INFINITY, 0))
        return true;
    while (progress == MOVING) {
        const double from = walk.turn.x, way = way_from(&walk, parameters);
        if (takers->turn && !takers->turn(takers->taker, &walk.turn))
            return true;
        if (walk.turn.time > until)
            return true;
        if (!(ladder_spring_slope(parameters, from) > 0) || !isfinite(walk.turn.time))
            return false;
        if (way != 0)
            progress = half_cycle(&walk, way);
        if (way == 0 || (progress == MOVING && !(fabs(walk.turn.x - from) > REST * fabs(x0)))) {
            rest(&walk);
            return true;
        }
    }
    return progress == ENOUGH;
}
