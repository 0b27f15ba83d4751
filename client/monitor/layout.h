/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_MONITOR_LAYOUT_H
#define FRICID_CLIENT_MONITOR_LAYOUT_H

#include "client/monitor/canvas.h"

#include <stdbool.h>

/* Where what stands, for a size of the terminal. */

enum panel_name {
    PANEL_HEAD,
    PANEL_CHANNELS,
    PANEL_TRACE,
    PANEL_DECAY,
    PANEL_RESULTS,
    PANEL_EVENTS,
    PANEL_KEYS,
    PANELS
};

/* Below this size nothing would be readable. */
enum { LAYOUT_LEAST_ROWS = 15, LAYOUT_LEAST_COLUMNS = 60 };

struct layout {
    bool too_small;
    struct area panels[PANELS]; /* one for which there is no room has no rows */
};

/* channels: how many there are to be shown. */
struct layout layout_for(int rows, int columns, int channels);

#endif
