/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_one_frequency.h"

#include "identify/loop/friction_figure.h"

#include <math.h>

/* Of the squares of the acceleration no more is neither the displacement's nor the velocity's: a spring and a mass
 * would be told by a tenth of the inertia, which harmonics of the drive and noise of the displacement are. */
static const double sine_leaves = 0.01;

static const char *const spring_less_mass = "at one frequency a spring and a mass are the same: the value is k_x less "
                                            "moved_mass times the square of the angular "
                                            "frequency";
static const char *const mass_less_spring = "at one frequency a spring and a mass are the same: the value is "
                                            "moved_mass less k_x over the square of the angular "
                                            "frequency";
static const char *const neither =
    "not seen: at one frequency a spring and a mass are the same, and only their difference is told";

enum { OFFSET, DISPLACEMENT, VELOCITY, ACCELERATION, SERIES };

/* Takes from the products of later series what they have of one. */
static void eliminate(double products[SERIES][SERIES], int own)
{
    const double squares = products[own][own];
    for (int a = own + 1; a < SERIES && squares > 0; a++)
        for (int b = own + 1; b < SERIES; b++)
            products[a][b] -= products[a][own] * products[own][b] / squares;
}

bool friction_motion_has_one_frequency(const struct friction_motion *motion)
{
    double products[SERIES][SERIES] = {{0}};
    for (size_t i = 0; i < motion->count; i++) {
        const double at[SERIES] = {1, motion->displacement[i], motion->velocity[i], motion->acceleration[i]};
        for (int a = 0; a < SERIES; a++)
            for (int b = 0; b < SERIES; b++)
                products[a][b] += motion->weight[i] * at[a] * at[b];
    }
    const double squares = products[ACCELERATION][ACCELERATION];
    for (int own = OFFSET; own < ACCELERATION; own++)
        eliminate(products, own);
    return products[ACCELERATION][ACCELERATION] < sine_leaves * squares;
}

static void tell(struct friction_figure *figure, const char *reason)
{
    if (isfinite(figure->se))
        figure->reason = reason;
}

void friction_conclude_one_frequency(struct friction_rung *rung)
{
    const struct friction_row *row = &friction_rows[rung->row];
    struct friction_figure *spring = &rung->figure[FRICTION_K_X], *mass = &rung->figure[FRICTION_MOVED_MASS];
    if (rung->verdict != VERDICT_OK)
        return;
    if (friction_row_has(row, FRICTION_K_X) && friction_row_has(row, FRICTION_MOVED_MASS)) {
        *spring = *mass = friction_figure_without(neither);
        return;
    }
    tell(spring, spring_less_mass);
    tell(mass, mass_less_spring);
}
