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

void front_init(struct front *front, double resolution)
{
    *front = (struct front){.resolution = resolution};
    noise_floor_init(&front->noise);
    rails_restart(&front->rails);
}

void front_restart(struct front *front)
{
    rails_restart(&front->rails);
}

/* A step that was configured counts more than one that was seen. */
struct channel_noise front_noise(const struct front *front)
{
    double sd = front->noise.sd;
    double step = front->resolution;
    return (struct channel_noise){.sd = isnan(sd) ? 0 : sd, .step = step > 0 ? step : noise_floor_step(&front->noise)};
}

double front_hysteresis(const struct front *front)
{
    const struct noise_floor *noise = &front->noise;
    double step = front->resolution;
    if (!(step > 0))
        step = noise->ever.smallest < INFINITY ? noise->ever.smallest : 0;
    double rounding = 64 * DBL_EPSILON * noise->largest_value;
    double by_noise = isnan(noise->sd) ? 0 : HYSTERESIS_DEVIATIONS * noise->sd;
    return larger(larger(by_noise, HYSTERESIS_STEPS * step), larger(rounding, DBL_MIN));
}

void front_take(struct front *front, struct sample_history *history, uint64_t from)
{
    const double *sample = history->displacement + (from - history->first);
    struct chunk chunk;
    chunk_look(sample, &chunk);
    /* A limit swallows the noise: what is left there must not pass for a quiet channel. */
    bool clipped =
        rails_touched(&front->rails, &chunk) || sample_history_clipped_within(history, from - 1, from + CHUNK);
    if (!clipped || isnan(front->noise.sd))
        noise_floor_take(&front->noise, &chunk, sample);
    struct channel_noise noise = front_noise(front);
    double finest = larger(noise.step, isinf(front->noise.ever.smallest) ? 0 : front->noise.ever.smallest);
    double threshold = larger(SPIKE_DEVIATIONS * noise.sd, SPIKE_STEPS * finest);
    /* A spike of height S leaves 6 S in the fourth difference, see spikes.c. */
    if (chunk.largest_difference > 6 * threshold)
        spikes_mark(history, from, from + CHUNK, threshold);
    if (rails_mark(&front->rails, history, from, &chunk, noise.sd, finest))
        noise_floor_meets_limit(&front->noise);
}
