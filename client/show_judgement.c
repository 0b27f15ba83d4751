/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The second half of the sheet: how far the figures of the first half can be trusted. */

#include "client/show_judgement.h"

#include "client/describe.h"
#include "client/figures.h"
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

/* A drift's size and what it does over the record. */
static void print_drift(const json_t *drift, const char *term, const char *unit, const char *what,
                        const struct glyphs *glyphs)
{
    struct figure figure = reply_figure(drift, term);
    printf("%s %s; %s %s %%", term, figure_short(&figure, unit, glyphs).text, what,
           figure_rounded(100 * reply_number(drift, "relative"), 2, NULL, glyphs).text);
}

static void print_stiffness(const json_t *result, const struct glyphs *glyphs)
{
    const json_t *check = json_object_get(json_object_get(result, "budget"), "stiffness_check");
    printf("k/(m %sn%s) is %s instead of 1: check the configured mass and stiffness\n", "omega_", "^2",
           figure_plus_minus(reply_number(check, "ratio"), reply_number(check, "u"), NULL, glyphs).text);
}

static void print_flag(const json_t *result, const char *flag, const char *unit, const struct glyphs *glyphs)
{
    const json_t *drift = json_object_get(result, "drift");
    struct phrase per_unit = phrase_format("1/%s", unit), per_square = phrase_format("1/%s^2", unit);
    printf("  ! %s: ", flag);
    if (strcmp(flag, "frequency_drift") == 0) {
        print_drift(json_object_get(drift, "frequency_drift"), "cubic", per_square.text, "f_n at X_0 against rest",
                    glyphs);
        printf("; phase off by %s rad rms\n", figure_rounded(reply_number(drift, "phase_rms"), 2, NULL, glyphs).text);
    } else if (strcmp(flag, "damping_drift") == 0) {
        print_drift(json_object_get(drift, "damping_drift"), "drag", per_unit.text, "extra loss a half cycle at X_0",
                    glyphs);
        printf("; see the windows, or use stop_below and start_below\n");
    } else if (strcmp(flag, "stiffness_contradicts_frequency") == 0) {
        print_stiffness(result, glyphs);
    } else if (strcmp(flag, "baseline_drift") == 0) {
        printf("the sensor's zero moves along the record; the uncertainties of the fit allow for it\n");
    } else if (strcmp(flag, "mains_hum") == 0) {
        printf("50 or 60 Hz is in the record; the uncertainties of the fit allow for it\n");
    } else if (strcmp(flag, "few_effective_samples") == 0) {
        printf("the noise is worth %s samples; the stated 95 %% may be 85 or 98 %%\n",
               figure_rounded(reply_number(json_object_get(result, "fit"), "effective_samples"), 2, NULL, glyphs).text);
    } else {
        printf("see fricid-protocol(7)\n");
    }
}

void judgement_print_flags(const json_t *result, const char *unit, const struct glyphs *glyphs)
{
    size_t i;
    json_t *flag;
    json_array_foreach (json_object_get(result, "flags"), i, flag)
        if (json_is_string(flag))
            print_flag(result, json_string_value(flag), unit, glyphs);
}

void judgement_print_choice(const json_t *result, const struct glyphs *glyphs)
{
    const json_t *choice = json_object_get(result, "model_choice");
    const char *model = reply_text(choice, "model", NULL);
    if (!choice)
        return;
    printf("  damping %s", model ? describe_model(model) : "not decided");
    if (!isnan(reply_number(choice, "viscous_ratio")))
        printf(" (likelihood ratio of viscous %s, of Coulomb %s; a term enters above %s)",
               figure_rounded(reply_number(choice, "viscous_ratio"), 2, NULL, glyphs).text,
               figure_rounded(reply_number(choice, "coulomb_ratio"), 2, NULL, glyphs).text,
               figure_rounded(reply_number(choice, "threshold"), 3, NULL, glyphs).text);
    putchar('\n');
}

/* One estimate of a classical method, or why there is none. */
static void print_classical(const json_t *result, const char *key, const char *name, const char *unit,
                            const struct glyphs *glyphs)
{
    const json_t *section = json_object_get(result, key);
    struct figure zeta = reply_figure(section, "zeta"), x_k = reply_figure(section, "x_k");
    if (!section)
        return;
    printf("  %s", name);
    if (!reply_is_ok(section)) {
        printf(" %s (%s)\n", glyphs->missing, reply_text(section, "reason", "no reason was given"));
        return;
    }
    if (json_object_get(section, "zeta"))
        printf("  %s %s", glyphs->zeta, figure_short(&zeta, NULL, glyphs).text);
    if (json_object_get(section, "x_k"))
        printf("  x_k %s", figure_short(&x_k, unit, glyphs).text);
    putchar('\n');
}

