/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SETTINGS_CONFIG_ARENA_H
#define FRICID_SETTINGS_CONFIG_ARENA_H

#include <stdbool.h>
#include <stddef.h>

/* Everything that a configuration points to, freed in one go. */
struct config_arena {
    struct config_arena_block *blocks;
    bool exhausted; /* an allocation failed: what was built is incomplete */
};

/* Zeroed memory for `count` items of `size` bytes that lives as long as the arena. NULL when memory is short, and then
 * `exhausted` is set, so that one look at the end is enough. */
void *config_arena_array(struct config_arena *arena, size_t count, size_t size);

/* A copy of the first `length` bytes of `text`, with a NUL behind them. NULL when memory is short. */
char *config_arena_text(struct config_arena *arena, const char *text, size_t length);

/* `path` behind "folder/", or as it is when it is absolute or the folder is ".". NULL when memory is short. */
char *config_arena_path(struct config_arena *arena, const char *folder, const char *path);

void config_arena_free(struct config_arena *arena);

#endif
