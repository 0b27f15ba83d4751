/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_VERTEX_H
#define FRICID_SEGMENT_VERTEX_H

#include "segment/sample_history.h"

#include <stdbool.h>

/* A turning point is refined by the samples within this part of the time between two of them: so near to it a sine
 * is nearly a parabola. */
#define VERTEX_OF_HALF_PERIOD 0.25

/* A least-squares parabola over [centre - width, centre + width]. False when it has no vertex of the wanted kind
 * within the window: curvature is +1 for a trough, -1 for a crest. */
bool vertex_fit(const struct sample_history *history, double centre, double width, int curvature, double *position,
                double *level);

#endif
