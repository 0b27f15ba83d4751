/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_BASE64_H
#define FRICID_PROTO_BASE64_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Bytes as text, RFC 4648, section 4. */

/* Characters for `count` bytes, without the zero byte behind them. */
size_t base64_length(size_t count);

/* Writes base64_length(count) characters and a zero byte. */
void base64_encode(const void *bytes, size_t count, char *text);

/* Reads at most `room` bytes. How many there are, or -1 when the text is none of these, or longer. */
ssize_t base64_decode(const char *text, void *bytes, size_t room);

/* Numbers as fricid-protocol(7) sends them in bulk: little-endian doubles. `bytes` has 8 for each. */
void base64_pack_doubles(const double *values, size_t count, unsigned char *bytes);
void base64_unpack_doubles(const unsigned char *bytes, size_t count, double *values);

#endif
