/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_AGE_CLOCK_H
#define FRICID_STORE_AGE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* How old stored decays are, whatever happens to the time of day. While the daemon runs, a clock goes on that nobody
 * sets; it is ahead of the time of day by a shift, which changes when that is set. Between two runs there is nothing
 * but the date: what it says of a pause longer than an hour is believed when somebody has looked at it, or when the
 * daemon has run for a day meanwhile. All times are in nanoseconds. */

#define AGE_CLOCK_HOUR (3600 * INT64_C(1000000000))
#define AGE_CLOCK_DAY (24 * AGE_CLOCK_HOUR)

/* Small steps of the date are remembered by the hour of running, for a day and the hour that has begun. */
enum { AGE_CLOCK_HOURS = 25 };

struct clock_reading {
    int64_t realtime_ns; /* CLOCK_REALTIME */
    int64_t running_ns;  /* of a clock that goes on while the machine sleeps, and is never set */
};

struct age_clock {
    struct clock_reading seen;         /* at the last look */
    int64_t shift_ns;                  /* what to add to CLOCK_REALTIME */
    int64_t pause_ns;                  /* of it, the pauses between runs that are not believed yet */
    int64_t waited_ns;                 /* of running since the date was last found to have moved */
    bool waiting;                      /* and since then nothing is called old */
    int64_t small_ns[AGE_CLOCK_HOURS]; /* what small steps moved the date by, in this run */
};

/* Goes on where the last run stopped: `known_ns` is what this clock then showed, INT64_MIN when nobody knows; of `last`
 * shift, pause and wait hold. */
void age_clock_start(struct age_clock *clock, const struct age_clock *last, int64_t known_ns,
                     const struct clock_reading *now);

/* Whether the shift has changed: a step is taken back that is larger than an hour, and so are smaller ones that move
 * the date by more than that within a day. */
bool age_clock_look(struct age_clock *clock, const struct clock_reading *now);

/* What it showed at the last look. */
int64_t age_clock_time(const struct age_clock *clock);

/* The date is right: somebody says so. Whether the shift has changed: the new one holds since the pause began. */
bool age_clock_confirm(struct age_clock *clock);

/* Whether a day of running is enough to believe the date: not when it alone would make everything older than
 * `keep_ns`. */
bool age_clock_has_waited(const struct age_clock *clock, int64_t keep_ns);

#endif
