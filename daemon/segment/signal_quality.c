/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every sample is looked at once, a chunk at a time. The order matters: noise first, for spikes stand out of it; then
 * spikes, for they are no limit; then limits. */

#include "segment/signal_quality.h"

#include "segment/chunk.h"
#include "segment/extremes.h"
#include "segment/spikes.h"
#include "segment/tolerances.h"

#include <float.h>
#include <math.h>

/* A step that was configured counts more than one that was seen. */
static void learn(struct signal_quality *signal_quality)
{
    const struct noise_floor *noise = &signal_quality->noise;
    double sd = isnan(noise->sd) ? 0 : noise->sd, step = signal_quality->resolution, finest = step;
    if (!(step > 0)) {
        step = noise_floor_step(noise);
        finest = noise->ever.smallest < INFINITY ? noise->ever.smallest : 0;
    }
    double rounding = ROUNDING_EPSILONS * DBL_EPSILON * noise->largest_value;
    signal_quality->channel = (struct channel_noise){.sd = sd, .step = step};
    signal_quality->hysteresis =
        larger(larger(HYSTERESIS_DEVIATIONS * sd, WIDEST_STEP * finest), larger(rounding, DBL_MIN));
}

void signal_quality_init(struct signal_quality *signal_quality, double resolution)
{
    *signal_quality = (struct signal_quality){.resolution = resolution};
    noise_floor_init(&signal_quality->noise);
    clipping_restart(&signal_quality->clipping);
    learn(signal_quality);
}

void signal_quality_set_resolution(struct signal_quality *signal_quality, double resolution)
{
    signal_quality->resolution = resolution;
    learn(signal_quality);
}

void signal_quality_restart(struct signal_quality *signal_quality)
{
    clipping_restart(&signal_quality->clipping);
}

/* The step of the signal, or the smallest difference of its samples where that is larger. */
static double finest_step(const struct signal_quality *signal_quality)
{
    double seen = signal_quality->noise.ever.smallest;
    return larger(signal_quality->channel.step, isinf(seen) ? 0 : seen);
}

/* A spike stands out by so much at least. */
static double spike_threshold(const struct signal_quality *signal_quality)
{
    return larger(SPIKE_DEVIATIONS * signal_quality->channel.sd, SPIKE_STEPS * finest_step(signal_quality));
}

void signal_quality_take(struct signal_quality *signal_quality, struct sample_history *history, uint64_t from)
{
    /* What chunk_look() reads on either side is in sight, for segmenter.c keeps it there. */
    const double *sample = sample_history_span(history, from - 2, from + CHUNK + 2).displacement + 2;
    struct chunk chunk;
    chunk_look(sample, &chunk);
    /* At a limit there is no noise, and its lack must not pass for a quiet channel. */
    bool clipped = clipping_touched(&signal_quality->clipping, &chunk) ||
                   sample_history_clipped_within(history, from - 1, from + CHUNK);
    if (!clipped) {
        noise_floor_take(&signal_quality->noise, &chunk, sample);
        learn(signal_quality);
    }
    double threshold = spike_threshold(signal_quality);
    if (chunk.largest_difference > SPIKE_IN_DIFFERENCE * threshold)
        spikes_mark(history, from, from + CHUNK, threshold);
    clipping_mark(&signal_quality->clipping, history, from, &chunk, signal_quality->channel.sd,
                  finest_step(signal_quality));
}

void signal_quality_end_stretch(const struct signal_quality *signal_quality, struct sample_history *history,
                                uint64_t from, uint64_t to)
{
    spikes_mark(history, from, to, spike_threshold(signal_quality));
}
