/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_STEADY_LINES_H
#define FRICID_IDENTIFY_STEADY_LINES_H

#include "identify/ring_down/ring_down_mode.h"

/* Lines of one record that are told, the strongest. */
enum { STEADY_LINES = 8 };

/* What goes on through a blow as it was before: hum of the mains, or a machine beside. It is no mode. */
struct steady_line {
    double f_hz, se_f_hz;
    double amplitude, se_amplitude; /* of the displacement, at the sensor that sees most of it */
    const char *sensor;             /* borrowed */
};

/* The samples before a blow: how far before the ring-down's first they begin, and how many; 0: nothing is calm. */
struct calm_before {
    size_t ago, count;
};

/* Looks for them in what the modes that have an answer leave of a ring-down; a line is one that the calm has as well.
 * found: how many. VERDICT_OK, VERDICT_NO_MEMORY or VERDICT_CANCELLED. */
enum verdict steady_lines_of(const struct ring_down_samples *samples, struct calm_before calm,
                             const struct ring_down_mode *modes, size_t count, const atomic_bool *cancel,
                             struct steady_line lines[STEADY_LINES], size_t *found);

/* Modes that do not decay, and in whose bands such a line is, are these lines, and none of the modes. */
void steady_lines_remove(const struct steady_line *lines, size_t found, struct ring_down_mode *modes, size_t *count);

#endif
