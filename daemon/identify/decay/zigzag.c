/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From values in order of time to the swings between their turning points. */

#include "identify/decay/zigzag.h"

#include <math.h>

struct zigzag zigzag_with(double hysteresis, struct swing *swings, size_t capacity)
{
    return (struct zigzag){
        .hysteresis = hysteresis, .low = INFINITY, .high = -INFINITY, .swings = swings, .capacity = capacity};
}

static void begin_swing(struct zigzag *zigzag, double direction)
{
    bool rising = direction > 0.0;
    zigzag->direction = direction;
    struct swing *swing = &zigzag->swings[zigzag->count++];
    swing->from = rising ? zigzag->low : zigzag->high;
    swing->from_time = rising ? zigzag->low_time : zigzag->high_time;
}

void zigzag_end(struct zigzag *zigzag)
{
    if (zigzag->count == 0)
        return;
    struct swing *swing = &zigzag->swings[zigzag->count - 1];
    swing->to = zigzag->direction > 0.0 ? zigzag->high : zigzag->low;
    swing->to_time = zigzag->direction > 0.0 ? zigzag->high_time : zigzag->low_time;
}

/* Until the direction is known both ends are followed; whichever the signal leaves first begins the first swing. */
bool zigzag_take(struct zigzag *zigzag, double time, double value)
{
    if (value > zigzag->high) {
        zigzag->high = value;
        zigzag->high_time = time;
    }
    if (value < zigzag->low) {
        zigzag->low = value;
        zigzag->low_time = time;
    }
    bool fell = zigzag->direction >= 0.0 && value < zigzag->high - zigzag->hysteresis;
    bool rose = zigzag->direction <= 0.0 && value > zigzag->low + zigzag->hysteresis;
    if (!fell && !rose)
        return true;
    zigzag_end(zigzag);
    if (zigzag->count == zigzag->capacity)
        return false;
    begin_swing(zigzag, fell ? -1.0 : 1.0);
    /* The new swing's far end is sought from here on. */
    if (fell) {
        zigzag->low = value;
        zigzag->low_time = time;
    } else {
        zigzag->high = value;
        zigzag->high_time = time;
    }
    return true;
}

/* Goes on in the direction known already, from the k-th value on, and returns the first that turns it. Of a swing the
 * far end alone is followed, upside down when it falls. */
static size_t go_on(struct zigzag *zigzag, const struct even_values *values, size_t k)
{
    const bool rising = zigzag->direction > 0.0;
    const double scale = rising ? values->scale : -values->scale, hysteresis = zigzag->hysteresis;
    const size_t nowhere = values->count;
    double far_end = rising ? zigzag->high : -zigzag->low;
    size_t place = nowhere;
    for (; k < values->count; k++) {
        const double value = (values->value[k * values->stride] - values->offset) * scale;
        if (value > far_end) {
            far_end = value;
            place = k;
        } else if (value < far_end - hysteresis) {
            break;
        }
    }
    if (place == nowhere)
        return k;
    *(rising ? &zigzag->high : &zigzag->low) = rising ? far_end : -far_end;
    *(rising ? &zigzag->high_time : &zigzag->low_time) = even_time(values, place);
    return k;
}

bool zigzag_along(struct zigzag *zigzag, const struct even_values *values)
{
    for (size_t k = 0; k < values->count; k++) {
        if (zigzag->direction != 0.0)
            k = go_on(zigzag, values, k);
        if (k < values->count && !zigzag_take(zigzag, even_time(values, k), even_value(values, k)))
            return false;
    }
    return true;
}
