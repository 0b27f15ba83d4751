/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The modes of a structure that was hit, as tables. */

#include "client/show_ring_down.h"

#include "client/figures.h"
#include "client/reply.h"
#include "client/show_lines.h"
#include "client/show_modal_joint.h"
#include "client/table.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* So many amplitudes of a backbone are shown: about two a decade. */
enum { POINTS_SHOWN = 7 };
/* A 95 % interval of a point reaches so many standard uncertainties. */
#define NORMAL_95 1.96

/* The smallest deviation of a damping from its law that is tried, 3e-4, is told where none shows. */
#define LEAST_MISFIT 3.01e-4

struct pages {
    const char *unit;
    const struct glyphs *glyphs;
    bool intervals; /* with those of 95 % */
    FILE *out;
};

static struct phrase number(const struct pages *pages, double value, int digits, const char *unit)
{
    return figure_rounded(value, digits, unit, pages->glyphs);
}

/* An angular rate as a frequency. */
static struct figure in_hz(struct figure figure)
{
    double *const all[] = {&figure.value,           &figure.se, &figure.low, &figure.high, &figure.statistical_low,
                           &figure.statistical_high};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        *all[i] /= 2 * M_PI;
    return figure;
}

static void print_dead(const struct pages *pages, const json_t *sensor)
{
    const double since_s = reply_number(sensor, "since_s");
    const bool copied = strcmp(reply_text(sensor, "verdict", ""), "copied_sensor") == 0;
    fprintf(pages->out, "; the sensor %s ", reply_text(sensor, "sensor", "?"));
    if (isfinite(since_s))
        fprintf(pages->out, "stands still from %s on", number(pages, since_s, 6, "s").text);
    else
        fputs(copied ? "says what another one says" : "says nothing", pages->out);
    fputs(" and is left out", pages->out);
}

static void print_blow(const struct pages *pages, const json_t *ring_down)
{
    const double blow_s = reply_number(ring_down, "blow_s"), start_s = reply_number(ring_down, "start_s");
    const double end_s = reply_number(ring_down, "end_s");
    const json_t *dead = json_object_get(ring_down, "dead_sensors");
    size_t i;
    json_t *sensor;
    if (*reply_text(ring_down, "read_as", ""))
        fprintf(pages->out, "  read as: %s\n", reply_text(ring_down, "read_as", ""));
    if (isnan(start_s))
        return;
    if (isnan(blow_s))
        fputs("  the blow is not in the record, or too near to its beginning", pages->out);
    else
        fprintf(pages->out, "  blow at %s", number(pages, blow_s, 6, "s").text);
    if (!isnan(reply_number(ring_down, "double_hit_s")))
        fprintf(pages->out, ", first hit again at %s",
                number(pages, reply_number(ring_down, "double_hit_s"), 6, "s").text);
    if (reply_number(ring_down, "wild_samples_bridged") > 0)
        fprintf(pages->out, ", wild samples bridged in %.0f places", reply_number(ring_down, "wild_samples_bridged"));
    if (end_s > start_s)
        fprintf(pages->out, ", used %s %s %s", number(pages, start_s, 6, NULL).text, pages->glyphs->to,
                number(pages, end_s, 6, "s").text);
    else
        fputs(", nothing behind it can be used", pages->out);
    fprintf(pages->out, ", ended by %s", reply_text(ring_down, "ended_by", "?"));
    if (reply_true(ring_down, "clipped"))
        fputs(", the first crests are clipped and left out", pages->out);
    if (!reply_true(ring_down, "fell_to_tenth"))
        fputs(", it never fell to a tenth", pages->out);
    if (reply_integer(ring_down, "blows", 0) > 1)
        fprintf(pages->out, "; the record has %lld blows, the modes are those behind the first",
                (long long)reply_integer(ring_down, "blows", 0));
    json_array_foreach (dead, i, sensor)
        print_dead(pages, sensor);
    fputc('\n', pages->out);
}

