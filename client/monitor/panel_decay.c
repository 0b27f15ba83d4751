/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The decay that runs in the chosen channel: how far it is, and how much of its amplitude is left. */

#include "client/describe.h"
#include "client/monitor/panels.h"
#include "client/reply.h"

#include <math.h>

/* How long the bar may be, and where it begins behind words of the usual length. */
enum { BAR_LEAST = 6, BAR_MOST = 40, BAR_COLUMN = 50 };

/* How much is left, as a bar in the room behind the words. */
static void draw_bar(const struct scene *scene, struct area area, int column, double part)
{
    const bool ascii = scene->glyphs->ascii;
    const int begin = column + 2 > BAR_COLUMN || area.columns < BAR_COLUMN + BAR_MOST / 2 ? column + 2 : BAR_COLUMN;
    const int room = area.columns - begin - 1, columns = room < BAR_MOST ? room : BAR_MOST;
    const int full = (int)lround(fmin(fmax(part, 0), 1) * columns);
    for (int i = 0; columns >= BAR_LEAST && i < columns; i++)
        canvas_write(scene->canvas, area, 0, begin + i, i < full ? STYLE_ACTIVE : STYLE_QUIET,
                     ascii ? (i < full ? "#" : ".") : (i < full ? "█" : "░"));
}

void panel_decay_draw(const struct scene *scene, struct area area)
{
    const struct channel *channel = scene_channel(scene);
    const json_t *state = channel ? json_object_get(channel->facts, "state") : NULL;
    if (!channel)
        return;
    const bool runs = channel->decay.running;
    const struct phrase words = runs ? describe_state(state, reply_text(channel->facts, "unit", ""), scene->glyphs)
                                     : phrase_format("no decay runs");
    const int column =
        canvas_sentence(scene->canvas, area, 0, 2, runs ? STYLE_ACTIVE : STYLE_QUIET, words.text, scene->glyphs->to);
    if (runs)
        draw_bar(scene, area, column, reply_number(state, "amplitude") / channel->decay.first_amplitude);
}
