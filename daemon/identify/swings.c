/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The coarse view of a record before anything is known of it: how noisy it is, and between which turning points it
 * swings. */

#include "identify/swings.h"

#include <math.h>
#include <string.h>

/* The mean of `width` samples from `first`, and their mean time. False when all are flagged. */
static bool block_mean(const struct scaled_record *scaled, size_t first, size_t width, double *time, double *value)
{
    double time_sum = 0.0, value_sum = 0.0;
    size_t usable = 0;
    for (size_t i = first; i < first + width && i < scaled->count; i++) {
        if (!scaled_usable(scaled, i))
            continue;
        time_sum += scaled_time(scaled, i);
        value_sum += scaled_value(scaled, i);
        usable++;
    }
    if (!usable)
        return false;
    *time = time_sum / (double)usable;
    *value = value_sum / (double)usable;
    return true;
}

/* The standard deviation of means of `width` samples about a smooth motion, from sixth differences. 0 when there are
 * not seven means in a row. */
static double noise_of_means(const struct scaled_record *scaled, size_t width)
{
    static const double weights[7] = {1.0, -6.0, 15.0, -20.0, 15.0, -6.0, 1.0}; /* squares: 924 */
    double latest[7] = {0}, sum = 0.0, time;
    size_t in_a_row = 0, count = 0;
    for (size_t first = 0; first < scaled->count; first += width) {
        memmove(latest, latest + 1, sizeof latest - sizeof *latest);
        in_a_row = block_mean(scaled, first, width, &time, &latest[6]) ? in_a_row + 1 : 0;
        if (in_a_row < 7)
            continue;
        double difference = 0.0;
        for (size_t k = 0; k < 7; k++)
            difference += weights[k] * latest[k];
        sum += difference * difference;
        count++;
    }
    return count ? sqrt(sum / (924.0 * (double)count)) : 0.0;
}

/* Sixth differences: their weights are binomial, and the sum of the squared weights, 924, turns their mean square
 * into the variance of one sample. */
double swings_noise(const struct scaled_record *scaled)
{
    return noise_of_means(scaled, 1);
}

/* A zigzag: a turning point counts once the signal has come back from it by the hysteresis. */
struct zigzag {
    double hysteresis;
    double direction; /* 0 until the first swing is seen, then +1 rising or -1 falling */
    double low, low_time, high, high_time;
    struct swing *swings;
    size_t count, capacity;
};

static void begin_swing(struct zigzag *zigzag, double direction)
{
    bool rising = direction > 0.0;
    zigzag->direction = direction;
    struct swing *swing = &zigzag->swings[zigzag->count++];
    swing->from = rising ? zigzag->low : zigzag->high;
    swing->from_time = rising ? zigzag->low_time : zigzag->high_time;
}

static void extend_swing(struct zigzag *zigzag)
{
    struct swing *swing = &zigzag->swings[zigzag->count - 1];
    swing->to = zigzag->direction > 0.0 ? zigzag->high : zigzag->low;
    swing->to_time = zigzag->direction > 0.0 ? zigzag->high_time : zigzag->low_time;
}

/* Takes the next value; false when there is no room for another swing. Until the direction is known both ends are
 * followed; whichever the signal leaves first begins the first swing. */
static bool zigzag_take(struct zigzag *zigzag, double time, double value)
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
    if (fell || rose) {
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
    }
    if (zigzag->count)
        extend_swing(zigzag);
    return true;
}

static size_t zigzag_over(const struct scaled_record *scaled, size_t width, double hysteresis, struct swing *swings,
                          size_t capacity)
{
    struct zigzag zigzag = {
        .hysteresis = hysteresis, .low = INFINITY, .high = -INFINITY, .swings = swings, .capacity = capacity};
    for (size_t first = 0; first < scaled->count; first += width) {
        double time, value;
        if (block_mean(scaled, first, width, &time, &value) && !zigzag_take(&zigzag, time, value))
            break;
    }
    return zigzag.count;
}

/* Where a swing passes its middle: the signed mean of all passages, so that noise there averages out. Begins one
 * block early, so that a passage right at the start has a block before it. */
