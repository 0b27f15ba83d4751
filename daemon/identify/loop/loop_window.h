/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_WINDOW_H
#define FRICID_IDENTIFY_LOOP_WINDOW_H

#include "identify/loop/loop_signal.h"
#include "identify/loop/loop_turn.h"

/* Which samples about an extreme one tell of the turn. */

/* Samples on either side of it at least. */
enum { LOOP_WINDOW_LEAST = 3 };

/* So many samples on either side of the extreme one are near it, up to a gap; `most`: are there, up to a gap. */
size_t loop_window_reach(const struct loop_signal *signal, const struct loop_half_cycle *half, size_t sample,
                         size_t *most);

/* The first and the last of the samples about the extreme one that are away from it by no more than a share of the
 * swing, up to a gap. */
void loop_window_top(const struct loop_signal *signal, double share, const struct loop_half_cycle *half, size_t sample,
                     size_t ends[2]);

/* A curve explains so many samples where what it leaves of them is no more times as large as the noise. */
double loop_window_explained(const struct loop_signal *signal, size_t samples);

#endif
