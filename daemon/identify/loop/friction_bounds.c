/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_bounds.h"

#include "identify/loop/friction_shape.h"
#include "identify/loop/friction_stop.h"

#include <math.h>
#include <stdbool.h>

static struct friction_bounds shape_bounds(const struct friction_motion *motion, enum friction_shape shape,
                                           enum friction_column column)
{
    const bool first = column == COLUMN_SHAPE;
    switch (shape) {
    case FRICTION_MAXWELL: /* what slips hardly comes nearer to its level while the motion goes across; it is there
                            * within half a sample */
        return (struct friction_bounds){0.1, 2 / motion->usual_step};
    case FRICTION_ELASTOPLASTIC: /* z_ba is between 0 and x_d */
        return (struct friction_bounds){0.02, 0.98};
    case FRICTION_BACKLASH: /* a gap that no step tells from none, or that the stroke does not cross; where one side
                             * slips at 0.4 of the other's force, the gap stands for a bend at the end of a loop */
        return first ? (struct friction_bounds){motion->usual_step / 50, 2} : (struct friction_bounds){0.4, 2.5};
    default: /* below the least the bend of Bouc and Wen's force at 0 is too sharp for the steps of the walk, and beyond
              * the other it has a corner; a smaller share hardly follows behind a reversal */
        return first ? (struct friction_bounds){FRICTION_LEAST_SHARPNESS, FRICTION_MOST_SHARPNESS}
                     : (struct friction_bounds){0.05, 5};
    }
}

struct friction_bounds friction_bounds_of(const struct friction_motion *motion, const struct friction_row *row,
                                          enum friction_column column)
{
    if (friction_is_slip_length(column)) /* an element slips in every sample; never within the stroke */
        return (struct friction_bounds){motion->usual_step / 50, 1};
    switch (column) {
    case COLUMN_X_D: /* force would follow at once, in the smallest steps too; the contact would be a spring */
        return (struct friction_bounds){motion->smallest_step / 10, 40};
    case COLUMN_RATIO:
        return (struct friction_bounds){1e-4, 100};
    case COLUMN_V_S: /* nothing as slow, or as fast, was seen */
        return (struct friction_bounds){motion->slowest / 10, 10 * motion->fastest};
    case COLUMN_EXPONENT: /* of a spike, and of a step; of stops, a spring and nearly an exponential */
        return row->shape == FRICTION_BACKLASH ? (struct friction_bounds){1, FRICTION_MOST_HARDENING}
                                               : (struct friction_bounds){0.5, 4};
    case COLUMN_LEVELS: /* one direction has hardly any friction */
        return (struct friction_bounds){0.05, 20};
    case COLUMN_SHAPE:
    case COLUMN_SHAPE_2:
        return shape_bounds(motion, row->shape, column);
    default:
        return (struct friction_bounds){0, INFINITY};
    }
}
