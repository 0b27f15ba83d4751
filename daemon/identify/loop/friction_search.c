/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_search.h"

#include "identify/loop/friction_start.h"

#include <math.h>
#include <string.h>

/* The grid: presliding lengths from a fifth of the smallest steps to the stroke, Stribeck velocities over the speeds of
 * the record, and dips. No optimum was missed on it in a thousand records and more. */
enum { LENGTHS = 14, VELOCITIES = 9, RATIOS = 3, CANDIDATES = VELOCITIES, FINALISTS = 2 };
static const double ratios[RATIOS] = {FRICTION_LEAST_RATIO, 0.5, 1.5};

static double velocity_at(const struct friction_motions *motions, size_t v)
{
    const double fastest = motions->all.fastest;
    return friction_on_grid(fmax(2 * motions->all.slowest, fastest / 500), fastest, v, VELOCITIES);
}

double friction_wanted(const struct friction_motions *motions, double least_squares)
{
    return FRICTION_HOPELESS * least_squares * (double)motions->thinned.samples / (double)motions->all.samples;
}

/* The best point of the grid at one Stribeck velocity. */
static void look_at_velocity(const struct friction_motions *motions, const struct friction_point *of,
                             struct friction_fit *best)
{
    const bool presliding = of->row.shape != FRICTION_RIGID, dips = friction_column_used(&of->row, COLUMN_RATIO);
    best->squares = INFINITY;
    for (size_t l = 0; l < (presliding ? LENGTHS : 1); l++)
        for (size_t r = 0; r < (dips ? RATIOS : 1); r++) {
            struct friction_fit fit = {.passes = 0};
            struct friction_point point = *of;
            point.value[COLUMN_X_D] = friction_on_grid(motions->all.smallest_step / 5, 2, l, LENGTHS);
            point.value[COLUMN_RATIO] = ratios[r];
            friction_fit_linear(&motions->thinned, &point, &fit);
            if (fit.squares < best->squares)
                *best = fit;
        }
}

/* Keeps the best fits in order, each optimum once. */
struct finalists {
    struct friction_fit fit[FINALISTS];
    size_t count;
};

static void consider(struct finalists *finalists, const struct friction_fit *fit)
{
    size_t place = finalists->count;
    for (size_t k = 0; k < finalists->count; k++)
        if (fabs(fit->squares - finalists->fit[k].squares) <= FRICTION_SAME_OPTIMUM * fit->squares)
            return;
    while (place > 0 && fit->squares < finalists->fit[place - 1].squares)
        place--;
    if (place == FINALISTS)
        return;
    const size_t moved = (finalists->count < FINALISTS ? finalists->count : FINALISTS - 1) - place;
    memmove(&finalists->fit[place + 1], &finalists->fit[place], moved * sizeof *fit);
    finalists->fit[place] = *fit;
    finalists->count += finalists->count < FINALISTS;
}

/* The best that the finalists, and fits of simpler models, lead to with all samples. */
static void refine(const struct friction_motions *motions, const struct finalists *finalists,
                   const struct friction_point *of, const struct friction_fit *const simpler[], size_t count,
                   struct friction_fit *fit)
{
    *fit = (struct friction_fit){.squares = INFINITY};
    for (size_t k = 0; k < finalists->count; k++) {
        struct friction_fit refined;
        friction_fit_from(&motions->all, &finalists->fit[k].point, &refined);
        friction_take_better(&refined, fit);
    }
    for (size_t k = 0; k < count; k++) {
        struct friction_fit refined;
        struct friction_point start = simpler[k]->point;
        start.row = of->row;
        if (!friction_column_used(&simpler[k]->point.row, COLUMN_EXPONENT))
            start.value[COLUMN_EXPONENT] = of->value[COLUMN_EXPONENT];
        if (!friction_column_used(&simpler[k]->point.row, COLUMN_LEVELS))
            start.value[COLUMN_LEVELS] = 1;
        friction_fit_from(&motions->all, &start, &refined);
        friction_take_better(&refined, fit);
    }
}

void friction_search(const struct friction_motions *motions, const struct friction_row *row, double exponent,
                     const struct friction_fit *const simpler[], size_t count, struct friction_fit *fit)
{
    const bool dips = friction_column_used(row, COLUMN_RATIO);
    struct friction_point point = {.row = *row, .value = {[COLUMN_EXPONENT] = exponent, [COLUMN_LEVELS] = 1}};
    struct finalists finalists = {.count = 0};
    for (size_t v = 0; v < (dips ? VELOCITIES : 1); v++) {
        struct friction_fit start, refined;
        point.value[COLUMN_V_S] = velocity_at(motions, v);
        look_at_velocity(motions, &point, &start);
        friction_fit_from(&motions->thinned, &start.point, &refined);
        consider(&finalists, &refined);
    }
    refine(motions, &finalists, &point, simpler, count, fit);
}

