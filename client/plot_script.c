/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A decay for gnuplot, with the motion of the identified figures in points. */

#include "client/plot_script.h"

#include "client/describe.h"
#include "client/labels.h"
#include "client/reply.h"
#include "client/show_judgement.h"
#include "motion/half_cycle_law.h"
#include "proto/quote.h"

#include <math.h>

/* More points than that cannot be told apart, but make a vector picture slow. */
enum { MOST_POINTS = 20000 };

static double value_of(const json_t *section, const char *key)
{
    return reply_figure(section, key).value;
}

/* The identified motion from the first extremum on; f_n NAN: there is none. */
static struct plot_motion motion_of(const json_t *section)
{
    const double zeta = value_of(section, "zeta"), x0 = value_of(section, "x0"), beta = law_beta(zeta);
    return (struct plot_motion){.omega_d = 2 * M_PI * value_of(section, "f_n_hz") * sqrt((1 - zeta) * (1 + zeta)),
                                .beta = beta,
                                .q = law_q(beta),
                                .x_k = value_of(section, "x_k"),
                                .bias = value_of(section, "bias"),
                                .extremum = {.sigma = x0 < 0 ? -1 : 1, .x = x0, .per_x0 = 1}};
}

/* Displacement at a time, not before the last one; NAN before the first extremum. The mass rests where |X_j| <= x_k. */
static double motion_at(struct plot_motion *motion, double time_s)
{
    const struct law_extremum *extremum = &motion->extremum;
    double theta = motion->omega_d * time_s - motion->half_cycles * M_PI;
    if (!(time_s >= 0))
        return NAN;
    for (; theta >= M_PI && fabs(extremum->x) > motion->x_k; theta -= M_PI, motion->half_cycles++)
        motion->extremum = law_next_extremum(extremum, motion->q, motion->x_k);
    if (!(fabs(extremum->x) > motion->x_k))
        return motion->bias + extremum->x;
    const double level = extremum->sigma * motion->x_k;
    return motion->bias + level + (extremum->x - level) * law_bases_at(motion->beta, theta).g;
}

/* gnuplot reads NaN as a point that is missing. */
static void put_number(FILE *stream, double value)
{
    if (isfinite(value))
        fprintf(stream, " %.12g", value);
    else
        fputs(" NaN", stream);
}

void plot_script_begin(struct plot_script *script, double start_s)
{
    const json_t *section = reply_recommended(script->result);
    double first_s = value_of(section, "t0");
    script->origin_s = isfinite(first_s) ? first_s : start_s;
    script->end_s = reply_number(json_object_get(script->result, "record"), "end_s") - script->origin_s;
    script->samples = script->flagged = 0;
    script->motion = motion_of(section);
    fprintf(script->stream,
            "# Decay %lld. Time from the first extremum, s; displacement; 1: clipped, 2: spike; identified motion.\n",
            (long long)reply_integer(script->result, "id", 0));
    fputs("$samples << END\n", script->stream);
}

void plot_script_samples(struct plot_script *script, const json_t *samples)
{
    const json_t *values = json_object_get(samples, "displacement"), *times = json_object_get(samples, "time_s");
    const json_t *flags = json_object_get(samples, "flags"), *value;
    double start_s = reply_number(samples, "start_s"), period_s = reply_number(samples, "period_s");
    double offset = (double)reply_integer(samples, "offset", 0);
    size_t i;
    json_array_foreach (values, i, value) {
        double time_s = json_is_array(times) ? json_number_value(json_array_get(times, i))
                                             : start_s + (offset + (double)i) * period_s;
        long long flag = json_integer_value(json_array_get(flags, i));
        script->flagged += flag != 0;
        time_s -= script->origin_s;
        fprintf(script->stream, "%.12g %.12g %lld", time_s, json_number_value(value), flag);
        put_number(script->stream, time_s <= script->end_s ? motion_at(&script->motion, time_s) : NAN);
        putc('\n', script->stream);
    }
    script->samples += json_array_size(values);
}

/* The motion in so many points as a picture shows, whatever the rate of the samples. */
static void put_motion(const struct plot_script *script, const json_t *section)
{
    const double wanted = 80 * value_of(section, "f_n_hz") * script->end_s;
    const int points = (int)fmin(fmax(wanted, 1000), MOST_POINTS);
    struct plot_motion motion = motion_of(section);
    fputs("$motion << END\n", script->stream);
    for (int n = 0; n <= points; n++) {
        const double time_s = script->end_s * n / points;
        fprintf(script->stream, "%.12g", time_s);
        put_number(script->stream, motion_at(&motion, time_s));
        putc('\n', script->stream);
    }
    fprintf(script->stream, "END\nx_k = %.17g; bias = %.17g\n", motion.x_k, motion.bias);
}

static void put_title(const struct plot_script *script)
{
    const json_t *result = script->result;
    struct phrase title =
        phrase_format("decay %lld, rig %s, channel %s, %s, released %s", (long long)reply_integer(result, "id", 0),
                      reply_text(result, "rig", "?"), reply_text(result, "channel", "?"),
                      describe_source_kind(json_object_get(result, "source")),
                      describe_moment(reply_text(result, "released_at", "?")).text);
    fputs("set title ", script->stream);
    quote_gnuplot(script->stream, title.text);
    fputs(" noenhanced\n", script->stream);
}

