/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The coarse view of a record before anything is known of it: how noisy it is, and between which turning points it
 * swings. */

#include "identify/decay/swings.h"

#include "identify/common/sample_pass.h"
#include "identify/decay/swing_list.h"

#include <math.h>
#include <string.h>

/* A record seen through blocks of `width` samples; blocks of twice the width of the means come from these. */
struct view {
    const struct scaled_record *scaled;
    size_t width;
    const struct sample_means *means; /* may be NULL */
};

/* How many blocks, from the first on, are pairs of the means. */
static size_t pairs_in(const struct view *view)
{
    const struct sample_means *means = view->means;
    return means && means->width > 0 && view->width == 2 * means->width ? means->count / 2 : 0;
}

/* The mean of the samples of block k, and their mean time. False when all are flagged. */
static bool average_block(const struct view *view, size_t k, double *time, double *value)
{
    const struct scaled_record *scaled = view->scaled;
    double time_sum = 0.0, value_sum = 0.0;
    size_t usable = 0;
    for (size_t i = k * view->width; i < (k + 1) * view->width && i < scaled->count; i++) {
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

static inline bool block_mean(const struct view *view, size_t k, double *time, double *value)
{
    if (k >= pairs_in(view))
        return average_block(view, k, time, value);
    *time = (double)(k * view->width) + 0.5 * (double)(view->width - 1);
    *value = view->means->pair[k];
    return true;
}

/* The first blocks, as many as need no averaging. */
static struct even_values line_in(const struct view *view)
{
    const struct scaled_record *scaled = view->scaled;
    const double width = (double)view->width;
    if (view->width == 1 && scaled_is_plain(scaled))
        return (struct even_values){
            scaled->record->displacement, 1, scaled->count, scaled->offset, scaled->scale, 0.0, 1.0};
    return (struct even_values){
        view->means ? view->means->pair : NULL, 1, pairs_in(view), 0.0, 1.0, 0.5 * (width - 1.0), width};
}

static size_t blocks_in(const struct view *view)
{
    return (view->scaled->count + view->width - 1) / view->width;
}

static void take_means(const struct scaled_record *scaled, size_t width, struct sample_means *means)
{
    means->width = scaled_is_plain(scaled) ? width : 0;
    means->count = means->width ? scaled->count / width : 0;
    means->complete = means->count <= MEANS_MOST;
    means->count = means->complete ? means->count : MEANS_MOST;
    sample_block_sums(lanes_widest(), scaled->record->displacement, width, means->count, scaled->offset,
                      scaled->scale / (double)width, means->value);
    for (size_t k = 0; k < means->count / 2; k++)
        means->pair[k] = 0.5 * (means->value[2 * k] + means->value[2 * k + 1]);
}

/* The sum of the squares of the weights of sixth differences, which are binomial. It turns their mean square into the
 * variance of one value. */
static const double sixth_weights = 924.0;

/* The standard deviation of the blocks' means about a smooth motion, from sixth differences. 0 when there are not seven
 * means in a row. */
static double noise_of_blocks(const struct view *view)
{
    static const double weights[7] = {1.0, -6.0, 15.0, -20.0, 15.0, -6.0, 1.0};
    double latest[7] = {0}, sum = 0.0, time;
    size_t in_a_row = 0, count = 0, blocks = blocks_in(view), pairs = pairs_in(view);
    /* The last block, which may be shorter, makes no difference to many. */
    if (pairs >= 64 && pairs + 1 >= blocks)
        return sqrt(sixth_difference_squares(lanes_widest(), view->means->pair, pairs) /
                    (sixth_weights * (double)(pairs - 6)));
    for (size_t k = 0; k < blocks; k++) {
        memmove(latest, latest + 1, sizeof latest - sizeof *latest);
        in_a_row = block_mean(view, k, &time, &latest[6]) ? in_a_row + 1 : 0;
        if (in_a_row < 7)
            continue;
        double difference = 0.0;
        for (size_t n = 0; n < 7; n++)
            difference += weights[n] * latest[n];
        sum += difference * difference;
        count++;
    }
    return count ? sqrt(sum / (sixth_weights * (double)count)) : 0.0;
}

double sample_means_noise(const struct sample_means *means)
{
    if (means->count < 7)
        return 0.0;
    double squares = sixth_difference_squares(lanes_widest(), means->value, means->count);
    return sqrt(squares / (sixth_weights * (double)(means->count - 6)));
}

/* Stretches all over the record tell the noise as well as all of it does. */
double swings_noise(const struct scaled_record *scaled)
{
    enum { STRETCHES = 8, STRETCH = 256 };
    const double *displacement = scaled->record->displacement;
    enum lanes_kind kind = lanes_widest();
    if (scaled->record->flags)
        return noise_of_blocks(&(struct view){scaled, 1, NULL});
    if (scaled->count < 7)
        return 0.0;
    double squares = 0.0, differences = (double)(scaled->count - 6);
    if (scaled->count <= STRETCHES * STRETCH) {
        squares = sixth_difference_squares(kind, displacement, scaled->count);
    } else {
        for (size_t n = 0; n < STRETCHES; n++) {
            size_t first = n * ((scaled->count - STRETCH) / (STRETCHES - 1));
            squares += sixth_difference_squares(kind, displacement + first, STRETCH);
        }
        differences = STRETCHES * (double)(STRETCH - 6);
    }
    return sqrt(squares / (sixth_weights * differences)) * scaled->scale;
}

static size_t swings_over(const struct view *view, double hysteresis, struct swing *swings, size_t capacity)
{
    struct swing_list list = swing_list_with(hysteresis, swings, capacity);
    const struct even_values line = line_in(view);
    const size_t blocks = blocks_in(view);
    bool room = swing_list_take_all(&list, &line);
    for (size_t k = line.count; k < blocks && room; k++) {
        double time, value;
        room = !block_mean(view, k, &time, &value) || swing_list_take(&list, time, value);
    }
    swing_list_end(&list);
    return list.count;
}

/* The same over every `stride`-th sample as it is. */
static size_t swings_striding(const struct scaled_record *scaled, size_t stride, double hysteresis,
                              struct swing *swings, size_t capacity)
{
    struct swing_list list = swing_list_with(hysteresis, swings, capacity);
    const size_t count = (scaled->count + stride - 1) / stride;
    swing_list_take_all(&list, &(struct even_values){scaled->record->displacement, stride, count, scaled->offset,
                                                     scaled->scale, 0.0, (double)stride});
    swing_list_end(&list);
    return list.count;
}

/* Where a swing passes its middle, as far as it has been looked at: the signed mean of all passages, so that noise
 * there averages out. */
struct crossings {
    double middle, sign;
    double sum, previous_time, previous;
    bool started; /* the swing has been below its middle */
};

static inline void look_for_crossing(struct crossings *crossings, double time, double value)
{
    const double side = crossings->sign * (value - crossings->middle);
    if (crossings->started && (side > 0.0) != (crossings->previous > 0.0)) {
        const double passed = crossings->previous / (crossings->previous - side);
        const double at = crossings->previous_time + (time - crossings->previous_time) * passed;
        crossings->sum += side > 0.0 ? at : -at;
    }
    crossings->started = crossings->started || side <= 0.0;
    crossings->previous = side;
    crossings->previous_time = time;
}

/* Begins one block early, so that a passage right at the start has a block before it. */
static double middle_crossing(const struct view *view, const struct swing *swing)
{
    struct crossings crossings = {.middle = 0.5 * (swing->from + swing->to),
                                  .sign = swing->to > swing->from ? 1.0 : -1.0};
    const struct even_values line = line_in(view);
    const double latest = swing->to_time + 1e-9 * (1.0 + fabs(swing->to_time));
    const size_t begin = scaled_first_at(view->scaled, swing->from_time) / view->width, blocks = blocks_in(view);
    size_t k = begin > 0 ? begin - 1 : 0;
    for (; k < line.count && even_place(&line, k) <= latest; k++)
        look_for_crossing(&crossings, even_place(&line, k), even_value(&line, k));
    for (const bool passed = k < line.count; !passed && k < blocks; k++) {
        double time, value;
        if (!block_mean(view, k, &time, &value))
            continue;
        if (time > latest)
            break;
        look_for_crossing(&crossings, time, value);
    }
    return crossings.sum > 0.0 ? crossings.sum : 0.5 * (swing->from_time + swing->to_time);
}

static double block_range(const struct view *view)
{
    double low = INFINITY, high = -INFINITY;
    size_t blocks = blocks_in(view);
    for (size_t k = 0; k < blocks; k++) {
        double time, value;
        if (!block_mean(view, k, &time, &value))
            continue;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    return high - low;
}

/* The least number of samples a mean at which the record stands well out of its noise; 0 when none does. Eleven
 * deviations: pure noise of many samples spans less. */
static size_t quiet_width(const struct scaled_record *scaled, double noise, struct sample_means *means, double *range)
{
    for (size_t width = 1; scaled->count / width >= 8; width *= 4) {
        if (width > 1)
            take_means(scaled, width / 2, means);
        *range = width > 1 ? block_range(&(struct view){scaled, width, means}) : scaled->range;
        if (*range > 11.0 * noise / sqrt((double)width))
            return width;
    }
    return 0;
}

/* The swings at one width: the largest hysteresis that shows three of them, or as many as the smallest one shows. */
static size_t swings_at_width(const struct view *view, double noise, struct swing *swings)
{
    static const double hystereses[] = {8.0, 6.0, 4.5};
    const struct scaled_record *scaled = view->scaled;
    double step = 2.5 * scaled->record->resolution * scaled->scale;
    /* Coloured noise does not average out as white noise does. */
    double deviation = fmax(noise / sqrt((double)view->width), view->width > 1 ? noise_of_blocks(view) : 0.0);
    size_t count = 0;
    for (size_t h = 0; h < sizeof hystereses / sizeof *hystereses && count < 3; h++) {
        double hysteresis = fmax(hystereses[h] * deviation, fmin(step, 0.3));
        count = swings_over(view, fmax(hysteresis, 1e-7), swings, SWINGS_MOST);
    }
    return count;
}

/* So many samples can be stepped over that the record cannot have moved by more than a tenth of its range. */
static size_t safe_stride(const struct scaled_record *scaled, double range)
{
    if (!scaled_is_plain(scaled) || !(scaled->steepest > 0.0))
        return 1;
    double stride = 0.1 * range / scaled->steepest;
    return stride < 2.0 ? 1 : (size_t)fmin(stride, 1e9);
}

/* A tenth of the shortest of the large swings, in samples: means over it lose little of the motion and most of the
 * noise. Only swings of a third of the record's range are counted, because coloured noise makes small ones. */
static size_t tenth_of_a_swing(const struct view *view, double noise, double range, struct swing *swings)
{
    double hysteresis = fmax(8.0 * noise / sqrt((double)view->width), 0.3 * range);
    size_t stride = view->width == 1 ? safe_stride(view->scaled, range) : 1;
    size_t count = stride > 1 ? swings_striding(view->scaled, stride, hysteresis, swings, SWINGS_MOST)
                              : swings_over(view, hysteresis, swings, SWINGS_MOST);
    /* The first one may be a part of a swing, or the hand's. */
    double shortest = INFINITY;
    for (size_t k = 1; k < count; k++)
        shortest = fmin(shortest, swings[k].to_time - swings[k].from_time);
    return isfinite(shortest) ? (size_t)(0.1 * shortest) : 0;
}

size_t swings_find(const struct scaled_record *scaled, double noise, struct swings_workspace *workspace)
{
    struct sample_means *means = &workspace->means;
    struct swing *swings = workspace->swing;
    double range;
    means->width = means->count = 0;
    size_t width = quiet_width(scaled, noise, means, &range);
    if (!width)
        return 0;
    struct view view = {scaled, width, means};
    size_t tenth = tenth_of_a_swing(&view, noise, range, swings);
    view.width = tenth > width ? tenth / 2 * 2 : width;
    if (view.width > 1)
        take_means(scaled, view.width / 2, means);
    size_t count = swings_at_width(&view, noise, swings);
    for (size_t k = 0; k < count; k++)
        swings[k].crossing = middle_crossing(&view, &swings[k]);
    return count;
}
