/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A light blow changes the time of no single half cycle by more than noise does. The phase-locked loop of the search
 * follows every half cycle a little, so that it soon expects a change that lasts; therefore extrema are also compared
 * with straight lines through those of a while ago. */

#include "segment/swing_trend.h"

#include "segment/candidate_chain.h"
#include "segment/tolerances.h"

#include <math.h>

enum { RUN = SWING_TREND_RUN, ASKED = SWING_TREND_ASKED, SKIPPED = SWING_TREND_SKIPPED };
/* Over so many half cycles the half period is known to a part in 32 of what an extremum is uncertain by. No leap in
 * time may lie among them and those that are asked. */
enum { LONG_RUN = 32 };
_Static_assert(LONG_RUN + ASKED + 1 <= CANDIDATE_LATEST_KEPT, "a trend would be looked for across a leap");

/* Both must be off to one side, the second by CERTAIN_DEVIATIONS of the scatter of the run, which six degrees of
 * freedom tell. A line through eight values that is led on by two is itself uncertain, by sqrt(1 + 1/8 + 5.5²/42) of
 * that scatter together with the value: Student's t has the second beyond that once in a hundred. So it must be off by
 * this part of a half period as well, which an uneven spring makes of no three in a row. */
#define LEAST_SHIFT (3 * DOUBTFUL_SHIFT)

/* A straight line through equidistant values. */
struct line {
    double at_last, slope, scatter;
};

static struct line line_through(const double values[RUN])
{
    double mean = 0, slope = 0, squares = 0, squared = 0;
    for (int i = 0; i < RUN; i++)
        mean += values[i] / RUN;
    for (int i = 0; i < RUN; i++) {
        double at = i - (RUN - 1) / 2.0;
        slope += at * (values[i] - mean);
        squared += at * at;
    }
    slope /= squared;
    for (int i = 0; i < RUN; i++) {
        double off = values[i] - mean - slope * (i - (RUN - 1) / 2.0);
        squares += off * off;
    }
    return (struct line){mean + slope * (RUN - 1) / 2, slope, sqrt(squares / (RUN - 2))};
}

/* A blow moves the two extrema behind it alike; half is left to noise. An envelope that turns, as that of a beat, moves
 * the first by little. */
#define FIRST_OF_SECOND 0.5

/* It tells whether both values that follow are off to the same side, the second by more than this. */
static bool both_off(double first, double second, double allowed)
{
    return first * second > 0 && fabs(second) > allowed && fabs(first) > FIRST_OF_SECOND * fabs(second);
}

/* The part of what is seen that lies beyond both of two expectations. */
static double beyond(double seen, double one, double other)
{
    return fmax(seen - fmax(one, other), 0) - fmax(fmin(one, other) - seen, 0);
}

/* The half period of long ago is known well, that of late is the one that counts when a rig changes it little by
 * little. */
static bool out_of_time(const struct candidate *candidate, size_t last, double *half_period)
{
    const struct candidate_extremum *extrema = candidate->extrema;
    size_t back = last - SKIPPED < LONG_RUN ? last - SKIPPED : LONG_RUN;
    double here = extrema[last].position, length = (here - extrema[last - back].position) / (double)back;
    double run[RUN], off[ASKED], middle = 0;
    for (size_t i = 0; i < RUN; i++) {
        run[i] = extrema[last + 1 - RUN + i].position - here;
        middle += (run[i] + (double)(RUN - 1 - i) * length) / RUN;
    }
    *half_period = length;
    /* This is nearly always so: what lies beyond two expectations is no further from one of them. */
    if (fabs(extrema[last + ASKED].position - here - middle - ASKED * length) <= LEAST_SHIFT * length)
        return false;
    struct line line = line_through(run);
    for (size_t i = 0; i < ASKED; i++) {
        double ahead = (double)(i + 1);
        off[i] =
            beyond(extrema[last + 1 + i].position - here, middle + ahead * length, line.at_last + ahead * line.slope);
    }
    return both_off(off[0], off[1], fmax(LEAST_SHIFT * length, CERTAIN_DEVIATIONS * line.scatter));
}

bool candidate_left_trend(const struct candidate *candidate, size_t *last, double *half_period)
{
    *last = candidate->count - 1 - ASKED;
    return out_of_time(candidate, *last, half_period);
}
