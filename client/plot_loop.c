/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/plot_loop.h"

#include "client/contact_curve.h"
#include "client/figures.h"
#include "client/phrase.h"
#include "client/plot_curve.h"
#include "client/plot_title.h"
#include "client/reply.h"
#include "identify/loop/contact_correction.h"
#include "identify/loop/loop_parts.h"
#include "proto/quote.h"
#include "report/field.h"
#include "report/kinds/contact_task.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points of a record that a picture shows. */
enum { MOST_POINTS = 20000 };

/* Of the height of the picture, a line of its title; a title has half of one above and below. */
static const double TITLE_LINE = 0.025;

/* Displacement or velocity, force, and time are the first columns of a row. */
enum { MOTION, FORCE, TIME };

void plot_loop_begin(struct plot_loop *plot)
{
    plot->figures = plot->columns = 0;
}

void plot_loop_clear(struct plot_loop *plot)
{
    free(plot->figure);
    plot->figure = NULL;
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
    const json_t *values = json_object_get(samples, "displacement");
    const size_t total = plot->figures + json_array_size(values);
    size_t i;
    json_t *value;
    plot->columns = columns_of(samples);
    plot->of_velocity = strncmp(reply_text(samples, "columns", ""), "velocity", strlen("velocity")) == 0;
    if (total > plot->capacity) {
        double *larger = realloc(plot->figure, 2 * total * sizeof *larger);
        plot->error = larger ? plot->error : -ENOMEM;
        plot->figure = larger ? larger : plot->figure;
        plot->capacity = larger ? 2 * total : plot->capacity;
    }
    json_array_foreach (values, i, value)
        if (plot->figures < plot->capacity)
            plot->figure[plot->figures++] = json_number_value(value);
}

/* --- what happened at the contact --- */

/* The record at the contact, and what the model says of its motion. */
struct contact_record {
    double *room; /* owned */
    struct contact_correction correction;
    struct loop_parts parts; /* of the record between gaps, each with an offset and a state of its own */
    double *model;           /* its force at each sample; NAN where it is not known. In the room */
    bool has_model;          /* it is known anywhere */
};

static struct contact_settings settings_of(const json_t *result)
{
    const json_t *contact = json_object_get(json_object_get(result, "loop"), "contact");
#define SETTING(name, unit, note) .name = reply_number(contact, #name),
    return (struct contact_settings){CONTACT_SETTING_ROWS(SETTING)};
}

/* Splines want three samples at increasing times, which a record that was kept but not identified may lack. */
static bool are_motion(const double *time_s, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (!(time_s[i] > time_s[i - 1]))
            return false;
    return count >= 3;
}

static int take_samples(const struct plot_loop *plot, struct contact_record *record)
{
    const struct contact_settings settings = settings_of(plot->result);
    const size_t columns = plot->columns > TIME ? plot->columns : TIME + 1, count = plot->figures / columns;
    double *motion = record->room = calloc(5 * count + 1, sizeof *record->room);
    double *force = motion + count, *time_s = motion + 2 * count, *way = motion + 3 * count;
    if (!record->room)
        return -ENOMEM;
    record->model = motion + 4 * count;
    for (size_t i = 0; i < count; i++) {
        record->model[i] = NAN;
        motion[i] = plot->figure[i * columns + MOTION];
        force[i] = plot->figure[i * columns + FORCE];
        time_s[i] = plot->figure[i * columns + TIME];
    }
    if (!are_motion(time_s, count))
        return -ERANGE;
    struct loop_signal measured = {.time_s = time_s, .displacement = motion, .force = force, .count = count};
    if (plot->of_velocity) {
        measured.velocity = motion;
        measured.displacement = way;
    }
    int error = plot->of_velocity ? loop_displacement_of(time_s, motion, count, way) : 0;
    if (!error)
        error = loop_signal_look(&measured);
    error = error ? error : contact_correct(&settings, &settings, &measured, NULL, &record->correction);
    return error ? error : loop_parts_of(&record->correction.signal, &record->parts);
}

/* None where a part's offset, or a parameter, is not known. */
static void ask_part(const struct plot_loop *plot, size_t number, struct contact_record *record)
{
    const struct loop_part *part = &record->parts.part[number];
    const struct loop_signal signal = loop_part_signal(&record->correction.signal, part);
    const struct simulation_input input = {signal.time_s, signal.displacement, signal.force, signal.count, NAN};
    struct contact_task task;
    struct complaint complaint;
    struct simulation found;
    if (contact_task_from_json(plot->result, number + 1, &task, &complaint) != 0)
        return;
    if (simulate(&task.contact, &input, NULL, &found) == VERDICT_OK)
        for (size_t i = found.known_from; i < found.count; i++) {
            record->model[part->begin + i] = found.force[i];
            record->has_model = true;
        }
    simulation_clear(&found);
}

static void ask_model(const struct plot_loop *plot, struct contact_record *record)
{
    if (!reply_is_ok(json_object_get(json_object_get(plot->result, "loop"), "ladder")))
        return;
    for (size_t p = 0; p < record->parts.count; p++)
        ask_part(plot, p, record);
}

