/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the motion in its own time to what is measured: y(t) = bias + x(omega_n (t - t_0)). */

#include "identify/ladder/ladder_samples_loops.h"

#include "identify/ladder/ladder_motion.h"

#include <math.h>
#include <string.h>

/* Samples are known to a thousandth of X_0 at best: they do not need the arithmetic's last digits, and steps are longer
 * without. */
static const double ACCURACY = 1e-11;

static void flush(struct sampling *sampling)
{
    struct ladder_block *block = &sampling->block;
    memset(block->residual + block->count, 0, LADDER_PADDING * sizeof *block->residual);
    for (size_t p = 0; p < LADDER_PARAMETERS; p++)
        memset(block->row[p] + block->count, 0, LADDER_PADDING * sizeof *block->row[p]);
    sampling->take(sampling->taker, block);
    block->count = 0;
}

/* How many of the next samples are in a piece, and have room in the block. */
static size_t samples_in(const struct sampling *sampling, const struct ladder_piece *piece)
{
    const double until = sampling->parameters[LADDER_T0] + piece->to / sampling->parameters[LADDER_OMEGA_N];
    const double *time = sampling->data->time + sampling->next;
    const size_t room = BLOCK_SAMPLES - sampling->block.count, left = sampling->data->count - sampling->next;
    size_t n = 0;
    while (n < room && n < left && time[n] < until)
        n++;
    return n;
}

static bool take_piece(void *taker, const struct ladder_piece *piece)
{
    struct sampling *sampling = taker;
    size_t count;
    while ((count = samples_in(sampling, piece)) > 0) {
        ladder_samples_loops_of(sampling->kind)->fill(sampling, piece, count);
        sampling->next += count;
        sampling->block.count += count;
        if (sampling->block.count == BLOCK_SAMPLES || sampling->next == sampling->data->count)
            flush(sampling);
    }
    return sampling->next < sampling->data->count;
}

bool ladder_samples(const struct ladder_data *data, unsigned terms, const double parameters[LADDER_PARAMETERS],
                    ladder_block_taker *take, void *taker)
{
    struct sampling sampling = {lanes_widest(), data, terms, parameters, .take = take, .taker = taker};
    const struct ladder_takers takers = {NULL, take_piece, &sampling};
    for (enum ladder_parameter p = 0; p < LADDER_MOTION; p++)
        if (ladder_terms_have(terms, p))
            sampling.moved[sampling.moved_count++] = p;
    sampling.moved[sampling.moved_count] = sampling.moved[sampling.moved_count - 1];
    return parameters[LADDER_OMEGA_N] > 0 && ladder_walk(parameters, terms, INFINITY, ACCURACY, &takers) &&
           sampling.next == data->count;
}
