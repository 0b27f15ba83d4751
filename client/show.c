/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The sheet of one result, as a laboratory book would have it: figures first, then what is missing and why, then
 * what they rest on. */

#include "client/show.h"

#include "client/describe.h"
#include "client/labels.h"
#include "client/reply.h"
#include "client/show_joint.h"
#include "client/show_judgement.h"
#include "client/show_ladder.h"
#include "client/show_table.h"
#include "client/table.h"
#include "client/wrapped.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a sheet is read from and written with. */
struct sheet {
    const json_t *result, *section; /* section: the recommended one */
    const struct section *table;    /* of that; NULL: there is none */
    const char *unit;               /* of displacement */
    const struct glyphs *glyphs;
    FILE *out;
};

/* "run 12, with decay 41 (encoder)": where else to find what the rig did there. */
static void print_run(const struct sheet *sheet, const json_t *run)
{
    const json_t *result = sheet->result;
    int64_t number = reply_integer(result, "run_id", 0), id = reply_integer(result, "id", 0);
    size_t i, others = 0;
    json_t *summary;
    if (number <= 0)
        return;
    fprintf(sheet->out, "run %lld, ", (long long)number);
    json_array_foreach (run, i, summary) {
        int64_t other = reply_integer(summary, "id", 0);
        if (other != id)
            fprintf(sheet->out, "%sdecay %lld (%s), ", others++ == 0 ? "with " : "", (long long)other,
                    reply_text(summary, "channel", ""));
    }
}

/* What a person said about it: that it is to stay, and remarks on the channel. */
static void print_notes(const struct sheet *sheet, const json_t *run)
{
    const json_t *result = sheet->result;
    const int64_t id = reply_integer(result, "id", 0);
    size_t i;
    json_t *trace;
    json_array_foreach (run, i, trace) {
        const char *remarks = reply_text(trace, "remarks", NULL);
        if (reply_integer(trace, "id", -1) != id)
            continue;
        if (reply_true(trace, "protected"))
            fprintf(sheet->out, "  protected: it stays, however old it gets\n");
        if (remarks)
            fprintf(sheet->out, "  remarks on the channel: %s\n", remarks);
        return;
    }
}

static bool of_decay(const json_t *result)
{
    const struct record_kind *kind = shown_kind(result);
    return !kind || !kind->section;
}

/* What this is a result of: id, run, place, source and moment. */
static void print_title(const struct sheet *sheet, const json_t *run)
{
    const json_t *result = sheet->result;
    const char *released = reply_text(result, "released_at", NULL);
    const char *kind = describe_source_kind(json_object_get(result, "source"));
    int64_t id = reply_integer(result, "id", 0);
    if (id > 0)
        fprintf(sheet->out, "%s %lld, ", of_decay(result) ? "decay" : "record", (long long)id);
    print_run(sheet, run);
    fprintf(sheet->out, "rig %s, channel %s, %s", reply_text(result, "rig", sheet->glyphs->missing),
            reply_text(result, "channel", sheet->glyphs->missing), kind);
    if (released)
        fprintf(sheet->out, ", released %s", describe_moment(released).text);
    if (reply_integer(result, "revision", 1) > 1)
        fprintf(sheet->out, ", revision %lld", (long long)reply_integer(result, "revision", 1));
}

/* The verdict stands where the eye falls first: behind the title, with the reason when there is one. */
static void print_verdict(const struct sheet *sheet)
{
    const json_t *fit = json_object_get(sheet->result, "fit");
    const char *verdict = reply_text(sheet->result, "verdict", "no verdict");
    const char *reason = reply_text(fit, "reason", reply_text(sheet->result, "reason", NULL));
    bool extrema = strcmp(reply_text(sheet->result, "recommended", ""), "extrema_fit") == 0;
    if (reply_is_ok(sheet->result)) {
        fprintf(sheet->out, "    %s%s, %s\n", describe_damping(sheet->result).text,
                extrema ? " from the extrema alone" : "", describe_verdict("ok", sheet->glyphs).text);
        return;
    }
    fprintf(sheet->out, "    %s%s%s\n", describe_verdict(verdict, sheet->glyphs).text, reason ? ": " : "",
            reason ? reason : "");
}

/* What else stands on the sheet beside the headline, by name and in this order. */
static const char *const of_motion[] = {"x0", "bias"};
static const char *const of_physics[] = {"f_k_n", "mu", "c_n_s_per_m"};
enum { OF_MOTION = sizeof of_motion / sizeof of_motion[0], OF_PHYSICS = sizeof of_physics / sizeof of_physics[0] };

static struct labelled label(const struct sheet *sheet, const struct section *table, const char *name)
{
    return labelled_named(table, name, sheet->unit, sheet->glyphs);
}