static void add_mode(struct table *table, const struct pages *pages, const json_t *mode, size_t place)
{
    const struct figure omega_0 = in_hz(reply_figure(mode, "omega_0")), zeta_0 = reply_figure(mode, "zeta_0");
    table_cell(table, "%zu", place + 1);
    if (!reply_is_ok(mode)) {
        const json_t *band = json_object_get(mode, "band_hz");
        table_span(table, "%s %s %s: %s", number(pages, json_number_value(json_array_get(band, 0)), 4, NULL).text,
                   pages->glyphs->to, number(pages, json_number_value(json_array_get(band, 1)), 4, "Hz").text,
                   reply_text(mode, "reason", "no reason was given"));
        table_end_row(table);
        return;
    }
    table_cell(table, "%s", figure_short(&omega_0, "Hz", pages->glyphs).text);
    table_cell(table, "%s", figure_short(&zeta_0, NULL, pages->glyphs).text);
    table_cell(table, "%s", reply_text(mode, "model", "?"));
    table_cell(table, "%s", reply_text(mode, "recommended", "?"));
    table_cell(table, "%s", number(pages, reply_number(mode, "law_residual"), 2, NULL).text);
    table_cell(table, "%s", number(pages, reply_number(mode, "residual"), 2, NULL).text);
    table_end_row(table);
}

/* An f_0 that the law extrapolates by more than its own uncertainty. */
static void warn_of_extrapolation(const struct pages *pages, const json_t *mode, size_t place)
{
    const struct figure omega_0 = reply_figure(mode, "omega_0");
    const double beyond = reply_number(mode, "omega_0_beyond");
    if (!reply_is_ok(mode) || !(beyond * omega_0.value > omega_0.se))
        return;
    fprintf(pages->out,
            "  at the least amplitude seen the frequency of mode %zu is %s %% of f_0 below it: the law extrapolates "
            "f_0, and "
            "its uncertainty holds where that law does\n",
            place + 1, number(pages, 100 * beyond, 2, NULL).text);
}

/* Where no law holds f_0 is not what the heading says of others. */
static bool begins_at_backbone(const json_t *mode)
{
    return reply_is_ok(mode) && strcmp(reply_text(mode, "recommended", ""), "backbone") == 0 &&
           json_array_size(json_object_get(mode, "backbone")) > 0;
}

static void tell_of_backbones(const struct pages *pages, const json_t *modes)
{
    size_t i, told = 0, count = 0;
    json_t *mode;
    json_array_foreach (modes, i, mode)
        count += begins_at_backbone(mode);
    if (count == 0)
        return;
    fputs(count > 1 ? "  of modes" : "  of mode", pages->out);
    json_array_foreach (modes, i, mode)
        if (begins_at_backbone(mode))
            fprintf(pages->out, "%s %zu", told++ > 0 ? "," : "", i + 1);
    fputs(" the backbone is recommended: f_0 and zeta_0 are those at its least amplitude\n", pages->out);
}

static const char *doubt_of(const json_t *modes, size_t place)
{
    const json_t *mode = json_array_get(modes, place);
    return reply_is_ok(mode) ? reply_text(mode, "reason", "") : "";
}

/* What is said of modes that have figures: that they are provisional or doubtful, or why there is no joint. Modes of
 * which the same is said have one line. */
static void tell_of_doubts(const struct pages *pages, const json_t *modes)
{
    const size_t count = json_array_size(modes);
    for (size_t i = 0; i < count; i++) {
        const char *doubt = doubt_of(modes, i);
        size_t first = 0, told = 0;
        while (strcmp(doubt_of(modes, first), doubt) != 0)
            first++;
        if (!*doubt || first < i)
            continue;
        for (size_t k = i; k < count; k++)
            if (strcmp(doubt_of(modes, k), doubt) == 0)
                fprintf(pages->out, "%s %zu", told++ > 0 ? "," : "  note on mode", k + 1);
        fprintf(pages->out, ": %s\n", doubt);
    }
}

