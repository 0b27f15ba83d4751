/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A second, strict look at short decays. All half cycles are fitted together as equal ones in a row: what a hand
 * imitates for three or four half cycles it does not imitate to 2 %. */

#include "segment/consistency.h"

#include "segment/candidate_chain.h"
#include "segment/extremes.h"
#include "segment/half_cycle.h"
#include "segment/tolerances.h"

#include <float.h>
#include <math.h>

/* Where timing is not asked for, a swing follows the one before to this part of itself: a spring that is uneven makes
 * swings large and small by turns. */
#define SWING_TOLERANCE 0.1

/* Rounds of Newton's method for the row of equal half cycles; the most half cycles in it, which are ample for the short
 * decays that are asked about; half cycles that show the law of their swings; and the fewest that a hand does not make
 * by chance. */
enum { ROUNDS = 3, MOST_HALF_CYCLES = 32, HALF_CYCLES_SHOWING_LAW = 8, UNMISTAKABLE_FROM = 3 };

/* A row of half cycles of equal length, one behind the other. */
struct equal_half_cycles {
    double start, length, beta; /* of the first half cycle */
    size_t count;
    struct half_cycle half[MOST_HALF_CYCLES];
};

static bool fit_all(const struct sample_history *history, struct equal_half_cycles *equal)
{
    for (size_t j = 0; j < equal->count; j++) {
        double start = equal->start + (double)j * equal->length;
        half_cycle_fit(history, start, equal->length, equal->beta, &equal->half[j]);
        if (!equal->half[j].usable)
            return false;
    }
    return true;
}

/* Moves and stretches the row by what the shifts of its half cycles say together: a weighted straight line. */
static void adjust(struct equal_half_cycles *equal)
{
    double w = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (size_t j = 0; j < equal->count; j++) {
        double weight = equal->half[j].swing * equal->half[j].swing, at = (double)j + 0.5;
        w += weight;
        x += weight * at;
        y += weight * equal->half[j].shift;
        xx += weight * at * at;
        xy += weight * at * equal->half[j].shift;
    }
    double determinant = w * xx - x * x;
    if (!(determinant > 0))
        return;
    double stretch = (w * xy - x * y) / determinant;
    double limit = MOST_MOVE * equal->length;
    equal->start += fmin(fmax((y - stretch * x) / w, -limit), limit);
    equal->length += fmin(fmax(stretch, -limit), limit);
}

static double squares(const struct equal_half_cycles *equal)
{
    double sum = 0;
    for (size_t j = 0; j < equal->count; j++)
        sum += equal->half[j].residual * equal->half[j].residual;
    return sum;
}

/* Fits with this damping and adjusts the timing. */
static bool fit_equal(const struct sample_history *history, double beta, int rounds, struct equal_half_cycles *equal)
{
    equal->beta = beta;
    for (int round = 0; round < rounds; round++) {
        if (round > 0)
            adjust(equal);
        if (!fit_all(history, equal))
            return false;
    }
    return true;
}

/* The best of a few dampings. */
static bool best_equal(const struct sample_history *history, const struct equal_half_cycles *rough,
                       struct equal_half_cycles *best)
{
    bool any = false;
    for (double beta = 0; beta < HALVING_BETA; beta += BETA_GRID) {
        struct equal_half_cycles equal = *rough;
        if (fit_equal(history, beta, ROUNDS, &equal) && (!any || squares(&equal) < squares(best))) {
            *best = equal;
            any = true;
        }
    }
    return any;
}

/* In shape and time: hum on the first swing moves an extremum of a smaller one by as many times more. */
static bool half_fits(const struct equal_half_cycles *equal, size_t j, const struct candidate *candidate)
{
    const struct half_cycle *half = &equal->half[j];
    double swing = fmax(fabs(half->swing), DBL_MIN), first = fabs(equal->half[0].swing);
    double shape = fmax(DEPARTURE_OF_SWING * first, candidate_residual_by(candidate->noise_least, candidate->step));
    double timing = equal->length *
                    fmax(HALF_PERIOD_TOLERANCE, fmax(HUM_SPAN * first, STEPS_OF_RESIDUAL * candidate->step) / swing);
    return half->residual <= shape && fabs(half->shift) <= fmax(timing, CERTAIN_DEVIATIONS * half_cycle_shift_se(half));
}

