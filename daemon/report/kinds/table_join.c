/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/kinds/table_join.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static size_t time_column(const struct kind_form *form)
{
    size_t c = 0;
    while (c < form->count && strcmp(form->column[c].quantity, QUANTITY_TIME) != 0)
        c++;
    return c;
}

static int check_alike(const struct table_file *first, const struct table_file *table, const char *const paths[2],
                       struct complaint *complaint)
{
    if (table->kind->runs_most == 0 || time_column(table->form) == table->form->count) {
        complaint_set(complaint, "%s: a %s has no runs that belong together", paths[1], table->kind->name);
        return -EINVAL;
    }
    if (table->form == first->form && strcmp(table->unit, first->unit) == 0)
        return 0;
    complaint_set(complaint, "%s has the columns %s (%s) and %s %s (%s): runs of one contact have the same in one unit",
                  paths[0], kind_form_name(first->form).text, first->unit, paths[1], kind_form_name(table->form).text,
                  table->unit);
    return -EINVAL;
}

/* Whether each number of one run stands in another: the digits of a file do, whatever its units, but for the rounding
 * of their conversion. */
static bool is_same_run(const struct table_record *a, const struct table_record *b, size_t columns)
{
    const double rounding = 1e-12;
    bool same = a->rows == b->rows;
    for (size_t i = 0; i < a->rows * columns && same; i++)
        same = fabs(a->numbers[i] - b->numbers[i]) <= rounding * fmax(fabs(a->numbers[i]), fabs(b->numbers[i])) ||
               (isnan(a->numbers[i]) && isnan(b->numbers[i]));
    return same;
}

/* A run that counts twice makes errors too small. */
static int check_no_run_twice(const struct table_file *tables, const char *const *paths, size_t count,
                              struct complaint *complaint)
{
    for (size_t k = 1; k < count; k++)
        for (size_t j = 0; j < k; j++)
            for (size_t i = 0; i < tables[k].count && i < tables[j].count; i++)
                if (is_same_run(&tables[k].records[i], &tables[j].records[i], tables[k].form->count)) {
                    complaint_set(complaint, "%s has the same run as %s: together it would count twice", paths[k],
                                  paths[j]);
                    return -EINVAL;
                }
    return 0;
}

/* Of all runs: how many, their rows, and how long they take together. */
struct extent_of_runs {
    size_t runs, rows;
    double span_s;
};

static double span_of(const struct table_record *record, const struct kind_form *form)
{
    const double *time_s = record->numbers + time_column(form);
    return time_s[(record->rows - 1) * form->count] - time_s[0];
}

static struct extent_of_runs extent_of(const struct table_file *tables, size_t count)
{
    struct extent_of_runs extent = {0};
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < tables[k].count; i++) {
            extent.runs++;
            extent.rows += tables[k].records[i].rows;
            extent.span_s += fabs(span_of(&tables[k].records[i], tables[k].form));
        }
    return extent;
}

/* Puts a run behind the others, to begin at that time. */
static void append(struct table_record *to, const struct table_record *run, const struct kind_form *form,
                   double begin_s)
{
    const size_t time = time_column(form);
    double *rows = to->numbers + to->rows * form->count;
    memcpy(rows, run->numbers, run->rows * form->count * sizeof *rows);
    for (size_t i = 0; i < run->rows; i++)
        rows[i * form->count + time] = begin_s + (run->numbers[i * form->count + time] - run->numbers[time]);
    to->rows += run->rows;
}

static int make_record(const struct table_file *tables, size_t count, struct extent_of_runs extent,
                       struct table_file *joined)
{
    double begin_s = 0;
    struct table_record *record = calloc(1, sizeof *record);
    if (!record)
        return -ENOMEM;
    joined->records = record;
    joined->count = 1;
    record->name = strdup("");
    record->numbers = calloc(extent.rows * joined->form->count, sizeof *record->numbers);
    record->capacity = extent.rows;
    if (!record->name || !record->numbers)
        return -ENOMEM;
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < tables[k].count; i++) {
            append(record, &tables[k].records[i], joined->form, begin_s);
            begin_s += fabs(span_of(&tables[k].records[i], joined->form)) + extent.span_s;
        }
    return 0;
}

int table_join(const struct table_file *tables, const char *const *paths, size_t count, struct table_file *joined,
               struct complaint *complaint)
{
    *joined = (struct table_file){.kind = tables[0].kind, .form = tables[0].form};
    memcpy(joined->unit, tables[0].unit, sizeof joined->unit);
    memcpy(joined->read_as, tables[0].read_as, sizeof joined->read_as);
    int error = 0;
    for (size_t k = 0; k < count && !error; k++)
        error = check_alike(&tables[0], &tables[k], (const char *const[2]){paths[0], paths[k]}, complaint);
    if (error)
        return error;
    const struct extent_of_runs extent = extent_of(tables, count);
    if (extent.runs > joined->kind->runs_most) {
        complaint_set(complaint, "%zu runs: no more than %zu are fitted together", extent.runs,
                      joined->kind->runs_most);
        return -EINVAL;
    }
    error = check_no_run_twice(tables, paths, count, complaint);
    if (error)
        return error;
    error = make_record(tables, count, extent, joined);
    if (error)
        complaint_set(complaint, "not enough memory");
    return error;
}
