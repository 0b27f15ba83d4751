/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The first lines: who answers, for how long, what is kept and whether anything was lost; below, what is wrong. */

#include "client/describe.h"
#include "client/monitor/panels.h"
#include "client/reply.h"
#include "client/text_width.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* status is asked for every two seconds. */
static const double silence_s = 6;

static struct phrase store_words(const json_t *store, const struct glyphs *glyphs)
{
    const double free_bytes = reply_number(store, "free_bytes");
    const struct phrase decays = describe_count(store, "decays", glyphs);
    if (isnan(free_bytes))
        return phrase_format("%s decays in memory", decays.text);
    return phrase_format("%s decays, %s free", decays.text, describe_bytes(free_bytes).text);
}

static struct phrase loss_words(const struct losses *losses)
{
    if (losses->scans == 0 && losses->decays == 0)
        return phrase_format("nothing lost");
    return phrase_format("! lost: %lld scans, %lld decays", (long long)losses->scans, (long long)losses->decays);
}

/* Empty where none is. */
static struct phrase simulated_words(const json_t *rigs)
{
    size_t i, simulated = 0;
    json_t *rig;
    json_array_foreach (rigs, i, rig)
        simulated += strcmp(reply_text(json_object_get(rig, "source"), "kind", ""), "simulated") == 0;
    if (simulated == 0 || simulated == json_array_size(rigs))
        return phrase_format("%s", simulated > 0 ? "SIMULATED" : "");
    return phrase_format("%zu of %zu rigs SIMULATED", simulated, json_array_size(rigs));
}

/* Behind each other with marks in between, as many as there is room for. */
static int add(const struct scene *scene, struct area area, int column, unsigned style, const char *text)
{
    const char *mark = scene->glyphs->ascii ? " | " : " · ";
    if (!*text || column + (int)(text_width(mark) + text_width(text)) > area.columns)
        return column;
    column = canvas_write(scene->canvas, area, 0, column, STYLE_BAR, mark);
    return canvas_write(scene->canvas, area, 0, column, style, text);
}

static void draw_daemon(const struct scene *scene, struct area area, int column)
{
    const json_t *status = scene->model->status;
    const struct losses losses = model_losses(scene->model);
    const bool lost = losses.scans > 0 || losses.decays > 0;
    column = canvas_write(scene->canvas, area, 0, column, STYLE_BAR, reply_text(status, "server", "fricidd"));
    column = canvas_write(scene->canvas, area, 0, column, STYLE_BAR, " ");
    column = canvas_write(scene->canvas, area, 0, column, STYLE_BAR, reply_text(status, "version", ""));
    column = add(scene, area, column, STYLE_BAR, simulated_words(json_object_get(status, "rigs")).text);
    column = add(scene, area, column, lost ? STYLE_BAD : STYLE_BAR, loss_words(&losses).text);
    column = add(scene, area, column, STYLE_BAR,
                 phrase_format("up %s", describe_duration(reply_number(status, "uptime_s")).text).text);
    column = add(scene, area, column, STYLE_BAR, store_words(json_object_get(status, "store"), scene->glyphs).text);
    add(scene, area, column, STYLE_BAR, reply_text(status, "host", ""));
}

/* The worst of what is wrong, or that nothing is. */
static void draw_problems(const struct scene *scene, struct area area)
{
    const struct model *model = scene->model;
    const struct findings *findings = &model->findings;
    const struct finding *worst = &findings->all[0];
    const char *more = scene->glyphs->to;
    if (!model->connected)
        canvas_sentence(scene->canvas, area, 1, 1, STYLE_BAD, phrase_format("! %s", model->complaint.text).text, more);
    else if (model->failed)
        canvas_sentence(scene->canvas, area, 1, 1, STYLE_BAD, "! memory is short: not everything is shown", more);
    else if (findings->count == 0)
        canvas_write(scene->canvas, area, 1, 1, STYLE_QUIET, "nothing is wrong");
    else
        canvas_sentence(scene->canvas, area, 1, 1, worst->level == FINDING_PROBLEM ? STYLE_BAD : STYLE_ACTIVE,
                        phrase_format("! %s%s", worst->sentence.text,
                                      findings->count > 1
                                          ? phrase_format(" (and %zu more: fricidctl status)", findings->count - 1).text
                                          : "")
                            .text,
                        more);
}

void panel_head_draw(const struct scene *scene, struct area area)
{
    const struct model *model = scene->model;
    const time_t clock = (time_t)scene->clock;
    char moment[sizeof "14:02:11 UTC"];
    struct tm time;
    gmtime_r(&clock, &time);
    strftime(moment, sizeof moment, "%H:%M:%S UTC", &time);
    const int room = area.columns - (int)sizeof moment - 1;
    const struct area left = {area.row, area.column, 1, room};
    canvas_paint_row(scene->canvas, area, 0, STYLE_BAR);
    canvas_write_right(scene->canvas, (struct area){area.row, area.column, 1, area.columns - 1}, 0, room, STYLE_BAR,
                       moment);
    if (!model->connected)
        canvas_sentence(scene->canvas, left, 0, 1, STYLE_BAD, "! no connection: fricidd is tried again every second",
                        scene->glyphs->to);
    else if (scene->now_s - model->heard_s > silence_s)
        canvas_sentence(
            scene->canvas, left, 0, 1, STYLE_BAD,
            phrase_format("! fricidd has said nothing for %s", describe_duration(scene->now_s - model->heard_s).text)
                .text,
            scene->glyphs->to);
    else
        draw_daemon(scene, left, 1);
    draw_problems(scene, area);
}
