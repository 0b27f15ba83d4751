/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SETTINGS_CONFIG_COMPLAINTS_H
#define FRICID_SETTINGS_CONFIG_COMPLAINTS_H

#include "settings/config_arena.h"
#include "settings/config_text.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Everything that is wrong with a configuration, collected while it is read. */
struct config_complaints {
    struct config_arena *arena;
    struct config_complaint *list;
    size_t count, capacity;
};

/* Notes a sentence about a line of the expanded text. When memory is short the arena tells. */
void config_complaints_add(struct config_complaints *complaints, unsigned line, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Writes every complaint as a line "FILE:LINE: sentence", in the order of the lines. What a sentence quotes cannot
 * break the line or move the cursor: it is plain text. */
void config_complaints_write(struct config_complaints *complaints, const struct config_text *text, FILE *stream);

#endif
