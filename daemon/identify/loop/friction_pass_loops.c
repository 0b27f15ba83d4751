/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_pass_loops.h"

#include "motion/loops.h"

#include <math.h>
#include <string.h>

#define AT(array, i) (*(const loose *)&(array)[i])
#define PUT(array, i) (*(loose *)&(array)[i])

/* exp(-a) for a >= 0, to rounding: a power of two by the exponent's bits times Taylor's series of what is left, 0.35 at
 * most. Beyond 80 that of 80, which is nothing to any deflection, so that no product is a denormal number for long. */
static inline lanes fading(lanes a)
{
    static const double inverse[] = {
        1. / 479001600, 1. / 39916800, 1. / 3628800, 1. / 362880, 1. / 40320, 1. / 5040, 1. / 720,
        1. / 120,       1. / 24,       1. / 6,       0.5,         1,          1};
    const double shifter = 0x1.8p52;
    const masks beyond = a > 80.0;
    a = (lanes)((beyond & (masks)(a * 0 + 80)) | (~beyond & (masks)a));
    const lanes shifted = a * -0x1.71547652b82fep0 + shifter, power = shifted - shifter;
    const lanes rest = (-a - power * 0x1.62e42fefa0000p-1) - power * 0x1.cf79abc9e3b3ap-40;
    lanes sum = a * 0 + inverse[0];
#pragma GCC unroll 12
    for (size_t k = 1; k < sizeof inverse / sizeof inverse[0]; k++)
        sum = sum * rest + inverse[k];
    return (lanes)((masks)sum + ((masks)shifted << 52));
}

/* S (1 + a) forwards and S (1 - a) backwards, a = (r - 1)/(r + 1) with r = F_+/F_-. */
static void unlike(const struct friction_point *point, const double *sense, struct friction_levels *of)
{
    const double ratio = point->value[COLUMN_LEVELS], side = (ratio - 1) / (ratio + 1);
    const double by_side = 2 * ratio / ((1 + ratio) * (1 + ratio));
    for (size_t i = 0; i < FRICTION_BLOCK; i += LANES) {
        const lanes factor = 1 + side * AT(sense, i), level = AT(of->level, i);
        PUT(of->by_levels, i) = level * AT(sense, i) * by_side;
        PUT(of->level, i) = level * factor;
        PUT(of->by_ratio, i) = AT(of->by_ratio, i) * factor;
        PUT(of->by_v_s, i) = AT(of->by_v_s, i) * factor;
        PUT(of->by_exponent, i) = AT(of->by_exponent, i) * factor;
    }
}

/* The power of each speed, and the logarithm of its base, where the exponent is neither 1 nor 2. */
static void powers(const double *speed, double per, double exponent, double *power, double *logarithm)
{
    for (size_t i = 0; i < FRICTION_BLOCK; i++) {
        const double part = speed[i] * per;
        logarithm[i] = part > 0 ? log(part) : 0;
        power[i] = part > 0 ? exp(exponent * logarithm[i]) : 0;
    }
}

static void levels(const struct friction_point *point, const double *speed, const double *sense,
                   struct friction_levels *of)
{
    const bool dips = point->row.terms & FRICTION_BIT(FRICTION_STRIBECK);
    const double ratio = point->value[COLUMN_RATIO], per = dips ? 1 / point->value[COLUMN_V_S] : 0;
    const double exponent = point->value[COLUMN_EXPONENT];
    const bool square = exponent > 1.5, own = point->row.terms & FRICTION_BIT(FRICTION_FREE_EXPONENT);
    double own_power[FRICTION_BLOCK], logarithm[FRICTION_BLOCK];
    if (own)
        powers(speed, per, exponent, own_power, logarithm);
    for (size_t i = 0; i < FRICTION_BLOCK; i += LANES) {
        const lanes part = AT(speed, i) * per;
        lanes power = square ? part * part : part;
        lanes by_exponent = part * 0;
        if (own)
            power = AT(own_power, i);
        const lanes dip = dips ? ratio * fading(power) : part * 0;
        PUT(of->level, i) = 1 + dip;
        PUT(of->by_ratio, i) = dip;
        PUT(of->by_v_s, i) = dip * power * exponent;
        if (own)
            by_exponent = -dip * power * exponent * AT(logarithm, i);
        PUT(of->by_exponent, i) = by_exponent;
    }
    if (point->row.terms & FRICTION_BIT(FRICTION_LEVELS))
        unlike(point, sense, of);
    else
        memset(of->by_levels, 0, sizeof of->by_levels);
}

