/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_UTF8_H
#define FRICID_PROTO_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* UTF-8 as RFC 3629 has it: the shortest form, no surrogates, nothing beyond U+10FFFF. Nothing here asks for memory or
 * for a locale: short memory must not make a good file look like a bad one. */

/* Whether bytes are UTF-8. */
bool is_utf8(const char *bytes, size_t length);

/* How many bytes the byte order mark takes that some programs put before a text; 0: there is none. */
size_t utf8_mark(const char *bytes, size_t length);

/* Reads the character with which a text begins. Returns how many bytes it has; 0: the text is empty, or no character
 * begins here. */
size_t utf8_take(const char *text, uint32_t *character);

/* Drops the beginning of a character at the end of a text that was cut. */
void utf8_trim(char *text);

/* A text of Latin-1, whose every byte is a character, as UTF-8; as much of it as fits into `size` bytes. */
void utf8_from_latin1(char *to, size_t size, const char *from);

/* Copies as many whole characters of a text as fit into `size` bytes, the terminating one included. */
void utf8_copy(char *to, size_t size, const char *from);

#endif