/* Where the shape may be: z_ba, or n; of Bouc and Wen's also beta. Dahl's n and beta are among them. */
static const double elastic_parts[] = {0.1, 0.4, 0.7, 0.95}, sharpnesses[] = {0.8, 1.3, 2.5, 6},
                    shares[] = {0.3, 0.6, 1};

/* x_d against that of Dahl's shape: the slope behind a reversal is alike. */
static const double lengths[] = {0.35, 0.5, 0.7, 1, 1.4};

enum { SHAPES = 4, SHARES = 3, BENT_LENGTHS = 5 };

/* The best shape at one dip, with all else as Dahl's shape has it. */
static void look_at_shapes(const struct friction_motions *motions, struct friction_point point, double wanted,
                           struct finalists *finalists)
{
    const bool shared = friction_column_used(&point.row, COLUMN_SHAPE_2);
    const double x_d = point.value[COLUMN_X_D];
    struct friction_fit best = {.squares = INFINITY}, refined;
    for (size_t s = 0; s < SHAPES * (shared ? SHARES : 1); s++)
        for (size_t l = 0; l < BENT_LENGTHS; l++) {
            struct friction_fit here = {.passes = 0};
            point.value[COLUMN_SHAPE] = shared ? sharpnesses[s % SHAPES] : elastic_parts[s];
            point.value[COLUMN_SHAPE_2] = shares[s / SHAPES];
            point.value[COLUMN_X_D] = lengths[l] * x_d;
            friction_fit_linear(&motions->thinned, &point, &here);
            if (here.squares < best.squares)
                best = here;
        }
    friction_fit_towards(&motions->thinned, &best.point, wanted, &refined);
    consider(finalists, &refined);
}

/* Gaps and presliding lengths in halves of the stroke, and where in the gap the record begins. */
static const double gaps[] = {0.02, 0.05, 0.12, 0.3, 0.7, 1.4}, gap_starts[] = {-1, 0, 1};

enum { GAPS = 6, GAP_STARTS = 3 };

/* The best length and start at each gap; like in the two directions, from which the others are not far. */
static void look_at_gaps(const struct friction_motions *motions, struct friction_point point, double wanted,
                         struct finalists *finalists)
{
    point.value[COLUMN_SHAPE_2] = 1;
    for (size_t g = 0; g < GAPS; g++) {
        struct friction_fit best = {.squares = INFINITY}, refined;
        for (size_t l = 0; l < LENGTHS * GAP_STARTS; l++) {
            struct friction_fit here = {.passes = 0};
            point.value[COLUMN_SHAPE] = gaps[g];
            point.value[COLUMN_X_D] = friction_on_grid(motions->all.smallest_step / 5, 2, l / GAP_STARTS, LENGTHS);
            friction_start_at(gap_starts[l % GAP_STARTS] * (gaps[g] / 2 + point.value[COLUMN_X_D] / 2), &point);
            friction_fit_linear(&motions->thinned, &point, &here);
            if (here.squares < best.squares)
                best = here;
        }
        friction_fit_towards(&motions->thinned, &best.point, wanted, &refined);
        consider(finalists, &refined);
    }
}

/* Where Dahl's shape is wrong its dip is, too: it is looked for at every third velocity of the grid, with both
 * exponents. */
static void look_at_dips(const struct friction_motions *motions, struct friction_point point, double wanted,
                         struct finalists *finalists)
{
    look_at_shapes(motions, point, wanted, finalists);
    if (!friction_column_used(&point.row, COLUMN_RATIO))
        return;
    point.value[COLUMN_RATIO] = ratios[1];
    for (size_t v = 2; v < VELOCITIES; v += 3)
        for (int exponent = 1; exponent <= 2; exponent++) {
            point.value[COLUMN_EXPONENT] = exponent;
            point.value[COLUMN_V_S] = velocity_at(motions, v);
            look_at_shapes(motions, point, wanted, finalists);
        }
}

/* The last of the simpler models that has all unknowns but linear ones and the power of stops that harden; NULL: there
 * is none, or it was given up, for what it lacks. A shape without what stands beside it stands in for that, so that it
 * is none to begin with. */
static const struct friction_fit *same_but_linear(const struct friction_row *row,
                                                  const struct friction_fit *const simpler[], size_t count)
{
    const struct friction_fit *same = NULL;
    for (size_t k = 0; k < count; k++) {
        const struct friction_row *of = &simpler[k]->point.row;
        const bool stands_in = row->shape != FRICTION_BACKLASH && (of->terms ^ row->terms) & FRICTION_BESIDE_SHAPES;
        if (!simpler[k]->abandoned && !stands_in &&
            friction_column_used(of, COLUMN_RATIO) == friction_column_used(row, COLUMN_RATIO))
            same = simpler[k];
    }
    return same;
}

