/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_MONITOR_TRACE_H
#define FRICID_CLIENT_MONITOR_TRACE_H

#include <stdbool.h>
#include <stddef.h>

/* The last while of a channel: from where to where it went, window by window, in a ring. The daemon tells ten windows a
 * second. */

/* So much of it is held, s: the longest span, and what a trace that stands still may be looked at. */
#define TRACE_HELD_S 1800.0

struct window {
    double end_s; /* on this computer's clock */
    float length_s, least, most;
};

struct trace {
    struct window *windows; /* NULL: none has come */
    size_t count, next;     /* held; where the next one goes */
};

/* 0, or -ENOMEM. A window of which nothing is known is left out. Windows follow each other: where this one begins
 * before those before it have ended, these came late, and are put back to where they ended. A tenth of a window is no
 * delay. */
int trace_add(struct trace *trace, struct window window);

/* The i-th, the oldest first. */
const struct window *trace_at(const struct trace *trace, size_t i);

/* The first one that ends behind this time; trace->count: none does. */
size_t trace_since(const struct trace *trace, double time_s);

/* From where to where it went between two times; false: nothing is known. */
bool trace_reach(const struct trace *trace, double from_s, double to_s, double *least, double *most);

void trace_clear(struct trace *trace);

#endif
