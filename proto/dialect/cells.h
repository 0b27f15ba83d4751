/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_CELLS_H
#define FRICID_PROTO_CELLS_H

#include "proto/column_label.h"

#include <stdbool.h>
#include <stddef.h>

/* The cells of a line of text, and the numbers in them, in the ways in which programs write them. */

enum {
    CELLS_MOST = 256,        /* cells of a line */
    CELL_NUMBER_BYTES = 512, /* of a number as recordings have it */
};

/* How the cells of a file stand apart, and how its numbers are written. */
struct cell_form {
    char delimiter; /* ',', ';', '\t'; ' ' for any number of blanks and tabs */
    char decimal;   /* '.' or ','; the other one groups digits by thousands */
};

/* Takes the next cell off a line, without blanks and quotes around it; false when there is none left, which is when
 * rest->text is NULL. A cell behind a last delimiter is one too, an empty one, unless blanks delimit. */
bool cell_next(char delimiter, struct text_piece *rest, struct text_piece *cell);

/* All cells of a line. How many there are, which may be more than `most`, or than were set. */
size_t cells_split(char delimiter, struct text_piece line, struct text_piece *cells, size_t most);

/* What the way a number is written tells of its decimal mark. */
enum number_shape {
    NO_NUMBER,
    WHOLE_NUMBER,
    DECIMAL_NUMBER,    /* with the decimal mark, and no group of thousands could look like it */
    UNSURE_DECIMAL,    /* 1,234: the mark may as well group thousands */
    UNSURE_GROUP,      /* the same, read as a thousand */
    GROUPED_NUMBER,    /* 1,234.5 or 1,234,567: groups beyond doubt */
    WORD_FOR_A_NUMBER, /* nan, inf */
};

/* Reads a number and writes it into `text` (NULL: nowhere) as recordings have it: a point, and no groups. */
enum number_shape cell_number(struct text_piece cell, char decimal, char text[CELL_NUMBER_BYTES], size_t *length);

#endif
