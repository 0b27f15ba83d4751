/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_misfit.h"

#include "identify/common/fisher_quantile.h"
#include "identify/loop/friction_fit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The stroke in parts, each once upwards and once downwards; of many loops so many are taken together. */
enum { PARTS_MOST = 64, PARTS_FEW = 16, PLACES_MOST = 2 * PARTS_MOST, LOOPS_MOST = 32 };

/* What changes its sign within a part vanishes there, so that parts are as narrow as a few samples allow, too. */
static const double samples_a_part = 4;

/* A loop begins where the displacement passes the middle upwards by this, after it was as far below. */
static const double beyond_middle = 0.1;

/* Either of two looks, through wide parts and through narrow ones, is beyond it in one of 2000 records. */
static const double certainty = 0.9995;

struct cell {
    double sum;
    size_t count;
};

struct cells {
    struct cell cell[PLACES_MOST][LOOPS_MOST];
    struct cell speed[LOOPS_MOST];
    size_t parts, loops;
    bool by_angle; /* whose sine is the displacement: there the parts are finest about the turns */
};

/* What the loops of like speed differ by: the deviations from their mean at a place, where there are all of them. */
struct scatter {
    double value[PLACES_MOST][LOOPS_MOST];
    size_t places, loops, groups;
    double between, within; /* sums of squares */
    double means, freedom;  /* and their degrees of freedom */
};

struct friction_misfit_room {
    struct cells cells;
    struct scatter scatter;
};

struct friction_misfit_room *friction_misfit_room(void)
{
    return calloc(1, sizeof(struct friction_misfit_room));
}

static size_t place_of(double displacement, double velocity, const struct cells *cells)
{
    const double at = fmax(-1, fmin(1, displacement)), share = cells->by_angle ? asin(at) / M_PI + 0.5 : (at + 1) / 2;
    const double part = share * (double)cells->parts;
    const size_t inside = part < (double)cells->parts ? (size_t)part : cells->parts - 1;
    return velocity < 0 ? cells->parts + inside : inside;
}

static size_t fill(const struct friction_motion *motion, const double *residuals, size_t loops_a_column,
                   struct cells *cells)
{
    bool below = false;
    size_t loop = 0, found = 0;
    for (size_t i = 0; i < motion->count; i++) {
        if (!(motion->weight[i] > 0))
            continue;
        const double displacement = motion->displacement[i];
        below = below || displacement < -beyond_middle;
        if (below && displacement > beyond_middle) {
            below = false;
            loop++;
        }
        const size_t column = loop > 0 ? (loop - 1) / loops_a_column : 0;
        if (cells && loop > 0 && column < LOOPS_MOST) {
            struct cell *cell = &cells->cell[place_of(displacement, motion->velocity[i], cells)][column];
            cell->sum += residuals[found];
            cell->count++;
            cells->speed[column].sum += fabs(motion->velocity[i]);
            cells->speed[column].count++;
            cells->loops = column;
        }
        found++;
    }
    return loop;
}

static bool is_in_all(const struct cell *cell, size_t loops)
{
    bool in_all = loops > 1;
    for (size_t c = 0; c < loops; c++)
        in_all = in_all && cell[c].count > 0;
    return in_all;
}

/* What a model leaves at one speed it need not leave at another: loops that follow each other are compared as long as
 * their mean speeds differ by less than this factor. */
static const double like_speed = 1.5;

/* Where the loops end that are like the first one. */
static size_t group_end(const struct cells *cells, size_t first)
{
    size_t end = first + 1;
    for (; end < cells->loops; end++) {
        const struct cell *before = &cells->speed[end - 1], *here = &cells->speed[end];
        const double ratio = here->sum / (double)here->count / (before->sum / (double)before->count);
        if (!(ratio < like_speed && ratio > 1 / like_speed))
            break;
    }
    return end;
}

