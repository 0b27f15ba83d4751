/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_JSON_TEXT_H
#define FRICID_PROTO_JSON_TEXT_H

#include <jansson.h>
#include <stddef.h>

/* Any JSON value as compact text, whole or not at all: jansson's own json_dumps() leaves a key out, and says nothing,
 * when memory is short for a moment. Behind the *length bytes (may be NULL) stands a zero byte, and there is room for
 * one byte more. Free with free(); NULL when memory is short or the value is NULL. */
char *json_text(const json_t *value, size_t *length);

#endif
