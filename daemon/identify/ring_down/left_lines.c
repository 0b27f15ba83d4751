/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ring_down/left_lines.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const struct {
    const char *name, *sentence;
} causes[LEFT_CAUSES] = {
    [LEFT_WEAK] = {"weak", "it is below 1 % of the amplitude of the strongest mode, where joints make lines of their "
                           "own: no mode is looked for"},
    [LEFT_COMBINATION] = {"combination", "it is below a fourteenth of the amplitude of the modes of which it is a sum, "
                                         "a difference or a harmonic, as joints make such lines"},
    [LEFT_NOT_FALLING] = {"not_falling", "it does not fall from the first half of the ring-down to the second by more "
                                         "than chance lets it, and is not steady either, or not known to be"},
    [LEFT_BEYOND_MOST] = {"beyond_most", "more modes stand out than are told, and it is among the lowest of them"},
    [LEFT_EXPLAINED] = {"explained", "the motions of the modes explain it: it is no longer there without them"},
    [LEFT_STOPPED] = {"stopped", "it may be a mode: the identification was stopped, or memory was short, before it was "
                                 "looked at"},
};

const char *left_cause_name(size_t cause)
{
    return cause < LEFT_CAUSES ? causes[cause].name : NULL;
}

const char *left_cause_sentence(enum left_cause cause)
{
    return causes[cause].sentence;
}

static void remove_at(struct left_lines *left, size_t place)
{
    left->count--;
    memmove(&left->line[place], &left->line[place + 1], (left->count - place) * sizeof *left->line);
}

/* Where there is no room the lowest goes. False: that is the new one. */
static bool make_room(struct left_lines *left, double height)
{
    size_t lowest = 0;
    if (left->count < LEFT_LINES)
        return true;
    for (size_t k = 1; k < left->count; k++)
        lowest = left->line[k].height < left->line[lowest].height ? k : lowest;
    if (!(height > left->line[lowest].height))
        return false;
    remove_at(left, lowest);
    return true;
}

void left_lines_add(struct left_lines *left, const struct left_line *line)
{
    if (!left || !make_room(left, line->height))
        return;
    size_t place = left->count++;
    for (; place > 0 && left->line[place - 1].f_hz > line->f_hz; place--)
        left->line[place] = left->line[place - 1];
    left->line[place] = *line;
    left->line[place].reason = left_cause_sentence(line->cause);
}

void left_lines_drop(struct left_lines *left, enum left_cause cause, double f_hz, double near_hz)
{
    for (size_t k = left ? left->count : 0; k-- > 0;)
        if (left->line[k].cause == cause && fabs(left->line[k].f_hz - f_hz) < near_hz)
            remove_at(left, k);
}