void judgement_print_classical(const json_t *result, const char *unit, const struct glyphs *glyphs)
{
    print_classical(result, "logarithmic_decrement", "logarithmic decrement (viscous alone)", unit, glyphs);
    print_classical(result, "linear_decrement", "linear decrement (Coulomb alone)", unit, glyphs);
    print_classical(result, "jacobsen_ayre", "Jacobsen and Ayre", unit, glyphs);
}

int judgement_print_windows(const json_t *result, const char *unit, const struct glyphs *glyphs)
{
    const json_t *windows = json_object_get(json_object_get(result, "windows"), "window");
    struct table *table = table_create();
    size_t i;
    json_t *window;
    json_array_foreach (windows, i, window) {
        struct figure f_n = reply_figure(window, "f_n_hz"), zeta = reply_figure(window, "zeta");
        struct figure x_k = reply_figure(window, "x_k");
        table_cell(table, "%s %s %s", figure_rounded(reply_number(window, "largest"), 3, NULL, glyphs).text, glyphs->to,
                   figure_rounded(reply_number(window, "smallest"), 3, unit, glyphs).text);
        table_cell(table, "f_n %s", figure_short(&f_n, "Hz", glyphs).text);
        table_cell(table, "%s %s", glyphs->zeta, figure_short(&zeta, NULL, glyphs).text);
        table_cell(table, "x_k %s", figure_short(&x_k, unit, glyphs).text);
        table_end_row(table);
    }
    if (json_array_size(windows) > 0)
        puts("  in windows of amplitude");
    int status = table_print(table, "    ", stdout);
    table_destroy(table);
    return status;
}

/* What a quantity of the budget is called, and its unit. */
static const char *label_of(const char *quantity, const struct glyphs *glyphs)
{
    const char *const names[][2] = {{"f_n_hz", "f_n"}, {"zeta", glyphs->zeta}, {"x0", "X_0"},
                                    {"f_k_n", "f_k"},  {"mu", glyphs->mu},     {"c_n_s_per_m", "c"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i][0], quantity) == 0)
            return names[i][1];
    return quantity;
}

static struct phrase unit_of(const char *quantity, const char *displacement, const struct glyphs *glyphs)
{
    if (strcmp(quantity, "f_n_hz") == 0)
        return phrase_format("Hz");
    if (strcmp(quantity, "omega_n") == 0 || strcmp(quantity, "omega_d") == 0)
        return phrase_format("rad/s");
    if (strcmp(quantity, "f_k_n") == 0)
        return phrase_format("N");
    if (strcmp(quantity, "c_n_s_per_m") == 0)
        return phrase_format("N%ss/m", glyphs->dot);
    if (strcmp(quantity, "zeta") == 0 || strcmp(quantity, "beta") == 0 || strcmp(quantity, "mu") == 0)
        return phrase_format("%s", "");
    return phrase_format("%s", displacement ? displacement : "");
}

int judgement_print_budget(const json_t *result, const char *unit, const struct glyphs *glyphs)
{
    const json_t *lines = json_object_get(json_object_get(result, "budget"), "quantities");
    const char *const keys[] = {"u_stat", "u_cal", "u_model", "u", "freedom", "coverage_factor", "expanded"};
    const char *const heads[] = {"u_stat", "u_cal", "u_model", "u", "freedom", "k (95 %)", "U"};
    struct table *table = table_create();
    size_t i, rows = 0;
    json_t *line;
    table_cell(table, "%s", "");
    for (size_t k = 0; k < sizeof heads / sizeof heads[0]; k++)
        table_cell(table, "%s", heads[k]);
    table_end_row(table);
    json_array_foreach (lines, i, line) {
        const char *quantity = reply_text(line, "quantity", "");
        if (isnan(reply_number(line, "value")))
            continue;
        table_cell(table, "%s", label_of(quantity, glyphs));
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            const bool pure = k == 4 || k == 5;
            const double number = reply_number(line, keys[k]);
            table_cell(table, "%s",
                       isnan(number) ? glyphs->missing
                                     : figure_rounded(number, k == 5 ? 3 : 2,
                                                      pure ? NULL : unit_of(quantity, unit, glyphs).text, glyphs)
                                           .text);
        }
        table_end_row(table);
        rows++;
    }
    if (rows > 0)
        puts("  uncertainty budget (standard uncertainties; U = k u)");
    int status = rows > 0 ? table_print(table, "    ", stdout) : 0;
    table_destroy(table);
    return status;
}
