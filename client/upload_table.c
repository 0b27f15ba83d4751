/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A table's way to the daemon: one request, or pieces of samples. */

#include "client/upload_table.h"

#include "client/command.h"
#include "client/reply.h"
#include "client/upload.h"
#include "proto/utf8.h"

#include <string.h>

/* The minor version of the protocol that brought kinds of records. */
enum { SINCE_KINDS = 2 };

/* That which brought how a file was read. */
enum { SINCE_READ_AS = 3 };

/* That which brought tables in pieces. */
enum { SINCE_PIECES = 6 };

/* Rows of a record from one on. */
struct rows {
    size_t first, count;
};

/* NULL when memory is short. */
static json_t *columns_of(const struct table_file *table, const struct table_record *record, struct rows rows)
{
    const struct kind_form *form = table->form;
    json_t *columns = json_object();
    bool added = columns;
    for (size_t c = 0; added && c < form->count; c++) {
        json_t *column = json_array();
        for (size_t i = 0; added && i < rows.count; i++)
            added = json_array_append_new(column, json_real(record->numbers[(rows.first + i) * form->count + c])) == 0;
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

/* Whether each record of a file can be put into a request; false and a sentence of why not in complaint. */
static bool fits_requests(const struct table_file *table, struct complaint *complaint)
{
    bool text = is_text(table->unit);
    for (size_t i = 0; i < table->count; i++) {
        const struct table_record *record = &table->records[i];
        text = text && is_text(record->name);
        if (record->rows <= UPLOAD_CHUNK || table->kind->sampled)
            continue;
        complaint_set(complaint, "%s has more than %d rows, which a request cannot hold: fricidd --offline can",
                      upload_table_name(table, record), UPLOAD_CHUNK);
        return false;
    }
    if (!text)
        complaint_set(complaint, "labels and units must be UTF-8 text without control characters");
    return text;
}

/* What is said of recordings says nothing of tables. 0: all that is given fits. */
static option_set strange_to(const struct client *client, const struct table_file *table)
{
    const option_set of_rate = table->evenly ? OPTION_RATE : 0;
    const option_set of_recordings = OPTIONS_MANNER & ~(OPTION_DELIMITER | OPTION_DECIMAL | of_rate);
    const option_set of_kind = table->kind->sampled ? 0 : OPTION_KIND;
    return client->options.given & (OPTION_WHOLE | OPTION_AMPLITUDE | of_kind | of_recordings);
}

bool upload_table_load(const struct client *client, const char *file, struct table_file *table)
{
    struct complaint complaint;
    const bool read = table_file_load(file, &client->options.manner, table, &complaint) == 0;
    const option_set strange = read ? strange_to(client, table) : 0;
    if (!read)
        screen_message(&client->screen, "%s", complaint.text);
    else if (strange)
        screen_message(&client->screen, "%s: %s is said of recordings, not of %s: " TABLE_TELLS, file,
                       options_name(strange), table->kind->name);
    else if (!fits_requests(table, &complaint))
        screen_message(&client->screen, "%s: %s", file, complaint.text);
    else {
        if (*table->read_as)
            screen_message(&client->screen, "%s: read as: %s", file, table->read_as);
        return true;
    }
    return false;
}

/* What describes a record; of one in pieces the names of its columns stand for them. Labels may be longer than the name
 * of a record. */
static json_t *request_of(const struct client *client, const struct table_file *table,
                          const struct table_record *record)
{
    const bool tells = *table->read_as && connection_minor_version(client->connection) >= SINCE_READ_AS;
    const bool keep = client->options.given & OPTION_KEEP;
    char name[64], unit[32];
    utf8_copy(name, sizeof name, upload_table_name(table, record));
    utf8_copy(unit, sizeof unit, *table->unit ? table->unit : "1");
    const struct rows all = {0, record->rows};
    const bool pieces = record->rows > UPLOAD_CHUNK;
    const struct form_name form = kind_form_name(table->form);
    json_t *columns = pieces ? json_string(form.text) : columns_of(table, record, all);
    return json_pack("{s:s, s:o, s:s, s:s, s:b, s:s*}", "kind", table->kind->name, pieces ? "form" : "columns", columns,
                     "name", name, "unit", unit, "keep", (int)keep, "read_as", tells ? table->read_as : NULL);
}

/* One piece after the other, of the upload that was begun. */
static enum exit_status send_pieces(struct client *client, const struct table_file *table,
                                    const struct table_record *record, json_int_t upload)
{
    enum exit_status status = STATUS_OK;
    for (size_t first = 0; status == STATUS_OK && first < record->rows; first += UPLOAD_CHUNK) {
        const size_t left = record->rows - first;
        json_t *taken = NULL;
        json_t *params =
            json_pack("{s:I, s:o}", "upload", upload, "columns",
                      columns_of(table, record, (struct rows){first, left < UPLOAD_CHUNK ? left : UPLOAD_CHUNK}));
        if (!params)
            return screen_no_memory(&client->screen);
        status = client_ask(client, "identify.append", params, &taken);
        if (status == STATUS_OK)
            json_decref(taken);
    }
    return status;
}

static enum exit_status in_pieces(struct client *client, const struct table_file *table,
                                  const struct table_record *record, json_t *params, json_t **reply)
{
    json_t *begun;
    enum exit_status status = client_ask(client, "identify.begin", params, &begun);
    if (status != STATUS_OK)
        return status;
    const json_int_t upload = reply_integer(begun, "upload", 0);
    json_decref(begun);
    status = send_pieces(client, table, record, upload);
    if (status != STATUS_OK)
        return status;
    json_t *finish = json_pack("{s:I}", "upload", upload);
    return finish
               ? client_ask_within(client, "identify.finish", finish, client_timeout(client, IDENTIFY_TIMEOUT_S), reply)
               : screen_no_memory(&client->screen);
}

enum exit_status upload_table_record(struct client *client, const struct table_file *table,
                                     const struct table_record *record, json_t **reply)
{
    enum exit_status status = client->connection ? STATUS_OK : client_connect(client);
    if (status != STATUS_OK)
        return status;
    const bool pieces = record->rows > UPLOAD_CHUNK;
    if (connection_minor_version(client->connection) < (table->kind->sampled ? SINCE_PIECES : SINCE_KINDS)) {
        screen_message(&client->screen,
                       "this fricidd is too old for records of the kind %s: fricidd --offline knows "
                       "them",
                       table->kind->name);
        return STATUS_FAILED;
    }
    json_t *params = request_of(client, table, record);
    if (!params)
        return screen_no_memory(&client->screen);
    if (pieces)
        return in_pieces(client, table, record, params, reply);
    return client_ask_within(client, "identify", params, client_timeout(client, IDENTIFY_TIMEOUT_S), reply);
}
