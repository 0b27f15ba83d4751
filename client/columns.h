/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_COLUMNS_H
#define FRICID_CLIENT_COLUMNS_H

#include "client/client.h"
#include "client/phrase.h"
#include "client/screen.h"
#include "client/table.h"
#include "proto/complaint.h"

#include <jansson.h>
#include <stdbool.h>

/* The columns that a list of JSON objects can be shown in, one row a column; which of them are shown is said with
 * --columns, or follows from the room that there is. */
struct column {
    const char *name;   /* as --columns has it */
    const char *header; /* NULL: what `quantity` is called */
    const char *quantity;
    int rank;    /* the largest give way first where there is no room; 0: never */
    int apart;   /* its rank where its cells differ, for it tells rows apart; 0: the same */
    bool asked;  /* shown only when asked for by name */
    bool judges; /* its cells are verdicts */
    struct phrase (*text)(const json_t *object, const struct column *column, const struct glyphs *glyphs);
};

/* Those that are shown, in this order. */
struct column_choice {
    const struct column *columns[TABLE_MAX_COLUMNS];
    size_t count;
    bool asked; /* by name: then the last one gives way first */
};

/* wanted: names behind each other with commas; NULL: all that need not be asked for. 0, or -EINVAL and a complaint. */
int columns_choose(const struct column *all, size_t count, const char *wanted, struct column_choice *choice,
                   struct complaint *complaint);

/* Those of the command line; STATUS_USAGE after a message. */
enum exit_status columns_wanted(const struct client *client, const struct column *all, size_t count,
                                struct column_choice *choice);

bool columns_has(const struct column_choice *choice, const char *name);

/* Takes one out, if it is there. */
void columns_leave_out(struct column_choice *choice, const char *name);

void columns_add_header(struct table *table, const struct column_choice *choice, const struct glyphs *glyphs);
void columns_add_row(struct table *table, const struct column_choice *choice, const json_t *object,
                     const struct glyphs *glyphs);

/* Columns give way until the table is no wider than that; those that did are gone from the choice as well. */
void columns_fit(struct table *table, struct column_choice *choice, size_t width);

#endif
