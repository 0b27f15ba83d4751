/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ring_down/mode_motion.h"

#include "identify/ring_down/deferred_correction.h"

#include <errno.h>
#include <math.h>

static enum verdict take_slow_flow(const struct mode_motion *motion, enum sensed sensed, double rate_hz,
                                   double *const *samples, size_t sensors, size_t count)
{
    struct slow_flow *flow = slow_flow_create();
    size_t hint = 0;
    if (!flow)
        return VERDICT_NO_MEMORY;
    const bool follows = slow_flow_follow(flow, &motion->law, sensed, (double)count / rate_hz);
    for (size_t i = 0; i < count && follows; i++) {
        const double complex signal = cexp(slow_flow_at(flow, (double)i / rate_hz, &hint, NULL));
        for (size_t m = 0; m < sensors; m++)
            samples[m][i] -= creal(motion->amplitude[m] * signal);
    }
    slow_flow_free(flow);
    return follows ? VERDICT_OK : VERDICT_NOT_CONVERGED;
}

static size_t strongest(const struct mode_motion *motion, size_t sensors)
{
    size_t most = 0;
    for (size_t m = 1; m < sensors; m++)
        if (cabs(motion->amplitude[m]) > cabs(motion->amplitude[most]))
            most = m;
    return most;
}

/* What the exact motion has beyond its slow flow. */
static enum verdict take_rest(const struct mode_motion *motion, enum sensed sensed, double rate_hz,
                              const atomic_bool *cancel, double *room, double *const *samples, size_t sensors,
                              size_t count)
{
    const double complex reference = motion->amplitude[strongest(motion, sensors)];
    const int error = deferred_correction(&motion->law, reference, sensed, 0, 1 / rate_hz, count, cancel, room);
    if (error)
        return error == -ENOMEM ? VERDICT_NO_MEMORY : error == -ECANCELED ? VERDICT_CANCELLED : VERDICT_NOT_CONVERGED;
    for (size_t m = 0; m < sensors; m++)
        for (size_t i = 0; i < count; i++)
            samples[m][i] -= creal(motion->amplitude[m] / reference) * room[i];
    return VERDICT_OK;
}

enum verdict mode_motion_take_away(const struct mode_motion *motion, enum sensed sensed, double rate_hz,
                                   const atomic_bool *cancel, double *room, double *const *samples, size_t sensors,
                                   size_t count)
{
    const enum verdict verdict = take_slow_flow(motion, sensed, rate_hz, samples, sensors, count);
    return verdict == VERDICT_OK && motion->exactly && motion->law.joint
               ? take_rest(motion, sensed, rate_hz, cancel, room, samples, sensors, count)
               : verdict;
}