static double middle_crossing(const struct scaled_record *scaled, size_t width, const struct swing *swing)
{
    double middle = 0.5 * (swing->from + swing->to), sign = swing->to > swing->from ? 1.0 : -1.0;
    double crossing = 0.0, previous_time = 0.0, previous = 0.0;
    bool started = false;
    size_t begin = scaled_first_at(scaled, swing->from_time);
    for (size_t first = begin > width ? begin - width : 0; first < scaled->count; first += width) {
        double time, value;
        if (!block_mean(scaled, first, width, &time, &value))
            continue;
        if (time > swing->to_time + 1e-9 * (1.0 + fabs(swing->to_time)))
            break;
        double side = sign * (value - middle);
        if (started && (side > 0.0) != (previous > 0.0)) {
            double at = previous_time + (time - previous_time) * previous / (previous - side);
            crossing += side > 0.0 ? at : -at;
        }
        started = started || side <= 0.0;
        previous = side;
        previous_time = time;
    }
    return crossing > 0.0 ? crossing : 0.5 * (swing->from_time + swing->to_time);
}

static double block_range(const struct scaled_record *scaled, size_t width)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t first = 0; first < scaled->count; first += width) {
        double time, value;
        if (!block_mean(scaled, first, width, &time, &value))
            continue;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    return high - low;
}

/* The least number of samples a mean at which the record stands well out of its noise; 0 when none does. Eleven
 * deviations: pure noise of many samples spans less. */
static size_t quiet_width(const struct scaled_record *scaled, double noise)
{
    for (size_t width = 1; scaled->count / width >= 8; width *= 4)
        if (block_range(scaled, width) > 11.0 * noise / sqrt((double)width))
            return width;
    return 0;
}

/* The swings at one width: the largest hysteresis that shows three of them, or as many as the smallest one shows. */
static size_t swings_at_width(const struct scaled_record *scaled, size_t width, double noise, struct swing *swings,
                              size_t capacity)
{
    static const double hystereses[] = {8.0, 6.0, 4.5};
    double step = 2.5 * scaled->record->resolution * scaled->scale;
    /* Coloured noise does not average out as white noise does. */
    double deviation = fmax(noise / sqrt((double)width), width > 1 ? noise_of_means(scaled, width) : 0.0);
    size_t count = 0;
    for (size_t h = 0; h < sizeof hystereses / sizeof *hystereses && count < 3; h++) {
        double hysteresis = fmax(hystereses[h] * deviation, fmin(step, 0.3));
        count = zigzag_over(scaled, width, fmax(hysteresis, 1e-7), swings, capacity);
    }
    return count;
}

/* A tenth of the shortest of the large swings, in samples: means over it lose little of the motion and most of the
 * noise. Only swings of a third of the record's range are counted, because coloured noise makes small ones. */
static size_t tenth_of_a_swing(const struct scaled_record *scaled, size_t width, double noise, struct swing *swings,
                               size_t capacity)
{
    double hysteresis = fmax(8.0 * noise / sqrt((double)width), 0.3 * block_range(scaled, width));
    size_t count = zigzag_over(scaled, width, hysteresis, swings, capacity);
    /* The first one may be a part of a swing, or the hand's. */
    double shortest = INFINITY;
    for (size_t k = 1; k < count; k++)
        shortest = fmin(shortest, swings[k].to_time - swings[k].from_time);
    return isfinite(shortest) ? (size_t)(0.1 * shortest) : 0;
}

size_t swings_find(const struct scaled_record *scaled, double noise, struct swing *swings, size_t capacity)
{
    size_t width = quiet_width(scaled, noise);
    if (!width)
        return 0;
    size_t tenth = tenth_of_a_swing(scaled, width, noise, swings, capacity);
    width = tenth > width ? tenth : width;
    size_t count = swings_at_width(scaled, width, noise, swings, capacity);
    for (size_t k = 0; k < count; k++)
        swings[k].crossing = middle_crossing(scaled, width, &swings[k]);
    return count;
}
