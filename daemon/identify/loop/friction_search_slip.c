/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Maxwell-slip from nothing. At given slip lengths all of it is linear, and no slip force is negative, so that few
 * elements of a grid are left; then the slip lengths move, and elements come and go as the evidence has it. */

#include "identify/loop/friction_search.h"
#include "identify/loop/friction_slip_walk.h"
#include "identify/loop/friction_start.h"

#include <math.h>

enum { SLIP_WAYS = 9, SLIP_NEW = 1 + 2 * SLIP_WAYS, SLIP_STARTS = SLIP_NEW + 2 * SLIP_WAYS };

/* Slip lengths from half a usual step, below which an element slips in every sample, to 0.45 of the stroke, beyond
 * which it is a spring in parallel. */
static struct friction_bounds element_grid(const struct friction_motion *motion)
{
    return (struct friction_bounds){fmin(motion->usual_step / 2, 0.45), 0.9};
}

/* Of a contact that is new, as far from there as the first of its elements needs to slip, or the last; and of one all
 * of which slipped to one side, as far back from there. */
static double start_of(const struct friction_bounds *grid, size_t s)
{
    const double side = s % 2 == 0 ? 1 : -1;
    if (s == 0)
        return 0;
    if (s < SLIP_NEW)
        return side * friction_on_grid(grid->least, grid->most, (s - 1) / 2, SLIP_WAYS);
    return side *
           (FRICTION_SLIP_RETURNS + friction_on_grid(grid->least, 2 * grid->most, (s - SLIP_NEW) / 2, SLIP_WAYS));
}

static void take_grid(const struct friction_motion *motion, struct friction_point *point)
{
    const struct friction_bounds grid = element_grid(motion);
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++)
        point->value[COLUMN_LENGTH + k] = friction_on_grid(grid.least, grid.most, k, FRICTION_ELEMENTS);
}

static void look_at_elements(const struct friction_motion *motion, struct friction_point point,
                             struct friction_fit *best)
{
    const struct friction_bounds grid = element_grid(motion);
    take_grid(motion, &point);
    for (size_t s = 0; s < SLIP_STARTS; s++) {
        friction_start_at(start_of(&grid, s), &point);
        friction_consider_start(motion, &point, best);
    }
}

/* The elements that were found from a start that is not the contact's may suit another one better. */
static void look_at_starts(const struct friction_motion *motion, struct friction_fit *fit)
{
    const struct friction_bounds grid = element_grid(motion);
    struct friction_fit best = *fit, refined;
    for (size_t t = 0; t < motion->parts * SLIP_STARTS; t++) {
        const size_t part = t / SLIP_STARTS;
        struct friction_point point = best.point;
        *(part == 0 ? &point.value[COLUMN_START] : &point.own[part].start) = start_of(&grid, t % SLIP_STARTS);
        friction_consider_start(motion, &point, &best);
    }
    if (best.squares < (1 - FRICTION_SAME_OPTIMUM) * fit->squares) {
        friction_fit_from(motion, &best.point, &refined);
        friction_take_better(&refined, fit);
    }
}

/* Of GMS, over what its rate may be. */
enum { RATES = 7 };

static double rate_on_grid(const struct friction_motion *motion, const struct friction_row *row, size_t k)
{
    const struct friction_bounds bounds = friction_bounds_of(motion, row, COLUMN_SHAPE);
    return friction_on_grid(bounds.least, bounds.most, k, RATES);
}

static void look_at_rates(const struct friction_motion *motion, struct friction_point *point)
{
    struct friction_fit best = {.squares = INFINITY};
    for (size_t k = 0; k < RATES; k++) {
        point->value[COLUMN_SHAPE] = rate_on_grid(motion, &point->row, k);
        friction_consider_start(motion, point, &best);
    }
    *point = best.point;
}

/* Elements that vanish become absent; how many are left. */
static size_t leave_vanished_out(struct friction_point *point)
{
    size_t count = 0;
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++)
        if (point->value[COLUMN_ELEMENT + k] > 0)
            count++;
        else
            point->value[COLUMN_LENGTH + k] = 0;
    return count;
}

