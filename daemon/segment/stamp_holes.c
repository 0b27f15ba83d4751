/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sources with time stamps have no sample index that could jump: a gap shows only in the stamps. */

#include "segment/stamp_holes.h"

#include "motion/sampling_pace.h"

#include <math.h>

/* The longest distance so far counts this part of itself after one more sample. */
static const double fading = 0.98;
/* Longer holes are counted as this many samples. */
static const double most_lost = 1e15;

void stamp_holes_init(struct stamp_holes *holes, bool leaps)
{
    *holes = (struct stamp_holes){.leaps = leaps, .latest_s = NAN};
}

void stamp_holes_restart(struct stamp_holes *holes)
{
    stamp_holes_init(holes, holes->leaps);
}

size_t stamp_holes_run(struct stamp_holes *holes, const double *time_s, size_t count, uint64_t *lost)
{
    *lost = 0;
    for (size_t i = 0; i < count; i++) {
        double distance = time_s[i] - holes->latest_s;
        bool leap = holes->leaps && holes->longest_s > 0 && distance > SAMPLING_GAP_STEPS * holes->longest_s;
        if (leap || distance <= 0) {
            if (i > 0)
                return i;
            *lost = leap ? (uint64_t)fmin(round(distance / holes->longest_s) - 1, most_lost) : 0;
            stamp_holes_restart(holes);
            return 0;
        }
        if (distance > 0) /* not so at the first stamp */
            holes->longest_s = fmax(distance, fading * holes->longest_s);
        holes->latest_s = time_s[i];
    }
    return count;
}
