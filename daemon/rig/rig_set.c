/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All rigs of the daemon: which go on when the configuration changes, which end, and which begin. */

#include "rig/rig_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct rig_set {
    struct event_base *base;
    struct pipeline *pipeline;
    struct recorder_pool recorders;
    struct rig_listener listener;
    size_t count;
    struct rig **rigs;
    struct rig_status *statuses; /* room for all of them, so that nothing is allocated to be asked */
};

/* A set on its way to the next configuration: same index, same rig of that configuration. */
struct next_set {
    struct rig **rigs; /* NULL: not made yet */
    struct rig_status *statuses;
    bool *begins; /* it was made for this configuration */
    size_t count;
};

struct rig_set *rig_set_create(struct event_base *base, struct pipeline *pipeline,
                               const struct recorder_settings *recorder, const struct rig_listener *listener)
{
    struct rig_set *set = calloc(1, sizeof *set);
    if (!set)
        return NULL;
    set->base = base;
    set->pipeline = pipeline;
    set->listener = *listener;
    recorder_pool_init(&set->recorders, recorder);
    return set;
}

static const struct rig_configuration *find(const struct configuration *configuration, const char *name)
{
    for (size_t i = 0; i < configuration->rig_count; i++)
        if (strcmp(configuration->rigs[i].name, name) == 0)
            return &configuration->rigs[i];
    return NULL;
}

/* Moves over what stays as it is; the others end here, before their successors may want the same device. */
static void take_over(struct rig_set *set, const struct configuration *configuration, struct next_set *next,
                      rig_change_listener told, void *context)
{
    for (size_t i = 0; i < set->count; i++) {
        struct rig *rig = set->rigs[i];
        const struct rig_configuration *wanted = find(configuration, rig_name(rig));
        if (wanted && rig_follow(rig, wanted, configuration->id)) {
            next->rigs[wanted - configuration->rigs] = rig;
            continue;
        }
        if (!wanted)
            told(context, RIG_REMOVED, rig_name(rig));
        rig_stop(rig, DECAY_END_RECONFIGURED);
        rig_destroy(rig);
    }
    set->count = 0;
}

/* Closes up the places of rigs that could not be made. */
static int close_gaps(struct next_set *next)
{
    size_t made = 0;
    for (size_t i = 0; i < next->count; i++)
        if (next->rigs[i])
            next->rigs[made++] = next->rigs[i];
    int error = made < next->count ? -ENOMEM : 0;
    next->count = made;
    return error;
}

/* Whether there was a rig of that name, before anything is changed. */
static enum rig_change change_of(const struct rig_set *set, const struct rig_configuration *wanted)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(rig_name(set->rigs[i]), wanted->name) == 0)
            return rig_follows(set->rigs[i], wanted) ? RIG_UNCHANGED : RIG_CHANGED;
    return RIG_ADDED;
}

/* One more of each, so that no rig at all is not mistaken for no memory. */
static bool make_room(struct next_set *next, size_t count)
{
    *next = (struct next_set){.rigs = calloc(count + 1, sizeof *next->rigs),
                              .statuses = calloc(count + 1, sizeof *next->statuses),
                              .begins = calloc(count + 1, sizeof *next->begins),
                              .count = count};
    if (next->rigs && next->statuses && next->begins)
        return true;
    free(next->rigs);
    free(next->statuses);
    free(next->begins);
    return false;
}

/* All are made before the first is started. */
static void make_the_others(struct rig_set *set, const struct configuration *configuration, struct next_set *next)
{
    for (size_t i = 0; i < next->count; i++) {
        next->begins[i] = !next->rigs[i];
        if (next->begins[i])
            next->rigs[i] = rig_create(set->base, &configuration->rigs[i], configuration->id, set->pipeline,
                                       &set->recorders, &set->listener);
    }
    for (size_t i = 0; i < next->count; i++)
        if (next->begins[i] && next->rigs[i])
            rig_start(next->rigs[i]);
}

int rig_set_follow(struct rig_set *set, const struct configuration *configuration, rig_change_listener told,
                   void *context, bool *changed)
{
    struct next_set next;
    *changed = make_room(&next, configuration->rig_count);
    if (!*changed)
        return -ENOMEM;
    for (size_t i = 0; i < next.count; i++)
        told(context, change_of(set, &configuration->rigs[i]), configuration->rigs[i].name);
    take_over(set, configuration, &next, told, context);
    make_the_others(set, configuration, &next);
    int error = close_gaps(&next);
    free(next.begins);
    free(set->rigs);
    free(set->statuses);
    set->rigs = next.rigs;
    set->statuses = next.statuses;
    set->count = next.count;
    return error;
}

size_t rig_set_count(const struct rig_set *set)
{
    return set->count;
}

struct rig *rig_set_find(const struct rig_set *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(rig_name(set->rigs[i]), name) == 0)
            return set->rigs[i];
    return NULL;
}

void rig_set_note_result(struct rig_set *set, const struct kept_result *result)
{
    struct rig *rig = rig_set_find(set, result->of->origin.rig);
    if (rig)
        rig_note_result(rig, result);
}

/* Any rig may have been paused; the others ignore this. */
void rig_set_resume(struct rig_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        rig_resume(set->rigs[i]);
}

void rig_set_tick(struct rig_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        rig_tick(set->rigs[i]);
}

const struct rig_status *rig_set_status(struct rig_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        set->statuses[i] = rig_status(set->rigs[i]);
    return set->statuses;
}

void rig_set_stop(struct rig_set *set, enum decay_end reason)
{
    for (size_t i = 0; i < set->count; i++)
        rig_stop(set->rigs[i], reason);
}

void rig_set_destroy(struct rig_set *set)
{
    if (!set)
        return;
    for (size_t i = 0; i < set->count; i++)
        rig_destroy(set->rigs[i]);
    free(set->statuses);
    free(set->rigs);
    free(set);
}
