/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/loop_parts.h"

#include "identify/loop/loop_reversal.h"

#include <errno.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A gap is longer than so many usual steps; a part has so many samples at least. */
static const double gap_steps = 5;
enum { PART_SAMPLES_LEAST = 20 };

static double median_of(double *values, size_t count)
{
    gsl_sort(values, 1, count);
    return count > 0 ? gsl_stats_median_from_sorted_data(values, 1, count) : 0;
}

/* Between lower reversals; 0: there are none. */
static double usual_cycle(const struct loop_signal *signal, const struct loop_reversals *reversals, double *room)
{
    size_t found = 0, last = 0;
    for (size_t k = 0; k < reversals->count; k++) {
        if (reversals->reversal[k].upper)
            continue;
        const size_t here = reversals->reversal[k].sample;
        if (here > last && last > 0)
            room[found++] = signal->time_s[here] - signal->time_s[last];
        last = here;
    }
    return median_of(room, found);
}

static double usual_step(const struct loop_signal *signal, double *room)
{
    for (size_t i = 1; i < signal->count; i++)
        room[i - 1] = signal->time_s[i] - signal->time_s[i - 1];
    return median_of(room, signal->count - 1);
}

static void cut_at_gaps(const struct loop_signal *signal, double least_s, struct loop_parts *parts)
{
    size_t begin = 0;
    parts->count = 0;
    for (size_t i = 1; i <= signal->count && parts->count < LOOP_PARTS; i++) {
        if (i < signal->count && signal->time_s[i] - signal->time_s[i - 1] <= least_s)
            continue;
        if (i - begin >= PART_SAMPLES_LEAST)
            parts->part[parts->count++] = (struct loop_part){begin, i};
        begin = i;
    }
}

int loop_parts_of(const struct loop_signal *signal, struct loop_parts *parts)
{
    struct loop_reversals reversals;
    double *room = calloc(signal->count, sizeof *room);
    int error = loop_reversals_of(signal, &reversals);
    if (!room)
        error = -ENOMEM;
    if (!error) {
        const double cycle_s = usual_cycle(signal, &reversals, room);
        cut_at_gaps(signal, fmax(LOOP_GAP_SHARE * cycle_s, gap_steps * usual_step(signal, room)), parts);
    }
    loop_reversals_clear(&reversals);
    free(room);
    return error;
}

struct loop_signal loop_part_signal(const struct loop_signal *signal, const struct loop_part *part)
{
    struct loop_signal of = *signal;
    of.time_s += part->begin;
    of.displacement += part->begin;
    of.force += part->begin;
    of.normal = signal->normal ? signal->normal + part->begin : NULL;
    of.velocity = signal->velocity ? signal->velocity + part->begin : NULL;
    of.count = part->end - part->begin;
    return of;
}

/* --- several signals --- */

enum { JOINED = 5 };

static double span_of(const struct loop_signal *signal)
{
    return signal->time_s[signal->count - 1] - signal->time_s[0];
}

/* Each begins so much later than the last one ended as all of them take: longer than any cycle. */
static void append(const struct loop_signal *from, double begin_s, size_t at, double *const array[JOINED])
{
    const double *const values[JOINED] = {NULL, from->displacement, from->force, from->normal, from->velocity};
    for (size_t i = 0; i < from->count; i++)
        array[0][at + i] = begin_s + (from->time_s[i] - from->time_s[0]);
    for (size_t k = 1; k < JOINED; k++)
        if (values[k])
            memcpy(array[k] + at, values[k], from->count * sizeof **array);
}

int loop_join(const struct loop_signal *signals, size_t count, struct loop_join *join)
{
    size_t samples = 0, at = 0;
    double span_s = 0, begin_s = 0;
    *join = (struct loop_join){.signal = signals[0]};
    for (size_t k = 0; k < count; k++) {
        if (!signals[k].normal != !signals[0].normal || !signals[k].velocity != !signals[0].velocity)
            return -EINVAL;
        samples += signals[k].count;
        span_s += span_of(&signals[k]);
    }
    join->room = calloc(JOINED * samples, sizeof *join->room);
    if (!join->room)
        return -ENOMEM;
    double *const array[JOINED] = {join->room, join->room + samples, join->room + 2 * samples, join->room + 3 * samples,
                                   join->room + 4 * samples};
    for (size_t k = 0; k < count; k++) {
        append(&signals[k], begin_s, at, array);
        begin_s += span_of(&signals[k]) + span_s;
        at += signals[k].count;
    }
    struct loop_signal *signal = &join->signal;
    signal->count = samples;
    signal->time_s = array[0];
    signal->displacement = array[1];
    signal->force = array[2];
    signal->normal = signals[0].normal ? array[3] : NULL;
    signal->velocity = signals[0].velocity ? array[4] : NULL;
    for (size_t k = 1; k < count; k++) {
        signal->noise_displacement = fmax(signal->noise_displacement, signals[k].noise_displacement);
        signal->noise_force = fmax(signal->noise_force, signals[k].noise_force);
        signal->least_swing = fmax(signal->least_swing, signals[k].least_swing);
    }
    return 0;
}

void loop_join_clear(struct loop_join *join)
{
    free(join->room);
    join->room = NULL;
}
