/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_RIG_STATE_H
#define FRICID_RIG_STATE_H

#include "acquire/source.h"
#include "rig/drop_reports.h"
#include "rig/rig.h"
#include "rig/signal_meter.h"
#include "segment/loop_cutter.h"
#include "segment/ring_down_cutter.h"
#include "segment/run_grouping.h"
#include "system/clock_anchor.h"

#include <stdbool.h>
#include <stdint.h>

/* What a rig is made of; for rig.c, which makes it, rig_stream.c, which takes in what its source tells, rig_decays.c,
 * which sends on what its segmenters find, rig_loops.c, which cuts loops, rig_ring_downs.c, which cuts ring-downs,
 * and rig_signals.c, which shows what its sensors say. */

struct rig_loops;
struct rig_ring_downs;

/* One channel: what its segmenter's listener is given as context. */
struct rig_channel {
    struct rig *rig;
    struct segmenter *segmenter;
    struct channel_status *status;
    struct drop_reports drops;
    uint64_t next_index; /* the scan that should come next */
    double delay_s;      /* of the latest samples, after the start of their scan */
    struct signal_meter meter;
    bool in_gap; /* scans are missing, how many is not known yet */
};

struct rig {
    /* Borrowed: until the rig follows another, or ends. */
    const struct rig_configuration *configuration;
    const char *config_id;
    struct pipeline *pipeline;
    struct rig_listener listener;
    struct recorder *recorder; /* NULL: there is nothing to record */
    struct source *source;
    const struct source_description *description; /* NULL: the source could not be opened */
    struct rig_loops *loops;                      /* NULL: no two channels make any */
    struct rig_ring_downs *ring_downs;            /* NULL: no channel is an accelerometer */
    struct clock_anchor anchor;
    struct run_grouping runs;
    uint64_t run_series; /* random: the runs of this rig since its source began, of all rigs and daemons */
    enum rig_condition condition;
    struct complaint problem; /* empty text: none */
    uint64_t scans, lost_scans, gaps, decays_lost;
    bool shows_signals;                       /* somebody looks */
    double signals_from_s;                    /* CLOCK_MONOTONIC when signals were shown last */
    const struct rig_channel *first_of_block; /* that is being taken in */
    size_t channel_count;
    struct rig_channel *channels;
    struct channel_status *statuses; /* one a channel, so that status can show them as an array */
};

/* An event of the rig, or of one of its channels. */
void rig_tell(struct rig *rig, const char *channel, const char *code, const char *reason, uint64_t count,
              const char *format, ...) __attribute__((format(printf, 6, 7)));

/* NULL: nothing was configured of this channel. */
const struct channel_configuration *rig_channel_configuration(const struct rig *rig, const char *channel);

/* With the resolution that is configured or, without one, the source's. */
struct segment_settings rig_segment_settings(const struct rig *rig, const struct source_channel *source);

/* Who hears what the source tells, and what a channel's segmenter finds. */
struct source_listener rig_source_listener(struct rig *rig);
struct segment_listener rig_segment_listener(struct rig_channel *channel);

/* A decay that is running is not thrown away: it ends here with its reason. */
void rig_finish_segmenters(struct rig *rig, enum decay_end reason);

/* Those dropped candidates of a channel that were not told of one by one. */
void rig_tell_held_drops(struct rig_channel *channel);

/* The uncertainty of the source's clock, relative; 0: none that is known. */
double rig_clock_uncertainty(const struct rig *rig);

/* How far the times of a decay may be from those of the rig's other channels, s; NAN: not known. */
double rig_time_error_s(const struct rig *rig, bool stamped);

/* The samples of a block, for those who look at signals. */
void rig_meter_signals(struct rig *rig, const struct scan_block *block);

/* The loops of a rig that has a channel of the role displacement and one of the role force: they go into the pipeline
 * run by run. A rig without these has none, and nothing below does anything for it. */

/* When the rig's source is open. 0 or -ENOMEM; units that are no lengths and forces, or angles and torques, are told of
 * when the first scan comes. */
int rig_loops_create(struct rig *rig);
void rig_loops_destroy(struct rig *rig);

void rig_loops_take(struct rig *rig, const struct scan_block *block);

/* A channel's stream is broken off; a channel that no loop is made of is no reason. */
void rig_loops_break(struct rig *rig, size_t channel, enum loop_cut_end reason);

/* Whether the motion of a channel in that time is driven: loops of it that dissipate energy by the force of the rig
 * take more than half of the time, and its configuration says that a drive moves it; that it may be is told once. */
bool rig_loops_drive(struct rig *rig, size_t channel, double begin_s, double end_s);

/* Fills in what its segmenter does not know of a channel that loops are made of; no decay is missing of what a drive
 * moves. */
void rig_loops_state(const struct rig *rig, size_t channel, struct segment_state *state);

/* Nothing more will come. */
void rig_loops_finish(struct rig *rig, enum decay_end reason);

/* The source has ended: it tells that there was neither a loop nor a decay, where that is so. */
void rig_loops_tell_none(struct rig *rig);

/* The ring-downs of a rig whose channels have the role accelerometer; else as for loops. Sensors in different units, or
 * in one that is of no motion, are told of when the first scan comes. */
int rig_ring_downs_create(struct rig *rig);

/* When the source delivers: tells of the channels that measure an acceleration and have no role, which is easily
 * forgotten. */
void rig_ring_downs_advise(struct rig *rig);

void rig_ring_downs_destroy(struct rig *rig);
void rig_ring_downs_take(struct rig *rig, const struct scan_block *block);
void rig_ring_downs_break(struct rig *rig, size_t channel, enum decay_end reason);
void rig_ring_downs_finish(struct rig *rig, enum decay_end reason);

/* Fills in what its segmenter does not know of a channel that is an accelerometer. */
void rig_ring_downs_state(const struct rig *rig, size_t channel, struct segment_state *state);

enum channel_role rig_channel_role(const struct rig *rig, size_t channel);

/* Whether a channel is searched for decays, too. */
bool rig_channel_decays(const struct rig *rig, size_t channel);

#endif
