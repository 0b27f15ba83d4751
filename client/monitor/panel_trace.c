/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The signal of the chosen channel over the last while, with numbers at its edges. */

#include "client/describe.h"
#include "client/monitor/panels.h"
#include "client/monitor/raster.h"
#include "client/reply.h"
#include "client/text_width.h"

#include <math.h>
#include <string.h>

/* A signal at rest is a line and not noise that fills the picture. */
static const double least_noises = 25;

/* Of fewer numbers than these there might be none in the picture. */
enum { LEAST_TICKS = 5 };

/* For the numbers beside the picture, with the edge; more where they are longer. */
enum { LEAST_MARGIN = 10 };

static struct phrase tick_words(double value, const struct ticks *ticks, const struct glyphs *glyphs)
{
    const bool zero = fabs(value) < 0.5 * ticks->step;
    return phrase_format("%s%.*f", value < 0 && !zero ? glyphs->minus : "", ticks->decimals, zero ? 0 : fabs(value));
}

/* What is shown, from top to bottom: all of the signal, and never less than a few times its noise. */
static bool choose_frame(const struct scene *scene, const struct channel *channel, int rows, struct frame *frame,
                         struct ticks *ticks)
{
    const struct view *view = scene->view;
    const double noise = reply_number(json_object_get(channel->facts, "state"), "noise_floor");
    frame->to_s = view->frozen_s > 0 ? view->frozen_s : scene->now_s;
    frame->from_s = frame->to_s - view_spans_s[view->span];
    if (!trace_reach(&channel->trace, frame->from_s, frame->to_s, &frame->low, &frame->high))
        return false;
    const double middle = (frame->low + frame->high) / 2;
    const double least = fmax(noise > 0 ? least_noises * noise : 0, fmax(1e-12, 1e-6 * fabs(middle)));
    if (frame->high - frame->low < least) {
        frame->low = middle - least / 2;
        frame->high = middle + least / 2;
    }
    *ticks = ticks_for(frame->low, frame->high, rows / 2 > LEAST_TICKS ? rows / 2 : LEAST_TICKS);
    /* Edges on parts of a step: the picture does not move with every sample. */
    const double part = ticks->step / 4;
    frame->low = part * floor(frame->low / part);
    frame->high = part * ceil(frame->high / part);
    return true;
}

/* Half of the panel at most: the picture counts more than its numbers. */
static int margin_for(const struct scene *scene, struct area area, const struct frame *frame, const struct ticks *ticks)
{
    int margin = LEAST_MARGIN;
    for (double i = floor(frame->high / ticks->step); i * ticks->step >= frame->low; i--) {
        const int wanted = 2 + (int)text_width(tick_words(i * ticks->step, ticks, scene->glyphs).text);
        margin = wanted > margin ? wanted : margin;
    }
    return margin < area.columns / 2 ? margin : area.columns / 2;
}

static void draw_edge(const struct scene *scene, struct area area, struct area picture)
{
    const bool ascii = scene->glyphs->ascii;
    const int margin = picture.column - area.column;
    for (int row = 0; row < picture.rows; row++)
        canvas_write(scene->canvas, area, picture.row - area.row + row, margin - 1, STYLE_QUIET, ascii ? "|" : "│");
    for (int column = 0; column < picture.columns; column++)
        canvas_write(scene->canvas, area, picture.row - area.row + picture.rows, margin + column, STYLE_QUIET,
                     ascii ? "-" : "─");
    canvas_write(scene->canvas, area, picture.row - area.row + picture.rows, margin - 1, STYLE_QUIET,
                 ascii ? "+" : "└");
}

/* A number at each step; where rows are few, not two in one. */
static void draw_values(const struct scene *scene, struct area area, struct area picture, const struct frame *frame,
                        const struct ticks *ticks)
{
    const int margin = picture.column - area.column;
    int before = -1;
    for (double i = floor(frame->high / ticks->step); i * ticks->step >= frame->low; i--) {
        const double part = (frame->high - i * ticks->step) / (frame->high - frame->low);
        const struct phrase words = tick_words(i * ticks->step, ticks, scene->glyphs);
        int row = (int)(part * picture.rows);
        row = row < picture.rows ? row : picture.rows - 1;
        if (row == before)
            continue;
        canvas_write(scene->canvas, area, picture.row - area.row + row, margin - 2 - (int)text_width(words.text),
                     STYLE_QUIET, words.text);
        canvas_write(scene->canvas, area, picture.row - area.row + row, margin - 1, STYLE_QUIET,
                     scene->glyphs->ascii ? "+" : "┤");
        before = row;
    }
}

static void draw_times(const struct scene *scene, struct area area, struct area picture)
{
    const double span_s = view_spans_s[scene->view->span];
    const int margin = picture.column - area.column;
    const bool minutes = span_s >= 120;
    const int most = picture.columns / 12 > 2 ? picture.columns / 12 : 2, row = area.rows - 1;
    const double unit_s = minutes ? 60 : 1;
    const struct ticks ticks = ticks_for(-span_s / unit_s, 0, most);
    for (int i = 0; i * ticks.step * unit_s <= span_s * 1.000001; i++) {
        const double part = 1 - i * ticks.step * unit_s / span_s;
        const int column = margin + (int)lround(part * (picture.columns - 1));
        struct phrase words = tick_words(-i * ticks.step, &ticks, scene->glyphs);
        words = i == 0 ? phrase_format("0 %s", minutes ? "min" : "s") : words;
        int begin = column - (int)text_width(words.text) / 2;
        begin = i == 0 ? area.columns - (int)text_width(words.text) : begin;
        if (begin >= 0)
            canvas_write(scene->canvas, area, row, begin, STYLE_QUIET, words.text);
        if (column > margin)
            canvas_write(scene->canvas, area, row - 1, column, STYLE_QUIET, scene->glyphs->ascii ? "+" : "┴");
    }
}

static void draw_title(const struct scene *scene, struct area area, const struct channel *channel)
{
    const double span_s = view_spans_s[scene->view->span];
    const char *unit = channel ? reply_text(channel->facts, "unit", "") : "";
    struct phrase title = {"Signal"};
    if (channel)
        title = phrase_format("%s %s%s%s, last %s", reply_text(channel->facts, "rig", ""),
                              reply_text(channel->facts, "channel", ""), *unit ? ", " : "", unit,
                              span_s < 120 ? phrase_format("%.0f s", span_s).text
                                           : phrase_format("%.0f min", span_s / 60).text);
    if (scene->view->frozen_s > 0)
        title = phrase_format("%s, frozen %s ago", title.text,
                              describe_duration(scene->now_s - scene->view->frozen_s).text);
    scene_title(scene, area, title.text);
}

void panel_trace_draw(const struct scene *scene, struct area area)
{
    const struct channel *channel = scene_channel(scene);
    const int rows = area.rows - 3;
    struct frame frame;
    struct ticks ticks;
    draw_title(scene, area, channel);
    if (!channel)
        return;
    if (!choose_frame(scene, channel, rows, &frame, &ticks)) {
        canvas_write(scene->canvas, area, 1, LEAST_MARGIN, STYLE_QUIET, "no samples in this while");
        return;
    }
    const int margin = margin_for(scene, area, &frame, &ticks);
    const struct area picture = {area.row + 1, area.column + margin, rows, area.columns - margin};
    draw_edge(scene, area, picture);
    draw_values(scene, area, picture, &frame, &ticks);
    draw_times(scene, area, picture);
    raster_draw(scene->canvas, picture, &channel->trace, &frame, scene->glyphs->ascii);
}
