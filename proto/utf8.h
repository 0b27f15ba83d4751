/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_UTF8_H
#define FRICID_PROTO_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Whether bytes are UTF-8 (RFC 3629: the shortest form, no surrogates, nothing beyond U+10FFFF). Asks for no memory:
 * short memory must not make a good file look like a bad one. */
bool is_utf8(const char *bytes, size_t length);

#endif