/* Stops of Hertz's power, from which another optimum may be near than from springs. */
static void try_hertz(const struct friction_motion *motion, const struct friction_fit *springs,
                      struct friction_fit *fit)
{
    static const double hertz = 1.5;
    struct friction_point point = friction_start_from(springs, &fit->point);
    struct friction_fit other;
    point.value[COLUMN_EXPONENT] = hertz;
    friction_fit_from(motion, &point, &other);
    friction_take_better(&other, fit);
}

void friction_try_other_exponent(const struct friction_motion *motion, struct friction_fit *fit)
{
    struct friction_point point = fit->point;
    struct friction_fit other;
    if (fit->abandoned || !friction_column_used(&point.row, COLUMN_RATIO) ||
        friction_column_used(&point.row, COLUMN_EXPONENT))
        return;
    point.value[COLUMN_EXPONENT] = 3 - point.value[COLUMN_EXPONENT];
    friction_fit_from(motion, &point, &other);
    friction_take_better(&other, fit);
}

/* On its way from another shape, or into a dip, the length of the elastic part may run into a bound, where it stays: it
 * begins once more well within. */
static void try_within(const struct friction_motion *motion, struct friction_fit *fit)
{
    struct friction_point point = fit->point;
    struct friction_fit other;
    if (point.row.shape != FRICTION_ELASTOPLASTIC || !friction_is_held(fit, COLUMN_SHAPE))
        return;
    point.value[COLUMN_SHAPE] = elastic_parts[1];
    friction_fit_towards(motion, &point, fit->squares, &other);
    friction_take_better(&other, fit);
}

/* So may the velocity of the dip, beyond all speeds: it begins once more at a tenth of the fastest. */
static void try_dip_within(const struct friction_motion *motion, struct friction_fit *fit)
{
    struct friction_point point = fit->point;
    struct friction_fit other;
    if (point.row.shape != FRICTION_ELASTOPLASTIC || !friction_column_used(&point.row, COLUMN_RATIO) ||
        !friction_is_held(fit, COLUMN_V_S))
        return;
    point.value[COLUMN_RATIO] = ratios[1];
    point.value[COLUMN_V_S] = motion->fastest / 10;
    friction_fit_towards(motion, &point, fit->squares, &other);
    friction_take_better(&other, fit);
}

/* Deflections so far apart are near enough to each other for the force to be linear between them. */
enum { BEGINS = 25 };
static const double begins_to = 1.5;

void friction_begin_anew(const struct friction_motion *motion, struct friction_fit *fit)
{
    struct friction_point point = fit->point, best = fit->point;
    struct friction_fit other;
    double least = INFINITY;
    for (int k = 0; k < BEGINS; k++) {
        friction_start_at(begins_to * (2.0 * k / (BEGINS - 1) - 1), &point);
        const double left = friction_fit_left(motion, &point);
        if (left < least) {
            least = left;
            best = point;
        }
    }
    friction_fit_from(motion, &best, &other);
    friction_take_better(&other, fit);
}

void friction_search_bent(const struct friction_motions *motions, const struct friction_row *row,
                          const struct friction_fit *dahl, double least_squares,
                          const struct friction_fit *const simpler[], size_t count, struct friction_fit *fit)
{
    const struct friction_fit *same = same_but_linear(row, simpler, count);
    const double wanted = friction_wanted(motions, least_squares);
    struct finalists finalists = {.count = 0};
    struct friction_point of = dahl->point;
    of.row = *row;
    struct friction_point point = same ? friction_start_from(same, &of) : of;
    struct friction_fit best = {.squares = INFINITY};
    if (same)
        friction_consider_start(&motions->all, &point, &best);
    else if (row->shape == FRICTION_BACKLASH)
        look_at_gaps(motions, point, wanted, &finalists);
    else
        look_at_dips(motions, point, wanted, &finalists);
    for (size_t k = 0; k < finalists.count; k++)
        friction_consider_start(&motions->all, &finalists.fit[k].point, &best);
    if (best.squares > FRICTION_HOPELESS * least_squares &&
        (finalists.count == 0 || finalists.fit[0].squares > wanted)) {
        *fit = best;
        fit->abandoned = true;
        return;
    }
    friction_fit_from(&motions->all, &best.point, fit);
    if (same)
        friction_try_other_exponent(&motions->all, fit);
    if (same && !friction_row_has(&same->point.row, FRICTION_STOPS) && friction_row_has(row, FRICTION_STOPS))
        try_hertz(&motions->all, same, fit);
    for (size_t k = 0; k < count; k++)
        if (!simpler[k]->abandoned && simpler[k] != same && simpler[k]->squares < fit->squares) {
            struct friction_fit refined;
            const struct friction_point start = friction_start_from(simpler[k], &fit->point);
            friction_fit_from(&motions->all, &start, &refined);
            friction_take_better(&refined, fit);
        }
    try_within(&motions->all, fit);
    try_dip_within(&motions->all, fit);
    friction_try_other_exponent(&motions->all, fit);
}
