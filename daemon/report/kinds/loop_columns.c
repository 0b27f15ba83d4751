/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Recordings that somebody took for one of friction loops, and that are none because of their header. */

#include "report/kinds/loop_columns.h"

#include "report/kinds/record_kind.h"
#include "report/kinds/table_header.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Each form of a loop begins with its motion and its force. */
enum { MOTION, LOAD };

/* How much a channel says of such a column: a letter or a unit alone says something only beside the other column. */
enum likeness { UNLIKE, VAGUE, NAMED, COMPLETE };

struct guess {
    enum likeness likeness;
    const char *channel;
};

static enum likeness likeness_of(const struct kind_column *column, const char *letter,
                                 const struct recording_column *channel)
{
    if (isfinite(table_channel_scale(column, channel->name, channel->unit)))
        return COMPLETE;
    if (isfinite(table_channel_scale(column, channel->name, column->unit)))
        return NAMED;
    const bool fits = isfinite(table_unit_scale(column->unit, channel->unit));
    const bool letter_alone = strcasecmp(channel->name, letter) == 0 && strcmp(channel->unit, "1") == 0;
    return fits || letter_alone ? VAGUE : UNLIKE;
}

static struct guess guess_of(const struct kind_column *column, const char *letter, const struct recording *recording)
{
    struct guess best = {UNLIKE, NULL};
    for (size_t c = 0; c < recording->channel_count; c++) {
        const enum likeness likeness = likeness_of(column, letter, &recording->columns[c]);
        if (likeness > best.likeness)
            best = (struct guess){likeness, recording->columns[c].name};
    }
    return best;
}

struct reading {
    const struct kind_form *form;
    struct guess motion, load;
    unsigned likeness; /* of both together */
};

static struct reading reading_as(const struct kind_form *form, const struct recording *recording)
{
    struct reading reading = {.form = form,
                              .motion = guess_of(&form->column[MOTION], "x", recording),
                              .load = guess_of(&form->column[LOAD], "f", recording)};
    reading.likeness = reading.motion.likeness + reading.load.likeness;
    return reading;
}

/* The form to which least is lacking; of several the first. */
static struct reading likeliest(const struct recording *recording)
{
    const struct record_kind *loop = record_kind_named("loop");
    struct reading best = reading_as(&loop->forms[0], recording);
    for (size_t f = 1; f < loop->form_count; f++) {
        const struct reading other = reading_as(&loop->forms[f], recording);
        if (other.likeness > best.likeness)
            best = other;
    }
    return best;
}

/* What is to be done for a column: nothing, to give it its name and unit, or to measure it. */
static void ask(const struct kind_column *column, const struct guess *guess, char *text, size_t bytes)
{
    *text = '\0';
    if (guess->likeness == UNLIKE)
        snprintf(text, bytes, "have a column %s", column->name);
    else if (guess->likeness != COMPLETE)
        snprintf(text, bytes, "say %s for `%.40s`", column->name, guess->channel);
}

void loop_columns_lacking(const struct recording *recording, struct complaint *lacking)
{
    const struct reading reading = likeliest(recording);
    char motion[96], load[96];
    *lacking->text = '\0';
    if (recording->declaration.given || reading.likeness <= VAGUE)
        return;
    ask(&reading.form->column[MOTION], &reading.motion, motion, sizeof motion);
    ask(&reading.form->column[LOAD], &reading.load, load, sizeof load);
    if (*motion || *load)
        complaint_set(lacking, "for a friction loop its header must %s%s%s, or so in another unit", motion,
                      *motion && *load ? " and " : "", load);
    else
        complaint_set(lacking, "for a friction loop it must be a table of text with its times as numbers, in a column "
                               "such as time_s, or of rows that come evenly without a time, and with --rate HZ");
}
