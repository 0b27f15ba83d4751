/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Samples that are wrong by d leave of each prediction that uses them, and of that of themselves, what the weights make
 * of d: least squares tell d by that. Where nothing stands out any more once it is taken away, it was all. */

#include "identify/ring_down/wild_sample.h"

#include "identify/common/fisher_quantile.h"
#include "identify/ring_down/prediction.h"
#include "identify/ring_down/push.h"

#include <math.h>

/* So many in a row are tried; and a recorder that has more such places in a ring-down has other faults. */
enum { WILD = 2, WILD_PLACES_MOST = 16 };
/* White noise hides once in a thousand times that a place was wrong and no more, by what it leaves behind it; and where
 * it is not white, or modes are bent by a joint, half as much again may be left. */
#define CHANCE 1e-3
#define NOT_WHITE 1.5

/* A piece of the record, whose samples are predicted. */
struct piece {
    size_t from, count;
};

static struct piece piece_around(size_t at, size_t count, double rate_hz)
{
    const size_t wanted = prediction_wanted(rate_hz), used = wanted < count ? wanted : count;
    const size_t before = at > used / 2 ? at - used / 2 : 0;
    return (struct piece){before + used < count ? before : count - used, used};
}

/* Where a wrong sample may be, and what it is weighed for, teaches nothing. */
static bool learn_beside(struct prediction *prediction, const struct sensed_push *push)
{
    return prediction_learn_without(prediction, push->onset > WILD ? push->onset - WILD : 0,
                                    push->until + WILD + prediction->memory);
}

/* What a sample that is wrong by 1 leaves of the one that is k behind it. */
static double leaves(const struct prediction *prediction, size_t k)
{
    return k == 0 ? 1 : -prediction->weight[k - 1];
}

/* How wrong a sample and the next one are, and by how much the squares of what is left become less without that. */
static double wrong_at(const struct prediction *prediction, size_t at, double wrong[WILD])
{
    const size_t n = prediction->memory;
    double alone = 0, both = 0, seen[WILD] = {0};
    for (size_t k = 0; k <= n; k++) {
        const double here = leaves(prediction, k);
        alone += here * here;
        both += k < n ? here * leaves(prediction, k + 1) : 0;
        for (size_t w = 0; w < WILD; w++)
            seen[w] += here * prediction->left[at + w + k];
    }
    const double divisor = alone * alone - both * both;
    if (!(divisor > 0))
        return 0;
    wrong[0] = (alone * seen[0] - both * seen[1]) / divisor;
    wrong[1] = (alone * seen[1] - both * seen[0]) / divisor;
    return wrong[0] * seen[0] + wrong[1] * seen[1];
}

/* What is put there stands on a step of the converter, as all samples do. */
static void take_away(double *samples, size_t at, double step, const double wrong[WILD])
{
    for (size_t w = 0; w < WILD; w++) {
        const double beside = samples[at > 0 ? at - 1 : WILD], right = samples[at + w] - wrong[w];
        samples[at + w] = isfinite(step) ? beside + step * round((right - beside) / step) : right;
    }
}

/* The best places for wrong samples where a push shows, and how wrong they are; false: there are none. */
static bool find_wrong(const struct prediction *prediction, const struct sensed_push *push, size_t *at,
                       double wrong[WILD])
{
    double best = 0, here[WILD] = {0};
    for (size_t i = push->onset > WILD ? push->onset - WILD : 0; i < push->until; i++) {
        if (i + WILD + prediction->memory >= prediction->count)
            break;
        const double less = wrong_at(prediction, i, here);
        if (!(less > best))
            continue;
        best = less;
        *at = i;
        wrong[0] = here[0];
        wrong[1] = here[1];
    }
    return best > 0;
}

/* Whether what stands out at a push is but wrong samples, which are then bridged. */
static int bridge_at(double *samples, size_t count, double rate_hz, double step, const struct sensed_push *push,
                     bool *bridged)
{
    const struct piece piece = piece_around(push->onset, count, rate_hz);
    const struct sensed_push in_piece = {push->onset - piece.from, push->until - piece.from};
    struct prediction prediction;
    size_t at = 0;
    double wrong[WILD];
    *bridged = false;
    int error = prediction_make(samples + piece.from, piece.count, rate_hz, &prediction);
    if (error == 0 && learn_beside(&prediction, &in_piece) && find_wrong(&prediction, &in_piece, &at, wrong)) {
        struct sensed_push still;
        double *there = samples + piece.from + at;
        const double as_it_was[WILD] = {there[0], there[1]};
        take_away(samples + piece.from, at, step, wrong);
        error = push_first(samples, count, rate_hz, step, push->until, &still);
        *bridged = error == 0 && still.until == 0;
        for (size_t w = 0; w < WILD && !*bridged; w++)
            there[w] = as_it_was[w];
    }
    prediction_clear(&prediction);
    return error;
}

int wild_samples_bridge(double *samples, size_t count, double rate_hz, double step, size_t *bridged)
{
    size_t from = 0;
    *bridged = 0;
    for (int place = 0; place < WILD_PLACES_MOST && from < count; place++) {
        struct sensed_push push;
        bool wild = false;
        int error = push_at_its_rate(samples + from, count - from, rate_hz, step, count - from, &push);
        if (error == 0 && push.until > 0)
            error = bridge_at(samples + from, count - from, rate_hz, step, &push, &wild);
        if (error || push.until == 0)
            return error;
        *bridged += wild;
        from += wild ? 0 : push.until;
    }
    return 0;
}

/* Whether the motion goes on as it was where wrong samples are taken away: what that leaves of all samples that they
 * were seen in is as little as on both sides. */
static bool goes_on(const struct prediction *prediction, size_t at, const double wrong[WILD])
{
    const size_t n = prediction->memory, seen = n + WILD, before = at > n + seen ? at - seen : n, behind = at + seen;
    if (before >= at || behind + seen > prediction->count)
        return false;
    double squares = 0;
    for (size_t k = 0; k < seen; k++) {
        double left = prediction->left[at + k];
        for (size_t w = 0; w < WILD; w++)
            left -= k >= w && k <= n + w ? wrong[w] * leaves(prediction, k - w) : 0;
        squares += left * left;
    }
    const double beside =
                     fmax(prediction_left(prediction, before, at), prediction_left(prediction, behind, behind + seen)),
                 least = PREDICTION_FINEST * prediction->largest;
    return squares / (double)n <
           NOT_WHITE * fisher_quantile(CHANCE, (double)n, (double)(at - before)) * fmax(beside, least * least);
}

int wild_sample_bridge_at(double *samples, size_t count, double rate_hz, double step, size_t at, bool *bridged)
{
    const struct piece piece = piece_around(at, count, rate_hz);
    const size_t place = at - piece.from;
    const struct sensed_push around = {place, place + 1};
    struct prediction prediction;
    double wrong[WILD];
    size_t first = 0;
    *bridged = false;
    if (2 * piece.count < prediction_wanted(rate_hz))
        return 0;
    const int error = prediction_make(samples + piece.from, piece.count, rate_hz, &prediction);
    *bridged = error == 0 && learn_beside(&prediction, &around) && find_wrong(&prediction, &around, &first, wrong) &&
               goes_on(&prediction, first, wrong);
    if (*bridged)
        take_away(samples + piece.from, first, step, wrong);
    prediction_clear(&prediction);
    return error;
}
