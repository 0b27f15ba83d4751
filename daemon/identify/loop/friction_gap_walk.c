/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_gap_walk.h"

/* How far the contact can be displaced to either side, and what the unknowns change that by. */
struct gap_limit {
    double at, by[FRICTION_UNKNOWNS];
};

struct gap_limits {
    struct gap_limit low, high;
};

static struct gap_limits limits_of(const struct friction_point *point)
{
    const double length = point->value[COLUMN_X_D], half_gap = point->value[COLUMN_SHAPE] / 2;
    const double ratio = point->value[COLUMN_SHAPE_2];
    const double high = 2 * length * ratio / (1 + ratio), low = 2 * length - high, by_ratio = high / (1 + ratio);
    return (struct gap_limits){
        .low = {-low - half_gap, {[COLUMN_X_D] = -low, [COLUMN_SHAPE] = -half_gap, [COLUMN_SHAPE_2] = by_ratio}},
        .high = {high + half_gap, {[COLUMN_X_D] = high, [COLUMN_SHAPE] = half_gap, [COLUMN_SHAPE_2] = by_ratio}}};
}

static const struct gap_limit *reached(const struct gap_limits *limits, double displaced)
{
    if (displaced >= limits->high.at)
        return &limits->high;
    return displaced <= limits->low.at ? &limits->low : NULL;
}

/* Nothing is transmitted in the gap; outside of it the force is proportional to how far the contact is beyond. */
static void transmit(struct friction_walk *walk, size_t i)
{
    const double length = walk->point->value[COLUMN_X_D], half_gap = walk->point->value[COLUMN_SHAPE] / 2;
    const double displaced = walk->state[COLUMN_F_C], side = displaced < 0 ? -1 : 1;
    const double beyond = side * displaced > half_gap ? displaced - side * half_gap : 0;
    walk->deflection[COLUMN_F_C][i] = beyond / length;
    for (enum friction_column c = COLUMN_START; c < FRICTION_UNKNOWNS; c++)
        walk->deflection[c][i] = beyond * side > 0 ? walk->state[c] / length : 0;
    if (beyond * side > 0)
        walk->deflection[COLUMN_SHAPE][i] -= side * half_gap / length;
    walk->deflection[COLUMN_X_D][i] -= beyond / length;
}

void friction_gap_deflections(struct friction_walk *walk)
{
    const struct friction_motion *motion = walk->motion;
    const struct gap_limits limits = limits_of(walk->point);
    for (size_t i = 0; i < FRICTION_BLOCK; i++) {
        const size_t at = walk->next + i;
        walk->state[COLUMN_F_C] += motion->sense[at] < 0 ? -motion->way[at] : motion->way[at];
        const struct gap_limit *limit = reached(&limits, walk->state[COLUMN_F_C]);
        if (limit) {
            walk->state[COLUMN_F_C] = limit->at;
            for (enum friction_column c = COLUMN_START; c < FRICTION_UNKNOWNS; c++)
                walk->state[c] = limit->by[c];
        }
        transmit(walk, i);
    }
}

void friction_gap_columns(struct friction_walk *walk)
{
    static const enum friction_column own[] = {COLUMN_SHAPE, COLUMN_SHAPE_2};
    const double f_c = walk->point->value[COLUMN_F_C];
    for (size_t k = 0; k < sizeof own / sizeof own[0]; k++)
        for (size_t i = 0; i < FRICTION_BLOCK; i++)
            walk->block.column[own[k]][i] = f_c * walk->motion->weight[walk->next + i] * walk->deflection[own[k]][i];
}
