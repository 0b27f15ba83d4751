/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_DECODE_H
#define FRICID_PROTO_DECODE_H

#include "proto/dialect/byte_source.h"

#include <stdbool.h>

/* Text in other encodings than UTF-8, or with other ends of lines than newlines. */

struct text_coding {
    const char *name;  /* as complaints and people call it, which is iconv's name too; NULL: UTF-8, or no text at all */
    const char *said;  /* of a name that is none for people what they are told instead; else NULL */
    bool bare_returns; /* lines end in a carriage return alone */
    bool end_mark;     /* the text ends with the mark of DOS, Ctrl-Z; the caller says so */
};

/* What the first bytes of a file look like. */
struct text_coding text_coding_of(const char *bytes, size_t count);

/* The text as UTF-8 with newlines; takes the source over in any case. NULL with an errno and a complaint. */
struct byte_source *decode_open(struct byte_source *source, const struct text_coding *coding, int *error,
                                struct complaint *complaint);

#endif
