/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What rings freely follows from the samples behind it as well as from those before it, by weights that know no mode.
 * While a hammer pushes it does not: from the quiet end towards the blow, the first samples that the ones behind them
 * do not foretell are the last that the hammer pushed. */

#include "identify/ring_down/hammer_contact.h"

#include "identify/common/fisher_quantile.h"
#include "identify/ring_down/prediction.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* What is left of the samples is taken together over so much, and held against what is left in so much behind it. */
#define BURST_S 0.001
#define BESIDE_S 0.03
enum { LEAST_BURST = 2, LEAST_BESIDE = 40 };
/* White noise makes a burst of one record in a thousand at each of the rates: the ring-down then begins later than it
 * might, by less than the longest contact. */
#define CHANCE 1e-3
/* A joint leaves bursts, too, in every half cycle. By squares they are sixteen times as large three half cycles earlier
 * where the damping ratio is above 0.15 alone. */
#define MOST_FALL 16.0
/* The last sixth of a half sine holds a fifteenth of its impulse, which noise may hide. */
#define HIDDEN 6
/* At denser sampling the weights would not reach back their 8 ms (prediction.c). A soft push in much noise shows where
 * more samples are taken together, up to as many as a blow may be misplaced by. */
#define FINEST_HZ 8000.0
#define COARSEST_S 0.002

/* Samples from the last one back to the blow, `times` of them taken together in each. */
struct backwards {
    double *sample;             /* owned */
    size_t count, times, first; /* the first that a hammer may have pushed */
    double rate_hz;
};

/* The first sample of the first burst; the count: there is none. */
static size_t first_burst(const struct prediction *prediction, const struct backwards *of)
{
    const size_t burst = prediction_samples_in(BURST_S, of->rate_hz, LEAST_BURST),
                 beside = prediction_samples_in(BESIDE_S, of->rate_hz, LEAST_BESIDE), n = prediction->memory;
    const double chance = CHANCE * (double)burst / (double)(of->count - of->first),
                 most = fisher_quantile(chance, (double)burst, (double)beside);
    for (size_t i = of->first; i + burst <= of->count; i++) {
        const size_t from = i > n + beside ? i - beside : n;
        const double here = prediction_left(prediction, i, i + burst);
        if (here > most * prediction_left(prediction, from, i) &&
            here > MOST_FALL * prediction_largest_left(prediction, burst, from, i))
            return i;
    }
    return of->count;
}

static int look_backwards(const struct backwards *of, size_t *first)
{
    struct prediction prediction;
    *first = of->count;
    const int error = prediction_make(of->sample, of->count, of->rate_hz, &prediction);
    if (error == 0 && prediction_learn(&prediction))
        *first = first_burst(&prediction, of);
    prediction_clear(&prediction);
    return error;
}

static void turn_round(const double *samples, size_t count, struct backwards *backwards)
{
    for (size_t k = 0; k < backwards->count; k++) {
        double sum = 0;
        for (size_t i = 0; i < backwards->times; i++)
            sum += samples[count - 1 - k * backwards->times - i];
        backwards->sample[k] = sum / (double)backwards->times;
    }
}

/* At one rate; 0: nothing is seen of the hammer there. Within what was taken together it left in the middle. */
static int left_by_rate(const double *samples, size_t count, double rate_hz, size_t longest, size_t times, size_t *left)
{
    struct backwards backwards = {.times = times, .rate_hz = rate_hz / (double)times};
    const size_t wanted = prediction_wanted(backwards.rate_hz), behind = (count - longest) / times;
    size_t first;
    *left = 0;
    if (2 * behind < wanted)
        return 0;
    const size_t used = longest + (behind < wanted ? behind : wanted) * times;
    backwards.count = used / times;
    backwards.first = (used - longest) / times;
    backwards.sample = calloc(backwards.count, sizeof *backwards.sample);
    if (!backwards.sample)
        return -ENOMEM;
    turn_round(samples, used, &backwards);
    const int error = look_backwards(&backwards, &first);
    if (error == 0 && first < backwards.count)
        *left = used - first * times - times / 2;
    free(backwards.sample);
    return error;
}

int hammer_contact_left(const double *samples, size_t count, double rate_hz, size_t longest, size_t *left)
{
    const size_t finest = (size_t)fmax(floor(rate_hz / FINEST_HZ), 1);
    int error = 0;
    *left = 0;
    if (count <= longest)
        return 0;
    for (size_t times = finest; error == 0 && (times == finest || (double)times <= COARSEST_S * rate_hz); times *= 2) {
        size_t coarser;
        error = left_by_rate(samples, count, rate_hz, longest, times, &coarser);
        if (coarser > *left + times)
            *left = coarser;
    }
    *left += *left / (HIDDEN - 1);
    return error;
}
