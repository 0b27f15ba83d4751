/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two vectors of samples go through Horner's rule with two polynomials each, so that none waits for itself. */

#include "identify/ladder/ladder_samples_loops.h"

#include "motion/loops.h"

#include <string.h>

static inline void polynomials(const struct ladder_piece *piece, const enum ladder_parameter of[2], const lanes time[2],
                               lanes value[2][2])
{
    lanes first[2] = {{0}}, second[2] = {{0}};
    for (size_t k = piece->by_order + 1; k-- > 0;) {
        const double a = piece->x_by[k][of[0]], b = piece->x_by[k][of[1]];
        first[0] = first[0] * time[0] + a;
        first[1] = first[1] * time[1] + a;
        second[0] = second[0] * time[0] + b;
        second[1] = second[1] * time[1] + b;
    }
    memcpy(value[0], first, sizeof first);
    memcpy(value[1], second, sizeof second);
}

static inline void put(const lanes value[2], double *at)
{
    *(loose *)at = value[0];
    *(loose *)(at + LANES) = value[1];
}

/* The model and its derivatives by what all rungs have, at two vectors of samples. */
static inline void fill_measurement(struct sampling *sampling, const struct ladder_piece *piece, size_t from, size_t to,
                                    lanes time[2])
{
    const double *parameters = sampling->parameters, omega_n = parameters[LADDER_OMEGA_N];
    struct ladder_block *block = &sampling->block;
    for (size_t half = 0; half < 2; half++, from += LANES, to += LANES) {
        const lanes own_time = omega_n * (*(const loose *)&sampling->data->time[from] - parameters[LADDER_T0]);
        time[half] = own_time - piece->origin;
        lanes x = {0}, v = {0};
        for (size_t k = SERIES_ORDER + 1; k-- > 0;) {
            v = v * time[half] + x;
            x = x * time[half] + piece->x[k];
        }
        *(loose *)&block->residual[to] = *(const loose *)&sampling->data->value[from] - parameters[LADDER_BIAS] - x;
        *(loose *)&block->row[LADDER_OMEGA_N][to] = v * own_time * (1 / omega_n);
        *(loose *)&block->row[LADDER_BIAS][to] = v * 0 + 1;
        *(loose *)&block->row[LADDER_T0][to] = -omega_n * v;
    }
}

/* Appends samples of a piece to the block. What is written beyond them is written over, or cleared at last. */
static void fill(struct sampling *sampling, const struct ladder_piece *piece, size_t count)
{
    for (size_t i = 0; i < count; i += 2 * LANES) {
        const size_t to = sampling->block.count + i;
        lanes time[2], value[2][2];
        fill_measurement(sampling, piece, sampling->next + i, to, time);
        for (size_t n = 0; n < sampling->moved_count; n += 2) {
            const enum ladder_parameter *of = &sampling->moved[n];
            polynomials(piece, of, time, value);
            put(value[0], sampling->block.row[of[0]] + to);
            put(value[1], sampling->block.row[of[1]] + to);
        }
    }
}

const struct ladder_samples_loops LANES_TABLE(ladder_samples_loops) = {.fill = fill};
