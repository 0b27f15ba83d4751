/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_PREAMBLE_H
#define FRICID_PROTO_PREAMBLE_H

#include "proto/dialect/cells.h"

#include <stdbool.h>
#include <stddef.h>

/* What a program writes of its rows above them, where that is more than names and units. */

struct preamble {
    bool found;
    const char *program;                 /* for people: "LabVIEW, " */
    size_t from;                         /* names and rows stand from this line on, from 0 */
    char delimiter, decimal;             /* '\0': it does not say */
    bool stamped;                        /* the first cell that counts is the time; else rate_hz holds */
    double rate_hz;                      /* 0: not known */
    double unit_s;                       /* seconds that a unit of the first cell has */
    struct text_piece date, time;        /* when the rows' time is 0; length 0: not known. A date may have the time */
    size_t channels;                     /* which stand behind the first cell */
    struct text_piece units[CELLS_MOST]; /* of them; length 0: not known */
    bool blank;                          /* the first cell of a row is empty */
    size_t names_line;                   /* where their names stand, from 1; 0: right above the rows */
};

#endif
