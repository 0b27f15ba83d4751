/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_slip_walk.h"

#include <math.h>
#include <string.h>

void friction_slip_begin(struct friction_walk *walk)
{
    const double start = walk->start;
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++) {
        const double length = walk->point->value[COLUMN_LENGTH + k];
        const bool slipped = fabs(start) >= length;
        walk->element[k] = (struct friction_slip){.stretched = slipped ? copysign(length, start) : start,
                                                  .by_start = slipped ? 0 : 1,
                                                  .by_length = slipped ? copysign(length, start) : 0};
    }
}

/* Along a piece of the block; a slipping element forgets what was before. */
static void stretch(struct friction_slip *element, double length, double step, const struct friction_levels *levels,
                    size_t i)
{
    const double slip = copysign(length, step);
    element->stretched += step;
    if (fabs(element->stretched) < length * levels->level[i])
        return;
    *element = (struct friction_slip){.stretched = slip * levels->level[i],
                                      .by_length = slip * levels->level[i],
                                      .by_ratio = slip * levels->by_ratio[i],
                                      .by_v_s = slip * levels->by_v_s[i],
                                      .by_exponent = slip * levels->by_exponent[i],
                                      .by_levels = slip * levels->by_levels[i]};
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
}

void friction_slip_deflections(struct friction_walk *walk)
{
    const struct friction_motion *motion = walk->motion;
    memset(walk->deflection, 0, sizeof walk->deflection);
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++) {
        const double length = walk->point->value[COLUMN_LENGTH + k];
        for (size_t i = 0; length > 0 && i < FRICTION_BLOCK; i++) {
            const double way = motion->way[walk->next + i];
            stretch(&walk->element[k], length, motion->sense[walk->next + i] < 0 ? -way : way, &walk->piece, i);
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
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++)
        if (walk->point->value[COLUMN_LENGTH + k] > 0) {
            column(walk, COLUMN_ELEMENT + (enum friction_column)k);
            column(walk, COLUMN_LENGTH + (enum friction_column)k);
        }
}
