/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the tree of a record to rows: an object is columns, a list is rows. */

#include <config.h>

#include "client/export_table.h"

#include "proto/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 256 };

bool export_table_open(struct export_table *table, const char *path)
{
    *table = (struct export_table){path, json_array(), json_object(), json_object()};
    return table->rows && table->columns && table->paths;
}

void export_table_clear(struct export_table *table)
{
    json_decref(table->rows);
    json_decref(table->columns);
    json_decref(table->paths);
}

/* --- columns --- */

static void name_of(char name[NAME_BYTES], const char *before, const char *key)
{
    snprintf(name, NAME_BYTES, "%s%s%s", before, *before && *key ? "." : "", key);
}

static bool is_inner(const json_t *value)
{
    return json_is_object(value) || json_is_array(value);
}

/* Lists of objects are tables of their own, also when they are empty. */
static bool is_table(const json_t *list)
{
    return json_array_size(list) == 0 || is_inner(json_array_get(list, 0));
}

static bool flatten(json_t *row, const char *before, const json_t *value);

/* "flags.0" */
static bool flatten_list(json_t *row, const char *before, const json_t *list)
{
    char name[NAME_BYTES], place[24];
    size_t i;
    const json_t *item;
    bool done = true;
    json_array_foreach (list, i, item) {
        snprintf(place, sizeof place, "%zu", i);
        name_of(name, before, place);
        done = done && flatten(row, name, item);
    }
    return done;
}

/* An estimate's value stands under its own name, the uncertainties behind it. */
static bool flatten(json_t *row, const char *before, const json_t *value)
{
    char name[NAME_BYTES];
    const char *key;
    json_t *member;
    bool done = true;
    if (json_is_array(value))
        return is_table(value) || flatten_list(row, before, value);
    if (!json_is_object(value))
        return json_object_set(row, *before ? before : "value", (json_t *)value) == 0;
    json_object_foreach ((json_t *)value, key, member) {
        name_of(name, before, *before && strcmp(key, "value") == 0 ? "" : key);
        done = done && flatten(row, name, member);
    }
    return done;
}

/* --- rows --- */

/* An item's own id must not take the place of its record's. */
static bool set_apart(json_t *row, const char *list, const char *key, json_t *cell)
{
    char *name = strdup(key);
    while (name && json_object_get(row, name)) {
        char *longer;
        if (asprintf(&longer, "%s.%s", list, name) < 0)
            longer = NULL;
        free(name);
        name = longer;
    }
    const bool set = name && json_object_set(row, name, cell) == 0;
    free(name);
    return set;
}

/* `base`: what stands before an item of the list. */
static bool add_row(struct export_table *table, const json_t *base, const char *list, const json_t *value)
{
    const char *key;
    json_t *cell, *row = json_copy((json_t *)base), *cells = json_object();
    bool done = row && cells && (json_is_array(value) ? flatten_list(cells, "", value) : flatten(cells, "", value));
    json_object_foreach (cells, key, cell)
        done = done && set_apart(row, list, key, cell);
    done = done && json_object_update_missing(table->columns, row) == 0;
    json_decref(cells);
    return json_array_append_new(table->rows, row) == 0 && done;
}

static bool add_list(struct export_table *table, const json_t *base, const char *name, const char *rest,
                     const json_t *list);

/* What the rest of a path leads to from an object. */
static bool add_from(struct export_table *table, const json_t *base, const json_t *object, const char *path)
{
    char name[NAME_BYTES];
    const size_t length = strcspn(path, ".");
    snprintf(name, sizeof name, "%.*s", (int)length, path);
    const json_t *member = json_object_get(object, name);
    const char *rest = path[length] ? path + length + 1 : "";
    if (json_is_array(member))
        return add_list(table, base, name, rest, member);
    return !json_is_object(member) || !*rest || add_from(table, base, member, rest);
}

static bool add_list(struct export_table *table, const json_t *base, const char *name, const char *rest,
                     const json_t *list)
{
    size_t i;
    const json_t *item;
    bool done = true;
    json_array_foreach (list, i, item) {
        json_t *placed = json_copy((json_t *)base);
        done = done && placed && json_object_set_new(placed, name, json_integer((json_int_t)i)) == 0 &&
               (*rest ? add_from(table, placed, item, rest) : add_row(table, placed, name, item));
        json_decref(placed);
    }
    return done;
}

static bool note_paths(json_t *paths, const char *before, const json_t *value)
{
    char name[NAME_BYTES];
    const char *key;
    json_t *member;
    size_t i;
    bool done = true;
    if (json_is_array(value) && json_array_size(value) > 0 && is_table(value))
        done = json_object_set_new(paths, before, json_null()) == 0;
    json_array_foreach (value, i, member)
        done = done && (!json_is_object(member) || note_paths(paths, before, member));
    json_object_foreach ((json_t *)value, key, member) {
        name_of(name, before, key);
        done = done && (!is_inner(member) || note_paths(paths, name, member));
    }
    return done;
}

bool export_table_add(struct export_table *table, const json_t *record)
{
    const bool whole = strcmp(table->path, EXPORT_RECORDS) == 0;
    json_t *base = whole ? json_object() : json_pack("{s:O}", "id", json_object_get(record, "id"));
    bool done = base && note_paths(table->paths, "", record);
    if (done)
        done = whole ? add_row(table, base, table->path, record) : add_from(table, base, record, table->path);
    json_decref(base);
    return done;
}

/* --- CSV --- */

/* Text in quotes. A spreadsheet would take for a formula what begins with one of four characters, also behind blanks,
 * tabs and returns. */
static void put_text(const char *text, FILE *out)
{
    const char *first = text + strspn(text, " \t\r\n");
    fputc('"', out);
    if (*first && strchr("=+-@", *first))
        fputc('~', out);
    for (; *text; text++)
        fprintf(out, "%s%c", *text == '"' ? "\"" : "", *text);
    fputc('"', out);
}

void export_table_put_number(double number, FILE *out)
{
    char text[64];
    if (isfinite(number)) {
        decimal_write(text, sizeof text, number);
        fputs(text, out);
    }
}

void export_table_put_cell(const json_t *value, FILE *out)
{
    if (json_is_string(value))
        put_text(json_string_value(value), out);
    else if (json_is_integer(value))
        fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_boolean(value))
        fputs(json_is_true(value) ? "true" : "false", out);
    else if (json_is_real(value))
        export_table_put_number(json_real_value(value), out);
}

void export_table_put_name(const char *name, FILE *out)
{
    if (strpbrk(name, "\",\r\n") || strchr("=+-@ \t", *name))
        put_text(name, out);
    else
        fputs(name, out);
}

void export_table_print(const struct export_table *table, FILE *out)
{
    const char *key, *comma = "";
    json_t *ignored, *row;
    size_t i;
    json_object_foreach (table->columns, key, ignored) {
        fputs(comma, out);
        export_table_put_name(key, out);
        comma = ",";
    }
    fputc('\n', out);
    json_array_foreach (table->rows, i, row) {
        comma = "";
        json_object_foreach (table->columns, key, ignored) {
            fputs(comma, out);
            export_table_put_cell(json_object_get(row, key), out);
            comma = ",";
        }
        fputc('\n', out);
    }
}
