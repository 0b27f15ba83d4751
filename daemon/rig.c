/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One rig: what its source tells goes to a segmenter a channel, what these find goes into the pipeline, and what a
 * user should know becomes an event. */

#include "rig.h"

#include "clock_anchor.h"
#include "drop_reports.h"
#include "signal_meter.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double signal_window_s = 0.1;

/* One channel: what its segmenter's listener is given as context. */
struct rig_channel {
    struct rig *rig;
    struct segmenter *segmenter;
    struct channel_status *status;
    struct drop_reports drops;
    uint64_t next_index; /* the scan that should come next */
    struct signal_meter meter;
    bool in_gap; /* scans are missing, how many is not known yet */
};

struct rig {
    /* Borrowed: until the rig follows another, or ends. */
    const struct rig_configuration *configuration;
    const char *config_id;
    struct pipeline *pipeline;
    struct rig_listener listener;
    struct source *source;
    const struct source_description *description; /* NULL: the source could not be opened */
    struct clock_anchor anchor;
    enum rig_condition condition;
    struct complaint problem; /* empty text: none */
    uint64_t scans, lost_scans, gaps, decays_lost;
    double signals_from_s;                    /* CLOCK_MONOTONIC when signals were shown last */
    const struct rig_channel *first_of_block; /* that is being taken in */
    size_t channel_count;
    struct rig_channel *channels;
    struct channel_status *statuses; /* one a channel, so that status can show them as an array */
};

const char *rig_name(const struct rig *rig)
{
    return rig->configuration->name;
}

const char *rig_source_kind(const struct rig *rig)
{
    return source_kind_name(rig->configuration->source_kind);
}

static void __attribute__((format(printf, 6, 7))) tell(struct rig *rig, const char *channel, const char *code,
                                                       const char *reason, uint64_t count, const char *format, ...)
{
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    struct service_event event = {.code = code,
                                  .sentence = sentence,
                                  .rig = rig_name(rig),
                                  .channel = channel,
                                  .source_kind = rig_source_kind(rig),
                                  .at_ns = clock_realtime_ns(),
                                  .reason = reason,
                                  .count = count};
    rig->listener.event(rig->listener.context, &event);
}

/* --- what the segmenters find --- */

/* NULL: nothing was configured of this channel. */
static const struct channel_configuration *configuration_of(const struct rig *rig, const char *channel)
{
    const struct rig_configuration *configuration = rig->configuration;
    for (size_t c = 0; c < configuration->channel_count; c++)
        if (strcmp(configuration->channels[c].name, channel) == 0)
            return &configuration->channels[c];
    return NULL;
}

/* The card's clock as an uncertainty of every time, relative. An error that was measured is not corrected: who looks at
 * samples and at results shall see the same seconds. A card that does not stream has no clock. */
static double clock_uncertainty(const struct source_description *description)
{
    static const double of_a_crystal = 1e-4;
    const struct source_clock *clock = &description->clock;
    if (!description->measures_clock || !(description->sample_rate_hz > 0))
        return 0;
    return isnan(clock->rate_error) ? of_a_crystal : hypot(clock->rate_error, clock->rate_error_se);
}

/* Everything about a decay that its samples do not say; copied, because the decay may outlive the rig. */
static struct decay_origin origin_of(const struct rig_channel *channel, const struct decay *decay)
{
    const struct rig *rig = channel->rig;
    const struct source_channel *source = &rig->description->channels[channel - rig->channels];
    const struct channel_configuration *configured = configuration_of(rig, channel->status->name);
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
                                             .remarks = configured ? configured->remarks : NULL};
    double rate_hz = decay->record.time_s ? 0 : rig->description->sample_rate_hz;
    struct decay_origin origin = decay_origin_make(&names, &rig->configuration->physical, rate_hz);
    origin.codes = source->codes;
    origin.calibration = source->codes.terms > 0 ? source->codes.calibration : source->calibration;
    double of_clock_ppm = 1e6 * clock_uncertainty(rig->description);
    double configured_ppm = origin.physical.u_clock_ppm;
    if (of_clock_ppm > 0)
        origin.physical.u_clock_ppm = hypot(configured_ppm > 0 ? configured_ppm : 0, of_clock_ppm);
    if (rig->description->wall_clock && isfinite(decay->released_s))
        origin.released_at_ns = clock_anchor_realtime_ns(&rig->anchor, decay->released_s);
    return origin;
}