/* Makes one element of the two whose slip lengths are most alike, as stiff and as strong as both. */
static void merge_closest(struct friction_point *point)
{
    size_t first = 0, second = 0;
    double closest = INFINITY, *length = point->value + COLUMN_LENGTH, *force = point->value + COLUMN_ELEMENT;
    for (size_t a = 0; a < FRICTION_ELEMENTS; a++)
        for (size_t b = 0; b < a; b++) {
            const double apart = length[a] > 0 && length[b] > 0 ? fabs(log(length[a] / length[b])) : INFINITY;
            if (apart < closest) {
                closest = apart;
                first = b;
                second = a;
            }
        }
    length[first] = (force[first] + force[second]) / (force[first] / length[first] + force[second] / length[second]);
    length[second] = 0;
}

/* The sum of squares has kinks where an element just does not slip, and a fit may end in one: as long as another slip
 * length alone leaves less, it goes on from there. */
static void look_about(const struct friction_motion *motion, struct friction_fit *fit)
{
    static const double factors[] = {0.85, 0.97, 1.03, 1.18};
    enum { FACTORS = sizeof factors / sizeof factors[0], ROUNDS_MOST = 20 };
    for (size_t round = 0; round < ROUNDS_MOST && !friction_motion_is_cancelled(motion); round++) {
        struct friction_fit best = *fit, refined;
        for (size_t t = 0; t < FRICTION_ELEMENTS * FACTORS; t++) {
            struct friction_point point = fit->point;
            double *length = &point.value[COLUMN_LENGTH + t / FACTORS];
            if (!(*length > 0))
                continue;
            *length = fmin(factors[t % FACTORS] * *length, friction_bounds_of(motion, &point.row, COLUMN_LENGTH).most);
            friction_consider_start(motion, &point, &best);
        }
        if (!(best.squares < (1 - FRICTION_SAME_OPTIMUM) * fit->squares))
            return;
        friction_fit_from(motion, &best.point, &refined);
        if (!(refined.squares < fit->squares))
            return;
        *fit = refined;
    }
}

/* Whether the evidence (BIC) rises by an element more, of two unknowns. Below what steps leave all are alike. */
static bool element_improves_fit(const struct friction_motion *motion, const struct friction_fit *without,
                                 const struct friction_fit *with)
{
    const double samples = (double)motion->samples, least = FRICTION_STEPS_LEAVE * FRICTION_STEPS_LEAVE * samples;
    return samples * log(fmax(without->squares, least) / fmax(with->squares, least)) > 2 * log(samples);
}

/* One more element, of that slip length of a fine grid that leaves least, is taken as long as that is worth it. */
static void add_elements(const struct friction_motion *motion, struct friction_fit *fit)
{
    enum { CANDIDATES = 24 };
    const struct friction_bounds grid = element_grid(motion);
    while (leave_vanished_out(&fit->point) < FRICTION_ELEMENTS && !friction_motion_is_cancelled(motion)) {
        struct friction_fit best = {.squares = INFINITY}, more;
        size_t absent = 0;
        while (fit->point.value[COLUMN_LENGTH + absent] > 0)
            absent++;
        for (size_t c = 0; c < CANDIDATES; c++) {
            struct friction_point point = fit->point;
            point.value[COLUMN_LENGTH + absent] = friction_on_grid(grid.least, grid.most, c, CANDIDATES);
            friction_consider_start(motion, &point, &best);
        }
        friction_fit_from(motion, &best.point, &more);
        look_about(motion, &more);
        if (!element_improves_fit(motion, fit, &more))
            return;
        *fit = more;
    }
}

static void drop_weakest(struct friction_point *point)
{
    size_t weakest = 0;
    for (size_t k = 1; k < FRICTION_ELEMENTS; k++)
        if (point->value[COLUMN_LENGTH + k] > 0 &&
            (!(point->value[COLUMN_LENGTH + weakest] > 0) ||
             point->value[COLUMN_ELEMENT + k] < point->value[COLUMN_ELEMENT + weakest]))
            weakest = k;
    point->value[COLUMN_LENGTH + weakest] = 0;
}