/* D_(j+1) = q D_j - 2 (1 + q) x_k: what is lost from swing to swing does not grow; by friction alone it stays the
 * same. */
static bool swings_follow(const struct equal_half_cycles *equal, const struct candidate *candidate)
{
    for (size_t j = 2; j < equal->count; j++) {
        double before = fabs(equal->half[j - 2].swing) - fabs(equal->half[j - 1].swing);
        double after = fabs(equal->half[j - 1].swing) - fabs(equal->half[j].swing);
        double uncertainty = 0;
        for (size_t k = j - 2; k <= j; k++)
            uncertainty = fmax(uncertainty, equal->half[k].swing_se);
        double slack = CERTAIN_DEVIATIONS * uncertainty + STEPS_OF_SWING * candidate->step +
                       HUM_OF_TWO_SWINGS * fabs(equal->half[0].swing);
        if (after > before + slack)
            return false;
    }
    return true;
}

/* A rig whose half periods are uneven, because its spring is, still loses amplitude by the law: when many swings in a
 * row follow it closely, no hand made them. */
static bool many_follow(const struct candidate *candidate, size_t first, size_t last)
{
    if (last - first < HALF_CYCLES_SHOWING_LAW)
        return false;
    struct decay_law law = decay_law_fit(candidate->swing + first, last - first);
    double slack = HUM_OF_TWO_SWINGS * candidate->swing[first] + BEND_DEVIATIONS * candidate->noise_least +
                   STEPS_OF_SWING * candidate->step;
    return decay_law_departure(&law, candidate->swing + first, last - first, SWING_TOLERANCE) <= slack;
}

static struct equal_half_cycles rough_equal(const struct candidate *candidate, size_t first, size_t last)
{
    struct equal_half_cycles equal = {.count = last - first < MOST_HALF_CYCLES ? last - first : MOST_HALF_CYCLES};
    double span = candidate->extrema[first + equal.count].position - candidate->extrema[first].position;
    equal.start = candidate->extrema[first].position;
    equal.length = span / (double)equal.count;
    return equal;
}

/* Only short decays are asked about: MOST_HALF_CYCLES are ample. */
bool candidate_is_consistent(const struct candidate *candidate, const struct sample_history *history, size_t first,
                             size_t last)
{
    struct equal_half_cycles best = {0}, rough = rough_equal(candidate, first, last);
    if (many_follow(candidate, first, last))
        return true;
    if (!best_equal(history, &rough, &best))
        return false;
    for (size_t j = 0; j < best.count; j++)
        if (!half_fits(&best, j, candidate))
            return false;
    return swings_follow(&best, candidate);
}

static double largest_residual(const struct candidate *candidate, size_t first, size_t last)
{
    double largest = 0;
    for (size_t j = first; j < last; j++)
        largest = larger(candidate->residual[j], largest);
    return largest;
}

bool candidate_is_unmistakable(const struct candidate *candidate, size_t first, size_t last)
{
    const double *swing = candidate->swing;
    if (last - first < UNMISTAKABLE_FROM)
        return false;
    double closely = candidate_residual_by(candidate->noise_least, candidate->step), first_swing = swing[first];
    /* Noise and steps may leave more than hum; of a noisy swing a tremor is not told before half of it has gone. */
    if (swing[last - 1] > HALF_OF_FIRST * first_swing)
        closely = smaller(closely, DEPARTURE_OF_SWING * first_swing);
    double allowed = larger(CLEAN_MISFIT_OF_SWING * first_swing, closely);
    return largest_residual(candidate, first, last) <= allowed &&
           first_swing - swing[last - 1] > HUM_OF_TWO_SWINGS * first_swing;
}
