/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The second half of the sheet: how far the figures of the first half can be trusted. */

#include "client/show_judgement.h"

#include "client/describe.h"
#include "client/figures.h"
#include "client/labels.h"
#include "client/reply.h"
#include "client/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* NAN when neither the budget nor the summary has it. */
static double combined_uncertainty(const json_t *result, const char *quantity)
{
    const json_t *lines = json_object_get(json_object_get(result, "budget"), "quantities");
    size_t i;
    json_t *line;
    json_array_foreach (lines, i, line)
        if (strcmp(reply_text(line, "quantity", ""), quantity) == 0)
            return reply_number(line, "u");
    return reply_number(json_object_get(result, "u"), quantity);
}

struct figure judgement_figure(const json_t *result, const json_t *section, const char *quantity)
{
    struct figure figure = reply_figure(section, quantity);
    const double combined = combined_uncertainty(result, quantity);
    if (combined > figure.se)
        figure.se = combined;
    return figure;
}

/* A drift's size, which is the one estimate of its table, and what it does over the record. */
static void print_drift(const json_t *result, const char *flag, const char *unit, const char *what,
                        const struct glyphs *glyphs, FILE *out)
{
    const json_t *drift = json_object_get(json_object_get(result, "drift"), flag);
    struct field field;
    struct field_cursor cursor = {0};
    if (!section_field(&drift_table, flag, &field) || !next_estimate(field.of, &cursor))
        return;
    const struct labelled term = labelled_field(&cursor.field, unit, glyphs);
    const struct figure figure = reply_figure(drift, term.name);
    fprintf(out, "%s %s; %s %s %%", term.label, figure_short(&figure, term.unit.text, glyphs).text, what,
            figure_rounded(100 * reply_number(drift, "relative"), 2, NULL, glyphs).text);
}

static void print_stiffness(const json_t *result, const struct glyphs *glyphs, FILE *out)
{
    const json_t *check = json_object_get(json_object_get(result, "budget"), "stiffness_check");
    fprintf(out,
            "k/(m %sn%s) is %s instead of 1: check mass_kg and stiffness_n_per_m as configured, and "
            "u_mass_kg and u_stiffness_n_per_m\n",
            "omega_", "^2",
            figure_plus_minus(reply_number(check, "ratio"), reply_number(check, "u"), NULL, glyphs).text);
}

void judgement_print_unstated(const json_t *result, const struct glyphs *glyphs, FILE *out)
{
    const json_t *check = json_object_get(json_object_get(result, "budget"), "stiffness_check");
    const double ratio = reply_number(check, "ratio"), u = reply_number(check, "u");
    if (!(fabs(ratio - 1) > 2 * u) || json_is_true(json_object_get(check, "warning")))
        return;
    fprintf(
        out,
        "  k/(m omega_n^2) is %s and not 1: mass and stiffness are not as exact as the uncertainties of what follows "
        "from them take them to be; configure u_mass_kg and u_stiffness_n_per_m\n",
        figure_plus_minus(ratio, u, NULL, glyphs).text);
}

/* Figures say more than the sentence that the table has for all flags. */
static void print_flag(const json_t *result, const char *flag, const char *unit, const struct glyphs *glyphs, FILE *out)
{
    struct field field;
    fprintf(out, "  ! %s: ", flag);
    if (strcmp(flag, "frequency_drift") == 0) {
        const struct labelled phase = labelled_named(&drift_table, "phase_rms", unit, glyphs);
        print_drift(result, flag, unit, "f_n at X_0 against rest", glyphs, out);
        fprintf(out, "; phase off by %s rms\n",
                figure_rounded(reply_number(json_object_get(result, "drift"), phase.name), 2, phase.unit.text, glyphs)
                    .text);
    } else if (strcmp(flag, "damping_drift") == 0) {
        print_drift(result, flag, unit, "extra loss a half cycle at X_0", glyphs, out);
        fprintf(out, "; see the windows, or use stop_below and start_below\n");
    } else if (strcmp(flag, "stiffness_contradicts_frequency") == 0) {
        print_stiffness(result, glyphs, out);
    } else if (strcmp(flag, "few_effective_samples") == 0) {
        fprintf(
            out, "the noise is worth %s samples; the stated 95 %% may be 85 or 98 %%\n",
            figure_rounded(reply_number(json_object_get(result, "fit"), "effective_samples"), 2, NULL, glyphs).text);
    } else {
        fprintf(out, "%s\n", section_field(&flags_table, flag, &field) ? field.note : "see fricid-protocol(7)");
    }
}

