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

/* The pieces of a block: how they go, and of GMS what an element that slips keeps of what its level lacks,
 * exp(-approach) with approach = t C/(F_C S). */
struct slip_pieces {
    double step[FRICTION_BLOCK], sense[FRICTION_BLOCK], approach[FRICTION_BLOCK], kept[FRICTION_BLOCK];
};

static void steps_of(const struct friction_walk *walk, struct slip_pieces *pieces)
{
    const struct friction_motion *motion = walk->motion;
    for (size_t i = 0; i < FRICTION_BLOCK; i++) {
        pieces->sense[i] = motion->sense[walk->next + i] < 0 ? -1 : 1;
        pieces->step[i] = pieces->sense[i] * motion->way[walk->next + i];
    }
}

static void approaches_of(const struct friction_walk *walk, struct slip_pieces *pieces)
{
    const struct friction_motion *motion = walk->motion;
    const double rate = walk->point->value[COLUMN_SHAPE];
    for (size_t i = 0; i < FRICTION_BLOCK; i++) {
        const double way = motion->way[walk->next + i], speed = motion->speed[walk->next + i];
        pieces->approach[i] = speed > 0 ? rate * way / speed / walk->piece.level[i] : 0;
        pieces->kept[i] = exp(-pieces->approach[i]);
    }
}

/* What slips comes nearer to its level. */
static void come_to(struct friction_slip *element, const struct friction_slip *goal, const struct slip_pieces *pieces,
                    size_t i)
{
    const double left = pieces->kept[i], lacks = (element->stretched - goal->stretched) * left;
    const double by_rate = lacks * pieces->approach[i], by_level = by_rate / goal->stretched;
    const struct friction_slip from = *element;
    element->stretched = goal->stretched + lacks;
    element->by_start = left * from.by_start;
    element->by_length = goal->by_length + left * (from.by_length - goal->by_length);
    element->by_ratio = goal->by_ratio * (1 + by_level) + left * (from.by_ratio - goal->by_ratio);
    element->by_v_s = goal->by_v_s * (1 + by_level) + left * (from.by_v_s - goal->by_v_s);
    element->by_exponent = goal->by_exponent * (1 + by_level) + left * (from.by_exponent - goal->by_exponent);
    element->by_levels = goal->by_levels * (1 + by_level) + left * (from.by_levels - goal->by_levels);
    element->by_rate = left * from.by_rate - by_rate;
}

/* What follows at once has the level of the speed at the end of the piece, where there is a sample; what is on its way
 * to it, that of the mean. */
static void stretch(struct friction_slip *element, double length, const struct slip_pieces *pieces, size_t i,
                    bool attracts, const struct friction_walk *walk)
{
    const bool sampled = walk->motion->weight[walk->next + i] > 0;
    const struct friction_levels *end = sampled ? &walk->sample : &walk->piece;
    const double step = pieces->step[i];
    if (attracts && element->sense * step > 0) {
        const struct friction_slip goal = slid(length, pieces->sense[i], &walk->piece, i);
        come_to(element, &goal, pieces, i);
        return;
    }
    element->stretched += step;
    if (step != 0)
        element->sense = 0;
    if (fabs(element->stretched) >= length * end->level[i])
        *element = slid(length, element->stretched, end, i);
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

/* An element whose level is the same at all speeds. */
static void follow_steady(struct friction_walk *walk, size_t k, double length, const struct slip_pieces *pieces)
{
    const double stiffness = walk->point->value[COLUMN_ELEMENT + k] / length, per_length = 1 / length;
    struct friction_slip at = walk->element[k];
    for (size_t i = 0; i < FRICTION_BLOCK; i++) {
        at.stretched += pieces->step[i];
        const bool slips = fabs(at.stretched) >= length;
        at.stretched = slips ? copysign(length, at.stretched) : at.stretched;
        at.by_start = slips ? 0 : at.by_start;
        at.by_length = slips ? at.stretched : at.by_length;
        walk->deflection[COLUMN_ELEMENT + k][i] = at.stretched * per_length;
        walk->deflection[COLUMN_LENGTH + k][i] = stiffness * (at.by_length - at.stretched);
        walk->deflection[COLUMN_START][i] += stiffness * at.by_start;
    }
    walk->element[k] = at;
}

static void follow(struct friction_walk *walk, size_t k, double length, const struct slip_pieces *pieces)
{
    const bool attracts = walk->point->row.terms & FRICTION_BIT(FRICTION_ATTRACTION);
    for (size_t i = 0; i < FRICTION_BLOCK; i++) {
        stretch(&walk->element[k], length, pieces, i, attracts, walk);
        hold(walk, k, length, i);
    }
}

void friction_slip_deflections(struct friction_walk *walk)
{
    static const unsigned speed =
        FRICTION_BIT(FRICTION_STRIBECK) | FRICTION_BIT(FRICTION_LEVELS) | FRICTION_BIT(FRICTION_ATTRACTION);
    const unsigned terms = walk->point->row.terms;
    struct slip_pieces pieces;
    steps_of(walk, &pieces);
    if (terms & FRICTION_BIT(FRICTION_ATTRACTION))
        approaches_of(walk, &pieces);
    memset(walk->deflection[COLUMN_F_C], 0, sizeof walk->deflection[COLUMN_F_C]);
    memset(walk->deflection[COLUMN_START], 0, (COLUMN_LENGTH - COLUMN_START) * sizeof walk->deflection[COLUMN_START]);
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++) {
        const double length = walk->point->value[COLUMN_LENGTH + k];
        if (length > 0 && terms & speed)
            follow(walk, k, length, &pieces);
        else if (length > 0)
            follow_steady(walk, k, length, &pieces);
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