/* An empty line keeps gnuplot from drawing a line over a gap. */
static void put_samples(const struct plot_loop *plot, const struct contact_record *record)
{
    const struct loop_signal *signal = &record->correction.signal;
    const size_t every = signal->count / MOST_POINTS + 1;
    size_t part = 0;
    fputs("# Displacement; force; force of the model; what that leaves over.\n$samples << END\n", plot->stream);
    for (size_t i = 0; i < signal->count; i += every) {
        for (; part < record->parts.count && i >= record->parts.part[part].begin; part++)
            fputs(part > 0 ? "\n" : "", plot->stream);
        fprintf(plot->stream, "%.9g %.9g", signal->displacement[i], signal->force[i]);
        if (isfinite(record->model[i]))
            fprintf(plot->stream, " %.9g %.9g", record->model[i], signal->force[i] - record->model[i]);
        fputc('\n', plot->stream);
    }
    fputs("END\n", plot->stream);
}

/* --- the tables of the result --- */

static void put_loops(const struct plot_loop *plot, const json_t *loops)
{
    size_t i;
    json_t *loop;
    fputs("# Loop; energy, friction, each with its standard uncertainty.\n$loops << END\n", plot->stream);
    json_array_foreach (loops, i, loop)
        fprintf(plot->stream, "%lld %.9g %.9g %.9g %.9g\n", (long long)reply_integer(loop, "number", 0),
                reply_number(loop, "energy"), reply_number(loop, "se_energy"), reply_number(loop, "friction"),
                reply_number(loop, "se_friction"));
    fputs("END\n", plot->stream);
}

/* How many of them have a place in the picture: those of which both are known. */
static size_t put_elements(const struct plot_loop *plot, const json_t *elements)
{
    size_t i, known = 0;
    json_t *element;
    fputs("$elements << END\n", plot->stream);
    json_array_foreach (elements, i, element) {
        const double length = reply_number(json_object_get(element, "slip_length"), "value"),
                     force = reply_number(json_object_get(element, "slip_force"), "value");
        if (!isfinite(length) || !isfinite(force))
            continue;
        fprintf(plot->stream, "%.9g %.9g\n", length, force);
        known++;
    }
    fputs("END\n", plot->stream);
    return known;
}

/* --- the picture --- */

/* Left alone gnuplot writes more numbers below a narrow picture than there is room for: 2, 5 or 10 of a decade apart
 * there are five at most. */
static void put_apart(FILE *stream, const char *what)
{
    fprintf(stream,
            "stats %s nooutput\nquarter = (STATS_max - STATS_min) / 4\n"
            "if (quarter > 0) {\n    decade = 10**floor(log10(quarter))\n"
            "    set xtics decade * (quarter <= 2 * decade ? 2 : quarter <= 5 * decade ? 5 : 10)\n}\n",
            what);
}

/* To its left stand a name and numbers such as -1.5x10^{-9}; both panels have their frames above each other. */
enum { LOOP_MARGIN = 13 };

static void put_loop_panel(const struct plot_loop *plot, const struct contact_record *record, double width, double top)
{
    const char *unit = reply_displacement_unit(plot->result);
    const struct unit_text force = unit_text(KIND_FORCE, unit, " ");
    const bool has_model = record->has_model;
    const char *name = reply_text(json_object_get(json_object_get(plot->result, "loop"), "ladder"), "model", "model");
    put_apart(plot->stream, "$samples using 1");
    fprintf(plot->stream, "set lmargin %d; set origin 0, %g; set size %g, %g\n", LOOP_MARGIN, has_model ? 0.35 : 0.0,
            width, has_model ? top - 0.35 : top);
    put_plot_label(plot->stream, "x", strcmp(unit, "rad") == 0 ? "angle" : "displacement", unit);
    put_plot_label(plot->stream, "y", plot_force_word(unit), force.text);
    fputs("set autoscale noextend; set offsets graph 0.03, graph 0.03, graph 0.03, graph 0.03\nset key above\n"
          "plot $samples using 1:2 with lines lw 1 lc rgb '#a0a0a0' title 'measured'",
          plot->stream);
    if (has_model) {
        fputs(", $samples using 1:3 with lines lw 1.2 lc rgb '#000000' title ", plot->stream);
        quote_gnuplot(plot->stream, name);
        fputs(" noenhanced", plot->stream);
    }
    fputc('\n', plot->stream);
    if (!has_model)
        return;
    fprintf(plot->stream, "set origin 0, 0; set size %g, 0.35; set key off\n", width);
    put_plot_label(plot->stream, "y", "left over", force.text);
    fputs("plot $samples using 1:4 with dots lc rgb '#000000'\n", plot->stream);
}

/* What stands beside the loop, from above: as many panels of the same height. */
struct beside {
    bool curve, measured, elements, loops;
    double top, height; /* of the next panel, of the picture below its title */
};

static void place_next(const struct plot_loop *plot, struct beside *beside)
{
    beside->top -= beside->height;
    fprintf(plot->stream, "set origin 0.6, %g; set size 0.4, %g\n", beside->top, beside->height);
}