void friction_merge_elements(const struct friction_motion *motion, struct friction_fit *fit)
{
    while (leave_vanished_out(&fit->point) > 1 && !friction_motion_is_cancelled(motion)) {
        struct friction_fit merged, dropped;
        struct friction_point point = fit->point;
        merge_closest(&point);
        friction_fit_from(motion, &point, &merged);
        point = fit->point;
        drop_weakest(&point);
        friction_fit_from(motion, &point, &dropped);
        friction_take_better(&dropped, &merged);
        if (element_improves_fit(motion, &merged, fit))
            return;
        *fit = merged;
    }
}

enum { DIP_VELOCITIES = 9, DIP_RATIOS = 2, DIP_EXPONENTS = 2, DIPS = DIP_VELOCITIES * DIP_RATIOS * DIP_EXPONENTS };

/* Dips all over the speeds of the record, with both exponents. */
static void take_dip(const struct friction_motion *motion, size_t d, struct friction_point *point)
{
    static const double ratios[DIP_RATIOS] = {0.5, 1.5};
    point->value[COLUMN_V_S] = friction_on_grid(fmax(2 * motion->slowest, motion->fastest / 500), motion->fastest,
                                                d % DIP_VELOCITIES, DIP_VELOCITIES);
    point->value[COLUMN_RATIO] = ratios[d / DIP_VELOCITIES % DIP_RATIOS];
    point->value[COLUMN_EXPONENT] = (double)(1 + d / DIP_VELOCITIES / DIP_RATIOS);
}

/* The dip began as that of Dahl's shape, which makes another one of what slips at several forces: others are looked at
 * with the elements as they are, and with those that a grid has beside each. */
static void look_at_dips_from(const struct friction_motion *motion, const struct friction_point *from,
                              struct friction_fit *fit)
{
    struct friction_fit best[DIP_EXPONENTS] = {{.squares = INFINITY}, {.squares = INFINITY}};
    for (size_t d = 0; d < DIPS; d++) {
        struct friction_point point = *from;
        take_dip(motion, d, &point);
        friction_consider_start(motion, &point, &best[d / DIP_VELOCITIES / DIP_RATIOS]);
    }
    for (size_t e = 0; e < DIP_EXPONENTS; e++) {
        struct friction_fit refined;
        leave_vanished_out(&best[e].point);
        friction_fit_from(motion, &best[e].point, &refined);
        friction_take_better(&refined, fit);
    }
}

/* At the rate of GMS that it has, and at others: which dip is the best one depends on how fast what slips comes to it.
 */
static void look_at_dips(const struct friction_motion *motion, bool elements, struct friction_fit *fit)
{
    struct friction_point from = fit->point;
    if (elements)
        take_grid(motion, &from);
    look_at_dips_from(motion, &from, fit);
    for (size_t k = 0; friction_column_used(&from.row, COLUMN_SHAPE) && k < RATES; k++) {
        from.value[COLUMN_SHAPE] = rate_on_grid(motion, &from.row, k);
        look_at_dips_from(motion, &from, fit);
    }
}

/* From where the elements of Dahl's contact, or of a simpler model, are. */
static struct friction_point first_point(const struct friction_motion *motion, const struct friction_row *row,
                                         const struct friction_fit *dahl, const struct friction_fit *simplest)
{
    struct friction_point point = dahl->point;
    if (simplest) {
        point = friction_start_from(simplest, &dahl->point);
        if (!friction_column_used(&simplest->point.row, COLUMN_RATIO))
            point.value[COLUMN_RATIO] = fmax(dahl->point.value[COLUMN_RATIO], point.value[COLUMN_RATIO]);
        point.row = *row;
        if (friction_column_used(row, COLUMN_SHAPE))
            look_at_rates(motion, &point);
        return point;
    }
    struct friction_fit best = {.squares = INFINITY};
    point.row = *row;
    look_at_elements(motion, point, &best);
    leave_vanished_out(&best.point);
    return best.point;
}

