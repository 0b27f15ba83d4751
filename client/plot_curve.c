/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/plot_curve.h"

#include "client/figures.h"
#include "client/phrase.h"
#include "client/plot_title.h"
#include "client/reply.h"
#include "identify/curve/speed_curve.h"
#include "proto/quote.h"
#include "report/field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void put_plot_label(FILE *stream, const char *axis, const char *what, const char *unit)
{
    fprintf(stream, "set %slabel ", axis);
    quote_gnuplot(stream, phrase_format("%s, %.40s", what, unit).text);
    fputs(" noenhanced\n", stream);
}

const char *plot_force_word(const char *unit)
{
    return strcmp(unit, "rad") == 0 ? "torque" : "force";
}

struct curve_place {
    double velocity, force, model, u_model;
};

static int by_velocity(const void *a, const void *b)
{
    const struct curve_place *one = a, *other = b;
    return (one->velocity > other->velocity) - (one->velocity < other->velocity);
}

/* A figure that there is none of leaves a hole. */
static void put_figure(FILE *stream, double figure)
{
    if (isfinite(figure))
        fprintf(stream, "%.9g ", figure);
    else
        fputs("NaN ", stream);
}

/* In order of velocity; an empty line keeps one way from the other. */
void put_curve_points(FILE *stream, const json_t *points)
{
    struct curve_place places[CURVE_POINTS];
    size_t count = 0, i;
    json_t *point;
    json_array_foreach (points, i, point)
        if (count < CURVE_POINTS)
            places[count++] = (struct curve_place){reply_number(point, "velocity"), reply_number(point, "force"),
                                                   reply_number(point, "model"), reply_number(point, "u_model")};
    qsort(places, count, sizeof places[0], by_velocity);
    fputs("# Velocity; force; force of the curve, and its standard uncertainty.\n$curve << END\n", stream);
    for (i = 0; i < count; i++) {
        if (i > 0 && places[i - 1].velocity < 0 && places[i].velocity >= 0)
            fputc('\n', stream);
        put_figure(stream, places[i].velocity);
        put_figure(stream, places[i].force);
        put_figure(stream, places[i].model);
        put_figure(stream, places[i].u_model);
        fputc('\n', stream);
    }
    fputs("END\n", stream);
}

/* The curve of one way and what was measured of it, which has its name, or else the curve. */
static void put_way(FILE *stream, int way, bool measured)
{
    const char *const is = way > 0 ? "$1>=0" : "$1<0", *const name = way > 0 ? "title 'forward'" : "title 'backward'";
    fprintf(stream, ", $curve using (%s?abs($1):NaN):(%d*$3) with lines lw 1.5 dt %s lc rgb '#000000' %s", is, way,
            way > 0 ? "1" : "'-'", measured ? "notitle" : name);
    if (measured)
        fprintf(stream, ", $curve using (%s?abs($1):NaN):(%d*$2) with points pt %d ps 0.6 lc rgb '#000000' %s", is, way,
                way > 0 ? 7 : 6, name);
}

/* Force against the motion over speed: so far apart as the two ways are from each other, neither their curves nor the
 * band could be seen. */
void put_curve_panel(FILE *stream, const char *unit, bool measured)
{
    const struct unit_text force = unit_text(KIND_FORCE, unit, " ");
    put_plot_label(stream, "x", "speed", phrase_format("%s/s", unit).text);
    put_plot_label(stream, "y", phrase_format("friction %s", plot_force_word(unit)).text, force.text);
    fputs("set autoscale noextend; set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05\n"
          "against(v, f) = v < 0 ? -f : f\n"
          "stats $curve using 1 nooutput\nif (STATS_min < 0 && STATS_max > 0) {\n    set key above\n}\n"
          "plot $curve using (abs($1)):(against($1,$3)-2*$4):(against($1,$3)+2*$4) with filledcurves fs solid 0.4 "
          "noborder lc rgb '#808080' notitle",
          stream);
    put_way(stream, 1, measured);
    put_way(stream, -1, measured);
    fputs("\nset key off; set autoscale\n", stream);
}

static void put_title(FILE *stream, const json_t *result, const char *of, const struct glyphs *glyphs)
{
    plot_record_title_put(stream, "set key off; set title ", result, of, glyphs);
}

void plot_curve(FILE *stream, const struct plot_terminal *terminal, const json_t *result, const char *of,
                const struct glyphs *glyphs)
{
    const char *unit = reply_displacement_unit(result);
    put_curve_points(stream, json_object_get(json_object_get(result, "curve"), "point"));
    plot_terminal_put(stream, terminal, 1);
    put_title(stream, result, of, glyphs);
    put_curve_panel(stream, unit, true);
}

void plot_response_begin(struct plot_response *plot)
{
    plot->figures = 0;
    fputs("# Response; frequency; force.\n$response << END\n", plot->stream);
}

/* A page may begin and end within a row. */
void plot_response_samples(struct plot_response *plot, const json_t *samples)
{
    size_t i;
    json_t *value;
    plot->columns = 1;
    for (const char *c = reply_text(samples, "columns", ""); *c; c++)
        plot->columns += *c == ',';
    json_array_foreach (json_object_get(samples, "displacement"), i, value)
        fprintf(plot->stream, "%.9g%c", json_number_value(value), ++plot->figures % plot->columns == 0 ? '\n' : ' ');
}

void plot_response_end(struct plot_response *plot, const struct glyphs *glyphs)
{
    const json_t *found = json_object_get(plot->result, "response");
    const char *unit = reply_displacement_unit(plot->result);
    fputs("END\n", plot->stream);
    plot_terminal_put(plot->stream, plot->terminal, 1);
    put_title(plot->stream, plot->result, plot->of, glyphs);
    put_plot_label(plot->stream, "x", "frequency", "Hz");
    put_plot_label(plot->stream, "y", plot->columns > 2 ? "response over force" : "response",
                   plot->columns > 2 ? phrase_format("%s/N", unit).text : unit);
    /* The ends of the bandwidth, where there is one. */
    for (int end = 1; end <= 2; end++) {
        const double frequency = reply_figure(found, end == 1 ? "f_1" : "f_2").value;
        if (isfinite(frequency))
            fprintf(plot->stream, "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead dt 2 lc rgb '#000000'\n",
                    frequency, frequency);
    }
    fprintf(plot->stream, "plot $response using 2:%s with linespoints pt 6 ps 0.6 lc rgb '#000000'\n",
            plot->columns > 2 ? "($1/$3)" : "1");
}
