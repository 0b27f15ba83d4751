/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/law_correct.h"

#include "identify/ring_down/deferred_correction.h"

#include <errno.h>

enum verdict law_correct(const struct mode_record *record, const struct mode_sum *sum, const atomic_bool *cancel,
                         double *motion, struct mode_band *band)
{
    enum verdict verdict = mode_band_correct_none(band);
    for (size_t r = 0; r < sum->modes && verdict == VERDICT_OK; r++) {
        if (!sum->law[r].joint) /* the slow flow of a linear mode is exact */
            continue;
        const int error = deferred_correction(&sum->law[r], sum->amplitude[r][0], record->sensed, 0,
                                              1 / record->rate_hz, record->count, cancel, motion);
        verdict = error == -ENOMEM      ? VERDICT_NO_MEMORY
                  : error == -ECANCELED ? VERDICT_CANCELLED
                  : error               ? VERDICT_NOT_CONVERGED
                                        : mode_band_correct(band, record, motion, sum->amplitude[r]);
    }
    return verdict;
}