/* Elements come and go. */
static void look_for_elements(const struct friction_motion *motion, struct friction_fit *fit)
{
    look_about(motion, fit);
    add_elements(motion, fit);
    friction_merge_elements(motion, fit);
}

/* First on the thinned motion, where fits cost least; all samples tell of more of them. */
static void look_for_thinned_elements(const struct friction_motions *motions, bool dips, struct friction_fit *fit)
{
    const struct friction_motion *thinned = &motions->thinned;
    struct friction_fit look, refined;
    friction_fit_from(thinned, &fit->point, &look);
    if (dips) {
        look_at_dips(thinned, false, &look);
        look_at_dips(thinned, true, &look);
    }
    look_for_elements(thinned, &look);
    friction_fit_from(&motions->all, &look.point, &refined);
    friction_take_better(&refined, fit);
}

/* The first elements that are fitted, as well as they begin with Dahl's dip, or another one where that leaves too much:
 * beside a wrong dip nothing is left of elements. */
static void look_first(const struct friction_motion *thinned, const struct friction_row *row,
                       const struct friction_fit *dahl, const struct friction_fit *simplest, double wanted,
                       struct friction_fit *look)
{
    const struct friction_point first = first_point(thinned, row, dahl, simplest);
    friction_fit_from(thinned, &first, look);
    if (look->squares > wanted && friction_column_used(row, COLUMN_RATIO)) {
        struct friction_fit dips = {.squares = INFINITY, .point = first};
        look_at_dips(thinned, false, &dips);
        if (friction_column_used(row, COLUMN_SHAPE))
            look_at_dips(thinned, true, &dips);
        friction_take_better(&dips, look);
    }
    look_at_starts(thinned, look);
}

/* Most records are none of elements, which the thinned motion tells at little cost: whether the first elements leave
 * too much there, and then of all samples as well. fit: what they are on all samples. */
static bool looks_hopeless(const struct friction_motions *motions, const struct friction_row *row,
                           const struct friction_fit *dahl, double least_squares, const struct friction_fit *simplest,
                           struct friction_fit *fit)
{
    const double wanted = friction_wanted(motions, least_squares);
    struct friction_fit look;
    look_first(&motions->thinned, row, dahl, simplest, wanted, &look);
    *fit = (struct friction_fit){.squares = INFINITY};
    friction_consider_start(&motions->all, &look.point, fit);
    return look.squares > wanted && fit->squares > FRICTION_HOPELESS * least_squares;
}

void friction_search_slip(const struct friction_motions *motions, const struct friction_row *row,
                          const struct friction_fit *dahl, double least_squares,
                          const struct friction_fit *const simpler[], size_t count, struct friction_fit *fit)
{
    const struct friction_motion *all = &motions->all;
    const struct friction_fit *simplest = count > 0 ? simpler[count - 1] : NULL;
    if (!looks_hopeless(motions, row, dahl, least_squares, simplest, fit)) {
        const struct friction_point first = first_point(all, row, dahl, simplest);
        struct friction_fit best = *fit;
        friction_consider_start(all, &first, &best);
        friction_fit_from(all, &best.point, fit);
        look_at_starts(all, fit);
    }
    if (fit->squares > FRICTION_HOPELESS * least_squares) {
        fit->abandoned = true;
        return;
    }
    look_for_thinned_elements(motions, friction_column_used(row, COLUMN_RATIO), fit);
    look_for_elements(all, fit);
    for (size_t k = 0; k < count; k++)
        if (!simpler[k]->abandoned && simpler[k]->squares < fit->squares) {
            struct friction_fit refined;
            const struct friction_point start = friction_start_from(simpler[k], &fit->point);
            friction_fit_from(all, &start, &refined);
            friction_take_better(&refined, fit);
        }
}
