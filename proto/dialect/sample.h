/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_SAMPLE_H
#define FRICID_PROTO_SAMPLE_H

#include "proto/column_label.h"

#include <stdbool.h>
#include <stddef.h>

/* The first lines of a text, by which it is judged. */

enum { SAMPLE_BYTES = 65536, SAMPLE_LINES = 500 };

struct sample {
    struct text_piece lines[SAMPLE_LINES]; /* without blanks around them; they point into the text. Where quotes hold
                                              newlines, as in names, all lines of a cell, and empty ones behind it */
    size_t count;
};

/* `whole`: the text ends here, so that its last line is no piece of one. */
void sample_take(struct sample *sample, const char *text, size_t length, bool whole);

/* Whether a line has nothing but blanks and delimiters. */
bool line_is_empty(struct text_piece line, char delimiter);

/* Bytes that begin a line which is no row, in a file with that delimiter; 0: the line is none of these. */
size_t comment_mark(struct text_piece line, char delimiter);

#endif
