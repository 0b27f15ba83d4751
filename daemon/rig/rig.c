/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One rig: made of a source and a segmenter a channel, followed through configurations, stopped, and shown. */

#include "acquire/source_driver.h"
#include "proto/unrepeated.h"
#include "report/kinds/kind_work.h"
#include "rig/rig_state.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- construction --- */

/* What the source is called when it could not be opened. */
static const char *configured_device(const struct rig_configuration *configuration)
{
    const struct source_driver *driver = source_driver(configuration->source_kind);
    return driver->device ? driver->device(configuration->source) : "";
}

/* Sources tell of their mistakes in rig->problem, which status shows. */
static int open_source(struct rig *rig, struct event_base *base)
{
    const struct source_listener listener = rig_source_listener(rig);
    const struct rig_configuration *configuration = rig->configuration;
    return source_driver(configuration->source_kind)
        ->create(base, configuration->source, &listener, &rig->source, &rig->problem);
}

static int create_channel(struct rig *rig, size_t index)
{
    const struct source_channel *source = &rig->description->channels[index];
    struct rig_channel *channel = &rig->channels[index];
    struct segment_settings settings = rig_segment_settings(rig, source);
    settings.stamps_tell_holes = !rig->description->tells_gaps;
    channel->rig = rig;
    channel->next_index = rig->description->first_index;
    channel->status = &rig->statuses[index];
    *channel->status = (struct channel_status){.name = source->name,
                                               .unit = source->unit,
                                               .role = channel_role_name(rig_channel_role(rig, index)),
                                               .resolution = settings.resolution,
                                               .start_below = settings.start_below,
                                               .stop_below = settings.stop_below,
                                               .min_half_cycles = settings.min_half_cycles};
    const struct segment_listener listener = rig_segment_listener(channel);
    channel->segmenter = rig->configuration->kind->finder(&settings, &listener);
    return channel->segmenter ? 0 : -ENOMEM;
}

static int create_channels(struct rig *rig)
{
    rig->channel_count = rig->description->channel_count;
    rig->channels = calloc(rig->channel_count, sizeof *rig->channels);
    rig->statuses = calloc(rig->channel_count, sizeof *rig->statuses);
    if (!rig->channels || !rig->statuses)
        return -ENOMEM;
    for (size_t c = 0; c < rig->channel_count; c++)
        if (create_channel(rig, c) != 0)
            return -ENOMEM;
    return 0;
}

struct rig *rig_create(struct event_base *base, const struct rig_configuration *configuration, const char *config_id,
                       struct pipeline *pipeline, struct recorder_pool *recorders, const struct rig_listener *listener)
{
    struct rig *rig = calloc(1, sizeof *rig);
    if (!rig)
        return NULL;
    rig->configuration = configuration;
    rig->config_id = config_id;
    rig->pipeline = pipeline;
    rig->listener = *listener;
    clock_anchor_init(&rig->anchor);
    /* No two sources that ever begin have the same; where there are no random numbers, they begin at different times.
     */
    uint64_t drawn[2];
    (void)draw_unrepeated(drawn);
    rig->run_series = drawn[0];
    if (open_source(rig, base) != 0) {
        rig->condition = RIG_FAILED;
        return rig;
    }
    rig->description = source_describe(rig->source);
    rig->recorder = recorder_create(recorders, rig->description->channel_count);
    if (!rig->recorder || create_channels(rig) != 0 || rig_loops_create(rig) != 0 || rig_ring_downs_create(rig) != 0) {
        rig_destroy(rig);
        return NULL;
    }
    return rig;
}

void rig_start(struct rig *rig)
{
    if (rig->condition == RIG_FAILED)
        rig_tell(rig, NULL, "source_fault", "cannot_open", 0, "%s", rig->problem.text);
    else if (source_start(rig->source) != 0)
        rig->condition = RIG_FAILED;
}

bool rig_follows(const struct rig *rig, const struct rig_configuration *configuration)
{
    return rig->source && strcmp(rig->configuration->written, configuration->written) == 0;
}

/* Source and segmenters have copies of their settings, which are the same: nothing needs to be told to them. */
bool rig_follow(struct rig *rig, const struct rig_configuration *configuration, const char *config_id)
{
    if (!rig_follows(rig, configuration))
        return false;
    rig->configuration = configuration;
    rig->config_id = config_id;
    return true;
}

static struct rig_channel *channel_of(struct rig *rig, const char *name)
{
    for (size_t c = 0; c < rig->channel_count; c++)
        if (strcmp(rig->statuses[c].name, name) == 0)
            return &rig->channels[c];
    return NULL;
}

