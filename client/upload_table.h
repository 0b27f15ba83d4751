/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_UPLOAD_TABLE_H
#define FRICID_CLIENT_UPLOAD_TABLE_H

#include "client/client.h"
#include "report/kinds/table_file.h"

#include <jansson.h>

/* Has the daemon identify one record of a file of tables, like upload_channel(). */
enum exit_status upload_table_record(struct client *client, const struct table_file *table,
                                     const struct table_record *record, json_t **reply);

#endif
