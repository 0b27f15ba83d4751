/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_CONDITIONS_H
#define FRICID_STORE_CONDITIONS_H

#include "store/database.h"
#include "store/results_query.h"

/* What a question selects, as SQL about a row r of the table of results. */

/* A condition that an index leads to; its text begins with a column, so that a plus in front keeps SQLite from using
 * that index. */
struct condition {
    char text[160];
    bool by_id; /* the results that an index finds for it come in the order of their ids */
};

enum { MOST_CONDITIONS = 32 };

struct conditions {
    struct condition list[MOST_CONDITIONS];
    size_t count;
    const struct results_query *query; /* borrowed */
    int64_t setup;                     /* the only one that fits; 0: any, or several */
    const struct condition *lead;      /* what leads to the results; NULL: the index of the order */
    bool sorts;                        /* what that finds is so little that it is put in order afterwards */
};

/* Finds out what is asked for, and by which index that is found. An error. */
int conditions_of(struct database *database, const struct results_query *query, struct conditions *conditions);

/* The WHERE of a statement, and the values of its parameters. */
void conditions_add(sqlite3_str *sql, const struct conditions *conditions);
void conditions_bind(sqlite3_stmt *statement, const struct conditions *conditions);

/* Values for the parameter `:name`; nothing where a statement does not have it. */
void bind_number(sqlite3_stmt *statement, const char *name, int64_t number);
void bind_figure(sqlite3_stmt *statement, const char *name, double figure);

#endif
