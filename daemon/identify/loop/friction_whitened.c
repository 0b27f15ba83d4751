/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_whitened.h"

#include "identify/loop/friction_projection.h"

#include <math.h>

/* What a step of the unknowns that are free takes from the sum of squares. */
static double step_gain(const struct friction_fit *fit, const struct friction_projection *projection)
{
    bool moved[FRICTION_UNKNOWNS];
    double steps[FRICTION_UNKNOWNS] = {0}, longest = 0;
    struct small_cholesky factor;
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
        moved[c] = projection->moved[c] && !friction_is_held(fit, c);
    if (!cholesky_factorise(projection->matrix, FRICTION_UNKNOWNS, moved, 0, 0, &factor))
        return 0;
    const double gain = cholesky_solve(&factor, projection->right, steps);
    for (enum friction_column c = COLUMN_X_D; c < FRICTION_UNKNOWNS; c++)
        longest = fmax(longest, fabs(steps[c]));
    const double share = longest > FRICTION_LONGEST_STEP ? FRICTION_LONGEST_STEP / longest : 1;
    return share * (2 - share) * gain;
}

double friction_whitened(const struct friction_motion *motion, const struct friction_fit *fit,
                         const struct ar_model *noise)
{
    struct friction_normal normal;
    struct friction_projection projection;
    unsigned held, alike;
    if (noise->order == 0)
        return fit->squares / (double)motion->samples;
    friction_pass_whitened(motion, &fit->point, noise, &fit->normal, &normal);
    if (friction_is_held(fit, COLUMN_START))
        normal.sum[COLUMN_START][COLUMN_START] = 0;
    friction_project(&fit->point.row, &normal, &projection, &held, &alike);
    const double squares = projection.squares - step_gain(fit, &projection);
    const double rounding = FRICTION_ROUNDING * normal.sum[COLUMN_FORCE][COLUMN_FORCE];
    return fmax(squares, rounding) / (double)(motion->samples - motion->parts * noise->order);
}
