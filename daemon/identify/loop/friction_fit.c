/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_fit.h"

#include "identify/loop/friction_projection.h"
#include "identify/loop/friction_slip_walk.h"

#include <math.h>
#include <string.h>

#define BIT(column) (1u << (column))

enum { PASSES_MOST = 60 };

/* Steps that promise to move all together by less than a thousandth of a standard uncertainty, or less than rounding
 * of the sum of squares, are not taken. */
static const double least_gain = 1e-6;

/* The deflection before the first sample is at most this, to either side: of backlash, the whole stroke; of elements,
 * as far as the contact can have returned until all of them slip to the other side. */
static double start_most(const struct friction_row *row)
{
    return row->shape == FRICTION_MAXWELL ? FRICTION_SLIP_RETURNS + 2 : 2;
}

static double within_start(const struct friction_row *row, double start)
{
    return fmax(-start_most(row), fmin(start_most(row), start));
}

/* What a part's own unknown is, or changes by, beside steps and linear unknowns that are solved for. */
static double own_value(const struct friction_row *row, const double share[FRICTION_COLUMNS], const double *steps,
                        const double value[FRICTION_UNKNOWNS])
{
    double of = share[COLUMN_FORCE];
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
        if (friction_column_used(row, c) && c != COLUMN_F_0 && c != COLUMN_START)
            of -= share[c] * (c < FRICTION_LINEAR ? value[c] : steps ? steps[c] : 0);
    return of;
}

static void take_own(const struct friction_normal *normal, size_t parts, const double *steps,
                     struct friction_point *point)
{
    for (size_t p = 1; p < parts; p++) {
        const struct friction_own_share *share = &normal->share[p];
        struct friction_own *own = &point->own[p];
        const double start =
            within_start(&point->row, own->start + own_value(&point->row, share->of_start, steps, point->value));
        own->offset = own_value(&point->row, share->of_offset, steps, point->value) -
                      share->of_offset[COLUMN_START] * (start - own->start);
        own->start = start;
    }
}

/* Puts the linear unknowns into the point. */
static void take_linear(const struct friction_motion *motion, const struct friction_normal *normal,
                        const struct friction_projection *of, const double *steps, struct friction_point *point)
{
    const double start = point->value[COLUMN_START];
    friction_projection_solve(of, steps, point->value);
    point->value[COLUMN_START] = within_start(&point->row, start + point->value[COLUMN_START]);
    take_own(normal, motion->parts, steps, point);
}

void friction_fit_linear(const struct friction_motion *motion, const struct friction_point *point,
                         struct friction_fit *fit)
{
    struct friction_projection projection;
    fit->point = *point;
    fit->passes++;
    friction_pass(motion, &fit->point, false, &fit->normal);
    /* The force of elements follows their state only as long as the same ones slip: it stays as it was chosen. */
    if (point->row.shape == FRICTION_MAXWELL)
        fit->normal.sum[COLUMN_START][COLUMN_START] = 0;
    friction_project(&point->row, &fit->normal, &projection, &fit->held, &fit->alike);
    take_linear(motion, &fit->normal, &projection, NULL, &fit->point);
    fit->squares = projection.squares;
}

double friction_fit_left(const struct friction_motion *motion, const struct friction_point *point)
{
    struct friction_normal normal;
    struct friction_projection projection;
    unsigned held, alike;
    friction_pass(motion, point, false, &normal);
    normal.sum[COLUMN_START][COLUMN_START] = 0;
    friction_project(&point->row, &normal, &projection, &held, &alike);
    return projection.squares;
}

/* A step with this damping; what it promises to take from the sum of squares. Unknowns at a bound that would leave it
 * stay. */
static double step_to(const struct friction_motion *motion, const struct friction_fit *fit,
                      struct friction_projection *of, double damping, struct friction_point *to, unsigned *held)
{
    double steps[FRICTION_UNKNOWNS] = {0}, promise = 0;
    struct small_cholesky factor;
    *to = fit->point;
    *held = 0;
    for (enum friction_column c = COLUMN_X_D; c < FRICTION_UNKNOWNS; c++) {
        const struct friction_bounds bounds = friction_bounds_of(motion, &fit->point.row, c);
        const double value = fit->point.value[c];
        if (of->moved[c] && (of->right[c] < 0 ? value <= bounds.least : value >= bounds.most))
            *held |= BIT(c);
    }
    bool moved[FRICTION_UNKNOWNS];
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
        moved[c] = of->moved[c] && !(*held & BIT(c));
    if (!cholesky_factorise(of->matrix, FRICTION_UNKNOWNS, moved, damping, 0, &factor))
        return 0;
    cholesky_solve(&factor, of->right, steps);
    double longest = 0;
    for (enum friction_column c = COLUMN_X_D; c < FRICTION_UNKNOWNS; c++)
        longest = fmax(longest, moved[c] ? fabs(steps[c]) : 0);
    for (enum friction_column c = COLUMN_X_D; c < FRICTION_UNKNOWNS; c++)
        if (moved[c]) {
            const struct friction_bounds bounds = friction_bounds_of(motion, &fit->point.row, c);
            steps[c] *= longest > FRICTION_LONGEST_STEP ? FRICTION_LONGEST_STEP / longest : 1;
            promise += steps[c] * of->right[c];
            to->value[c] = fmax(bounds.least, fmin(bounds.most, to->value[c] * exp(steps[c])));
        }
    take_linear(motion, &fit->normal, of, steps, to);
    return promise;
}

