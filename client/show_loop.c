/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of a contact that was driven to and fro, as tables. */

#include "client/show_loop.h"

#include "client/figures.h"
#include "client/reply.h"
#include "client/show_curve.h"
#include "client/table.h"
#include "identify/loop/loop.h"
#include "report/field.h"
#include "report/kinds/friction_tables.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* So many loops of a record are shown, and so many of its runs. */
enum { LOOPS_SHOWN = 8, RUNS_SHOWN = 8 };

struct pages {
    const char *unit;
    const struct glyphs *glyphs;
    FILE *out;
};

static struct phrase number(const struct pages *pages, double value, int digits, const char *unit)
{
    return figure_rounded(value, digits, unit, pages->glyphs);
}

static void print_heading(const struct pages *pages, const json_t *loop)
{
    const struct unit_text force = unit_text(KIND_FORCE, pages->unit, " ");
    const long long loops = reply_integer(loop, "loops", 0), runs = reply_integer(loop, "runs", 0);
    fprintf(pages->out, "  %lld loop%s in %lld run%s", loops, loops == 1 ? "" : "s", runs, runs == 1 ? "" : "s");
    if (runs > 1)
        fprintf(pages->out, ", means of run %lld", (long long)reply_integer(loop, "main_run", 0));
    fprintf(pages->out, "; noise %s, ", number(pages, reply_number(loop, "noise_displacement"), 2, pages->unit).text);
    fprintf(pages->out, "%s\n", number(pages, reply_number(loop, "noise_force"), 2, force.text).text);
}

/* The value of a normal distribution that is as rare as that one of Student's t (Wallace 1959, within 0.1 where it
 * matters): of few loops a large t is no rarity. */
static double normal_as_rare(double t, double freedom)
{
    return sqrt(freedom * log1p(t * t / freedom)) * (8 * freedom + 1) / (8 * freedom + 3);
}

/* Of the line through the figures of the main run's loops; many where that run is not listed. */
static double drift_freedom(const json_t *loop)
{
    const long long main_run = reply_integer(loop, "main_run", 0);
    const json_t *run = main_run > 0 ? json_array_get(json_object_get(loop, "run"), (size_t)main_run - 1) : NULL;
    return fmax(1, (double)reply_integer(run, "loops", 1000) - 2);
}

/* What changes, and what does so by more than chance. */
static void print_drifts(const struct pages *pages, const json_t *loop)
{
    size_t i;
    json_t *drift;
    json_array_foreach (json_object_get(loop, "drift"), i, drift) {
        const double significance = reply_number(drift, "significance");
        const char *figure = reply_text(drift, "figure", "?");
        if (normal_as_rare(significance, drift_freedom(loop)) >= LOOP_DRIFT_SIGNIFICANT)
            fprintf(pages->out, "  over the run %s changes by %s%s, %s standard uncertainties\n", figure,
                    number(pages, 100 * reply_number(drift, "change"), 2, "%").text,
                    strcmp(figure, "middle") == 0 ? " of the stroke" : "", number(pages, significance, 2, NULL).text);
    }
}

static void add_figure(struct table *table, const struct pages *pages, const json_t *loop, const char *name)
{
    const struct phrase error = phrase_format("se_%s", name);
    const struct figure figure = {.value = reply_number(loop, name), .se = reply_number(loop, error.text)};
    table_cell(table, "%s", figure_short(&figure, NULL, pages->glyphs).text);
}

static void add_heads(struct table *table, const struct pages *pages, const char *first, const char *second)
{
    const struct unit_text force = unit_text(KIND_FORCE, pages->unit, " ");
    table_cell(table, "%s", first);
    table_cell(table, "%s", second);
    table_cell(table, "E/J");
    table_cell(table, "2A/%s", pages->unit);
    table_cell(table, "F_+/%s", force.text);
    table_cell(table, "F_-/%s", force.text);
}

static void add_loop(struct table *table, const struct pages *pages, const json_t *loop)
{
    static const char *const shown[] = {"energy", "stroke", "plateau_forward", "plateau_backward"};
    table_cell(table, "%lld", (long long)reply_integer(loop, "number", 0));
    table_cell(table, "%s", number(pages, reply_number(loop, "start_s"), 6, NULL).text);
    for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++)
        add_figure(table, pages, loop, shown[k]);
    if (!reply_true(loop, "closes"))
        table_cell(table, "open");
    table_end_row(table);
}

