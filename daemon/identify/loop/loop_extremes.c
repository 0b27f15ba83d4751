/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_extremes.h"

#include "motion/zigzag.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* The first swing counts from this share of the range of the signal on. */
static const double first_share = 0.02;

int loop_reversals_add(struct loop_reversals *reversals, bool upper, size_t sample)
{
    if (reversals->count == reversals->capacity) {
        const size_t larger = reversals->capacity > 0 ? 2 * reversals->capacity : 64;
        struct loop_reversal *moved = realloc(reversals->reversal, larger * sizeof *moved);
        if (!moved)
            return -ENOMEM;
        reversals->reversal = moved;
        reversals->capacity = larger;
    }
    reversals->reversal[reversals->count++] = (struct loop_reversal){.upper = upper, .sample = sample};
    return 0;
}

static double range_of(const double *x, size_t count)
{
    double lowest = x[0], highest = x[0];
    for (size_t i = 1; i < count; i++) {
        lowest = fmin(lowest, x[i]);
        highest = fmax(highest, x[i]);
    }
    return highest - lowest;
}

/* The samples of a signal, from its beginning or from its end on. */
static size_t sample_at(const struct loop_signal *signal, bool backward, size_t i)
{
    return backward ? signal->count - 1 - i : i;
}

/* A walk from reversal to reversal. */
struct walk {
    const struct loop_signal *signal;
    bool backward;
    struct zigzag zigzag;
    double least; /* swing that counts: what may be noise does not, until such swings come one like another */
    struct small_swings small; /* since the latest reversal */
};

static void wait_for_small(struct walk *walk)
{
    walk->small = (struct small_swings){.zigzag = zigzag_with(walk->signal->least_swing)};
}

/* Of two reversals at least: where no swing comes any more that is large against the one before, smaller ones count,
 * from the latest reversal on. The walk goes on at `*i`, behind it. */
static void look_closer(struct walk *walk, const struct loop_reversals *reversals, size_t *i)
{
    const struct loop_signal *signal = walk->signal;
    const struct loop_reversal *latest = &reversals->reversal[reversals->count - 1];
    const size_t at = sample_at(signal, walk->backward, *i);
    const double *t = signal->time_s, since_s = fabs(t[at] - t[latest->sample]);
    const double swing_s = fabs(t[latest->sample] - t[latest[-1].sample]);
    small_swings_take(&walk->small, (double)at, signal->displacement[at]);
    if (!small_swings_count(&walk->small, &walk->zigzag, since_s, swing_s))
        return;
    const struct extreme reversal = {(double)latest->sample, signal->displacement[latest->sample]};
    walk->least = signal->least_swing;
    zigzag_look_closer(&walk->zigzag, reversal, walk->least);
    wait_for_small(walk);
    *i = sample_at(signal, walk->backward, latest->sample);
}

/* The first and the last are the ends of the signal, or next to them. */
static int walk_along(const struct loop_signal *signal, double first_swing, double least, bool backward,
                      struct loop_reversals *reversals)
{
    struct walk walk = {.signal = signal, .backward = backward, .zigzag = zigzag_with(first_swing), .least = least};
    struct zigzag *zigzag = &walk.zigzag;
    int error = 0;
    reversals->count = 0;
    for (size_t i = 0; i < signal->count && !error; i++) {
        const size_t at = sample_at(signal, backward, i);
        if (zigzag_take_adapting(zigzag, (double)at, signal->displacement[at], walk.least)) {
            error = loop_reversals_add(reversals, zigzag->direction < 0, (size_t)zigzag_reversal(zigzag).at);
            wait_for_small(&walk);
        } else if (reversals->count > 1) {
            look_closer(&walk, reversals, &i);
        }
    }
    if (!error && zigzag->direction != 0)
        error = loop_reversals_add(reversals, zigzag->direction > 0, (size_t)zigzag_farthest(zigzag).at);
    return error;
}

static void turn_round(struct loop_reversals *reversals)
{
    for (size_t i = 0; i < reversals->count / 2; i++) {
        const struct loop_reversal kept = reversals->reversal[i];
        reversals->reversal[i] = reversals->reversal[reversals->count - 1 - i];
        reversals->reversal[reversals->count - 1 - i] = kept;
    }
}

/* Fewer reversals are no loop: both ends of the signal are among them. */
enum { REVERSALS_OF_A_LOOP = 5 };

/* Behind a way that is long against all strokes, as of a stage that goes to where it then is driven to and fro, no
 * swing counts; from the end on, the way comes last. */
int loop_extremes_of(const struct loop_signal *signal, struct loop_reversals *reversals)
{
    const double first = fmax(signal->most_swing, first_share * range_of(signal->displacement, signal->count));
    int error = walk_along(signal, first, signal->most_swing, false, reversals);
    if (error || reversals->count >= REVERSALS_OF_A_LOOP)
        return error;
    const size_t found = reversals->count;
    error = walk_along(signal, signal->least_swing, signal->least_swing, true, reversals);
    turn_round(reversals);
    return error || reversals->count >= REVERSALS_OF_A_LOOP || reversals->count == found
               ? error
               : walk_along(signal, first, signal->most_swing, false, reversals);
}
