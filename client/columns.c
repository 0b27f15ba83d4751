/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which columns of a table are shown, and where there is not room for all of them, which are left. */

#include "client/columns.h"

#include "client/labels.h"

#include <errno.h>
#include <string.h>

static const struct column *column_named(const struct column *all, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(all[i].name) == length && strncmp(all[i].name, name, length) == 0)
            return &all[i];
    return NULL;
}

static int refuse(const struct column *all, size_t count, const char *name, size_t length, struct complaint *complaint)
{
    struct phrase names = {""};
    for (size_t i = 0; i < count; i++)
        names = phrase_format("%s%s%s", names.text, i > 0 ? ", " : "", all[i].name);
    complaint_set(complaint, "there is no column '%.*s': these are there: %s", (int)length, name, names.text);
    return -EINVAL;
}

int columns_choose(const struct column *all, size_t count, const char *wanted, struct column_choice *choice,
                   struct complaint *complaint)
{
    *choice = (struct column_choice){.asked = wanted != NULL};
    for (size_t i = 0; !wanted && i < count; i++)
        if (!all[i].asked)
            choice->columns[choice->count++] = &all[i];
    for (const char *name = wanted; name; name = *name ? name + 1 : NULL) {
        const size_t length = strcspn(name, ",");
        const struct column *column = column_named(all, count, name, length);
        if (!column || choice->count == TABLE_MAX_COLUMNS)
            return refuse(all, count, name, length, complaint);
        choice->columns[choice->count++] = column;
        name += length;
        if (*name == '\0')
            break;
    }
    return 0;
}

enum exit_status columns_wanted(const struct client *client, const struct column *all, size_t count,
                                struct column_choice *choice)
{
    struct complaint complaint;
    if (columns_choose(all, count, client->options.manner.columns, choice, &complaint) == 0)
        return STATUS_OK;
    screen_message(&client->screen, "%s", complaint.text);
    return STATUS_USAGE;
}

bool columns_has(const struct column_choice *choice, const char *name)
{
    for (size_t i = 0; i < choice->count; i++)
        if (strcmp(choice->columns[i]->name, name) == 0)
            return true;
    return false;
}

static void take_out(struct column_choice *choice, size_t index)
{
    choice->count--;
    memmove(&choice->columns[index], &choice->columns[index + 1], (choice->count - index) * sizeof choice->columns[0]);
}

void columns_leave_out(struct column_choice *choice, const char *name)
{
    for (size_t i = choice->count; i-- > 0;)
        if (strcmp(choice->columns[i]->name, name) == 0)
            take_out(choice, i);
}

void columns_add_header(struct table *table, const struct column_choice *choice, const struct glyphs *glyphs)
{
    for (size_t i = 0; i < choice->count; i++) {
        const struct column *column = choice->columns[i];
        const char *header = column->header ? column->header : labelled_quantity(column->quantity, NULL, glyphs).label;
        table_cell(table, "%s", header);
    }
    table_end_row(table);
}

void columns_add_row(struct table *table, const struct column_choice *choice, const json_t *object,
                     const struct glyphs *glyphs)
{
    for (size_t i = 0; i < choice->count; i++) {
        const struct column *column = choice->columns[i];
        const struct phrase words = column->text(object, column, glyphs);
        if (column->judges)
            table_painted_cell(table, glyphs_verdict(glyphs, words.text), "%s", words.text);
        else
            table_cell(table, "%s", words.text);
    }
    table_end_row(table);
}

/* Whether the cells of a column, which has a head, are not all alike. */
static bool cells_differ(const struct table *table, size_t column)
{
    for (size_t row = 2; row < table_rows(table); row++)
        if (strcmp(table_text(table, row, column), table_text(table, 1, column)) != 0)
            return true;
    return false;
}

static int rank_of(const struct table *table, const struct column *column, size_t place)
{
    return column->apart > 0 && cells_differ(table, place) ? column->apart : column->rank;
}

/* The one that gives way next; `count`: none does. */
static size_t least_wanted(const struct table *table, const struct column_choice *choice)
{
    size_t least = choice->count;
    int rank = 0;
    for (size_t i = 0; i < choice->count; i++) {
        const int its = choice->asked ? (int)i : rank_of(table, choice->columns[i], i);
        least = its > rank ? i : least;
        rank = its > rank ? its : rank;
    }
    return least;
}

void columns_fit(struct table *table, struct column_choice *choice, size_t width)
{
    for (size_t least; table_width(table) > width && (least = least_wanted(table, choice)) < choice->count;) {
        table_drop_column(table, least);
        take_out(choice, least);
    }
}
