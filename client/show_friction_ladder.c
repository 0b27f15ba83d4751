/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "client/show_friction_ladder.h"

#include "client/reply.h"
#include "client/table.h"
#include "report/field.h"
#include "report/kinds/friction_tables.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static void add_model(struct table *table, const json_t *rung, const json_t *ladder)
{
    const char *model = reply_text(rung, "model", "?");
    table_cell(table, "%s%s", strcmp(model, reply_text(ladder, "model", "")) == 0 ? "> " : "", model);
}

static void add_rung(struct table *table, const struct pages *pages, const json_t *rung, const json_t *ladder)
{
    const json_t *f_c = json_object_get(rung, "f_c");
    const struct figure level = {.value = reply_number(f_c, "value"), .se = reply_number(f_c, "se")};
    add_model(table, rung, ladder);
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

static bool is_unseen(const json_t *figure)
{
    return strncmp(reply_text(figure, "reason", ""), "not seen", strlen("not seen")) == 0;
}

/* Goes on to the next parameter that a model may have; value: the field of its value. */
static bool next_parameter(struct field_cursor *cursor, struct field *value)
{
    while (section_next(&friction_ladder_table, cursor))
        if (cursor->field.type == FIELD_OBJECT && section_field(cursor->field.of, "value", value))
            return true;
    return false;
}

/* The parameters of the chosen model, each with its unit, or why there is none. */
static void print_parameters(const struct pages *pages, const json_t *ladder)
{
    struct field_cursor cursor = {0};
    struct field value;
    while (next_parameter(&cursor, &value)) {
        const json_t *found = json_object_get(ladder, cursor.field.name);
        const struct figure figure = {.value = reply_number(found, "value"), .se = reply_number(found, "se")};
        const char *reason = reply_text(found, "reason", "");
        if (isfinite(figure.value))
            fprintf(pages->out, "    %s %s%s%s%s\n", cursor.field.label,
                    figure_short(&figure, unit_text(value.unit, pages->unit, " ").text, pages->glyphs).text,
                    *reason ? " (" : "", reason, *reason ? ")" : "");
        else if (is_unseen(found))
            print_unseen(pages, cursor.field.label, value.unit, found);
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
            const struct unit_text unit = unit_text(rows[k].unit, pages->unit, " ");
            fprintf(pages->out, "%s %s %s", k > 0 ? " and" : "", rows[k].label,
                    isfinite(figure.value) ? figure_short(&figure, unit.text, pages->glyphs).text : "not seen");
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

/* So many of the models that may be chosen are shown with their parameters. */
enum { BEST_SHOWN = 5 };

struct best {
    size_t count;
    const json_t *rung[BEST_SHOWN];
};

/* Those with the least evidence, from the least on. */
static struct best best_of(const json_t *models)
{
    struct best best = {.count = 0};
    size_t i;
    json_t *rung;
    json_array_foreach ((json_t *)models, i, rung) {
        size_t at = best.count;
        if (!reply_is_ok(rung) || reply_true(rung, "reduced"))
            continue;
        while (at > 0 && reply_number(rung, "evidence") < reply_number(best.rung[at - 1], "evidence"))
            at--;
        best.count += best.count < BEST_SHOWN;
        for (size_t k = best.count - 1; k > at; k--)
            best.rung[k] = best.rung[k - 1];
        if (at < BEST_SHOWN)
            best.rung[at] = rung;
    }
    return best;
}

/* Whether one of them has the parameter. */
static bool is_told(const struct best *best, const char *name)
{
    bool told = false;
    for (size_t i = 0; i < best->count; i++) {
        const json_t *found = json_object_get(best->rung[i], name);
        told = told || isfinite(reply_number(found, "value")) || is_unseen(found);
    }
    return told;
}

/* A row goes on with the parameters that any of the best has: with their names, or those of a model. rung: NULL for the
 * names. */
static void add_parameters(struct table *table, const struct pages *pages, const struct best *best, const json_t *rung)
{
    struct field_cursor cursor = {0};
    struct field value;
    while (next_parameter(&cursor, &value)) {
        if (!is_told(best, cursor.field.name))
            continue;
        const struct unit_text unit = unit_text(value.unit, pages->unit, " ");
        const json_t *found = json_object_get(rung, cursor.field.name);
        const struct figure figure = {.value = reply_number(found, "value"), .se = reply_number(found, "se")};
        if (!rung)
            table_cell(table,
                       strchr(unit.text, ' ') || strchr(unit.text, '/') ? "%s/(%s)"
                       : *unit.text                                     ? "%s/%s"
                                                                        : "%s%s",
                       cursor.field.label, unit.text);
        else if (isfinite(figure.value))
            table_cell(table, "%s", figure_short(&figure, NULL, pages->glyphs).text);
        else
            table_cell(table, "%s", is_unseen(found) ? "not seen" : "");
    }
    table_end_row(table);
}

static int print_best(const struct pages *pages, const json_t *ladder)
{
    const json_t *models = json_object_get(ladder, "models");
    const struct best best = best_of(models);
    struct table *table = table_create();
    table_cell(table, "model");
    add_parameters(table, pages, &best, NULL);
    for (size_t i = 0; i < best.count; i++) {
        add_model(table, best.rung[i], ladder);
        add_parameters(table, pages, &best, best.rung[i]);
    }
    fprintf(pages->out, "  the parameters of the best %zu of %zu models\n", best.count, json_array_size(models));
    table_name_columns(table);
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

bool lacks_friction_ladder(const json_t *ladder)
{
    return json_array_size(json_object_get(ladder, "models")) == 0 &&
           strcmp(reply_text(ladder, "verdict", "not_computed"), "not_computed") != 0;
}

int show_friction_ladder(const struct pages *pages, const json_t *ladder)
{
    const json_t *models = json_object_get(ladder, "models");
    if (lacks_friction_ladder(ladder))
        fprintf(pages->out, "  no ladder of models: %s\n", reply_text(ladder, "reason", "?"));
    if (json_array_size(models) == 0)
        return 0;
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
    return status == 0 ? print_best(pages, ladder) : status;
}
