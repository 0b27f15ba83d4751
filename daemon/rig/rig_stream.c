/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the source of a rig tells: samples go to the segmenters, and whatever breaks the stream is counted and becomes
 * an event. */

#include "rig/rig_state.h"

/* A live source cannot be paused: after rig_stop() it goes on until it is destroyed, and nobody listens. */
static bool is_over(const struct rig *rig)
{
    return rig->condition == RIG_ENDED || rig->condition == RIG_FAILED;
}

/* A gap ends what runs as soon as it is known; how much was lost may be known only when the source goes on, and is the
 * same gap. */
static void open_gap(struct rig_channel *channel, uint64_t first_index, uint64_t lost)
{
    segmenter_gap(channel->segmenter, lost);
    rig_loops_break(channel->rig, (size_t)(channel - channel->rig->channels), LOOP_CUT_GAP);
    rig_ring_downs_break(channel->rig, (size_t)(channel - channel->rig->channels), DECAY_END_GAP);
    if (lost > 0)
        channel->next_index = first_index + lost;
    channel->in_gap = lost == 0;
}

static bool is_struck(const struct source_gap *gap, size_t channel)
{
    return !gap->struck || gap->struck[channel];
}

/* channel: NULL when all are struck. */
static void tell_gap(struct rig *rig, const char *channel, const struct source_gap *gap)
{
    if (gap->lost > 0)
        rig_tell(rig, channel, "gap", gap->reason, gap->lost, "%s: %llu scans were not delivered (%s)",
                 rig->description->device, (unsigned long long)gap->lost, gap->reason);
    else
        rig_tell(rig, channel, "gap", gap->reason, 0,
                 "%s: the stream is broken off (%s); what is missing will be counted", rig->description->device,
                 gap->reason);
}

/* Most sources are struck as a whole: one device, one stream. A channel that goes on keeps its decay. */
static void on_gap(void *context, const struct source_gap *gap)
{
    struct rig *rig = context;
    size_t struck = 0;
    if (is_over(rig))
        return;
    rig->lost_scans += gap->lost;
    rig->gaps++;
    for (size_t c = 0; c < rig->channel_count; c++)
        struck += is_struck(gap, c);
    for (size_t c = 0; c < rig->channel_count; c++)
        if (is_struck(gap, c))
            open_gap(&rig->channels[c], gap->first_index, gap->lost);
    if (struck == rig->channel_count) {
        recorder_gap(rig->recorder, gap->lost);
        tell_gap(rig, NULL, gap);
        return;
    }
    for (size_t c = 0; c < rig->channel_count; c++)
        if (is_struck(gap, c)) {
            recorder_break(rig->recorder, c);
            tell_gap(rig, rig->statuses[c].name, gap);
        }
}

/* The index has jumped for the channels of this block. */
static void take_jump(struct rig *rig, const struct scan_block *block)
{
    uint64_t lost = block->first_index - rig->first_of_block->next_index;
    bool known = rig->first_of_block->in_gap;
    rig->lost_scans += lost;
    rig->gaps += !known;
    for (size_t i = 0; i < block->channel_count; i++)
        open_gap(&rig->channels[block->channels[i].channel], block->first_index - lost, lost);
    rig_tell(rig, block->channel_count == rig->channel_count ? NULL : rig->first_of_block->status->name, "gap",
             "missing_scans", lost, "%s: %llu scans %s", rig->description->device, (unsigned long long)lost,
             known ? "were lost until the stream went on" : "were not delivered (missing_scans)");
}

/* Asked after a whole block: what a source delivers in one call is always taken. */
static void pause_when_full(struct rig *rig)
{
    if (rig->condition == RIG_RUNNING && rig->description->may_pause && pipeline_wants_pause(rig->pipeline)) {
        rig->condition = RIG_PAUSED;
        source_pause(rig->source);
    }
}

/* The time of the block's last scan on the source's clock, s. */
static double last_scan_s(const struct scan_block *block)
{
    size_t last = block->scan_count - 1;
    if (block->time_s)
        return block->time_s[last];
    return block->origin_s + (double)(block->first_index + last) * block->period_s;
}

static void feed(struct rig *rig, const struct scan_block *block, const struct channel_samples *samples)
{
    struct rig_channel *channel = &rig->channels[samples->channel];
    channel->next_index = block->first_index + block->scan_count;
    channel->in_gap = false;
    channel->delay_s = samples->delay_s;
    if (!rig_channel_decays(rig, samples->channel))
        return;
    segmenter_feed(channel->segmenter, block->first_index, samples->displacement, block->time_s, samples->flags,
                   block->scan_count, block->origin_s + samples->delay_s, block->period_s);
}

