/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whatever the kind, its table says what a figure is called and in which unit it is. */

#include "client/show_table.h"

#include "client/describe.h"
#include "client/labels.h"
#include "client/reply.h"
#include "client/show_curve.h"
#include "client/show_loop.h"
#include "client/show_ring_down.h"
#include "client/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct record_kind *shown_kind(const json_t *result)
{
    return record_kind_named(reply_text(result, "kind", ""));
}

/* What a figure and its uncertainty are below, as a share of the largest one of that unit, is the rounding of that. */
static const double rounding_share = 1e-10;

static bool is_rounding(const json_t *result, const struct section *section, enum unit_kind unit,
                        const struct figure *figure)
{
    double largest = 0;
    struct field_cursor cursor = {0};
    while (next_estimate(section, &cursor))
        if (cursor.field.unit == unit)
            largest = fmax(largest, fabs(reply_figure(result, cursor.field.name).value));
    return fabs(figure->value) + figure->se < rounding_share * largest;
}

const char *show_why_not_ok(const json_t *result)
{
    const struct record_kind *kind = shown_kind(result);
    return kind && !reply_is_ok(result) ? reply_text(json_object_get(result, kind->name), "reason", NULL) : NULL;
}

/* Name, and value with uncertainty and unit, or why there is none, but for what the record has no figures for. */
static int print_estimates(const json_t *result, const struct section *section, bool intervals,
                           const struct glyphs *glyphs, FILE *out)
{
    struct table *table = table_create();
    struct field_cursor cursor = {0};
    const struct phrase at = describe_main_amplitude(result, glyphs);
    const char *why = show_why_not_ok(result);
    while (next_estimate(section, &cursor)) {
        const struct labelled field = labelled_field(&cursor.field, reply_displacement_unit(result), glyphs);
        const struct figure figure = reply_figure(result, field.name);
        if (why && isnan(figure.value) && figure.reason && strcmp(figure.reason, why) == 0)
            continue;
        table_cell(table, "%s", field.label);
        if (isnan(figure.value))
            table_span(table, "%s (%s)", glyphs->missing, figure.reason ? figure.reason : "no reason was given");
        else if (is_rounding(result, section, cursor.field.unit, &figure))
            table_cell(table, "%s", figure_rounded(0, 1, field.unit.text, glyphs).text);
        else
            table_cell(table, "%s%s", figure_short(&figure, field.unit.text, glyphs).text, at.text);
        if (intervals && !isnan(figure.low))
            table_cell(table, "95 %%: %s", figure_interval(&figure, field.unit.text, glyphs).text);
        table_end_row(table);
    }
    int status = table_print(table, "  ", glyphs->width, out);
    table_destroy(table);
    return status;
}

/* What else was found, in the order of the table. */
static void print_others(const json_t *result, const struct section *section, const struct glyphs *glyphs, FILE *out)
{
    const char *separator = "  ";
    struct field_cursor cursor = {0};
    while (section_next(section, &cursor)) {
        const struct field *field = &cursor.field;
        const struct labelled called = labelled_field(field, reply_displacement_unit(result), glyphs);
        if (field->type == FIELD_COUNT)
            fprintf(out, "%s%s %s", separator, called.label, describe_count(result, field->name, glyphs).text);
        else if (field->type == FIELD_NAME || field->type == FIELD_TEXT)
            fprintf(out, "%s%s %s", separator, called.label, reply_text(result, field->name, glyphs->missing));
        else if (field->type == FIELD_FIGURE || field->type == FIELD_SIZE)
            fprintf(out, "%s%s %s", separator, called.label,
                    figure_rounded(reply_number(result, field->name), field->digits > 0 ? field->digits : 2,
                                   called.unit.text, glyphs)
                        .text);
        else
            continue;
        separator = ", ";
    }
    fputc('\n', out);
}

void show_provisional(const json_t *result, FILE *out)
{
    const struct phrase words = describe_provisional(result);
    if (*words.text)
        fprintf(out, "  %s; the revision that follows may have other figures and larger uncertainties\n", words.text);
}

/* What a response shows beside one resonance. */
static void print_doubts(const json_t *response, const struct glyphs *glyphs, FILE *out)
{
    const double second_peak = reply_number(response, "second_peak");
    if (isfinite(second_peak))
        fprintf(out,
                "  there is another peak at %s, whose flank stands under this one: what it may add is in the\n"
                "  uncertainties; a fit of both resonances would tell them apart\n",
                figure_rounded(second_peak, 4, "Hz", glyphs).text);
    if (reply_true(response, "amplitude_dependent"))
        fputs("  this is not the peak of one linear resonance, and the amplitude changed while the force was held:\n"
              "  the damping changes with the amplitude, as with friction, or another resonance is too close to\n"
              "  show: the figure belongs to no single amplitude, and with friction it is too large; measure at\n"
              "  constant response\n",
              out);
}

int show_table(const json_t *result, const struct record_kind *kind, bool intervals, const struct glyphs *glyphs,
               FILE *out)
{
    fprintf(out, "    %s, %s\n", kind->name, reply_text(result, "verdict", "no verdict"));
    show_provisional(result, out);
    if (show_why_not_ok(result))
        fprintf(out, "  %s\n", show_why_not_ok(result));
    const json_t *ring_down = json_object_get(result, "ring_down");
    if (*reply_text(ring_down, "cut_short", ""))
        fprintf(out, "  %s\n", reply_text(ring_down, "cut_short", ""));
    int status = print_estimates(result, kind->section, intervals, glyphs, out);
    if (ring_down && status == 0)
        return show_ring_down(ring_down, reply_displacement_unit(result), intervals, glyphs, out);
    const json_t *curve = json_object_get(result, "curve");
    if (curve && status == 0)
        return show_curve(curve, reply_displacement_unit(result), glyphs, out);
    const json_t *loop = json_object_get(result, "loop");
    if (loop && status == 0)
        return show_loop(loop, reply_displacement_unit(result), glyphs, out);
    print_others(result, kind->section, glyphs, out);
    print_doubts(json_object_get(result, "response"), glyphs, out);
    return status;
}

struct phrase describe_next_headline(const json_t *result, struct field_cursor *cursor, const struct glyphs *glyphs)
{
    const struct record_kind *kind = shown_kind(result);
    const json_t *summarised = json_object_get(result, "figures");
    while (kind && kind->section && next_headline(kind->section, NULL, cursor)) {
        const struct labelled field = labelled_field(&cursor->field, reply_displacement_unit(result), glyphs);
        const struct figure figure = reply_figure(summarised ? summarised : result, field.name);
        if (!isnan(figure.value))
            return phrase_format("%s %s", field.label, figure_short(&figure, field.unit.text, glyphs).text);
    }
    return (struct phrase){""};
}

struct phrase describe_headlines(const json_t *result, const struct glyphs *glyphs)
{
    struct field_cursor cursor = {0};
    struct phrase words = {""}, next = describe_next_headline(result, &cursor, glyphs);
    for (; *next.text; next = describe_next_headline(result, &cursor, glyphs))
        words = phrase_format("%s%s%s", words.text, *words.text ? ", " : "", next.text);
    return words;
}
