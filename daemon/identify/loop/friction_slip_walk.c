/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_slip_walk.h"

#include <math.h>
#include <string.h>

/* From where no element is stretched, all of the contact displaced by so much. */
static struct friction_slip displaced(double length, double start)
{
    const bool slipped = fabs(start) >= length;
    return (struct friction_slip){.stretched = slipped ? copysign(length, start) : start,
                                  .by_start = slipped ? 0 : 1,
                                  .by_length = slipped ? copysign(length, start) : 0};
}

/* From where every element slipped to that side, and then back by what the start is beyond FRICTION_SLIP_RETURNS. */
static struct friction_slip returned(double length, double start)
{
    const double slipped = copysign(length, start), back = start - copysign(FRICTION_SLIP_RETURNS, start);
    const bool slips_back = fabs(back) >= 2 * length;
    return (struct friction_slip){.stretched = slips_back ? -slipped : slipped - back,
                                  .by_start = slips_back ? 0 : -1,
                                  .by_length = slips_back ? -slipped : slipped};
}

void friction_slip_begin(struct friction_walk *walk)
{
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++) {
        const double length = walk->point->value[COLUMN_LENGTH + k];
        walk->element[k] =
            fabs(walk->start) > FRICTION_SLIP_RETURNS ? returned(length, walk->start) : displaced(length, walk->start);
    }
}

/* What a slipping element comes to along a piece of the block; it forgets what was before. */
static struct friction_slip slid(double length, double sense, const struct friction_levels *levels, size_t i)
{
    const double slip = copysign(length, sense);
    return (struct friction_slip){.stretched = slip * levels->level[i],
                                  .by_length = slip * levels->level[i],
                                  .by_ratio = slip * levels->by_ratio[i],
                                  .by_v_s = slip * levels->by_v_s[i],
                                  .by_exponent = slip * levels->by_exponent[i],
                                  .by_levels = slip * levels->by_levels[i],
                                  .sense = sense};
}

/* Of GMS a part of what it lacks is left for a while: exp(-t C/(F_C S)). */
static void come_to(struct friction_slip *element, const struct friction_slip *goal, double approach, double level)
{
    const double left = exp(-approach / level), lacks = (element->stretched - goal->stretched) * left;
    const double by_level = lacks * approach / (level * level), scale = level / goal->stretched;
    const struct friction_slip from = *element;
    element->stretched = goal->stretched + lacks;
    element->by_start = left * from.by_start;
    element->by_length = goal->by_length + left * (from.by_length - goal->by_length);
    element->by_ratio = goal->by_ratio * (1 + by_level * scale) + left * (from.by_ratio - goal->by_ratio);
    element->by_v_s = goal->by_v_s * (1 + by_level * scale) + left * (from.by_v_s - goal->by_v_s);
    element->by_exponent = goal->by_exponent * (1 + by_level * scale) + left * (from.by_exponent - goal->by_exponent);
    element->by_levels = goal->by_levels * (1 + by_level * scale) + left * (from.by_levels - goal->by_levels);
    element->by_rate = left * from.by_rate - lacks * approach / level;
}

/* A piece of the block: how it goes, and at what rate what slips comes to its level; 0: at once. */
struct slip_piece {
    double step, sense, approach;
    size_t at;
};

static struct slip_piece piece_of(const struct friction_walk *walk, size_t i)
{
    const struct friction_motion *motion = walk->motion;
    const double way = motion->way[walk->next + i], speed = motion->speed[walk->next + i];
    const double sense = motion->sense[walk->next + i] < 0 ? -1 : 1;
    const bool attracts = walk->point->row.terms & FRICTION_BIT(FRICTION_ATTRACTION);
    return (struct slip_piece){sense * way, sense,
                               attracts && speed > 0 ? walk->point->value[COLUMN_SHAPE] * way / speed : 0, i};
}

/* What follows at once has the level of the speed at the end of the piece, where there is a sample; what is on its way
 * to it, that of the mean. */
static void stretch(struct friction_slip *element, double length, const struct slip_piece *piece, bool attracts,
                    const struct friction_walk *walk)
{
    const bool sampled = walk->motion->weight[walk->next + piece->at] > 0;
    const struct friction_levels *end = sampled ? &walk->sample : &walk->piece;
    if (attracts && element->sense * piece->step > 0) {
        const struct friction_slip goal = slid(length, piece->sense, &walk->piece, piece->at);
        come_to(element, &goal, piece->approach, walk->piece.level[piece->at]);
        return;
    }
    element->stretched += piece->step;
    if (piece->step != 0)
        element->sense = 0;
    if (fabs(element->stretched) >= length * end->level[piece->at])
        *element = slid(length, element->stretched, end, piece->at);
}

/* The share of its slip force that an element holds, and what it changes the force by. */
static void hold(struct friction_walk *walk, size_t k, double length, size_t i)
{
    const struct friction_slip *element = &walk->element[k];
    const double stiffness = walk->point->value[COLUMN_ELEMENT + k] / length;
    walk->deflection[COLUMN_ELEMENT + k][i] = element->stretched / length;
    walk->deflection[COLUMN_LENGTH + k][i] = stiffness * (element->by_length - element->stretched);
    walk->deflection[COLUMN_START][i] += stiffness * element->by_start;
    walk->deflection[COLUMN_RATIO][i] += stiffness * element->by_ratio;
    walk->deflection[COLUMN_V_S][i] += stiffness * element->by_v_s;
    walk->deflection[COLUMN_EXPONENT][i] += stiffness * element->by_exponent;
    walk->deflection[COLUMN_LEVELS][i] += stiffness * element->by_levels;
    walk->deflection[COLUMN_SHAPE][i] += stiffness * element->by_rate;
}

void friction_slip_deflections(struct friction_walk *walk)
{
    const bool attracts = walk->point->row.terms & FRICTION_BIT(FRICTION_ATTRACTION);
    memset(walk->deflection, 0, sizeof walk->deflection);
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++) {
        const double length = walk->point->value[COLUMN_LENGTH + k];
        for (size_t i = 0; length > 0 && i < FRICTION_BLOCK; i++) {
            const struct slip_piece piece = piece_of(walk, i);
            stretch(&walk->element[k], length, &piece, attracts, walk);
            hold(walk, k, length, i);
        }
    }
}

static void column(struct friction_walk *walk, enum friction_column c)
{
    const double *weight = walk->motion->weight + walk->next;
    for (size_t i = 0; i < FRICTION_BLOCK; i++)
        walk->block.column[c][i] = weight[i] * walk->deflection[c][i];
}

void friction_slip_columns(struct friction_walk *walk)
{
    column(walk, COLUMN_START);
    column(walk, COLUMN_RATIO);
    column(walk, COLUMN_V_S);
    column(walk, COLUMN_EXPONENT);
    column(walk, COLUMN_LEVELS);
    column(walk, COLUMN_SHAPE);
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++)
        if (walk->point->value[COLUMN_LENGTH + k] > 0) {
            column(walk, COLUMN_ELEMENT + (enum friction_column)k);
            column(walk, COLUMN_LENGTH + (enum friction_column)k);
        }
}
