/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_MOTION_ZIGZAG_H
#define FRICID_MOTION_ZIGZAG_H

/* Where a signal turns back, value by value as it comes: it has turned at an extreme when it has come away from it by
 * more than the hysteresis. In a header, because every sample passes. */

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

struct extreme {
    double at; /* its time, or the number of its sample */
    double value;
};

/* Of the two extremes one is the latest reversal, and the other the farthest that the signal has come since. */
struct zigzag {
    double hysteresis;
    int direction; /* from the latest reversal: 1 upwards, -1 downwards; 0: there was none yet */
    struct extreme low, high;
};

static inline struct zigzag zigzag_with(double hysteresis)
{
    return (struct zigzag){hysteresis, 0, {0, INFINITY}, {0, -INFINITY}};
}

static inline struct extreme zigzag_reversal(const struct zigzag *zigzag)
{
    return zigzag->direction > 0 ? zigzag->low : zigzag->high;
}

static inline struct extreme zigzag_farthest(const struct zigzag *zigzag)
{
    return zigzag->direction > 0 ? zigzag->high : zigzag->low;
}

/* Takes the next value in. True when it shows a reversal: that is the latest one then. Until there is one both extremes
 * are followed; whichever the signal comes away from first is the first. */
static inline bool zigzag_take(struct zigzag *zigzag, double at, double value)
{
    const struct extreme here = {at, value};
    if (value > zigzag->high.value)
        zigzag->high = here;
    if (value < zigzag->low.value)
        zigzag->low = here;
    const bool fell = zigzag->direction >= 0 && zigzag->high.value - value > zigzag->hysteresis;
    const bool rose = zigzag->direction <= 0 && value - zigzag->low.value > zigzag->hysteresis;
    if (!fell && !rose)
        return false;
    zigzag->direction = fell ? -1 : 1;
    *(fell ? &zigzag->low : &zigzag->high) = here;
    return true;
}

/* The same where swings differ much in size: only those count that are larger than `least`, and than a tenth of the one
 * before; the first, than the hysteresis so far. */
static inline bool zigzag_take_adapting(struct zigzag *zigzag, double at, double value, double least)
{
    const double tenth =
        zigzag->direction != 0 ? 0.1 * (fmax(zigzag->high.value, value) - fmin(zigzag->low.value, value)) : 0;
    if (!zigzag_take(zigzag, at, value))
        return false;
    zigzag->hysteresis = fmax(least, tenth);
    return true;
}

/* Begins again at its latest reversal, as it was when it showed, to find smaller swings behind it. */
static inline void zigzag_look_closer(struct zigzag *zigzag, struct extreme reversal, double hysteresis)
{
    zigzag->low = zigzag->high = reversal;
    zigzag->hysteresis = hysteresis;
}

/* The latest turns in a row after swings that are alike within a factor of 2, and larger than twice the hysteresis: of
 * small ones between those that a zigzag with a larger hysteresis takes. What correlated noise or creep does in a rest
 * is neither. */
struct small_swings {
    struct zigzag zigzag;
    double turn, swing; /* the latest, and how far from the one before; 0: there is none */
    size_t turns;
};

static inline void small_swings_take(struct small_swings *swings, double at, double value)
{
    if (!zigzag_take(&swings->zigzag, at, value))
        return;
    const double turn = zigzag_reversal(&swings->zigzag).value, swing = fabs(turn - swings->turn);
    const bool alike = swing < 2 * swings->swing && 2 * swing > swings->swing;
    swings->turns = alike && swing > 2 * swings->zigzag.hysteresis ? swings->turns + 1 : 1;
    swings->swing = swing;
    swings->turn = turn;
}

/* Whether the zigzag should look closer, for its next reversal would come late: a swing that is larger than a tenth of
 * the one before has had time to come when four times as long as that one took has passed, which a drive needs for two
 * periods. Five turns are two loops. */
static inline bool small_swings_count(const struct small_swings *swings, const struct zigzag *zigzag, double since_s,
                                      double swing_s)
{
    return swings->turns >= 5 && zigzag->hysteresis > swings->zigzag.hysteresis && since_s > 4 * swing_s;
}

/* Values at equal distances: the k-th is (value[k stride] - offset) scale, at first + k step. */
struct even_values {
    const double *value;
    size_t stride, count;
    double offset, scale;
    double first, step;
};

static inline double even_value(const struct even_values *values, size_t k)
{
    return (values->value[k * values->stride] - values->offset) * values->scale;
}

static inline double even_place(const struct even_values *values, size_t k)
{
    return values->first + (double)k * values->step;
}

/* Takes in, from the k-th on, those that go on in the direction that is known: nearly all do. Returns the number of the
 * first that shows a reversal, which zigzag_take() takes, or their count. */
static inline size_t zigzag_pass(struct zigzag *zigzag, const struct even_values *values, size_t k)
{
    const double side = zigzag->direction, scale = side * values->scale, hysteresis = zigzag->hysteresis;
    struct extreme *farthest = zigzag->direction > 0 ? &zigzag->high : &zigzag->low;
    double value = side * farthest->value;
    size_t place = values->count;
    if (zigzag->direction == 0)
        return k;
    for (; k < values->count; k++) {
        const double here = (values->value[k * values->stride] - values->offset) * scale;
        if (here > value) {
            value = here;
            place = k;
        } else if (value - here > hysteresis) {
            break;
        }
    }
    if (place < values->count)
        *farthest = (struct extreme){even_place(values, place), side * value};
    return k;
}

#endif
