/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/explained_lines.h"

#include "identify/ring_down/without_modes.h"

#include <math.h>

/* Whether a mode may be a part of others: it does not decay, while another one has a law. */
static bool is_any_in_question(const struct told_modes *modes)
{
    bool known = false, asked = false;
    for (size_t r = 0; r < *modes->count; r++) {
        known = known || modes->mode[r].verdict == VERDICT_OK;
        asked = asked || modes->mode[r].verdict == VERDICT_NOT_DECAYING;
    }
    return known && asked;
}

/* Whether a line of the spectrum is in a mode's band. */
static bool stands_out(const struct ring_down_mode *mode, const struct spectral_mode *line, size_t lines)
{
    for (size_t k = 0; k < lines; k++)
        if (line[k].f_hz > mode->band_hz[0] && line[k].f_hz < mode->band_hz[1])
            return true;
    return false;
}

static void keep_standing(const struct told_modes *modes, const struct spectral_mode *line, size_t lines)
{
    size_t kept = 0;
    for (size_t r = 0; r < *modes->count; r++)
        if (modes->mode[r].verdict != VERDICT_NOT_DECAYING || stands_out(&modes->mode[r], line, lines)) {
            if (kept != r)
                modes->mode[kept] = modes->mode[r];
            kept++;
        } else {
            told_modes_leave(modes, &modes->mode[r], NULL);
        }
    *modes->count = kept;
}

enum verdict explained_lines_leave(const struct ring_down_samples *samples, const atomic_bool *cancel,
                                   const struct told_modes *modes)
{
    struct without_modes without = {NULL, {NULL}};
    struct spectral_mode line[RING_DOWN_MODES];
    if (!is_any_in_question(modes))
        return VERDICT_OK;
    enum verdict verdict = without_modes_of(samples, modes->mode, *modes->count, cancel, &without);
    if (verdict == VERDICT_OK) {
        const double *rest[PASS_SENSORS];
        for (size_t m = 0; m < samples->sensors; m++)
            rest[m] = without.of[m];
        /* What does not decay does not fall. */
        const int lines =
            spectral_modes_of(rest, samples->sensors, samples->count, samples->rate_hz, 0, line, RING_DOWN_MODES, NULL);
        if (lines < 0)
            verdict = VERDICT_NO_MEMORY;
        else
            keep_standing(modes, line, (size_t)lines);
    }
    without_modes_clear(&without);
    return verdict;
}
