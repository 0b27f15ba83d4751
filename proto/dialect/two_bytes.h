/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_TWO_BYTES_H
#define FRICID_PROTO_TWO_BYTES_H

#include <stdbool.h>
#include <stddef.h>

/* Encodings of Chinese and Japanese with two bytes a character. */

struct two_bytes {
    const char *name; /* as iconv calls it; NULL: it is none of them, or may be several */
    bool several;
};

/* Which of them a text is in that is not UTF-8: one whose usual characters all of them are, with two of them in a row
 * at least. */
struct two_bytes two_bytes_of(const char *text, size_t count);

/* Whether a byte is a letter of English, which the second byte of a character may be as well. */
static inline bool is_ascii_letter(unsigned char byte)
{
    return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

#endif
