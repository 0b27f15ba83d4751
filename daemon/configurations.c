/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What has been behind which config_id. */

#include "configurations.h"

#include <string.h>

void configurations_init(struct configurations *all, const struct configuration *first)
{
    *all = (struct configurations){.first = first, .running = first};
}

static void forget(struct configurations *all, size_t index)
{
    configuration_destroy(all->earlier[index]);
    all->earlier_count--;
    memmove(&all->earlier[index], &all->earlier[index + 1], (all->earlier_count - index) * sizeof all->earlier[0]);
}

/* Whoever changes a file back and forth fills no memory with it. */
static void forget_id(struct configurations *all, const char *id)
{
    for (size_t i = all->earlier_count; i > 0; i--)
        if (strcmp(all->earlier[i - 1]->id, id) == 0)
            forget(all, i - 1);
}

static size_t held_bytes(const struct configurations *all)
{
    size_t bytes = 0;
    for (size_t i = 0; i < all->earlier_count; i++)
        bytes += strlen(all->earlier[i]->text);
    return bytes;
}

void configurations_replace(struct configurations *all, struct configuration *next)
{
    forget_id(all, next->id);
    if (all->running != all->first) {
        /* Not const: what runs and is not the first came through here. */
        struct configuration *before = (struct configuration *)all->running;
        if (all->earlier_count == CONFIGURATIONS_HELD)
            forget(all, CONFIGURATIONS_HELD - 1);
        memmove(&all->earlier[1], &all->earlier[0], all->earlier_count * sizeof all->earlier[0]);
        all->earlier[0] = before;
        all->earlier_count++;
        if (strcmp(before->id, next->id) == 0)
            forget(all, 0);
    }
    all->running = next;
    while (all->earlier_count > 0 && held_bytes(all) > CONFIGURATIONS_HELD_BYTES)
        forget(all, all->earlier_count - 1);
}

const struct configuration *configurations_find(const struct configurations *all, const char *id)
{
    if (strcmp(all->running->id, id) == 0)
        return all->running;
    for (size_t i = 0; i < all->earlier_count; i++)
        if (strcmp(all->earlier[i]->id, id) == 0)
            return all->earlier[i];
    return strcmp(all->first->id, id) == 0 ? all->first : NULL;
}

void configurations_clear(struct configurations *all)
{
    while (all->earlier_count > 0)
        forget(all, 0);
    if (all->running != all->first)
        configuration_destroy((struct configuration *)all->running);
    all->running = all->first;
}
