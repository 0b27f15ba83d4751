/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The screen as a whole. */

#include "client/monitor/panels.h"

#include "client/monitor/keys.h"
#include "client/wrapped.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void (*const draws[PANELS])(const struct scene *scene, struct area area) = {
    [PANEL_HEAD] = panel_head_draw,   [PANEL_CHANNELS] = panel_channels_draw, [PANEL_TRACE] = panel_trace_draw,
    [PANEL_DECAY] = panel_decay_draw, [PANEL_RESULTS] = panel_results_draw,   [PANEL_EVENTS] = panel_events_draw,
    [PANEL_KEYS] = panel_keys_draw,
};

/* Lines of a text, wrapped as they are, from that one on. */
static void draw_text(const struct scene *scene, struct area area, const char *text, size_t first)
{
    for (size_t line = 0; *text; line++) {
        const size_t length = strcspn(text, "\n");
        char *words = strndup(text, length);
        if (words && line >= first)
            canvas_write(scene->canvas, area, (int)(line - first), 0, STYLE_PLAIN, words);
        free(words);
        text += length;
        text += *text == '\n';
    }
}

static void draw_help(const struct scene *scene, struct area area)
{
    const struct key_help *help;
    int row = 1;
    canvas_write(scene->canvas, area, row++, 1, STYLE_STRONG, "Keys");
    for (size_t i = 0; (help = keys_help(PAGE_PANELS, i)); i++, row++) {
        canvas_write(scene->canvas, area, row, 1, STYLE_ACTIVE, help->name);
        canvas_sentence(scene->canvas, area, row, 10, STYLE_PLAIN, help->sentence, scene->glyphs->to);
    }
    row++;
    for (size_t i = 0; (help = keys_help(PAGE_HELP, i)); i++, row++) {
        canvas_write(scene->canvas, area, row, 1, STYLE_ACTIVE, help->name);
        canvas_sentence(scene->canvas, area, row, 10, STYLE_PLAIN, help->sentence, scene->glyphs->to);
    }
}

static void draw_page(const struct scene *scene)
{
    const struct canvas *canvas = scene->canvas;
    const struct area all = canvas_area(canvas), area = {1, 0, all.rows - 2, all.columns};
    panel_head_draw(scene, (struct area){0, 0, 1, all.columns});
    if (scene->view->page == PAGE_HELP)
        draw_help(scene, area);
    else if (scene->view->text)
        draw_text(scene, area, scene->view->text, scene->view->line);
    else
        canvas_write(scene->canvas, area, 1, 1, STYLE_QUIET, "the daemon is asked for it");
    panel_keys_draw(scene, (struct area){all.rows - 1, 0, 1, all.columns});
}

static void draw_too_small(const struct scene *scene)
{
    const struct area all = canvas_area(scene->canvas);
    char sentence[128];
    char *lines = NULL;
    size_t size;
    snprintf(sentence, sizeof sentence, "The monitor needs %d columns and %d lines; here are %d and %d. q ends it.",
             LAYOUT_LEAST_COLUMNS, LAYOUT_LEAST_ROWS, all.columns, all.rows);
    FILE *out = open_memstream(&lines, &size);
    if (!out)
        return;
    wrapped_print(sentence, (size_t)all.columns, out);
    if (fclose(out) == 0)
        draw_text(scene, all, lines, 0);
    free(lines);
}

void panels_draw(const struct scene *scene)
{
    const struct layout layout =
        layout_for(scene->canvas->rows, scene->canvas->columns, (int)scene->model->channel_count);
    if (layout.too_small)
        draw_too_small(scene);
    else if (scene->view->page != PAGE_PANELS)
        draw_page(scene);
    for (int p = 0; !layout.too_small && scene->view->page == PAGE_PANELS && p < PANELS; p++)
        if (layout.panels[p].rows > 0)
            draws[p](scene, layout.panels[p]);
}
