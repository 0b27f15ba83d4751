/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/loop_parts.h"

#include "identify/loop/loop_reversal.h"
#include "motion/sampling_pace.h"

#include <errno.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

/* A part has so many samples at least. */
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

static void cut_at_gaps(const struct loop_signal *signal, const unsigned char *behind_gap, struct loop_parts *parts)
{
    size_t begin = 0;
    *parts = (struct loop_parts){.count = 0};
    for (size_t i = 1; i <= signal->count; i++) {
        if (i < signal->count && !behind_gap[i])
            continue;
        if (i - begin >= PART_SAMPLES_LEAST && parts->cut < LOOP_PARTS) {
            parts->part[parts->cut] = (struct loop_part){.begin = begin, .end = i, .number = parts->cut};
            parts->count = ++parts->cut;
        } else
            parts->left_out++;
        begin = i;
    }
}

/* A step that is longer may be one of a slower sampling. 0 or -ENOMEM. */
static int longest_step(const struct loop_signal *signal, double *longest_s)
{
    struct loop_reversals reversals;
    double *room = calloc(signal->count, sizeof *room);
    int error = loop_reversals_of(signal, &reversals);
    if (!room)
        error = -ENOMEM;
    if (!error)
        *longest_s =
            fmax(LOOP_GAP_SHARE * usual_cycle(signal, &reversals, room), SAMPLING_GAP_STEPS * usual_step(signal, room));
    loop_reversals_clear(&reversals);
    free(room);
    return error;
}

int loop_gaps_of(const struct loop_signal *signal, unsigned char *behind_gap)
{
    const double *t = signal->time_s;
    double longest_s = 0;
    const int error = longest_step(signal, &longest_s);
    for (size_t i = 0; !error && i < signal->count; i++)
        behind_gap[i] = i > 0 && t[i] - t[i - 1] > longest_s && !sampling_keeps_pace(t, signal->count, i);
    return error;
}

int loop_parts_of(const struct loop_signal *signal, struct loop_parts *parts)
{
    unsigned char *behind_gap = calloc(signal->count, sizeof *behind_gap);
    const int error = behind_gap ? loop_gaps_of(signal, behind_gap) : -ENOMEM;
    if (!error)
        cut_at_gaps(signal, behind_gap, parts);
    free(behind_gap);
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
    of.begins = signal->begins ? signal->begins + part->begin : NULL;
    of.count = part->end - part->begin;
    return of;
}
