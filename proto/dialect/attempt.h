/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_ATTEMPT_H
#define FRICID_PROTO_ATTEMPT_H

#include "proto/dialect/cells.h"
#include "proto/dialect/sample.h"
#include "proto/recording_parts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows of a sample, read in one of the forms that they may have. */

/* The cells of a row that are wanted, from 0. */
struct cell_choice {
    size_t cells[RECORDING_MAX_CHANNELS + 2];
    size_t count;       /* 0: all of them */
    size_t header_line; /* where their names stand, from 1; 0: they are numbers */
};

/* What is known before. */
struct attempt_terms {
    struct cell_choice choice;
    size_t skipped;      /* cells at the beginning of a row that are not looked at, where none are chosen */
    size_t from;         /* rows are looked for from this line on, from 0 */
    bool rate_known;     /* rows need no time */
    bool groups_allowed; /* the decimal mark was said, so that a group cannot be taken for it */
    bool blanks_group;   /* it was said, too, that no blank stands between cells */
};

struct attempt {
    struct cell_form form;
    size_t rows;      /* how many fit; 0: none, and all that follows is empty */
    size_t good;      /* line of the first of them, from 0 */
    size_t first;     /* where the rows begin: what looks like a row above it is one, and a bad one */
    size_t cells;     /* of each row */
    size_t used;      /* of those, without empty ones at the end */
    bool day_times;   /* see struct layout */
    bool date_apart;  /* likewise */
    bool short_clock; /* the times are minutes and seconds */
    bool decimals;    /* there are numbers with the decimal mark */
    bool proved;      /* in one of them it cannot group thousands */
    bool unsure;      /* there are those that may be thousands */
    bool groups;      /* thousands are grouped, beyond doubt */
    bool padded;      /* there are whole numbers such as 012, which look like decimals of one */
    bool goes_back;   /* the first cell does not grow from row to row, but falls once */
    bool stands;      /* it never grows */
    bool counts;      /* it is a whole number that grows from row to row */
    double last;      /* its number in the row before */
    uint64_t values;  /* a sum over all numbers: other values give another one */
};

struct attempt attempt_make(const struct sample *sample, struct cell_form form, const struct attempt_terms *terms);

#endif