static int print_modes(const struct pages *pages, const json_t *modes)
{
    static const char *const heads[] = {"mode", "f_0", "zeta_0", "model", "use", "law leaves", "backbone leaves"};
    struct table *table = table_create();
    size_t i;
    json_t *mode;
    for (i = 0; i < sizeof heads / sizeof heads[0]; i++)
        table_cell(table, "%s", heads[i]);
    table_end_row(table);
    json_array_foreach (modes, i, mode)
        add_mode(table, pages, mode, i);
    const int status = table_print(table, "  ", pages->glyphs->width, pages->out);
    table_destroy(table);
    json_array_foreach (modes, i, mode)
        warn_of_extrapolation(pages, mode, i);
    tell_of_backbones(pages, modes);
    tell_of_doubts(pages, modes);
    return status;
}

/* One part of it. */
static struct phrase ratio(const struct pages *pages, const json_t *sensor, const char *value, const char *se)
{
    const struct figure figure = {.value = reply_number(sensor, value), .se = reply_number(sensor, se)};
    return figure_short(&figure, NULL, pages->glyphs);
}

static void print_shape(const struct pages *pages, const json_t *mode)
{
    const json_t *shape = json_object_get(mode, "shape");
    const char *reference = reply_text(mode, "reference", "?");
    size_t i;
    json_t *sensor;
    if (json_array_size(shape) < 2)
        return;
    fprintf(pages->out, "  shape: %s 1", reference);
    json_array_foreach (shape, i, sensor) {
        const char *name = reply_text(sensor, "sensor", "?");
        if (strcmp(name, reference) == 0)
            continue;
        fprintf(pages->out, ", %s %s and %s i", name, ratio(pages, sensor, "re", "se_re").text,
                ratio(pages, sensor, "im", "se_im").text);
        fprintf(pages->out, " (drift %s)", ratio(pages, sensor, "drift", "se_drift").text);
    }
    fputc('\n', pages->out);
}

/* An amplitude's figure with its uncertainty, or with its 95 % interval. */
static struct phrase at_amplitude(const struct pages *pages, const json_t *point, const char *name, double over)
{
    const struct phrase se_name = phrase_format("se_%s", name);
    struct figure figure = {.value = reply_number(point, name) / over, .se = reply_number(point, se_name.text) / over};
    figure.low = figure.value - NORMAL_95 * figure.se;
    figure.high = figure.value + NORMAL_95 * figure.se;
    return isnan(figure.se)   ? number(pages, figure.value, 4, NULL)
           : pages->intervals ? figure_interval(&figure, NULL, pages->glyphs)
                              : figure_short(&figure, NULL, pages->glyphs);
}

static void add_point(struct table *table, const struct pages *pages, const json_t *point)
{
    table_cell(table, "%s", number(pages, reply_number(point, "amplitude"), 3, NULL).text);
    table_cell(table, "%s", at_amplitude(pages, point, "omega", 2 * M_PI).text);
    table_cell(table, "%s", at_amplitude(pages, point, "zeta", 1).text);
    table_cell(table, "%s", at_amplitude(pages, point, "dissipation", 1).text);
    table_cell(table, "%s", at_amplitude(pages, point, "stiffness", 1).text);
    table_end_row(table);
}

static void print_repeats(const struct pages *pages, const json_t *repeats)
{
    const long long blows = (long long)reply_integer(repeats, "blows", 0);
    if (blows < 2)
        return;
    const char *finding = reply_text(repeats, "finding", "?");
    fprintf(pages->out, "  %lld blows ", blows);
    if (strcmp(finding, "agree") == 0)
        fputs("are on one curve", pages->out);
    else
        fprintf(pages->out, "contradict each other: %s", finding);
    fprintf(pages->out, ", probability %s\n", number(pages, reply_number(repeats, "probability"), 2, NULL).text);
}

