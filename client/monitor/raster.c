/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From windows of a signal to dots, and from dots to characters. */

#include "client/monitor/raster.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* How many dots a character has, and which one it is. */
struct pattern {
    int across, down;
    void (*spell)(unsigned dots, char text[5]); /* dots: a bit each, row by row */
};

/* U+2800 and a bit for each dot: the first three rows of both columns, then the fourth row. */
static void spell_braille(unsigned dots, char text[5])
{
    static const unsigned bits[] = {0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80};
    uint32_t character = 0x2800;
    for (int i = 0; i < 8; i++)
        character |= dots & 1u << i ? bits[i] : 0;
    text[0] = (char)(0xe0 | character >> 12);
    text[1] = (char)(0x80 | (character >> 6 & 0x3f));
    text[2] = (char)(0x80 | (character & 0x3f));
    text[3] = '\0';
}

static void spell_ascii(unsigned dots, char text[5])
{
    static const char characters[] = " '.:";
    text[0] = characters[dots & 3];
    text[1] = '\0';
}

static const struct pattern braille = {.across = 2, .down = 4, .spell = spell_braille};
static const struct pattern points = {.across = 1, .down = 2, .spell = spell_ascii};

/* Windows that are further apart than so many of their lengths have something missing in between. */
static const double gap_lengths = 3;

/* More than any screen has. */
enum { MOST_ACROSS = 2048 };

/* From which row of dots to which; none where the first is below the last. */
struct extent {
    int from, to;
};

/* What a picture is drawn with. */
struct picture {
    const struct frame *frame;
    const struct pattern *pattern;
    int across, down; /* dots */
    struct extent extents[MOST_ACROSS];
};

static int dot_row(const struct picture *picture, double value)
{
    const struct frame *frame = picture->frame;
    const double row = floor((frame->high - value) / (frame->high - frame->low) * picture->down);
    return row < 0 ? 0 : row < picture->down ? (int)row : picture->down - 1;
}

static double dot_column(const struct picture *picture, double time_s)
{
    const struct frame *frame = picture->frame;
    return (time_s - frame->from_s) / (frame->to_s - frame->from_s) * picture->across;
}

/* Several windows may share a column of dots, or one may take several. */
static void draw_window(struct picture *picture, double begin_s, double end_s, double least, double most)
{
    const int from = dot_row(picture, most), to = dot_row(picture, least);
    const double first = fmax(round(dot_column(picture, begin_s)), 0);
    const double behind = fmin(fmax(round(dot_column(picture, end_s)), first + 1), picture->across);
    for (int column = (int)first; column < behind; column++) {
        struct extent *extent = &picture->extents[column];
        const bool empty = extent->from > extent->to;
        extent->from = empty || from < extent->from ? from : extent->from;
        extent->to = empty || to > extent->to ? to : extent->to;
    }
}

/* A window reaches as far as its neighbour before it, so that a steep motion is one line. */
static void draw_windows(struct picture *picture, const struct trace *trace)
{
    const struct window *before = NULL;
    for (size_t i = trace_since(trace, picture->frame->from_s); i < trace->count; i++) {
        const struct window *window = trace_at(trace, i);
        double begin_s = window->end_s - window->length_s, least = window->least, most = window->most;
        if (begin_s >= picture->frame->to_s)
            break;
        if (before && begin_s - before->end_s < gap_lengths * window->length_s) {
            begin_s = fmin(begin_s, before->end_s);
            least = fmin(least, before->most);
            most = fmax(most, before->least);
        }
        draw_window(picture, begin_s, window->end_s, least, most);
        before = window;
    }
}

static unsigned dots_at(const struct picture *picture, int row, int column)
{
    const struct pattern *pattern = picture->pattern;
    unsigned dots = 0;
    for (int across = 0; across < pattern->across; across++) {
        const struct extent *extent = &picture->extents[column * pattern->across + across];
        for (int down = 0; down < pattern->down; down++) {
            const int dot = row * pattern->down + down;
            if (dot >= extent->from && dot <= extent->to)
                dots |= 1u << (down * pattern->across + across);
        }
    }
    return dots;
}

void raster_draw(struct canvas *canvas, struct area area, const struct trace *trace, const struct frame *frame,
                 bool ascii)
{
    const struct pattern *pattern = ascii ? &points : &braille;
    struct picture picture = {.frame = frame,
                              .pattern = pattern,
                              .across = area.columns * pattern->across,
                              .down = area.rows * pattern->down};
    if (picture.across > MOST_ACROSS || !(frame->high > frame->low) || !(frame->to_s > frame->from_s))
        return;
    for (int column = 0; column < picture.across; column++)
        picture.extents[column] = (struct extent){.from = 1, .to = 0};
    draw_windows(&picture, trace);
    for (int row = 0; row < area.rows; row++)
        for (int column = 0; column < area.columns; column++) {
            char text[5];
            const unsigned dots = dots_at(&picture, row, column);
            pattern->spell(dots, text);
            if (dots)
                canvas_write(canvas, area, row, column, STYLE_TRACE, text);
        }
}

struct ticks ticks_for(double low, double high, int most)
{
    static const double factors[] = {1, 2, 5};
    const double least = (high - low) / most;
    for (int exponent = (int)floor(log10(least));; exponent++)
        for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
            const double step = factors[i] * pow(10, exponent);
            if (step >= least * (1 - 1e-9))
                return (struct ticks){step, exponent < 0 ? -exponent : 0};
        }
}
