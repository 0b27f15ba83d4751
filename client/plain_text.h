/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_PLAIN_TEXT_H
#define FRICID_CLIENT_PLAIN_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Names and sentences come from other people's configurations and files; what a terminal would obey is taken out. */

/* A copy without control and direction-changing characters and without broken UTF-8 (each becomes "?"), on one line;
 * with `ascii`, other characters are spelled in ASCII. NULL when memory is short; free(). */
char *plain_text(const char *text, bool ascii);

/* The same in place, for every string in a JSON value (not for the keys). 0, or -ENOMEM. */
int plain_tree(json_t *value, bool ascii);

/* Columns that UTF-8 text takes on a terminal. */
size_t text_width(const char *text);

/* Bytes of the longest beginning of `text` that takes at most `columns` columns. */
size_t text_fit(const char *text, size_t columns);

#endif
