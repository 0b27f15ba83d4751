/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "segment/loop_end_prediction.h"

#include <math.h>

/* A line goes through so much of a half cycle before the middle of its way, and as much behind it: a sine bends there
 * by less than 1 in 100 of its amplitude, and alike to both sides. */
static const double line_share = 0.125;

/* The mean is over so many loops at most: that leaves a third of the noise of one, and the drive may change slowly. */
enum { MEAN_LOOPS = 8 };

/* Ways to and fro that differ in their times by less than this share are alike: then the end of the first loop is as
 * far from the middle of its way as its beginning was. */
static const double symmetry_share = 0.05;

/* A mark that is wider than this part of the period tells nothing of where the reversal is in it. */
static const double widest_share = 0.35;

void loop_end_prediction_begin(struct loop_end_prediction *prediction)
{
    prediction->middle_s = NAN;
}

void loop_end_prediction_begin_run(struct loop_end_prediction *prediction)
{
    prediction->loops = 0;
}

/* It tells when the loop ended. The centre of a mark lies in the middle between when its level was passed before and
 * behind it: where one way is quicker than the other, the reversal is nearer to that by (1/2 - f) w, of ways that take
 * the shares f and 1 - f of the period and a mark of width w; by as much the other reversal is off the other way, and
 * by both f, which these centres tell. */
static double ended_s(const struct running_loop *loop, const struct loop_mark *end)
{
    const double period_s = end->centre_s - loop->lower->centre_s, back_s = end->centre_s - loop->upper->centre_s;
    const double rest_s = loop_mark_rest(end, loop->upper->value - loop->lower->value, period_s);
    const double width = fmin((end->width_s - rest_s) / period_s, widest_share);
    return end->centre_s - (0.5 * period_s - back_s) * width / (1 - 2 * width);
}

void loop_end_prediction_learn(struct loop_end_prediction *prediction, const struct running_loop *loop,
                               const struct loop_mark *end)
{
    if (isnan(prediction->middle_s))
        return;
    const double remaining_ratio =
        (ended_s(loop, end) - prediction->middle_s) / (prediction->middle_s - loop->lower->centre_s);
    const double before = prediction->loops > 0 ? prediction->remaining_ratio : 0;
    prediction->loops += prediction->loops < MEAN_LOOPS;
    prediction->remaining_ratio = before + (remaining_ratio - before) / (double)prediction->loops;
}

/* It tells when the line through the scans from one to another is at that displacement; NAN: it is not within these, as
 * where the way back dwells there. */
static double line_passes_s(const struct loop_scans *scans, uint64_t from, uint64_t to, double displacement)
{
    const double count = (double)(to - from) + 1, about_s = loop_scans_at(scans, from)->time_s;
    double mean_s = 0, mean = 0, square = 0, product = 0;
    for (uint64_t i = from; i <= to; i++) {
        mean_s += (loop_scans_at(scans, i)->time_s - about_s) / count;
        mean += loop_scans_at(scans, i)->displacement / count;
    }
    for (uint64_t i = from; i <= to; i++) {
        const double past_s = loop_scans_at(scans, i)->time_s - about_s - mean_s;
        square += past_s * past_s;
        product += past_s * (loop_scans_at(scans, i)->displacement - mean);
    }
    const double past_s = product != 0 ? mean_s + (displacement - mean) * square / product : (double)NAN;
    const bool within = past_s >= 0 && past_s <= loop_scans_at(scans, to)->time_s - about_s;
    return within ? about_s + past_s : (double)NAN;
}

/* It tells when the half cycle from one reversal, of that displacement, to another passed its middle, which the scan
 * `to` lies behind. */
static double passes_s(const struct loop_scans *scans, const struct loop_mark *from, double value, uint64_t to)
{
    const double middle = 0.5 * (from->value + value), side = from->value > value ? 1 : -1;
    uint64_t at = to;
    while (at > from->sample && side * (loop_scans_at(scans, at)->displacement - middle) < 0)
        at--;
    const uint64_t reach = (uint64_t)(line_share * (double)(to - from->sample)) + 1;
    return line_passes_s(scans, at - scan_earlier(reach, at - from->sample), scan_earlier(at + reach, to), middle);
}

/* It predicts the end of the first loop of a run, whose way there tells of its way back where both are alike so far. */
static void predict_by_symmetry(struct loop_end_prediction *prediction, const struct running_loop *loop)
{
    const struct loop_mark *lower = loop->lower, *upper = loop->upper;
    const double rose_s = passes_s(loop->scans, lower, upper->value, upper->sample);
    const double there_s = upper->centre_s - rose_s, back_s = prediction->middle_s - upper->centre_s;
    const bool alike = fabs(back_s - there_s) <= symmetry_share * (back_s + there_s);
    prediction->remaining_ratio =
        alike ? (rose_s - lower->centre_s) / (prediction->middle_s - lower->centre_s) : (double)INFINITY;
}

double loop_end_prediction_s(struct loop_end_prediction *prediction, const struct running_loop *loop, uint64_t now)
{
    const double start_s = loop->lower->centre_s;
    if (isnan(prediction->middle_s)) {
        prediction->middle_s = passes_s(loop->scans, loop->upper, loop->lower->value, now);
        if (prediction->loops == 0)
            predict_by_symmetry(prediction, loop);
    }
    return start_s + (1 + prediction->remaining_ratio) * (prediction->middle_s - start_s);
}
