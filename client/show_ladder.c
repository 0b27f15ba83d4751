/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The ladder of models on the sheet of a result. */

#include "client/show_ladder.h"

#include "client/describe.h"
#include "client/figures.h"
#include "client/labels.h"
#include "client/reply.h"
#include "client/table.h"
#include "identify/ladder/ladder_term.h"

#include <math.h>
#include <string.h>

/* So many rungs show which terms matter; the others leave more. */
enum { RUNGS_SHOWN = 5 };

/* The next rung by its criterion, after one with the criterion `after`; NULL: there is none. */
static const json_t *next_rung(const json_t *rungs, double after)
{
    const json_t *next = NULL, *rung;
    size_t i;
    json_array_foreach (rungs, i, rung) {
        const double criterion = reply_number(rung, "criterion");
        if (reply_is_ok(rung) && criterion > after && !(next && criterion >= reply_number(next, "criterion")))
            next = rung;
    }
    return next;
}

/* A rung shows its terms by what it has a parameter of. */
static void add_head(struct table *table, const struct glyphs *glyphs)
{
    table_cell(table, "criterion");
    table_cell(table, "residual");
    for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++)
        table_cell(table, "%s", labelled_quantity(ladder_parameters[p].name, NULL, glyphs).label);
    table_end_row(table);
}

static void add_rung(struct table *table, const json_t *rung, double least, const char *unit,
                     const struct glyphs *glyphs)
{
    const json_t *estimates = json_object_get(rung, "estimates");
    const double above = reply_number(rung, "criterion") - least;
    if (above > 0)
        table_cell(table, "+%s", figure_rounded(above, 3, NULL, glyphs).text);
    else
        table_cell(table, "chosen");
    table_cell(table, "%s", figure_rounded(reply_number(rung, "residual_rms"), 3, unit, glyphs).text);
    for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++) {
        struct figure figure = reply_figure(estimates, ladder_parameters[p].name);
        /* A rung's parameters are told in brief, without their bounds. */
        figure.at_bound = isnan(figure.se) && !(fabs(figure.value) > 0);
        const char *its = reply_text(json_object_get(estimates, ladder_parameters[p].name), "unit", "");
        table_cell(table, "%s", isnan(figure.value) ? "" : figure_short(&figure, its, glyphs).text);
    }
    table_end_row(table);
}

/* Two values of one parameter want a word. The fit of a daemon before 1.11 tells what it fitted as its model. */
static void print_freer_fit(const json_t *result, FILE *out)
{
    const json_t *fit = json_object_get(result, "fit");
    const char *chosen = reply_model(result), *fitted = reply_text(fit, "fitted", reply_text(fit, "model", NULL));
    const bool by_fit = strcmp(reply_text(result, "recommended", ""), "fit") == 0;
    if (by_fit && chosen && fitted && strcmp(chosen, fitted) != 0)
        fputs("    the figures at the top allow for the term that does not show: it is not taken for exactly 0\n", out);
}

/* What the recorder did to the record, and where the extrema say otherwise than all samples. */
static void print_faults(const json_t *ladder, const char *unit, const struct glyphs *glyphs, FILE *out)
{
    const json_t *steps = json_object_get(ladder, "clock_steps"), *zero = json_object_get(ladder, "zero_steps");
    const json_t *drift = json_object_get(ladder, "zero_drift");
    const json_t *consistency = json_object_get(ladder, "consistency");
    json_t *step;
    size_t i;
    json_array_foreach (steps, i, step) {
        const struct figure lost = reply_figure(step, "lost"), time = reply_figure(step, "time");
        fprintf(out, "    clock_step: the recorder's clock lost %s", figure_short(&lost, "s", glyphs).text);
        fprintf(out, " at %s; the ladder has it put right\n", figure_short(&time, "s", glyphs).text);
    }
    if (reply_true(drift, "found")) {
        const struct figure change = reply_figure(drift, "change");
        fprintf(out, "    zero_drift: the sensor's zero moves by %s along the record; the ladder has it taken out\n",
                figure_short(&change, unit, glyphs).text);
    }
    if (reply_true(zero, "found"))
        fprintf(out, "    zero_steps: the sensor's zero changes from cycle to cycle by %s rms, %s %% of what is left\n",
                figure_rounded(reply_number(zero, "rms"), 2, unit, glyphs).text,
                figure_rounded(100 * reply_number(zero, "share"), 2, NULL, glyphs).text);
    if (reply_true(consistency, "contradicts"))
        fprintf(out, "  ! consistency: the extrema alone give another x_k, by %s joint standard errors\n",
                figure_rounded(reply_number(consistency, "errors"), 2, NULL, glyphs).text);
}

int show_ladder(const json_t *result, const char *unit, const struct glyphs *glyphs, FILE *out)
{
    const json_t *ladder = json_object_get(result, "ladder"), *rungs = json_object_get(ladder, "models");
    const json_t *rung = reply_is_ok(ladder) ? next_rung(rungs, -INFINITY) : NULL;
    if (!rung)
        return 0;
    const double least = reply_number(rung, "criterion");
    struct table *table = table_create();
    add_head(table, glyphs);
    for (int shown = 0; rung && shown < RUNGS_SHOWN; shown++) {
        add_rung(table, rung, least, unit, glyphs);
        rung = next_rung(rungs, reply_number(rung, "criterion"));
    }
    fprintf(out, "  the ladder of models (criterion above the chosen one's; the best of %zu)\n",
            json_array_size(rungs));
    table_name_columns(table);
    const int status = table_print(table, "    ", glyphs->width, out);
    table_destroy(table);
    print_freer_fit(result, out);
    print_faults(ladder, unit, glyphs, out);
    return status;
}
