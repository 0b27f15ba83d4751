/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ring_down/undisturbed.h"

#include "identify/ring_down/dropout.h"
#include "identify/ring_down/knock.h"
#include "identify/ring_down/push.h"
#include "identify/ring_down/stretch.h"

#include <math.h>

static void steps_of(const struct ring_down_samples *samples, double *step)
{
    for (size_t m = 0; m < samples->sensors; m++)
        step[m] = stretch_step(samples->raw[m], samples->count);
}

static void end_at(struct ring_down_samples *samples, size_t count, enum ring_down_end end, double *const *levels)
{
    if (count < samples->count) {
        samples->count = count;
        samples->ends = end;
    }
    for (size_t m = 0; m < samples->sensors; m++)
        stretch_level(samples->raw[m], samples->count, levels[m]);
}

/* Where a sensor's samples show a push first; the count of samples: nowhere, or too often. */
static int knocked_at(const double *raw, size_t count, double rate_hz, size_t *at)
{
    const double step = stretch_step(raw, count);
    size_t from = 0, onset = count;
    *at = count;
    for (int pushes = 0; pushes <= PUSHES_MOST; pushes++) {
        struct sensed_push push;
        const int error = push_first(raw + from, count - from, rate_hz, step, count - from, &push);
        if (error)
            return error;
        if (push.until == 0 || push.until >= count - from) {
            *at = push.until > 0 && pushes == 0 ? push.onset : onset;
            return 0;
        }
        onset = pushes == 0 ? push.onset : onset;
        from += push.until;
    }
    return 0;
}

/* Where a sensor's samples show first what ends a ring-down. 0 or -ENOMEM. */
typedef int find_disturbance(const double *raw, size_t count, double rate_hz, size_t *at);

static enum verdict end_before(struct ring_down_samples *samples, double *const *levels, find_disturbance *find,
                               enum ring_down_end end)
{
    size_t first = samples->count;
    for (size_t m = 0; m < samples->sensors; m++) {
        size_t at;
        if (find(samples->raw[m], samples->count, samples->rate_hz, &at) != 0)
            return VERDICT_NO_MEMORY;
        first = at < first ? at : first;
    }
    end_at(samples, first, end, levels);
    return VERDICT_OK;
}

/* By how much a mode falls at the least. */
static int look_for(const struct ring_down_samples *samples, double least_fall, struct undisturbed *undisturbed)
{
    undisturbed->left.count = 0;
    return spectral_modes_of(samples->level, samples->sensors, samples->count, samples->rate_hz, least_fall,
                             undisturbed->mode, RING_DOWN_MODES, &undisturbed->left);
}

enum verdict undisturbed_modes(const struct ring_down_samples *samples, struct undisturbed *undisturbed)
{
    int count = look_for(samples, MODE_FALLS, undisturbed);
    if (count == 0)
        count = look_for(samples, MODE_HARDLY_FALLS, undisturbed);
    undisturbed->modes = count > 0 ? (size_t)count : 0;
    return count < 0 ? VERDICT_NO_MEMORY : VERDICT_OK;
}

enum verdict undisturbed_part(struct ring_down_samples *samples, double *const *levels, struct undisturbed *undisturbed)
{
    *undisturbed = (struct undisturbed){.modes = 0};
    enum verdict verdict = end_before(samples, levels, dropout_start, RING_DOWN_DROPOUT);
    if (verdict == VERDICT_OK)
        verdict = end_before(samples, levels, knocked_at, RING_DOWN_KNOCK);
    size_t until = 0;
    double step[PASS_SENSORS];
    steps_of(samples, step);
    /* Behind the knock that stands out most there may be others before it. */
    while (verdict == VERDICT_OK && until < samples->count) {
        verdict = undisturbed_modes(samples, undisturbed);
        if (verdict == VERDICT_OK && knock_until(samples->level, samples->sensors, samples->count, samples->rate_hz,
                                                 step, undisturbed->mode, undisturbed->modes, &until) != 0)
            verdict = VERDICT_NO_MEMORY;
        if (verdict == VERDICT_OK && until < samples->count) {
            end_at(samples, until, RING_DOWN_KNOCK, levels);
            until = 0;
        }
    }
    return verdict;
}
