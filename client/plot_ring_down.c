/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/plot_ring_down.h"

#include "client/describe.h"
#include "client/figures.h"
#include "client/phrase.h"
#include "client/plot_title.h"
#include "client/reply.h"
#include "proto/quote.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Modes that can be told apart on one picture, also in grey, and points of a record that it shows. */
enum { MODES_SHOWN = 5, MOST_POINTS = 20000 };

/* Of the picture: the panels against the amplitude, below, with their legend; record and model of the strongest mode,
 * above them. */
static const double PANEL_HEIGHT = 0.38, MODEL_HEIGHT = 0.28, LEGEND_HEIGHT = 0.03;

void plot_ring_down_begin(struct plot_ring_down *plot)
{
    plot->samples = 0;
    fprintf(plot->stream, "# Record %lld. Time, s; sample.\n$samples << END\n",
            (long long)reply_integer(plot->result, "id", 0));
}

/* Which of the sensors is drawn, whose figures stand one after the other: the reference of the first mode. And how many
 * they are. */
static size_t sensor_drawn(const struct plot_ring_down *plot, const char *columns, size_t *count)
{
    const json_t *modes = json_object_get(json_object_get(plot->result, "ring_down"), "modes");
    const char *wanted = reply_text(json_array_get(modes, 0), "reference", "");
    size_t drawn = 0;
    *count = 0;
    for (const char *name = columns; name; (*count)++) {
        const char *comma = strchr(name, ',');
        const size_t length = comma ? (size_t)(comma - name) : strlen(name);
        if (strlen(wanted) == length && strncmp(name, wanted, length) == 0)
            drawn = *count;
        name = comma ? comma + 1 : NULL;
    }
    return drawn;
}

void plot_ring_down_samples(struct plot_ring_down *plot, const json_t *samples)
{
    size_t sensors = 1;
    const size_t drawn = sensor_drawn(plot, reply_text(samples, "columns", ""), &sensors);
    plot->sensors = sensors;
    const json_t *values = json_object_get(samples, "displacement"), *times = json_object_get(samples, "time_s");
    const double start_s = reply_number(samples, "start_s"), period_s = reply_number(samples, "period_s");
    const size_t offset = (size_t)reply_integer(samples, "offset", 0);
    size_t i;
    json_t *value;
    json_array_foreach (values, i, value) {
        const size_t at = offset + i;
        if (at % sensors != drawn)
            continue;
        const double time_s = json_is_array(times) ? json_number_value(json_array_get(times, i))
                                                   : start_s + (double)(at / sensors) * period_s;
        fprintf(plot->stream, "%.12g %.9g\n", time_s, json_number_value(value));
        plot->samples++;
    }
}

/* The first acceleration of a mode, by which the strongest are shown; one without a curve has none. */
static double strength_of(const json_t *mode)
{
    const json_t *first = json_array_get(reply_mode_curve(mode), 0);
    return first ? reply_number(first, "amplitude") * pow(reply_number(first, "omega"), 2) : 0;
}

static double frequency_of(const json_t *mode)
{
    const json_t *points = reply_mode_curve(mode);
    return reply_number(json_array_get(points, json_array_size(points) - 1), "omega") / (2 * M_PI);
}

static int stronger_first(const void *first, const void *second)
{
    const double a = strength_of(*(const json_t *const *)first), b = strength_of(*(const json_t *const *)second);
    return (a < b) - (a > b);
}

/* The strongest modes; how many. */
static size_t choose(const json_t *modes, const json_t *chosen[MODES_SHOWN])
{
    const size_t all = json_array_size(modes);
    const json_t **sorted = calloc(all + 1, sizeof *sorted);
    size_t count = 0;
    for (size_t i = 0; sorted && i < all; i++)
        sorted[i] = json_array_get(modes, i);
    if (sorted)
        qsort(sorted, all, sizeof *sorted, stronger_first);
    while (sorted && count < all && count < MODES_SHOWN && strength_of(sorted[count]) > 0) {
        chosen[count] = sorted[count];
        count++;
    }
    free(sorted);
    return count;
}

/* What the pictures show of a point, a panel each: frequency over that at the smallest amplitude, less 1, in %; damping
 * ratio in %; loss; each with both ends of its band, and of the one that it has if the whole joint slips. */
