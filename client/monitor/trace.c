/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A ring of windows of a signal. */

#include "client/monitor/trace.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Ten windows a second, as the protocol has it. */
enum { HELD = (int)(10 * TRACE_HELD_S) };

/* So late, as a part of a window's length, what is told usually is. */
static const double USUAL_DELAY = 0.1;

/* What is told late comes at one time; the sum of their lengths says when each of them was. */
static void put_back(struct trace *trace)
{
    for (size_t i = trace->count - 1; i > 0; i--) {
        const struct window *window = trace_at(trace, i);
        struct window *before = &trace->windows[(trace->next + HELD - trace->count + i - 1) % HELD];
        const double begin_s = window->end_s - window->length_s;
        if (!(before->end_s > begin_s + USUAL_DELAY * window->length_s))
            return;
        before->end_s = begin_s;
    }
}

int trace_add(struct trace *trace, struct window window)
{
    if (!isfinite(window.least) || !isfinite(window.most) || !isfinite(window.end_s))
        return 0;
    if (!trace->windows)
        trace->windows = calloc(HELD, sizeof *trace->windows);
    if (!trace->windows)
        return -ENOMEM;
    trace->windows[trace->next] = window;
    trace->next = (trace->next + 1) % HELD;
    trace->count += trace->count < HELD;
    put_back(trace);
    return 0;
}

const struct window *trace_at(const struct trace *trace, size_t i)
{
    return &trace->windows[(trace->next + HELD - trace->count + i) % HELD];
}

size_t trace_since(const struct trace *trace, double time_s)
{
    size_t first = 0, behind = trace->count;
    while (first < behind) {
        const size_t middle = (first + behind) / 2;
        if (trace_at(trace, middle)->end_s > time_s)
            behind = middle;
        else
            first = middle + 1;
    }
    return first;
}

bool trace_reach(const struct trace *trace, double from_s, double to_s, double *least, double *most)
{
    bool any = false;
    for (size_t i = trace_since(trace, from_s); i < trace->count; i++) {
        const struct window *window = trace_at(trace, i);
        if (window->end_s - window->length_s > to_s)
            break;
        *least = any ? fmin(*least, window->least) : window->least;
        *most = any ? fmax(*most, window->most) : window->most;
        any = true;
    }
    return any;
}

void trace_clear(struct trace *trace)
{
    free(trace->windows);
    *trace = (struct trace){0};
}