/* Two cells: name, and value with uncertainty and unit. */
static void add_figure(struct table *table, const struct sheet *sheet, const json_t *section, struct labelled field)
{
    struct figure figure = judgement_figure(sheet->result, section, field.name);
    table_cell(table, "%s", field.label);
    table_cell(table, "%s", figure_short(&figure, field.unit.text, sheet->glyphs).text);
}

/* x_s lies between two limits; it has no standard uncertainty. */
static void add_bracket(struct table *table, const struct sheet *sheet)
{
    const json_t *bracket = json_object_get(sheet->result, "static_friction");
    const struct labelled field = label(sheet, &static_friction_table, "x_s_min");
    double least = reply_number(bracket, "x_s_min");
    double most = reply_number(bracket, "x_s_max");
    table_cell(table, "%s", field.label);
    if (isnan(least) || isnan(most))
        table_cell(table, "%s", sheet->glyphs->missing);
    else
        table_cell(table, "%s %s %s", figure_rounded(least, 3, NULL, sheet->glyphs).text, sheet->glyphs->to,
                   figure_rounded(most, 3, field.unit.text, sheet->glyphs).text);
}

/* Forces and coefficients need a mass and a stiffness; without them the row is left out and explained below. */
static void add_physical(struct table *table, const struct sheet *sheet)
{
    const json_t *physical = json_object_get(sheet->result, "physical");
    if (!reply_is_ok(physical))
        return;
    for (size_t i = 0; i < OF_PHYSICS; i++)
        add_figure(table, sheet, physical, label(sheet, &physical_table, of_physics[i]));
    table_end_row(table);
}

enum { FIGURES_A_ROW = 3 };

/* A few figures a row, so that the eye compares columns: what moves, what rubs, what was measured. */
static int print_figures(const struct sheet *sheet)
{
    struct table *table = table_create();
    struct field_cursor cursor = {0};
    for (int n = 1; next_headline(sheet->table, sheet->section, &cursor); n++) {
        add_figure(table, sheet, sheet->section, labelled_field(&cursor.field, sheet->unit, sheet->glyphs));
        if (n % FIGURES_A_ROW == 0)
            table_end_row(table);
    }
    table_end_row(table);
    add_physical(table, sheet);
    add_bracket(table, sheet);
    for (size_t i = 0; i < OF_MOTION; i++)
        add_figure(table, sheet, sheet->section, label(sheet, sheet->table, of_motion[i]));
    table_end_row(table);
    int status = table_print(table, "  ", sheet->glyphs->width, sheet->out);
    table_destroy(table);
    return status;
}

static void explain(const struct sheet *sheet, const char *what, const char *reason)
{
    fprintf(sheet->out, "  %s %s (%s)\n", what, sheet->glyphs->missing, reason ? reason : "no reason was given");
}

static void explain_figure(const struct sheet *sheet, struct labelled field)
{
    const struct figure figure = reply_figure(sheet->section, field.name);
    if (isnan(figure.value))
        explain(sheet, field.label, figure.reason);
}

/* Why something of the sheet is missing. A dash on the sheet always has its reason below. */
static void explain_missing(const struct sheet *sheet)
{
    const json_t *bracket = json_object_get(sheet->result, "static_friction");
    const json_t *physical = json_object_get(sheet->result, "physical");
    struct field_cursor cursor = {0};
    while (sheet->table && next_headline(sheet->table, sheet->section, &cursor))
        explain_figure(sheet, labelled_field(&cursor.field, sheet->unit, sheet->glyphs));
    for (size_t i = 0; sheet->table && i < OF_MOTION; i++)
        explain_figure(sheet, label(sheet, sheet->table, of_motion[i]));
    if (isnan(reply_number(bracket, "x_s_min")) || isnan(reply_number(bracket, "x_s_max")))
        explain(sheet, label(sheet, &static_friction_table, "x_s_min").label, reply_text(bracket, "reason", NULL));
    if (!reply_is_ok(physical)) {
        struct phrase all = {""};
        for (size_t i = 0; i < OF_PHYSICS; i++)
            all = phrase_format("%s%s%s", all.text, i > 0 ? ", " : "",
                                label(sheet, &physical_table, of_physics[i]).label);
        explain(sheet, all.text, reply_text(physical, "reason", NULL));
    }
}