/* A derivative that each piece fades, and then adds to. */
static void follow(struct friction_walk *walk, enum friction_column column, const double *kept)
{
    double at = walk->state[column];
    for (size_t i = 0; i < FRICTION_BLOCK; i++)
        walk->deflection[column][i] = at = kept[i] * at + walk->deflection[column][i];
    walk->state[column] = at;
}

/* What the derivatives are given by each piece, then these. kept: e; behind: zeta - q. */
static void exponential_slopes(struct friction_walk *walk, const double *kept, const double *behind)
{
    const struct friction_levels *piece = &walk->piece;
    const double *way = walk->motion->way + walk->next, *sense = walk->motion->sense + walk->next;
    const double per_x_d = 1 / walk->point->value[COLUMN_X_D];
    for (size_t i = 0; i < FRICTION_BLOCK; i += LANES) {
        const lanes per_level = 1 / AT(piece->level, i), e = AT(kept, i);
        const lanes by_way = e * AT(way, i) * per_x_d * per_level * AT(behind, i);
        const lanes by_level = AT(sense, i) * (1 - e) + by_way * per_level;
        PUT(walk->deflection[COLUMN_X_D], i) = by_way;
        PUT(walk->deflection[COLUMN_RATIO], i) = by_level * AT(piece->by_ratio, i);
        PUT(walk->deflection[COLUMN_V_S], i) = by_level * AT(piece->by_v_s, i);
        PUT(walk->deflection[COLUMN_EXPONENT], i) = by_level * AT(piece->by_exponent, i);
        PUT(walk->deflection[COLUMN_LEVELS], i) = by_level * AT(piece->by_levels, i);
    }
    if (walk->point->row.terms & FRICTION_BIT(FRICTION_LEVELS))
        follow(walk, COLUMN_LEVELS, kept);
    if (walk->point->row.terms & FRICTION_BIT(FRICTION_FREE_EXPONENT))
        follow(walk, COLUMN_EXPONENT, kept);
    double x_d = walk->state[COLUMN_X_D], ratio = walk->state[COLUMN_RATIO], v_s = walk->state[COLUMN_V_S];
    for (size_t i = 0; i < FRICTION_BLOCK; i++) {
        walk->deflection[COLUMN_X_D][i] = x_d = kept[i] * x_d + walk->deflection[COLUMN_X_D][i];
        walk->deflection[COLUMN_RATIO][i] = ratio = kept[i] * ratio + walk->deflection[COLUMN_RATIO][i];
        walk->deflection[COLUMN_V_S][i] = v_s = kept[i] * v_s + walk->deflection[COLUMN_V_S][i];
    }
    walk->state[COLUMN_X_D] = x_d;
    walk->state[COLUMN_RATIO] = ratio;
    walk->state[COLUMN_V_S] = v_s;
}

/* zeta' = q + (zeta - q) e with q = sense S and e = exp(-way/(x_d S)). */
static void exponential(struct friction_walk *walk)
{
    const struct friction_motion *motion = walk->motion;
    const struct friction_levels *piece = &walk->piece;
    const double *way = motion->way + walk->next, *sense = motion->sense + walk->next;
    const double per_x_d = 1 / walk->point->value[COLUMN_X_D];
    double kept[FRICTION_BLOCK], behind[FRICTION_BLOCK], deflection = walk->state[COLUMN_F_C];
    double start = walk->state[COLUMN_START];
    start = start < 1e-30 ? 0 : start;
    for (size_t i = 0; i < FRICTION_BLOCK; i += LANES)
        PUT(kept, i) = fading(AT(way, i) * per_x_d / AT(piece->level, i));
    for (size_t i = 0; i < FRICTION_BLOCK; i++) {
        const double goal = sense[i] * piece->level[i];
        behind[i] = deflection - goal;
        walk->deflection[COLUMN_F_C][i] = deflection = goal + kept[i] * behind[i];
        walk->deflection[COLUMN_START][i] = start = kept[i] * start;
    }
    walk->state[COLUMN_F_C] = deflection;
    walk->state[COLUMN_START] = start;
    if (walk->slopes)
        exponential_slopes(walk, kept, behind);
}

