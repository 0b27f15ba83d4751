/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The latest events, the newest first. */

#include "client/monitor/panels.h"
#include "client/reply.h"

#include <string.h>

/* Losses and faults are what somebody should see from across the room. */
static bool is_grave(const char *code)
{
    static const char *const grave[] = {"gap",         "decay_lost", "source_fault", "store_fault",
                                        "socket_lost", "dropped",    "reload_failed"};
    for (size_t i = 0; i < sizeof grave / sizeof grave[0]; i++)
        if (strcmp(code, grave[i]) == 0)
            return true;
    return false;
}

static void draw_event(const struct scene *scene, struct area area, int row, const json_t *event)
{
    const char *at = reply_text(event, "at", ""), *code = reply_text(event, "code", "event");
    const char *rig = reply_text(event, "rig", ""), *channel = reply_text(event, "channel", "");
    int column = 2;
    if (strlen(at) >= sizeof "2026-11-21T14:00:03")
        column = canvas_write(scene->canvas, area, row, column, STYLE_QUIET,
                              phrase_format("%.8s", at + sizeof "2026-11-21T" - 1).text) +
                 2;
    const struct phrase words = phrase_format("%s%s%s%s%s: %s", rig, *rig && *channel ? " " : "", channel,
                                              *rig || *channel ? ": " : "", code, reply_text(event, "sentence", ""));
    canvas_sentence(scene->canvas, area, row, column, is_grave(code) ? STYLE_BAD : STYLE_PLAIN, words.text,
                    scene->glyphs->to);
}

void panel_events_draw(const struct scene *scene, struct area area)
{
    size_t i;
    json_t *event;
    scene_title(scene, area, "Events");
    json_array_foreach (scene->model->events, i, event)
        if ((int)i + 1 < area.rows)
            draw_event(scene, area, (int)i + 1, event);
    if (json_array_size(scene->model->events) == 0)
        canvas_write(scene->canvas, area, 1, 2, STYLE_QUIET, "none yet");
}
