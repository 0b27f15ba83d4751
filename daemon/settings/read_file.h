/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SETTINGS_READ_FILE_H
#define FRICID_SETTINGS_READ_FILE_H

#include "proto/complaint.h"
#include "settings/config_arena.h"

#include <stddef.h>

/* The content of a text file, at most max_bytes long, in the arena. What is not a file of UTF-8 text (a folder, a pipe,
 * binary data) is refused. Returns 0, or a negative errno and the rest of a sentence that begins with the file's name
 * ("is a folder, …"); *line is the offending line, 0 when it concerns the file as a whole. */
int text_file_read(const char *path, size_t max_bytes, struct config_arena *arena, char **content, unsigned *line,
                   struct complaint *complaint);

#endif
