/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Counts that slip: the half of recorder_faults.h that is no matter of the clock. */

#include "identify/common/small_least_squares.h"
#include "identify/ladder/recorder_faults.h"

#include <math.h>

/* The middles of the cycles take this part of the residual's squares, and so many times what noise would make of them.
 * The largest of 70 simulated records of all rungs were 0.034 and 1.7. */
static const double SHARE_LEAST = 0.25, NOISE_LEAST = 4;

/* A zero that moves slowly is a drift and no step: a line and a bend over the cycles. */
enum { TREND = 3 };

static void trend_row(const struct ladder_cycles *cycles, size_t n, double row[SMALL_MAX])
{
    const double u = 2 * (double)n / (double)cycles->count - 1;
    row[0] = 1;
    row[1] = u;
    row[2] = u * u;
}

static bool zero_trend(const struct ladder_cycles *cycles, double trend[SMALL_MAX])
{
    struct small_least_squares line = {.unknowns = TREND};
    for (size_t n = 0; n < cycles->count; n++) {
        double row[SMALL_MAX];
        trend_row(cycles, n, row);
        if (cycles->cycle[n].known)
            small_least_squares_add(&line, row, cycles->cycle[n].value[CYCLE_ZERO]);
    }
    return small_least_squares_solve(&line, trend, NULL);
}

struct zero_steps zero_steps_from(const struct ladder_data *data, const struct ladder_rung *rung,
                                  const struct ladder_cycles *cycles)
{
    double squares = 0, of_noise = 0, known = 0, trend[SMALL_MAX];
    const bool trended = zero_trend(cycles, trend);
    for (size_t n = 0; n < cycles->count; n++) {
        const struct ladder_cycle *cycle = &cycles->cycle[n];
        double row[SMALL_MAX], beside = cycle->value[CYCLE_ZERO];
        trend_row(cycles, n, row);
        for (size_t p = 0; trended && p < TREND; p++)
            beside -= row[p] * trend[p];
        squares += cycle->known ? beside * beside : 0;
        of_noise += cycle->known ? cycle->variance[CYCLE_ZERO] * cycles->variance : 0;
        known += cycle->known;
    }
    if (known < RECORDER_CYCLES_LEAST || !trended)
        return (struct zero_steps){.found = false, .rms = NAN, .share = NAN};
    of_noise *= (known - TREND) / known;
    const double mean = squares / (known - TREND), share = mean / (rung->normal.squares / (double)data->count);
    return (struct zero_steps){.found = share > SHARE_LEAST && squares > NOISE_LEAST * of_noise,
                               .rms = sqrt(mean) * data->unit,
                               .share = share};
}
