/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_CORNER_H
#define FRICID_IDENTIFY_LOOP_CORNER_H

#include "identify/loop/loop_signal.h"
#include "identify/loop/loop_turn.h"
#include "identify/loop/loop_window.h"

#include <stdbool.h>

/* Two straight lines cross where a displacement turns back at once, as that of a triangular drive: terms. */
enum { LOOP_CORNER_TERMS = 4 };

/* Of the samples from `from` to `to`, the corner somewhere near `sample` between them; at least three samples are on
 * either side of that. False: the lines do not cross among them. */
bool loop_corner_fit(const struct loop_signal *signal, size_t from, size_t sample, size_t to,
                     struct loop_vertex *corner);

/* A corner that is cut off, as by a dwell of few samples. */
struct loop_cut {
    struct loop_vertex corner; /* where the lines would cross */
    double area;               /* between the lines and the samples about it, outwards */
    double width_s;            /* between the lines at one unit of displacement from where they cross */
};

/* Of such a corner, by lines through the samples that are farther than that from where all of them would have it.
 * False: there are no such lines. */
bool loop_cut_fit(const struct loop_signal *signal, const struct loop_window *window, double apart_s,
                  struct loop_cut *cut);

/* Two straight lines end at a level where it stays before it turns back, as that of a trapezoidal drive: terms,
 * and how many samples tell of them at least. */
enum { LOOP_LEVEL_TERMS = 5, LOOP_LEVEL_SAMPLES = 10 };

/* Of the samples from `from` to `to` the middle between the ends of the lines, and the mean of the samples there.
 * False: they have no level between lines of which one rises and the other falls. */
bool loop_level_fit(const struct loop_signal *signal, size_t from, size_t to, struct loop_vertex *level);

#endif
