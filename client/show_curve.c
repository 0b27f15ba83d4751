/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A curve of friction over speed, as a table of both ways together and each alone. */

#include "client/show_curve.h"

#include "client/figures.h"
#include "client/reply.h"
#include "client/table.h"
#include "report/field.h"

#include <math.h>

static void add_row(struct table *table, const char *called, const json_t *fit, const struct glyphs *glyphs)
{
    const double exponent = reply_number(fit, "stribeck_exponent");
    table_cell(table, "%s", called);
    table_cell(table, "%lld", (long long)reply_integer(fit, "points", 0));
    table_cell(table, "%s%s", reply_text(fit, "stribeck", "?"), reply_true(fit, "tie") ? " (tie)" : "");
    table_cell(table, "%s", isnan(exponent) ? "" : figure_rounded(exponent, 3, NULL, glyphs).text);
    table_cell(table, "%s", figure_rounded(reply_number(fit, "residual"), 2, NULL, glyphs).text);
    table_cell(table, "%s", figure_rounded(reply_number(fit, "residual_without_dip"), 2, NULL, glyphs).text);
}

static void add_way(struct table *table, const char *called, const json_t *fit, const struct glyphs *glyphs)
{
    static const char *const shown[] = {"f_c", "f_s"};
    add_row(table, called, fit, glyphs);
    for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++) {
        const struct figure figure = reply_figure(fit, shown[k]);
        table_cell(table, "%s", isnan(figure.value) ? "" : figure_short(&figure, NULL, glyphs).text);
    }
    table_end_row(table);
}

int show_curve(const json_t *curve, const char *unit, const struct glyphs *glyphs, FILE *out)
{
    static const char *const ways[] = {"forward", "backward"};
    const struct unit_text force = unit_text(KIND_FORCE, unit, " ");
    struct table *table = table_create();
    table_cell(table, "way");
    table_cell(table, "points");
    table_cell(table, "dip");
    table_cell(table, "j");
    table_cell(table, "rest/%s", force.text);
    table_cell(table, "no dip/%s", force.text);
    table_cell(table, "F_C/%s", force.text);
    table_cell(table, "F_S/%s", force.text);
    table_end_row(table);
    add_way(table, "both", curve, glyphs);
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++)
        add_way(table, ways[w], json_array_get(json_object_get(curve, "way"), w), glyphs);
    const int status = table_print(table, "  ", glyphs->width, out);
    table_destroy(table);
    return status;
}
