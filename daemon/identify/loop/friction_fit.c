/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_fit.h"

#include "identify/loop/friction_slip_walk.h"
#include "motion/small_cholesky.h"

#include <math.h>
#include <string.h>

#define BIT(column) (1u << (column))

enum { PASSES_MOST = 60 };

/* A linear unknown of which less than this share of its column is its own counts nothing. */
static const double least_pivot = 1e-11;

/* An unknown that was left out comes back where more than this share of its column is along what is left of the force.
 */
static const double least_slant = 1e-6;

/* So often all wrong unknowns are exchanged at once without their becoming fewer; and so often in all, which is never
 * reached. */
enum { EXCHANGES_ALL = 3, EXCHANGES_MOST = 100 };

/* Steps that promise to move all together by less than a thousandth of a standard uncertainty, or less than rounding
 * of the sum of squares, are not taken. */
static const double least_gain = 1e-6, rounding = 1e-15;

/* No logarithm moves further at once. */
static const double longest_step = 1.5;

/* The deflection before the first sample is at most this, to either side: of backlash, the whole stroke; of elements,
 * as far as the contact can have returned until all of them slip to the other side. */
static double start_most(const struct friction_row *row)
{
    return row->shape == FRICTION_MAXWELL ? FRICTION_SLIP_RETURNS + 2 : 2;
}

/* The normal equations with the linear unknowns eliminated. */
struct projection {
    struct small_cholesky linear;
    double column[FRICTION_COLUMNS][CHOLESKY_MOST]; /* what each of the others has of them */
    double matrix[FRICTION_UNKNOWNS * FRICTION_UNKNOWNS], right[FRICTION_UNKNOWNS];
    bool moved[FRICTION_UNKNOWNS];
    double squares;
};

static double normal_at(const struct friction_normal *normal, size_t a, size_t b)
{
    return a > b ? normal->sum[a][b] : normal->sum[b][a];
}

static void reduce(const struct friction_normal *normal, struct projection *of, size_t column)
{
    for (size_t i = 0; i < of->linear.unknowns; i++)
        of->column[column][i] = of->linear.scale[i] * normal_at(normal, of->linear.chosen[i], column);
    cholesky_forward(&of->linear, 0, of->column[column]);
}

static double left_of(const struct friction_normal *normal, const struct projection *of, size_t a, size_t b)
{
    double sum = normal_at(normal, a, b);
    for (size_t i = 0; i < of->linear.unknowns; i++)
        sum -= of->column[a][i] * of->column[b][i];
    return sum;
}

/* The linear unknowns after steps of the others (NULL: none) into value; of COLUMN_START the step. */
static void solve_linear(const struct projection *of, const double *steps, double value[FRICTION_UNKNOWNS])
{
    double solution[CHOLESKY_MOST];
    memcpy(solution, of->column[COLUMN_FORCE], sizeof solution);
    for (size_t c = FRICTION_LINEAR; steps && c < FRICTION_UNKNOWNS; c++)
        for (size_t i = 0; of->moved[c] && i < of->linear.unknowns; i++)
            solution[i] -= steps[c] * of->column[c][i];
    cholesky_backward(&of->linear, solution);
    for (enum friction_column c = 0; c <= COLUMN_START; c++)
        value[c] = 0;
    for (size_t i = 0; i < of->linear.unknowns; i++)
        value[of->linear.chosen[i]] = solution[i] * of->linear.scale[i];
}

/* Where the columns of several are alike, these are left out first: the start, a spring, dampings, and the elements
 * that slip last. */
static enum friction_column doubtful(size_t place)
{
    static const enum friction_column first[] = {COLUMN_START, COLUMN_MASS,    COLUMN_PATH_2, COLUMN_PATH,
                                                 COLUMN_K_X,   COLUMN_SIGMA_1, COLUMN_SIGMA_2};
    const size_t count = sizeof first / sizeof first[0];
    if (place < count)
        return first[place];
    return place < count + FRICTION_ELEMENTS ? FRICTION_LINEAR - 1 - (enum friction_column)(place - count)
                                             : FRICTION_COLUMNS;
}

