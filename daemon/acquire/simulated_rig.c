/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The simulated rig as a source: asks carriage and sensors scan by scan and delivers blocks from the event loop, in
 * real time or as fast as the daemon takes them. The interface is that of every source. */

#include "acquire/simulated_rig.h"

#include "acquire/simulated_carriage.h"
#include "acquire/simulated_random.h"
#include "acquire/simulated_sensor.h"

#include <errno.h>
#include <event2/event.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Scans delivered in one turn of the event loop. */
enum { BLOCK_SCANS = 4096 };

/* How often a rig in real time looks at the clock, µs. */
enum { REAL_TIME_TICK_US = 10000 };

/* Streams of chance; sensors follow. */
enum { HAND_STREAM, KICK_STREAM, FIRST_SENSOR_STREAM };

static const double mm_per_m = 1000;

struct rig_channel {
    struct simulated_channel_settings settings; /* the name is owned */
    struct simulated_random *random;
    struct simulated_sensor_state sensor;
    struct simulated_contact contact; /* of a driven rig, as this channel sees it */
    double displacement[BLOCK_SCANS]; /* mm */
    double zero;                      /* what is taken for 0, mm */
    uint8_t flags[BLOCK_SCANS];
};

struct simulated_rig {
    struct source source; /* first: a source is this */
    struct source_listener listener;
    struct source_description description;
    struct source_channel *described; /* one a channel */
    struct channel_samples *samples;  /* one a channel */
    struct simulated_rig_settings settings;
    struct rig_channel *channels;
    struct simulated_random *hand_random, *kick_random;
    struct simulated_carriage carriage;
    struct simulated_beam beam;
    struct event *turn;  /* when the next block is due */
    double started_s;    /* CLOCK_MONOTONIC */
    size_t latest_count; /* scans of the latest block */
    uint64_t next_index; /* the scan to deliver next */
    uint64_t end_index;  /* where the source ends; UINT64_MAX: never */
    bool paused, ended;
};

static struct simulated_rig *rig_of(struct source *source)
{
    return (struct simulated_rig *)source;
}

/* --- scans --- */

/* What is before a channel's sensor: mm, N, or m/s2. */
static double value_at(struct simulated_rig *rig, struct rig_channel *channel, double time_s)
{
    const bool driven = rig->settings.drive.shape != SIMULATED_NOT_DRIVEN;
    if (channel->settings.sensor == SIMULATED_ACCELEROMETER) {
        simulated_beam_advance(&rig->beam, time_s);
        return simulated_beam_acceleration(&rig->beam, channel->settings.position);
    }
    if (channel->settings.sensor == SIMULATED_FORCE)
        return simulated_contact_force(&channel->contact, time_s - channel->settings.delay_s);
    if (channel->settings.sensor == SIMULATED_NORMAL)
        return rig->settings.contact.normal_n;
    const double displacement = driven ? simulated_contact_displacement(&channel->contact, time_s)
                                       : simulated_carriage_displacement(&rig->carriage, time_s);
    return mm_per_m * (displacement + rig->settings.mechanics.drift_m_per_s * time_s);
}

/* Scan by scan, for the carriage only goes forward in time; what a sensor draws from chance then depends on the scan
 * alone and not on how the stream is cut into blocks. */
static void simulate(struct simulated_rig *rig, size_t count)
{
    double period_s = 1 / rig->settings.sample_rate_hz;
    size_t channels = rig->settings.channel_count;
    for (size_t i = 0; i < count; i++) {
        double scan_s = (double)(rig->next_index - rig->settings.first_scan + i) * period_s;
        for (size_t c = 0; c < channels; c++) {
            struct rig_channel *channel = &rig->channels[c];
            /* The multiplexer looks at one channel after the other. */
            double time_s = scan_s + (double)c * rig->settings.channel_delay_s;
            channel->displacement[i] =
                simulated_sensor_read(&channel->sensor, value_at(rig, channel, time_s), &channel->flags[i]) -
                channel->zero;
        }
    }
}

