/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SETTINGS_CONFIG_TEXT_H
#define FRICID_SETTINGS_CONFIG_TEXT_H

#include "proto/complaint.h"
#include "settings/config_arena.h"

#include <stddef.h>
#include <stdint.h>

/* A configuration file and the files that it includes, as one text.
 *
 * libconfig could open included files itself, but ends the program when one is a folder, and cuts whole numbers beyond
 * 32 bits without a word. Here included files are spliced in, long numbers get libconfig's suffix L, and every line
 * keeps the file and line that it came from. */
struct config_text {
    char *expanded;          /* what libconfig reads */
    const char *shown;       /* the files as they are: the main file, then each included one below a comment */
    uint64_t hash;           /* of the bytes of all files (64-bit FNV-1a) */
    struct config_run *runs; /* stretches of lines that came from one file */
    size_t run_count;
};

enum { CONFIG_MAX_FILE_BYTES = 1 << 20, CONFIG_MAX_INCLUDE_DEPTH = 10, CONFIG_MAX_FILES = 64 };

struct config_place {
    const char *file;
    unsigned line;
};

/* Reads a file and what it includes, relative to `folder`. Everything lives in the arena. Returns 0, or a negative
 * errno and a complaint that begins with the file and, where there is one, the line. */
int config_text_read(const char *path, const char *folder, struct config_arena *arena, struct config_text *text,
                     struct complaint *complaint);

/* Where line `line` of the expanded text stands. */
struct config_place config_text_place(const struct config_text *text, unsigned line);

#endif
