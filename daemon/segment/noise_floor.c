/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How noisy is the channel, and does it come in steps? Asked while the mass moves, so only of differences that
 * motion hardly enters. */

#include "segment/noise_floor.h"

#include "segment/extremes.h"
#include "segment/noise_floor_loops.h"

#include <math.h>

/* Mean |fourth difference| of white noise: sqrt(2/pi) sqrt(1 + 16 + 36 + 16 + 1) standard deviations. */
#define MEAN_FOURTH_DIFFERENCE 6.6756

/* So many chunks are looked at for steps by themselves, and so many whole steps among them leave no doubt. */
enum { LATELY = 128, SURE_STEPS = 16 };

/* A difference is a whole number of steps when it is within this part of a step of one, and within this part of itself:
 * the smallest difference that was seen is a step as well as rounding of the samples lets it be. A
 * difference of so many steps that is no multiple of them passes for one with the chance 2 (0.02 + 0.002 steps): once
 * in twenty at two steps, once in ten at 15, and five times in six at the most that are looked at. */
#define WHOLE_OF_STEP 0.02
#define WHOLE_OF_DIFFERENCE 0.002
enum { MOST_STEPS = 200 };
/* A difference that is a tenth smaller than a step is another step: rounding does not explain that. */
#define FINER_STEP 0.9
/* A count keeps this part of itself from chunk to chunk, so that it is a mean over some 500 of them. */
#define KEPT_OF_COUNT 0.998

void noise_floor_init(struct noise_floor *noise)
{
    const struct step_seen none = {.smallest = INFINITY};
    *noise = (struct noise_floor){.sd = NAN, .ever = none, .lately = none};
}

/* The median of as many values in `one` as in `other`, both of which are sorted. Paired crosswise, the smaller ones of
 * the pairs are the lower half of all, and the larger ones the upper. */
static float median_of_both(const float *one, const float *other)
{
    float below = 0, above = INFINITY;
    for (size_t i = 0; i < HALF_OF_CHUNKS; i++) {
        float a = one[i], b = other[HALF_OF_CHUNKS - 1 - i], low = a < b ? a : b, high = a < b ? b : a;
        below = low > below ? low : below;
        above = high < above ? high : above;
    }
    return (below + above) / 2;
}

/* The order within a half of the ring does not matter: it is overwritten as a whole before it is asked for again. */
static float median(struct noise_floor *noise)
{
    float *latest =
        noise->chunk_sd + (noise->next == HALF_OF_CHUNKS || noise->filled < NOISE_CHUNKS ? 0 : HALF_OF_CHUNKS);
    size_t count = noise->filled < HALF_OF_CHUNKS ? noise->filled : HALF_OF_CHUNKS;
    noise_floor_loops_of(lanes_widest())->sort(latest, count);
    if (noise->filled == NOISE_CHUNKS)
        return median_of_both(noise->chunk_sd, noise->chunk_sd + HALF_OF_CHUNKS);
    return count % 2 ? latest[count / 2] : (latest[count / 2 - 1] + latest[count / 2]) / 2;
}

static void note_chunk(struct noise_floor *noise, double sd)
{
    noise->chunk_sd[noise->next] = (float)sd;
    noise->next = noise->next + 1 < NOISE_CHUNKS ? noise->next + 1 : 0;
    if (noise->filled < NOISE_CHUNKS)
        noise->filled++;
    /* The median is taken after each chunk at first, and later twice a turn of the ring, for it costs more than a
     * chunk. */
    if (noise->next == 0 || noise->next == HALF_OF_CHUNKS || noise->filled <= HALF_OF_CHUNKS / 2)
        noise->sd = median(noise);
}

/* A quantised signal's differences are whole multiples of its step. One difference a chunk is enough to tell. */
static void note_difference(struct step_seen *seen, double difference)
{
    double steps = difference / seen->smallest;
    /* The difference of values near the largest that there is may be infinite. */
    if (!(steps <= MOST_STEPS))
        return;
    double nearest = (double)(int)(steps + 0.5);
    double whole = fabs(steps - nearest) < WHOLE_OF_STEP + WHOLE_OF_DIFFERENCE * steps;
    seen->whole = KEPT_OF_COUNT * seen->whole + whole;
    seen->broken = KEPT_OF_COUNT * seen->broken + (1 - whole);
}

static void note_smallest(struct step_seen *seen, double smallest)
{
    /* This step is finer than any that was seen: the counts belonged to a wrong one. */
    if (smallest < FINER_STEP * seen->smallest)
        seen->whole = seen->broken = 0;
    if (smallest < seen->smallest)
        seen->smallest = smallest;
}

static void note_step(struct step_seen *seen, const struct chunk *chunk, double difference)
{
    note_smallest(seen, chunk->smallest_step);
    /* One step proves nothing, unless the signal dwells on its values, as that of a slow encoder does. */
    if (difference > WIDEST_STEP * seen->smallest)
        note_difference(seen, difference);
    else if (2 * chunk->alike >= CHUNK)
        note_difference(seen, chunk->smallest_step);
}

/* A smaller difference that was seen before many whole steps was no step, and is given up. */
static void look_again(struct noise_floor *noise)
{
    if (noise->lately.whole > SURE_STEPS && step_seen_is_one(&noise->lately) && !step_seen_is_one(&noise->ever))
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
    double difference = fabs(sample[3] - sample[-1]);
    note_step(&noise->ever, chunk, difference);
    /* The largest value falls from chunk to chunk, so that wild readings in a row are forgotten in time. */
    noise->largest_value = larger(KEPT_OF_COUNT * noise->largest_value, chunk->magnitude);
    note_step(&noise->lately, chunk, difference);
    look_again(noise);
}