/* F_C(x) zeta + sigma_1 (v - |v| zeta/S) + sigma_2 v + k_x x + m a + F_0 by all of it. */
static void columns(struct friction_walk *walk)
{
    const struct friction_motion *motion = walk->motion;
    const size_t next = walk->next;
    const double *value = walk->point->value, sigma_1 = value[COLUMN_SIGMA_1];
    double(*column)[FRICTION_BLOCK] = walk->block.column;
    for (size_t i = 0; i < FRICTION_BLOCK; i += LANES) {
        const lanes weight = AT(motion->weight, next + i), v = AT(motion->velocity, next + i) * weight;
        const masks backward = v < 0.0;
        const lanes speed = (lanes)((backward & (masks)-v) | (~backward & (masks)v));
        const lanes per_level = 1 / AT(walk->sample.level, i), rate = speed * per_level;
        const lanes deflection = AT(walk->deflection[COLUMN_F_C], i),
                    by_level = sigma_1 * rate * deflection * per_level;
        const lanes x = AT(motion->displacement, next + i);
        const lanes f_c = value[COLUMN_F_C] + x * (value[COLUMN_PATH] + x * value[COLUMN_PATH_2]);
        const lanes factor = f_c * weight - sigma_1 * rate;
        PUT(column[COLUMN_F_C], i) = deflection * weight;
        PUT(column[COLUMN_SIGMA_1], i) = v - rate * deflection;
        PUT(column[COLUMN_SIGMA_2], i) = v;
        PUT(column[COLUMN_K_X], i) = x * weight;
        PUT(column[COLUMN_PATH], i) = deflection * weight * x;
        PUT(column[COLUMN_PATH_2], i) = deflection * weight * x * x;
        PUT(column[COLUMN_MASS], i) = AT(motion->acceleration, next + i) * weight;
        PUT(column[COLUMN_F_0], i) = weight;
        PUT(column[COLUMN_START], i) = factor * AT(walk->deflection[COLUMN_START], i);
        PUT(column[COLUMN_FORCE], i) = AT(motion->force, next + i) * weight;
        if (!walk->slopes)
            continue;
        PUT(column[COLUMN_X_D], i) = factor * AT(walk->deflection[COLUMN_X_D], i);
        PUT(column[COLUMN_RATIO], i) =
            factor * AT(walk->deflection[COLUMN_RATIO], i) + by_level * AT(walk->sample.by_ratio, i);
        PUT(column[COLUMN_V_S], i) =
            factor * AT(walk->deflection[COLUMN_V_S], i) + by_level * AT(walk->sample.by_v_s, i);
        PUT(column[COLUMN_EXPONENT], i) =
            factor * AT(walk->deflection[COLUMN_EXPONENT], i) + by_level * AT(walk->sample.by_exponent, i);
        PUT(column[COLUMN_LEVELS], i) =
            factor * AT(walk->deflection[COLUMN_LEVELS], i) + by_level * AT(walk->sample.by_levels, i);
    }
}

/* Four products with one column at a time. */
static void products(const struct friction_block *block, const enum friction_column *used, size_t count,
                     struct friction_normal *normal)
{
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b <= a; b += 4) {
            const double *row = block->column[used[a]];
            const double *with[4];
            lanes sum[4] = {{0}};
            for (size_t k = 0; k < 4; k++)
                with[k] = block->column[used[b + k <= a ? b + k : a]];
            for (size_t i = 0; i < block->count; i += LANES)
#pragma GCC unroll 4
                for (size_t k = 0; k < 4; k++)
                    sum[k] += AT(row, i) * AT(with[k], i);
            for (size_t k = 0; k < 4 && b + k <= a; k++)
                normal->sum[used[a]][used[b + k]] += total(&sum[k]);
        }
}

const struct friction_pass_loops LANES_TABLE(friction_pass_loops) = {
    .levels = levels, .exponential = exponential, .columns = columns, .products = products};
