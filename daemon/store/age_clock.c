/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A step of the time of day is seen against the clock that nobody sets, and taken back. */

#include "store/age_clock.h"

#include <string.h>

static bool is_small(int64_t difference_ns)
{
    return difference_ns <= AGE_CLOCK_HOUR && difference_ns >= -AGE_CLOCK_HOUR;
}

int64_t age_clock_time(const struct age_clock *clock)
{
    return clock->seen.realtime_ns + clock->shift_ns;
}

static void begin_to_wait(struct age_clock *clock)
{
    clock->waiting = true;
    clock->waited_ns = 0;
}

/* A date that went back says nothing of how long the pause was: then it counts as none. */
void age_clock_start(struct age_clock *clock, const struct age_clock *last, int64_t known_ns,
                     const struct clock_reading *now)
{
    *clock = *last;
    clock->seen = *now;
    memset(clock->small_ns, 0, sizeof clock->small_ns);
    int64_t pause_ns = known_ns == INT64_MIN ? 0 : age_clock_time(clock) - known_ns;
    if (is_small(pause_ns))
        return;
    if (pause_ns < 0 || !clock->waiting)
        begin_to_wait(clock);
    clock->shift_ns -= pause_ns;
    clock->pause_ns += pause_ns;
}

/* When a step takes back what was not believed, the date is as it was before. */
static void take_step(struct age_clock *clock, int64_t step_ns)
{
    const bool undone = clock->pause_ns != 0 && is_small(clock->pause_ns + step_ns);
    clock->shift_ns += undone ? clock->pause_ns : -step_ns;
    clock->pause_ns = 0;
    begin_to_wait(clock);
    clock->waiting = !undone;
}

/* How far small steps have moved the date within the last day, with one that came between the last look and now. */
static int64_t moved_within_a_day(struct age_clock *clock, const struct clock_reading *now, int64_t step_ns)
{
    const int64_t before = clock->seen.running_ns / AGE_CLOCK_HOUR, hour = now->running_ns / AGE_CLOCK_HOUR;
    int64_t moved_ns = 0;
    for (int64_t begun = before + 1; begun <= hour && begun <= before + AGE_CLOCK_HOURS; begun++)
        clock->small_ns[begun % AGE_CLOCK_HOURS] = 0;
    clock->small_ns[hour % AGE_CLOCK_HOURS] += step_ns;
    for (int i = 0; i < AGE_CLOCK_HOURS; i++)
        moved_ns += clock->small_ns[i];
    return moved_ns;
}

bool age_clock_look(struct age_clock *clock, const struct clock_reading *now)
{
    const int64_t elapsed_ns = now->running_ns - clock->seen.running_ns;
    int64_t step_ns = now->realtime_ns - clock->seen.realtime_ns - elapsed_ns;
    if (is_small(step_ns))
        step_ns = moved_within_a_day(clock, now, step_ns);
    clock->seen = *now;
    clock->waited_ns += clock->waiting ? elapsed_ns : 0;
    if (is_small(step_ns))
        return false;
    memset(clock->small_ns, 0, sizeof clock->small_ns);
    take_step(clock, step_ns);
    return true;
}

bool age_clock_confirm(struct age_clock *clock)
{
    const int64_t believed_ns = clock->pause_ns > 0 ? clock->pause_ns : 0;
    clock->shift_ns += believed_ns;
    clock->pause_ns = 0;
    clock->waiting = false;
    clock->waited_ns = 0;
    return believed_ns > 0;
}

bool age_clock_has_waited(const struct age_clock *clock, int64_t keep_ns)
{
    return clock->waited_ns >= AGE_CLOCK_DAY && clock->pause_ns < keep_ns;
}