static void put_label(const struct plot_script *script, const char *text, double height)
{
    fputs("set label ", script->stream);
    quote_gnuplot(script->stream, text);
    fprintf(script->stream, " at graph 0.98, graph %.2f right noenhanced\n", height);
}

/* The figures, one below the other in the corner that a decay leaves free; without an estimate why there is none. */
static void put_figures(const struct plot_script *script, const json_t *section, const struct glyphs *glyphs)
{
    const struct section *table = recommended_table(script->result);
    struct field_cursor cursor = {0};
    double height = 0.94;
    for (; table && next_headline(table, section, &cursor); height -= 0.07) {
        const struct labelled field = labelled_field(&cursor.field, reply_displacement_unit(script->result), glyphs);
        const struct figure figure = judgement_figure(script->result, section, field.name);
        put_label(script,
                  phrase_format("%s = %s", field.label, figure_short(&figure, field.unit.text, glyphs).text).text,
                  height);
    }
    if (!table)
        put_label(script, reply_text(script->result, "verdict", "no verdict"), height);
}

static void put_axis(const struct plot_script *script, const char *name)
{
    const char *unit = reply_displacement_unit(script->result);
    fputs("set ylabel ", script->stream);
    quote_gnuplot(script->stream, phrase_format("%s, %s", name, *unit ? unit : "1").text);
    fputs(" noenhanced\n", script->stream);
}

/* The samples of the upper picture; the line is not ended. */
static void put_samples(const struct plot_script *script, size_t every)
{
    fprintf(script->stream, "plot $samples every %zu using 1:2 with points ls 1 title '", every);
    if (every > 1)
        fprintf(script->stream, "one sample in %zu'", every);
    else
        fputs("samples'", script->stream);
    if (script->flagged > 0)
        fputs(", \\\n     $samples using 1:($3 > 0 ? $2 : NaN) with points ls 3 title 'clipped, or a spike'",
              script->stream);
}

static void put_raw_picture(const struct plot_script *script, size_t every)
{
    fputs("set xlabel 'time from the first sample, s'\n", script->stream);
    put_samples(script, every);
    putc('\n', script->stream);
}

/* Above the samples and the motion, below what it leaves over, on one axis of time. */
static void put_two_pictures(const struct plot_script *script, const json_t *section, size_t every)
{
    put_motion(script, section);
    fputs("set multiplot; set size 1, 0.64; set origin 0, 0.36; set bmargin 0.5; set format x ''\n"
          "set object rectangle from graph 0, first bias - x_k to graph 1, first bias + x_k behind "
          "fs solid noborder fc rgb '#f0e8d8'\n",
          script->stream);
    put_samples(script, every);
    fputs(", \\\n     $motion using 1:2 with lines ls 2 title 'identified motion', \\\n"
          "     NaN with filledcurves lc rgb '#f0e8d8' title 'within x_k of the bias' noenhanced\n"
          "set size 1, 0.36; set origin 0, 0; unset title; unset label; set xlabel 'time from the first extremum, s'\n"
          "set tmargin 0.5; set bmargin 3.5; set format x; unset object\n",
          script->stream);
    put_axis(script, "residual");
    /* Left alone gnuplot would write more numbers than there is room for: 1, 2 or 5 of a decade apart. */
    fputs("residual(x, flag, motion) = flag == 0 ? x - motion : NaN\n"
          "stats $samples using (residual($2, $3, $4)) nooutput; third = (STATS_max - STATS_min) / 3\n"
          "if (third > 0) {\n    decade = 10**floor(log10(third))\n"
          "    set ytics decade * (third < 2 * decade ? 1 : third < 5 * decade ? 2 : 5)\n}\n",
          script->stream);
    fprintf(script->stream,
            "plot 0 ls 2 notitle, $samples every %zu using 1:(residual($2, $3, $4)) with points ls 1 notitle\n"
            "unset multiplot\n",
            every);
}

void plot_script_end(struct plot_script *script, const struct glyphs *glyphs)
{
    const json_t *section = reply_recommended(script->result);
    size_t every = script->samples > MOST_POINTS ? (script->samples + MOST_POINTS - 1) / MOST_POINTS : 1;
    fputs("END\nset encoding utf8\n", script->stream);
    if (script->terminal)
        fprintf(script->stream, "set terminal %s\n", script->terminal);
    fputs("set style line 1 pt 7 ps 0.3 lc rgb '#808080'; set style line 2 lw 1 lc rgb '#0050a0'\n"
          "set style line 3 pt 2 ps 0.8 lc rgb '#c00000'; set lmargin 14; set rmargin 3; set key right bottom\n"
          "stats $samples using 1 nooutput; set xrange [STATS_min:STATS_max]\n",
          script->stream);
    put_title(script);
    put_figures(script, section, glyphs);
    put_axis(script, "displacement");
    if (isfinite(value_of(section, "x0")) && isfinite(value_of(section, "f_n_hz")) && isfinite(script->end_s))
        put_two_pictures(script, section, every);
    else
        put_raw_picture(script, every);
}