/* The force is linear in the start only beside the F_C of the walk before, and a start that would leave its bounds
 * stays at them: the last walk has the start as it is, so that what the fit leaves is what its point leaves. */
static void settle(const struct friction_motion *motion, struct friction_fit *fit, unsigned *held)
{
    const unsigned start_held = fabs(fit->point.value[COLUMN_START]) < start_most(&fit->point.row)
                                    ? *held & BIT(COLUMN_START)
                                    : BIT(COLUMN_START);
    struct friction_projection last;
    friction_pass(motion, &fit->point, true, &fit->normal);
    const double start = fit->normal.sum[COLUMN_START][COLUMN_START];
    fit->normal.sum[COLUMN_START][COLUMN_START] = 0;
    friction_project(&fit->point.row, &fit->normal, &last, held, &fit->alike);
    fit->squares = last.squares;
    fit->passes++;
    take_linear(motion, &fit->normal, &last, NULL, &fit->point);
    fit->normal.sum[COLUMN_START][COLUMN_START] = start_held ? 0 : start;
    *held = (*held & ~BIT(COLUMN_START)) | start_held;
}

/* Walks once more, for the derivatives at the point. */
static void derive(const struct friction_motion *motion, struct friction_fit *fit, struct friction_projection *here,
                   unsigned *linear_held)
{
    friction_pass(motion, &fit->point, true, &fit->normal);
    friction_project(&fit->point.row, &fit->normal, here, linear_held, &fit->alike);
    fit->squares = here->squares;
    fit->passes++;
}

/* Walks with the linear unknowns that the walk before leads to, where these are not the same. */
static void renew(const struct friction_motion *motion, struct friction_fit *fit, struct friction_projection *here,
                  unsigned *linear_held)
{
    take_linear(motion, &fit->normal, here, NULL, &fit->point);
    derive(motion, fit, here, linear_held);
}

static double least_promise(const struct friction_motion *motion, const struct friction_fit *fit)
{
    return fmax(least_gain * fit->squares / (double)motion->samples,
                FRICTION_ROUNDING * fit->normal.sum[COLUMN_FORCE][COLUMN_FORCE]);
}

/* Where a step led. */
static void go_to(const struct friction_fit *next, struct friction_fit *fit)
{
    fit->point = next->point;
    fit->normal = next->normal;
    fit->squares = next->squares;
    fit->alike = next->alike;
}

void friction_fit_towards(const struct friction_motion *motion, const struct friction_point *start, double wanted,
                          struct friction_fit *fit)
{
    struct friction_projection here, there;
    struct friction_fit next = {.passes = 0};
    unsigned linear_held, bound_held = 0;
    double damping = 1e-3;
    bool renewed = true;
    fit->passes = 0;
    fit->abandoned = false;
    /* The derivatives want linear unknowns, the first of which come from a walk without these. */
    friction_fit_linear(motion, start, fit);
    derive(motion, fit, &here, &linear_held);
    while (fit->passes < PASSES_MOST) {
        const double gain = step_to(motion, fit, &here, damping, &next.point, &bound_held);
        if (!(gain > least_promise(motion, fit)) || fit->squares - gain * (double)(PASSES_MOST - fit->passes) > wanted)
            break;
        unsigned next_held;
        derive(motion, &next, &there, &next_held);
        fit->passes++;
        if (next.squares < fit->squares) {
            go_to(&next, fit);
            here = there;
            linear_held = next_held;
            damping = fmax(damping / 10, 1e-9);
            renewed = false;
        } else if (!renewed) {
            /* The derivatives are those of other linear unknowns, whose sign even may be another. */
            renew(motion, fit, &here, &linear_held);
            renewed = true;
        } else if (damping > 1e6)
            break;
        else
            damping *= damping < 1e-3 ? 100 : 10;
    }
    take_linear(motion, &fit->normal, &here, NULL, &fit->point);
    settle(motion, fit, &linear_held);
    fit->held = linear_held | bound_held;
}

void friction_fit_from(const struct friction_motion *motion, const struct friction_point *start,
                       struct friction_fit *fit)
{
    friction_fit_towards(motion, start, INFINITY, fit);
}
