/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One look at every sample, a chunk at a time. The order matters: noise first, for spikes stand out of it; then spikes,
 * for they are no limit; then limits. */

#include "segment/front.h"

#include "segment/chunk.h"
#include "segment/extremes.h"
#include "segment/spikes.h"

#include <float.h>
#include <math.h>

/* A reversal smaller than this many standard deviations, or steps, is noise. */
#define HYSTERESIS_DEVIATIONS 6
#define HYSTERESIS_STEPS 1.5
/* A spike stands out by this much. */
#define SPIKE_DEVIATIONS 11
#define SPIKE_STEPS 3

/* A step that was configured counts more than one that was seen. */
static void learn(struct front *front)
{
    const struct noise_floor *noise = &front->noise;
    double sd = isnan(noise->sd) ? 0 : noise->sd, step = front->resolution, finest = step;
    if (!(step > 0)) {
        step = noise_floor_step(noise);
        finest = noise->ever.smallest < INFINITY ? noise->ever.smallest : 0;
    }
    double rounding = 64 * DBL_EPSILON * noise->largest_value;
    front->channel = (struct channel_noise){.sd = sd, .step = step};
    front->hysteresis =
        larger(larger(HYSTERESIS_DEVIATIONS * sd, HYSTERESIS_STEPS * finest), larger(rounding, DBL_MIN));
}

void front_init(struct front *front, double resolution)
{
    *front = (struct front){.resolution = resolution};
    noise_floor_init(&front->noise);
    rails_restart(&front->rails);
    learn(front);
}

void front_set_resolution(struct front *front, double resolution)
{
    front->resolution = resolution;
    learn(front);
}

void front_restart(struct front *front)
{
    rails_restart(&front->rails);
}

void front_take(struct front *front, struct sample_history *history, uint64_t from)
{
    /* What chunk_look() reads on either side is in sight, for segmenter.c keeps it there. */
    const double *begin = sample_history_span(history, from - 2, from + CHUNK + 2).displacement;
    if (!begin)
        return;
    const double *sample = begin + 2;
    struct chunk chunk;
    chunk_look(sample, &chunk);
    /* A limit swallows the noise: what is left there must not pass for a quiet channel. */
    bool clipped =
        rails_touched(&front->rails, &chunk) || sample_history_clipped_within(history, from - 1, from + CHUNK);
    if (!clipped || isnan(front->noise.sd)) {
        noise_floor_take(&front->noise, &chunk, sample);
        learn(front);
    }
    double sd = front->channel.sd, seen = front->noise.ever.smallest;
    double finest = larger(front->channel.step, isinf(seen) ? 0 : seen);
    double threshold = larger(SPIKE_DEVIATIONS * sd, SPIKE_STEPS * finest);
    /* A spike of height S leaves 6 S in the fourth difference, see spikes.c. */
    if (chunk.largest_difference > 6 * threshold)
        spikes_mark(history, from, from + CHUNK, threshold);
    if (rails_mark(&front->rails, history, from, &chunk, sd, finest)) {
        noise_floor_meets_limit(&front->noise);
        learn(front);
    }
}
