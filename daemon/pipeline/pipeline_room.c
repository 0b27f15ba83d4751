/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How much is on its way through the pipeline, what its listener is told, and when it is the turn of what waits in the
 * store. */

#include "pipeline/pipeline_state.h"

/* Nothing is lost unsaid. */
void pipeline_tell_lost(struct pipeline *pipeline, const struct decay_origin *origin, const char *reason,
                        const char *sentence)
{
    if (pipeline->listener.lost)
        pipeline->listener.lost(pipeline->listener.context, origin, reason, sentence);
}

void pipeline_tell(struct pipeline *pipeline, const char *code, const char *sentence)
{
    if (pipeline->listener.told)
        pipeline->listener.told(pipeline->listener.context, code, sentence);
}

void pipeline_tell_known(struct pipeline *pipeline)
{
    struct known_decays *known = &pipeline->known;
    if (known->count > 0 && pipeline->listener.known)
        pipeline->listener.known(pipeline->listener.context, &known->origin, known->count, known->latest_id);
    known->count = 0;
}

/* What counts against queue_max_bytes. In memory nothing is ever safe, and everything counts. */
size_t pipeline_queued_bytes(const struct pipeline *pipeline)
{
    return pipeline->unstored + (pipeline->reader ? 0 : pipeline->unidentified);
}

/* A source that waits also waits for the identifier: the disk is not its queue. */
bool pipeline_has_room(const struct pipeline *pipeline, size_t part)
{
    const size_t waiting = pipeline->unstored + pipeline->unidentified + pipeline->without_ladder;
    return waiting <= pipeline->settings.queue_max_bytes / part &&
           !(pipeline->reader && (pipeline->backlog.wanted || pipeline->backlog.running));
}

bool pipeline_wants_pause(const struct pipeline *pipeline)
{
    return !pipeline_has_room(pipeline, 2);
}

/* Sources resume at a quarter and pause at half of the limit: in between nothing happens, so that they do not
 * flutter. */
void pipeline_tell_drained(struct pipeline *pipeline, bool had_room)
{
    if (!had_room && pipeline_has_room(pipeline, 4) && pipeline->listener.drained)
        pipeline->listener.drained(pipeline->listener.context);
}

bool pipeline_idle(const struct pipeline *pipeline)
{
    return pipeline->jobs == 0;
}

bool pipeline_makes_ladders(const struct pipeline *pipeline)
{
    return pipeline->settings.ladder_deadline_s > 0 && !atomic_load(&pipeline->stopping);
}

static bool is_through(const struct backlog *backlog)
{
    return !backlog->wanted && !backlog->running;
}

/* First answers come before ladders, and these before what they say together. */
void pipeline_start_backlogs(struct pipeline *pipeline)
{
    backlog_start(&pipeline->backlog);
    if (!is_through(&pipeline->backlog) || !pipeline_makes_ladders(pipeline))
        return;
    backlog_start(&pipeline->ladder_backlog);
    if (is_through(&pipeline->ladder_backlog))
        backlog_start(&pipeline->joint_backlog);
}
