/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_slip_walk.h"

#include "identify/loop/friction_onset.h"

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

/* The level at the end of a piece, and what it changes by. */
struct slip_level {
    double level, by_dip[SLIP_BY_DIP];
};

/* The pieces of a block: how they go, the level of the mean speed and that at the end, and of GMS what an element that
 * slips keeps of what its level lacks, exp(-approach) with approach = t C/(F_C S). */
struct slip_pieces {
    double step[FRICTION_BLOCK], approach[FRICTION_BLOCK], kept[FRICTION_BLOCK];
    struct slip_level mean[FRICTION_BLOCK], end[FRICTION_BLOCK];
    bool attracts;
};

static struct slip_level level_of(const struct friction_levels *levels, size_t i)
{
    return (struct slip_level){
        levels->level[i],
        {levels->by_ratio[i], levels->by_v_s[i], levels->by_exponent[i], levels->by_levels[i]},
    };
}

static void find_steps(const struct friction_walk *walk, struct slip_pieces *pieces)
{
    const struct friction_motion *motion = walk->motion;
    for (size_t i = 0; i < FRICTION_BLOCK; i++)
        pieces->step[i] =
            motion->sense[walk->next + i] < 0 ? -motion->way[walk->next + i] : motion->way[walk->next + i];
}

/* What follows at once has the level of the speed at the end of the piece; what is on its way to it, that of the mean.
 */
static void find_levels(const struct friction_walk *walk, struct slip_pieces *pieces)
{
    for (size_t i = 0; i < FRICTION_BLOCK; i++) {
        pieces->mean[i] = level_of(&walk->piece, i);
        pieces->end[i] = level_of(&walk->sample, i);
    }
}

static void find_approaches(const struct friction_walk *walk, struct slip_pieces *pieces)
{
    const struct friction_motion *motion = walk->motion;
    const double rate = walk->point->value[COLUMN_SHAPE];
    for (size_t i = 0; i < FRICTION_BLOCK; i++) {
        const double way = motion->way[walk->next + i], speed = motion->speed[walk->next + i];
        pieces->approach[i] = speed > 0 ? rate * way / speed / walk->piece.level[i] : 0;
        pieces->kept[i] = exp(-pieces->approach[i]);
    }
}

/* What slips at once forgets what was before. */
static void slip(struct friction_slip *element, double length, double sense, const struct slip_level *to)
{
    const double slipped = copysign(length, sense);
    *element =
        (struct friction_slip){.stretched = slipped * to->level, .by_length = slipped * to->level, .sense = sense};
    for (size_t d = 0; d < SLIP_BY_DIP; d++)
        element->by_dip[d] = slipped * to->by_dip[d];
}

/* What slips, of GMS, comes nearer to its level. */
static void come_to(struct friction_slip *element, double length, const struct slip_pieces *pieces, size_t i)
{
    const struct slip_level *to = &pieces->mean[i];
    const double slipped = copysign(length, pieces->step[i]), goal = slipped * to->level, left = pieces->kept[i];
    const double lacks = (element->stretched - goal) * left, by_rate = lacks * pieces->approach[i];
    const double of_goal = slipped * (1 + by_rate / goal);
    element->stretched = goal + lacks;
    element->by_start *= left;
    element->by_length = goal + left * (element->by_length - goal);
    element->by_rate = left * element->by_rate - by_rate;
    for (size_t d = 0; d < SLIP_BY_DIP; d++)
        element->by_dip[d] = of_goal * to->by_dip[d] + left * (element->by_dip[d] - slipped * to->by_dip[d]);
}

/* What begins to slip, of GMS, within the piece. */
static void begin_to_slip(const struct friction_loading *piece, double slipped, const struct slip_pieces *pieces,
                          size_t i, struct friction_slip *element)
{
    const struct slip_level *mean = &pieces->mean[i], *end = &pieces->end[i];
    const double rises = friction_onset_rises(piece);
    const struct friction_onset onset = friction_onset_of(piece);
    const double gone = onset.kept * onset.approach, left = onset.left;
    /* By what is left of the piece, as far as the place depends on what was before. */
    const double by_left = rises * (gone * (1 + left * rises / onset.level) - 1 - onset.kept);
    const double by_before = by_left / onset.gains;
    const double at_onset = end->level - 2 * left * rises;
    element->stretched = slipped * onset.reached;
    element->by_start *= by_before;
    element->by_length = element->stretched - by_before * (slipped * at_onset - element->by_length);
    element->by_rate = slipped * left * rises * gone + by_before * element->by_rate;
    for (size_t d = 0; d < SLIP_BY_DIP; d++) {
        const double by_end = end->by_dip[d], by_rise = by_end - mean->by_dip[d];
        const double by_level = by_end - left * by_rise;
        const double reached = by_level - left * (by_rise * onset.kept + rises * gone * by_level / onset.level);
        element->by_dip[d] =
            slipped * reached - by_before * (slipped * (by_end - 2 * left * by_rise) - element->by_dip[d]);
    }
}

