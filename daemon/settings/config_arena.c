/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One owner for all that a configuration points to: strings and arrays live as long as it does, and nobody frees
 * them one by one. */

#include "settings/config_arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The memory begins where any type may begin. */
struct config_arena_block {
    struct config_arena_block *next;
    max_align_t memory[];
};

void *config_arena_array(struct config_arena *arena, size_t count, size_t size)
{
    struct config_arena_block *block = NULL;
    if (size == 0 || count <= (SIZE_MAX - sizeof *block) / size)
        block = calloc(1, sizeof *block + count * size);
    if (!block) {
        arena->exhausted = true;
        return NULL;
    }
    block->next = arena->blocks;
    arena->blocks = block;
    return block->memory;
}

char *config_arena_text(struct config_arena *arena, const char *text, size_t length)
{
    char *copy = config_arena_array(arena, length + 1, 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

char *config_arena_path(struct config_arena *arena, const char *folder, const char *path)
{
    if (path[0] == '/' || strcmp(folder, ".") == 0)
        return config_arena_text(arena, path, strlen(path));
    size_t folder_length = strlen(folder);
    size_t path_length = strlen(path);
    char *joined = config_arena_array(arena, folder_length + 1 + path_length + 1, 1);
    if (joined) {
        memcpy(joined, folder, folder_length);
        joined[folder_length] = '/';
        memcpy(joined + folder_length + 1, path, path_length);
    }
    return joined;
}

void config_arena_free(struct config_arena *arena)
{
    while (arena->blocks) {
        struct config_arena_block *block = arena->blocks;
        arena->blocks = block->next;
        free(block);
    }
}
