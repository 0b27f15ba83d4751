/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/without_modes.h"

#include "identify/ring_down/law_fitting.h"

#include <stdlib.h>
#include <string.h>

enum verdict without_modes_of(const struct ring_down_samples *samples, const struct ring_down_mode *modes, size_t count,
                              const atomic_bool *cancel, struct without_modes *without)
{
    enum verdict verdict = VERDICT_OK;
    without->room = calloc((samples->sensors + 1) * samples->count, sizeof *without->room);
    if (!without->room)
        return VERDICT_NO_MEMORY;
    for (size_t m = 0; m < samples->sensors; m++) {
        without->of[m] = without->room + (m + 1) * samples->count;
        memcpy(without->of[m], samples->level[m], samples->count * sizeof *without->of[m]);
    }
    for (size_t r = 0; r < count && !law_fitting_is_over(verdict); r++)
        if (modes[r].verdict == VERDICT_OK && modes[r].motion.there)
            verdict = mode_motion_take_away(&modes[r].motion, samples->sensed, samples->rate_hz, cancel, without->room,
                                            without->of, samples->sensors, samples->count);
    return law_fitting_is_over(verdict) ? verdict : VERDICT_OK;
}

void without_modes_clear(struct without_modes *without)
{
    free(without->room);
    without->room = NULL;
}
