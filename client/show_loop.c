/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of a contact that was driven to and fro, as tables. */

#include "client/show_loop.h"

#include "client/pages.h"
#include "client/reply.h"
#include "client/show_curve.h"
#include "client/show_friction_ladder.h"
#include "client/table.h"
#include "identify/loop/loop.h"
#include "report/field.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* So many loops of a record are shown, and so many of its runs. */
enum { LOOPS_SHOWN = 8, RUNS_SHOWN = 8 };

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
    if (status == 0 && strcmp(reply_text(loop, "verdict", ""), "ok") == 0)
        status = show_friction_ladder(&pages, json_object_get(loop, "ladder"));
    return status == 0 ? print_sliding(&pages, json_object_get(loop, "stribeck")) : status;
}
