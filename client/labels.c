/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From tables to what a person reads. */

#include "client/labels.h"

#include "client/reply.h"

#include <math.h>

static bool is_ascii(const char *text)
{
    while (*text && !((unsigned char)*text & 0x80))
        text++;
    return *text == '\0';
}

/* A label that cannot be shown is spelled out: that is its name. */
struct labelled labelled_field(const struct field *field, const char *unit, const struct glyphs *glyphs)
{
    const bool spelled = !field->label || (glyphs->ascii && !is_ascii(field->label));
    return (struct labelled){field->name, spelled ? field->name : field->label,
                             unit_text(field->unit, unit, glyphs->dot)};
}

struct labelled labelled_named(const struct section *section, const char *name, const char *unit,
                               const struct glyphs *glyphs)
{
    struct field field;
    if (!section_field(section, name, &field))
        return (struct labelled){NULL, name, {""}};
    return labelled_field(&field, unit, glyphs);
}

struct labelled labelled_quantity(const char *name, const char *unit, const struct glyphs *glyphs)
{
    struct labelled of_fit = labelled_named(&fit_table, name, unit, glyphs);
    return of_fit.name ? of_fit : labelled_named(&physical_table, name, unit, glyphs);
}

bool next_estimate(const struct section *section, struct field_cursor *cursor)
{
    while (section_next(section, cursor))
        if (cursor->field.type == FIELD_ESTIMATE)
            return true;
    return false;
}

bool next_headline(const struct section *section, const json_t *object, struct field_cursor *cursor)
{
    while (next_estimate(section, cursor)) {
        const struct field *field = &cursor->field;
        const bool of_model = field->of_model && object, of_rung = field->of_rung && object;
        const bool lacking = (of_model && !json_object_get(object, field->name)) ||
                             (of_rung && isnan(reply_figure(object, field->name).value));
        if (field->headline && !lacking)
            return true;
    }
    return false;
}

const struct section *recommended_table(const json_t *result)
{
    struct field field;
    const char *name = reply_text(result, "recommended", NULL);
    if (!name || !reply_recommended(result))
        return NULL;
    return section_field(&result_table, name, &field) ? field.of : &fit_table;
}
