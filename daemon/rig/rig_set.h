/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_RIG_SET_H
#define FRICID_RIG_SET_H

#include "config/configuration.h"
#include "rig/rig.h"

#include <stddef.h>

struct event_base;

/* The rigs that the daemon runs, and how they follow its configuration. */
struct rig_set;

/* What became of the rigs under a new configuration. */
enum rig_change { RIG_UNCHANGED, RIG_CHANGED, RIG_ADDED, RIG_REMOVED, RIG_CHANGES };

/* Told for every rig, old or new. */
typedef void (*rig_change_listener)(void *context, enum rig_change change, const char *rig);

/* An empty set; NULL when memory is short. Pipeline and listener's context outlive it. */
struct rig_set *rig_set_create(struct event_base *base, struct pipeline *pipeline,
                               const struct recorder_settings *recorder, const struct rig_listener *listener);

/* Makes the set what the configuration says, which outlives it or its next configuration. A rig whose text is the same
 * goes on and loses nothing; one that could never be opened is tried again. The others end: their running decays with
 * the reason `reconfigured`. New ones are all created before the first is started. 0, or -ENOMEM: when nothing was
 * changed yet, *changed is false; else what there was no memory for is missing. */
int rig_set_follow(struct rig_set *set, const struct configuration *configuration, rig_change_listener told,
                   void *context, bool *changed);

size_t rig_set_count(const struct rig_set *set);

/* A result was published: `last` of its channel. */
void rig_set_note_result(struct rig_set *set, const struct kept_result *result);

/* The pipeline has room again. */
void rig_set_resume(struct rig_set *set);

/* Once a second: what the rigs have to say that nothing else makes them say. */
void rig_set_tick(struct rig_set *set);

/* The rig of that name; NULL: there is none. */
struct rig *rig_set_find(const struct rig_set *set, const char *name);

/* What status shows, rig_set_count() of them; valid until the next call. */
const struct rig_status *rig_set_status(struct rig_set *set);

/* Stops every source; running decays end for this reason and go into the pipeline. */
void rig_set_stop(struct rig_set *set, enum decay_end reason);

void rig_set_destroy(struct rig_set *set); /* NULL is fine */

#endif
