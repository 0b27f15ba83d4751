/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_repeat.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Samples of a cycle: with more there are enough between the limits, and with fewer there is no loop. As many of the
 * record are compared to find how many it has. */
enum { CYCLE_LEAST = 12, CYCLE_MOST = 200, COMPARED = 10 * CYCLE_MOST };

/* The first cycle of a contact is unlike the others: with so many it is less than half of what is compared. */
enum { CYCLES_LEAST = 4 };

/* A force that is cut off is so in every cycle, but one that the ends of the record cut in two may be too short to be
 * seen on either side: of CYCLES_LEAST cycles three are left. One whose level drifts has its extreme value in one. */
static const double cut_cycles = 0.75;

/* A force that changes by its range while the displacement moves by a hundredth of its way along two samples, or
 * sooner, is between its limits in less than one sample of a cycle. */
static const double stiffest = 100;

/* The median of what two normal variables differ by, in standard deviations of one. */
static const double median_of_difference = 0.95387255;

static double mean_difference(const double *values, size_t count, size_t lag)
{
    const size_t compared = count - lag < COMPARED ? count - lag : COMPARED;
    double sum = 0;
    for (size_t i = 0; i < compared; i++)
        sum += fabs(values[i + lag] - values[i]);
    return sum / (double)compared;
}

/* The samples after which the displacement is most like before; 0: the record has too few such cycles. */
static size_t samples_a_cycle(const struct loop_signal *signal)
{
    double least = INFINITY;
    size_t cycle = 0;
    for (size_t lag = CYCLE_LEAST; lag <= CYCLE_MOST && lag * CYCLES_LEAST <= signal->count; lag++) {
        const double difference = mean_difference(signal->displacement, signal->count, lag);
        cycle = difference < least ? lag : cycle;
        least = fmin(least, difference);
    }
    return cycle;
}

static bool is_between(double above, double below, double value)
{
    return value > above && value < below;
}

/* What a converter may hide of the displacement: its step, where it moves by whole numbers of it. Of so few samples a
 * cycle none need be one step from the next, but those of different cycles may be. NAN: memory is short. */
static double hidden_way(const struct loop_signal *signal)
{
    const double step = loop_smallest_distance(signal->displacement, signal->count);
    return isnan(step) || loop_moves_by_steps(signal->displacement, signal->count, step) ? step : 0;
}

/* What the force of a sample and of the one a cycle later differ by, beyond what the displacement's difference makes of
 * it. */
static double difference_at(const struct loop_signal *signal, double range, double hidden, size_t i, size_t cycle)
{
    const double *x = signal->displacement, *force = signal->force;
    const double way = (fabs(x[i + cycle] - x[i]) + hidden) / fabs(x[i + 1] - x[i - 1]);
    return fmax(fabs(force[i + cycle] - force[i]) - stiffest * range * way, 0);
}

double loop_repeat_noise(const struct loop_signal *signal, double above, double below, size_t stretches)
{
    const size_t cycle = samples_a_cycle(signal);
    if (cycle == 0 || (double)stretches < cut_cycles * (double)(signal->count / cycle))
        return 0;
    const double range = below - above, hidden = hidden_way(signal);
    double *differences = calloc(signal->count, sizeof *differences);
    if (!differences || isnan(hidden)) {
        free(differences);
        return NAN;
    }
    size_t found = 0;
    for (size_t i = 1; i + cycle < signal->count; i++)
        if (is_between(above, below, signal->force[i]) && is_between(above, below, signal->force[i + cycle]))
            differences[found++] = difference_at(signal, range, hidden, i, cycle);
    gsl_sort(differences, 1, found);
    const double noise = found > signal->count / cycle
                             ? gsl_stats_median_from_sorted_data(differences, 1, found) / median_of_difference
                             : 0;
    free(differences);
    return noise;
}
