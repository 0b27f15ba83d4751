/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What panels share. */

#include "client/monitor/scene.h"

const struct channel *scene_channel(const struct scene *scene)
{
    const struct model *model = scene->model;
    return scene->view->channel < model->channel_count ? &model->channels[scene->view->channel] : NULL;
}

void scene_title(const struct scene *scene, struct area area, const char *title)
{
    for (int column = 0; column < area.columns; column++)
        canvas_write(scene->canvas, area, 0, column, STYLE_QUIET, scene->glyphs->ascii ? "-" : "─");
    const int column = canvas_write(scene->canvas, area, 0, 2, STYLE_STRONG, " ");
    const int end = canvas_sentence(scene->canvas, area, 0, column, STYLE_STRONG, title, scene->glyphs->to);
    canvas_write(scene->canvas, area, 0, end, STYLE_STRONG, " ");
}
