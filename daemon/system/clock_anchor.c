/* SPDX-License-Identifier: GPL-3.0-or-later */

/* When was a sample taken, by the clock on the wall? A source counts scans only; the smallest delay ever seen
 * between a scan's own time and its arrival ties the two together. */

#include "system/clock_anchor.h"

#include <math.h>

/* WINDOW_S: a card's clock that is wrong by 50 ppm drifts by 3 ms in a minute, no more than the event loop delays a
 * block. */
enum { WINDOW_S = 60 };

int64_t clock_realtime_ahead_ns(void)
{
    return clock_realtime_ns() - clock_monotonic_ns();
}

void clock_anchor_init(struct clock_anchor *anchor)
{
    anchor->smallest[0] = anchor->smallest[1] = INFINITY;
    anchor->window_began_s = clock_monotonic_s();
}

void clock_anchor_note(struct clock_anchor *anchor, double source_s)
{
    double now = clock_monotonic_s();
    if (now - anchor->window_began_s > WINDOW_S) {
        anchor->smallest[1] = anchor->smallest[0];
        anchor->smallest[0] = INFINITY;
        anchor->window_began_s = now;
    }
    anchor->smallest[0] = fmin(anchor->smallest[0], now - source_s);
}

int64_t clock_anchor_realtime_ns(const struct clock_anchor *anchor, double source_s)
{
    double offset = fmin(anchor->smallest[0], anchor->smallest[1]);
    double ago = clock_monotonic_s() - (source_s + offset);
    /* No block yet, or 30 years away: such a time must not overflow the nanoseconds. */
    if (!isfinite(ago) || fabs(ago) > 1e9)
        return INT64_MIN;
    return clock_realtime_ns() - (int64_t)(ago * NS_PER_S);
}
