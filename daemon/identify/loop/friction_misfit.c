/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_misfit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The stroke in parts, each once upwards and once downwards; of many loops so many are taken together. */
enum { PARTS = 16, PLACES = 2 * PARTS, LOOPS_MOST = 200 };

/* A loop begins where the displacement passes the middle upwards by this, after it was as far below. */
static const double beyond_middle = 0.1;

struct cell {
    double sum;
    size_t count;
};

struct cells {
    struct cell cell[PLACES][LOOPS_MOST];
    size_t loops;
};

static size_t place_of(double displacement, double velocity)
{
    const double part = (displacement + 1) / 2 * PARTS;
    const size_t inside = part < 0 ? 0 : part < PARTS ? (size_t)part : PARTS - 1;
    return velocity < 0 ? PARTS + inside : inside;
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
        const size_t column = (loop - 1) / loops_a_column;
        if (cells && loop > 0 && column < LOOPS_MOST) {
            struct cell *cell = &cells->cell[place_of(displacement, motion->velocity[i])][column];
            cell->sum += residuals[found];
            cell->count++;
            cells->loops = column;
        }
        found++;
    }
    return loop;
}

struct friction_misfit friction_misfit_of(const struct friction_motion *motion, const double *residuals)
{
    static const struct friction_misfit none = {NAN, 1, NAN};
    struct cells cells;
    memset(&cells, 0, sizeof cells);
    const size_t all = fill(motion, residuals, 1, NULL);
    if (all < 3)
        return none;
    fill(motion, residuals, all / LOOPS_MOST + 1, &cells);
    /* The last one is not whole, and not counted. */
    const double loops = (double)cells.loops;
    double between = 0, within = 0, places = 0;
    for (size_t p = 0; p < PLACES; p++) {
        double mean = 0, squares = 0;
        bool in_all = cells.loops > 1;
        for (size_t c = 0; c < cells.loops; c++) {
            const struct cell *cell = &cells.cell[p][c];
            const double value = cell->count > 0 ? cell->sum / (double)cell->count : 0;
            in_all = in_all && cell->count > 0;
            mean += value / loops;
            squares += value * value;
        }
        if (!in_all)
            continue;
        between += loops * mean * mean;
        within += squares - loops * mean * mean;
        places++;
    }
    if (places < 2 || !(within > 0))
        return none;
    const double freedom = places * (loops - 1);
    return (struct friction_misfit){between / places / (within / freedom), (double)all,
                                    gsl_cdf_fdist_Pinv(0.999, places, freedom)};
}
