/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_projection.h"

#include <math.h>
#include <string.h>

#define BIT(column) (1u << (column))

/* A linear unknown of which less than this share of its column is its own counts nothing. */
static const double least_pivot = 1e-11;

/* An unknown that was left out comes back where more than this share of its column is along what is left of the force.
 */
static const double least_slant = 1e-6;

/* So often all wrong unknowns are exchanged at once without their becoming fewer; and so often in all, which is never
 * reached. */
enum { EXCHANGES_ALL = 3, EXCHANGES_MOST = 100 };

static double normal_at(const struct friction_normal *normal, size_t a, size_t b)
{
    const size_t row = a > b ? a : b;
    return normal->sum[row][a + b - row];
}

static void reduce(const struct friction_normal *normal, struct friction_projection *of, size_t column)
{
    for (size_t i = 0; i < of->linear.unknowns; i++)
        of->column[column][i] = of->linear.scale[i] * normal_at(normal, of->linear.chosen[i], column);
    cholesky_forward(&of->linear, 0, of->column[column]);
}

static double left_of(const struct friction_normal *normal, const struct friction_projection *of, size_t a, size_t b)
{
    double sum = normal_at(normal, a, b);
    for (size_t i = 0; i < of->linear.unknowns; i++)
        sum -= of->column[a][i] * of->column[b][i];
    return sum;
}

void friction_projection_solve(const struct friction_projection *of, const double *steps,
                               double value[FRICTION_UNKNOWNS])
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

static bool factorises(const struct friction_normal *normal, struct friction_projection *of,
                       const bool chosen[FRICTION_COLUMNS])
{
    return cholesky_factorise(&normal->sum[0][0], FRICTION_COLUMNS, chosen, 0, least_pivot, &of->linear);
}

/* Factorises what is chosen, without those that have no influence of their own, whose bits are put into alike: one
 * alone if that is enough. false: nothing is left that could be. */
static bool factorise(const struct friction_normal *normal, struct friction_projection *of,
                      bool chosen[FRICTION_COLUMNS], unsigned *alike)
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
static size_t find_wrong(const struct friction_normal *normal, struct friction_projection *of,
                         const bool chosen[FRICTION_COLUMNS], const bool may[FRICTION_COLUMNS],
                         bool wrong[FRICTION_COLUMNS])
{
    double value[FRICTION_UNKNOWNS];
    size_t count = 0;
    friction_projection_solve(of, NULL, value);
    const double force = normal->sum[COLUMN_FORCE][COLUMN_FORCE];
    const double left = fmax(left_of(normal, of, COLUMN_FORCE, COLUMN_FORCE), FRICTION_ROUNDING * force);
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
static void eliminate(const struct friction_row *row, const struct friction_normal *normal,
                      struct friction_projection *of, unsigned *held, unsigned *alike)
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

void friction_project(const struct friction_row *row, const struct friction_normal *normal,
                      struct friction_projection *of, unsigned *held, unsigned *alike)
{
    memset(of, 0, sizeof *of);
    eliminate(row, normal, of, held, alike);
    reduce(normal, of, COLUMN_FORCE);
    of->squares = left_of(normal, of, COLUMN_FORCE, COLUMN_FORCE);
    for (enum friction_column c = COLUMN_X_D; c < FRICTION_UNKNOWNS; c++) {
        if (!friction_column_used(row, c))
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