static void print_simulation(const struct pages *pages, const json_t *simulation)
{
    const json_t *spectra = json_object_get(simulation, "spectra");
    const size_t count = json_array_size(spectra);
    if (!json_is_object(simulation))
        return;
    fputs("  model integrated exactly ", pages->out);
    if (!reply_is_ok(simulation)) {
        fprintf(pages->out, "%s\n", reply_text(simulation, "reason", "?"));
        return;
    }
    fprintf(pages->out, "leaves %s of the first crest, %s",
            number(pages, reply_number(simulation, "residual"), 2, NULL).text,
            number(pages, reply_number(simulation, "residual_first"), 2, NULL).text);
    fprintf(pages->out, " in the first 20 cycles, %s behind",
            number(pages, reply_number(simulation, "residual_after"), 2, NULL).text);
    for (size_t i = 0; i < count; i++)
        fprintf(pages->out, "%s%s", i == 0 ? "; of spectra with zeroed early time " : ", ",
                number(pages, reply_number(json_array_get(spectra, i), "misfit"), 2, NULL).text);
    fputc('\n', pages->out);
}

static void print_hilbert_point(const struct pages *pages, const json_t *point)
{
    fprintf(pages->out, " f %s, zeta %s at %s", number(pages, reply_number(point, "omega") / (2 * M_PI), 6, "Hz").text,
            number(pages, reply_number(point, "zeta"), 3, NULL).text,
            number(pages, reply_number(point, "amplitude"), 3, pages->unit).text);
}

/* Its largest and its smallest amplitude. */
static void print_hilbert(const struct pages *pages, const json_t *hilbert)
{
    const json_t *backbone = json_object_get(hilbert, "backbone");
    const size_t count = json_array_size(backbone);
    if (!json_is_object(hilbert))
        return;
    fputs("  for comparison, Hilbert transform and polynomials: ", pages->out);
    if (count < 2 || !reply_is_ok(hilbert)) {
        fprintf(pages->out, "%s\n", reply_text(hilbert, "verdict", "?"));
        return;
    }
    fprintf(pages->out, "degree %lld,", (long long)reply_integer(hilbert, "degree", 0));
    print_hilbert_point(pages, json_array_get(backbone, 0));
    fputs(";", pages->out);
    print_hilbert_point(pages, json_array_get(backbone, count - 1));
    fputc('\n', pages->out);
}

static void print_hilbert_joint(const struct pages *pages, const json_t *joint)
{
    static const char *const names[] = {"chi", "c", "f_s", "k_t", "k_inf", "phi_max"};
    const struct phrase force = phrase_format("%s/s^2", pages->unit);
    const char *const units[] = {NULL, "1/s", force.text, "1/s^2", "1/s^2", pages->unit};
    if (!json_is_object(joint) || isnan(reply_number(joint, "chi")))
        return;
    fputs("    its joint, by dividing rectangles and a simplex", pages->out);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (isfinite(reply_number(joint, names[i])))
            fprintf(pages->out, ", %s %s", names[i], number(pages, reply_number(joint, names[i]), 3, units[i]).text);
    fprintf(pages->out, "; it leaves %s of the damping's change and ",
            number(pages, reply_number(joint, "dissipation_misfit"), 2, NULL).text);
    fprintf(pages->out, "%s of the frequency's\n",
            number(pages, reply_number(joint, "frequency_misfit"), 2, NULL).text);
}

