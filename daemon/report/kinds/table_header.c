/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the names of a table's columns say, against what the kinds of records know. */

#include "report/kinds/table_header.h"

#include "proto/column_label.h"
#include "proto/dialect/cells.h"
#include "proto/label_doubt.h"
#include "proto/name_words.h"
#include "proto/utf8.h"
#include "report/kinds/unit_scale.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

size_t table_split(char *line, char delimiter, char *fields[TABLE_COLUMNS_MOST])
{
    struct text_piece cells[TABLE_COLUMNS_MOST];
    line[strcspn(line, "\r\n")] = '\0';
    const size_t count = cells_split(delimiter, (struct text_piece){line, strlen(line)}, cells, TABLE_COLUMNS_MOST);
    for (size_t i = 0; i < count && i < TABLE_COLUMNS_MOST; i++) {
        fields[i] = line + (cells[i].text - line);
        fields[i][cells[i].length] = '\0';
    }
    return count;
}

/* The unit of a column. */
struct column_unit {
    char text[32];
    double scale; /* units of the form that one of it has */
};

/* How the name of a column begins: "interval" of "interval_s". */
static struct text_piece stem_of(const struct kind_column *column)
{
    const size_t length = strlen(column->name) - (column->unit ? strlen(column->unit) + 1 : 0);
    return column->stem ? (struct text_piece){column->stem, strlen(column->stem)}
                        : (struct text_piece){column->name, length};
}

static bool is_text(struct text_piece piece, const char *text)
{
    return text && piece.length == strlen(text) && strncasecmp(piece.text, text, piece.length) == 0;
}

/* One of several sensors has a number: "force2", "force_2", "Force 2". */
static struct text_piece without_number(struct text_piece name)
{
    size_t length = name.length;
    while (length > 0 && isdigit((unsigned char)name.text[length - 1]))
        length--;
    if (length == name.length)
        return name;
    while (length > 0 && strchr("_ -#", name.text[length - 1]))
        length--;
    return (struct text_piece){name.text, length};
}

static bool is_name_without_unit(struct text_piece name, const struct kind_column *column)
{
    const struct text_piece stem = stem_of(column);
    if (column->stem)
        name = without_number(name);
    return (name.length == stem.length && strncasecmp(name.text, stem.text, stem.length) == 0) ||
           is_text(name, column->also);
}

/* What stands behind a name, its number and a `_`, "mm_s" of "speed_mm_s" or "speed2_mm_s"; NULL: it is another name.
 */
static const char *behind(const char *field, const struct kind_column *column)
{
    const struct text_piece stem = stem_of(column);
    const size_t also = column->also ? strlen(column->also) : 0;
    const size_t length = strncmp(field, stem.text, stem.length) == 0           ? stem.length
                          : also > 0 && strncmp(field, column->also, also) == 0 ? also
                                                                                : 0;
    const char *number = field + length + (field[length] == '_');
    const size_t digits = column->stem ? strspn(number, "0123456789") : 0;
    const char *rest = digits > 0 ? number + digits : field + length;
    return length > 0 && *rest == '_' ? rest + 1 : NULL;
}

double table_unit_scale(const char *of, const char *unit)
{
    return unit ? unit_scale(of, (struct text_piece){unit, strlen(unit)}) : (double)NAN;
}

double table_channel_scale(const struct kind_column *column, const char *name, const char *unit)
{
    const char *rest = behind(name, column);
    if (is_name_without_unit((struct text_piece){name, strlen(name)}, column))
        return table_unit_scale(column->unit, unit);
    return rest && strcmp(unit, "1") == 0 ? table_unit_scale(column->unit, rest) : (double)NAN;
}

/* Of a level in decibels or a logarithm the quantity itself is wanted. */
static bool is_level(struct text_piece unit)
{
    static const char *const levels[] = {"db", "dbv", "dbm", "log", "log10", "lg", "ln"};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        if (unit.length == strlen(levels[i]) && strncasecmp(unit.text, levels[i], unit.length) == 0)
            return true;
    return false;
}