/* At one place: adds the loops of a group, whose deviations are `value`. */
static void add_group(const struct cell *cell, size_t loops, double *value, struct scatter *scatter)
{
    double mean = 0;
    for (size_t c = 0; c < loops; c++)
        mean += cell[c].sum / (double)cell[c].count / (double)loops;
    for (size_t c = 0; c < loops; c++) {
        value[c] = cell[c].sum / (double)cell[c].count - mean;
        scatter->within += value[c] * value[c];
    }
    scatter->between += (double)loops * mean * mean;
    scatter->means++;
    scatter->freedom += (double)(loops - 1);
}

static void compare(const struct cells *cells, struct scatter *scatter)
{
    memset(scatter, 0, sizeof *scatter);
    scatter->loops = cells->loops;
    for (size_t first = 0; first < cells->loops; first = group_end(cells, first))
        scatter->groups++;
    for (size_t p = 0; p < 2 * cells->parts; p++) {
        const double means = scatter->means;
        for (size_t first = 0, end; first < cells->loops; first = end) {
            end = group_end(cells, first);
            if (is_in_all(&cells->cell[p][first], end - first))
                add_group(&cells->cell[p][first], end - first, &scatter->value[scatter->places][first], scatter);
        }
        scatter->places += scatter->means > means;
    }
}

/* Places that follow each other are as good as so many fewer ones where noise has a memory: sums of squares then have
 * the degrees of freedom over 1 + 2 sum rho_k^2 (Satterthwaite 1946), up to the first rho_k that chance brings about.
 */
static double memory_of(const struct scatter *scatter)
{
    const double chance = 2 / sqrt((double)(scatter->places * scatter->loops));
    double squares = 0;
    for (size_t lag = 1; lag < scatter->places / 2; lag++) {
        double products = 0;
        for (size_t p = lag; p < scatter->places; p++)
            for (size_t c = 0; c < scatter->loops; c++)
                products += scatter->value[p][c] * scatter->value[p - lag][c];
        const double rho = products / scatter->within;
        if (rho < chance)
            break;
        squares += rho * rho;
    }
    return 1 + 2 * squares;
}

static struct friction_misfit look(const struct friction_motion *motion, const double *residuals, size_t loops,
                                   size_t parts, struct friction_misfit_room *room)
{
    struct cells *cells = &room->cells;
    struct scatter *scatter = &room->scatter;
    memset(cells, 0, sizeof *cells);
    cells->parts = parts;
    cells->by_angle = parts > PARTS_FEW;
    /* The last one is not whole, and not counted. */
    fill(motion, residuals, loops / LOOPS_MOST + 1, cells);
    compare(cells, scatter);
    if (scatter->places < 2 || !(scatter->within > 0))
        return (struct friction_misfit){NAN, 1, NAN};
    const double memory = memory_of(scatter), means = scatter->means, freedom = scatter->freedom;
    /* Steps and rounding leave the same in every loop. */
    const double alike = (1 + freedom / means) * FRICTION_STEPS_LEAVE * FRICTION_STEPS_LEAVE;
    return (struct friction_misfit){scatter->between / means / (scatter->within / freedom + alike),
                                    (double)loops / (double)scatter->groups,
                                    fisher_quantile(1 - certainty, fmax(means / memory, 1), fmax(freedom / memory, 1))};
}

struct friction_misfit friction_misfit_of(const struct friction_motion *motion, const double *residuals,
                                          struct friction_misfit_room *room)
{
    const size_t loops = fill(motion, residuals, 1, NULL);
    if (loops < 3)
        return (struct friction_misfit){NAN, 1, NAN};
    const double narrow = (double)motion->samples / (double)loops / (2 * samples_a_part);
    const struct friction_misfit few = look(motion, residuals, loops, PARTS_FEW, room);
    if (!(narrow > PARTS_FEW))
        return few;
    const struct friction_misfit many = look(motion, residuals, loops, (size_t)fmin(narrow, PARTS_MOST), room);
    return isnan(few.ratio) || many.ratio / many.expected > few.ratio / few.expected ? many : few;
}