/* Of GMS what is unloaded stays a spring; see friction_model.c. */
static void attract(struct friction_slip *element, double length, const struct slip_pieces *pieces, size_t i)
{
    const double step = pieces->step[i], slipped = copysign(length, step);
    const struct friction_loading piece = {element->stretched / slipped, step / slipped, pieces->mean[i].level,
                                           pieces->end[i].level, pieces->approach[i] * pieces->mean[i].level};
    const bool slips = piece.before + piece.step >= piece.end, slipped_before = element->sense * step > 0;
    if (step == 0)
        return;
    element->sense = slips || slipped_before ? step : 0;
    if (slipped_before || (slips && friction_slips_from_first(&piece)))
        come_to(element, length, pieces, i);
    else if (slips)
        begin_to_slip(&piece, slipped, pieces, i, element);
    else
        element->stretched += step;
}

static void stretch(struct friction_slip *element, double length, const struct slip_pieces *pieces, size_t i)
{
    if (pieces->attracts) {
        attract(element, length, pieces, i);
        return;
    }
    element->stretched += pieces->step[i];
    if (fabs(element->stretched) >= length * pieces->end[i].level)
        slip(element, length, element->stretched, &pieces->end[i]);
}

/* What all elements together change the force by, at the end of each piece. */
struct slip_sums {
    double by_dip[FRICTION_BLOCK][SLIP_BY_DIP];
};

/* The share of its slip force that an element holds, and what it changes the force by. */
static void follow(struct friction_walk *walk, size_t k, const struct slip_pieces *pieces, struct slip_sums *sums)
{
    const double length = walk->point->value[COLUMN_LENGTH + k], per_length = 1 / length;
    const double stiffness = walk->point->value[COLUMN_ELEMENT + k] * per_length;
    struct friction_slip element = walk->element[k];
    for (size_t i = 0; i < FRICTION_BLOCK; i++) {
        stretch(&element, length, pieces, i);
        walk->deflection[COLUMN_ELEMENT + k][i] = element.stretched * per_length;
        walk->deflection[COLUMN_LENGTH + k][i] = stiffness * (element.by_length - element.stretched);
        walk->deflection[COLUMN_START][i] += stiffness * element.by_start;
        walk->deflection[COLUMN_SHAPE][i] += stiffness * element.by_rate;
        for (size_t d = 0; d < SLIP_BY_DIP; d++)
            sums->by_dip[i][d] += stiffness * element.by_dip[d];
    }
    walk->element[k] = element;
}

static void follow_elements(struct friction_walk *walk, struct slip_pieces *pieces)
{
    struct slip_sums sums = {0};
    find_levels(walk, pieces);
    pieces->attracts = walk->point->row.terms & FRICTION_BIT(FRICTION_ATTRACTION);
    if (pieces->attracts)
        find_approaches(walk, pieces);
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++)
        if (walk->point->value[COLUMN_LENGTH + k] > 0)
            follow(walk, k, pieces, &sums);
    for (size_t i = 0; i < FRICTION_BLOCK; i++) {
        walk->deflection[COLUMN_RATIO][i] = sums.by_dip[i][SLIP_BY_RATIO];
        walk->deflection[COLUMN_V_S][i] = sums.by_dip[i][SLIP_BY_V_S];
        walk->deflection[COLUMN_EXPONENT][i] = sums.by_dip[i][SLIP_BY_EXPONENT];
        walk->deflection[COLUMN_LEVELS][i] = sums.by_dip[i][SLIP_BY_LEVELS];
    }
}

/* An element whose level is the same at all speeds. */
static void follow_steady(struct friction_walk *walk, size_t k, const struct slip_pieces *pieces)
{
    const double length = walk->point->value[COLUMN_LENGTH + k], per_length = 1 / length;
    const double stiffness = walk->point->value[COLUMN_ELEMENT + k] * per_length;
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

void friction_slip_deflections(struct friction_walk *walk)
{
    static const unsigned of_speed =
        FRICTION_BIT(FRICTION_STRIBECK) | FRICTION_BIT(FRICTION_LEVELS) | FRICTION_BIT(FRICTION_ATTRACTION);
    struct slip_pieces pieces;
    find_steps(walk, &pieces);
    memset(walk->deflection[COLUMN_F_C], 0, sizeof walk->deflection[COLUMN_F_C]);
    memset(walk->deflection[COLUMN_START], 0, (COLUMN_LENGTH - COLUMN_START) * sizeof walk->deflection[COLUMN_START]);
    if (walk->point->row.terms & of_speed) {
        follow_elements(walk, &pieces);
        return;
    }
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++)
        if (walk->point->value[COLUMN_LENGTH + k] > 0)
            follow_steady(walk, k, &pieces);
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
