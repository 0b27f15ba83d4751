/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_pass.h"

#include "identify/loop/friction_bent_walk.h"
#include "identify/loop/friction_gap_walk.h"
#include "identify/loop/friction_pass_loops.h"
#include "identify/loop/friction_slip_walk.h"

#include <math.h>
#include <string.h>

bool friction_column_used(const struct friction_row *row, enum friction_column column)
{
    if (friction_is_slip_force(column) || friction_is_slip_length(column))
        return row->shape == FRICTION_MAXWELL;
    switch (column) {
    case COLUMN_F_C:
        return row->shape != FRICTION_MAXWELL && row->shape != FRICTION_NONE;
    case COLUMN_SIGMA_1:
        return row->terms & FRICTION_BIT(FRICTION_BRISTLE);
    case COLUMN_SIGMA_2:
        return row->terms & FRICTION_BIT(FRICTION_VISCOUS);
    case COLUMN_K_X:
        return row->terms & FRICTION_BIT(FRICTION_SPRING);
    case COLUMN_PATH:
    case COLUMN_PATH_2:
        return row->terms & FRICTION_BIT(FRICTION_PATH);
    case COLUMN_MASS:
        return row->terms & FRICTION_BIT(FRICTION_MASS);
    case COLUMN_LEVELS:
        return row->terms & FRICTION_BIT(FRICTION_LEVELS);
    case COLUMN_START:
        return !friction_shape_is_rigid(row->shape);
    case COLUMN_X_D:
        return !friction_shape_is_rigid(row->shape) && row->shape != FRICTION_MAXWELL;
    case COLUMN_RATIO:
    case COLUMN_V_S:
        return row->terms & FRICTION_BIT(FRICTION_STRIBECK);
    case COLUMN_EXPONENT:
        return row->terms & (FRICTION_BIT(FRICTION_FREE_EXPONENT) | FRICTION_BIT(FRICTION_HARDENING));
    case COLUMN_SHAPE:
        return row->shape == FRICTION_MAXWELL ? row->terms & FRICTION_BIT(FRICTION_ATTRACTION)
                                              : !friction_shape_is_closed(row->shape);
    case COLUMN_SHAPE_2:
        return row->shape == FRICTION_BOUC_WEN || row->shape == FRICTION_BACKLASH;
    default:
        return true;
    }
}

double friction_dip(const struct friction_point *point, double speed)
{
    const double *value = point->value;
    return friction_column_used(&point->row, COLUMN_RATIO)
               ? value[COLUMN_RATIO] * exp(-pow(speed / value[COLUMN_V_S], value[COLUMN_EXPONENT]))
               : 0;
}

/* Friction that follows at once. */
static void rigid(struct friction_walk *walk)
{
    const double *velocity = walk->motion->velocity + walk->next;
    for (size_t i = 0; i < FRICTION_BLOCK; i++) {
        const double sense = velocity[i] < 0 ? -1 : velocity[i] > 0;
        walk->deflection[COLUMN_F_C][i] = sense * walk->sample.level[i];
        walk->deflection[COLUMN_RATIO][i] = sense * walk->sample.by_ratio[i];
        walk->deflection[COLUMN_V_S][i] = sense * walk->sample.by_v_s[i];
        walk->deflection[COLUMN_EXPONENT][i] = sense * walk->sample.by_exponent[i];
        walk->deflection[COLUMN_LEVELS][i] = sense * walk->sample.by_levels[i];
        walk->deflection[COLUMN_START][i] = walk->deflection[COLUMN_X_D][i] = 0;
    }
}

/* The walks of shapes that the loops have no closed form of. */
static const struct own_walk {
    void (*deflections)(struct friction_walk *walk);
    void (*columns)(struct friction_walk *walk);
    void (*begin)(struct friction_walk *walk); /* NULL: the deflection is all that there is of a state */
} own_walks[FRICTION_SHAPES] = {
    [FRICTION_ELASTOPLASTIC] = {friction_bent_deflections, friction_bent_columns, NULL},
    [FRICTION_BOUC_WEN] = {friction_bent_deflections, friction_bent_columns, NULL},
    [FRICTION_BACKLASH] = {friction_gap_deflections, friction_gap_columns, NULL},
    [FRICTION_MAXWELL] = {friction_slip_deflections, friction_slip_columns, friction_slip_begin},
};

