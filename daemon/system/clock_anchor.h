/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLOCK_ANCHOR_H
#define FRICID_CLOCK_ANCHOR_H

#include "proto/clock.h"

/* Ties a source's own clock to the time of day. Samples arrive late by a varying amount, never early, so the smallest
 * delay between a sample's time and its arrival is nearest to the truth; it is kept over two windows of a minute, so
 * that a slow drift of the card's clock is followed. */
struct clock_anchor {
    double smallest[2];    /* of the running and the last window: CLOCK_MONOTONIC minus source time, s */
    double window_began_s; /* CLOCK_MONOTONIC */
};

void clock_anchor_init(struct clock_anchor *anchor);

/* A block has arrived whose last sample was taken at source_s, the source's clock. */
void clock_anchor_note(struct clock_anchor *anchor, double source_s);

/* CLOCK_REALTIME of a moment on the source's clock, ns; INT64_MIN before the first block. */
int64_t clock_anchor_realtime_ns(const struct clock_anchor *anchor, double source_s);

/* How far CLOCK_REALTIME is ahead of CLOCK_MONOTONIC, ns: it changes when the time of day is set. */
int64_t clock_realtime_ahead_ns(void);

#endif
