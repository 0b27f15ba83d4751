/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the segmenters of a rig find: decays go into the pipeline with all that is known of their origin, what did not
 * become one is told. */

#include "report/kinds/kind_work.h"
#include "rig/rig_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

size_t rig_channel_rank(const struct rig *rig, const char *channel)
{
    const struct source_description *description = rig->description;
    const char *reference = rig->configuration->reference_channel;
    if (reference && strcmp(channel, reference) == 0)
        return 0;
    for (size_t c = 0; description && c < description->channel_count; c++)
        if (strcmp(channel, description->channels[c].name) == 0)
            return reference ? c + 1 : c;
    return SIZE_MAX;
}

/* Everything about a decay that its samples do not say; copied, because the decay may outlive the rig. */
static struct decay_origin origin_of(const struct rig_channel *channel, const struct decay *decay)
{
    const struct rig *rig = channel->rig;
    const struct source_channel *source = &rig->description->channels[channel - rig->channels];
    const struct channel_configuration *configured = rig_channel_configuration(rig, channel->status->name);
    const struct decay_origin_names names = {.rig = rig_name(rig),
                                             .channel = channel->status->name,
                                             .source_kind = rig_source_kind(rig),
                                             .device = rig->description->device,
                                             .config_id = rig->config_id,
                                             .unit = channel->status->unit,
                                             .board = rig->description->board,
                                             .driver = rig->description->driver,
                                             .serial = rig->description->serial,
                                             .calibrated_on = configured ? configured->calibrated_on : NULL,
                                             .remarks = configured ? configured->remarks : NULL,
                                             .read_as = rig->description->read_as,
                                             .kind = rig->configuration->kind->kind->name,
                                             .quantity = QUANTITY_DISPLACEMENT};
    double rate_hz = decay->record.time_s ? 0 : rig->description->sample_rate_hz;
    struct decay_origin origin = decay_origin_make(&names, &rig->configuration->physical, rate_hz);
    origin.delay_s = channel->delay_s;
    origin.time_error_s = rig_time_error_s(rig, decay->record.time_s != NULL);
    origin.codes = source->codes;
    origin.calibration = source->codes.terms > 0 ? source->codes.calibration : source->calibration;
    decay_origin_add_clock(&origin, 1e6 * rig_clock_uncertainty(rig));
    if (rig->description->wall_clock && isfinite(decay->released_s))
        origin.released_at_ns = clock_anchor_realtime_ns(&rig->anchor, decay->released_s);
    else if (rig->description->dated)
        origin.released_at_ns = decay_released_at_ns(rig->description->zero_at_ns, decay->released_s);
    return origin;
}

/* What the rig did once has one key, whichever of its channels saw it. */
static void join_run(struct rig_channel *channel, const struct decay *decay, struct decay_origin *origin)
{
    struct rig *rig = channel->rig;
    const struct decay_span span = decay_span(decay);
    uint64_t run = run_grouping_add(&rig->runs, (size_t)(channel - rig->channels), &span);
    snprintf(origin->run_key, sizeof origin->run_key, "%016" PRIx64 "-%" PRIu64, rig->run_series, run);
}

/* Ownership of the decay goes on to the pipeline, which also tells when it has to refuse it. */
static void on_decay(void *context, struct decay *decay)
{
    struct rig_channel *channel = context;
    struct rig *rig = channel->rig;
    const struct decay_span span = decay_span(decay);
    if (rig_loops_drive(rig, (size_t)(channel - rig->channels), span.begin_s, span.end_s)) {
        decay_destroy(decay);
        return;
    }
    struct decay_origin origin = origin_of(channel, decay);
    join_run(channel, decay, &origin);
    if (pipeline_submit(rig->pipeline, &origin, decay, rig->description->may_pause,
                        rig->description->kind == SOURCE_RECORDING) != 0)
        rig->decays_lost++;
}

/* A candidate that failed is worth an event: a user who pulled the mass wants to know why nothing came of it. */
static void on_dropped(void *context, enum drop_reason reason, double at_s)
{
    struct rig_channel *channel = context;
    /* Turns and dwells of a drive look as if something was let go. */
    if (channel->rig->configuration->driven)
        return;
    if (drop_reports_take(&channel->drops, reason, clock_monotonic_s()))
        rig_tell(channel->rig, channel->status->name, "decay_dropped", drop_reason_name(reason), 0,
                 "a candidate at %.3f s did not become a decay: %s", at_s, drop_reason_sentence(reason));
}

/* Those of a channel that were not told of one by one. */
void rig_tell_held_drops(struct rig_channel *channel)
{
    for (int r = 0; r < DROP_REASONS; r++) {
        enum drop_reason reason = (enum drop_reason)r;
        uint64_t count = drop_reports_held(&channel->drops, reason);
        if (count > 0)
            rig_tell(channel->rig, channel->status->name, "decay_dropped", drop_reason_name(reason), count,
                     "%llu more candidates did not become decays: %s", (unsigned long long)count,
                     drop_reason_sentence(reason));
    }
    drop_reports_clear(&channel->drops);
}

void rig_tick(struct rig *rig)
{
    double now_s = clock_monotonic_s();
    for (size_t c = 0; c < rig->channel_count; c++)
        if (drop_reports_due(&rig->channels[c].drops, now_s))
            rig_tell_held_drops(&rig->channels[c]);
}

/* Channels share their time stamps, or are stamped one by one: the first of a block speaks for all of it. */
static void on_hole(void *context, uint64_t lost, double at_s)
{
    struct rig_channel *channel = context;
    struct rig *rig = channel->rig;
    if (channel != rig->first_of_block)
        return;
    rig->lost_scans += lost;
    rig->gaps++;
    rig_tell(rig, NULL, "gap", "time_stamps", lost, "%s: about %llu scans are missing before %.6f s",
             rig->description->device, (unsigned long long)lost, at_s);
}

static void on_progress(void *context, const struct segment_state *state)
{
    struct rig_channel *channel = context;
    const size_t c = (size_t)(channel - channel->rig->channels);
    channel->status->segment = *state;
    rig_loops_state(channel->rig, c, &channel->status->segment);
    /* What is driven goes on from loop to loop, not from half cycle to half cycle. */
    if (channel->status->segment.phase != SEGMENT_DRIVEN)
        channel->rig->listener.progress(channel->rig->listener.context, channel->rig, channel->status);
}

struct segment_listener rig_segment_listener(struct rig_channel *channel)
{
    return (struct segment_listener){
        .decay = on_decay, .dropped = on_dropped, .progress = on_progress, .hole = on_hole, .context = channel};
}
