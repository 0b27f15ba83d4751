/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_RIG_H
#define FRICID_RIG_H

#include "config/configuration.h"
#include "pipeline/pipeline.h"
#include "recorder/recorder.h"
#include "service/backend.h"
#include "service/service.h"

struct event_base;

/* One rig: its source, a segmenter a channel, and what status shows of them. Decays go into the pipeline. */
struct rig;

struct rig_listener {
    void (*event)(void *context, const struct service_event *event);
    void (*progress)(void *context, const struct rig *rig, const struct channel_status *channel);
    /* Whether anybody looks at signals, and what they look like; a few times a second. */
    bool (*wants_signal)(void *context);
    void (*signal)(void *context, const struct service_signal *shown);
    void *context;
};

/* A source that cannot be opened is not fatal: the rig then says so in its status and in an event. NULL when memory is
 * short. The configuration outlives the rig, or its next one; pipeline and recorders outlive it. */
struct rig *rig_create(struct event_base *base, const struct rig_configuration *configuration, const char *config_id,
                       struct pipeline *pipeline, struct recorder_pool *recorders, const struct rig_listener *listener);

void rig_start(struct rig *rig);

/* Whether the rig is, unchanged, the one of another configuration. Not when its source could never be opened: it is
 * worth another try. */
bool rig_follows(const struct rig *rig, const struct rig_configuration *configuration);

/* If so, goes on under that configuration, which outlives the rig, and loses nothing. */
bool rig_follow(struct rig *rig, const struct rig_configuration *configuration, const char *config_id);

/* The pipeline has room again: a paused source goes on. */
void rig_resume(struct rig *rig);

/* Makes a channel's present position its zero; see service_backend. */
int rig_zero(struct rig *rig, const char *channel, double *position, struct complaint *complaint);

const char *rig_name(const struct rig *rig);
const char *rig_source_kind(const struct rig *rig);

/* The place of a channel among those that saw one motion: 0 is the channel in whose unit the motion is told, the others
 * come in their order. SIZE_MAX: the rig has no such channel, or its source could not be opened. */
size_t rig_channel_rank(const struct rig *rig, const char *channel);

/* A result of this rig was published: `last` of its channel. */
void rig_note_result(struct rig *rig, const struct kept_result *result);

/* Once a second: reports dropped candidates that were too many to be told of one by one. */
void rig_tick(struct rig *rig);

/* What status shows; valid until the next call into the rig. */
struct rig_status rig_status(struct rig *rig);

/* Stops the source; running decays end for this reason and go into the pipeline. */
void rig_stop(struct rig *rig, enum decay_end reason);

void rig_destroy(struct rig *rig); /* NULL is fine */

#endif
