/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables of figures in a request. */

#include "service/handed_form.h"

#include "service/identify_parameters.h"
#include "service/parameters.h"

#include <math.h>
#include <string.h>

/* "h0, h1" of every form, so that a client sees what would do. */
static void say_forms(const struct record_kind *kind, struct complaint *complaint)
{
    char text[256] = "";
    for (size_t f = 0; f < kind->form_count; f++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", f > 0 ? ", or " : "", kind_form_name(&kind->forms[f]).text);
    }
    complaint_set(complaint, "the columns of %s are %s", kind->name, text);
}

static bool has_columns(const json_t *columns, const struct kind_form *form)
{
    bool has = json_object_size(columns) == form->count;
    for (size_t c = 0; has && c < form->count; c++)
        has = json_object_get(columns, form->column[c].name);
    return has;
}

static const struct kind_form *form_of(const json_t *columns, const struct record_kind *kind)
{
    for (size_t f = 0; f < kind->form_count; f++)
        if (has_columns(columns, &kind->forms[f]))
            return &kind->forms[f];
    return NULL;
}

/* A row has a figure in every column. */
static bool rows_are_whole(const json_t *columns, const struct kind_form *form, struct complaint *complaint)
{
    const size_t rows = json_array_size(json_object_get(columns, form->column[0].name));
    for (size_t c = 1; c < form->count; c++) {
        const size_t here = json_array_size(json_object_get(columns, form->column[c].name));
        if (here != rows) {
            complaint_set(complaint, "%s has %zu elements, %s %zu: they must be alike", form->column[0].name, rows,
                          form->column[c].name, here);
            return false;
        }
    }
    return true;
}

/* Figures that say in which unit they are cannot be in another: a record has that of its first column. */
static bool unit_fits(const json_t *params, const struct kind_form *form, struct complaint *complaint)
{
    const struct kind_column *column = &form->column[0];
    const char *unit = parameter_text(params, "unit", NULL);
    if (!unit || !column->unit || strcmp(unit, column->unit) == 0)
        return true;
    complaint_set(complaint, "%s is in %s: it has no other unit", column->name, column->unit);
    return false;
}

const struct kind_form *handed_form_among(const json_t *params, const struct record_kind *kind,
                                          struct complaint *complaint)
{
    const char *announced = parameter_text(params, "form", NULL);
    const json_t *columns = json_object_get(params, "columns");
    const struct kind_form *form = announced ? kind_form_named(kind, announced) : form_of(columns, kind);
    if (!columns && !announced)
        complaint_set(complaint, "a record of the kind %s has columns: the parameter columns is missing", kind->name);
    else if (!form)
        say_forms(kind, complaint);
    return (columns || announced) && form && rows_are_whole(columns, form, complaint) ? form : NULL;
}

static bool table_of(const json_t *params, const struct record_kind *kind, struct handed_form *handed,
                     struct complaint *complaint)
{
    const struct kind_form *form = handed_form_among(params, kind, complaint);
    if (!form || !unit_fits(params, form, complaint))
        return false;
    *handed = (struct handed_form){kind, form, form->column[0].unit ? form->column[0].unit : "1"};
    return true;
}

/* What a table has no use for would be left out of account in silence. */
static bool has_no_samples(const json_t *params, struct complaint *complaint)
{
    const char *foreign = identify_parameter_of_samples(params);
    if (foreign)
        complaint_set(complaint, "%s is of samples: a record that has columns has none", foreign);
    return !foreign;
}

bool handed_form_of(const json_t *params, struct handed_form *handed, struct complaint *complaint)
{
    const char *name = parameter_text(params, "kind", "");
    const struct record_kind *kind = record_kind_named(name);
    *handed = (struct handed_form){.unit = "1"};
    const bool tabular = json_object_get(params, "columns") || json_object_get(params, "form");
    if (!kind) {
        complaint_set(complaint, "there is no kind of record %s", name);
        return false;
    }
    if (kind->form_count > 0)
        return has_no_samples(params, complaint) && table_of(params, kind, handed, complaint);
    if (tabular)
        complaint_set(complaint, "a record of the kind %s has samples, not columns", kind->name);
    handed->kind = record_kind_is_whole(kind) ? kind : NULL;
    return !tabular;
}

static bool sizes_fit(const json_t *columns, const struct kind_form *form, struct complaint *complaint)
{
    for (size_t c = 0; c < form->count; c++) {
        size_t row;
        json_t *figure;
        json_array_foreach (json_object_get(columns, form->column[c].name), row, figure)
            if (!(fabs(json_number_value(figure)) <= KIND_LARGEST_FIGURE)) {
                complaint_set(complaint, "%s, element %zu, is too large to calculate with: figures go up to %.0e",
                              form->column[c].name, row, KIND_LARGEST_FIGURE);
                return false;
            }
    }
    return true;
}

bool handed_piece_fits(const json_t *params, const struct kind_form *form, struct complaint *complaint)
{
    const json_t *columns = json_object_get(params, "columns");
    if (!has_no_samples(params, complaint))
        return false;
    if (has_columns(columns, form))
        return rows_are_whole(columns, form, complaint) && sizes_fit(columns, form, complaint);
    complaint_set(complaint, "the record was begun with the columns %s", kind_form_name(form).text);
    return false;
}

size_t handed_rows(const json_t *params, const struct kind_form *form)
{
    const json_t *columns = json_object_get(params, "columns");
    return json_array_size(json_object_get(columns, form->column[0].name));
}

void handed_copy(const json_t *params, const struct kind_form *form, double *figures)
{
    const json_t *columns = json_object_get(params, "columns");
    for (size_t c = 0; c < form->count; c++) {
        size_t row;
        json_t *figure;
        json_array_foreach (json_object_get(columns, form->column[c].name), row, figure)
            figures[row * form->count + c] = json_number_value(figure);
    }
}
