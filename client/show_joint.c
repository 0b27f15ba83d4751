/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The fit of several channels on the sheet of a result. */

#include "client/show_joint.h"

#include "client/figures.h"
#include "client/labels.h"
#include "client/reply.h"
#include "client/table.h"
#include "identify/ladder/ladder_term.h"

#include <math.h>
#include <string.h>

/* An estimate with the unit that it carries. */
static void print_estimate(const json_t *estimates, const char *name, const struct glyphs *glyphs, FILE *out)
{
    const struct figure figure = reply_figure(estimates, name);
    const char *unit = reply_text(json_object_get(estimates, name), "unit", "");
    if (!isnan(figure.value))
        fprintf(out, ", %s %s", labelled_quantity(name, NULL, glyphs).label, figure_short(&figure, unit, glyphs).text);
}

static void print_motion(const json_t *joint, const struct glyphs *glyphs, FILE *out)
{
    const json_t *estimates = json_object_get(joint, "estimates");
    const struct figure f_n = reply_figure(estimates, "f_n");
    fprintf(out, "    f_n %s",
            figure_short(&f_n, reply_text(json_object_get(estimates, "f_n"), "unit", ""), glyphs).text);
    for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++)
        print_estimate(estimates, ladder_parameters[p].name, glyphs, out);
    fputc('\n', out);
}

static void add_channel(struct table *table, const json_t *channel, bool reference, const struct glyphs *glyphs)
{
    const struct figure gain = reply_figure(channel, "gain"), bias = reply_figure(channel, "bias");
    const char *gain_unit = reply_text(json_object_get(channel, "gain"), "unit", "");
    const char *unit = reply_text(channel, "unit", "");
    table_cell(table, "%s", reply_text(channel, "channel", "?"));
    table_cell(table, "%s", reference ? "1 (reference)" : figure_short(&gain, gain_unit, glyphs).text);
    table_cell(table, "%s", figure_short(&bias, unit, glyphs).text);
    table_cell(table, "%s", figure_rounded(reply_number(channel, "noise"), 2, unit, glyphs).text);
    table_cell(table, "%s", figure_rounded(1e6 * reply_number(channel, "delay_s"), 3, "us", glyphs).text);
    table_end_row(table);
}

static int print_channels(const json_t *joint, const struct glyphs *glyphs, FILE *out)
{
    const json_t *channels = json_object_get(joint, "channels"), *channel;
    struct table *table = table_create();
    size_t i;
    table_cell(table, "channel");
    table_cell(table, "gain");
    table_cell(table, "bias");
    table_cell(table, "noise");
    table_cell(table, "delay");
    table_end_row(table);
    json_array_foreach (channels, i, channel)
        add_channel(table, channel, i == 0, glyphs);
    table_name_columns(table);
    const int status = table_print(table, "    ", glyphs->width, out);
    table_destroy(table);
    return status;
}

/* Also said where the channels have no fit in common, which may be why. */
static void print_contradiction(const json_t *joint, const struct glyphs *glyphs, FILE *out)
{
    const json_t *contradiction = json_object_get(joint, "contradiction");
    const char *figure = reply_text(contradiction, "figure", NULL);
    const struct phrase limit = figure_rounded(reply_number(contradiction, "limit"), 2, NULL, glyphs);
    if (!figure)
        return;
    const bool found = json_is_true(json_object_get(contradiction, "found"));
    fprintf(out, "  %s%s and %s %s %s, by %s joint standard errors (limit %s)\n", found ? "! " : "  ",
            reply_text(contradiction, "channel", "?"), reply_text(contradiction, "other", "?"),
            found ? "contradict each other in" : "differ most in", figure,
            figure_rounded(reply_number(contradiction, "standard_errors"), 2, NULL, glyphs).text, limit.text);
}

int show_joint(const json_t *result, const struct glyphs *glyphs, FILE *out)
{
    const json_t *joint = json_object_get(result, "joint");
    const char *verdict = reply_text(joint, "verdict", "not_computed");
    int status = 0;
    if (strcmp(verdict, "not_computed") == 0)
        return 0;
    if (reply_is_ok(joint)) {
        fprintf(out, "  the channels of this run together, in the unit of %s\n", reply_text(joint, "reference", "?"));
        print_motion(joint, glyphs, out);
        status = print_channels(joint, glyphs, out);
    } else {
        fprintf(out, "  the channels of this run have no fit in common: %s: %s\n", verdict,
                reply_text(joint, "reason", "no reason was given"));
    }
    print_contradiction(joint, glyphs, out);
    return status;
}