/* What is recorded is what the segmenters get. */
static void record(struct rig *rig, const struct scan_block *block)
{
    if (!recorder_take(rig->recorder, block))
        return;
    double room_s = recorder_extent(rig->recorder).room_s;
    if (room_s > 0)
        rig_tell(rig, NULL, "source_advice", "recorder_short", 0,
                 "%s: memory is enough to record the last %.3g s: raise memory_bytes of the recorder for more",
                 rig->description->device, room_s);
    else
        rig_tell(rig, NULL, "source_advice", "recorder_short", 0,
                 "%s: nothing is recorded, because the system does not give the memory for it: lower last_s or "
                 "memory_bytes of the recorder, or raise the daemon's limit on memory",
                 rig->description->device);
}

/* The order matters: gaps before the samples behind them, and the clock before a decay that ends in this block asks
 * for the time of its release. */
static void on_scans(void *context, const struct scan_block *block)
{
    struct rig *rig = context;
    if (is_over(rig) || block->scan_count == 0)
        return;
    if (rig->condition == RIG_STARTING) {
        rig->condition = RIG_RUNNING;
        rig_ring_downs_advise(rig);
    }
    rig->problem.text[0] = '\0'; /* a source that delivers is over what troubled it */
    rig->first_of_block = &rig->channels[block->channels[0].channel];
    if (block->first_index > rig->first_of_block->next_index)
        take_jump(rig, block);
    rig->scans += block->scan_count;
    if (rig->description->wall_clock)
        clock_anchor_note(&rig->anchor, last_scan_s(block));
    for (size_t i = 0; i < block->channel_count; i++)
        feed(rig, block, &block->channels[i]);
    rig_loops_take(rig, block);
    rig_ring_downs_take(rig, block);
    record(rig, block);
    rig_meter_signals(rig, block);
    pause_when_full(rig);
}

/* A decay that was running is not thrown away: it ends here with its reason. */
void rig_finish_segmenters(struct rig *rig, enum decay_end reason)
{
    for (size_t c = 0; c < rig->channel_count; c++) {
        segmenter_finish(rig->channels[c].segmenter, reason);
        rig_tell_held_drops(&rig->channels[c]);
    }
    rig_loops_finish(rig, reason);
    rig_ring_downs_finish(rig, reason);
}

/* A fault that is not final leaves the segmenters alone: the source may go on, and would show a gap. */
static void on_fault(void *context, const struct source_fault *fault)
{
    struct rig *rig = context;
    if (is_over(rig))
        return;
    if (fault->advice) {
        rig_tell(rig, NULL, "source_advice", fault->code, 0, "%s", fault->sentence);
        return;
    }
    complaint_set(&rig->problem, "%s", fault->sentence);
    if (fault->final) {
        rig->condition = RIG_FAILED;
        rig_finish_segmenters(rig, DECAY_END_END_OF_SOURCE);
    }
    if (!fault->repeated)
        rig_tell(rig, NULL, "source_fault", fault->code, 0, "%s", fault->sentence);
}

/* A device was opened, perhaps again: only now is it known how finely it measures. */
static void on_described(void *context, const char *sentence)
{
    struct rig *rig = context;
    if (is_over(rig))
        return;
    for (size_t c = 0; c < rig->channel_count; c++) {
        const struct segment_settings settings = rig_segment_settings(rig, &rig->description->channels[c]);
        segmenter_set_resolution(rig->channels[c].segmenter, settings.resolution);
        rig->statuses[c].resolution = settings.resolution;
    }
    rig_tell(rig, NULL, "source_started", NULL, 0, "%s", sentence);
}

static void on_end(void *context)
{
    struct rig *rig = context;
    if (is_over(rig))
        return;
    rig->condition = RIG_ENDED;
    rig_finish_segmenters(rig, DECAY_END_END_OF_SOURCE);
    rig_loops_tell_none(rig);
    rig_tell(rig, NULL, "source_ended", NULL, 0, "%s: the end, after %llu scans", rig->description->device,
             (unsigned long long)rig->scans);
}

struct source_listener rig_source_listener(struct rig *rig)
{
    return (struct source_listener){
        .scans = on_scans, .gap = on_gap, .fault = on_fault, .end = on_end, .described = on_described, .context = rig};
}
