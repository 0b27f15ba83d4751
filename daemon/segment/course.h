/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_COURSE_H
#define FRICID_SEGMENT_COURSE_H

#include "segment/candidate.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether the latest half cycles together have left the course, in time or in size, that a longer run before them set:
 * a light blow, of which each half cycle by itself could pass for one with noise. *last: the last extremum that was
 * still on it; *half_period: of the run up to there, positions. */
bool candidate_left_course(const struct candidate *candidate, size_t *last, double *half_period);

#endif