/* Of the loops of the main run, what the means do not tell. One loop has no scatter. */
static void print_scatter(const struct pages *pages, const json_t *loop)
{
    static const struct {
        const char *figure, *label;
    } shown[] = {{"friction", "F"}, {"energy", "E"}, {"stroke", "2A"}};
    const char *before = "  a single loop scatters by";
    size_t i;
    json_t *drift;
    json_array_foreach (json_object_get(loop, "drift"), i, drift) {
        const double scatter = reply_number(drift, "scatter");
        for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++)
            if (isfinite(scatter) && strcmp(reply_text(drift, "figure", ""), shown[k].figure) == 0) {
                fprintf(pages->out, "%s %s in %s", before, number(pages, 100 * scatter, 2, "%").text, shown[k].label);
                before = ",";
            }
    }
    fputs(*before == ',' ? "\n" : "", pages->out);
}

/* That there are more than the table has. */
static void print_not_shown(const struct pages *pages, size_t shown, long long loops)
{
    if ((long long)shown < loops)
        fprintf(pages->out, "  %zu of %lld loops are shown, from the first to the last; --json has %s\n", shown, loops,
                loops > LOOPS_LISTED ? "more" : "all");
}

static int print_loops(const struct pages *pages, const json_t *loop)
{
    struct table *table = table_create();
    const json_t *loops = json_object_get(loop, "loop");
    const size_t count = json_array_size(loops), shown = count < LOOPS_SHOWN ? count : LOOPS_SHOWN;
    add_heads(table, pages, "loop", "start/s");
    table_end_row(table);
    for (size_t i = 0; i < shown; i++)
        add_loop(table, pages, json_array_get(loops, shown > 1 ? i * (count - 1) / (shown - 1) : 0));
    const int status = table_print(table, "  ", pages->glyphs->width, pages->out);
    table_destroy(table);
    print_not_shown(pages, shown, reply_integer(loop, "loops", 0));
    print_scatter(pages, loop);
    return status;
}

static int print_runs(const struct pages *pages, const json_t *runs)
{
    static const char *const shown[] = {"energy", "stroke", "plateau_forward", "plateau_backward"};
    struct table *table = table_create();
    add_heads(table, pages, "run", "loops");
    table_cell(table, "ended by");
    table_end_row(table);
    for (size_t i = 0; i < json_array_size(runs) && i < RUNS_SHOWN; i++) {
        const json_t *run = json_array_get(runs, i);
        table_cell(table, "%zu", i + 1);
        table_cell(table, "%lld", (long long)reply_integer(run, "loops", 0));
        for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++) {
            const struct figure figure = reply_figure(run, shown[k]);
            table_cell(table, "%s", figure_short(&figure, NULL, pages->glyphs).text);
        }
        table_cell(table, "%s", reply_text(run, "ended_by", "?"));
        table_end_row(table);
    }
    const int status = table_print(table, "  ", pages->glyphs->width, pages->out);
    table_destroy(table);
    return status;
}

/* --- the ladder of models --- */

static void add_rung(struct table *table, const struct pages *pages, const json_t *rung, const json_t *ladder)
{
    const char *model = reply_text(rung, "model", "?");
    const bool chosen = strcmp(model, reply_text(ladder, "model", "")) == 0;
    const json_t *f_c = json_object_get(rung, "f_c");
    const struct figure level = {.value = reply_number(f_c, "value"), .se = reply_number(f_c, "se")};
    table_cell(table, "%s%s", chosen ? "> " : "", model);
    table_cell(table, "%s", number(pages, reply_number(rung, "residual_rms"), 3, NULL).text);
    table_cell(table, "%s", number(pages, reply_number(rung, "evidence"), 6, NULL).text);
    if (strcmp(reply_text(rung, "verdict", ""), "not_converged") == 0)
        table_cell(table, "far worse, given up");
    else if (reply_true(rung, "reduced"))
        table_cell(table, "a term vanishes");
    else
        table_cell(table, "%s", isfinite(level.value) ? figure_short(&level, NULL, pages->glyphs).text : "not seen");
    table_end_row(table);
}

/* Of one that is not seen it may be known what it is below. */
static void print_unseen(const struct pages *pages, const char *label, enum unit_kind unit, const json_t *figure)
{
    const double most = reply_number(figure, "upper");
    fprintf(pages->out, "    %s ", label);
    if (isfinite(most))
        fprintf(pages->out, "below %s, ", number(pages, most, 2, unit_text(unit, pages->unit, " ").text).text);
    fprintf(pages->out, "%s\n", reply_text(figure, "reason", "?"));
}