/* What the table has for all flags; the windows say where a model does not hold. */
static void print_note(const char *flag, FILE *out)
{
    struct field field;
    const bool of_windows = strcmp(flag, "frequency_drift") == 0 || strcmp(flag, "damping_drift") == 0;
    fprintf(out, "  ! %s: %s%s\n", flag,
            section_field(&flags_table, flag, &field) ? field.note : "see fricid-protocol(7)",
            of_windows ? "; see the windows, or limit the amplitudes" : "");
}

void judgement_print_flags(const json_t *result, const char *unit, const struct glyphs *glyphs, FILE *out)
{
    /* The figures of the drifts and of the noise are those of the closed form. */
    const bool by_ladder = strcmp(reply_text(result, "recommended", ""), "ladder") == 0;
    size_t i;
    json_t *flag;
    json_array_foreach (json_object_get(result, "flags"), i, flag) {
        if (!json_is_string(flag))
            continue;
        if (by_ladder)
            print_note(json_string_value(flag), out);
        else
            print_flag(result, json_string_value(flag), unit, glyphs, out);
    }
}

/* Above it a likelihood ratio says nothing but that the term is there: the tail of the distribution ends. */
static const double SATURATED = 1000;

static struct phrase ratio_text(double ratio, const struct glyphs *glyphs)
{
    return ratio > SATURATED ? phrase_format("> %.0f", SATURATED) : figure_rounded(ratio, 2, NULL, glyphs);
}

/* Of each damping term, and the threshold behind them. */
static void print_ratios(const json_t *choice, const struct glyphs *glyphs, FILE *out)
{
    const char *between = " (likelihood ratio";
    bool any = false;
    struct field_cursor cursor = {0};
    while (section_next(&model_choice_table, &cursor)) {
        const struct field *field = &cursor.field;
        const double number = reply_number(choice, field->name);
        const char *term = decay_parameters[field->parameter].term;
        if (field->type != FIELD_SIZE || isnan(number))
            continue;
        if (term) {
            fprintf(out, "%s of %s %s", between, term, ratio_text(number, glyphs).text);
            between = ",";
            any = true;
        } else if (any) {
            fprintf(out, "; a term enters above %s)", figure_rounded(number, 3, NULL, glyphs).text);
        }
    }
}

void judgement_print_choice(const json_t *result, const struct glyphs *glyphs, FILE *out)
{
    const json_t *choice = json_object_get(result, "model_choice");
    if (!choice)
        return;
    fprintf(out, "  damping %s", describe_model(reply_model(result)).text);
    print_ratios(choice, glyphs, out);
    fputc('\n', out);
}

/* What a section has for the sheet: its estimates, and numbers whose digits the table tells. */
static void print_values(const json_t *section, const struct section *table, const char *unit,
                         const struct glyphs *glyphs, FILE *out)
{
    struct field_cursor cursor = {0};
    while (section_next(table, &cursor)) {
        const struct field *field = &cursor.field;
        const struct labelled called = labelled_field(field, unit, glyphs);
        const struct figure figure = reply_figure(section, called.name);
        if (field->type == FIELD_ESTIMATE)
            fprintf(out, "  %s %s", called.label, figure_short(&figure, called.unit.text, glyphs).text);
        else if (field->digits > 0)
            fprintf(out, "  %s %s", called.label,
                    figure_rounded(reply_number(section, called.name), field->digits, called.unit.text, glyphs).text);
    }
}

static void print_section(const json_t *section, const struct section *table, const char *unit,
                          const struct glyphs *glyphs, FILE *out)
{
    fprintf(out, "  %s", table->heading);
    if (reply_is_ok(section))
        print_values(section, table, unit, glyphs, out);
    else
        fprintf(out, " %s (%s)", glyphs->missing, reply_text(section, "reason", "no reason was given"));
    fputc('\n', out);
}

void judgement_print_sections(const json_t *result, const char *unit, const struct glyphs *glyphs, FILE *out)
{
    struct field_cursor cursor = {0};
    while (section_next(&result_table, &cursor)) {
        const json_t *section = json_object_get(result, cursor.field.name);
        if (cursor.field.of && cursor.field.of->heading && section)
            print_section(section, cursor.field.of, unit, glyphs, out);
    }
}

/* The limits of a window, and its estimates. */
static void add_window(struct table *table, const json_t *window, const char *unit, const struct glyphs *glyphs)
{
    const struct labelled limit = labelled_named(&window_table, "smallest", unit, glyphs);
    table_cell(table, "%s %s %s", figure_rounded(reply_number(window, "largest"), 3, NULL, glyphs).text, glyphs->to,
               figure_rounded(reply_number(window, limit.name), 3, limit.unit.text, glyphs).text);
    struct field_cursor cursor = {0};
    while (next_estimate(&window_table, &cursor)) {
        const struct labelled called = labelled_field(&cursor.field, unit, glyphs);
        const struct figure figure = reply_figure(window, called.name);
        table_cell(table, "%s %s", called.label, figure_short(&figure, called.unit.text, glyphs).text);
    }
    table_end_row(table);
}

