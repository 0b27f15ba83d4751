/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The equation of motion, integrated by Taylor series to the last bit. It shares nothing with identify/: a simulator
 * that used the identified formula would judge itself. */

#include "acquire/simulated_motion.h"

#include <assert.h>
#include <math.h>

/* The longest step, in units of an inverse circular frequency: the series then converge to the last bit, and a step
 * holds at most one velocity zero, for a half cycle lasts pi. */
static const double longest_step = 1;

/* What the last terms of a series may amount to, relative to the motion. */
static const double truncation = 1e-17;

/* Presliding friction and none at all never stop the mass entirely; less than this is rest, m. */
static const double rest_excursion_m = 1e-6;

void simulated_motion_init(struct simulated_motion *motion, const struct simulated_mechanics *mechanics)
{
    double stiffness = mechanics->stiffness_n_per_m / mechanics->mass_kg;
    double omega_n = sqrt(stiffness);
    double kinetic = mechanics->f_k_n / mechanics->mass_kg;
    double x_d = mechanics->presliding_distance_m;
    *motion = (struct simulated_motion){
        .damping = 2 * mechanics->zeta * omega_n,
        .stiffness = stiffness,
        .cubic = mechanics->cubic_per_m2,
        .drag = mechanics->drag_per_m,
        .kinetic = kinetic,
        .breakaway = mechanics->f_s_n / mechanics->mass_kg,
        .presliding_m = x_d,
        .slide_unit_s = 1 / omega_n,
        .presliding_unit_s = 1 / sqrt(stiffness + (x_d > 0 ? kinetic / x_d : 0)),
        .resting = true,
    };
}

/* --- series --- */

/* Horner's rule. */
static double evaluate(const double series[SIMULATED_TERMS], double at)
{
    double value = 0;
    for (int n = SIMULATED_TERMS - 1; n >= 0; n--)
        value = value * at + series[n];
    return value;
}

/* Term n of the product of two series. */
static double product(const double *a, const double *b, int n)
{
    double term = 0;
    for (int i = 0; i <= n; i++)
        term += a[i] * b[n - i];
    return term;
}

/* Term n of the acceleration; square holds the terms of x² so far. */
static double acceleration(const struct simulated_motion *motion, double *square, int n)
{
    double restoring = motion->x[n];
    if (motion->cubic != 0) {
        square[n] = product(motion->x, motion->x, n);
        restoring += motion->cubic * product(square, motion->x, n);
    }
    double slip = (n == 0 ? 1 : 0) - motion->lag[n];
    double term =
        -motion->damping * motion->v[n] - motion->stiffness * restoring - motion->kinetic * motion->sign * slip;
    if (motion->drag != 0)
        term -= motion->drag * motion->sign * product(motion->v, motion->v, n);
    return term;
}

/* Each term of a series follows from those before it: x' = v, v' = acceleration, and Dahl's equation for what friction
 * lacks, lag' = -|v| lag / x_d. */
static void expand(struct simulated_motion *motion)
{
    double square[SIMULATED_TERMS];
    double per_m = motion->presliding_m > 0 ? motion->sign / motion->presliding_m : 0;
    bool lags = motion->lag[0] != 0;
    for (int n = 0; n < SIMULATED_TERMS - 1; n++) {
        double step = motion->unit_s / (n + 1);
        motion->x[n + 1] = step * motion->v[n];
        motion->v[n + 1] = step * acceleration(motion, square, n);
        motion->lag[n + 1] = lags ? -step * per_m * product(motion->v, motion->lag, n) : 0;
    }
}

/* How far a series can be trusted when its last terms may amount to `tolerance`. */
static double reach_of(const double series[SIMULATED_TERMS], double tolerance)
{
    double reach = longest_step;
    for (int n = SIMULATED_TERMS - 2; n < SIMULATED_TERMS; n++) {
        double term = fabs(series[n]);
        if (term > tolerance)
            reach = fmin(reach, pow(tolerance / term, 1.0 / n));
    }
    return reach;
}

static double reach(const struct simulated_motion *motion)
{
    double scale = fmax(fabs(motion->x[0]), fabs(motion->x[1])) + fabs(motion->x[2]);
    double tolerance = truncation * scale;
    return fmin(fmin(reach_of(motion->x, tolerance), reach_of(motion->v, tolerance / motion->unit_s)),
                reach_of(motion->lag, truncation));
}

/* --- velocity zeros --- */

/* The velocity in the sense of the motion; from a start at rest divided by the time, or that start would be found. */
static double forward_velocity(const struct simulated_motion *motion, double at)
{
    if (motion->v[0] != 0)
        return motion->sign * evaluate(motion->v, at);
    double value = 0;
    for (int n = SIMULATED_TERMS - 1; n >= 1; n--)
        value = value * at + motion->v[n];
    return motion->sign * value;
}

