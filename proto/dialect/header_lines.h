/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_HEADER_LINES_H
#define FRICID_PROTO_HEADER_LINES_H

#include "proto/dialect/attempt.h"
#include "proto/dialect/sample.h"

/* The names of columns, and their units, in the lines before the first row. */

struct header_lines {
    size_t line;                         /* where the names stand, from 1; 0: nowhere */
    size_t count;                        /* of the names */
    bool fits;                           /* as many as cells of a row, or none at all */
    bool first;                          /* it is the first line that is neither empty nor a comment */
    bool commented;                      /* the line is a comment to other programs */
    struct text_piece names[CELLS_MOST]; /* they point into the sample */
    size_t unit_count;                   /* 0: no line of units */
    bool units_above;                    /* they stand there, and not below the names */
    struct text_piece units[CELLS_MOST]; /* without brackets around them */
};

void header_lines_find(struct header_lines *found, const struct sample *sample, const struct attempt *attempt,
                       const struct attempt_terms *terms);

/* The header in the spelling of recordings, of the cells that are kept; `seconds`: the first of them is a time in
 * seconds, whatever its name. A column without a name is called by its number. NULL when memory is short; free(). */
char *header_lines_write(const struct header_lines *found, const size_t *kept, size_t count, bool seconds);

/* Which cells have these names, or numbers from 1 on: "time,lvdt" or "1,3". False, with the name that there is none
 * of, when there is no line of such names before rows in that form. */
bool header_lines_choose(const char *columns, const struct sample *sample, char delimiter, struct cell_choice *choice,
                         struct text_piece *missing);

#endif
