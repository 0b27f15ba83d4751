/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A decay for gnuplot: with the motion of the identified figures in points where the frequency is one, and else with
 * what the extrema alone tell, their heights and their times. */

#include "client/plot_script.h"

#include "client/plot_title.h"
#include "client/reply.h"
#include "motion/half_cycle_law.h"
#include "proto/quote.h"

#include <math.h>
#include <string.h>

/* Parts of a picture's height: the record above, what is left over below it, and the frequency where it is shown. */
static const double RECORD_ALONE = 0.64, RECORD = 0.45, LEFT_OVER = 0.25;

/* More points than that cannot be told apart, but make a vector picture slow. */
enum { MOST_POINTS = 20000 };

static double value_of(const json_t *section, const char *key)
{
    return reply_figure(section, key).value;
}

/* gnuplot reads NaN as a point that is missing. */
static void put_number(FILE *stream, double value)
{
    if (isfinite(value))
        fprintf(stream, " %.12g", value);
    else
        fputs(" NaN", stream);
}

/* The extrema speak for a record that no single frequency follows. */
static bool is_by_extrema(const struct plot_script *script)
{
    return strcmp(reply_text(script->result, "recommended", ""), "extrema_fit") == 0;
}

/* And a rung beyond viscous damping and friction, with which the frequency may change from cycle to cycle. */
static bool shows_frequency(const struct plot_script *script)
{
    return is_by_extrema(script) || strcmp(reply_text(script->result, "recommended", ""), "ladder") == 0;
}

/* A swing begins three deviations of the noise beyond the bias. */
static void begin_extrema(struct plot_script *script, const json_t *section)
{
    const double noise = reply_number(json_object_get(script->result, "record"), "noise");
    script->noise = noise > 0 ? noise : 0;
    plot_extrema_begin(&script->extrema, script->motion.bias, value_of(section, "x0"), 3 * script->noise,
                       M_PI / script->motion.omega_d);
}

void plot_script_begin(struct plot_script *script, double start_s)
{
    const json_t *section = reply_recommended(script->result);
    double first_s = value_of(section, "t0");
    script->origin_s = isfinite(first_s) ? first_s : start_s;
    script->start_s = reply_number(json_object_get(script->result, "record"), "start_s") - script->origin_s;
    script->end_s = reply_number(json_object_get(script->result, "record"), "end_s") - script->origin_s;
    script->samples = script->flagged = 0;
    script->error = plot_motion_begin(&script->motion, script->result, script->end_s);
    begin_extrema(script, section);
    fprintf(script->stream, "# Decay %lld. Time from the first extremum, s; displacement; 1: clipped, 2: spike%s.\n",
            (long long)reply_integer(script->result, "id", 0), is_by_extrema(script) ? "" : "; identified motion");
    fputs("$samples << END\n", script->stream);
}

/* The motion at a sample, or its part in an extremum. */
static void put_identified(struct plot_script *script, struct plot_point sample, long long flag)
{
    const bool inside = sample.time_s <= script->end_s;
    if (!is_by_extrema(script))
        put_number(script->stream, inside ? plot_motion_at(&script->motion, sample.time_s) : NAN);
    if (shows_frequency(script) && inside && sample.time_s >= script->start_s && flag <= 1)
        plot_extrema_add(&script->extrema, sample, flag == 1);
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
        const struct plot_point sample = {time_s - script->origin_s, json_number_value(value)};
        fprintf(script->stream, "%.12g %.12g %lld", sample.time_s, sample.displacement, flag);
        put_identified(script, sample, flag);
        putc('\n', script->stream);
    }
    script->samples += json_array_size(values);
}

/* The motion in so many points as a picture shows, whatever the rate of the samples. */
static void put_motion(struct plot_script *script, const json_t *section)
{
    const double wanted = 80 * value_of(section, "f_n_hz") * script->end_s;
    const int points = (int)fmin(fmax(wanted, 1000), MOST_POINTS);
    plot_motion_restart(&script->motion);
    fputs("$motion << END\n", script->stream);
    for (int n = 0; n <= points; n++) {
        const double time_s = script->end_s * n / points;
        fprintf(script->stream, "%.12g", time_s);
        put_number(script->stream, plot_motion_at(&script->motion, time_s));
        putc('\n', script->stream);
    }
    fputs("END\n", script->stream);
}

