/* SPDX-License-Identifier: GPL-3.0-or-later */

/* At which extremum may the record begin? The first half cycle after the hand let go is not free of it. */

#include "segment/release.h"

#include "segment/half_cycle.h"

#include <math.h>

double clipped_before(const struct sample_history *history, double begin, double end)
{
    uint64_t number = sample_history_at(history, end), first = sample_history_at(history, begin);
    while (number > first && !sample_history_clipped_within(history, number - 1, number))
        number--;
    return number > first ? sample_history_position(history, number - 1) + 1 : begin;
}

/* Where the stream or the motion begins less than a half period before the first extremum, at least this much of it
 * must be seen, and no more is looked at than that. */
#define CUT_OFF 0.97
#define SEEN_MOST 0.45
#define SEEN_LEAST 0.12
/* Otherwise free motion must lead up to the extremum for this part of a half period. */
#define LED_UP 0.75

/* The mass was moving when it covered this part of the swing, so many half periods before the first extremum. */
#define MOVING 0.25
#define MOVING_FROM 1.6
#define MOVING_TO 1.1

/* Whether the samples from `back` before the first extremum on are those of a free motion, of whatever damping. */
static bool free_before(const struct candidate *candidate, const struct sample_history *history, double back)
{
    /* candidate->noise is that of bins; single samples, as many as a bin holds, are noisier. */
    double noise = 2.5 * candidate->noise * sqrt(fmax(candidate->half_period / 32, 1));
    double ratio = candidate->count > 2 ? candidate->swing[0] / candidate->swing[1] : 1;
    struct motion_end end = {candidate->extrema[0].position, candidate->extrema[0].level, candidate->half_period,
                             candidate->extrema[1].level - candidate->extrema[0].level, 0};
    double allowed = fmax(fmax(0.015 * fabs(end.swing), noise), candidate->step);
    for (; end.beta < 0.22; end.beta += 0.04) {
        double residual, follow = motion_before(history, &end, back, &residual);
        if (follow > 0.8 && follow < 1.4 * ratio && residual < allowed)
            return true;
    }
    return false;
}

/* Whether the record may begin at the first extremum. */
static bool led_up_to(const struct candidate *candidate, const struct sample_history *history, double from)
{
    double length = candidate->half_period, crest = candidate->extrema[0].position;
    double seen = crest - fmax(from, clipped_before(history, crest - CUT_OFF * length, crest));
    if (seen >= CUT_OFF * length)
        return free_before(candidate, history, LED_UP * length);
    return seen >= SEEN_LEAST * length && free_before(candidate, history, fmin(seen, SEEN_MOST * length));
}

/* Whether the mass was moving before the half cycle that led up to the first extremum, as in a hand that swings it. */
static bool moving_before(const struct candidate *candidate, const struct sample_history *history, double from)
{
    double length = candidate->half_period, crest = candidate->extrema[0].position;
    double begin = fmax(crest - MOVING_FROM * length, from), end = crest - MOVING_TO * length;
    begin = clipped_before(history, begin, crest);
    double lowest = INFINITY, highest = -INFINITY;
    for (uint64_t i = sample_history_at(history, begin), to = sample_history_at(history, end); i < to; i++) {
        if (sample_history_flags(history, i))
            continue;
        lowest = fmin(lowest, sample_history_value(history, i));
        highest = fmax(highest, sample_history_value(history, i));
    }
    return highest - lowest > MOVING * fabs(candidate->extrema[1].level - candidate->extrema[0].level);
}

/* The stream may begin within the decay: then there is no release, and the first extremum counts if free motion led
 * up to it. */
struct release release_find(const struct candidate *candidate, const struct sample_history *history, double from)
{
    double stream = sample_history_position(history, history->floor);
    from = fmax(from, stream);
    /* Out of a swinging hand nobody can tell whether the first extremum was still the hand's. */
    bool led = led_up_to(candidate, history, from), cautious = led && moving_before(candidate, history, from);
    struct release release = {.first = led && !cautious ? 0 : 1, .cautious = cautious};
    double first = candidate->extrema[release.first].position;
    /* The release itself is at most half a period before the first free extremum. */
    release.position = first - candidate->half_period;
    if (release.position < stream)
        release.position = NAN;
    else /* what was seen before the motion, such as a tremor, cannot have ended after the release */
        release.position = fmax(release.position, fmin(from, first));
    return release;
}
