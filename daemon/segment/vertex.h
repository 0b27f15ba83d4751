/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_VERTEX_H
#define FRICID_SEGMENT_VERTEX_H

#include "segment/sample_history.h"

#include <stdbool.h>

/* A least-squares parabola over [centre - width, centre + width]. False when it has no vertex of the wanted kind
 * within the window: curvature is +1 for a trough, -1 for a crest. */
bool vertex_fit(const struct sample_history *history, double centre, double width, int curvature, double *position,
                double *level);

#endif
