/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of kind_rows.h, with what stands behind each row. */

#include "report/kinds/record_kind.h"

#include "identify/loop/friction_term.h"
#include "proto/measured_unit.h"
#include "proto/name_words.h"
#include "report/kinds/kind_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No scan takes longer, and nanoseconds of sixteen sensors have their room. */
#define DELAY_MOST_S 1000.0

#define DECLARE(name, finder) extern const struct record_kind record_kind_##name;
RECORD_KIND_ROWS(DECLARE)

#define POINT(name, finder) &record_kind_##name,
static const struct record_kind *const kinds[] = {RECORD_KIND_ROWS(POINT)};

const struct record_kind record_kind_free_decay = {.name = KIND_FREE_DECAY,
                                                   .about = "a mass on springs that was let go"};

const struct record_kind *record_kind_at(size_t index)
{
    return index < sizeof kinds / sizeof kinds[0] ? kinds[index] : NULL;
}

const char *record_kind_name_at(size_t index)
{
    const struct record_kind *kind = record_kind_at(index);
    return kind ? kind->name : NULL;
}

const struct record_kind *record_kind_named(const char *name)
{
    const struct record_kind *kind;
    for (size_t i = 0; (kind = record_kind_at(i)); i++)
        if (!*name || strcmp(kind->name, name) == 0)
            return kind;
    return NULL;
}

/* An acceleration in volts is none of a displacement, nor is anything over an hour or a minute; a velocity in volts is
 * left to its unit, as a coil in a field that gives it swings as freely as what it hangs on. */
static const char *quantity_of_samples(const char *channel, const char *unit)
{
    const char *quantity = motion_unit_of(unit).quantity;
    const struct text_piece name = {channel, strlen(channel)};
    const bool plain = !*unit || strcmp(unit, "1") == 0; /* a column's figures where its header has no unit */
    return quantity                       ? quantity
           : name_says_acceleration(name) ? QUANTITY_ACCELERATION
           : (plain && name_says_velocity(name)) ||
                   measured_unit_is_strange_rate((struct text_piece){unit, strlen(unit)})
               ? QUANTITY_VELOCITY
               : NULL;
}

const struct record_kind *record_kind_of_samples(const char *name, const char *channel, const char *unit)
{
    const char *quantity = quantity_of_samples(channel, unit);
    const struct record_kind *kind;
    for (size_t i = 0; !*name && quantity && (kind = record_kind_at(i)); i++)
        for (size_t q = 0; q < sizeof kind->of_quantities / sizeof kind->of_quantities[0]; q++)
            if (kind->of_quantities[q] && strcmp(kind->of_quantities[q], quantity) == 0)
                return kind;
    return record_kind_named(name);
}

bool record_kind_is_whole(const struct record_kind *kind)
{
    return kind->section && kind->form_count == 0;
}

const char *samples_quantity(const struct record_kind *kind, const char *unit)
{
    const char *quantity = record_kind_is_whole(kind) ? motion_unit_of(unit).quantity : NULL;
    return quantity ? quantity : QUANTITY_DISPLACEMENT;
}

bool record_kind_has_samples(const struct record_kind *kind)
{
    return kind->form_count == 0 || kind->sampled;
}

static bool form_has(const struct kind_form *form, const struct kind_column *column)
{
    for (size_t c = 0; c < form->count; c++)
        if (strcmp(form->column[c].name, column->name) == 0)
            return true;
    return false;
}

bool kind_form_extends(const struct kind_form *form, const struct kind_form *other)
{
    bool has_all = form->count > other->count;
    for (size_t c = 0; c < other->count; c++)
        has_all = has_all && form_has(form, &other->column[c]);
    return has_all;
}

struct motion_unit record_unit(const struct decay_origin *origin)
{
    const struct record_kind *kind = record_kind_named(origin->kind);
    struct motion_unit as_is = {NULL, ""};
    snprintf(as_is.displacement, sizeof as_is.displacement, "%s", origin->unit);
    return kind && (record_kind_is_whole(kind) || kind->of_displacement) ? motion_unit_of(origin->unit) : as_is;
}

const struct kind_column *kind_form_too_small(const struct kind_form *form, const double *figures, size_t rows)
{
    double largest[KIND_COLUMNS_MOST] = {0};
    for (size_t i = 0; i < rows * form->count; i++)
        largest[i % form->count] = fmax(largest[i % form->count], fabs(figures[i]));
    for (size_t c = 0; c < form->count; c++)
        if (largest[c] > 0 && largest[c] < KIND_SMALLEST_FIGURE)
            return &form->column[c];
    return NULL;
}

