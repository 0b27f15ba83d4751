/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Scans of the accelerometers of a structure on their way to the cutter, and ring-downs on theirs to the pipeline. */

#include "identify/ring_down/ring_down.h"
#include "report/kinds/kind_work.h"
#include "rig/rig_state.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stamps that are so many times as far apart as they should be leave a gap: a scan is missing between them. */
static const double gap_periods = 1.5;

struct rig_ring_downs {
    struct rig *rig;
    struct ring_down_cutter *cutter; /* NULL: made when the first scan comes, and never where units do not fit */
    size_t count, channel[KIND_SENSORS_MOST];
    double delay_s[KIND_SENSORS_MOST]; /* of their latest samples, after the start of a scan */
    double latest_s;                   /* time of the latest scan; NAN: none since the last break */
    uint64_t scans, found;             /* taken in; ring-downs */
    bool told;                         /* why there is no cutter */
};

static const struct source_channel *sensor_of(const struct rig_ring_downs *ring_downs, size_t place)
{
    return &ring_downs->rig->description->channels[ring_downs->channel[place]];
}

/* --- what was found --- */

/* The names of several sensors, with commas between them. */
static void list_sensors(const struct rig_ring_downs *ring_downs, char *text, size_t size)
{
    size_t used = 0;
    for (size_t m = 0; ring_downs->count > 1 && m < ring_downs->count && used < size; m++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", m > 0 ? "," : "", sensor_of(ring_downs, m)->name);
}

static struct decay_origin origin_of(const struct rig_ring_downs *ring_downs, const struct decay *decay)
{
    const struct rig *rig = ring_downs->rig;
    const struct source_channel *sensor = sensor_of(ring_downs, 0);
    const struct channel_configuration *configured = rig_channel_configuration(rig, sensor->name);
    const struct record_kind *kind = record_kind_named("ring_down");
    char sensors[sizeof((struct decay_origin *)NULL)->columns] = "";
    list_sensors(ring_downs, sensors, sizeof sensors);
    const struct decay_origin_names names = {.rig = rig_name(rig),
                                             .channel = sensor->name,
                                             .source_kind = rig_source_kind(rig),
                                             .device = rig->description->device,
                                             .config_id = rig->config_id,
                                             .unit = sensor->unit,
                                             .board = rig->description->board,
                                             .driver = rig->description->driver,
                                             .serial = rig->description->serial,
                                             .calibrated_on = configured ? configured->calibrated_on : NULL,
                                             .remarks = configured ? configured->remarks : NULL,
                                             .read_as = rig->description->read_as,
                                             .kind = kind->name,
                                             .columns = sensors,
                                             .quantity = samples_quantity(kind, sensor->unit)};
    const double rate_hz = decay->record.time_s ? 0 : rig->description->sample_rate_hz;
    struct decay_origin origin = decay_origin_make(&names, &rig->configuration->physical, rate_hz);
    record_tell_delays(ring_downs->delay_s, ring_downs->count, &origin);
    origin.time_error_s = rig_time_error_s(rig, decay->record.time_s != NULL);
    /* The figures of several sensors have no calibration in common. */
    if (ring_downs->count == 1) {
        origin.codes = sensor->codes;
        origin.calibration = sensor->codes.terms > 0 ? sensor->codes.calibration : sensor->calibration;
    }
    decay_origin_add_clock(&origin, 1e6 * rig_clock_uncertainty(rig));
    if (rig->description->wall_clock)
        origin.released_at_ns = clock_anchor_realtime_ns(&rig->anchor, decay->released_s);
    else if (rig->description->dated)
        origin.released_at_ns = decay_released_at_ns(rig->description->zero_at_ns, decay->released_s);
    return origin;
}

static void on_given_up(void *context)
{
    struct rig_ring_downs *ring_downs = context;
    rig_tell(ring_downs->rig, sensor_of(ring_downs, 0)->name, "ring_down_given_up", "no_memory", 0,
             "there is not enough memory for the ring-down that runs");
}

static void on_ring_down(void *context, struct decay *decay)
{
    struct rig_ring_downs *ring_downs = context;
    struct rig *rig = ring_downs->rig;
    const struct decay_origin origin = origin_of(ring_downs, decay);
    const char *end = decay_end_name(decay->ended_by);
    ring_downs->found++;
    rig_tell(rig, sensor_of(ring_downs, 0)->name, "ring_down", end, ring_downs->found,
             "a blow at %.4f s: its ring-down ended by %s", decay->released_s, end);
    if (pipeline_submit(rig->pipeline, &origin, decay, rig->description->may_pause,
                        rig->description->kind == SOURCE_RECORDING) != 0)
        rig->decays_lost++;
}

/* --- from a description to a cutter --- */

static bool in_one_unit(const struct rig_ring_downs *ring_downs)
{
    const char *unit = sensor_of(ring_downs, 0)->unit;
    for (size_t m = 1; m < ring_downs->count; m++)
        if (strcmp(sensor_of(ring_downs, m)->unit, unit) != 0)
            return false;
    return motion_unit_of(unit).quantity;
}

static struct ring_down_cutter *make_cutter(struct rig_ring_downs *ring_downs, const struct scan_block *block)
{
    const struct segment_settings segment = rig_segment_settings(ring_downs->rig, sensor_of(ring_downs, 0));
    const double rows = (double)segment.max_samples / (double)ring_downs->count;
    const struct ring_down_cutter_settings settings = {
        .sensors = ring_downs->count,
        .most_rows = (size_t)fmin(fmin(rows, RING_DOWN_SAMPLES_MOST), segment.max_duration_s / block->period_s),
        .period_s = block->period_s,
        .stamped = block->time_s,
    };
    const struct ring_down_cut_listener listener = {
        .ring_down = on_ring_down, .given_up = on_given_up, .context = ring_downs};
    return ring_down_cutter_create(&settings, &listener);
}

/* Units and the period are known when the source delivers. False: there are no ring-downs to be cut. */
static bool is_ready(struct rig_ring_downs *ring_downs, const struct scan_block *block)
{
    if (ring_downs->cutter || ring_downs->told)
        return ring_downs->cutter;
    const bool fits = in_one_unit(ring_downs);
    const bool paced = block->period_s > 0;
    ring_downs->cutter = fits && paced ? make_cutter(ring_downs, block) : NULL;
    ring_downs->told = !ring_downs->cutter;
    if (!fits)
        rig_tell(ring_downs->rig, NULL, "source_advice", "ring_down_units", 0,
                 "no ring-downs are made: the accelerometers of a rig need one unit, of an acceleration, a velocity or "
                 "a displacement, such as m/s2");
    else if (!paced)
        rig_tell(ring_downs->rig, NULL, "source_advice", "ring_down_pace", 0,
                 "no ring-downs are made: scans have to come at a steady rate");
    else if (!ring_downs->cutter)
        on_given_up(ring_downs);
    return ring_downs->cutter;
}

int rig_ring_downs_create(struct rig *rig)
{
    struct rig_ring_downs *ring_downs = calloc(1, sizeof *ring_downs);
    if (!ring_downs)
        return -ENOMEM;
    *ring_downs = (struct rig_ring_downs){.rig = rig, .latest_s = NAN};
    for (size_t c = 0; c < rig->description->channel_count && ring_downs->count < KIND_SENSORS_MOST; c++)
        if (rig_channel_role(rig, c) == ROLE_ACCELEROMETER)
            ring_downs->channel[ring_downs->count++] = c;
    if (ring_downs->count == 0)
        free(ring_downs);
    else
        rig->ring_downs = ring_downs;
    return 0;
}

void rig_ring_downs_advise(struct rig *rig)
{
    for (size_t c = 0; c < rig->description->channel_count; c++) {
        const struct source_channel *sensor = &rig->description->channels[c];
        const char *quantity = motion_unit_of(sensor->unit).quantity;
        if (rig_channel_role(rig, c) != ROLE_NONE || !quantity || strcmp(quantity, QUANTITY_ACCELERATION) != 0)
            continue;
        rig_tell(rig, sensor->name, "source_advice", "acceleration_decays", 0,
                 "the unit %s is of an acceleration, and the channel is searched for free decays of one mass: if it "
                 "sits on a structure that a hammer hits, say so with role = \"accelerometer\" in the channel, and "
                 "its blows make ring-downs",
                 sensor->unit);
    }
}

void rig_ring_downs_destroy(struct rig *rig)
{
    if (rig->ring_downs)
        ring_down_cutter_destroy(rig->ring_downs->cutter);
    free(rig->ring_downs);
    rig->ring_downs = NULL;
}

/* --- scans --- */

static const struct channel_samples *samples_of(const struct scan_block *block, size_t channel)
{
    for (size_t i = 0; i < block->channel_count; i++)
        if (block->channels[i].channel == channel)
            return &block->channels[i];
    return NULL;
}

static void break_off(struct rig_ring_downs *ring_downs, enum decay_end reason)
{
    ring_down_cutter_break(ring_downs->cutter, reason);
    ring_downs->latest_s = NAN;
}

static void take_scan(struct rig_ring_downs *ring_downs, const struct channel_samples *const *samples, size_t scan,
                      double time_s, double period_s)
{
    double values[KIND_SENSORS_MOST];
    uint8_t flags[KIND_SENSORS_MOST];
    bool finite = true;
    for (size_t m = 0; m < ring_downs->count; m++) {
        values[m] = samples[m]->displacement[scan];
        flags[m] = samples[m]->flags ? samples[m]->flags[scan] : 0;
        finite = finite && isfinite(values[m]);
    }
    const double apart_s = time_s - ring_downs->latest_s; /* NAN: no scan came before */
    if (!finite || apart_s > gap_periods * period_s || apart_s <= 0)
        break_off(ring_downs, DECAY_END_GAP);
    if (!finite)
        return;
    ring_down_cutter_feed(ring_downs->cutter, values, flags, time_s);
    ring_downs->latest_s = time_s;
    ring_downs->scans++;
}

/* Sensors that are not sampled together are no record. */
static bool all_are_there(struct rig_ring_downs *ring_downs, const struct scan_block *block,
                          const struct channel_samples **samples)
{
    size_t there = 0;
    for (size_t m = 0; m < ring_downs->count; m++) {
        samples[m] = samples_of(block, ring_downs->channel[m]);
        there += samples[m] != NULL;
    }
    if (there > 0 && there < ring_downs->count && !ring_downs->told) {
        ring_downs->told = true;
        rig_tell(ring_downs->rig, NULL, "source_advice", "ring_down_apart", 0,
                 "no ring-downs are made: the accelerometers of a rig are sampled together: stream all of them, or "
                 "poll all of them");
    }
    return there == ring_downs->count;
}

void rig_ring_downs_take(struct rig *rig, const struct scan_block *block)
{
    struct rig_ring_downs *ring_downs = rig->ring_downs;
    const struct channel_samples *samples[KIND_SENSORS_MOST];
    if (!ring_downs || !all_are_there(ring_downs, block, samples) || !is_ready(ring_downs, block))
        return;
    for (size_t m = 0; m < ring_downs->count; m++)
        ring_downs->delay_s[m] = samples[m]->delay_s;
    for (size_t i = 0; i < block->scan_count; i++) {
        const double time_s = block->time_s ? block->time_s[i]
                                            : block->origin_s + ring_downs->delay_s[0] +
                                                  (double)(block->first_index + i) * block->period_s;
        take_scan(ring_downs, samples, i, time_s, block->period_s);
    }
}

void rig_ring_downs_break(struct rig *rig, size_t channel, enum decay_end reason)
{
    struct rig_ring_downs *ring_downs = rig->ring_downs;
    for (size_t m = 0; ring_downs && ring_downs->cutter && m < ring_downs->count; m++)
        if (ring_downs->channel[m] == channel)
            break_off(ring_downs, reason);
}

void rig_ring_downs_finish(struct rig *rig, enum decay_end reason)
{
    if (rig->ring_downs && rig->ring_downs->cutter)
        break_off(rig->ring_downs, reason);
}

void rig_ring_downs_state(const struct rig *rig, size_t channel, struct segment_state *state)
{
    const struct rig_ring_downs *ring_downs = rig->ring_downs;
    for (size_t m = 0; ring_downs && ring_downs->cutter && m < ring_downs->count; m++)
        if (ring_downs->channel[m] == channel) {
            state->phase = ring_down_cutter_runs(ring_downs->cutter) ? SEGMENT_DECAYING : SEGMENT_IDLE;
            state->samples = ring_downs->scans;
            state->decays = ring_downs->found;
        }
}
