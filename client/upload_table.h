/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_UPLOAD_TABLE_H
#define FRICID_CLIENT_UPLOAD_TABLE_H

#include "client/client.h"
#include "proto/complaint.h"
#include "report/kinds/table_file.h"

#include <jansson.h>

/* What a record is called in results: its labels, where it has some. */
const char *upload_table_name(const struct table_file *table, const struct table_record *record);

/* Reads a file whose records all fit, and says how it was read; false: it is told what is wrong with it. The table is
 * cleared by the caller. */
bool upload_table_load(const struct client *client, const char *file, struct table_file *table);

/* Has the daemon identify one record of a file of tables, which fits, like upload_record(). */
enum exit_status upload_table_record(struct client *client, const struct table_file *table,
                                     const struct table_record *record, json_t **reply);

#endif