struct form_name kind_form_name(const struct kind_form *form)
{
    struct form_name name = {""};
    for (size_t i = 0; i < form->count; i++) {
        size_t used = strlen(name.text);
        snprintf(name.text + used, sizeof name.text - used, "%s%s", i > 0 ? "," : "", form->column[i].name);
    }
    return name;
}

size_t record_sensors(const struct decay_origin *origin, char names[KIND_SENSORS_MOST][KIND_SENSOR_BYTES])
{
    const struct record_kind *kind = record_kind_named(origin->kind);
    size_t count = 0;
    if (!kind || !kind->several || !*origin->columns)
        return 0;
    for (const char *name = origin->columns; name && count < KIND_SENSORS_MOST; count++) {
        const char *comma = strchr(name, ',');
        const int length = comma ? (int)(comma - name) : (int)strlen(name);
        snprintf(names[count], KIND_SENSOR_BYTES, "%.*s", length, name);
        name = comma ? comma + 1 : NULL;
    }
    return count;
}

void record_tell_delays(const double *delay_s, size_t count, struct decay_origin *origin)
{
    size_t used = 0;
    bool differ = false, known = true;
    for (size_t i = 0; i < count; i++) {
        differ = differ || delay_s[i] != delay_s[0];
        known = known && isfinite(delay_s[i]);
    }
    *origin->delays_ns = '\0';
    for (size_t i = 0; i < count && differ && known && used < sizeof origin->delays_ns; i++)
        used += (size_t)snprintf(origin->delays_ns + used, sizeof origin->delays_ns - used, "%s%lld", i > 0 ? "," : "",
                                 llround(1e9 * fmin(delay_s[i], DELAY_MOST_S)));
}

void record_delays(const struct decay_origin *origin, size_t count, double delay_s[KIND_SENSORS_MOST])
{
    const char *next = origin->delays_ns;
    for (size_t i = 0; i < count; i++) {
        char *end = NULL;
        const long long delay_ns = next ? strtoll(next, &end, 10) : 0;
        delay_s[i] = next && end != next ? 1e-9 * (double)delay_ns : origin->delay_s;
        next = next && *end == ',' ? end + 1 : NULL;
    }
}

const char *record_quantity(const struct decay_origin *origin)
{
    const struct record_kind *kind = record_kind_named(origin->kind);
    const struct kind_form *form = kind ? kind_form_named(kind, origin->columns) : NULL;
    return *origin->quantity ? origin->quantity : form ? form->column[0].quantity : QUANTITY_DISPLACEMENT;
}

const char *trace_quantity(const struct decay_origin *origin, const struct kind_form *form, size_t i)
{
    return form ? form->column[i].quantity : record_quantity(origin);
}

const char *trace_unit(const struct decay_origin *origin, const struct kind_form *form, size_t i)
{
    return form && form->column[i].unit ? form->column[i].unit : origin->unit;
}

const struct kind_form *kind_form_named(const struct record_kind *kind, const char *name)
{
    for (size_t i = 0; i < kind->form_count; i++)
        if (strcmp(kind_form_name(&kind->forms[i]).text, name) == 0)
            return &kind->forms[i];
    return NULL;
}

/* What a path of names with dots between them leads to, as far as they lead to objects; NULL: nowhere. */
static const void *place_of(const struct section *section, const char *found, const char *path, struct field *field)
{
    char name[32];
    const size_t length = strcspn(path, ".");
    snprintf(name, sizeof name, "%.*s", (int)length, path);
    if (!section_field(section, name, field))
        return NULL;
    if (field->type == FIELD_OBJECT)
        return place_of(field->of, found + field->offset, path + length + (path[length] == '.'), field);
    return found + field->offset;
}

/* NAN: there is no such figure. */
static double figure_at(const struct section *section, const char *found, const char *path)
{
    struct field field;
    const void *place = place_of(section, found, path, &field);
    if (place && field.type == FIELD_ESTIMATE)
        return ((const struct estimate *)place)->value;
    return place && field.type == FIELD_FIGURE ? *(const double *)place : (double)NAN;
}

const char *kind_chosen_model(const struct record_kind *kind, const void *found)
{
    struct field field;
    const int *place = place_of(kind->section, found, "loop.ladder.model", &field);
    return place && field.words == WORDS_FRICTION_MODEL ? friction_row_name((size_t)*place) : NULL;
}

void kind_searched_figures(const struct record_kind *kind, const void *found, double figure[SEARCHED_FIGURES])
{
    for (int i = 0; i < SEARCHED_FIGURES; i++) {
        const struct searched_figure *searched = &searched_figures[i];
        char path[64];
        snprintf(path, sizeof path, "%s%s.value", searched->within, searched->name);
        figure[i] = figure_at(kind->section, found, path + strlen(searched->within));
        if (isnan(figure[i]))
            figure[i] = figure_at(kind->section, found, path);
    }
}