static bool factorises(const struct friction_normal *normal, struct projection *of, const bool chosen[FRICTION_COLUMNS])
{
    return cholesky_factorise(&normal->sum[0][0], FRICTION_COLUMNS, chosen, 0, least_pivot, &of->linear);
}

/* Factorises what is chosen, without those that have no influence of their own, whose bits are put into alike: one
 * alone if that is enough. false: nothing is left that could be. */
static bool factorise(const struct friction_normal *normal, struct projection *of, bool chosen[FRICTION_COLUMNS],
                      unsigned *alike)
{
    while (!factorises(normal, of, chosen)) {
        enum friction_column leave, first = FRICTION_COLUMNS;
        for (size_t place = 0; (leave = doubtful(place)) != FRICTION_COLUMNS; place++) {
            if (!chosen[leave])
                continue;
            first = first == FRICTION_COLUMNS ? leave : first;
            chosen[leave] = false;
            *alike |= BIT(leave);
            if (factorises(normal, of, chosen))
                return true;
            chosen[leave] = true;
            *alike &= ~BIT(leave);
        }
        if (first == FRICTION_COLUMNS) {
            of->linear.unknowns = 0;
            return false;
        }
        chosen[first] = false;
        *alike |= BIT(first);
    }
    return true;
}

static bool is_never_negative(enum friction_column c)
{
    /* What pulls away from the middle is the inertia of a mass, which a motion of one frequency does not tell apart. */
    return c == COLUMN_K_X || c == COLUMN_SIGMA_1 || c == COLUMN_SIGMA_2 || c == COLUMN_MASS ||
           friction_is_slip_force(c);
}

/* Which of them would be negative, or have been left out and would be positive; how many. */
static size_t find_wrong(const struct friction_normal *normal, struct projection *of,
                         const bool chosen[FRICTION_COLUMNS], const bool may[FRICTION_COLUMNS],
                         bool wrong[FRICTION_COLUMNS])
{
    double value[FRICTION_UNKNOWNS];
    size_t count = 0;
    solve_linear(of, NULL, value);
    const double force = normal->sum[COLUMN_FORCE][COLUMN_FORCE];
    const double left = fmax(left_of(normal, of, COLUMN_FORCE, COLUMN_FORCE), rounding * force);
    for (enum friction_column c = 0; c < FRICTION_LINEAR; c++) {
        wrong[c] = false;
        if (!may[c] || !is_never_negative(c))
            continue;
        if (chosen[c]) {
            wrong[c] = value[c] < 0;
        } else {
            reduce(normal, of, c);
            wrong[c] = left_of(normal, of, c, COLUMN_FORCE) > least_slant * sqrt(normal->sum[c][c] * left);
        }
        count += wrong[c];
    }
    return count;
}

/* Eliminates those linear unknowns that have an influence of their own and, where they must be, are above 0: least
 * squares without negative unknowns by exchanging all that are wrong at once as long as these become fewer, else the
 * last of them alone, which comes to an end (Portugal, Judice and Vicente 1994). */
static void eliminate(const struct friction_row *row, const struct friction_normal *normal, struct projection *of,
                      unsigned *held, unsigned *alike)
{
    bool chosen[FRICTION_COLUMNS] = {false}, may[FRICTION_COLUMNS] = {false}, wrong[FRICTION_COLUMNS];
    size_t fewest = FRICTION_COLUMNS, patience = EXCHANGES_ALL;
    *alike = 0;
    for (enum friction_column c = 0; c <= COLUMN_START; c++)
        may[c] = chosen[c] = friction_column_used(row, c) && normal->sum[c][c] > 0;
    for (size_t round = 0; round < EXCHANGES_MOST && factorise(normal, of, chosen, alike); round++) {
        for (enum friction_column c = 0; c <= COLUMN_START; c++)
            may[c] = may[c] && !(*alike & BIT(c));
        reduce(normal, of, COLUMN_FORCE);
        const size_t count = find_wrong(normal, of, chosen, may, wrong);
        if (count == 0)
            break;
        patience = count < fewest ? EXCHANGES_ALL : patience - (patience > 0);
        fewest = count < fewest ? count : fewest;
        bool first = true;
        for (enum friction_column c = FRICTION_LINEAR; c-- > 0;)
            if (wrong[c] && (first || patience > 0)) {
                chosen[c] = !chosen[c];
                first = false;
            }
    }
    *held = 0;
    for (enum friction_column c = 0; c <= COLUMN_START; c++)
        *held |= friction_column_used(row, c) && !chosen[c] ? BIT(c) : 0;
}

