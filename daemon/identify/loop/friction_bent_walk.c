/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_bent_walk.h"

#include <math.h>

static struct shape_parameters parameters_of(const struct friction_point *point)
{
    const double first = point->value[COLUMN_SHAPE];
    return (struct shape_parameters){.z_ba = first, .n_bw = first, .beta_bw = point->value[COLUMN_SHAPE_2]};
}

/* Each derivative goes on from the one before the piece, and has what the piece adds. */
static void follow_derivatives(struct friction_walk *walk, size_t i, double sense, const struct bent_way *piece)
{
    const struct friction_levels *levels = &walk->piece;
    const double added[FRICTION_UNKNOWNS] = {
        [COLUMN_X_D] = piece->by_x_d,
        [COLUMN_RATIO] = piece->by_level * levels->by_ratio[i],
        [COLUMN_V_S] = piece->by_level * levels->by_v_s[i],
        [COLUMN_EXPONENT] = piece->by_level * levels->by_exponent[i],
        [COLUMN_SHAPE] = piece->by_shape[0],
        [COLUMN_SHAPE_2] = piece->by_shape[1],
        [COLUMN_LEVELS] = piece->by_level * levels->by_levels[i],
    };
    const enum friction_column end = walk->slopes ? FRICTION_UNKNOWNS : COLUMN_START + 1;
    for (enum friction_column c = COLUMN_START; c < end; c++) {
        walk->state[c] = piece->by_y * walk->state[c] + sense * added[c];
        walk->deflection[c][i] = walk->state[c];
    }
}

void friction_bent_deflections(struct friction_walk *walk)
{
    const struct friction_motion *motion = walk->motion;
    const struct friction_point *point = walk->point;
    const struct shape_parameters parameters = parameters_of(point);
    for (size_t i = 0; i < FRICTION_BLOCK; i++) {
        const size_t at = walk->next + i;
        const double sense = motion->sense[at] < 0 ? -1 : 1, way = motion->way[at] / point->value[COLUMN_X_D];
        const struct bent_way piece =
            friction_advance_bent(point->row.shape, &parameters, sense * walk->state[COLUMN_F_C], way,
                                  walk->piece.level[i], motion->bent_step, walk->slopes);
        walk->state[COLUMN_F_C] = sense * piece.y;
        walk->deflection[COLUMN_F_C][i] = walk->state[COLUMN_F_C];
        follow_derivatives(walk, i, sense, &piece);
    }
}

/* F_C zeta + sigma_1 v slope by all that bends it. */
void friction_bent_columns(struct friction_walk *walk)
{
    const struct friction_point *point = walk->point;
    const struct shape_parameters parameters = parameters_of(point);
    const double *value = point->value, sigma_1 = value[COLUMN_SIGMA_1];
    double(*column)[FRICTION_BLOCK] = walk->block.column;
    const enum friction_column end = walk->slopes ? FRICTION_UNKNOWNS : COLUMN_START + 1;
    /* To the end of the block: behind its samples the weight is 0, and products are summed by whole vectors. */
    for (size_t i = 0; i < FRICTION_BLOCK; i++) {
        const double weight = walk->motion->weight[walk->next + i], v = walk->motion->velocity[walk->next + i] * weight;
        const double sense = v < 0 ? -1 : 1;
        const struct friction_bend bend = friction_bend_at(
            point->row.shape, &parameters, sense * walk->deflection[COLUMN_F_C][i], walk->sample.level[i]);
        const double x = walk->motion->displacement[walk->next + i];
        const double f_c = value[COLUMN_F_C] + x * (value[COLUMN_PATH] + x * value[COLUMN_PATH_2]);
        const double factor = f_c * weight + sigma_1 * v * bend.by_y * sense, damping = sigma_1 * v;
        const double own[FRICTION_UNKNOWNS] = {
            [COLUMN_RATIO] = damping * bend.by_level * walk->sample.by_ratio[i],
            [COLUMN_V_S] = damping * bend.by_level * walk->sample.by_v_s[i],
            [COLUMN_EXPONENT] = damping * bend.by_level * walk->sample.by_exponent[i],
            [COLUMN_SHAPE] = damping * bend.by_shape[0],
            [COLUMN_SHAPE_2] = damping * bend.by_shape[1],
            [COLUMN_LEVELS] = damping * bend.by_level * walk->sample.by_levels[i],
        };
        column[COLUMN_SIGMA_1][i] = v * bend.slope;
        for (enum friction_column c = COLUMN_START; c < end; c++)
            column[c][i] = factor * walk->deflection[c][i] + own[c];
    }
}
