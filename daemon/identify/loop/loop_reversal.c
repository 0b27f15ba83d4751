/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_reversal.h"

#include "identify/loop/loop_blunt.h"
#include "identify/loop/loop_evidence.h"
#include "identify/loop/loop_extremes.h"
#include "identify/loop/loop_rest.h"
#include "identify/loop/loop_vertex.h"
#include "identify/loop/loop_window.h"

#include <errno.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct loop_half_cycle half_cycle_of(const struct loop_signal *signal, const struct loop_reversals *reversals,
                                            size_t k, double samples)
{
    const size_t here = reversals->reversal[k].sample;
    const size_t before = reversals->reversal[k > 0 ? k - 1 : 1].sample;
    const size_t after = reversals->reversal[k + 1 < reversals->count ? k + 1 : k - 1].sample;
    const double *x = signal->displacement, *t = signal->time_s;
    return (struct loop_half_cycle){0.5 * (fabs(x[here] - x[before]) + fabs(x[here] - x[after])),
                                    fabs(t[here] - t[before]) + fabs(t[after] - t[here]), samples};
}

static void vote(const struct loop_reversals *reversals, size_t k)
{
    double corner = 0, level = 0;
    for (size_t i = k > LOOP_ALIKE ? k - LOOP_ALIKE : 0; i < reversals->count && i <= k + LOOP_ALIKE; i++) {
        corner += reversals->reversal[i].evidence;
        level += reversals->reversal[i].level_evidence;
    }
    reversals->reversal[k].level = level > 0;
    reversals->reversal[k].corner = corner > 0 && !reversals->reversal[k].level;
}

/* Which samples are near a turn their noise tells, too, and lines through those that it kept near cross too early: as a
 * share of the cycle, the usual reach of the turns beside is free of that. 0 or -ENOMEM. */
static int share_reach(const struct loop_signal *signal, struct loop_reversals *reversals)
{
    double *own = calloc(reversals->count, sizeof *own), near[2 * LOOP_ALIKE + 1];
    if (!own)
        return -ENOMEM;
    for (size_t k = 0; k < reversals->count; k++)
        own[k] = loop_window_reach_s(signal, &reversals->reversal[k]) / reversals->reversal[k].half.cycle_s;
    for (size_t k = 0; k < reversals->count; k++) {
        size_t found = 0;
        for (size_t i = k > LOOP_ALIKE ? k - LOOP_ALIKE : 0; i < reversals->count && i <= k + LOOP_ALIKE; i++)
            near[found++] = own[i];
        gsl_sort(near, 1, found);
        reversals->reversal[k].reach_s =
            gsl_stats_median_from_sorted_data(near, 1, found) * reversals->reversal[k].half.cycle_s;
    }
    free(own);
    return 0;
}

/* Samples from one reversal to the next, as a rule. 0: memory is short. */
static double usual_distance(const struct loop_reversals *reversals)
{
    double *distances = calloc(reversals->count, sizeof *distances);
    if (!distances)
        return 0;
    for (size_t k = 1; k < reversals->count; k++)
        distances[k - 1] = (double)(reversals->reversal[k].sample - reversals->reversal[k - 1].sample);
    gsl_sort(distances, 1, reversals->count - 1);
    const double usual = gsl_stats_median_from_sorted_data(distances, 1, reversals->count - 1);
    free(distances);
    return usual;
}

/* Nobody knows whether the signal turned back where it begins and ends, but where it rests there. */
static void drop_ends(struct loop_reversals *reversals)
{
    if (reversals->reversal[reversals->count - 1].rest_s == 0)
        reversals->count--;
    if (reversals->count > 0 && reversals->reversal[0].rest_s == 0)
        memmove(reversals->reversal, reversals->reversal + 1, --reversals->count * sizeof *reversals->reversal);
}

/* Two and more. 0 or -ENOMEM. */
static int look_at_all(const struct loop_signal *signal, struct loop_reversals *reversals)
{
    const double samples = usual_distance(reversals);
    for (size_t k = 0; k < reversals->count; k++)
        reversals->reversal[k].half = half_cycle_of(signal, reversals, k, samples);
    if (!(samples > 0) || share_reach(signal, reversals) != 0)
        return -ENOMEM;
    for (size_t k = 0; k < reversals->count; k++) {
        struct loop_reversal *reversal = &reversals->reversal[k];
        reversal->evidence = loop_evidence_of_corner(signal, reversal);
        reversal->level_evidence = loop_evidence_of_level(signal, reversal);
    }
    for (size_t k = 0; k < reversals->count; k++)
        vote(reversals, k);
    loop_blunt_find(signal, reversals);
    for (size_t k = 0; k < reversals->count; k++) {
        loop_vertex_find(signal, &reversals->reversal[k]);
        loop_rest_find(signal, &reversals->reversal[k]);
    }
    return 0;
}

int loop_reversals_of(const struct loop_signal *signal, struct loop_reversals *reversals)
{
    *reversals = (struct loop_reversals){NULL, 0, 0};
    if (signal->count == 0 || loop_extremes_of(signal, reversals) != 0)
        return signal->count == 0 ? 0 : -ENOMEM;
    if (reversals->count < 2) {
        reversals->count = 0;
        return 0;
    }
    const int error = look_at_all(signal, reversals);
    drop_ends(reversals);
    return error;
}

/* A loop that is told of while it still rests at its end will do so for as long as where it began. */
static void expect_rest(const struct loop_signal *signal, struct loop_reversal reversal[3])
{
    const double arrived_s = signal->time_s[reversal[2].arrived];
    if (reversal[2].left + 1 < signal->count || !(reversal[0].rest_s > 0) || reversal[0].pause)
        return;
    reversal[2].time_s = fmax(reversal[2].time_s, arrived_s + 0.5 * reversal[0].rest_s);
    reversal[2].rest_s = fmax(reversal[2].rest_s, reversal[0].rest_s);
    reversal[2].blur = reversal[0].blur;
}

int loop_reversals_at(const struct loop_signal *signal, const size_t extreme[3], struct loop_reversals *reversals)
{
    int error = 0;
    *reversals = (struct loop_reversals){NULL, 0, 0};
    for (size_t k = 0; k < 3 && !error; k++)
        error = loop_reversals_add(reversals, k == 1, extreme[k]);
    if (!error)
        error = look_at_all(signal, reversals);
    if (!error)
        expect_rest(signal, reversals->reversal);
    return error;
}

void loop_reversals_clear(struct loop_reversals *reversals)
{
    free(reversals->reversal);
    *reversals = (struct loop_reversals){NULL, 0, 0};
}
