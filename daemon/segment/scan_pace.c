/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment/scan_pace.h"

#include <math.h>
#include <string.h>

/* The step of a slower sampling has faded away when so many of it have passed without one. */
static const double fading_steps = 50;

void scan_pace_begin(struct scan_pace *pace)
{
    *pace = (struct scan_pace){.latest_s = NAN};
}

enum outlook { PACE_UNKNOWN, PACE_KEPT, PACE_BROKEN };

/* What the scans that wait tell of the step to the first of them. */
static enum outlook outlook_of(const struct scan_pace *pace)
{
    double time_s[SAMPLING_PACE_STEPS + 1] = {pace->latest_s};
    for (size_t i = 0; i < pace->waits; i++)
        time_s[i + 1] = pace->waiting[i].time_s;
    const double least = (time_s[1] - time_s[0]) / SAMPLING_GAP_STEPS;
    if (time_s[pace->waits] - time_s[pace->waits - 1] < least)
        return PACE_BROKEN;
    if (pace->waits < SAMPLING_PACE_STEPS)
        return PACE_UNKNOWN;
    return sampling_keeps_pace(time_s, SAMPLING_PACE_STEPS + 1, 1) ? PACE_KEPT : PACE_BROKEN;
}

static struct paced_scan let_first_go(struct scan_pace *pace, double step_s, bool behind_gap)
{
    const struct paced_scan due = {pace->waiting[0], behind_gap};
    pace->longest_s = fmax(0, pace->longest_s - (step_s > 0 && !behind_gap ? step_s / fading_steps : 0));
    pace->latest_s = due.scan.time_s;
    memmove(pace->waiting, pace->waiting + 1, --pace->waits * sizeof *pace->waiting);
    return due;
}

size_t scan_pace_take(struct scan_pace *pace, const struct loop_scan *scan, double usual_s,
                      struct paced_scan due[SAMPLING_PACE_STEPS])
{
    size_t count = 0;
    pace->waiting[pace->waits++] = *scan;
    while (pace->waits > 0) {
        const double step_s = pace->waiting[0].time_s - pace->latest_s;
        const bool is_long = step_s > SAMPLING_GAP_STEPS * fmax(usual_s, pace->longest_s);
        const enum outlook outlook = is_long ? outlook_of(pace) : PACE_KEPT;
        if (outlook == PACE_UNKNOWN)
            break;
        if (is_long && outlook == PACE_KEPT)
            pace->longest_s = step_s;
        due[count++] = let_first_go(pace, step_s, outlook == PACE_BROKEN);
    }
    return count;
}

size_t scan_pace_end(struct scan_pace *pace, struct paced_scan due[SAMPLING_PACE_STEPS])
{
    const size_t count = pace->waits;
    for (size_t i = 0; i < count; i++)
        due[i] = (struct paced_scan){pace->waiting[i], false};
    scan_pace_begin(pace);
    return count;
}