/* The parameters of the chosen model, each with its unit, or why there is none. */
static void print_parameters(const struct pages *pages, const json_t *ladder)
{
    struct field_cursor cursor = {0};
    while (section_next(&friction_ladder_table, &cursor)) {
        const struct field *field = &cursor.field;
        struct field value;
        const json_t *found = json_object_get(ladder, field->name);
        if (field->type != FIELD_OBJECT || !section_field(field->of, "value", &value))
            continue;
        const struct figure figure = {.value = reply_number(found, "value"), .se = reply_number(found, "se")};
        const char *reason = reply_text(found, "reason", "");
        if (isfinite(figure.value))
            fprintf(pages->out, "    %s %s%s%s%s\n", field->label,
                    figure_short(&figure, unit_text(value.unit, pages->unit, " ").text, pages->glyphs).text,
                    *reason ? " (" : "", reason, *reason ? ")" : "");
        else if (strncmp(reason, "not seen", strlen("not seen")) == 0)
            print_unseen(pages, field->label, value.unit, found);
    }
}

/* The offset of each part of the record, where there are several. */
static void print_offsets(const struct pages *pages, const json_t *offsets)
{
    size_t i;
    json_t *offset;
    if (json_array_size(offsets) < 2)
        return;
    fputs("    F_0 of each part:", pages->out);
    json_array_foreach ((json_t *)offsets, i, offset) {
        const struct figure figure = {.value = reply_number(offset, "value"), .se = reply_number(offset, "se")};
        fprintf(pages->out, "%s %s", i > 0 ? "," : "",
                isfinite(figure.value)
                    ? figure_short(&figure, unit_text(KIND_FORCE, pages->unit, " ").text, pages->glyphs).text
                    : "not seen");
    }
    fputc('\n', pages->out);
}

/* What the dip is by each exponent that it may have. */
static void print_exponents(const struct pages *pages, const json_t *exponents)
{
    static const struct {
        const char *name, *label;
        enum unit_kind unit;
    } rows[] = {{"f_s", "F_S", KIND_FORCE}, {"v_s", "v_s", KIND_DISPLACEMENT_PER_S}};
    size_t i;
    json_t *exponent;
    json_array_foreach ((json_t *)exponents, i, exponent) {
        fprintf(pages->out, i == 0 ? "    the record does not tell the exponent: if it is %s," : "; if it is %s,",
                number(pages, reply_number(exponent, "stribeck_exponent"), 1, NULL).text);
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            const json_t *of = json_object_get(exponent, rows[k].name);
            const struct figure figure = {.value = reply_number(of, "value"), .se = reply_number(of, "se")};
            const char *const unit = unit_text(rows[k].unit, pages->unit, " ").text;
            fprintf(pages->out, " %s %s", rows[k].label,
                    isfinite(figure.value) ? figure_short(&figure, unit, pages->glyphs).text : "not seen");
        }
    }
    if (i > 0)
        fputc('\n', pages->out);
}

/* What of the record is not in the ladder. */
static void print_left_out(const struct pages *pages, const json_t *ladder)
{
    const json_int_t parts = reply_integer(ladder, "parts", 0), left_out = reply_integer(ladder, "parts_left_out", 0);
    if (left_out > 0)
        fprintf(pages->out,
                "    of %lld parts between gaps the ladder has %lld: others are shorter than 20 samples, or behind the "
                "first 16\n",
                (long long)(parts + left_out), (long long)parts);
    const json_int_t every = reply_integer(ladder, "every", 1), behind = reply_integer(ladder, "samples_left_out", 0);
    if (every > 1)
        fprintf(pages->out, "    the record is longer than a ladder takes: one of %lld samples is in it\n",
                (long long)every);
    if (behind > 0)
        fprintf(pages->out, "    the record is longer than a ladder takes: its last %lld samples are not in it\n",
                (long long)behind);
}

/* The spectrum of Maxwell-slip. */
static int print_elements(const struct pages *pages, const json_t *elements)
{
    const char *const columns[] = {"slip_length", "slip_force"};
    const struct unit_text force = unit_text(KIND_FORCE, pages->unit, " ");
    size_t i;
    json_t *element;
    if (json_array_size(elements) == 0)
        return 0;
    struct table *table = table_create();
    table_cell(table, "slips after/%s", pages->unit);
    table_cell(table, "at/%s", force.text);
    table_end_row(table);
    json_array_foreach (elements, i, element) {
        for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++) {
            const json_t *of = json_object_get(element, columns[c]);
            const struct figure figure = {.value = reply_number(of, "value"), .se = reply_number(of, "se")};
            table_cell(table, "%s",
                       isfinite(figure.value) ? figure_short(&figure, NULL, pages->glyphs).text : "not seen");
        }
        table_end_row(table);
    }
    const int status = table_print(table, "    ", pages->glyphs->width, pages->out);
    table_destroy(table);
    return status;
}

