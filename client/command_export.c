/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl export: many records whole, as JSON, or one list of theirs as CSV. */

#include "client/command.h"
#include "client/export_samples.h"
#include "client/export_table.h"
#include "client/record_file.h"
#include "client/reply.h"
#include "client/results_pages.h"
#include "proto/plain_text.h"
#include "proto/quote.h"

#include <stdlib.h>
#include <string.h>

struct export
{
    struct client *client;
    struct record_file *file;
    struct export_table *table; /* NULL: the records go out as they come */
    json_t *columns;            /* of a table of samples, their names; else NULL */
    size_t count, lost;         /* records; those whose samples are not held any more */
};

static enum exit_status written(const struct export *export)
{
    return record_file_good(export->file) ? STATUS_OK : STATUS_FAILED;
}

/* --- a record --- */

static enum exit_status ask_record(struct client *client, int64_t id, json_t **record)
{
    return client_ask(client, "results.get", json_pack("{s:I}", "id", (json_int_t)id), record);
}

static enum exit_status put_line(const struct export *export, json_t *record, int64_t id)
{
    struct client *client = export->client;
    json_t *samples;
    const enum exit_status status = export_samples_ask(client, id, &samples);
    if (status != STATUS_OK)
        return status;
    if (json_object_set_new(record, EXPORT_SAMPLES, samples ? samples : json_null()) < 0 ||
        quote_json(export->file->stream, record, 0) < 0)
        return screen_no_memory(&client->screen);
    fputc('\n', export->file->stream);
    return written(export);
}

static enum exit_status export_record(struct export *export, int64_t id)
{
    struct client *client = export->client;
    json_t *record;
    enum exit_status status = ask_record(client, id, &record);
    if (status != STATUS_OK)
        return status;
    if (!export->table) {
        status = put_line(export, record, id);
        export->lost += status == STATUS_OK && json_is_null(json_object_get(record, EXPORT_SAMPLES));
    } else if (plain_tree(record, false) < 0 || !export_table_add(export->table, record))
        status = screen_no_memory(&client->screen);
    json_decref(record);
    return status;
}

/* A record that there is not has no samples either, but is a mistake. */
static enum exit_status name_samples(struct export *export, int64_t id)
{
    bool held;
    json_t *record = NULL;
    enum exit_status status = export_samples_names(export->client, id, export->columns, &held);
    if (status == STATUS_OK && !held)
        status = ask_record(export->client, id, &record);
    json_decref(record);
    return status;
}

static enum exit_status put_samples(struct export *export, int64_t id)
{
    json_t *samples;
    enum exit_status status = export_samples_ask(export->client, id, &samples);
    if (status != STATUS_OK)
        return status;
    if (!samples)
        export->lost++;
    else
        status = export_samples_rows(samples, id, export->columns, export->file->stream)
                     ? written(export)
                     : screen_no_memory(&export->client->screen);
    json_decref(samples);
    return status;
}

/* --- all of them --- */

static bool append_id(json_t *ids, int64_t id)
{
    return json_array_append_new(ids, json_integer((json_int_t)id)) == 0;
}

/* The ids that are named, or those of what is selected. */
static enum exit_status find_ids(const struct export *export, json_t *ids)
{
    struct client *client = export->client;
    const struct options *options = &client->options;
    json_t *reply = NULL, *summary;
    size_t place;
    bool done = ids;
    for (int i = 0; done && i < options->argument_count; i++) {
        int64_t id = 0;
        options_id(options->arguments[i], &id);
        done = append_id(ids, id);
    }
    if (done && options->argument_count == 0) {
        const int64_t most = options->given & OPTION_LIMIT ? options->limit : INT64_MAX;
        const enum exit_status status = results_pages_ask(client, most, &reply);
        if (status != STATUS_OK)
            return status;
    }
    json_array_foreach (json_object_get(reply, "results"), place, summary)
        done = done && append_id(ids, reply_integer(summary, "id", 0));
    json_decref(reply);
    return done ? STATUS_OK : screen_no_memory(&client->screen);
}

static enum exit_status for_each(struct export *export, const json_t *ids,
                                 enum exit_status (*take)(struct export *export, int64_t id))
{
    enum exit_status status = STATUS_OK;
    size_t i;
    const json_t *id;
    json_array_foreach (ids, i, id)
        status = status == STATUS_OK ? take(export, json_integer_value(id)) : status;
    return status;
}

