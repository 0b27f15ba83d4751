/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_SCREEN_H
#define FRICID_CLIENT_SCREEN_H

#include "client/exit_status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* How things are written for a person: symbols in Unicode or spelled out in ASCII, colours, and the room that there is.
 */
struct glyphs {
    bool ascii;
    const char *minus, *plus_minus;
    const char *dot;     /* between units */
    const char *to;      /* between the ends of a range */
    const char *missing; /* where a value should stand */
    bool coloured;       /* verdicts have a colour */
    size_t width;        /* columns of the terminal; SIZE_MAX where it is none */
};

/* Ends a colour (ECMA-48). */
#define GLYPHS_PLAIN "\033[0m"

/* Ends it; empty where there are no colours. */
const char *glyphs_plain(const struct glyphs *glyphs);

/* What begins the colour of a verdict, green for ok and red for all others; empty where there are no colours. */
const char *glyphs_verdict(const struct glyphs *glyphs, const char *verdict);

/* Where output goes and how it may look. Data go to standard output, messages to standard error. */
struct screen {
    const struct glyphs *glyphs;
    struct glyphs own; /* what that is, with colours or without */
    bool terminal;     /* standard output is a terminal */
};

/* Symbols in ASCII or in Unicode. */
const struct glyphs *glyphs_for(bool ascii);

/* Looks at the locale and the terminal. Unicode when the locale's characters are UTF-8, or when no locale is set at
 * all; ASCII when a locale says otherwise. Numbers always have a decimal point: LC_NUMERIC is never touched. */
void screen_open(struct screen *screen);

/* A sentence on standard error, "fricidctl: …", without anything that could upset a terminal. */
void screen_message(const struct screen *screen, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says that memory is short. STATUS_FAILED. */
enum exit_status screen_no_memory(const struct screen *screen);

/* A message without the program's name: what belongs to a conversation. */
void screen_remark(const struct screen *screen, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One JSON value as one line on standard output; what is not plain text is escaped, and on a terminal everything that
 * is not ASCII. */
void screen_json(const struct screen *screen, const json_t *value);

/* Columns of the terminal; 80 when it does not tell. */
size_t screen_width(void);

/* How long a line may be: as the terminal is now; SIZE_MAX where it is none. */
size_t screen_room(const struct screen *screen);

/* Lines of the terminal; 24 when it does not tell. */
size_t screen_height(void);

/* Flushes standard output and returns `status`, or STATUS_FAILED after a message when something was not written. */
enum exit_status screen_close(const struct screen *screen, enum exit_status status);

#endif
