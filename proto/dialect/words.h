/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_DIALECT_WORDS_H
#define FRICID_PROTO_DIALECT_WORDS_H

#include <stddef.h>

/* The marks of dialects by name, as options and configurations have them. */

/* The mark of a name, or of the mark itself; '\0': there is none. */
char delimiter_find(const char *name);
char decimal_find(const char *name);

/* The names, which messages and shells offer; NULL behind the last. */
const char *delimiter_name_at(size_t index);
const char *decimal_name_at(size_t index);
#define DELIMITERS "comma, semicolon, tab or blank"
#define DECIMALS "point or comma"

/* "semicolon"; "decimal comma" */
const char *delimiter_name(char delimiter);
const char *decimal_name(char decimal);

#endif