/* The index moves on before the listener is called: it may pause the source in there. */
static void deliver(struct simulated_rig *rig, size_t count)
{
    const struct scan_block block = {.first_index = rig->next_index,
                                     .scan_count = count,
                                     .period_s = 1 / rig->settings.sample_rate_hz,
                                     .channel_count = rig->settings.channel_count,
                                     .channels = rig->samples};
    simulate(rig, count);
    rig->next_index += count;
    rig->latest_count = count;
    rig->listener.scans(rig->listener.context, &block);
}

/* --- turns of the event loop --- */

/* The index behind the last scan that may be delivered now. A virtual clock owes everything at once; blocks and
 * turns of the loop bound what comes of it. */
static uint64_t due(const struct simulated_rig *rig)
{
    if (!rig->settings.real_time)
        return rig->end_index;
    double scans = floor((source_monotonic_s() - rig->started_s) * rig->settings.sample_rate_hz);
    uint64_t first = rig->settings.first_scan;
    return scans < (double)(rig->end_index - first) ? first + (uint64_t)scans : rig->end_index;
}

static void tell_end(struct simulated_rig *rig)
{
    rig->ended = true;
    if (rig->listener.end)
        rig->listener.end(rig->listener.context);
}

/* A virtual clock goes on in the next turn, and so does real time that lags behind. */
static void schedule(struct simulated_rig *rig, bool lags)
{
    struct timeval wait = {.tv_usec = lags ? 0 : REAL_TIME_TICK_US};
    if (event_add(rig->turn, &wait) == 0)
        return;
    const struct source_fault fault = {
        .code = "no_memory", .sentence = "simulated rig: the event loop cannot wait: memory is short", .final = true};
    if (rig->listener.fault)
        rig->listener.fault(rig->listener.context, &fault);
    tell_end(rig);
}

static void on_turn(evutil_socket_t fd, short what, void *context)
{
    struct simulated_rig *rig = context;
    (void)fd;
    (void)what;
    uint64_t end = due(rig);
    uint64_t count = end > rig->next_index ? end - rig->next_index : 0;
    if (count > 0)
        deliver(rig, count < BLOCK_SCANS ? (size_t)count : BLOCK_SCANS);
    if (rig->next_index == rig->end_index) {
        tell_end(rig);
    } else if (!rig->paused) {
        schedule(rig, !rig->settings.real_time || count > BLOCK_SCANS);
    }
}

/* --- what every source can do --- */

static const struct source_description *describe(const struct source *source)
{
    return &((const struct simulated_rig *)source)->description;
}

static int start(struct source *source)
{
    struct simulated_rig *rig = rig_of(source);
    rig->started_s = source_monotonic_s();
    if (!rig->paused)
        schedule(rig, !rig->settings.real_time);
    return 0;
}

/* Real time does not wait: whoever cannot keep up loses data, and must say so. */
static void pause_rig(struct source *source)
{
    struct simulated_rig *rig = rig_of(source);
    if (!rig->description.may_pause)
        return;
    rig->paused = true;
    event_del(rig->turn);
}

static void resume(struct source *source)
{
    struct simulated_rig *rig = rig_of(source);
    if (!rig->paused)
        return;
    rig->paused = false;
    if (!rig->ended)
        schedule(rig, true);
}

/* The latest sample is where the carriage is; it stays in the block until the next is made. */
static int set_zero(struct source *source, size_t c, double *position)
{
    struct simulated_rig *rig = rig_of(source);
    if (rig->latest_count == 0 || rig->ended)
        return -EAGAIN;
    *position = rig->channels[c].displacement[rig->latest_count - 1];
    rig->channels[c].zero += *position;
    return 0;
}

static void destroy(struct source *source)
{
    struct simulated_rig *rig = rig_of(source);
    if (rig->turn)
        event_free(rig->turn);
    for (size_t c = 0; rig->channels && c < rig->settings.channel_count; c++) {
        simulated_random_destroy(rig->channels[c].random);
        free((char *)rig->channels[c].settings.name);
    }
    simulated_beam_clear(&rig->beam);
    simulated_random_destroy(rig->hand_random);
    simulated_random_destroy(rig->kick_random);
    free(rig->channels);
    free(rig->described);
    free(rig->samples);
    free(rig);
}

static const struct source_methods methods = {
    .describe = describe, .start = start, .pause = pause_rig, .resume = resume, .zero = set_zero, .destroy = destroy};