/* Beside the errors of a joint in microslip: nobody knows that a record ends below phi_max. */
static void print_possible_slip(const struct pages *pages, const json_t *curve)
{
    const json_t *point, *last = NULL, *first = json_array_get(curve, 0);
    size_t i;
    json_array_foreach ((json_t *)curve, i, point) {
        if (reply_number(point, "slip_zeta") > 0)
            last = point;
    }
    if (!last)
        return;
    fprintf(pages->out,
            "    from %s on the whole joint may slip, which nothing shows and the record does not exclude: ",
            number(pages, reply_number(last, "amplitude"), 3, pages->unit).text);
    fprintf(pages->out, "at %s that would change f by %s ",
            number(pages, reply_number(first, "amplitude"), 3, pages->unit).text,
            number(pages, reply_number(first, "slip_omega") / (2 * M_PI), 2, "Hz").text);
    fprintf(pages->out, "and zeta by %s\n", number(pages, reply_number(first, "slip_zeta"), 2, NULL).text);
}

/* From the largest amplitude to the smallest, a few. */
static int print_curve(const struct pages *pages, const json_t *mode)
{
    const json_t *curve = reply_mode_curve(mode);
    struct table *table = table_create();
    const size_t count = json_array_size(curve), shown = count < POINTS_SHOWN ? count : POINTS_SHOWN;
    fprintf(pages->out, "  %s", curve == json_object_get(mode, "law") ? "by the law" : "by the backbone");
    const double misfit = reply_number(mode, "law_misfit");
    if (isfinite(misfit))
        fprintf(pages->out, " (the damping deviates from the law by %s%s of itself%s)",
                misfit > LEAST_MISFIT ? "about " : "", number(pages, misfit, 2, NULL).text,
                misfit > LEAST_MISFIT ? "" : " or less");
    fprintf(pages->out, "%s\n", pages->intervals ? ", with 95 % intervals:" : ":");
    table_cell(table, "A/%s", pages->unit);
    table_cell(table, "f/Hz");
    table_cell(table, "zeta");
    table_cell(table, "D/(%s^2/s^2)", pages->unit);
    table_cell(table, "K/(1/s^2)");
    table_end_row(table);
    for (size_t i = 0; i < shown; i++)
        add_point(table, pages, json_array_get(curve, shown > 1 ? i * (count - 1) / (shown - 1) : 0));
    const int status = table_print(table, "    ", pages->glyphs->width, pages->out);
    table_destroy(table);
    print_possible_slip(pages, curve);
    return status;
}

int show_ring_down(const json_t *ring_down, const char *unit, bool intervals, const struct glyphs *glyphs, FILE *out)
{
    const struct pages pages = {unit, glyphs, intervals, out};
    const json_t *modes = json_object_get(ring_down, "modes");
    size_t i;
    json_t *mode;
    print_blow(&pages, ring_down);
    show_steady_lines(json_object_get(ring_down, "steady_lines"), unit, glyphs, out);
    int status = json_array_size(modes) > 0 ? print_modes(&pages, modes) : 0;
    show_lines_left_out(json_object_get(ring_down, "lines_left_out"), glyphs, out);
    json_array_foreach (modes, i, mode) {
        if (json_array_size(reply_mode_curve(mode)) == 0 || status != 0)
            continue;
        fprintf(out, "  mode %zu, seen from %s (%s) to %s (%s)\n", i + 1,
                number(&pages, reply_number(mode, "amplitude_max"), 3, unit).text, reply_text(mode, "begins_with", "?"),
                number(&pages, reply_number(mode, "amplitude_min"), 3, unit).text, reply_text(mode, "ended_by", "?"));
        print_shape(&pages, mode);
        status = show_modal_joint(json_object_get(mode, "iwan"), unit, intervals, glyphs, out);
        print_repeats(&pages, json_object_get(mode, "repeats"));
        print_simulation(&pages, json_object_get(mode, "simulation"));
        print_hilbert(&pages, json_object_get(mode, "hilbert"));
        if (strcmp(reply_text(mode, "model", ""), "linear") != 0)
            print_hilbert_joint(&pages, json_object_get(json_object_get(mode, "hilbert"), "joint"));
        status = status == 0 ? print_curve(&pages, mode) : status;
    }
    return status;
}
