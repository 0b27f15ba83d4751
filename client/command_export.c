/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl export: many records whole, as JSON, or one list of theirs as CSV. */

#include "client/command.h"
#include "client/export_table.h"
#include "client/record_file.h"
#include "client/reply.h"
#include "client/results_pages.h"
#include "proto/quote.h"

#include <stdlib.h>
#include <string.h>

struct export
{
    struct client *client;
    struct record_file *file;
    struct export_table *table; /* NULL: the records go out as they come */
    bool samples;               /* with them */
};

/* --- samples --- */

/* Figures page after page into *samples, the first page with the lists of all of them. */
static enum exit_status ask_samples(struct client *client, int64_t id, json_t **samples)
{
    static const char *const lists[] = {"displacement", "time_s", "flags"};
    int64_t taken = 0, total = 1;
    *samples = NULL;
    while (taken < total) {
        json_t *page, *params = json_pack("{s:I, s:I}", "id", (json_int_t)id, "offset", (json_int_t)taken);
        const enum exit_status status = client_ask(client, "samples", params, &page);
        if (status != STATUS_OK)
            return status;
        const int64_t count = reply_integer(page, "count", 0);
        total = count > 0 ? reply_integer(page, "total", 0) : taken;
        taken += count;
        for (size_t i = 0; *samples && i < sizeof lists / sizeof lists[0]; i++)
            if (json_is_array(json_object_get(page, lists[i])) &&
                json_array_extend(json_object_get(*samples, lists[i]), json_object_get(page, lists[i])) < 0)
                total = -1;
        if (!*samples)
            *samples = json_incref(page);
        json_decref(page);
    }
    return *samples && total >= 0 ? STATUS_OK : screen_no_memory(&client->screen);
}

/* A row of a table of samples: the time, where there is one, a figure a column, and the flags. */
static json_t *sample_row(const json_t *samples, size_t row, char *const *names, size_t width)
{
    const json_t *times = json_object_get(samples, "time_s"), *flags = json_object_get(samples, "flags");
    const double period_s = reply_number(samples, "period_s"), start_s = reply_number(samples, "start_s");
    json_t *made = json_object();
    if (json_is_array(times))
        json_object_set(made, "time_s", json_array_get(times, row * width));
    else if (period_s > 0)
        json_object_set_new(made, "time_s", json_real(start_s + (double)row * period_s));
    for (size_t c = 0; c < width; c++)
        json_object_set(made, names[c], json_array_get(json_object_get(samples, "displacement"), row * width + c));
    if (json_is_array(flags))
        json_object_set(made, "flags", json_array_get(flags, row * width));
    return made;
}

/* Of a table, or of several sensors, the names of the columns stand beside the figures. */
static json_t *sample_rows(const json_t *samples)
{
    enum { MOST = 64 };
    char *names[MOST], *left = NULL, *columns = strdup(reply_text(samples, "columns", "displacement"));
    size_t width = 0;
    json_t *rows = json_array();
    for (char *name = columns ? strtok_r(columns, ",", &left) : NULL; name && width < MOST;
         name = strtok_r(NULL, ",", &left))
        names[width++] = name;
    const size_t count = width > 0 ? json_array_size(json_object_get(samples, "displacement")) / width : 0;
    for (size_t row = 0; row < count; row++)
        json_array_append_new(rows, sample_row(samples, row, names, width));
    free(columns);
    return rows;
}

static enum exit_status add_samples(struct export *export, json_t *record)
{
    json_t *samples;
    const int64_t id = reply_integer(record, "id", 0);
    enum exit_status status = ask_samples(export->client, id, &samples);
    if (status == STATUS_OK) {
        json_t *member = export->table ? sample_rows(samples) : json_incref(samples);
        if (json_object_set_new(record, EXPORT_SAMPLES, member) < 0)
            status = screen_no_memory(&export->client->screen);
    }
    json_decref(samples);
    return status;
}

/* --- records --- */

static enum exit_status put_record(struct export *export, const json_t *record)
{
    if (export->table)
        return export_table_add(export->table, record) ? STATUS_OK : screen_no_memory(&export->client->screen);
    if (quote_json(export->file->stream, record, 0) < 0)
        return screen_no_memory(&export->client->screen);
    fputc('\n', export->file->stream);
    return record_file_good(export->file) ? STATUS_OK : STATUS_FAILED;
}

static enum exit_status export_record(struct export *export, int64_t id)
{
    json_t *record;
    enum exit_status status =
        client_ask(export->client, "results.get", json_pack("{s:I}", "id", (json_int_t)id), &record);
    if (status != STATUS_OK)
        return status;
    if (export->samples)
        status = add_samples(export, record);
    if (status == STATUS_OK)
        status = put_record(export, record);
    json_decref(record);
    return status;
}

static enum exit_status export_named(struct export *export)
{
    const struct options *options = &export->client->options;
    enum exit_status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < options->argument_count; i++) {
        int64_t id = 0;
        options_id(options->arguments[i], &id);
        status = export_record(export, id);
    }
    return status;
}

static enum exit_status export_selected(struct export *export)
{
    const struct options *options = &export->client->options;
    json_t *reply, *summary;
    size_t i;
    enum exit_status status =
        results_pages_ask(export->client, options->given & OPTION_LIMIT ? options->limit : INT64_MAX, &reply);
    if (status != STATUS_OK)
        return status;
    json_array_foreach (json_object_get(reply, "results"), i, summary)
        status = status == STATUS_OK ? export_record(export, reply_integer(summary, "id", 0)) : status;
    json_decref(reply);
    return status;
}

/* The table of everything, or the lists that there are instead of the one that was asked for. */
static enum exit_status print_table(struct export *export)
{
    const struct export_table *table = export->table;
    const char *path;
    json_t *ignored;
    char *paths = NULL;
    size_t length;
    if (json_array_size(table->rows) > 0) {
        export_table_print(table, export->file->stream);
        return record_file_good(export->file) ? STATUS_OK : STATUS_FAILED;
    }
    FILE *list = open_memstream(&paths, &length);
    if (!list)
        return screen_no_memory(&export->client->screen);
    json_object_foreach (table->paths, path, ignored)
        fprintf(list, ", %s", path);
    fclose(list);
    screen_message(&export->client->screen,
                   "no record that was asked for has a list '%s'; there are: " EXPORT_RECORDS ", " EXPORT_SAMPLES "%s",
                   table->path, paths);
    free(paths);
    return STATUS_FAILED;
}

static enum exit_status export_all(struct export *export)
{
    enum exit_status status =
        export->client->options.argument_count > 0 ? export_named(export) : export_selected(export);
    return status == STATUS_OK && export->table ? print_table(export) : status;
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

static enum exit_status run_export(struct client *client)
{
    const struct options *options = &client->options;
    struct record_file file;
    struct export_table table;
    const bool as_table = options->given & OPTION_TABLE;
    struct export export = {.client = client, .file = &file, .table = as_table ? &table : NULL};
    export.samples = !as_table || strcmp(options->table, EXPORT_SAMPLES) == 0;
    client->verbatim = !as_table;
    if (!is_asked_well(client))
        return STATUS_USAGE;
    const char *path = options->given & OPTION_OUTPUT ? options->output : "-";
    enum exit_status status = STATUS_USAGE;
    if (!record_file_open(&file, path, options->given & OPTION_FORCE, &client->screen)) {
        record_file_close(&file, false, &client->screen);
        return status;
    }
    status = as_table && !export_table_open(&table, options->table) ? screen_no_memory(&client->screen)
                                                                    : export_all(&export);
    if (as_table)
        export_table_clear(&table);
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
