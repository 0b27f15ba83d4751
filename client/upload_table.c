/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A table's way to the daemon: one request. */

#include "client/upload_table.h"

#include "client/upload.h"
#include "proto/utf8.h"

#include <string.h>

/* The minor version of the protocol that brought kinds of records. */
enum { SINCE_KINDS = 2 };

/* That which brought how a file was read. */
enum { SINCE_READ_AS = 3 };

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

const char *upload_table_name(const struct table_file *table, const struct table_record *record)
{
    return *record->name ? record->name : table->kind->name;
}

/* What the daemon takes for a name. */
static bool is_text(const char *text)
{
    for (const char *byte = text; *byte; byte++)
        if ((unsigned char)*byte < ' ' || *byte == 0x7F)
            return false;
    return is_utf8(text, strlen(text));
}

bool upload_table_fits(const struct table_file *table, struct complaint *complaint)
{
    bool text = is_text(table->unit);
    for (size_t i = 0; i < table->count; i++) {
        const struct table_record *record = &table->records[i];
        text = text && is_text(record->name);
        if (record->rows <= UPLOAD_CHUNK)
            continue;
        complaint_set(complaint, "%s has more than %d rows, which a request cannot hold: fricidd --offline can",
                      upload_table_name(table, record), UPLOAD_CHUNK);
        return false;
    }
    if (!text)
        complaint_set(complaint, "labels and units must be UTF-8 text without control characters");
    return text;
}

/* Labels may be longer than the name of a record. */
static json_t *request_of(const struct client *client, const struct table_file *table,
                          const struct table_record *record)
{
    const bool tells = *table->read_as && connection_minor_version(client->connection) >= SINCE_READ_AS;
    const bool keep = client->options.given & OPTION_KEEP;
    char name[64], unit[32];
    utf8_copy(name, sizeof name, upload_table_name(table, record));
    utf8_copy(unit, sizeof unit, *table->unit ? table->unit : "1");
    json_t *columns = columns_of(table, record);
    return json_pack("{s:s, s:o, s:s, s:s, s:b, s:s*}", "kind", table->kind->name, "columns", columns, "name", name,
                     "unit", unit, "keep", (int)keep, "read_as", tells ? table->read_as : NULL);
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
    json_t *params = request_of(client, table, record);
    if (!params)
        return screen_no_memory(&client->screen);
    return client_ask(client, "identify", params, reply);
}