enum { LOSS = 2, PANELS, SIDES = 5 };
static void panel_values(const json_t *point, double f_hz, int panel, double values[SIDES])
{
    static const char *const names[PANELS][3] = {{"omega", "se_omega", "slip_omega"},
                                                 {"zeta", "se_zeta", "slip_zeta"},
                                                 {"dissipation", "se_dissipation", "slip_dissipation"}};
    const double scale[PANELS] = {100 / (2 * M_PI * f_hz), 100, 1}, less[PANELS] = {100, 0, 0};
    const double value = reply_number(point, names[panel][0]), se = reply_number(point, names[panel][1]);
    const double slip = reply_number(point, names[panel][2]), reach = 1.96 * se;
    const double farther = slip > 0 ? 1.96 * hypot(se, slip) : NAN;
    const double from[SIDES] = {0, -reach, reach, -farther, farther};
    for (int side = 0; side < SIDES; side++)
        values[side] = scale[panel] * (value + from[side]) - less[panel];
}

/* The amplitude, and what the panels show at it. */
static void put_curve(FILE *stream, const json_t *mode, size_t place)
{
    const json_t *points = reply_mode_curve(mode), *point;
    const double f_hz = frequency_of(mode);
    size_t i;
    fprintf(stream, "$mode%zu << END\n", place);
    json_array_foreach ((json_t *)points, i, point) {
        fprintf(stream, "%.9g", reply_number(point, "amplitude"));
        for (int panel = 0; panel < PANELS; panel++) {
            double values[SIDES];
            panel_values(point, f_hz, panel, values);
            for (int side = 0; side < SIDES; side++)
                fprintf(stream, " %.12g", values[side]);
        }
        putc('\n', stream);
    }
    fputs("END\n", stream);
}

/* At the largest amplitude, if anywhere. */
static bool may_slip(const json_t *mode)
{
    return reply_number(json_array_get(reply_mode_curve(mode), 0), "slip_zeta") > 0;
}

/* The same without bands, as others get it. */
static void put_hilbert(FILE *stream, const json_t *mode, size_t place)
{
    const json_t *points = json_object_get(json_object_get(mode, "hilbert"), "backbone"), *point;
    const double f_hz = frequency_of(mode);
    size_t i;
    fprintf(stream, "$hilbert%zu << END\n", place);
    json_array_foreach ((json_t *)points, i, point)
        fprintf(stream, "%.9g %.12g %.9g %.9g\n", reply_number(point, "amplitude"),
                100 * (reply_number(point, "omega") / (2 * M_PI * f_hz) - 1), 100 * reply_number(point, "zeta"),
                reply_number(point, "dissipation"));
    fputs("END\n", stream);
}

static bool has_hilbert(const json_t *mode)
{
    return json_array_size(json_object_get(json_object_get(mode, "hilbert"), "backbone")) > 0;
}

static const json_t *simulation_of(const json_t *mode)
{
    const json_t *simulation = json_object_get(mode, "simulation");
    return json_array_size(json_object_get(simulation, "course")) > 0 ? simulation : NULL;
}

/* Rows of those fields of a list. */
static void put_rows(FILE *stream, const json_t *list, const char *const names[], size_t count)
{
    size_t i;
    const json_t *row;
    json_array_foreach ((json_t *)list, i, row) {
        for (size_t k = 0; k < count; k++)
            fprintf(stream, "%s%.9g", k > 0 ? " " : "", reply_number(row, names[k]));
        putc('\n', stream);
    }
}

static void put_simulation(FILE *stream, const json_t *simulation)
{
    static const char *const of_course[] = {"time_s", "record", "model", "residual"};
    static const char *const of_spectrum[] = {"f_hz", "record", "model"};
    const json_t *spectra = json_object_get(simulation, "spectra"), *spectrum;
    size_t i;
    fputs("$course << END\n", stream);
    put_rows(stream, json_object_get(simulation, "course"), of_course, 4);
    fputs("END\n$spectra << END\n", stream);
    json_array_foreach ((json_t *)spectra, i, spectrum) {
        put_rows(stream, json_object_get(spectrum, "points"), of_spectrum, 3);
        putc('\n', stream);
    }
    fputs("END\n", stream);
}

/* Record and model of the strongest mode over time, and their spectra, each with more of the early time zeroed. */
static void put_model(FILE *stream, const json_t *mode)
{
    static const char *const record = "with lines lw 3 lc rgb '#b0b0b0' title 'record'";
    static const char *const model = "with lines lw 1.2 dt 2 lc rgb '#000000' title 'model'";
    fprintf(stream,
            "set size 0.5, %g; set origin 0, %g; unset title; set autoscale xfix; "
            "set key above center horizontal maxrows 1 samplen 2; set ylabel ",
            MODEL_HEIGHT, PANEL_HEIGHT);
    quote_gnuplot(stream, phrase_format("%.4g Hz, of the first crest", frequency_of(mode)).text);
    fprintf(stream,
            " noenhanced\nset logscale y; set format y '10^{%%L}'; set xlabel 'time since the first sample used, s'\n"
            "plot $course using 1:2 %s, \\\n     $course using 1:3 %s, \\\n"
            "     $course using 1:4 with lines lw 1 dt 3 lc rgb '#404040' title 'residual'\n",
            record, model);
    fprintf(stream,
            "set origin 0.5, %g; set xlabel 'frequency, Hz'; set ylabel 'spectra, early time zeroed'\n"
            "plot $spectra using 1:2 %s, \\\n     $spectra using 1:3 %s\n"
            "unset logscale y; set format y '%%g'; set autoscale xy; set key off\n",
            PANEL_HEIGHT, record, model);
}

