/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What there is to know of fields beside their tables. */

#include "report/field.h"

#include "identify/common/estimate.h"
#include "proto/utf8.h"

#include <string.h>

static void as_parameter(struct field *field, enum fit_parameter parameter)
{
    field->type = FIELD_ESTIMATE;
    field->name = decay_parameters[parameter].name;
    field->label = decay_parameters[parameter].symbol;
    field->unit = decay_parameters[parameter].unit;
    field->note = decay_parameters[parameter].about;
    field->parameter = parameter;
    field->headline = decay_parameters[parameter].term;
}

bool section_next(const struct section *section, struct field_cursor *cursor)
{
    if (cursor->row == section->count)
        return false;
    cursor->field = section->fields[cursor->row];
    cursor->field.of_model = cursor->field.type == FIELD_PARAMETERS;
    if (cursor->field.type == FIELD_PARAMETER)
        as_parameter(&cursor->field, cursor->field.parameter);
    if (cursor->field.type == FIELD_PARAMETERS) {
        cursor->field.offset += cursor->parameters * sizeof(struct estimate);
        as_parameter(&cursor->field, (enum fit_parameter)cursor->parameters);
        if (++cursor->parameters < FIT_PARAMETERS)
            return true;
    }
    cursor->parameters = 0;
    cursor->row++;
    return true;
}

bool section_field(const struct section *section, const char *name, struct field *field)
{
    struct field_cursor cursor = {0};
    while (section_next(section, &cursor))
        if (strcmp(cursor.field.name, name) == 0) {
            *field = cursor.field;
            return true;
        }
    return false;
}

/* In every unit `x` stands for that of displacement, and `*` for the dot. */
static const char *const units[UNIT_KINDS] = {
    [KIND_ONE] = "",
    [KIND_RAD_PER_S] = "rad/s",
    [KIND_HZ] = "Hz",
    [KIND_S] = "s",
    [KIND_DISPLACEMENT] = "x",
    [KIND_PER_DISPLACEMENT] = "1/x",
    [KIND_PER_DISPLACEMENT_SQUARED] = "1/x^2",
    [KIND_DISPLACEMENT_SQUARED] = "x^2",
    [KIND_RAD] = "rad",
    [KIND_N] = "N",
    [KIND_N_S_PER_M] = "N*s/m",
    [KIND_N_PER_M] = "N/m",
    [KIND_KG] = "kg",
    [KIND_M_PER_S2] = "m/s^2",
    [KIND_OF_QUANTITY] = "",
};

struct unit_text unit_text(enum unit_kind kind, const char *displacement, const char *dot)
{
    struct unit_text unit = {""};
    for (const char *c = units[kind]; *c; c++) {
        size_t used = strlen(unit.text);
        const char letter[] = {*c, '\0'};
        const char *part = *c == 'x' && displacement ? displacement : *c == '*' ? dot : letter;
        utf8_copy(unit.text + used, sizeof unit.text - used, part);
    }
    return unit;
}
