/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_CARD_CLOCK_H
#define FRICID_ACQUIRE_CARD_CLOCK_H

#include <stddef.h>

enum { CARD_CLOCK_WINDOWS = 64 };

/* The clock of a card against CLOCK_MONOTONIC. Source time is what the card's clock says: the scan's index times the
 * period that the card accepted. Scans are seen late by a varying amount, never early, so the smallest delay of a
 * window of time is nearest to the truth, and a straight line through these tells how fast the card's clock runs.
 *
 * Pure: it is told the time. When all windows are used, two and two become one, so the line grows to minutes. */
struct card_clock {
    double window_s; /* length of a window */
    double began_s;  /* of the running window, CLOCK_MONOTONIC */
    double best_at_s, best_delay_s;
    double smallest_delay_s; /* since the card was started, s */
    size_t count;
    double at_s[CARD_CLOCK_WINDOWS], delay_s[CARD_CLOCK_WINDOWS];
    /* The line: delay = offset + slope * (CLOCK_MONOTONIC - centre). */
    double centre_s, offset_s, slope, slope_se, scatter_s;
    /* What is told is another line. It follows that one, less the latency, without a step: time stamps hang on it. */
    double told_from_s, told_offset_s, told_slope, told_drift;
    double started_s, start_delay_s;
    double period_s;      /* between two scans */
    double start_error_s; /* how far the start may be from the moment that was noted */
    double latency_s;     /* by how much the line lies above the delay at the start: how late scans are seen at best */
};

void card_clock_init(struct card_clock *clock);

/* The card starts, or starts again, now or up to error_s before or after, with a scan every period_s: a delay is known
 * no better than that. Returns the source time of its first scan: what the clock before would have said, so that source
 * time goes on over a gap; CLOCK_MONOTONIC when there was none. */
double card_clock_start(struct card_clock *clock, double monotonic_s, double error_s, double period_s);

/* At monotonic_s a scan was there whose source time is source_s. */
void card_clock_note(struct card_clock *clock, double source_s, double monotonic_s);

/* What the card's clock says at a moment of CLOCK_MONOTONIC. */
double card_clock_source_s(const struct card_clock *clock, double monotonic_s);

/* How far what is told may be from the truth by now, s: what it still has to follow, the scatter of the line,
 * and how late scans are seen at best. */
double card_clock_error_s(const struct card_clock *clock, double monotonic_s);

/* By how much the card's clock is too fast, relative; NAN: not measured yet. *se is its standard uncertainty. */
double card_clock_rate_error(const struct card_clock *clock, double *se);

#endif
