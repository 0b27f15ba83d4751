/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_PLAIN_TEXT_H
#define FRICID_PROTO_PLAIN_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Text of others, made fit for people: a terminal, a log, the journal. Names and sentences come from other people's
 * configurations, files and servers, and what a terminal would obey is taken out: control characters, marks that turn
 * the reading direction, characters that cannot be seen, bytes that are no UTF-8. Each becomes "?"; the ends of lines,
 * and tabs, become spaces. For other places see proto/quote.h. */

/* A copy; with `ascii`, other characters are spelled in ASCII. NULL when memory is short; free(). */
char *plain_text(const char *text, bool ascii);

/* The same in place. The text is never longer afterwards. */
void plain_line(char *text);

/* A sentence as a line on a stream, whatever stands in it. */
void plain_print(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same in place for every string and every key of a JSON value. 0, or -ENOMEM. */
int plain_tree(json_t *value, bool ascii);

/* Whether a character may stand in plain text as it is. */
bool plain_character(uint32_t character);

/* How a character that is not ASCII is spelled where nothing else can be shown; "?" when there is no spelling. */
const char *plain_spelling(uint32_t character);

#endif