static void print_choice(const struct pages *pages, const json_t *ladder)
{
    const struct unit_text force = unit_text(KIND_FORCE, pages->unit, " ");
    fprintf(pages->out, "  model %s, residual %s", reply_text(ladder, "model", "?"),
            number(pages, reply_number(ladder, "residual_rms"), 3, force.text).text);
    if (reply_true(ladder, "tie"))
        fprintf(pages->out, ", a tie with %s", reply_text(ladder, "rival", "?"));
    if (reply_true(ladder, "lacks_fit"))
        fprintf(pages->out, "\n  the residual repeats from loop to loop: lack of fit %s, by chance below %s",
                number(pages, reply_number(ladder, "lack_of_fit"), 3, NULL).text,
                number(pages, reply_number(ladder, "lack_of_fit_expected"), 3, NULL).text);
    else if (!isfinite(reply_number(ladder, "lack_of_fit")))
        fputs("\n  lack of fit was not tested: too few loops", pages->out);
    if (reply_true(ladder, "coarse_steps"))
        fprintf(pages->out, "\n  the displacement has steps of %s F_C/sigma_0: another shape may be the contact's",
                number(pages, reply_number(ladder, "displacement_steps"), 2, NULL).text);
    fputc('\n', pages->out);
}

static int print_ladder(const struct pages *pages, const json_t *ladder)
{
    const json_t *models = json_object_get(ladder, "models");
    if (json_array_size(models) == 0) {
        if (strcmp(reply_text(ladder, "verdict", "not_computed"), "not_computed") != 0)
            fprintf(pages->out, "  no ladder of models: %s\n", reply_text(ladder, "reason", "?"));
        return 0;
    }
    struct table *table = table_create();
    const struct unit_text force = unit_text(KIND_FORCE, pages->unit, " ");
    size_t i;
    json_t *rung;
    print_choice(pages, ladder);
    print_parameters(pages, ladder);
    print_exponents(pages, json_object_get(ladder, "exponents"));
    print_offsets(pages, json_object_get(ladder, "offsets"));
    print_left_out(pages, ladder);
    int status = print_elements(pages, json_object_get(ladder, "elements"));
    table_cell(table, "model");
    table_cell(table, "residual/%s", force.text);
    table_cell(table, "BIC");
    table_cell(table, "F_C/%s", force.text);
    table_end_row(table);
    json_array_foreach (models, i, rung)
        add_rung(table, pages, rung, ladder);
    status = status == 0 ? table_print(table, "  ", pages->glyphs->width, pages->out) : status;
    table_destroy(table);
    fputs("  BIC: of residuals whitened by their noise, so that models that leave as much may differ in it. The\n"
          "  least is chosen, without terms that vanish or come from noise of the displacement; where the residual\n"
          "  lacks fit, the least by as many samples as one loop has\n",
          pages->out);
    return status;
}

/* Friction over speed, where there are points. */
static int print_sliding(const struct pages *pages, const json_t *curve)
{
    const char *const shown[] = {"v_s", "sigma_2"};
    const enum unit_kind units[] = {KIND_DISPLACEMENT_PER_S, KIND_FORCE_S_PER_DISPLACEMENT};
    if (json_array_size(json_object_get(curve, "point")) == 0)
        return 0;
    fprintf(pages->out, "  what slides, over its speed:");
    for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++) {
        const struct figure figure = reply_figure(curve, shown[k]);
        if (isfinite(figure.value))
            fprintf(pages->out, " %s %s", shown[k],
                    figure_short(&figure, unit_text(units[k], pages->unit, " ").text, pages->glyphs).text);
    }
    fputc('\n', pages->out);
    return show_curve(curve, pages->unit, pages->glyphs, pages->out);
}

int show_loop(const json_t *loop, const char *unit, const struct glyphs *glyphs, FILE *out)
{
    const struct pages pages = {unit, glyphs, out};
    const json_t *loops = json_object_get(loop, "loop"), *runs = json_object_get(loop, "run");
    print_heading(&pages, loop);
    print_drifts(&pages, loop);
    int status = json_array_size(runs) > 1 ? print_runs(&pages, runs) : 0;
    if (status == 0 && json_array_size(loops) > 0)
        status = print_loops(&pages, loop);
    if (status == 0)
        status = print_ladder(&pages, json_object_get(loop, "ladder"));
    return status == 0 ? print_sliding(&pages, json_object_get(loop, "stribeck")) : status;
}