/* The next block of the walk; false behind the last, or where the walk is not wanted any more. */
static bool next_block(struct friction_walk *walk, const struct friction_pass_loops *loops)
{
    const struct own_walk *own = &own_walks[walk->point->row.shape];
    const struct friction_motion *motion = walk->motion;
    double speed[FRICTION_BLOCK], sense[FRICTION_BLOCK];
    if (walk->next >= walk->end || friction_motion_is_cancelled(motion))
        return false;
    const size_t left = walk->end - walk->next;
    walk->block.count = left < FRICTION_BLOCK ? left : FRICTION_BLOCK;
    for (size_t i = 0; i < FRICTION_BLOCK; i++) {
        speed[i] = fabs(motion->velocity[walk->next + i]);
        /* Where the motion turns back at the end of a piece, the sign of the zero there tells its sense. */
        sense[i] = copysign(1, motion->velocity[walk->next + i]);
    }
    loops->levels(walk->point, speed, sense, &walk->sample);
    if (friction_shape_is_rigid(walk->point->row.shape)) {
        rigid(walk);
    } else {
        loops->levels(walk->point, motion->speed + walk->next, motion->sense + walk->next, &walk->piece);
        if (own->deflections)
            own->deflections(walk);
        else
            loops->exponential(walk);
    }
    loops->columns(walk);
    if (own->columns)
        own->columns(walk);
    walk->next += FRICTION_BLOCK;
    return true;
}

static void begin(const struct friction_motion *motion, const struct friction_point *point, bool slopes, size_t part,
                  struct friction_walk *walk)
{
    walk->slopes = slopes;
    walk->motion = motion;
    walk->point = point;
    walk->part = part;
    walk->next = motion->part[part];
    walk->end = motion->part[part + 1];
    walk->start = part == 0 ? point->value[COLUMN_START] : point->own[part].start;
    memset(walk->state, 0, sizeof walk->state);
    walk->state[COLUMN_F_C] = walk->start;
    walk->state[COLUMN_START] = 1;
    if (own_walks[point->row.shape].begin)
        own_walks[point->row.shape].begin(walk);
}

/* Whether an unknown belongs to an element that is absent. */
static bool is_absent(const struct friction_point *point, enum friction_column column)
{
    if (friction_is_slip_force(column))
        column += COLUMN_LENGTH - COLUMN_ELEMENT;
    return friction_is_slip_length(column) && !(point->value[column] > 0);
}

static size_t columns_used(const struct friction_point *point, bool slopes, enum friction_column used[FRICTION_COLUMNS])
{
    size_t count = 0;
    for (enum friction_column c = 0; c < FRICTION_COLUMNS; c++)
        if (friction_column_used(&point->row, c) && !is_absent(point, c) &&
            (slopes || c <= COLUMN_START || c == COLUMN_FORCE))
            used[count++] = c;
    return count;
}

/* An unknown of which less than this share of its column is its own is not told apart. */
static const double least_own = 1e-9;

/* Takes an unknown out of the normal equations: what the others have of it is taken from them. The sum of squares of
 * its column; 0: it is not told apart. */
static double eliminate(struct friction_normal *normal, enum friction_column own, double before, double *share)
{
    double row[FRICTION_COLUMNS];
    const double squares = normal->sum[own][own];
    const bool told = squares > least_own * before;
    for (enum friction_column c = 0; c < FRICTION_COLUMNS; c++) {
        row[c] = c > own ? normal->sum[c][own] : normal->sum[own][c];
        share[c] = told ? row[c] / squares : 0;
        normal->sum[c > own ? c : own][c > own ? own : c] = 0;
    }
    for (enum friction_column a = 0; a < FRICTION_COLUMNS; a++)
        for (enum friction_column b = 0; b <= a; b++)
            if (a != own && b != own)
                normal->sum[a][b] -= share[a] * row[b];
    share[own] = 0;
    return told ? squares : 0;
}

/* A part behind the first, whose own unknowns are eliminated. */
static void add_part(struct friction_normal *part, size_t p, struct friction_normal *normal)
{
    const double start = part->sum[COLUMN_START][COLUMN_START];
    struct friction_own_share *share = &normal->share[p];
    share->offset_squares = eliminate(part, COLUMN_F_0, part->sum[COLUMN_F_0][COLUMN_F_0], share->of_offset);
    share->start_squares = eliminate(part, COLUMN_START, start, share->of_start);
    for (enum friction_column a = 0; a < FRICTION_COLUMNS; a++)
        for (enum friction_column b = 0; b <= a; b++)
            normal->sum[a][b] += part->sum[a][b];
}

void friction_pass(const struct friction_motion *motion, const struct friction_point *point, bool slopes,
                   struct friction_normal *normal)
{
    const struct friction_pass_loops *loops = friction_pass_loops_of(lanes_widest());
    struct friction_walk walk;
    enum friction_column used[FRICTION_COLUMNS];
    const size_t count = columns_used(point, slopes, used);
    memset(normal, 0, sizeof *normal);
    for (size_t p = 0; p < motion->parts; p++) {
        struct friction_normal part;
        if (p > 0)
            memset(&part, 0, sizeof part);
        begin(motion, point, slopes, p, &walk);
        while (next_block(&walk, loops))
            loops->products(&walk.block, used, count, p > 0 ? &part : normal);
        if (p > 0)
            add_part(&part, p, normal);
    }
}

