/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/blow_blocks.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* The time within which a blow shows; a rise that takes longer is motion. */
#define BLOCK_S 0.002
/* Half the period of the slowest mode that can be told from a blow. */
#define LOOK_BACK_S 0.25
/* Noise of one block passes twice the largest of a quarter of a second before it once in 1e8 blocks. */
#define RISE 2.0
/* A converter that stood still goes one step to and fro, and two where the signal is between them. */
#define LEAST_STEPS 3
/* No sensor of a motion is read as often. */
#define FASTEST_HZ 1e9
/* The calm that there must be before a blow, and for how long a hammer can stay. */
#define CALM_S 0.005
#define CONTACT_S 0.02

enum { LEAST_BLOCK = 4, LEAST_CALM = 32 };

bool blow_blocks_plan(struct blow_blocks *blocks, double rate_hz)
{
    *blocks = (struct blow_blocks){.latest = NAN, .least_step = INFINITY};
    if (!(rate_hz > 0 && rate_hz < FASTEST_HZ))
        return false;
    blocks->length = (size_t)fmax(round(BLOCK_S * rate_hz), LEAST_BLOCK);
    const double block_s = (double)blocks->length / rate_hz;
    blocks->leap = blocks->length > LEAST_BLOCK ? 1 : 0;
    blocks->look_back = (size_t)ceil(LOOK_BACK_S / block_s);
    blocks->calm = (size_t)ceil(fmax(CALM_S * rate_hz, LEAST_CALM) / (double)blocks->length);
    /* What a blow is held against behind another one holds that one's rise. */
    blocks->contact = (size_t)fmax(ceil(CONTACT_S / block_s), BLOW_RISING + 1);
    return true;
}

size_t blow_blocks_least_room(const struct blow_blocks *blocks)
{
    return blocks->look_back + BLOW_RISING + 1;
}

int blow_blocks_make(struct blow_blocks *blocks, size_t room)
{
    blocks->mean = calloc(2 * room, sizeof *blocks->mean);
    blocks->peak = blocks->mean ? blocks->mean + room : NULL;
    blocks->room = room;
    return blocks->mean ? 0 : -ENOMEM;
}

void blow_blocks_clear(struct blow_blocks *blocks)
{
    free(blocks->mean);
    blocks->mean = blocks->peak = NULL;
}

void blow_blocks_restart(struct blow_blocks *blocks)
{
    blocks->count = 0;
    blocks->latest = NAN;
    blocks->least_step = INFINITY;
}

double blow_blocks_middle(const struct blow_blocks *blocks, size_t block)
{
    const size_t from = block > blocks->look_back ? block - blocks->look_back : 0;
    double sum = 0;
    for (size_t k = from; k < block; k++)
        sum += blocks->mean[k % blocks->room];
    return block > from ? sum / (double)(block - from) : blocks->mean[0];
}

static void note_step(struct blow_blocks *blocks, double sample)
{
    const double step = fabs(sample - blocks->latest);
    if (step > 0 && step < blocks->least_step)
        blocks->least_step = step;
    blocks->latest = sample;
}

void blow_blocks_take(struct blow_blocks *blocks, const double *samples)
{
    const size_t block = blocks->count, place = block % blocks->room;
    double sum = 0, peak = 0;
    for (size_t i = 0; i < blocks->length; i++) {
        sum += samples[i];
        note_step(blocks, samples[i]);
    }
    blocks->mean[place] = sum / (double)blocks->length;
    const double middle = blow_blocks_middle(blocks, block);
    for (size_t i = 0; i < blocks->length; i++)
        peak = fmax(peak, fabs(samples[i] - middle));
    blocks->peak[place] = peak;
    blocks->count++;
}

void blow_blocks_take_again(struct blow_blocks *blocks, size_t from, const double *samples)
{
    const size_t all = blocks->count;
    const double step = blocks->least_step;
    blocks->count = from;
    for (size_t k = from; k < all; k++)
        blow_blocks_take(blocks, &samples[k * blocks->length]);
    blocks->least_step = step;
}

double blow_blocks_largest(const struct blow_blocks *blocks, size_t from, size_t to)
{
    double most = 0;
    for (size_t k = from; k < to && k < blocks->count; k++)
        most = fmax(most, blocks->peak[k % blocks->room]);
    return most;
}

double blow_blocks_before(const struct blow_blocks *blocks, size_t block)
{
    const size_t to = block > BLOW_RISING ? block - BLOW_RISING : 0;
    return blow_blocks_largest(blocks, to > blocks->look_back ? to - blocks->look_back : 0, to);
}

/* What a blow in this block must pass. The largest of few samples of noise says little of those to come: near the
 * record's beginning the rise is up to twice as large. */
static double rise_at(const struct blow_blocks *blocks, size_t block)
{
    const double missing = block < blocks->look_back ? 1 - (double)block / (double)blocks->look_back : 0;
    return RISE * (1 + pow(missing, 4)) * blow_blocks_before(blocks, block);
}

bool blow_blocks_rise(const struct blow_blocks *blocks, size_t block)
{
    const double peak = blocks->peak[block % blocks->room];
    return block >= blocks->calm + BLOW_RISING && peak > rise_at(blocks, block) &&
           peak > LEAST_STEPS * blocks->least_step;
}

bool blow_blocks_leap(const struct blow_blocks *blocks, size_t block, size_t earlier)
{
    return block > earlier + blocks->look_back ||
           blocks->peak[block % blocks->room] > RISE * blow_blocks_largest(blocks, earlier, block - blocks->leap);
}

double blow_blocks_beyond(const struct blow_blocks *blocks, size_t block)
{
    return 0.75 * rise_at(blocks, block);
}

size_t blow_blocks_onset(const struct blow_blocks *blocks, size_t block, const double *samples)
{
    const double middle = blow_blocks_middle(blocks, block - BLOW_RISING), before = blow_blocks_beyond(blocks, block);
    size_t i = 0;
    while (i < (BLOW_RISING + 1) * blocks->length - 1 && !(fabs(samples[i] - middle) > before))
        i++;
    return (block - BLOW_RISING) * blocks->length + i;
}