static void project(struct friction_fit *fit, struct projection *of, unsigned *held)
{
    const struct friction_normal *normal = &fit->normal;
    memset(of, 0, sizeof *of);
    eliminate(&fit->point.row, normal, of, held, &fit->alike);
    reduce(normal, of, COLUMN_FORCE);
    of->squares = left_of(normal, of, COLUMN_FORCE, COLUMN_FORCE);
    for (enum friction_column c = COLUMN_X_D; c < FRICTION_UNKNOWNS; c++) {
        if (!friction_column_used(&fit->point.row, c))
            continue;
        reduce(normal, of, c);
        of->right[c] = left_of(normal, of, c, COLUMN_FORCE);
        of->moved[c] = normal->sum[c][c] > 0;
        for (enum friction_column d = COLUMN_X_D; d <= c; d++)
            of->matrix[c * FRICTION_UNKNOWNS + d] = of->moved[d] ? left_of(normal, of, c, d) : 0;
        of->moved[c] = of->moved[c] && of->matrix[c * FRICTION_UNKNOWNS + c] > 0;
        *held |= of->moved[c] ? 0 : BIT(c);
    }
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
                        const struct projection *of, const double *steps, struct friction_point *point)
{
    const double start = point->value[COLUMN_START];
    solve_linear(of, steps, point->value);
    point->value[COLUMN_START] = within_start(&point->row, start + point->value[COLUMN_START]);
    take_own(normal, motion->parts, steps, point);
}

void friction_fit_linear(const struct friction_motion *motion, const struct friction_point *point,
                         struct friction_fit *fit)
{
    struct projection projection;
    fit->point = *point;
    fit->passes++;
    friction_pass(motion, &fit->point, false, &fit->normal);
    /* The force of elements follows their state only as long as the same ones slip: it stays as it was chosen. */
    if (point->row.shape == FRICTION_MAXWELL)
        fit->normal.sum[COLUMN_START][COLUMN_START] = 0;
    project(fit, &projection, &fit->held);
    take_linear(motion, &fit->normal, &projection, NULL, &fit->point);
    fit->squares = projection.squares;
}

/* A step with this damping; what it promises to take from the sum of squares. Unknowns at a bound that would leave it
 * stay. */
static double step_to(const struct friction_motion *motion, const struct friction_fit *fit, struct projection *of,
                      double damping, struct friction_point *to, unsigned *held)
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
            steps[c] *= longest > longest_step ? longest_step / longest : 1;
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
    struct projection last;
    friction_pass(motion, &fit->point, true, &fit->normal);
    const double start = fit->normal.sum[COLUMN_START][COLUMN_START];
    fit->normal.sum[COLUMN_START][COLUMN_START] = 0;
    project(fit, &last, held);
    fit->squares = last.squares;
    fit->passes++;
    take_linear(motion, &fit->normal, &last, NULL, &fit->point);
    fit->normal.sum[COLUMN_START][COLUMN_START] = start_held ? 0 : start;
    *held = (*held & ~BIT(COLUMN_START)) | start_held;
}

/* Walks once more, for the derivatives at the point. */
static void derive(const struct friction_motion *motion, struct friction_fit *fit, struct projection *here,
                   unsigned *linear_held)
{
    friction_pass(motion, &fit->point, true, &fit->normal);
    project(fit, here, linear_held);
    fit->squares = here->squares;
    fit->passes++;
}

/* Walks with the linear unknowns that the walk before leads to, where these are not the same. */
static void renew(const struct friction_motion *motion, struct friction_fit *fit, struct projection *here,
                  unsigned *linear_held)
{
    take_linear(motion, &fit->normal, here, NULL, &fit->point);
    derive(motion, fit, here, linear_held);
}

static double least_promise(const struct friction_motion *motion, const struct friction_fit *fit)
{
    return fmax(least_gain * fit->squares / (double)motion->samples,
                rounding * fit->normal.sum[COLUMN_FORCE][COLUMN_FORCE]);
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
    struct projection here, there;
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