int judgement_print_windows(const json_t *result, const char *unit, const struct glyphs *glyphs, FILE *out)
{
    const json_t *windows = json_object_get(json_object_get(result, "windows"), "window");
    struct table *table = table_create();
    size_t i;
    json_t *window;
    json_array_foreach (windows, i, window)
        add_window(table, window, unit, glyphs);
    if (json_array_size(windows) > 0)
        fprintf(out, "  in windows of amplitude\n");
    int status = table_print(table, "    ", glyphs->width, out);
    table_destroy(table);
    return status;
}

/* The next column of the budget: what a line says of its value. */
static bool next_column(struct field_cursor *cursor)
{
    while (section_next(&budget_line_table, cursor))
        if (cursor->field.type == FIELD_SIZE)
            return true;
    return false;
}

static void add_budget_head(struct table *table, const struct glyphs *glyphs)
{
    struct field_cursor cursor = {0};
    table_cell(table, "%s", "");
    table_cell(table, "%s", "");
    while (next_column(&cursor))
        table_cell(table, "%s", labelled_field(&cursor.field, NULL, glyphs).label);
    table_end_row(table);
}

static void add_budget_line(struct table *table, const json_t *line, const char *unit, const struct glyphs *glyphs)
{
    const struct labelled quantity = labelled_quantity(reply_text(line, "quantity", ""), unit, glyphs);
    struct field_cursor cursor = {0};
    table_cell(table, "%s", quantity.label);
    table_cell(table, "%s", quantity.unit.text);
    while (next_column(&cursor)) {
        const struct field *field = &cursor.field;
        const double number = reply_number(line, field->name);
        table_cell(table, "%s", figure_rounded(number, field->digits > 0 ? field->digits : 2, NULL, glyphs).text);
    }
    table_end_row(table);
}

static size_t budget_column(const char *name)
{
    struct field_cursor cursor = {0};
    size_t column = 2;
    while (next_column(&cursor) && strcmp(cursor.field.name, name) != 0)
        column++;
    return column;
}

/* What tells least goes first: U, which the interval is made of, and u stay. */
static void fit_budget(struct table *table, size_t width)
{
    static const char *const least_first[] = {"freedom", "coverage_factor", "u_model", "u_cal", "u_stat", "u"};
    size_t gone[sizeof least_first / sizeof least_first[0]], count = 0;
    while (count < sizeof gone / sizeof gone[0] && table_width(table) > width) {
        const size_t column = budget_column(least_first[count]);
        size_t before = 0;
        for (size_t i = 0; i < count; i++)
            before += gone[i] < column;
        table_drop_column(table, column - before);
        gone[count++] = column;
    }
}

/* The first answer knows of what the record shows; the ladder asks for what it may not show, and earlier releases. */
static void print_budget_title(const json_t *result, FILE *out)
{
    const json_t *ladder = json_object_get(result, "ladder");
    const json_int_t earlier = json_integer_value(json_object_get(ladder, "earlier_releases"));
    fputs("  uncertainty budget (standard uncertainties; U = k u; u_model is for ", out);
    if (!reply_is_ok(ladder))
        fputs("what the record shows of drag, of a spring that is not linear and of friction that gives way, not for "
              "what it does not show)\n",
              out);
    else if (earlier > 0)
        fprintf(out,
                "drag, a spring that is not linear and friction that gives way, as far as this record and "
                "%" JSON_INTEGER_FORMAT " before it leave room for them)\n",
                earlier);
    else
        fputs("drag, a spring that is not linear and friction that gives way, as far as this record leaves room for "
              "them)\n",
              out);
}

int judgement_print_budget(const json_t *result, const char *unit, const struct glyphs *glyphs, FILE *out)
{
    const json_t *lines = json_object_get(json_object_get(result, "budget"), "quantities");
    struct table *table = table_create();
    size_t i, rows = 0;
    json_t *line;
    add_budget_head(table, glyphs);
    json_array_foreach (lines, i, line) {
        if (isnan(reply_number(line, "value")))
            continue;
        add_budget_line(table, line, unit, glyphs);
        rows++;
    }
    if (rows > 0)
        print_budget_title(result, out);
    const char *indent = "    ";
    fit_budget(table, glyphs->width - strlen(indent));
    int status = rows > 0 ? table_print(table, indent, glyphs->width, out) : 0;
    table_destroy(table);
    return status;
}