/* The last rows of the columns that are used: coloured, or as they were before they are whitened. */
enum { KEPT = 32 };
struct filtering {
    const struct ar_model *noise;
    bool whitens;
    size_t count;
    double last[KEPT][FRICTION_COLUMNS];
};

/* What the filter foretells of the next row from those before it. */
static double foretold(const struct filtering *filtering, size_t c)
{
    const struct ar_model *noise = filtering->noise;
    double sum = 0;
    for (size_t k = 0; k < noise->order && k < filtering->count; k++)
        sum += noise->coefficient[k] * filtering->last[(filtering->count - 1 - k) % KEPT][c];
    return sum;
}

/* Of the first rows, before which not all are known, whitening leaves nothing. */
static void filter(struct filtering *filtering, const enum friction_column *used, size_t count, const double *weight,
                   struct friction_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        if (!(weight[i] > 0))
            continue;
        double *row = filtering->last[filtering->count % KEPT];
        for (size_t c = 0; c < count; c++) {
            double *value = &block->column[used[c]][i];
            const double known = foretold(filtering, c), whitened = *value - known;
            row[c] = filtering->whitens ? *value : *value + known;
            *value = !filtering->whitens ? row[c] : filtering->count < filtering->noise->order ? 0 : whitened;
        }
        filtering->count++;
    }
}

/* What the columns of a part behind the first have of its own unknowns is taken from them. */
static void take_own(const struct friction_own_share *share, const enum friction_column *used, size_t count,
                     struct friction_block *block)
{
    double *offset = block->column[COLUMN_F_0], *start = block->column[COLUMN_START];
    for (size_t k = 0; k < count; k++) {
        const enum friction_column c = used[k];
        const double of_start = share->of_start[c];
        const double of_offset = share->of_offset[c] - of_start * share->of_offset[COLUMN_START];
        for (size_t i = 0; c != COLUMN_F_0 && c != COLUMN_START && i < FRICTION_BLOCK; i++)
            block->column[c][i] -= of_offset * offset[i] + of_start * start[i];
    }
    memset(offset, 0, sizeof block->column[COLUMN_F_0]);
    memset(start, 0, sizeof block->column[COLUMN_START]);
}

static void pass_filtered(const struct friction_motion *motion, const struct friction_point *point,
                          const struct ar_model *noise, bool whitens, const struct friction_normal *white,
                          struct friction_normal *normal)
{
    const struct friction_pass_loops *loops = friction_pass_loops_of(lanes_widest());
    struct friction_walk walk;
    enum friction_column used[FRICTION_COLUMNS];
    const size_t count = columns_used(point, true, used);
    memset(normal, 0, sizeof *normal);
    memset(&walk, 0, sizeof walk);
    for (size_t p = 0; p < motion->parts; p++) {
        struct filtering filtering = {.noise = noise, .whitens = whitens};
        begin(motion, point, true, p, &walk);
        while (next_block(&walk, loops)) {
            if (p > 0)
                take_own(&white->share[p], used, count, &walk.block);
            filter(&filtering, used, count, motion->weight + walk.next - FRICTION_BLOCK, &walk.block);
            loops->products(&walk.block, used, count, normal);
        }
    }
}

void friction_pass_coloured(const struct friction_motion *motion, const struct friction_point *point,
                            const struct ar_model *noise, const struct friction_normal *white,
                            struct friction_normal *normal)
{
    pass_filtered(motion, point, noise, false, white, normal);
}

void friction_pass_whitened(const struct friction_motion *motion, const struct friction_point *point,
                            const struct ar_model *noise, const struct friction_normal *white,
                            struct friction_normal *normal)
{
    pass_filtered(motion, point, noise, true, white, normal);
}

/* Of a part; how many there are. */
static size_t part_residuals(struct friction_walk *walk, const enum friction_column *used, size_t count,
                             double *residuals)
{
    const struct friction_pass_loops *loops = friction_pass_loops_of(lanes_widest());
    double value[FRICTION_LINEAR];
    size_t found = 0;
    memcpy(value, walk->point->value, sizeof value);
    if (walk->part > 0)
        value[COLUMN_F_0] = walk->point->own[walk->part].offset;
    while (next_block(walk, loops))
        for (size_t i = 0; i < walk->block.count; i++) {
            double force = walk->block.column[COLUMN_FORCE][i];
            for (size_t k = 0; k < count && used[k] < FRICTION_LINEAR; k++)
                force -= value[used[k]] * walk->block.column[used[k]][i];
            if (walk->block.column[COLUMN_F_0][i] > 0)
                residuals[found++] = force;
        }
    return found;
}

void friction_residuals(const struct friction_motion *motion, const struct friction_point *point, double *residuals)
{
    struct friction_walk walk;
    enum friction_column used[FRICTION_COLUMNS];
    const size_t count = columns_used(point, false, used);
    size_t found = 0;
    for (size_t p = 0; p < motion->parts; p++) {
        begin(motion, point, false, p, &walk);
        found += part_residuals(&walk, used, count, residuals + found);
    }
}