/* The curves and their bands set the scale: points of others beyond it are not drawn. */
static void put_scale(FILE *stream, const json_t *const *modes, size_t count, int panel)
{
    const double margin = 0.05;
    double least = INFINITY, most = -INFINITY;
    for (size_t r = 0; r < count; r++) {
        const json_t *points = reply_mode_curve(modes[r]), *point;
        size_t i;
        json_array_foreach ((json_t *)points, i, point) {
            double values[SIDES];
            panel_values(point, frequency_of(modes[r]), panel, values);
            /* The loss is drawn over decades. */
            for (int side = 0; side < SIDES; side++)
                least = fmin(least, panel == LOSS && !(values[side] > 0) ? values[0] : values[side]);
            most = fmax(most, fmax(values[2], values[4]));
        }
    }
    if (panel == LOSS && least > 0)
        fprintf(stream, "set yrange [%.9g:%.9g]\n", least / (1 + margin), most * (1 + margin));
    else if (panel != LOSS && most > least)
        fprintf(stream, "set yrange [%.9g:%.9g]\n", least - margin * (most - least), most + margin * (most - least));
}

/* One of the three pictures against the amplitude, by its place among them. No band hides a line. */
static void put_panel(FILE *stream, const json_t *const *modes, size_t count, int panel, const char *label)
{
    const int column = 2 + SIDES * panel;
    fprintf(stream, "set size 0.333, %g; set origin %g, 0\nset ylabel ", PANEL_HEIGHT - LEGEND_HEIGHT, panel / 3.0);
    quote_gnuplot(stream, label);
    fputs(" noenhanced\n", stream);
    put_scale(stream, modes, count, panel);
    fputs("plot ", stream);
    for (size_t r = 0; r < count; r++)
        fprintf(stream, "%s$mode%zu using 1:%d:%d with filledcurves fc rgb '#c8c8c8' fs transparent solid 0.6",
                r > 0 ? ", \\\n     " : "", r, column + 1, column + 2);
    for (size_t r = 0; r < count; r++)
        fprintf(stream, ", \\\n     $mode%zu using 1:%d with lines lw 1.5 dt %zu lc rgb '#000000'", r, column, r + 1);
    for (size_t r = 0; r < count; r++)
        if (may_slip(modes[r]))
            for (int side = 3; side < SIDES; side++)
                fprintf(stream, ", \\\n     $mode%zu using 1:%d with lines lw 1 dt 3 lc rgb '#606060'", r,
                        column + side);
    for (size_t r = 0; r < count; r++)
        if (has_hilbert(modes[r]))
            fprintf(stream, ", \\\n     $hilbert%zu using 1:%d with points pt 2 ps 0.7 lc rgb '#404040'", r, 2 + panel);
    putc('\n', stream);
}

/* Of the amplitudes that the modes have been seen at. */
static double decades_of(const json_t *const *modes, size_t count)
{
    double least = INFINITY, most = 0;
    for (size_t r = 0; r < count; r++) {
        const json_t *points = reply_mode_curve(modes[r]), *point;
        size_t i;
        json_array_foreach ((json_t *)points, i, point) {
            least = fmin(least, reply_number(point, "amplitude"));
            most = fmax(most, reply_number(point, "amplitude"));
        }
    }
    return most > least ? log10(most / least) : 0;
}

/* A third of a picture has room for so many numbers. */
static void put_amplitude_axis(FILE *stream, const json_t *const *modes, size_t count, const char *unit)
{
    enum { NUMBERS = 4 };
    const double apart = fmax(ceil(decades_of(modes, count) / NUMBERS), 1);
    fprintf(stream, "unset title; set logscale x; set format x '10^{%%L}'; set xtics 1e%.0f; set xlabel ", apart);
    quote_gnuplot(stream, phrase_format("amplitude, %s", unit).text);
    fputs(" noenhanced\n", stream);
}

