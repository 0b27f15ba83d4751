/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_between.h"

#include <math.h>

/* Neighbours on either side, through which the curve goes. */
enum { NEIGHBOURS = 2 };

/* What noise leaves is farther from the curve once in two thousand samples, which adds nothing to speak of to what it
 * does itself. */
static const double noise_most = 3.5;

/* A force with a corner at the share s of the way from one sample to the next, where its slope changes by J, leaves
 * J h/6 (1 - s, 3 s - 2, 1 - 3 s, s) of the four samples about it, and its integral is J h^2 (1/12 - s (1 - s)/2) off:
 * an eighth of the sum of what it leaves where s is 0 or 1/2, else less. That is the most, and half of it the standard
 * uncertainty. What several corners do may be of one sign, so that these are added as they are. */
static const double most = 1.0 / 8;

/* What the samples are off the curve through their neighbours, of a displacement and a force; the standard deviation
 * that white noise of 1 gives these. */
struct rest {
    double displacement, force, noise;
};

static struct rest rest_at(const struct loop_signal *signal, size_t i)
{
    const double *t = signal->time_s + i, *x = signal->displacement + i, *f = signal->force + i;
    struct rest rest = {x[0], f[0], 1};
    for (int j = -NEIGHBOURS; j <= NEIGHBOURS; j++) {
        double weight = j != 0;
        for (int k = -NEIGHBOURS; k <= NEIGHBOURS && j != 0; k++)
            if (k != 0 && k != j)
                weight *= (t[0] - t[k]) / (t[j] - t[k]);
        rest.displacement -= weight * x[j];
        rest.force -= weight * f[j];
        rest.noise += weight * weight;
    }
    rest.noise = sqrt(rest.noise);
    return rest;
}

double loop_work_between(const struct loop_signal *signal, size_t first, size_t last)
{
    double sum = 0;
    for (size_t i = first > NEIGHBOURS ? first : NEIGHBOURS; i <= last && i + NEIGHBOURS < signal->count; i++) {
        const double way = 0.5 * (signal->displacement[i + 1] - signal->displacement[i - 1]);
        const double change = 0.5 * (signal->force[i + 1] - signal->force[i - 1]);
        const struct rest rest = rest_at(signal, i);
        const double work = rest.force * way - rest.displacement * change;
        const double noise = rest.noise * hypot(signal->noise_force * way, signal->noise_displacement * change);
        sum += fabs(work) > noise_most * noise ? fabs(work) : 0;
    }
    return most / 2 * sum;
}
