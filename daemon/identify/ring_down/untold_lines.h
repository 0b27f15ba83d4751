/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_UNTOLD_LINES_H
#define FRICID_IDENTIFY_UNTOLD_LINES_H

#include "identify/ring_down/ring_down_mode.h"

/* Modes of a ring-down, `count` of them, and what is no mode of it, borrowed. */
struct told_modes {
    struct ring_down_mode *mode;
    size_t *count;
    struct left_lines *left;
};

/* One of them is explained by another, NULL: by any, and is to be told as a line alone. */
void told_modes_leave(const struct told_modes *modes, const struct ring_down_mode *mode,
                      const struct ring_down_mode *by);

/* Two lines of a spectrum keep each other's bands narrow. Where so nothing can be told of either, the weaker one may be
 * none, but what is left of another motion: the stronger one is looked at without it, and where that tells a mode the
 * weaker one is left out. line: the `lines` that the modes were looked for at, by frequency. What
 * ring_down_mode_ended() says of the latest, or VERDICT_OK. */
enum verdict untold_lines_look_past(const struct ring_down_samples *samples, const struct spectral_mode *line,
                                    size_t lines, const struct identify_settings *settings,
                                    const struct told_modes *modes);

/* Modes of which nothing is told because the next one keeps their bands too narrow for so short a record are
 * modes_too_near, and their reason says so. */
void untold_lines_name(const struct ring_down_samples *samples, const struct told_modes *modes);

#endif