static void put_title(const struct plot_ring_down *plot)
{
    const json_t *result = plot->result;
    const struct glyphs *glyphs = glyphs_for(true);
    const struct figure f_n = reply_figure(result, "f_n_hz");
    if (!reply_is_ok(result)) {
        plot_record_title_put(plot->stream, "set title ", result, plot->of, glyphs);
        return;
    }
    const struct phrase found = phrase_format("ring-down, f_n %s%s", figure_short(&f_n, "Hz", glyphs).text,
                                              describe_main_amplitude(result, glyphs).text);
    fputs("set title ", plot->stream);
    quote_gnuplot(plot->stream, phrase_format("%s: %s", plot_record_name(result, plot->of).text,
                                              isfinite(f_n.value) ? found.text : "ring-down")
                                    .text);
    fputs(" noenhanced\n", plot->stream);
}

/* "acceleration of tip, m/s^2" */
static struct phrase measured_label(const struct plot_ring_down *plot)
{
    static const struct {
        const char *measured, *per;
    } units[] = {{"acceleration", "/s^2"}, {"velocity", "/s"}, {"displacement", ""}};
    const json_t *ring_down = json_object_get(plot->result, "ring_down");
    const char *measured = reply_text(ring_down, "measured", "signal"), *unit = reply_displacement_unit(plot->result);
    const char *drawn = reply_text(json_array_get(json_object_get(ring_down, "modes"), 0), "reference", "");
    const bool named = plot->sensors > 1 && *drawn;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(units[i].measured, measured) == 0)
            return phrase_format("%s%s%s, %s%s", measured, named ? " of " : "", named ? drawn : "", unit, units[i].per);
    return phrase_format("%s, as measured", measured);
}

/* The legend is of the lines of the panels, and stands above them. */
static void put_record(const struct plot_ring_down *plot, const json_t *const *modes, size_t count)
{
    const double below = PANEL_HEIGHT + (count > 0 && simulation_of(modes[0]) ? MODEL_HEIGHT : 0);
    const size_t every = plot->samples / MOST_POINTS + 1;
    if (count > 0)
        fprintf(plot->stream, "set multiplot; set size 1, %g; set origin 0, %g\n", 1 - below, below);
    fprintf(plot->stream,
            "set key at screen 0.5, screen %g center horizontal maxrows 1 samplen 3\n"
            "set xlabel 'time, s'; set ylabel ",
            PANEL_HEIGHT - LEGEND_HEIGHT / 2);
    quote_gnuplot(plot->stream, measured_label(plot).text);
    fprintf(plot->stream,
            " noenhanced\nset autoscale xfix\n"
            "plot $samples every %zu using 1:2 with lines lw 0.6 lc rgb '#606060' notitle",
            every);
    for (size_t r = 0; r < count; r++)
        fprintf(plot->stream, ", \\\n     NaN with lines lw 1.5 dt %zu lc rgb '#000000' title '%.5g Hz'", r + 1,
                frequency_of(modes[r]));
    if (count > 0 && may_slip(modes[0]))
        fputs(", \\\n     NaN with lines lw 1 dt 3 lc rgb '#606060' title 'if the whole joint slips'", plot->stream);
    if (count > 0 && has_hilbert(modes[0]))
        fputs(", \\\n     NaN with points pt 2 ps 0.7 lc rgb '#404040' title 'Hilbert'", plot->stream);
    fputs("\nset autoscale x; set key off\n", plot->stream);
}

void plot_ring_down_end(struct plot_ring_down *plot)
{
    static const char *const labels[3] = {"frequency, % from the smallest amplitude", "damping ratio, %", NULL};
    const json_t *chosen[MODES_SHOWN];
    const char *unit = reply_displacement_unit(plot->result);
    const size_t count = choose(json_object_get(json_object_get(plot->result, "ring_down"), "modes"), chosen);
    fputs("END\n", plot->stream);
    for (size_t r = 0; r < count; r++)
        put_curve(plot->stream, chosen[r], r);
    for (size_t r = 0; r < count; r++)
        put_hilbert(plot->stream, chosen[r], r);
    const json_t *simulation = count > 0 ? simulation_of(chosen[0]) : NULL;
    if (simulation)
        put_simulation(plot->stream, simulation);
    plot_terminal_put(plot->stream, plot->terminal, simulation ? 1.8 : 1.3);
    put_title(plot);
    put_record(plot, chosen, count);
    if (count == 0)
        return;
    if (simulation)
        put_model(plot->stream, chosen[0]);
    put_amplitude_axis(plot->stream, chosen, count, unit);
    for (int k = 0; k < 3; k++) {
        const struct phrase loss = phrase_format("loss a cycle, %s^2/s^2", unit);
        if (k == 2)
            fputs("set logscale y; set format y '10^{%L}'\n", plot->stream);
        put_panel(plot->stream, chosen, count, k, labels[k] ? labels[k] : loss.text);
    }
    fputs("unset multiplot\n", plot->stream);
}
