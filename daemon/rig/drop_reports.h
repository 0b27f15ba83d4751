/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_DROP_REPORTS_H
#define FRICID_DROP_REPORTS_H

#include "segment/segmenter.h"

#include <stdbool.h>
#include <stdint.h>

/* Bounds how often a channel tells of dropped candidates: the first few of a minute one by one, the others together at
 * its end, so that a noisy channel fills neither the log nor the history. A zeroed struct is a fresh one. */
struct drop_reports {
    double minute_began_s; /* CLOCK_MONOTONIC */
    unsigned told;         /* one by one, in this minute */
    double held_since_s;   /* the first of those below */
    uint64_t held[DROP_REASONS];
};

enum { DROP_REPORTS_A_MINUTE = 10 };

/* A candidate was dropped. True: tell of it now; false: it is counted. */
bool drop_reports_take(struct drop_reports *reports, enum drop_reason reason, double now_s);

/* Something has been held for a minute: it should be told. */
bool drop_reports_due(const struct drop_reports *reports, double now_s);

uint64_t drop_reports_held(const struct drop_reports *reports, enum drop_reason reason);

/* All was told. */
void drop_reports_clear(struct drop_reports *reports);

#endif
