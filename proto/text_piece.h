/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_TEXT_PIECE_H
#define FRICID_PROTO_TEXT_PIECE_H

#include <stddef.h>

/* A piece of a line, without blanks around it. It points into the line. */
struct text_piece {
    const char *text;
    size_t length;
};

struct text_piece text_piece_trim(struct text_piece piece);

#endif
