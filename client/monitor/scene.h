/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_MONITOR_SCENE_H
#define FRICID_CLIENT_MONITOR_SCENE_H

#include "client/monitor/canvas.h"
#include "client/monitor/model.h"
#include "client/monitor/view.h"

#include <stdint.h>

/* What is drawn, where, and how it looks at it. */
struct scene {
    struct canvas *canvas;
    const struct model *model;
    const struct view *view;
    const struct glyphs *glyphs;
    double now_s;  /* of clock_monotonic_s() */
    int64_t clock; /* s since 1970 */
};

/* The chosen channel; NULL: there is none. */
const struct channel *scene_channel(const struct scene *scene);

/* The first row of a panel: its title in a line across. */
void scene_title(const struct scene *scene, struct area area, const char *title);

#endif
