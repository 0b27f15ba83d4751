/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_QUOTE_H
#define FRICID_PROTO_QUOTE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Strings of others (a server's, a file's), written so that whatever reads them takes them for text and for nothing
 * else: a function for each place where they go. What they write is plain text as well (proto/plain_text.h), because
 * all of it may be looked at on a terminal. Whether a stream took it all, ferror() tells. */

/* For gnuplot: a string literal with its quotes, on one line. */
void quote_gnuplot(FILE *script, const char *text);

/* For Prometheus: the value of a label, with its quotes. */
void quote_label(FILE *metrics, const char *text);

/* For fricid.conf: a string with its quotes. */
void quote_setting(FILE *configuration, const char *text);

/* For programs that read JSON, as compactly as possible; `flags` are more of json_dumps(). Strings come back as they
 * are: what is not plain is escaped. 0, or -ENOMEM. */
int quote_json(FILE *stream, const json_t *value, size_t flags);

/* For the head of a CSV column, together with others in one cell: without separators and quotes, and never the
 * beginning of a formula. At most `size` bytes. */
void quote_column(char *word, size_t size, const char *text);

/* For a command that a person may copy into a shell: one word of it. malloc(); NULL when memory is short. */
char *quote_shell(const char *text);

/* For a file's name, or a part of it: letters, digits, "." and "_", "-" for all others; never hidden, never an option,
 * never empty, at most QUOTE_FILE_NAME bytes. malloc(); NULL when memory is short. */
enum { QUOTE_FILE_NAME = 100 };
char *quote_file_name(const char *text);

/* For a shell's completion: whether a word means the same in any shell without quotes. Others are not offered. */
bool quote_is_word(const char *text);

#endif