/* A name and a unit in any spelling: "h0 [cm]", and of a column in seconds any unit of time. */
static bool is_spelling_of(const char *field, const struct kind_column *column, struct column_unit *unit)
{
    struct column_label label = column_label_read((struct text_piece){field, strlen(field)});
    const char *rest = column->stem && column->unit ? behind(field, column) : NULL;
    if (rest && isfinite(unit_scale(column->unit, (struct text_piece){rest, strlen(rest)})) && strlen(rest) < 32) {
        label.name = stem_of(column);
        label.unit = (struct text_piece){rest, strlen(rest)};
    }
    if (label.unit.length == 0 || label.unit.length >= sizeof unit->text || !is_name_without_unit(label.name, column))
        return false;
    unit->scale = column->unit ? unit_scale(column->unit, label.unit) : is_level(label.unit) ? (double)NAN : 1;
    if (column->unit)
        utf8_copy(unit->text, sizeof unit->text, column->unit);
    else
        *stpncpy(unit->text, label.unit.text, label.unit.length) = '\0';
    return isfinite(unit->scale);
}

/* Whether a name in a header is that of a column. What stands behind the name of a column in any unit is its unit, and
 * else that belongs to the name. */
static bool is_column(const char *field, const struct kind_column *column, struct column_unit *unit)
{
    const size_t length = strlen(column->name);
    const bool needs_unit = !column->stem || strcmp(column->stem, column->name) != 0;
    const bool is_also = !needs_unit && column->also && strcmp(field, column->also) == 0;
    if (!is_also && (strncmp(field, column->name, length) != 0 || field[length] != (column->unit ? '\0' : '_')))
        return is_spelling_of(field, column, unit);
    unit->scale = 1;
    utf8_copy(unit->text, sizeof unit->text, column->unit ? column->unit : field + length + 1);
    return column->unit || !is_level((struct text_piece){unit->text, strlen(unit->text)});
}

static bool is_normal_force(const struct kind_column *column)
{
    return strcmp(column->quantity, QUANTITY_NORMAL_FORCE) == 0;
}

/* Whether the unit alone says so, whatever the name: what is in N is a force, but one that is called normal is that
 * one. "n" may count something, and "nm" is a length. */
static bool has_unit_of(const char *field, const struct kind_column *column, struct column_unit *unit)
{
    const struct column_label label = column_label_read((struct text_piece){field, strlen(field)});
    const bool is_small = label.unit.length > 0 && memchr(label.unit.text, 'n', label.unit.length);
    if (label.unit.length == 0 || !column->unit || (is_small && *column->unit == 'N') ||
        name_is_of_normal_force(label.name) != is_normal_force(column))
        return false;
    unit->scale = unit_scale(column->unit, label.unit);
    utf8_copy(unit->text, sizeof unit->text, column->unit);
    return isfinite(unit->scale);
}

/* Whether it would be, had it a unit that is known. */
static bool lacks_unit(const char *field, const struct kind_column *column)
{
    const struct column_label label = column_label_read((struct text_piece){field, strlen(field)});
    const struct text_piece whole = {field, strlen(field)};
    if (is_text(label.unit, "std") || is_text(label.unit, "sd"))
        return false; /* a standard deviation is none of the quantity itself */
    return column->stem && (is_name_without_unit(whole, column) || is_name_without_unit(label.name, column));
}

/* A recording begins with its time, in whatever unit. */
static bool is_time(const char *field)
{
    const struct column_label label = column_label_read((struct text_piece){field, strlen(field)});
    return column_label_is_time(&label);
}

static bool has_time(char *const fields[], size_t count)
{
    bool has = false;
    for (size_t i = 0; i < count; i++)
        has = has || is_time(fields[i]);
    return has;
}

/* How a header and a form go together. */
enum fit { OTHER, NAMED, FITTING };

/* What a header says of the columns of a form. */
struct reading {
    const char *first[KIND_COLUMNS_MOST]; /* that may be it; NULL: none */
    const char *second, *without_unit;    /* a further one of any of them; one that lacks its unit */
    size_t of_second, of_without_unit;
    const char *doubt; /* why that one's unit is none, where it has one */
    bool units_differ;
};

static void take_field(struct table_header *header, size_t i, const char *field, const struct kind_form *form, size_t c,
                       struct reading *reading)
{
    const struct kind_column *column = &form->column[c];
    struct column_unit unit;
    const bool named = is_column(field, column, &unit) || (header->by_units && has_unit_of(field, column, &unit));
    const char *doubt = named ? label_doubt((struct text_piece){field, strlen(field)}) : NULL;
    const bool is = named && !doubt, almost = !is && (doubt || (!header->by_units && lacks_unit(field, column)));
    if (!is && !almost)
        return;
    if (reading->first[c] && !reading->second) {
        reading->second = field;
        reading->of_second = c;
    }
    if (almost && !reading->without_unit) {
        reading->without_unit = field;
        reading->of_without_unit = c;
        reading->doubt = doubt;
    }
    reading->first[c] = reading->first[c] ? reading->first[c] : field;
    header->role[i] = COLUMN_VALUE + (int)c;
    if (almost)
        return;
    header->scale[i] = unit.scale;
    /* The figures of a record are in the unit of its first column, but for those that have one of their own. */
    reading->units_differ =
        reading->units_differ || (!column->unit && *header->unit && strcmp(header->unit, unit.text) != 0);
    if (c == 0 || !column->unit)
        memcpy(header->unit, unit.text, sizeof header->unit);
}

