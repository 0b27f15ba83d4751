/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_gap_walk.h"

#include "identify/loop/friction_stop.h"

/* One of both stops: how far it can be pressed before the contact slips, and what the unknowns change that by. */
struct gap_side {
    double sign, length, length_by_ratio; /* D_+ or D_-, and by the logarithm of their ratio */
    double limit, by[FRICTION_UNKNOWNS];
};

/* Of the stops, what is the same for both. */
struct gap {
    double half_width, mean_length, hardening;
    struct gap_side side[2];
};

static bool hardens(const struct friction_point *point)
{
    return point->row.terms & FRICTION_BIT(FRICTION_HARDENING);
}

static double hardening_of(const struct friction_point *point)
{
    return hardens(point) ? point->value[COLUMN_EXPONENT] : 1;
}

static struct gap_side side_of(const struct friction_point *point, double sign)
{
    const double gap = point->value[COLUMN_SHAPE], ratio = point->value[COLUMN_SHAPE_2], x_d = point->value[COLUMN_X_D];
    const struct friction_stops stops = {gap / x_d, ratio, hardening_of(point)};
    const struct stop_limit limit = friction_stop_limit(&stops, sign);
    const double length = friction_stop_length(&stops, sign) * x_d, by_ratio = (sign > 0 ? 1 : -ratio) / (1 + ratio);
    return (struct gap_side){.sign = sign,
                             .length = length,
                             .length_by_ratio = length * by_ratio,
                             .limit = sign * x_d * limit.way,
                             .by = {[COLUMN_X_D] = sign * (x_d * limit.way - gap * limit.by_gap),
                                    [COLUMN_SHAPE] = sign * gap * limit.by_gap,
                                    [COLUMN_SHAPE_2] = sign * x_d * limit.by_ratio,
                                    [COLUMN_EXPONENT] = sign * x_d * limit.by_hardening}};
}

static struct gap gap_of(const struct friction_point *point)
{
    return (struct gap){.half_width = point->value[COLUMN_SHAPE] / 2,
                        .mean_length = point->value[COLUMN_X_D],
                        .hardening = hardening_of(point),
                        .side = {side_of(point, -1), side_of(point, 1)}};
}

static const struct gap_side *reached(const struct gap *gap, double displaced)
{
    if (displaced >= gap->side[1].limit)
        return &gap->side[1];
    return displaced <= gap->side[0].limit ? &gap->side[0] : NULL;
}

/* What one stop adds to the force, and to its derivatives. */
static void press(struct friction_walk *walk, const struct gap *gap, const struct gap_side *side, size_t i)
{
    const double beyond = side->sign * walk->state[COLUMN_F_C] - gap->half_width, way = beyond / side->length;
    const struct stop_force stop = friction_stop_force(way, gap->hardening);
    const double share = side->length / gap->mean_length, slope = side->sign * stop.by_way / gap->mean_length;
    if (!(stop.force > 0))
        return;
    walk->deflection[COLUMN_F_C][i] += side->sign * share * stop.force;
    for (enum friction_column c = COLUMN_START; c < FRICTION_UNKNOWNS; c++)
        walk->deflection[c][i] += slope * side->sign * walk->state[c];
    walk->deflection[COLUMN_SHAPE][i] -= slope * gap->half_width;
    walk->deflection[COLUMN_X_D][i] -= slope * beyond;
    walk->deflection[COLUMN_SHAPE_2][i] +=
        side->sign * (stop.force - way * stop.by_way) * side->length_by_ratio / gap->mean_length;
    if (hardens(walk->point))
        walk->deflection[COLUMN_EXPONENT][i] += side->sign * share * friction_stop_by_hardening(way, gap->hardening);
}

static void transmit(struct friction_walk *walk, const struct gap *gap, size_t i)
{
    walk->deflection[COLUMN_F_C][i] = 0;
    for (enum friction_column c = COLUMN_START; c < FRICTION_UNKNOWNS; c++)
        walk->deflection[c][i] = 0;
    press(walk, gap, &gap->side[0], i);
    press(walk, gap, &gap->side[1], i);
}

void friction_gap_deflections(struct friction_walk *walk)
{
    const struct friction_motion *motion = walk->motion;
    const struct gap gap = gap_of(walk->point);
    for (size_t i = 0; i < FRICTION_BLOCK; i++) {
        const size_t at = walk->next + i;
        walk->state[COLUMN_F_C] += motion->sense[at] < 0 ? -motion->way[at] : motion->way[at];
        const struct gap_side *slipping = reached(&gap, walk->state[COLUMN_F_C]);
        if (slipping) {
            walk->state[COLUMN_F_C] = slipping->limit;
            for (enum friction_column c = COLUMN_START; c < FRICTION_UNKNOWNS; c++)
                walk->state[c] = slipping->by[c];
        }
        transmit(walk, &gap, i);
    }
}

void friction_gap_columns(struct friction_walk *walk)
{
    static const enum friction_column own[] = {COLUMN_SHAPE, COLUMN_SHAPE_2, COLUMN_EXPONENT};
    const double f_c = walk->point->value[COLUMN_F_C];
    for (size_t k = 0; k < sizeof own / sizeof own[0]; k++)
        for (size_t i = 0; i < FRICTION_BLOCK; i++)
            walk->block.column[own[k]][i] = f_c * walk->motion->weight[walk->next + i] * walk->deflection[own[k]][i];
}
