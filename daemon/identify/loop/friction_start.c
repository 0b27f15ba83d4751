/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_start.h"

#include <math.h>

double friction_on_grid(double least, double most, size_t k, size_t count)
{
    return count < 2 ? least : least * pow(most / least, (double)k / (double)(count - 1));
}

void friction_consider_start(const struct friction_motion *motion, const struct friction_point *start,
                             struct friction_fit *best)
{
    struct friction_fit here = {.passes = 0};
    friction_fit_linear(motion, start, &here);
    if (here.squares < best->squares)
        *best = here;
}

void friction_take_better(const struct friction_fit *fit, struct friction_fit *best)
{
    const size_t passes = best->passes + fit->passes;
    if (fit->squares < best->squares)
        *best = *fit;
    best->passes = passes;
}

struct friction_point friction_start_from(const struct friction_fit *simple, const struct friction_point *of)
{
    struct friction_point start = simple->point;
    static const double nearly_springs = 1.05;
    const bool dips = friction_column_used(&simple->point.row, COLUMN_RATIO);
    const bool hardens = of->row.terms & FRICTION_BIT(FRICTION_HARDENING);
    start.row = of->row;
    if (!friction_column_used(&simple->point.row, COLUMN_LEVELS))
        start.value[COLUMN_LEVELS] = 1;
    if (hardens && !(simple->point.row.terms & FRICTION_BIT(FRICTION_HARDENING)))
        start.value[COLUMN_EXPONENT] = nearly_springs;
    if (!dips && !hardens)
        start.value[COLUMN_EXPONENT] = of->value[COLUMN_EXPONENT];
    if (!dips) {
        start.value[COLUMN_RATIO] = FRICTION_LEAST_RATIO;
        start.value[COLUMN_V_S] = of->value[COLUMN_V_S];
    }
    return start;
}

/* What stands for nothing: no dip, stops that are springs, and what slips at its level at once. */
static void leave_out(const struct friction_motion *motion, const struct friction_row *simple,
                      struct friction_point *point)
{
    const unsigned more = point->row.terms & ~simple->terms;
    if (more & FRICTION_BIT(FRICTION_STRIBECK))
        point->value[COLUMN_RATIO] = friction_bounds_of(motion, &point->row, COLUMN_RATIO).least;
    if (more & FRICTION_BIT(FRICTION_HARDENING))
        point->value[COLUMN_EXPONENT] = friction_bounds_of(motion, &point->row, COLUMN_EXPONENT).least;
    if (more & FRICTION_BIT(FRICTION_ATTRACTION))
        point->value[COLUMN_SHAPE] = friction_bounds_of(motion, &point->row, COLUMN_SHAPE).most;
}

struct friction_point friction_start_within(const struct friction_motion *motion, const struct friction_fit *simple,
                                            const struct friction_point *of)
{
    struct friction_point start = friction_start_from(simple, of);
    leave_out(motion, &simple->point.row, &start);
    /* Dahl's shape is that of Bouc and Wen with n = beta = 1. */
    if (simple->point.row.shape != of->row.shape)
        start.value[COLUMN_SHAPE] = start.value[COLUMN_SHAPE_2] = 1;
    return start;
}

void friction_start_at(double start, struct friction_point *point)
{
    point->value[COLUMN_START] = start;
    for (size_t p = 0; p < LOOP_PARTS; p++)
        point->own[p].start = start;
}