/* An element at an end of the axis would lie on the frame and not be seen, which leaves room for twice the length and
 * half of it. A picture of a decade has one or two of its powers alone: 2 and 5 of each are written, too. */
static void put_elements_panel(const struct plot_loop *plot)
{
    const char *unit = reply_displacement_unit(plot->result);
    const struct unit_text force = unit_text(KIND_FORCE, unit, " ");
    fputs("stats $elements using 1 nooutput\nset offsets 0, 0, graph 0.05, 0; set xtics autofreq\n"
          "set logscale x; set yrange [0:*]; set format x '10^{%T}'\n"
          "set xrange [STATS_min / 2:STATS_max * 2]\n"
          "if (STATS_max < 10 * STATS_min) {\n    set format x '%.0t·10^{%T}'\n"
          "    do for [power = floor(log10(STATS_min)) - 1:ceil(log10(STATS_max))] {\n"
          "        set xtics add (2 * 10.0**power, 5 * 10.0**power)\n    }\n}\n",
          plot->stream);
    put_plot_label(plot->stream, "x", "slip length", unit);
    put_plot_label(plot->stream, "y", phrase_format("slip %s", plot_force_word(unit)).text, force.text);
    fputs("plot $elements using 1:2 with impulses lw 2 lc rgb '#000000'\nunset logscale x; set autoscale; set "
          "format x; set xtics autofreq\n",
          plot->stream);
}

/* A figure of the loops over their numbers, from that column of theirs on. */
static void put_run_panel(const struct plot_loop *plot, const char *figure, const char *unit, int column)
{
    put_apart(plot->stream, "$loops using 1");
    fputs("if (STATS_max - STATS_min < 4) {\n    set xtics 1\n}\n"
          "set offsets 0, 0, graph 0.08, graph 0.08; set xrange [0:STATS_max + 1]\n"
          "set format y '%.9g'; set xlabel 'loop'\n",
          plot->stream);
    put_plot_label(plot->stream, "y", figure, unit);
    fprintf(plot->stream, "plot $loops using 1:%d:%d with yerrorbars pt 7 ps 0.5 lc rgb '#000000'\n", column,
            column + 1);
}

static void put_panels_beside(const struct plot_loop *plot, struct beside *beside)
{
    const char *unit = reply_displacement_unit(plot->result);
    beside->height = beside->top / (beside->curve + beside->elements + 2 * beside->loops);
    fputs("set key off; set lmargin; set rmargin 3; set tics font ',9'; set xtics autofreq\n", plot->stream);
    if (beside->curve) {
        place_next(plot, beside);
        put_apart(plot->stream, "$curve using (abs($1))");
        put_curve_panel(plot->stream, unit, beside->measured);
    }
    if (beside->elements) {
        place_next(plot, beside);
        put_elements_panel(plot);
    }
    if (beside->loops) {
        place_next(plot, beside);
        put_run_panel(plot, "energy", "J", 2);
        place_next(plot, beside);
        put_run_panel(plot, "friction", unit_text(KIND_FORCE, unit, " ").text, 4);
    }
}

static void put_picture(const struct plot_loop *plot, const struct contact_record *record, const struct glyphs *glyphs)
{
    const json_t *loop = json_object_get(plot->result, "loop");
    const json_t *points = json_object_get(json_object_get(loop, "stribeck"), "point");
    json_t *of_model = json_array_size(points) > 0 ? NULL : contact_curve_of(plot->result);
    const json_t *elements = json_object_get(json_object_get(loop, "ladder"), "elements");
    points = of_model ? of_model : points;
    struct beside beside = {.curve = json_array_size(points) > 0,
                            .measured = !of_model,
                            .loops = json_array_size(json_object_get(loop, "loop")) > 0};
    put_loops(plot, json_object_get(loop, "loop"));
    put_curve_points(plot->stream, points);
    json_decref(of_model);
    beside.elements = put_elements(plot, elements) > 0;
    const bool any = beside.curve || beside.elements || beside.loops;
    plot_terminal_put(plot->stream, plot->terminal, 1.3);
    const size_t lines = plot_record_title_put(plot->stream, "set multiplot title ", plot->result, plot->of, glyphs);
    beside.top = 1 - TITLE_LINE * (double)(lines + 1);
    put_loop_panel(plot, record, any ? 0.6 : 1, beside.top);
    if (any)
        put_panels_beside(plot, &beside);
    fputs("unset multiplot\n", plot->stream);
}

int plot_loop_end(struct plot_loop *plot, const struct glyphs *glyphs)
{
    struct contact_record record = {.room = NULL};
    fprintf(plot->stream, "# Record %lld.\n", (long long)reply_integer(plot->result, "id", 0));
    const int error = plot->error ? plot->error : take_samples(plot, &record);
    if (!error) {
        ask_model(plot, &record);
        put_samples(plot, &record);
        put_picture(plot, &record, glyphs);
    }
    contact_correction_clear(&record.correction);
    free(record.room);
    return error;
}
