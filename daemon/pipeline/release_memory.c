/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "pipeline/release_memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

/* A daemon that is configured anew every day shall not grow: of so many channels the one is forgotten that was asked
 * for longest ago. */
enum { CHANNELS_MOST = 256 };

struct channel_releases {
    TAILQ_ENTRY(channel_releases) entry;
    struct decay_origin origin; /* of its first release */
    struct earlier_releases releases;
};

struct release_memory {
    pthread_mutex_t lock;
    TAILQ_HEAD(channel_list, channel_releases) channels; /* the latest first */
    size_t count;
};

struct release_memory *release_memory_create(void)
{
    struct release_memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return NULL;
    pthread_mutex_init(&memory->lock, NULL);
    TAILQ_INIT(&memory->channels);
    return memory;
}

static void forget(struct release_memory *memory, struct channel_releases *channel)
{
    TAILQ_REMOVE(&memory->channels, channel, entry);
    memory->count--;
    free(channel);
}

void release_memory_destroy(struct release_memory *memory)
{
    if (!memory)
        return;
    while (!TAILQ_EMPTY(&memory->channels))
        forget(memory, TAILQ_FIRST(&memory->channels));
    pthread_mutex_destroy(&memory->lock);
    free(memory);
}

static bool is_of(const struct channel_releases *channel, const struct decay_origin *origin)
{
    return strcmp(channel->origin.rig, origin->rig) == 0 && strcmp(channel->origin.channel, origin->channel) == 0 &&
           strcmp(channel->origin.unit, origin->unit) == 0 && strcmp(channel->origin.config_id, origin->config_id) == 0;
}

/* The caller holds the lock. */
static struct channel_releases *find(struct release_memory *memory, const struct decay_origin *origin)
{
    struct channel_releases *channel;
    TAILQ_FOREACH(channel, &memory->channels, entry)
    {
        if (is_of(channel, origin)) {
            TAILQ_REMOVE(&memory->channels, channel, entry);
            TAILQ_INSERT_HEAD(&memory->channels, channel, entry);
            return channel;
        }
    }
    return NULL;
}

static struct channel_releases *make(struct release_memory *memory, const struct decay_origin *origin)
{
    struct channel_releases *channel = calloc(1, sizeof *channel);
    if (!channel)
        return NULL;
    channel->origin = *origin;
    TAILQ_INSERT_HEAD(&memory->channels, channel, entry);
    if (++memory->count > CHANNELS_MOST)
        forget(memory, TAILQ_LAST(&memory->channels, channel_list));
    return channel;
}

/* Makes it where there is none. NULL: memory is short. */
static struct channel_releases *get(struct release_memory *memory, const struct decay_origin *origin)
{
    struct channel_releases *channel = find(memory, origin);
    return channel ? channel : make(memory, origin);
}

void release_memory_before(struct release_memory *memory, const struct kept_decay *decay,
                           struct earlier_releases *before)
{
    before->count = 0;
    pthread_mutex_lock(&memory->lock);
    const struct channel_releases *channel = find(memory, &decay->origin);
    if (channel)
        earlier_releases_before(&channel->releases, decay->id, before);
    pthread_mutex_unlock(&memory->lock);
}

void release_memory_add(struct release_memory *memory, const struct kept_decay *decay, const struct ladder *ladder)
{
    pthread_mutex_lock(&memory->lock);
    struct channel_releases *channel = get(memory, &decay->origin);
    if (channel)
        earlier_releases_add(&channel->releases, decay->id, ladder);
    pthread_mutex_unlock(&memory->lock);
}

void release_memory_get(struct release_memory *memory, const struct decay_origin *origin,
                        struct earlier_releases *releases)
{
    pthread_mutex_lock(&memory->lock);
    const struct channel_releases *channel = find(memory, origin);
    if (channel)
        *releases = channel->releases;
    else
        releases->count = 0;
    pthread_mutex_unlock(&memory->lock);
}

void release_memory_put(struct release_memory *memory, const struct decay_origin *origin,
                        const struct earlier_releases *releases)
{
    pthread_mutex_lock(&memory->lock);
    struct channel_releases *channel = get(memory, origin);
    if (channel)
        channel->releases = *releases;
    pthread_mutex_unlock(&memory->lock);
}
