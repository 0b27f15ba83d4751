/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/law_correct.h"

#include "identify/ring_down/deferred_correction.h"

#include <errno.h>
#include <math.h>

static void add_rest(const struct mode_pass *pass, const struct mode_sum *sum, size_t sensor, struct mode_band *band)
{
    const size_t count = band->samples.count;
    double rest = 0;
    for (size_t i = 0; i < count; i++)
        rest += creal(mode_pass_left(pass, sum, sensor, i)) / (double)count;
    for (size_t i = 0; i < count; i++)
        band->correction[sensor * count + i] += rest;
}

/* Where a mass that slipped comes to rest follows from all that the joint did before, also from what no sample shows: a
 * displacement without a filter has a zero that nobody knows. */
static enum verdict add_zeros(const struct mode_sum *sum, struct mode_band *band)
{
    struct mode_sum seen = *sum;
    struct mode_pass *pass = mode_pass_create(&band->samples, sum);
    if (!pass)
        return VERDICT_NO_MEMORY;
    const bool follows = isfinite(mode_pass_follow(pass, &seen));
    for (size_t m = 0; follows && m < band->samples.sensors; m++)
        add_rest(pass, &seen, m, band);
    mode_pass_free(pass);
    return follows ? VERDICT_OK : VERDICT_NOT_CONVERGED;
}

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
    if (verdict == VERDICT_OK && record->sensed == SENSED_DISPLACEMENT && !band->samples.analytic)
        verdict = add_zeros(sum, band);
    return verdict;
}
