/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_EXPORT_TABLE_H
#define FRICID_CLIENT_EXPORT_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* One list of many records as one CSV table, whatever their kinds: "windows.window", "ring_down.modes.backbone". */

/* What is no list in a record: a row each. */
#define EXPORT_RECORDS "records"

/* A record's samples, which are no part of it (client/export_samples.h). */
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

/* Takes the rows of a record in; each begins with its id and with the places in the lists around it.
 * What an item has of the same name, as its own id, is called "list.name". False: memory is short. */
bool export_table_add(struct export_table *table, const json_t *record);

/* The head and the rows; what a record does not have is empty. */
void export_table_print(const struct export_table *table, FILE *out);

/* A cell: of the head; of a value, nothing of null and of what is no single value; of a number, nothing of one that is
 * not finite. What stands in it is plain text whatever the locale, and to no spreadsheet a formula. */
void export_table_put_name(const char *name, FILE *out);
void export_table_put_cell(const json_t *value, FILE *out);
void export_table_put_number(double number, FILE *out);

#endif