/* Ownership of the decay goes on to the pipeline, which also tells when it has to refuse it. */
static void on_decay(void *context, struct decay *decay)
{
    struct rig_channel *channel = context;
    struct rig *rig = channel->rig;
    struct decay_origin origin = origin_of(channel, decay);
    if (pipeline_submit(rig->pipeline, &origin, decay, rig->description->may_pause) != 0)
        rig->decays_lost++;
}

/* A candidate that failed is worth an event: a user who pulled the mass wants to know why nothing came of it. */
static void on_dropped(void *context, enum drop_reason reason, double at_s)
{
    struct rig_channel *channel = context;
    if (drop_reports_take(&channel->drops, reason, clock_monotonic_s()))
        tell(channel->rig, channel->status->name, "decay_dropped", drop_reason_name(reason), 0,
             "a candidate at %.3f s did not become a decay: %s", at_s, drop_reason_sentence(reason));
}

/* Those of a channel that were not told of one by one. */
static void tell_held_drops(struct rig_channel *channel)
{
    for (int r = 0; r < DROP_REASONS; r++) {
        enum drop_reason reason = (enum drop_reason)r;
        uint64_t count = drop_reports_held(&channel->drops, reason);
        if (count > 0)
            tell(channel->rig, channel->status->name, "decay_dropped", drop_reason_name(reason), count,
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
            tell_held_drops(&rig->channels[c]);
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
    tell(rig, NULL, "gap", "time_stamps", lost, "%s: about %llu scans are missing before %.6f s",
         rig->description->device, (unsigned long long)lost, at_s);
}

static void on_progress(void *context, const struct segment_state *state)
{
    struct rig_channel *channel = context;
    channel->status->segment = *state;
    channel->rig->listener.progress(channel->rig->listener.context, channel->rig, channel->status);
}

/* --- what the source tells --- */

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
    if (lost > 0)
        channel->next_index = first_index + lost;
    channel->in_gap = lost == 0;
}

/* Every channel of the source is struck at once. */
static void on_gap(void *context, const struct source_gap *gap)
{
    struct rig *rig = context;
    if (is_over(rig))
        return;
    rig->lost_scans += gap->lost;
    rig->gaps++;
    for (size_t c = 0; c < rig->channel_count; c++)
        open_gap(&rig->channels[c], gap->first_index, gap->lost);
    if (gap->lost > 0)
        tell(rig, NULL, "gap", gap->reason, gap->lost, "%s: %llu scans were not delivered (%s)",
             rig->description->device, (unsigned long long)gap->lost, gap->reason);
    else
        tell(rig, NULL, "gap", gap->reason, 0, "%s: the stream is broken off (%s); what is missing will be counted",
             rig->description->device, gap->reason);
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
    tell(rig, block->channel_count == rig->channel_count ? NULL : rig->first_of_block->status->name, "gap",
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

/* Every tenth of a second, of all channels at once. */
static void show_signals(struct rig *rig)
{
    double now_s = clock_monotonic_s();
    double window_s = now_s - rig->signals_from_s;
    if (window_s < signal_window_s)
        return;
    for (size_t c = 0; c < rig->channel_count; c++) {
        struct rig_channel *channel = &rig->channels[c];
        const struct signal_meter *meter = &channel->meter;
        struct segment_state state;
        if (meter->samples == 0)
            continue;
        segmenter_state(channel->segmenter, &state);
        rig->listener.signal(rig->listener.context, &(struct service_signal){.rig = rig_name(rig),
                                                                             .channel = channel->status->name,
                                                                             .source_kind = rig_source_kind(rig),
                                                                             .unit = channel->status->unit,
                                                                             .window_s = window_s,
                                                                             .samples = meter->samples,
                                                                             .clipped = meter->clipped,
                                                                             .least = meter->least,
                                                                             .most = meter->most,
                                                                             .mean = signal_meter_mean(meter),
                                                                             .deviation = signal_meter_deviation(meter),
                                                                             .roughness = signal_meter_roughness(meter),
                                                                             .state = &state});
        channel->meter = (struct signal_meter){0};
    }
    rig->signals_from_s = now_s;
}

/* Nobody looks most of the time, and then nothing is worked out. */
static void meter_signals(struct rig *rig, const struct scan_block *block)
{
    if (!rig->listener.wants_signal || !rig->listener.wants_signal(rig->listener.context))
        return;
    for (size_t i = 0; i < block->channel_count; i++) {
        const struct channel_samples *samples = &block->channels[i];
        signal_meter_take(&rig->channels[samples->channel].meter, samples->displacement, samples->flags,
                          block->scan_count);
    }
    show_signals(rig);
}

static void feed(struct rig *rig, const struct scan_block *block, const struct channel_samples *samples)
{
    struct rig_channel *channel = &rig->channels[samples->channel];
    channel->next_index = block->first_index + block->scan_count;
    channel->in_gap = false;
    segmenter_feed(channel->segmenter, block->first_index, samples->displacement, block->time_s, samples->flags,
                   block->scan_count, block->origin_s + samples->delay_s, block->period_s);
}

/* The order matters: gaps before the samples behind them, and the clock before a decay that ends in this block asks
 * for the time of its release. */
static void on_scans(void *context, const struct scan_block *block)
{
    struct rig *rig = context;
    if (is_over(rig) || block->scan_count == 0)
        return;
    if (rig->condition == RIG_STARTING)
        rig->condition = RIG_RUNNING;
    rig->problem.text[0] = '\0'; /* a source that delivers is over what troubled it */
    rig->first_of_block = &rig->channels[block->channels[0].channel];
    if (block->first_index > rig->first_of_block->next_index)
        take_jump(rig, block);
    rig->scans += block->scan_count;
    if (rig->description->wall_clock)
        clock_anchor_note(&rig->anchor, last_scan_s(block));
    for (size_t i = 0; i < block->channel_count; i++)
        feed(rig, block, &block->channels[i]);
    meter_signals(rig, block);
    pause_when_full(rig);
}

/* A decay that was running is not thrown away: it ends here with its reason. */
static void finish_segmenters(struct rig *rig, enum decay_end reason)
{
    for (size_t c = 0; c < rig->channel_count; c++) {
        segmenter_finish(rig->channels[c].segmenter, reason);
        tell_held_drops(&rig->channels[c]);
    }
}

/* A fault that is not final leaves the segmenters alone: the source may go on, and would show a gap. */
static void on_fault(void *context, const struct source_fault *fault)
{
    struct rig *rig = context;
    if (is_over(rig))
        return;
    if (fault->advice) {
        tell(rig, NULL, "source_advice", fault->code, 0, "%s", fault->sentence);
        return;
    }
    complaint_set(&rig->problem, "%s", fault->sentence);
    if (fault->final) {
        rig->condition = RIG_FAILED;
        finish_segmenters(rig, DECAY_END_END_OF_SOURCE);
    }
    if (!fault->repeated)
        tell(rig, NULL, "source_fault", fault->code, 0, "%s", fault->sentence);
}

/* What the user configured counts more than what the source claims. */
static double resolution_of(double configured, const struct source_channel *source)
{
    return configured > 0 ? configured : source->resolution;
}

/* A recording without configured channels has those of its columns; they inherit the rig's settings. */
static const struct segment_settings *segment_settings_of(const struct rig *rig, const char *channel)
{
    const struct channel_configuration *configured = configuration_of(rig, channel);
    return configured ? &configured->segment : &rig->configuration->segment_defaults;
}

/* A device was opened, perhaps again: only now is it known how finely it measures. */
static void on_described(void *context, const char *sentence)
{
    struct rig *rig = context;
    if (is_over(rig))
        return;
    for (size_t c = 0; c < rig->channel_count; c++) {
        const struct source_channel *source = &rig->description->channels[c];
        segmenter_set_resolution(rig->channels[c].segmenter,
                                 resolution_of(segment_settings_of(rig, source->name)->resolution, source));
    }
    tell(rig, NULL, "source_started", NULL, 0, "%s", sentence);
}

static void on_end(void *context)
{
    struct rig *rig = context;
    if (is_over(rig))
        return;
    rig->condition = RIG_ENDED;
    finish_segmenters(rig, DECAY_END_END_OF_SOURCE);
    tell(rig, NULL, "source_ended", NULL, 0, "%s: the end, after %llu scans", rig->description->device,
         (unsigned long long)rig->scans);
}

/* --- construction --- */

/* What the source is called when it could not be opened. */
static const char *configured_device(const struct rig_configuration *configuration)
{
    switch (configuration->source_kind) {
    case SOURCE_RECORDING:
        return configuration->source.recording.path;
    case SOURCE_COMEDI:
        return configuration->source.comedi.device;
    case SOURCE_SIMULATED:
        break;
    }
    return "";
}

/* Sources tell of their mistakes in rig->problem, which status shows. */
static int open_source(struct rig *rig, struct event_base *base)
{
    const struct source_listener listener = {
        .scans = on_scans, .gap = on_gap, .fault = on_fault, .end = on_end, .described = on_described, .context = rig};
    const struct rig_configuration *configuration = rig->configuration;
    switch (configuration->source_kind) {
    case SOURCE_RECORDING:
        return recording_source_create(base, &configuration->source.recording, &listener, &rig->source, &rig->problem);
    case SOURCE_SIMULATED:
        return simulated_rig_create(base, &configuration->source.simulated, &listener, &rig->source, &rig->problem);
    case SOURCE_COMEDI:
        return comedi_source_create(base, &configuration->source.comedi, &listener, &rig->source, &rig->problem);
    }
    return -ENOTSUP;
}

static int create_channel(struct rig *rig, size_t index)
{
    const struct source_channel *source = &rig->description->channels[index];
    struct rig_channel *channel = &rig->channels[index];
    struct segment_settings settings = *segment_settings_of(rig, source->name);
    settings.resolution = resolution_of(settings.resolution, source);
    settings.stamps_tell_holes = !rig->description->tells_gaps;
    channel->rig = rig;
    channel->next_index = rig->description->first_index;
    channel->status = &rig->statuses[index];
    *channel->status = (struct channel_status){.name = source->name,
                                               .unit = source->unit,
                                               .start_below = settings.start_below,
                                               .stop_below = settings.stop_below,
                                               .min_half_cycles = settings.min_half_cycles};
    const struct segment_listener listener = {
        .decay = on_decay, .dropped = on_dropped, .progress = on_progress, .hole = on_hole, .context = channel};
    channel->segmenter = segmenter_create(&settings, &listener);
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
                       struct pipeline *pipeline, const struct rig_listener *listener)
{
    struct rig *rig = calloc(1, sizeof *rig);
    if (!rig)
        return NULL;
    rig->configuration = configuration;
    rig->config_id = config_id;
    rig->pipeline = pipeline;
    rig->listener = *listener;
    clock_anchor_init(&rig->anchor);
    if (open_source(rig, base) != 0) {
        rig->condition = RIG_FAILED;
        return rig;
    }
    rig->description = source_describe(rig->source);
    if (create_channels(rig) != 0) {
        rig_destroy(rig);
        return NULL;
    }
    return rig;
}

void rig_start(struct rig *rig)
{
    if (rig->condition == RIG_FAILED)
        tell(rig, NULL, "source_fault", "cannot_open", 0, "%s", rig->problem.text);
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
    tell(rig, name, "zeroed", NULL, 0, "%s: what was at %.9g %s is zero from now on", rig->description->device,
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

/* The segmenters are asked when somebody wants to know: between two questions nobody needs their state. */
struct rig_status rig_status(struct rig *rig)
{
    for (size_t c = 0; c < rig->channel_count; c++)
        segmenter_state(rig->channels[c].segmenter, &rig->statuses[c].segment);
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
                               .channel_count = rig->channel_count,
                               .channels = rig->statuses};
}

/* Segmenters first: their last decays must reach the pipeline before the source is silenced. */
void rig_stop(struct rig *rig, enum decay_end reason)
{
    if (rig->condition == RIG_RUNNING || rig->condition == RIG_PAUSED)
        finish_segmenters(rig, reason);
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
    free(rig->channels);
    free(rig->statuses);
    free(rig);
}