/* Names the columns between which nobody can choose. */
static void tell_doubt(struct table_header *header, const struct kind_form *form, const struct reading *reading)
{
    const size_t c = reading->of_second;
    const struct kind_column *lacking = &form->column[reading->of_without_unit];
    if (reading->second)
        snprintf(header->doubt, sizeof header->doubt,
                 "both `%.40s` and `%.40s` may be the %s of a %s: rename one of them", reading->first[c],
                 reading->second, form->column[c].quantity, header->kind->name);
    else if (reading->without_unit && !lacking->unit)
        snprintf(header->doubt, sizeof header->doubt,
                 "`%.40s` tells no unit, or a level: a %s is called %s_mm, or so in any unit, %s_1 without one, and of "
                 "a level the quantity itself is wanted",
                 reading->without_unit, lacking->quantity, lacking->name, lacking->name);
    else if (reading->without_unit)
        snprintf(header->doubt, sizeof header->doubt, "`%.40s` %s: the %s of a %s is called %s, or so in another unit",
                 reading->without_unit, reading->doubt ? reading->doubt : "has no unit that is known",
                 lacking->quantity, header->kind->name, lacking->name);
}

/* Each form begins with its motion; of several forms that fit, two have unlike ones. */
static void tell_motions(struct table_header *header, char *const fields[])
{
    const struct record_kind *kind = header->kind;
    const char *first = NULL;
    struct column_unit unit;
    for (size_t i = 0; i < header->count; i++)
        for (size_t f = 0; f < kind->form_count; f++) {
            if (fields[i] == first || !is_column(fields[i], &kind->forms[f].column[0], &unit))
                continue;
            if (first) {
                snprintf(header->doubt, sizeof header->doubt,
                         "both `%.40s` and `%.40s` may be the motion of a %s: leave one of them out", first, fields[i],
                         kind->name);
                return;
            }
            first = fields[i];
        }
}

/* FITTING: the header has each column of the form once, in one unit; NAMED: at least it has each of them. What else it
 * has is told by the kind. */
static enum fit take_form(struct table_header *header, char *const fields[], const struct kind_form *form)
{
    struct reading reading = {.second = NULL};
    bool named = true;
    for (size_t i = 0; i < header->count; i++)
        for (size_t c = 0; c < form->count; c++)
            take_field(header, i, fields[i], form, c, &reading);
    for (size_t c = 0; c < form->count; c++)
        named = named && reading.first[c];
    if (!named)
        return OTHER;
    if (!reading.second && !reading.without_unit && !reading.units_differ)
        return FITTING;
    if (header->kind->sampled)
        tell_doubt(header, form, &reading);
    return NAMED;
}

static bool is_passed_over(const struct record_kind *kind, const char *field)
{
    char sought[64];
    const int length = snprintf(sought, sizeof sought, ",%s,", field);
    return kind->passed_over && (size_t)length < sizeof sought && strstr(kind->passed_over, sought);
}

/* "throw", "throw_no" or "throw2", and not "thrower". */
static bool is_series(const struct record_kind *kind, const char *field)
{
    const size_t length = kind->series ? strlen(kind->series) : 0;
    return length > 0 && strncmp(field, kind->series, length) == 0 &&
           (field[length] == '\0' || strchr("_0123456789", field[length]));
}

static void name_others(struct table_header *header, char *const fields[])
{
    const struct record_kind *kind = header->kind;
    for (size_t i = 0; i < header->count; i++) {
        if (header->role[i] != COLUMN_LABEL)
            continue;
        if ((kind->sampled && !kind->labelled) || is_passed_over(kind, fields[i]))
            header->role[i] = COLUMN_PASSED_OVER;
        else if (is_series(kind, fields[i]))
            header->role[i] = COLUMN_SERIES;
    }
}

