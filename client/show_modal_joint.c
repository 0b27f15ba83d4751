/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The joint of a mode, as a table. */

#include "client/show_modal_joint.h"

#include "client/figures.h"
#include "client/reply.h"
#include "client/table.h"
#include "report/field.h"

#include <math.h>
#include <string.h>

/* A parameter has an estimate, or what is known of it but for its value has bounds. */
struct parameter {
    const char *name, *label;
    enum unit_kind unit;
    bool bounded;
};

static const struct parameter parameters[] = {
    {"chi", "chi", KIND_ONE, false},
    {"c", "C", KIND_PER_S, false},
    {"r", "R", KIND_SLIDER_DENSITY, false},
    {"damping_exponent", "exponent of damping", KIND_ONE, false},
    {"stiffness_exponent", "exponent of softening", KIND_ONE, false},
    {"f_s", "F_S", KIND_DISPLACEMENT_PER_S2, true},
    {"k_t", "K_T", KIND_PER_S2, true},
    {"k_inf", "K_inf", KIND_PER_S2, true},
    {"iwan_beta", "beta", KIND_ONE, true},
    {"phi_max", "phi_max", KIND_DISPLACEMENT, true},
};

/* Of a reason the word before its sentence. */
static struct phrase short_reason(const json_t *bounded)
{
    const char *reason = reply_text(bounded, "reason", "no reason was given");
    return phrase_format("%.*s", (int)strcspn(reason, ":"), reason);
}

/* Bounds that any joint is between say nothing. */
static struct phrase bounds_of(const json_t *bounded, const char *unit, const struct glyphs *glyphs)
{
    const double lower = reply_number(bounded, "lower"), upper = reply_number(bounded, "upper");
    const bool from = lower > 0, to = isfinite(upper);
    const struct phrase least = figure_rounded(lower, 3, to ? NULL : unit, glyphs);
    const struct phrase most = figure_rounded(upper, 3, unit, glyphs);
    return from && to ? phrase_format(", %s %s %s", least.text, glyphs->to, most.text)
           : from     ? phrase_format(", at least %s", least.text)
           : to       ? phrase_format(", at most %s", most.text)
                      : phrase_format("%s", "");
}

static struct figure figure_of(const json_t *iwan, const struct parameter *parameter)
{
    const json_t *bounded = json_object_get(iwan, parameter->name);
    return parameter->bounded ? (struct figure){.value = reply_number(bounded, "value"),
                                                .se = reply_number(bounded, "se"),
                                                .low = reply_number(bounded, "lower"),
                                                .high = reply_number(bounded, "upper")}
                              : reply_figure(iwan, parameter->name);
}

static void add_parameter(struct table *table, const json_t *iwan, const struct parameter *parameter, const char *unit,
                          bool intervals, const struct glyphs *glyphs)
{
    const struct figure figure = figure_of(iwan, parameter);
    const struct unit_text its = unit_text(parameter->unit, unit, glyphs->dot);
    const json_t *member = json_object_get(iwan, parameter->name);
    table_cell(table, "%s", parameter->label);
    if (isfinite(figure.value)) {
        table_cell(table, "%s", figure_short(&figure, its.text, glyphs).text);
        if (intervals)
            table_cell(table, "95 %%: %s", figure_interval(&figure, its.text, glyphs).text);
    } else {
        table_span(table, "not told: %s%s", short_reason(member).text, bounds_of(member, its.text, glyphs).text);
    }
    table_end_row(table);
}

int show_modal_joint(const json_t *iwan, const char *unit, bool intervals, const struct glyphs *glyphs, FILE *out)
{
    if (!json_is_object(iwan))
        return 0;
    const bool consistent = reply_true(iwan, "consistent");
    struct table *table = table_create();
    fprintf(out, "  joint: %s\n",
            consistent ? "one law for damping and frequency"
                       : "no joint has this damping and this frequency; chi, C and R are of the damping alone");
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++)
        if (consistent || !parameters[i].bounded)
            add_parameter(table, iwan, &parameters[i], unit, intervals, glyphs);
    const int status = table_print(table, "    ", glyphs->width, out);
    table_destroy(table);
    return status;
}
