/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SENSED_BLOWS_H
#define FRICID_IDENTIFY_SENSED_BLOWS_H

#include "identify/record_analysis.h"
#include "identify/ring_down/blow.h"
#include "identify/ring_down/stretch.h"

/* Blows of one record that are counted. */
enum { BLOWS_MOST = 64 };

/* What several sensors measured at the same times; all is borrowed. */
struct sensed_blows {
    const struct stretch *const *stretch; /* of `sensors`, the strongest first */
    size_t sensors, count;                /* samples of each */
    const struct record_seen *seen;       /* of the stream that the record was cut from; NULL: nothing */
};

/* The blows that the strongest sensor sees, without samples that another one cannot use, by time; where none is found,
 * and the record begins in a ring-down, blows[0] is that. found: how many there are, of which BLOWS_MOST are kept.
 * VERDICT_OK, or why there is none. */
enum verdict sensed_blows_find(const struct sensed_blows *of, struct blow blows[BLOWS_MOST], size_t *found);

/* Bridges wild samples, blow->wild of them, for they look like a hammer. Where the hammer came back within a quarter of
 * a second (push.h), by any sensor, once or several times, the ring-down begins behind that, and blow->second is the
 * first time. VERDICT_OK or VERDICT_NO_MEMORY. */
enum verdict sensed_blows_leave_second(const struct sensed_blows *of, struct blow *blow);

#endif
