/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lines in a ring-down's spectrum that are no modes. */

#include "client/show_lines.h"

#include "client/figures.h"
#include "client/reply.h"

#include <stdbool.h>
#include <string.h>

void show_steady_lines(const json_t *lines, const char *unit, const struct glyphs *glyphs, FILE *out)
{
    size_t i;
    json_t *line;
    json_array_foreach (lines, i, line)
        fprintf(out,
                "  steady line, which the blow did not make, and no mode: %s, standard uncertainty %s, amplitude %s, "
                "standard uncertainty %s, at %s\n",
                figure_rounded(reply_number(line, "f_hz"), 7, "Hz", glyphs).text,
                figure_rounded(reply_number(line, "se_f_hz"), 2, "Hz", glyphs).text,
                figure_rounded(reply_number(line, "amplitude"), 3, unit, glyphs).text,
                figure_rounded(reply_number(line, "se_amplitude"), 2, unit, glyphs).text,
                reply_text(line, "sensor", "?"));
}

/* With the modes of which it is a sum, a difference or a harmonic. */
static void print_left_out(const json_t *line, const struct glyphs *glyphs, FILE *out)
{
    const json_t *of = json_object_get(line, "of_hz");
    size_t i;
    json_t *mode;
    fputs(figure_rounded(reply_number(line, "f_hz"), 4, "Hz", glyphs).text, out);
    json_array_foreach (of, i, mode)
        fprintf(out, "%s %s", i > 0 ? " and" : " (of", figure_rounded(json_number_value(mode), 4, "Hz", glyphs).text);
    if (json_array_size(of) > 0)
        fputc(')', out);
}

static const char *reason_of(const json_t *lines, size_t place)
{
    return reply_text(json_array_get(lines, place), "reason", "?");
}

/* Whether what was told of a line before this one told of this one, too. */
static bool is_told(const json_t *lines, size_t place)
{
    for (size_t i = 0; i < place; i++)
        if (strcmp(reason_of(lines, i), reason_of(lines, place)) == 0)
            return true;
    return false;
}

void show_lines_left_out(const json_t *lines, const struct glyphs *glyphs, FILE *out)
{
    for (size_t i = 0; i < json_array_size(lines); i++) {
        if (is_told(lines, i))
            continue;
        for (size_t k = i; k < json_array_size(lines); k++) {
            if (strcmp(reason_of(lines, i), reason_of(lines, k)) != 0)
                continue;
            fputs(k == i ? "  left out: " : ", ", out);
            print_left_out(json_array_get(lines, k), glyphs, out);
        }
        fprintf(out, ": %s\n", reason_of(lines, i));
    }
}
