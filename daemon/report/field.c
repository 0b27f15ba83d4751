/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What there is to know of fields beside their tables. */

#include "report/field.h"

#include "identify/common/estimate.h"
#include "identify/ladder/ladder_term.h"
#include "proto/utf8.h"

#include <string.h>

static void as_quantity(struct field *field, enum field_type type, const struct decay_parameter *quantity)
{
    field->type = type;
    field->name = quantity->name;
    field->label = quantity->symbol;
    field->unit = quantity->unit;
    field->note = type == FIELD_ESTIMATE ? quantity->about : NULL;
    field->headline = type == FIELD_ESTIMATE && (quantity->term || quantity == main_figures[MAIN_F_N]);
}

/* A field that is no estimate, of a quantity that has estimates elsewhere. */
static void as_figure(struct field *field, const struct decay_parameter *quantity)
{
    field->name = field->name ? field->name : quantity->name;
    field->label = quantity->symbol;
    field->unit = quantity->unit;
}

static void as_parameter(struct field *field, size_t parameter)
{
    as_quantity(field, FIELD_ESTIMATE, &decay_parameters[parameter]);
    field->parameter = (enum fit_parameter)parameter;
}

const char *ladder_figure_name(enum ladder_parameter parameter)
{
    return parameter == LADDER_OMEGA_N ? "f_n" : ladder_parameters[parameter].name;
}

enum unit_kind ladder_figure_unit(enum ladder_parameter parameter)
{
    return parameter == LADDER_OMEGA_N ? KIND_HZ : ladder_parameters[parameter].unit;
}

static void as_rung_figure(struct field *field, enum ladder_parameter parameter)
{
    field->type = FIELD_OPTIONAL;
    field->name = ladder_figure_name(parameter);
    field->note = parameter == LADDER_OMEGA_N ? "natural frequency" : ladder_parameters[parameter].about;
}

static void as_term(struct field *field, const struct ladder_parameter_row *term)
{
    field->type = FIELD_ESTIMATE;
    field->name = term->name;
    field->unit = term->unit;
    field->note = term->about;
    field->headline = field->of_rung = true;
}

/* Makes of a row that stands for several fields the one of that place; how many there are. */
static size_t as_element(struct field *field, size_t element)
{
    switch (field->type) {
    case FIELD_PARAMETERS:
        field->of_model = true;
        field->offset += element * sizeof(struct estimate);
        as_parameter(field, element);
        return FIT_PARAMETERS;
    case FIELD_MAIN_FIGURES:
        field->offset += element * sizeof(struct estimate);
        as_quantity(field, FIELD_ESTIMATE, main_figures[element]);
        return MAIN_FIGURES;
    case FIELD_UNCERTAINTIES:
        field->offset += element * sizeof(double);
        as_quantity(field, FIELD_SIZE, main_figures[element]);
        return MAIN_FIGURES;
    case FIELD_TERM_ESTIMATES:
        field->offset += element * sizeof(struct estimate);
        as_term(field, &ladder_parameters[LADDER_DRAG + element]);
        return LADDER_BEYOND;
    case FIELD_RUNG_FIGURES:
        field->offset += element * sizeof(struct brief_view);
        as_rung_figure(field, (enum ladder_parameter)element);
        return LADDER_PARAMETERS;
    case FIELD_PARAMETER:
        as_parameter(field, field->parameter);
        return 1;
    case FIELD_FREQUENCY:
        as_quantity(field, FIELD_ESTIMATE, main_figures[MAIN_F_N]);
        return 1;
    default:
        if (field->quantity)
            as_figure(field, field->quantity);
        return 1;
    }
}

bool section_next(const struct section *section, struct field_cursor *cursor)
{
    if (cursor->row == section->count)
        return false;
    cursor->field = section->fields[cursor->row];
    const size_t elements = as_element(&cursor->field, cursor->element);
    if (++cursor->element == elements) {
        cursor->element = 0;
        cursor->row++;
    }
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

/* In every unit `x` stands for that of displacement, `#` for that of a force along it, and `*` for the dot. */
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
    [KIND_PER_S] = "1/s",
    [KIND_PER_S2] = "1/s^2",
    [KIND_DISPLACEMENT_PER_S] = "x/s",
    [KIND_DISPLACEMENT_PER_S2] = "x/s^2",
    [KIND_DISPLACEMENT_SQUARED_PER_S2] = "x^2/s^2",
    [KIND_SLIDER_DENSITY] = "x^(-chi-1)/s^2",
    [KIND_J] = "J",
    [KIND_FORCE] = "#",
    [KIND_FORCE_PER_DISPLACEMENT] = "#/x",
    [KIND_FORCE_S_PER_DISPLACEMENT] = "#*s/x",
    [KIND_FORCE_S2_PER_DISPLACEMENT] = "#*s^2/x",
    [KIND_FORCE_PER_DISPLACEMENT_SQUARED] = "#/x^2",
    [KIND_FORCE_PER_S] = "#/s",
    [KIND_OF_QUANTITY] = "",
};

/* What along that displacement does work in J. */
static const char *force_unit(const char *displacement)
{
    return displacement && strcmp(displacement, "rad") == 0 ? "N*m" : "N";
}

/* The letters of a unit, with that of the force in them. */
static struct unit_text with_force(enum unit_kind kind, const char *displacement)
{
    struct unit_text unit = {""};
    for (const char *c = units[kind]; *c; c++) {
        const size_t used = strlen(unit.text);
        const char letter[] = {*c, '\0'};
        utf8_copy(unit.text + used, sizeof unit.text - used, *c == '#' ? force_unit(displacement) : letter);
    }
    return unit;
}

struct unit_text unit_text(enum unit_kind kind, const char *displacement, const char *dot)
{
    const struct unit_text letters = with_force(kind, displacement);
    struct unit_text unit = {""};
    for (const char *c = letters.text; *c; c++) {
        size_t used = strlen(unit.text);
        const char letter[] = {*c, '\0'};
        const char *part = *c == 'x' && displacement ? displacement : *c == '*' ? dot : letter;
        utf8_copy(unit.text + used, sizeof unit.text - used, part);
    }
    return unit;
}