/* Halves (0, high] down to the last bit: it holds exactly one zero. */
static double find_zero(const struct simulated_motion *motion, double high)
{
    double low = 0;
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            return high;
        if (forward_velocity(motion, middle) > 0)
            low = middle;
        else
            high = middle;
    }
}

/* --- states --- */

/* Of the spring, divided by the mass. */
static double restoring(const struct simulated_motion *motion)
{
    return motion->stiffness * motion->x_m * (1 + motion->cubic * motion->x_m * motion->x_m);
}

/* At velocity zero: whether the mass stays, and else where it goes. Rigid friction holds up to the break-away force;
 * presliding friction only slows, and what is left is judged by its size. */
static void stick_or_turn(struct simulated_motion *motion)
{
    double force = -restoring(motion);
    if (motion->presliding_m > 0)
        force -= motion->kinetic * motion->slip;
    else
        force = copysign(fmax(fabs(force) - motion->kinetic, 0), force);
    motion->next_sign = force > 0 ? 1 : -1;
    /* The mass would swing so far about its balance, with friction as a spring as long as it does not slide. */
    double excursion = fabs(force) * motion->presliding_unit_s * motion->presliding_unit_s;
    /* Without friction nothing can hold the mass: only the size of its motion tells that it rests. */
    double holding = motion->kinetic == 0 ? INFINITY : motion->kinetic;
    if (motion->presliding_m > 0 || motion->kinetic == 0)
        motion->resting = excursion < rest_excursion_m && fabs(restoring(motion)) <= holding;
    else
        motion->resting = fabs(restoring(motion)) <= motion->breakaway;
}

/* A moving mass goes on as it moves; one that stands asks friction. */
static void begin_stretch(struct simulated_motion *motion)
{
    motion->resting = false;
    if (motion->v_m_per_s != 0)
        motion->next_sign = copysign(1, motion->v_m_per_s);
    else
        stick_or_turn(motion);
}

void simulated_motion_release(struct simulated_motion *motion, double time_s, double x_m, double v_m_per_s)
{
    motion->time_s = motion->start_s = time_s;
    motion->x_m = x_m;
    motion->v_m_per_s = v_m_per_s;
    begin_stretch(motion);
}

/* The state at the end of a step of the series. */
static void take_state(struct simulated_motion *motion, double at)
{
    motion->time_s = motion->start_s + at * motion->unit_s;
    motion->x_m = evaluate(motion->x, at);
    motion->v_m_per_s = evaluate(motion->v, at);
    if (motion->presliding_m > 0) {
        double lag = evaluate(motion->lag, at);
        /* Once friction is complete to the last bit, it no longer limits the steps. */
        motion->slip = motion->sign * (1 - (fabs(lag) > truncation ? lag : 0));
    }
}

void simulated_motion_advance(struct simulated_motion *motion)
{
    assert(!motion->resting);
    motion->start_s = motion->time_s;
    motion->sign = motion->next_sign;
    motion->x[0] = motion->x_m;
    motion->v[0] = motion->v_m_per_s;
    motion->lag[0] = motion->presliding_m > 0 ? 1 - motion->sign * motion->slip : 0;
    /* While friction still acts as a spring, the motion is quicker and the steps must be shorter. */
    motion->unit_s = motion->lag[0] != 0 ? motion->presliding_unit_s : motion->slide_unit_s;
    expand(motion);
    double step = reach(motion);
    /* A step ends at a velocity zero: there friction changes its sign, and no series goes across. */
    bool reverses = forward_velocity(motion, step) <= 0;
    take_state(motion, reverses ? find_zero(motion, step) : step);
    if (reverses) {
        motion->v_m_per_s = 0;
        stick_or_turn(motion);
    }
}

double simulated_motion_displacement(const struct simulated_motion *motion, double time_s)
{
    return evaluate(motion->x, (time_s - motion->start_s) / motion->unit_s);
}

/* For a kick: the motion up to it stays as it was. */
void simulated_motion_cut(struct simulated_motion *motion, double time_s)
{
    take_state(motion, (time_s - motion->start_s) / motion->unit_s);
    begin_stretch(motion);
}

void simulated_motion_slide(struct simulated_motion *motion, double distance_m)
{
    if (motion->presliding_m <= 0)
        return;
    double sign = copysign(1, distance_m);
    motion->slip = sign + (motion->slip - sign) * exp(-fabs(distance_m) / motion->presliding_m);
}
