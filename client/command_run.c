/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl run: what a rig did once, a line a trace, by the table that the daemon writes them by. */

#include "client/command.h"
#include "client/describe.h"
#include "client/labels.h"
#include "client/reply.h"
#include "client/table.h"
#include "client/wrapped.h"

#include <ctype.h>
#include <stdio.h>

/* Whether any trace has something to say there: a column of nothing is left out. */
static bool is_told(const json_t *traces, const char *name)
{
    bool told = false;
    size_t i;
    json_t *trace;
    json_array_foreach (traces, i, trace) {
        const json_t *value = json_object_get(trace, name);
        told = told || (value && !json_is_null(value) && !json_is_false(value));
    }
    return told;
}

static bool next_told(const json_t *traces, struct field_cursor *cursor)
{
    while (section_next(&trace_table, cursor))
        if (cursor->field.type != FIELD_REASON && is_told(traces, cursor->field.name))
            return true;
    return false;
}

static void header(struct table *table, const json_t *traces, const struct glyphs *glyphs)
{
    struct field_cursor cursor = {0};
    while (next_told(traces, &cursor)) {
        struct phrase words = phrase_format("%s", labelled_field(&cursor.field, NULL, glyphs).label);
        for (char *letter = words.text; *letter; letter++)
            *letter = (char)toupper((unsigned char)*letter);
        table_cell(table, "%s", words.text);
    }
    table_end_row(table);
}

static struct phrase value_of(const json_t *trace, const struct field *field, const struct glyphs *glyphs)
{
    const json_t *value = json_object_get(trace, field->name);
    if (json_is_string(value) && field->type == FIELD_TIME)
        return describe_moment(json_string_value(value));
    if (json_is_string(value))
        return phrase_format("%s", json_string_value(value));
    if (json_is_real(value))
        return phrase_format("%.6g %s", json_real_value(value), labelled_field(field, NULL, glyphs).unit.text);
    if (json_is_boolean(value))
        return phrase_format("%s", json_is_true(value) ? "yes" : "no");
    return describe_count(trace, field->name, glyphs);
}

static void row(struct table *table, const json_t *traces, const json_t *trace, const struct glyphs *glyphs)
{
    struct field_cursor cursor = {0};
    while (next_told(traces, &cursor))
        table_cell(table, "%s", value_of(trace, &cursor.field, glyphs).text);
    table_end_row(table);
}

static enum exit_status print_run(struct client *client, const json_t *run)
{
    const struct glyphs *glyphs = client->screen.glyphs;
    const json_t *traces = json_object_get(run, "traces");
    const char *started = reply_text(run, "started_at", NULL);
    const struct phrase head = phrase_format("run %s, rig %s, %s, %s", describe_count(run, "run_id", glyphs).text,
                                             reply_text(run, "rig", "?"), reply_text(run, "kind", "?"),
                                             started ? describe_moment(started).text : "at an unknown time of day");
    wrapped_print(head.text, screen_room(&client->screen), stdout);
    struct table *table = table_create();
    header(table, traces, glyphs);
    size_t i;
    json_t *trace;
    json_array_foreach (traces, i, trace)
        row(table, traces, trace, glyphs);
    table_name_columns(table);
    enum exit_status status = table_print(table, "  ", screen_room(&client->screen), stdout) == 0
                                  ? STATUS_OK
                                  : screen_no_memory(&client->screen);
    table_destroy(table);
    return status;
}

static enum exit_status run_run(struct client *client)
{
    int64_t id;
    json_t *run;
    enum exit_status status = client_named_id(client, "run", &id);
    if (status == STATUS_OK)
        status = client_ask(client, "runs.get", json_pack("{s:I}", "run_id", (json_int_t)id), &run);
    return status == STATUS_OK ? client_print(client, run, print_run) : status;
}

const struct command command_run = {.name = "run",
                                    .summary = "what a rig did once, and what each channel saw of it",
                                    .operand = WORD_RUN,
                                    .least = 1,
                                    .most = 1,
                                    .run = run_run};
