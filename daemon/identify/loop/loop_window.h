/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_WINDOW_H
#define FRICID_IDENTIFY_LOOP_WINDOW_H

#include "identify/loop/loop_signal.h"
#include "identify/loop/loop_turn.h"

/* Which samples about a turn tell of it. */

/* Samples on either side of the middle one at least. */
enum { LOOP_WINDOW_LEAST = 3 };

struct loop_window {
    size_t from, middle, to; /* samples */
};

/* How long on either side of its extreme sample a reversal stays near that, up to a gap, s. */
double loop_window_reach_s(const struct loop_signal *signal, const struct loop_reversal *reversal);

/* The shortest time on either side of a sample that windows have, s; of one that has the least of samples there. */
double loop_window_least_s(const struct loop_signal *signal, size_t middle);

/* The samples that are within that time of the middle one, however unevenly they come, and the least in any case.
 * False: a gap or an end of the signal is closer. */
bool loop_window_about(const struct loop_signal *signal, const struct loop_half_cycle *half, size_t middle,
                       double reach_s, struct loop_window *window);

/* The first and the last of the samples about the extreme one that are away from it by no more than a share of the
 * swing, up to a gap. */
void loop_window_top(const struct loop_signal *signal, double share, const struct loop_reversal *reversal,
                     size_t ends[2]);

/* A curve explains so many samples where what it leaves of them is no more times as large as the noise. */
double loop_window_explained(const struct loop_signal *signal, size_t samples);

#endif