bool table_header_is_of_recording(const char *line, char delimiter)
{
    struct text_piece rest = {line, strcspn(line, "\r\n")}, first;
    cell_next(delimiter, &rest, &first);
    const struct column_label label = column_label_read(first);
    return column_label_is_time(&label);
}

/* Whether the same force is told of one motion and of another, of which the first counts. */
static bool is_other_motion(const struct table_header *header, const struct table_header *tried)
{
    return header->kind == tried->kind && tried->kind->over_time &&
           strcmp(header->form->column[1].quantity, tried->form->column[1].quantity) == 0;
}

/* Of forms that a header fits the one with most columns counts where it has those of the others; else the header says
 * two things, and none is taken. */
static void choose(struct table_header *header, const struct table_header *tried, enum fit fit, size_t *fitting)
{
    const bool other = header->form && header->kind != tried->kind;
    const bool more =
        header->form && (kind_form_extends(tried->form, header->form) || (other && tried->kind->over_time));
    const bool alike = header->form && is_other_motion(header, tried) && !more;
    const bool less =
        header->form && (kind_form_extends(header->form, tried->form) || alike || (other && header->kind->over_time));
    if (fit == NAMED && (*fitting == 0 || (more && *tried->doubt)))
        *header = *tried;
    else if (fit == FITTING && !(less && *header->doubt)) {
        *header = less ? *header : *tried;
        *fitting = more || less ? *fitting : *fitting + 1;
        *fitting = *fitting > 0 ? *fitting : 1;
    }
}

/* A displacement or an angle beside its force, at times: no recording of a motion alone has units of both. */
static bool is_told_by_units(const struct kind_form *form)
{
    const char *quantity = form->column[0].quantity;
    return (form->count == 3 || (form->count == 4 && is_normal_force(&form->column[3]))) &&
           strcmp(form->column[2].quantity, QUANTITY_TIME) == 0 &&
           (strcmp(quantity, QUANTITY_DISPLACEMENT) == 0 || strcmp(quantity, QUANTITY_ANGLE) == 0);
}

/* Tries the forms of so many columns of every kind. */
static void try_forms(const struct table_header *empty, char *const fields[], size_t columns,
                      struct table_header *header, size_t *fitting)
{
    const struct record_kind *kind;
    for (size_t k = 0; (kind = record_kind_at(k)); k++)
        for (size_t f = 0; f < kind->form_count; f++) {
            struct table_header tried = *empty;
            for (size_t i = 0; i < tried.count; i++)
                tried.role[i] = COLUMN_LABEL;
            tried.kind = kind;
            tried.form = &kind->forms[f];
            const bool tries = tried.form->count == columns && (!empty->by_units || is_told_by_units(tried.form));
            const enum fit fit = tries ? take_form(&tried, fields, tried.form) : OTHER;
            if (fit != OTHER)
                choose(header, &tried, fit, fitting);
        }
}

/* One that begins with the time is a recording's, even if its channels are called like columns, unless the time is a
 * column, too. Forms of most columns go first: those of which they have all the columns, of whatever kind, say no other
 * thing. Where the names say nothing, the units may. */
struct table_header table_header_of(char *line, char delimiter)
{
    char *fields[TABLE_COLUMNS_MOST];
    struct table_header empty = {.delimiter = delimiter, .count = table_split(line, delimiter, fields)};
    size_t fitting = 0;
    while (empty.count > 1 && empty.count <= TABLE_COLUMNS_MOST && *fields[empty.count - 1] == '\0')
        empty.count--;
    struct table_header header = empty;
    for (size_t columns = KIND_COLUMNS_MOST; header.count <= TABLE_COLUMNS_MOST && columns > 0; columns--)
        try_forms(&empty, fields, columns, &header, &fitting);
    if (!header.kind && header.count <= TABLE_COLUMNS_MOST && has_time(fields, header.count)) {
        empty.by_units = true;
        for (size_t columns = KIND_COLUMNS_MOST; columns > 0; columns--)
            try_forms(&empty, fields, columns, &header, &fitting);
    }
    if (header.kind && header.kind->sampled && fitting > 1)
        tell_motions(&header, fields);
    if (header.kind && fitting == 1 && !*header.doubt)
        name_others(&header, fields);
    else
        header.form = NULL;
    if (is_time(fields[0]) && header.kind &&
        (header.role[0] == COLUMN_LABEL || (!header.form && !header.kind->sampled)))
        header.kind = NULL;
    return header;
}
