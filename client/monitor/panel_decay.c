/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The decay that runs in the chosen channel: how far it is, and how much of its amplitude is left. */

#include "client/describe.h"
#include "client/monitor/panels.h"
#include "client/reply.h"

#include <math.h>

/* How much is left, as a bar of so many columns. */
static void draw_bar(const struct scene *scene, struct area area, int column, double part)
{
    enum { COLUMNS = 20 };
    const int full = (int)lround(fmin(fmax(part, 0), 1) * COLUMNS);
    if (column + COLUMNS > area.columns)
        return;
    for (int i = 0; i < COLUMNS; i++)
        canvas_write(scene->canvas, area, 0, column + i, i < full ? STYLE_ACTIVE : STYLE_QUIET,
                     scene->glyphs->ascii ? (i < full ? "#" : ".") : (i < full ? "█" : "░"));
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
        draw_bar(scene, area, column > 50 ? column + 2 : 52,
                 reply_number(state, "amplitude") / channel->decay.first_amplitude);
}
