/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/plot_loop.h"

#include "client/figures.h"
#include "client/phrase.h"
#include "client/reply.h"
#include "proto/quote.h"
#include "report/field.h"

#include <string.h>

/* Points of a record that a picture shows. */
enum { MOST_POINTS = 20000 };

/* Displacement or velocity and force, or angle and torque, are the first two columns. */
enum { SHOWN_COLUMNS = 2 };

void plot_loop_begin(struct plot_loop *plot)
{
    plot->figures = plot->columns = 0;
    fprintf(plot->stream, "# Record %lld. Displacement or velocity; force.\n$samples << END\n",
            (long long)reply_integer(plot->result, "id", 0));
}

static size_t columns_of(const json_t *samples)
{
    size_t columns = 1;
    for (const char *c = reply_text(samples, "columns", ""); *c; c++)
        columns += *c == ',';
    return columns;
}

/* A page may begin and end within a row. */
void plot_loop_samples(struct plot_loop *plot, const json_t *samples)
{
    size_t i;
    json_t *value;
    plot->columns = columns_of(samples);
    plot->of_velocity = strncmp(reply_text(samples, "columns", ""), "velocity", strlen("velocity")) == 0;
    json_array_foreach (json_object_get(samples, "displacement"), i, value) {
        const size_t column = plot->figures++ % plot->columns;
        if (column < SHOWN_COLUMNS)
            fprintf(plot->stream, "%.9g%c", json_number_value(value), column + 1 < SHOWN_COLUMNS ? ' ' : '\n');
    }
}

static void put_loops(const struct plot_loop *plot, const json_t *loops)
{
    size_t i;
    json_t *loop;
    fputs("$loops << END\n", plot->stream);
    json_array_foreach (loops, i, loop)
        fprintf(plot->stream, "%lld %.9g %.9g\n", (long long)reply_integer(loop, "number", 0),
                reply_number(loop, "energy"), reply_number(loop, "se_energy"));
    fputs("END\n", plot->stream);
}

/* What lists show of it stands above. */
static void put_title(const struct plot_loop *plot, const struct glyphs *glyphs)
{
    const struct unit_text force = unit_text(KIND_FORCE, reply_displacement_unit(plot->result), " ");
    const struct figure energy = reply_figure(plot->result, "energy"),
                        friction = reply_figure(plot->result, "friction");
    const struct phrase name = phrase_format("record %lld, %s: ", (long long)reply_integer(plot->result, "id", 0),
                                             reply_text(plot->result, "channel", "?"));
    fputs("set title ", plot->stream);
    if (reply_is_ok(plot->result))
        quote_gnuplot(plot->stream,
                      phrase_format("%.100s%s a loop, friction %s", name.text, figure_short(&energy, "J", glyphs).text,
                                    figure_short(&friction, force.text, glyphs).text)
                          .text);
    else
        quote_gnuplot(plot->stream,
                      phrase_format("%.100s%.140s", name.text, reply_text(plot->result, "reason", "?")).text);
    fputs(" noenhanced\n", plot->stream);
}

static void put_label(const struct plot_loop *plot, const char *axis, const char *what, const char *unit)
{
    fprintf(plot->stream, "set %slabel ", axis);
    quote_gnuplot(plot->stream, phrase_format("%s, %.40s", what, unit).text);
    fputs(" noenhanced\n", plot->stream);
}

void plot_loop_end(struct plot_loop *plot, const struct glyphs *glyphs)
{
    const char *unit = reply_displacement_unit(plot->result);
    const struct unit_text force = unit_text(KIND_FORCE, unit, " ");
    const json_t *loops = json_object_get(json_object_get(plot->result, "loop"), "loop");
    const size_t every = plot->figures / (plot->columns > 0 ? plot->columns : 1) / MOST_POINTS + 1;
    fputs("END\n", plot->stream);
    put_loops(plot, loops);
    plot_terminal_put(plot->stream, plot->terminal, 1.3);
    put_title(plot, glyphs);
    if (json_array_size(loops) > 0)
        fputs("set multiplot; set size 1, 0.65; set origin 0, 0.35\n", plot->stream);
    fputs("set key off\n", plot->stream);
    if (plot->of_velocity)
        put_label(plot, "x", "velocity", phrase_format("%s/s", unit).text);
    else
        put_label(plot, "x", "displacement", unit);
    put_label(plot, "y", "force", force.text);
    fprintf(plot->stream, "plot $samples every %zu using 1:2 with lines lw 0.6 lc rgb '#606060'\n", every);
    if (json_array_size(loops) == 0)
        return;
    fputs("unset title; set size 1, 0.35; set origin 0, 0; set xlabel 'loop'\n", plot->stream);
    put_label(plot, "y", "energy", "J");
    fputs("plot $loops using 1:2:3 with yerrorbars pt 7 ps 0.3 lc rgb '#000000'\nunset multiplot\n", plot->stream);
}
