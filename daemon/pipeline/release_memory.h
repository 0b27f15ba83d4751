/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_RELEASE_MEMORY_H
#define FRICID_RELEASE_MEMORY_H

#include "identify/ladder/earlier_releases.h"
#include "store/kept.h"

/* The latest releases of every channel, since the daemon started and while its configuration was the same. All threads
 * that identify share it. */
struct release_memory;

/* NULL when memory is short. */
struct release_memory *release_memory_create(void);
void release_memory_destroy(struct release_memory *memory); /* NULL is fine */

/* Those of the decay's channel before it. */
void release_memory_before(struct release_memory *memory, const struct kept_decay *decay,
                           struct earlier_releases *before);

/* Remembers the decay by its ladder; where memory is short, it does not. */
void release_memory_add(struct release_memory *memory, const struct kept_decay *decay, const struct ladder *ladder);

/* The same of releases that are counted and have no id: all that are remembered of a channel, and others in their
 * place. */
void release_memory_get(struct release_memory *memory, const struct decay_origin *origin,
                        struct earlier_releases *releases);
void release_memory_put(struct release_memory *memory, const struct decay_origin *origin,
                        const struct earlier_releases *releases);

#endif
