/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/response/second_peak.h"

#include <gsl/gsl_statistics.h>
#include <math.h>

/* Lower maxima count for nothing: ten half widths away one of them moves the peak by a hundredth of its half width. */
static const double share_least = 0.1;

/* A maximum stands so many times the scatter above the valley before it: the range of a thousand samples of noise
 * is 6.5 times its standard deviation. Figures of a file that has four digits rise by less than the other. */
static const double rise_noise = 8, rise_least = 0.002;

/* Standard deviation of ln gain, by the median of second differences, whose variance is six times that of a sample; a
 * median of absolute values is 0.6745 of a normal standard deviation. What bends in the response adds to it. */
static double scatter_of(const struct response_point *points, size_t count, double *scratch)
{
    for (size_t i = 1; i + 1 < count; i++)
        scratch[i - 1] = fabs(log(points[i - 1].gain * points[i + 1].gain / (points[i].gain * points[i].gain)));
    return gsl_stats_median(scratch, 1, count - 2) / (0.6745 * sqrt(6));
}

/* The highest point beyond a frequency on one side, behind a valley, that stands out of it by the factor `rises`. */
static size_t highest_beyond(const struct response_point *points, size_t count, size_t top, double beyond, double rises)
{
    const int step = beyond < points[top].frequency ? -1 : 1;
    size_t highest = top;
    double valley = points[top].gain;
    for (size_t i = top; step < 0 ? i > 0 : i + 1 < count;) {
        i += (size_t)step;
        valley = fmin(valley, points[i].gain);
        if (step * (points[i].frequency - beyond) > 0 && points[i].gain > rises * valley &&
            (highest == top || points[i].gain > points[highest].gain))
            highest = i;
    }
    return highest;
}

struct second_peak second_peak_of(const struct response_point *points, size_t count, size_t top, double f_1, double f_2,
                                  double *scratch)
{
    const double rises = exp(fmax(rise_noise * scatter_of(points, count, scratch), rise_least));
    const size_t side[] = {highest_beyond(points, count, top, f_1, rises),
                           highest_beyond(points, count, top, f_2, rises)};
    struct second_peak second = {0, 0};
    for (int k = 0; k < 2; k++) {
        const double share = points[side[k]].gain / points[top].gain;
        /* What still rises at the end of the record is no maximum yet, but a flank of one all the same. */
        if (side[k] != top && share > fmax(second.share, share_least))
            second = (struct second_peak){points[side[k]].frequency, share};
    }
    return second;
}