/* No record has the list: those that they have. */
static enum exit_status tell_lists(const struct export *export)
{
    const struct screen *screen = &export->client->screen;
    const char *path;
    json_t *ignored;
    char *paths = NULL;
    size_t length;
    FILE *list = open_memstream(&paths, &length);
    if (!list)
        return screen_no_memory(screen);
    json_object_foreach (export->table->paths, path, ignored)
        fprintf(list, ", %s", path);
    const bool failed = ferror(list);
    if (fclose(list) != 0 || failed)
        screen_no_memory(screen);
    else
        screen_message(
            screen, "no record that was asked for has a list '%s'; there are: " EXPORT_RECORDS ", " EXPORT_SAMPLES "%s",
            export->table->path, paths);
    free(paths);
    return STATUS_FAILED;
}

/* The columns of a table of samples are known before the first row, so that no row has to be kept. */
static enum exit_status export_ids(struct export *export, const json_t *ids)
{
    const enum exit_status status = for_each(export, ids, export->columns ? name_samples : export_record);
    if (status != STATUS_OK)
        return status;
    if (export->columns) {
        export_samples_head(export->columns, export->file->stream);
        return for_each(export, ids, put_samples);
    }
    if (!export->table)
        return STATUS_OK;
    if (json_array_size(export->table->rows) == 0)
        return tell_lists(export);
    export_table_print(export->table, export->file->stream);
    return written(export);
}

static enum exit_status export_all(struct export *export)
{
    const struct screen *screen = &export->client->screen;
    json_t *ids = json_array();
    enum exit_status status = find_ids(export, ids);
    export->count = json_array_size(ids);
    if (status == STATUS_OK && export->count == 0)
        screen_message(screen, "no record was selected");
    else if (status == STATUS_OK)
        status = export_ids(export, ids);
    if (status == STATUS_OK && export->lost > 0)
        screen_message(screen, "the samples of %zu of %zu records are not held any more: %s", export->lost,
                       export->count, export->columns ? "there are no rows of them" : "null stands for them");
    json_decref(ids);
    return status;
}

/* --- the command --- */

static bool is_asked_well(const struct client *client)
{
    const struct options *options = &client->options;
    int64_t id;
    for (int i = 0; i < options->argument_count; i++)
        if (options_id(options->arguments[i], &id) < 0) {
            screen_message(&client->screen, "export wants ids of results, such as 42, not '%s'", options->arguments[i]);
            return false;
        }
    if (options->json && options->given & OPTION_TABLE) {
        screen_message(&client->screen, "--table is CSV, and --json is not; without --table export writes JSON");
        return false;
    }
    if (options->argument_count > 0 && options->given & (OPTIONS_FILTER | OPTION_LIMIT)) {
        screen_message(&client->screen, "export takes either ids or options that select");
        return false;
    }
    return true;
}

static enum exit_status export_into(struct client *client, struct record_file *file)
{
    const struct options *options = &client->options;
    const bool as_table = options->given & OPTION_TABLE, samples = as_table && !strcmp(options->table, EXPORT_SAMPLES);
    struct export_table table;
    struct export export = {.client = client,
                            .file = file,
                            .table = as_table && !samples ? &table : NULL,
                            .columns = samples ? json_object() : NULL};
    const bool opened = !export.table || export_table_open(&table, options->table);
    const enum exit_status status =
        opened && (!samples || export.columns) ? export_all(&export) : screen_no_memory(&client->screen);
    if (export.table)
        export_table_clear(&table);
    json_decref(export.columns);
    return status;
}

static enum exit_status run_export(struct client *client)
{
    const struct options *options = &client->options;
    struct record_file file;
    client->verbatim = true;
    if (!is_asked_well(client))
        return STATUS_USAGE;
    const char *path = options->given & OPTION_OUTPUT ? options->output : "-";
    if (!record_file_open(&file, path, options->given & OPTION_FORCE, &client->screen)) {
        record_file_close(&file, false, &client->screen);
        return STATUS_USAGE;
    }
    const enum exit_status status = export_into(client, &file);
    /* What was not written whole is told by closing it. */
    const bool keep = status == STATUS_OK || !record_file_good(&file);
    const bool there = record_file_close(&file, keep, &client->screen);
    return status == STATUS_OK && !there ? STATUS_FAILED : status;
}

const struct command command_export = {.name = "export",
                                       .summary = "records whole, as JSON lines, or a list of theirs as CSV",
                                       .options =
                                           OPTIONS_FILTER | OPTION_LIMIT | OPTION_TABLE | OPTION_OUTPUT | OPTION_FORCE,
                                       .operand = WORD_ID,
                                       .least = 0,
                                       .most = INT_MAX,
                                       .run = run_export};