/* How strongly two parameters of the full-record fit hang together; NAN when it does not tell. */
static double correlation(const json_t *fit, const char *one, const char *other)
{
    const json_t *names = json_object_get(fit, "parameters");
    size_t row = SIZE_MAX;
    size_t column = SIZE_MAX;
    size_t i;
    json_t *name;
    json_array_foreach (names, i, name) {
        const char *text = json_string_value(name);
        row = text && strcmp(text, one) == 0 ? i : row;
        column = text && strcmp(text, other) == 0 ? i : column;
    }
    const json_t *value = json_array_get(json_array_get(json_object_get(fit, "correlation"), row), column);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* What the figures rest on, and how well the model holds. The strong correlation of zeta and x_k is part of the result:
 * their separate uncertainties mislead without it. */
static void print_record(const struct sheet *sheet)
{
    const json_t *record = json_object_get(sheet->result, "record");
    const json_t *fit = json_object_get(sheet->result, "fit");
    double rms = reply_number(sheet->section, "rms");
    double correlated = correlation(fit, "zeta", "x_k");
    double rate_hz = reply_number(record, "sample_rate_hz");
    double time_error_s = reply_number(record, "time_error_s");
    long long clipped = (long long)reply_integer(record, "clipped_samples", 0);
    fprintf(sheet->out, "  record %s samples", describe_count(record, "samples", sheet->glyphs).text);
    if (!isnan(rate_hz))
        fprintf(sheet->out, " at %s", describe_rate(rate_hz).text);
    fprintf(sheet->out, ", %s half cycles, ended by %s", describe_count(record, "half_cycles", sheet->glyphs).text,
            reply_text(record, "ended_by", "an unknown cause"));
    if (clipped > 0)
        fprintf(sheet->out, ", %lld samples clipped", clipped);
    if (time_error_s > 0)
        fprintf(sheet->out, ", times within %s of the streams'",
                figure_rounded(1e3 * time_error_s, 2, "ms", sheet->glyphs).text);
    if (!isnan(rms))
        fprintf(sheet->out, "; residual %s rms", figure_rounded(rms, 2, sheet->unit, sheet->glyphs).text);
    if (!isnan(correlated) && sheet->section == fit)
        fprintf(sheet->out, "; %s and %s correlate %s", label(sheet, sheet->table, "zeta").label,
                label(sheet, sheet->table, "x_k").label, figure_rounded(correlated, 2, NULL, sheet->glyphs).text);
    fputc('\n', sheet->out);
}

/* The independent second opinion: cumulative over m half cycles with LF's bounds, and the scatter of local values. */
static void print_decrement(const struct sheet *sheet)
{
    const json_t *decrement = json_object_get(sheet->result, "decrement");
    const json_t *zeta = json_object_get(decrement, "zeta");
    const json_t *x_k = json_object_get(decrement, "x_k");
    const struct glyphs *glyphs = sheet->glyphs;
    if (!reply_is_ok(decrement)) {
        fprintf(sheet->out, "  decrement %s (%s)\n", glyphs->missing,
                reply_text(decrement, "reason", "not in the result"));
        return;
    }
    const struct labelled ratio = label(sheet, &decrement_table, "zeta"),
                          friction = label(sheet, &decrement_table, "x_k");
    /* zeta = beta/sqrt(1 + beta^2), so a bound of beta becomes one of zeta with the derivative of that. */
    double beta = reply_number(decrement, "beta");
    double bound = reply_number(decrement, "bound_beta") / pow(1 + beta * beta, 1.5);
    fprintf(sheet->out, "  decrement (m = %s)  %s %s   %s %s   (%s: error bound)\n",
            describe_count(decrement, "m", glyphs).text, ratio.label,
            figure_plus_minus(reply_number(decrement, "zeta_m"), bound, ratio.unit.text, glyphs).text, friction.label,
            figure_plus_minus(reply_number(decrement, "x_k_m"), reply_number(decrement, "bound_x_k"),
                              friction.unit.text, glyphs)
                .text,
            glyphs->plus_minus);
    fprintf(sheet->out, "  decrement (local)  %s %s   %s %s   (%s: standard deviation of %s)\n", ratio.label,
            figure_plus_minus(reply_number(zeta, "mean"), reply_number(zeta, "sd"), ratio.unit.text, glyphs).text,
            friction.label,
            figure_plus_minus(reply_number(x_k, "mean"), reply_number(x_k, "sd"), friction.unit.text, glyphs).text,
            glyphs->plus_minus, describe_count(zeta, "count", glyphs).text);
}

/* What each damping model leaves of the record. They are fits of the full record: where that was rejected they say
 * nothing; and where there is a ladder, they are rungs of it. */
static void print_models(const struct sheet *sheet)
{
    const json_t *models = json_object_get(sheet->result, "models");
    const char *chosen = reply_model(sheet->result), *between = "  models by what they leave";
    const bool by_ladder = reply_is_ok(json_object_get(sheet->result, "ladder"));
    size_t i;
    json_t *model;
    if (!json_array_size(models) || by_ladder || sheet->section != json_object_get(sheet->result, "fit"))
        return;
    json_array_foreach (models, i, model) {
        const char *name = reply_text(model, "model", "");
        const double rms = reply_number(model, "rms");
        fprintf(sheet->out, "%s %s %s", between, describe_model(name).text,
                figure_rounded(rms, 2, sheet->unit, sheet->glyphs).text);
        if (isnan(rms))
            fprintf(sheet->out, " (%s)", reply_text(model, "reason", "no reason was given"));
        if (chosen && strcmp(name, chosen) == 0)
            fprintf(sheet->out, " (chosen)");
        between = ",";
    }
    fprintf(sheet->out, " rms\n");
}

static void add_interval(struct table *table, const struct sheet *sheet, const json_t *section, struct labelled field)
{
    const struct figure figure = reply_figure(section, field.name);
    if (isnan(figure.value))
        return;
    table_cell(table, "%s", field.label);
    const struct figure statistical = {.low = figure.statistical_low, .high = figure.statistical_high, .se = NAN};
    table_cell(table, "%s",
               figure.combined ? figure_interval(&figure, field.unit.text, sheet->glyphs).text
                               : sheet->glyphs->missing);
    table_cell(table, "%s", figure_interval(&statistical, field.unit.text, sheet->glyphs).text);
    table_end_row(table);
}

/* Every estimate with its 95 % intervals, the combined one with the decimals of the sheet. */
static int print_intervals(const struct sheet *sheet)
{
    const json_t *physical = json_object_get(sheet->result, "physical");
    struct table *table = table_create();
    struct field_cursor cursor = {0};
    table_cell(table, "%s", "");
    table_cell(table, "combined");
    table_cell(table, "statistical");
    table_end_row(table);
    while (next_estimate(sheet->table, &cursor))
        add_interval(table, sheet, sheet->section, labelled_field(&cursor.field, sheet->unit, sheet->glyphs));
    for (size_t i = 0; i < OF_PHYSICS; i++)
        add_interval(table, sheet, physical, label(sheet, &physical_table, of_physics[i]));
    table_name_columns(table);
    fprintf(sheet->out, "  95 %% intervals (statistical: of the noise of the record alone)\n");
    int status = table_print(table, "    ", sheet->glyphs->width, sheet->out);
    table_destroy(table);
    return status;
}

/* Only the tables allocate; what is plain text is printed in any case. */
static int print_sheet(const struct sheet *sheet, const char *title, const json_t *run, bool intervals)
{
    const json_t *result = sheet->result;
    const struct record_kind *kind = shown_kind(result);
    int status = 0;
    if (title)
        fprintf(sheet->out, "%s", title);
    else
        print_title(sheet, run);
    if (kind && kind->section)
        return show_table(result, kind, intervals, sheet->glyphs, sheet->out);
    print_verdict(sheet);
    show_provisional(result, sheet->out);
    print_notes(sheet, run);
    if (sheet->table)
        status = print_figures(sheet);
    explain_missing(sheet);
    judgement_print_unstated(sheet->result, sheet->glyphs, sheet->out);
    print_record(sheet);
    print_decrement(sheet);
    judgement_print_sections(result, sheet->unit, sheet->glyphs, sheet->out);
    print_models(sheet);
    judgement_print_choice(result, sheet->glyphs, sheet->out);
    judgement_print_flags(result, sheet->unit, sheet->glyphs, sheet->out);
    if (status == 0)
        status = judgement_print_windows(result, sheet->unit, sheet->glyphs, sheet->out);
    if (status == 0)
        status = show_ladder(sheet->result, sheet->unit, sheet->glyphs, sheet->out);
    if (status == 0)
        status = show_joint(sheet->result, sheet->glyphs, sheet->out);
    if (intervals && sheet->table && status == 0)
        status = print_intervals(sheet);
    if (intervals && status == 0)
        status = judgement_print_budget(result, sheet->unit, sheet->glyphs, sheet->out);
    return status;
}

int show_result(const json_t *result, const char *title, const json_t *run, bool intervals, const struct glyphs *glyphs,
                FILE *out)
{
    struct wrapped_sheet lines;
    if (wrapped_open(&lines) < 0)
        return -ENOMEM;
    const struct sheet sheet = {.result = result,
                                .section = reply_recommended(result),
                                .table = recommended_table(result),
                                .unit = reply_displacement_unit(result),
                                .glyphs = glyphs,
                                .out = lines.lines};
    const int status = print_sheet(&sheet, title, run, intervals);
    const int printed = wrapped_close(&lines, glyphs->width, out);
    return status < 0 ? status : printed;
}

void show_legend(bool intervals, const struct glyphs *glyphs, FILE *out)
{
    wrapped_print(
        phrase_format(
            "(%s) is the standard uncertainty in the last digits: combined at the top, else of the noise alone%s",
            glyphs->to, intervals ? "" : "; 95 % intervals: --intervals")
            .text,
        glyphs->width, out);
}