/* --- construction --- */

static void init_description(struct simulated_rig *rig)
{
    rig->description = (struct source_description){.kind = SOURCE_SIMULATED,
                                                   .device = "simulated rig",
                                                   .sample_rate_hz = rig->settings.sample_rate_hz,
                                                   .first_index = rig->settings.first_scan,
                                                   .may_pause = !rig->settings.real_time,
                                                   .wall_clock = rig->settings.real_time,
                                                   .channel_count = rig->settings.channel_count,
                                                   .channels = rig->described};
}

/* Each channel has its own chance: adding one changes nothing in the others. */
static int init_channel(struct simulated_rig *rig, size_t c, const struct simulated_channel_settings *settings)
{
    struct rig_channel *channel = &rig->channels[c];
    channel->settings = *settings;
    channel->settings.name = strdup(settings->name);
    channel->random = simulated_random_create(rig->settings.seed, FIRST_SENSOR_STREAM + c);
    if (!channel->settings.name || !channel->random)
        return -ENOMEM;
    simulated_sensor_init(&channel->sensor, &channel->settings, channel->random);
    simulated_contact_init(&channel->contact, &rig->settings.drive, &rig->settings.contact);
    rig->described[c] = (struct source_channel){.name = channel->settings.name,
                                                .unit = simulated_sensor_unit(settings->sensor),
                                                .resolution = simulated_sensor_resolution(settings),
                                                .codes = simulated_sensor_codes(&channel->sensor),
                                                .calibration = settings->calibration};
    rig->samples[c] = (struct channel_samples){.channel = c,
                                               .displacement = channel->displacement,
                                               .flags = channel->flags,
                                               .delay_s = (double)c * rig->settings.channel_delay_s};
    return 0;
}

/* Three arrays of equal length: what the rig works with, what it describes, and what it delivers. */
static int init_channels(struct simulated_rig *rig, const struct simulated_channel_settings *settings)
{
    size_t count = rig->settings.channel_count;
    rig->channels = calloc(count, sizeof *rig->channels);
    rig->described = calloc(count, sizeof *rig->described);
    rig->samples = calloc(count, sizeof *rig->samples);
    if (!rig->channels || !rig->described || !rig->samples)
        return -ENOMEM;
    for (size_t c = 0; c < count; c++) {
        int error = init_channel(rig, c, &settings[c]);
        if (error)
            return error;
    }
    return 0;
}

static int init(struct simulated_rig *rig, struct event_base *base, const struct simulated_rig_settings *settings)
{
    rig->settings = *settings;
    rig->settings.channels = NULL;
    rig->end_index = UINT64_MAX;
    rig->next_index = settings->first_scan;
    if (settings->duration_s > 0)
        rig->end_index = settings->first_scan + (uint64_t)ceil(settings->duration_s * settings->sample_rate_hz);
    rig->hand_random = simulated_random_create(settings->seed, HAND_STREAM);
    rig->kick_random = simulated_random_create(settings->seed, KICK_STREAM);
    rig->turn = evtimer_new(base, on_turn, rig);
    if (!rig->hand_random || !rig->kick_random || !rig->turn)
        return -ENOMEM;
    simulated_carriage_init(&rig->carriage, &settings->mechanics, &settings->hand, rig->hand_random, rig->kick_random);
    int error = simulated_beam_init(&rig->beam, &rig->settings.beam, rig->hand_random);
    if (!error)
        error = init_channels(rig, settings->channels);
    init_description(rig);
    return error;
}

int simulated_rig_create(struct event_base *base, const struct simulated_rig_settings *settings,
                         const struct source_listener *listener, struct source **source, struct complaint *complaint)
{
    *source = NULL;
    int error = simulated_rig_check(settings, complaint);
    if (error)
        return error;
    struct simulated_rig *rig = calloc(1, sizeof *rig);
    if (rig) {
        rig->source.methods = &methods;
        rig->listener = *listener;
        error = init(rig, base, settings);
    }
    if (!rig || error) {
        complaint_set(complaint, "simulated rig: memory is short");
        if (rig)
            destroy(&rig->source);
        return -ENOMEM;
    }
    *source = &rig->source;
    return 0;
}
