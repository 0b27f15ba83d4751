/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Samples come in pages of figures, row after row. They can be very many: rows go from there to the file. */

#include <config.h>

#include "client/export_samples.h"

#include "client/export_table.h"
#include "client/reply.h"
#include "proto/plain_text.h"

#include <stdlib.h>
#include <string.h>

/* --- from the daemon --- */

static enum exit_status ask_page(struct client *client, int64_t id, int64_t offset, int64_t most, json_t **page)
{
    json_t *params = json_pack("{s:I, s:I}", "id", (json_int_t)id, "offset", (json_int_t)offset);
    if (!params || (most > 0 && json_object_set_new(params, "count", json_integer(most)) < 0)) {
        json_decref(params);
        return screen_no_memory(&client->screen);
    }
    return client_ask_held(client, "samples", params, page);
}

/* Figures of a page behind those that there are already. */
static bool join(json_t *samples, const json_t *page)
{
    static const char *const lists[] = {"displacement", "time_s", "flags"};
    bool joined = true;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        json_t *more = json_object_get(page, lists[i]);
        if (json_is_array(more))
            joined = joined && json_array_extend(json_object_get(samples, lists[i]), more) == 0;
    }
    const size_t count = json_array_size(json_object_get(samples, "displacement"));
    return joined && json_object_set_new(samples, "count", json_integer((json_int_t)count)) == 0;
}

enum exit_status export_samples_ask(struct client *client, int64_t id, json_t **samples)
{
    json_t *page;
    enum exit_status status = ask_page(client, id, 0, 0, samples);
    int64_t count = reply_integer(*samples, "count", 0), taken = count;
    while (status == STATUS_OK && *samples && count > 0 && taken < reply_integer(*samples, "total", 0)) {
        status = ask_page(client, id, taken, 0, &page);
        if (status != STATUS_OK)
            break;
        count = reply_integer(page, "count", 0);
        taken += count;
        if (page && !join(*samples, page))
            status = screen_no_memory(&client->screen);
        /* They can go while they are read: a part would be taken for the whole. */
        if (!page || status != STATUS_OK) {
            json_decref(*samples);
            *samples = NULL;
        }
        json_decref(page);
    }
    return status;
}

/* --- columns --- */

struct column {
    char *name;
    const json_t *list; /* NULL: the time, which is that of the row */
    size_t offset;      /* in a row of the list */
};

/* What stands in a row of the samples of one record. */
struct columns {
    struct column *columns;
    size_t count, width; /* columns; figures in a row */
    double start_s, period_s;
};

static void clear(struct columns *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        free(columns->columns[i].name);
    free(columns->columns);
}

static const struct column *find(const struct columns *columns, const char *name)
{
    for (size_t i = 0; i < columns->count; i++)
        if (strcmp(columns->columns[i].name, name) == 0)
            return &columns->columns[i];
    return NULL;
}

/* Where there is a column of that name already it is called "samples.name". */
static bool add_column(struct columns *columns, const char *name, const char *ending, const json_t *list, size_t offset)
{
    char *made;
    if (asprintf(&made, "%s%s", name, ending) < 0)
        return false;
    while (strcmp(made, "id") == 0 || strcmp(made, EXPORT_SAMPLES) == 0 || find(columns, made)) {
        char *longer;
        const bool grown = asprintf(&longer, EXPORT_SAMPLES ".%s", made) >= 0;
        free(made);
        if (!grown)
            return false;
        made = longer;
    }
    columns->columns[columns->count++] = (struct column){made, list, offset};
    return true;
}

/* Of a table, or of several sensors, the names stand beside the figures, with commas. `names` is cut up. Sensors have
 * flags each. */
static bool add_named(struct columns *columns, const json_t *samples, char *names)
{
    const json_t *figures = json_object_get(samples, "displacement"), *flags = json_object_get(samples, "flags");
    bool added = true;
    char *left = names;
    for (size_t c = 0; added && c < columns->width; c++)
        added = add_column(columns, strsep(&left, ","), "", figures, c);
    const char *name = names;
    for (size_t c = 0; added && json_is_array(flags) && c < columns->width; c++, name += strlen(name) + 1)
        added = add_column(columns, columns->width > 1 ? name : "flags", columns->width > 1 ? ".flags" : "", flags, c);
    return added;
}

/* False: memory is short. Either way it is to be cleared. */
static bool look(struct columns *columns, const json_t *samples)
{
    const json_t *times = json_object_get(samples, "time_s");
    char *names = plain_text(reply_text(samples, "columns", "displacement"), false);
    *columns = (struct columns){
        .width = 1, .start_s = reply_number(samples, "start_s"), .period_s = reply_number(samples, "period_s")};
    for (const char *c = names; c && *c; c++)
        columns->width += *c == ',';
    columns->columns = calloc(2 * columns->width + 1, sizeof *columns->columns);
    bool done = names && columns->columns;
    if (done && json_is_array(times))
        done = add_column(columns, "time_s", "", times, 0);
    else if (done && columns->period_s > 0)
        done = add_column(columns, "time_s", "", NULL, 0);
    done = done && add_named(columns, samples, names);
    free(names);
    return done;
}

enum exit_status export_samples_names(struct client *client, int64_t id, json_t *names, bool *held)
{
    struct columns columns = {NULL, 0, 0, 0, 0};
    json_t *samples;
    enum exit_status status = ask_page(client, id, 0, 1, &samples);
    *held = status == STATUS_OK && samples;
    if (!*held)
        return status;
    bool done = look(&columns, samples);
    for (size_t i = 0; i < columns.count; i++)
        done = done && json_object_set_new(names, columns.columns[i].name, json_null()) == 0;
    clear(&columns);
    json_decref(samples);
    return done ? STATUS_OK : screen_no_memory(&client->screen);
}

/* --- rows --- */

void export_samples_head(const json_t *names, FILE *out)
{
    const char *name;
    json_t *ignored;
    fputs("id," EXPORT_SAMPLES, out);
    json_object_foreach ((json_t *)names, name, ignored) {
        fputc(',', out);
        export_table_put_name(name, out);
    }
    fputc('\n', out);
}

static void put_row(const struct columns *columns, const struct column *const *shown, size_t count, size_t row,
                    FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        fputc(',', out);
        if (shown[i] && shown[i]->list)
            export_table_put_cell(json_array_get(shown[i]->list, row * columns->width + shown[i]->offset), out);
        else if (shown[i])
            export_table_put_number(columns->start_s + (double)row * columns->period_s, out);
    }
    fputc('\n', out);
}

bool export_samples_rows(const json_t *samples, int64_t id, const json_t *names, FILE *out)
{
    struct columns columns;
    const size_t count = json_object_size(names);
    const struct column **shown = calloc(count + 1, sizeof *shown), **next = shown;
    const bool done = look(&columns, samples) && shown;
    const char *name;
    json_t *ignored;
    if (done)
        json_object_foreach ((json_t *)names, name, ignored)
            *next++ = find(&columns, name);
    const size_t rows = done ? json_array_size(json_object_get(samples, "displacement")) / columns.width : 0;
    for (size_t row = 0; row < rows; row++) {
        fprintf(out, "%lld,%zu", (long long)id, row);
        put_row(&columns, shown, count, row, out);
    }
    clear(&columns);
    free(shown);
    return done;
}
