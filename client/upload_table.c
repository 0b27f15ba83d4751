/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A table's way to the daemon: one request. */

#include "client/upload_table.h"

#include "client/upload.h"
#include "proto/utf8.h"

/* The minor version of the protocol that brought kinds of records. */
enum { SINCE_KINDS = 2 };

/* NULL when memory is short. */
static json_t *columns_of(const struct table_file *table, const struct table_record *record)
{
    const struct kind_form *form = table->form;
    json_t *columns = json_object();
    bool added = columns;
    for (size_t c = 0; added && c < form->count; c++) {
        json_t *column = json_array();
        for (size_t row = 0; added && row < record->rows; row++)
            added = json_array_append_new(column, json_real(record->numbers[row * form->count + c])) == 0;
        added = json_object_set_new(columns, form->column[c].name, column) == 0 && added;
    }
    if (added)
        return columns;
    json_decref(columns);
    return NULL;
}

/* Labels may be missing, or longer than the name of a record. */
static json_t *request_of(const struct table_file *table, const struct table_record *record, bool keep)
{
    char name[64], unit[32];
    utf8_copy(name, sizeof name, *record->name ? record->name : table->kind->name);
    utf8_copy(unit, sizeof unit, *table->unit ? table->unit : "1");
    json_t *columns = columns_of(table, record);
    return json_pack("{s:s, s:o, s:s, s:s, s:b}", "kind", table->kind->name, "columns", columns, "name", name, "unit",
                     unit, "keep", (int)keep);
}

enum exit_status upload_table_record(struct client *client, const struct table_file *table,
                                     const struct table_record *record, json_t **reply)
{
    enum exit_status status = client->connection ? STATUS_OK : client_connect(client);
    if (status != STATUS_OK)
        return status;
    if (connection_minor_version(client->connection) < SINCE_KINDS) {
        screen_message(&client->screen,
                       "this fricidd is too old for records of the kind %s: fricidd --offline knows "
                       "them",
                       table->kind->name);
        return STATUS_FAILED;
    }
    if (record->rows > UPLOAD_CHUNK) {
        screen_message(&client->screen, "%s: more than %d rows, which a request cannot hold: fricidd --offline can",
                       record->name, UPLOAD_CHUNK);
        return STATUS_USAGE;
    }
    json_t *params = request_of(table, record, client->options.given & OPTION_KEEP);
    if (!params) {
        screen_message(&client->screen, "labels and units must be UTF-8 text");
        return STATUS_USAGE;
    }
    return client_ask(client, "identify", params, reply);
}
