/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The bottom line: the keys, as many as there is room for. */

#include "client/monitor/keys.h"
#include "client/monitor/panels.h"
#include "client/text_width.h"

#include <string.h>

static const char *arrows(const struct scene *scene, const char *name)
{
    return strcmp(name, "up/down") == 0 && !scene->glyphs->ascii ? "↑↓" : name;
}

void panel_keys_draw(const struct scene *scene, struct area area)
{
    const struct key_help *help;
    int column = 1;
    canvas_paint_row(scene->canvas, area, 0, STYLE_BAR);
    for (size_t i = 0; (help = keys_help(scene->view->page, i)); i++) {
        const char *name = arrows(scene, help->name);
        const int width = (int)(text_width(name) + 1 + text_width(help->brief));
        if (column + width > area.columns)
            continue;
        column = canvas_write(scene->canvas, area, 0, column, STYLE_BAR, name);
        column = canvas_write(scene->canvas, area, 0, column, STYLE_BAR, " ");
        column = canvas_write(scene->canvas, area, 0, column, STYLE_BAR, help->brief) + 2;
    }
}
