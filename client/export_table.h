/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_EXPORT_TABLE_H
#define FRICID_CLIENT_EXPORT_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* One list of many records as one CSV table, whatever their kinds: "windows.window", "ring_down.modes.backbone". */

/* What is no list in a record: a row each. */
#define EXPORT_RECORDS "records"

/* The samples, which a record gets as the list "samples" first. */
#define EXPORT_SAMPLES "samples"

struct export_table {
    const char *path;
    json_t *rows;    /* of objects without members that are objects or lists */
    json_t *columns; /* an object with the names of all of them */
    json_t *paths;   /* likewise of the lists that the records have */
};

/* False: memory is short. Either way it is to be cleared. */
bool export_table_open(struct export_table *table, const char *path);
void export_table_clear(struct export_table *table);

/* Takes the rows of a record in; each begins with its id and with the places in the lists around it. False: memory is
 * short. */
bool export_table_add(struct export_table *table, const json_t *record);

/* The head and the rows; what a record does not have is empty. */
void export_table_print(const struct export_table *table, FILE *out);

#endif
