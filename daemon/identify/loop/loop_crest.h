/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_CREST_H
#define FRICID_IDENTIFY_LOOP_CREST_H

#include "identify/loop/loop_signal.h"
#include "identify/loop/loop_turn.h"

#include <stdbool.h>

/* A displacement turns back smoothly: 1, s, s^2 and s^4 over s = (time - middle)/half from -1 to 1. Without the last a
 * crest of a sine would seem lower by 6e-4 of its amplitude where the window reaches to a fifth of that. */
enum { LOOP_CREST_TERMS = 4 };

/* Of the samples from `from` to `to`, where that is highest, or lowest. False: they do not tell. */
bool loop_crest_fit(const struct loop_signal *signal, size_t from, size_t to, bool upper, struct loop_vertex *vertex);

/* Where such a crest is at a time, which noise makes no higher, as it does a vertex. False: they do not tell. */
bool loop_crest_at(const struct loop_signal *signal, size_t from, size_t to, double time_s, double *displacement);

#endif