/* A record that is running ends: its displacement would step. */
int rig_zero(struct rig *rig, const char *name, double *position, struct complaint *complaint)
{
    struct rig_channel *channel = channel_of(rig, name);
    int error = channel ? source_zero(rig->source, (size_t)(channel - rig->channels), position) : -ENOTSUP;
    if (error == -EAGAIN)
        complaint_set(complaint, "rig %s, channel %s: nothing is measured now: see `fricidctl status`", rig_name(rig),
                      name);
    else if (error)
        complaint_set(complaint, "rig %s, channel %s: samples of a %s source have the zero that they were taken with",
                      rig_name(rig), name, rig_source_kind(rig));
    if (error)
        return error;
    segmenter_gap(channel->segmenter, 0);
    rig_loops_break(rig, (size_t)(channel - rig->channels), LOOP_CUT_GAP);
    rig_ring_downs_break(rig, (size_t)(channel - rig->channels), DECAY_END_GAP);
    recorder_break(rig->recorder, (size_t)(channel - rig->channels));
    rig_tell(rig, name, "zeroed", NULL, 0, "%s: what was at %.9g %s is zero from now on", rig->description->device,
             *position, channel->status->unit);
    return 0;
}

void rig_resume(struct rig *rig)
{
    if (rig->condition != RIG_PAUSED)
        return;
    rig->condition = RIG_RUNNING;
    source_resume(rig->source);
}

/* The channel is found by name: results come back from the pipeline long after their decays went in. */
void rig_note_result(struct rig *rig, const struct kept_result *result)
{
    for (size_t c = 0; c < rig->channel_count; c++) {
        if (strcmp(rig->statuses[c].name, result->of->origin.channel) != 0)
            continue;
        rig->statuses[c].last_result_id = result->of->id;
        rig->statuses[c].last_verdict = result->identification.verdict;
        rig->statuses[c].last_result_ns = clock_realtime_ns();
    }
}

/* The time of day when the source's clock is 0; INT64_MIN: not known. */
static int64_t zero_at_ns(const struct rig *rig)
{
    const struct source_description *description = rig->description;
    if (description && description->wall_clock)
        return clock_anchor_realtime_ns(&rig->anchor, 0);
    return description && description->dated ? description->zero_at_ns : INT64_MIN;
}

/* The segmenters are asked when somebody wants to know: between two questions nobody needs their state. */
struct rig_status rig_status(struct rig *rig)
{
    for (size_t c = 0; c < rig->channel_count; c++) {
        segmenter_state(rig->channels[c].segmenter, &rig->statuses[c].segment);
        rig_loops_state(rig, c, &rig->statuses[c].segment);
        rig_ring_downs_state(rig, c, &rig->statuses[c].segment);
    }
    bool measures_clock = rig->description && rig->description->measures_clock;
    const struct source_clock none = {NAN, NAN, NAN}, clock = measures_clock ? rig->description->clock : none;
    return (struct rig_status){.name = rig_name(rig),
                               .source_kind = rig_source_kind(rig),
                               .device =
                                   rig->description ? rig->description->device : configured_device(rig->configuration),
                               .sample_rate_hz = rig->description ? rig->description->sample_rate_hz : NAN,
                               .condition = rig->condition,
                               .problem = rig->problem.text[0] ? rig->problem.text : NULL,
                               .scans = rig->scans,
                               .lost_scans = rig->lost_scans,
                               .gaps = rig->gaps,
                               .decays_lost = rig->decays_lost,
                               .measures_clock = measures_clock,
                               .clock_rate_error = clock.rate_error,
                               .clock_rate_error_se = clock.rate_error_se,
                               .time_error_s = clock.time_error_s,
                               .clock_ppm = rig->description ? 1e6 * rig_clock_uncertainty(rig) : 0,
                               .stamps_error_s = rig->description ? rig_time_error_s(rig, true) : NAN,
                               .zero_at_ns = zero_at_ns(rig),
                               .tells_gaps = rig->description && rig->description->tells_gaps,
                               .recorder = rig->recorder,
                               .channel_count = rig->channel_count,
                               .channels = rig->statuses};
}

/* Segmenters first: their last decays must reach the pipeline before the source is silenced. */
void rig_stop(struct rig *rig, enum decay_end reason)
{
    if (rig->condition == RIG_RUNNING || rig->condition == RIG_PAUSED)
        rig_finish_segmenters(rig, reason);
    rig->condition = RIG_ENDED;
    if (rig->source)
        source_pause(rig->source);
}

void rig_destroy(struct rig *rig)
{
    if (!rig)
        return;
    /* Before the segmenters: nothing is told any more once the source is gone. */
    source_destroy(rig->source);
    for (size_t c = 0; c < rig->channel_count && rig->channels; c++)
        segmenter_destroy(rig->channels[c].segmenter);
    rig_loops_destroy(rig);
    rig_ring_downs_destroy(rig);
    recorder_destroy(rig->recorder);
    free(rig->channels);
    free(rig->statuses);
    free(rig);
}
