/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/rectangle_search.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* A rectangle is divided only where it could, by its size, hold a value that is lower than the least by this share of
 * it: what Jones et al. found to make no difference from 1e-3 to 1e-7. */
#define LEAST_GAIN 1e-4
/* Sides of 3^-30 and below are rounding. */
enum { MOST_THIRDS = 30 };

struct rectangle {
    double centre[RECTANGLE_SIDES], value;
    unsigned thirds[RECTANGLE_SIDES], all_thirds; /* how often each side was divided, and all of them together */
};

struct search {
    rectangle_function *function;
    const void *about;
    size_t sides, count;
    struct rectangle *rectangle;
    size_t least; /* the rectangle with the least value */
};

static void add(struct search *search, const struct rectangle *like)
{
    struct rectangle *new = &search->rectangle[search->count];
    *new = *like;
    new->value = search->function(new->centre, search->about);
    if (new->value < search->rectangle[search->least].value)
        search->least = search->count;
    search->count++;
}

/* Half a diagonal: sides differ by one division at most, so that their sum says how often each was divided. */
static double size_of(const struct search *search, unsigned all_thirds)
{
    const unsigned sides = (unsigned)search->sides, each = all_thirds / sides, more = all_thirds % sides;
    return 0.5 * pow(3, -(double)each) * sqrt((double)(sides - more) + (double)more / 9);
}

/* Into three along each of the longest sides, those first whose parts have the least value: these stay largest. */
static void divide(struct search *search, size_t which)
{
    struct rectangle *parent = &search->rectangle[which];
    const unsigned longest = parent->all_thirds / (unsigned)search->sides;
    const double step = pow(3, -(double)longest - 1);
    size_t side[RECTANGLE_SIDES], first[RECTANGLE_SIDES], count = 0;
    double best[RECTANGLE_SIDES];
    for (size_t k = 0; k < search->sides; k++) {
        if (parent->thirds[k] != longest)
            continue;
        struct rectangle part = *parent;
        const size_t at = search->count;
        part.centre[k] = parent->centre[k] - step;
        add(search, &part);
        part.centre[k] = parent->centre[k] + step;
        add(search, &part);
        const double value = fmin(search->rectangle[at].value, search->rectangle[at + 1].value);
        size_t place = count++;
        for (; place > 0 && best[place - 1] > value; place--) {
            best[place] = best[place - 1];
            side[place] = side[place - 1];
            first[place] = first[place - 1];
        }
        best[place] = value;
        side[place] = k;
        first[place] = at;
    }
    for (size_t i = 0; i < count; i++) {
        parent->thirds[side[i]]++;
        parent->all_thirds++;
        for (size_t part = 0; part < 2; part++)
            for (size_t k = 0; k < search->sides; k++)
                search->rectangle[first[i] + part].thirds[k] = parent->thirds[k];
        search->rectangle[first[i]].all_thirds = search->rectangle[first[i] + 1].all_thirds = parent->all_thirds;
    }
}

enum { SIZES = MOST_THIRDS * RECTANGLE_SIDES };

/* Of each size the rectangle with the least value; none: search->count. */
static void best_of_sizes(const struct search *search, size_t best[SIZES])
{
    for (size_t k = 0; k < SIZES; k++)
        best[k] = search->count;
    for (size_t i = 0; i < search->count; i++) {
        size_t *of_size = &best[search->rectangle[i].all_thirds];
        if (*of_size == search->count || search->rectangle[i].value < search->rectangle[*of_size].value)
            *of_size = i;
    }
}

/* Whether some rate of change makes this one the most promising: no smaller one wants a larger rate than all larger
 * ones allow, and with that the gain is worth it. */
static bool is_promising(const struct search *search, const size_t best[SIZES], unsigned of)
{
    const double value = search->rectangle[best[of]].value, size = size_of(search, of);
    double least_rate = 0, most_rate = INFINITY;
    for (unsigned k = 0; k < SIZES; k++) {
        if (k == of || best[k] == search->count)
            continue;
        const double rate = (search->rectangle[best[k]].value - value) / (size_of(search, k) - size);
        if (k < of)
            most_rate = fmin(most_rate, rate);
        else
            least_rate = fmax(least_rate, rate);
    }
    const double least = search->rectangle[search->least].value;
    return least_rate <= most_rate && value - most_rate * size <= least - LEAST_GAIN * fabs(least);
}

/* How many these were: none where values are all alike down to the least size. */
static size_t divide_promising(struct search *search, size_t evaluations)
{
    size_t best[SIZES], chosen[SIZES], count = 0;
    best_of_sizes(search, best);
    const size_t all = search->count;
    for (unsigned k = 0; k + search->sides < MOST_THIRDS * search->sides; k++)
        if (best[k] != all && is_promising(search, best, k))
            chosen[count++] = best[k];
    for (size_t i = 0; i < count && search->count < evaluations; i++)
        divide(search, chosen[i]);
    return count;
}

int rectangle_search(rectangle_function *function, const void *about, size_t sides, size_t evaluations, double *place,
                     double *value)
{
    struct search search = {.function = function, .about = about, .sides = sides};
    struct rectangle whole = {.value = INFINITY};
    search.rectangle = calloc(evaluations + 2 * RECTANGLE_SIDES, sizeof *search.rectangle);
    if (!search.rectangle)
        return -ENOMEM;
    for (size_t k = 0; k < sides; k++)
        whole.centre[k] = 0.5;
    search.rectangle[0].value = INFINITY;
    add(&search, &whole);
    while (search.count < evaluations && divide_promising(&search, evaluations) > 0)
        continue;
    for (size_t k = 0; k < sides; k++)
        place[k] = search.rectangle[search.least].centre[k];
    *value = search.rectangle[search.least].value;
    free(search.rectangle);
    return 0;
}
