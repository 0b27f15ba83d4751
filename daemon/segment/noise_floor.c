/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How noisy is the channel, and does it come in steps? Asked while the mass moves, so only of differences that
 * motion hardly enters. */

#include "segment/noise_floor.h"

#include "segment/extremes.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Mean |fourth difference| of white noise: sqrt(2/pi) sqrt(1 + 16 + 36 + 16 + 1) standard deviations. */
#define MEAN_FOURTH_DIFFERENCE 6.6756

/* Chunks that are looked at for steps by themselves, and whole steps among them that leave no doubt. */
enum { LATELY = 128, SURE_STEPS = 16 };

void noise_floor_init(struct noise_floor *noise)
{
    const struct step_seen none = {.smallest = INFINITY};
    *noise = (struct noise_floor){.sd = NAN, .ever = none, .lately = none, .coarser = none};
}

/* The value that would stand at place `rank` if the array were sorted; what stands before it is then no larger, what
 * stands behind it no smaller (C. A. R. Hoare's selection). */
static float select_rank(float *values, size_t count, size_t rank)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        float pivot = values[low + (high - low) / 2];
        size_t i = low, j = high;
        while (true) {
            while (values[i] < pivot)
                i++;
            while (pivot < values[j])
                j--;
            if (i >= j)
                break;
            float kept = values[i];
            values[i++] = values[j];
            values[j--] = kept;
        }
        if (rank <= j)
            high = j;
        else
            low = j + 1;
    }
    return values[rank];
}

static float median(const float *values, size_t count)
{
    float sorted[NOISE_CHUNKS];
    memcpy(sorted, values, count * sizeof *sorted);
    float upper = select_rank(sorted, count, count / 2);
    if (count % 2)
        return upper;
    float lower = sorted[0];
    for (size_t i = 1; i < count / 2; i++)
        lower = sorted[i] > lower ? sorted[i] : lower;
    return (lower + upper) / 2;
}

static void note_chunk(struct noise_floor *noise, double sd)
{
    noise->chunk_sd[noise->next] = (float)sd;
    noise->next = (noise->next + 1) % NOISE_CHUNKS;
    if (noise->filled < NOISE_CHUNKS)
        noise->filled++;
    /* At first after each chunk; later twice a turn of the ring, because a median costs more than a chunk. */
    if (noise->filled <= 12 || noise->next % 24 == 0)
        noise->sd = median(noise->chunk_sd, noise->filled);
}

/* A quantised signal's differences are whole multiples of its step. One difference a chunk is enough to tell. */
static void note_difference(struct step_seen *seen, double difference)
{
    /* Of very many every difference looks whole. */
    if (!(difference > 0.5 * seen->smallest) || difference > 200 * seen->smallest)
        return;
    double steps = difference / seen->smallest, nearest = (double)(int)(steps + 0.5);
    bool whole = fabs(steps - nearest) < 0.02 + 0.002 * steps;
    /* Counts that forget with a memory of some 500 chunks. */
    seen->whole = 0.998 * seen->whole + whole;
    seen->broken = 0.998 * seen->broken + !whole;
}

static void note_smallest(struct step_seen *seen, double smallest)
{
    /* A finer step than ever seen: the counts belonged to a wrong one. */
    if (smallest < 0.9 * seen->smallest)
        seen->whole = seen->broken = 0;
    if (smallest < seen->smallest)
        seen->smallest = smallest;
}

/* Forty whole steps to one broken: noise alone makes whole ones by chance, but not that often. */
static bool comes_in_steps(const struct step_seen *seen)
{
    return seen->whole > 40 * seen->broken;
}

static void note_step(struct step_seen *seen, const struct chunk *chunk, double difference)
{
    note_smallest(seen, chunk->smallest_step);
    /* One step proves nothing, unless the signal dwells on its values, as that of a slow encoder does. */
    if (difference > 1.5 * seen->smallest)
        note_difference(seen, difference);
    else if (2 * chunk->alike >= CHUNK)
        note_difference(seen, chunk->smallest_step);
}

/* Whoever has seen steps lately, and many, need not hold on to a smaller difference that was none. */
static void look_again(struct noise_floor *noise)
{
    if (noise->lately.whole > SURE_STEPS && comes_in_steps(&noise->lately) && !comes_in_steps(&noise->ever))
        noise->ever = noise->lately;
    if (++noise->chunks < LATELY)
        return;
    noise->chunks = 0;
    noise->lately = (struct step_seen){.smallest = INFINITY};
}

void noise_floor_take(struct noise_floor *noise, const struct chunk *chunk, const double *sample)
{
    note_chunk(noise, chunk->mean_difference / MEAN_FOURTH_DIFFERENCE);
    if (isinf(chunk->smallest_step))
        return;
    noise->fresh = chunk->smallest_step < 0.9 * noise->ever.smallest;
    if (noise->fresh)
        noise->coarser = noise->ever;
    double difference = fabs(sample[3] - sample[-1]);
    note_step(&noise->ever, chunk, difference);
    noise->largest_value = larger(noise->largest_value, fabs(sample[0]));
    note_step(&noise->lately, chunk, difference);
    look_again(noise);
}

void noise_floor_meets_limit(struct noise_floor *noise)
{
    if (!noise->fresh)
        return;
    noise->fresh = false;
    noise->ever = noise->coarser;
    noise->lately = (struct step_seen){.smallest = INFINITY};
}

/* A step within rounding of the values is none. */
double noise_floor_step(const struct noise_floor *noise)
{
    const struct step_seen *seen = &noise->ever;
    if (!(seen->smallest < INFINITY) || seen->smallest < 64 * DBL_EPSILON * noise->largest_value)
        return 0;
    return comes_in_steps(seen) ? seen->smallest : 0;
}
