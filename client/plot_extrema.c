/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "client/plot_extrema.h"

#include "client/polynomial.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* The samples within this part of half a period to both sides of a crest make its parabola: that is 0.6 rad, where a
 * cosine is one within a thousandth. */
static const double NEAR = 0.2;

void plot_extrema_begin(struct plot_extrema *extrema, double bias, double side, double clear, double half_period_s)
{
    *extrema =
        (struct plot_extrema){.bias = bias, .side = side < 0 ? -1 : 1, .clear = clear, .half_period_s = half_period_s};
}

void plot_extrema_clear(struct plot_extrema *extrema)
{
    free(extrema->swing);
    free(extrema->extremum);
    *extrema = (struct plot_extrema){0};
}

/* The array with room for one more; as it was when there is no memory, and then that is noted. */
static void *with_room(struct plot_extrema *extrema, void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    const size_t wanted = *room > 0 ? 2 * *room : 256;
    void *larger = reallocarray(array, wanted, size);
    extrema->no_memory = extrema->no_memory || !larger;
    *room = larger ? wanted : *room;
    return larger ? larger : array;
}

static void add_extremum(struct plot_extrema *extrema, struct plot_extremum one)
{
    extrema->extremum = with_room(extrema, extrema->extremum, extrema->count, &extrema->room, sizeof one);
    if (extrema->count < extrema->room)
        extrema->extremum[extrema->count++] = one;
}

static void add_to_swing(struct plot_extrema *extrema, struct plot_point one)
{
    extrema->swing = with_room(extrema, extrema->swing, extrema->swing_count, &extrema->swing_room, sizeof one);
    if (extrema->swing_count < extrema->swing_room)
        extrema->swing[extrema->swing_count++] = one;
}

static size_t highest(const struct plot_extrema *extrema)
{
    size_t best = 0;
    for (size_t i = 1; i < extrema->swing_count; i++)
        if (extrema->side * (extrema->swing[i].displacement - extrema->swing[best].displacement) > 0)
            best = i;
    return best;
}

/* The vertex of the parabola through what lies near the highest sample; that sample where there is none. */
static struct plot_point vertex(const struct plot_extrema *extrema, size_t best)
{
    enum { MOST = 256, TERMS = 3 };
    const struct plot_point *swing = extrema->swing, highest_one = swing[best];
    double x[MOST], y[MOST], c[TERMS], covariance[TERMS * TERMS], rms;
    size_t first = best, last = best, count = 0;
    while (first > 0 && highest_one.time_s - swing[first - 1].time_s < NEAR * extrema->half_period_s)
        first--;
    while (last + 1 < extrema->swing_count &&
           swing[last + 1].time_s - highest_one.time_s < NEAR * extrema->half_period_s)
        last++;
    const size_t every = (last - first) / MOST + 1;
    for (size_t i = first; i <= last; i += every, count++) {
        x[count] = (swing[i].time_s - highest_one.time_s) / extrema->half_period_s;
        y[count] = swing[i].displacement - highest_one.displacement;
    }
    if (count < TERMS || polynomial_fit(x, y, count, TERMS, c, covariance, &rms) != 0 || !(extrema->side * c[2] < 0))
        return highest_one;
    const double at = fmax(x[0], fmin(-c[1] / (2 * c[2]), x[count - 1]));
    return (struct plot_point){highest_one.time_s + at * extrema->half_period_s,
                               highest_one.displacement + polynomial_value(c, TERMS, at)};
}

static void end_swing(struct plot_extrema *extrema)
{
    if (extrema->swing_count > 0)
        add_extremum(extrema, (struct plot_extremum){vertex(extrema, highest(extrema)), !extrema->is_clipped});
    extrema->swing_count = 0;
    extrema->is_clipped = false;
}

void plot_extrema_add(struct plot_extrema *extrema, struct plot_point sample, bool clipped)
{
    const double beyond = extrema->side * (sample.displacement - extrema->bias);
    if (extrema->count == 0 && extrema->swing_count == 0 && !(beyond > extrema->clear))
        return;
    if (beyond < -extrema->clear) {
        end_swing(extrema);
        extrema->side = -extrema->side;
    }
    extrema->is_clipped = extrema->is_clipped || clipped;
    add_to_swing(extrema, sample);
}

/* A crest that the samples do not reach would be their last one. */
int plot_extrema_end(struct plot_extrema *extrema)
{
    const size_t count = extrema->swing_count;
    if (count > 0) {
        const struct plot_point *best = &extrema->swing[highest(extrema)], *last = &extrema->swing[count - 1];
        if (last->time_s - best->time_s > NEAR * extrema->half_period_s &&
            extrema->side * (best->displacement - extrema->bias) > extrema->clear)
            end_swing(extrema);
    }
    return extrema->no_memory ? -ENOMEM : 0;
}