static void put_axis(const struct plot_script *script, const char *axis, const char *name, const char *unit)
{
    fprintf(script->stream, "set %slabel ", axis);
    quote_gnuplot(script->stream, phrase_format("%s, %s", name, *unit ? unit : "1").text);
    fputs(" noenhanced\n", script->stream);
}

static void put_displacement_axis(const struct plot_script *script, const char *axis, const char *name)
{
    put_axis(script, axis, name, reply_displacement_unit(script->result));
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

/* What the picture has in common with the one below it, on one axis of time. */
static void begin_upper(const struct plot_script *script, double height)
{
    fprintf(script->stream,
            "x_k = %.17g; bias = %.17g\n"
            "set multiplot; set size 1, %g; set origin 0, %g; set bmargin 0.5; set format x ''\n"
            "set object rectangle from graph 0, first bias - x_k to graph 1, first bias + x_k behind "
            "fs solid noborder fc rgb '#f0e8d8'\n",
            script->motion.x_k, script->motion.bias, height, 1 - height);
}

/* Left alone gnuplot would write more numbers than there is room for: 1, 2 or 5 of a decade apart. */
static void put_steps(const struct plot_script *script, const char *range)
{
    fprintf(script->stream,
            "third = (%s) / 3\nif (third > 0) {\n    decade = 10**floor(log10(third))\n"
            "    set ytics decade * (third < 2 * decade ? 1 : third < 5 * decade ? 2 : 5)\n}\n",
            range);
}

/* The last of the upper picture's curves, and where the one for what is left over lies. */
static void begin_residual(const struct plot_script *script, double origin, double height, const char *of)
{
    fprintf(script->stream,
            ", \\\n     NaN with filledcurves lc rgb '#f0e8d8' title 'bias ± x_k' noenhanced\n"
            "set size 1, %g; set origin 0, %g; unset title; unset object; unset key\n"
            "set tmargin 0.5; set bmargin 3.5; set format x; set xlabel 'time from the first extremum, s'\n"
            "stats %s nooutput\n",
            height, origin, of);
    put_steps(script, "STATS_max - STATS_min");
    put_displacement_axis(script, "y", "residual");
}

/* --- by the extrema --- */

/* Time, displacement, and what the identified law has there: it tells heights, the samples tell times. */
static void put_extrema(const struct plot_script *script)
{
    const struct plot_extrema *found = &script->extrema;
    struct law_extremum law = script->motion.extremum;
    fputs("$extrema << END\n", script->stream);
    for (size_t j = 0; j < found->count && fabs(law.x) > script->motion.x_k; j++) {
        const struct plot_extremum *one = &found->extremum[j];
        fprintf(script->stream, "%.12g", one->at.time_s);
        put_number(script->stream, one->is_known ? one->at.displacement : NAN);
        put_number(script->stream, script->motion.bias + law.x);
        putc('\n', script->stream);
        law = law_next_extremum(&law, script->motion.q, script->motion.x_k);
    }
    fputs("END\n", script->stream);
}

/* What is to be seen of the frequency, beside that of the result. */
struct range {
    double f_n_hz, low, high;
    size_t cycles, windows, turns;
};

static struct range range_begun(const json_t *section)
{
    const double f_n_hz = value_of(section, "f_n_hz");
    return (struct range){.f_n_hz = f_n_hz, .low = f_n_hz, .high = f_n_hz};
}

static void widen(struct range *range, double value)
{
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

/* Crests of fewer deviations of the noise tell the frequency of one cycle worse than a hundredth. */
static const double CLEAR_CREST = 20, CLEAR_SHARE = 0.01;

/* Amplitude and natural frequency of a cycle, from the crests around a trough or the troughs around a crest. */
struct cycle {
    double amplitude, f_n_hz;
};

static struct cycle cycle_of(struct plot_point before, struct plot_point at, struct plot_point after, double zeta)
{
    return (struct cycle){fabs(2 * at.displacement - before.displacement - after.displacement) / 4,
                          1 / ((after.time_s - before.time_s) * sqrt((1 - zeta) * (1 + zeta)))};
}

static void put_cycle(const struct plot_script *script, struct cycle cycle)
{
    fprintf(script->stream, "%.12g %.12g\n", cycle.amplitude, cycle.f_n_hz);
}

/* How far noise may put the frequency of a cycle off. */
static double scatter_of(const struct plot_script *script, struct cycle cycle)
{
    return script->noise > 0 ? CLEAR_SHARE * cycle.f_n_hz * CLEAR_CREST * script->noise / cycle.amplitude : 0;
}

/* Beside windows, whose bars would vanish else, those set the scale that scatter less than what is shown already; the
 * others are drawn as far as they lie in it. */
static void put_cycles(const struct plot_script *script, double zeta, struct range *shown)
{
    const struct plot_extrema *found = &script->extrema;
    const double span = shown->windows > 0 ? shown->high - shown->low : INFINITY;
    fputs("$cycles << END\n", script->stream);
    for (size_t j = 1; j + 1 < found->count; j++) {
        const struct plot_extremum *one = &found->extremum[j];
        const struct cycle cycle = cycle_of(one[-1].at, one->at, one[1].at, zeta);
        const bool is_known = one[-1].is_known && one->is_known && one[1].is_known;
        if (!is_known || !(cycle.amplitude > CLEAR_CREST * script->noise))
            continue;
        put_cycle(script, cycle);
        if (scatter_of(script, cycle) <= span)
            widen(shown, cycle.f_n_hz);
        shown->cycles++;
    }
    fputs("END\n", script->stream);
}

/* The same of the identified motion, which says how the frequency changes; of no turns nothing is written. */
static void put_turns(const struct plot_script *script, double zeta, struct range *shown)
{
    const struct plot_point *turns = script->motion.turns;
    fputs("$turns << END\n", script->stream);
    for (size_t j = 1; j + 1 < script->motion.turn_count; j++, shown->turns++) {
        const struct cycle cycle = cycle_of(turns[j - 1], turns[j], turns[j + 1], zeta);
        put_cycle(script, cycle);
        widen(shown, cycle.f_n_hz);
    }
    fputs("END\n", script->stream);
}

/* Middle, ends, frequency and its standard uncertainty of each window of amplitude, as the result has them. */
static void put_windows(const struct plot_script *script, struct range *shown)
{
    const json_t *windows = json_object_get(json_object_get(script->result, "windows"), "window");
    size_t i;
    json_t *window;
    fputs("$windows << END\n", script->stream);
    json_array_foreach (windows, i, window) {
        const double largest = reply_number(window, "largest"), smallest = reply_number(window, "smallest");
        const struct figure f_n_hz = reply_figure(window, "f_n_hz");
        if (!reply_is_ok(window) || isnan(f_n_hz.value) || isnan(f_n_hz.se))
            continue;
        fprintf(script->stream, "%.12g %.12g %.12g %.12g %.12g\n", (smallest + largest) / 2, smallest, largest,
                f_n_hz.value, f_n_hz.se);
        widen(shown, f_n_hz.value - f_n_hz.se);
        widen(shown, f_n_hz.value + f_n_hz.se);
        shown->windows++;
    }
    fputs("END\n", script->stream);
}

static void put_frequency_data(const struct plot_script *script, const json_t *section, struct range *shown)
{
    const double zeta = value_of(section, "zeta"), damping = isfinite(zeta) ? zeta : 0;
    put_turns(script, damping, shown);
    put_windows(script, shown);
    put_cycles(script, damping, shown);
}

/* One number of it says little here. */
static void put_frequencies(const struct plot_script *script, double height, const struct range *shown)
{
    const double margin = fmax(0.1 * (shown->high - shown->low), 1e-6 * shown->f_n_hz);
    fprintf(script->stream,
            "set size 1, %g; set origin 0, 0; set tmargin -1; set key tmargin center horizontal samplen 2\n"
            "set xrange [0:*]; low = %.12g; high = %.12g; set yrange [low:high]\n",
            height, shown->low - margin, shown->high + margin);
    put_steps(script, "high - low");
    put_displacement_axis(script, "x", "amplitude");
    put_axis(script, "y", "f_n", "Hz");
    if (shown->turns > 0)
        fputs("plot $turns using 1:2 with lines ls 2 title 'identified motion'", script->stream);
    else
        fprintf(script->stream, "plot %.12g with lines ls 2 title 'f_n as above' noenhanced", shown->f_n_hz);
    if (shown->cycles > 0)
        fputs(", \\\n     $cycles using 1:2 with points ls 4 title 'cycles'", script->stream);
    if (shown->windows > 0)
        fputs(", \\\n     $windows using 1:4:2:3:($4 - $5):($4 + $5) with xyerrorbars ls 5 title 'windows'",
              script->stream);
    putc('\n', script->stream);
}

/* Above the samples and the motion, below what it leaves over. */
static void put_motion_picture(struct plot_script *script, const json_t *section, size_t every)
{
    const bool frequency = shows_frequency(script);
    const double height = frequency ? RECORD : RECORD_ALONE, left_over = frequency ? LEFT_OVER : 1 - RECORD_ALONE;
    struct range shown = range_begun(section);
    put_motion(script, section);
    if (frequency)
        put_frequency_data(script, section, &shown);
    begin_upper(script, height);
    put_samples(script, every);
    fputs(", \\\n     $motion using 1:2 with lines ls 2 title 'identified motion'", script->stream);
    begin_residual(script, 1 - height - left_over, left_over, "$samples using ($3 == 0 ? $2 - $4 : NaN)");
    fprintf(script->stream, "plot 0 ls 2, $samples every %zu using 1:($3 == 0 ? $2 - $4 : NaN) with points ls 1\n",
            every);
    if (frequency)
        put_frequencies(script, 1 - height - left_over, &shown);
    fputs("unset multiplot\n", script->stream);
}

/* Samples, extrema and the heights that the law gives them; what that leaves of the extrema; and the frequency against
 * the amplitude. */
static void put_envelope_picture(const struct plot_script *script, const json_t *section, size_t every)
{
    struct range shown = range_begun(section);
    put_extrema(script);
    put_frequency_data(script, section, &shown);
    begin_upper(script, RECORD);
    put_samples(script, every);
    fputs(", \\\n     $extrema using 1:2 with points ls 4 title 'extrema', \\\n"
          "     $extrema every 2::0 using 1:3 with lines ls 2 title 'envelope', \\\n"
          "     $extrema every 2::1 using 1:3 with lines ls 2 notitle",
          script->stream);
    begin_residual(script, 1 - RECORD - LEFT_OVER, LEFT_OVER, "$extrema using ($2 - $3)");
    fputs("plot 0 ls 2, $extrema using 1:($2 - $3) with points ls 4\n", script->stream);
    put_frequencies(script, 1 - RECORD - LEFT_OVER, &shown);
    fputs("unset multiplot\n", script->stream);
}

/* Three pictures above each other want more room than two. */
void plot_terminal_put(FILE *stream, const struct plot_terminal *terminal, double taller)
{
    if (terminal)
        fprintf(stream, "set terminal %s size %g%s,%g%s %s\n", terminal->name, terminal->width, terminal->unit,
                taller * terminal->height, terminal->unit, terminal->options);
}

static void put_terminal(const struct plot_script *script)
{
    plot_terminal_put(script->stream, script->terminal, shows_frequency(script) ? 1.3 : 1);
}

int plot_script_end(struct plot_script *script, const struct glyphs *glyphs)
{
    const json_t *section = reply_recommended(script->result);
    const char *quantity = reply_text(json_object_get(script->result, "record"), "quantity", "displacement");
    size_t every = script->samples > MOST_POINTS ? (script->samples + MOST_POINTS - 1) / MOST_POINTS : 1;
    fputs("END\nset encoding utf8\n", script->stream);
    put_terminal(script);
    fputs("set style line 1 pt 7 ps 0.3 lc rgb '#808080'; set style line 2 lw 1.5 lc rgb '#0050a0'\n"
          "set style line 3 pt 2 ps 0.8 lc rgb '#c00000'; set style line 4 pt 6 ps 0.6 lc rgb '#000000'\n"
          "set style line 5 pt 7 ps 0.6 lw 1.5 lc rgb '#000000'\n"
          "set lmargin 14; set rmargin 3; set key tmargin center horizontal samplen 2\n"
          "stats $samples using 1 nooutput; set xrange [STATS_min:STATS_max]\n",
          script->stream);
    plot_title_put(script->stream, script->result, script->of, glyphs);
    put_displacement_axis(script, "y", quantity);
    const int error = plot_extrema_end(&script->extrema);
    if (!isfinite(value_of(section, "x0")) || !isfinite(value_of(section, "f_n_hz")) || !isfinite(script->end_s))
        put_raw_picture(script, every);
    else if (is_by_extrema(script))
        put_envelope_picture(script, section, every);
    else
        put_motion_picture(script, section, every);
    return error ? error : script->error;
}

void plot_script_clear(struct plot_script *script)
{
    plot_motion_clear(&script->motion);
    plot_extrema_clear(&script->extrema);
}
