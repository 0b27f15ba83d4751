/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where does a free motion begin? A release or a blow spoils the first half cycles, and the first one seen need not
 * be the first one there: so the start is guessed at once and refined when the timing is known. */

#include "segment/candidate_chain.h"
#include "segment/rhythm.h"
#include "segment/tolerances.h"
#include "segment/vertex.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Two turning points must be so many samples apart: with fewer a parabola has none to spare on either side of them. */
#define FEWEST_SAMPLES_A_HALF_CYCLE 6
/* The noise of a channel is known to this part by chance, where little of it was seen. */
#define NOISE_AT_LEAST 0.8
/* A law of strong damping is believed when what it leaves is less than this part of what the first guess left: two
 * shapes that fit alike leave 0.8 to 1.2 of each other by chance. */
#define BETTER_MISFIT_RATIO 0.6

enum {
    EXPECTED_FROM = 3,  /* swings from which the one before them is expected: two show no trend in noise */
    LIKE_THOSE = 4,     /* half cycles that tell how well one fits */
    MOST_MISFITS = 3,   /* half cycles at the start that a release or a blow may spoil */
    MOST_BACKWARDS = 64 /* half cycles before the one that was noticed: bounds the work */
};

/* The half cycle before the first extremum, if it is a free-looking one; its swing has the sign of a decay. */
static bool free_half_before(const struct candidate *candidate, const struct sample_history *history,
                             struct half_cycle *half)
{
    double start = candidate->extrema[0].position - candidate->half_period;
    candidate_measure(candidate, history, start, candidate->half_period, half);
    if (candidate->extrema[1].level > candidate->extrema[0].level)
        half->swing = -half->swing;
    return half->usable && fabs(half->shift) < MOST_SHIFT_LATER * candidate->half_period;
}

/* It tells whether a swing is what those that follow let expect: it lies between what friction alone and viscous
 * damping alone would make of it, with some room. Equal ratios never make less of it than equal steps. Over a few
 * swings noise averages out. */
static bool expected_swing(const struct candidate *candidate, double swing, const double *after, size_t count)
{
    double over = (double)(count > EXPECTED_FROM ? EXPECTED_FROM : count) - 1;
    double next = after[0], last = after[(size_t)over];
    double room = fmax(HUM_OF_TWO_SWINGS * next, BEND_DEVIATIONS * candidate->noise);
    double by_ratio = next * pow(next / last, 1 / over), by_step = next + (next - last) / over;
    return swing > by_step - room && swing < by_ratio + room;
}

/* The residual that a half cycle with this swing may have before the extremum `first`: like those after it, where there
 * are enough of them. */
static double allowed_misfit(const struct candidate *candidate, double swing, size_t first)
{
    double loose = fmax(LOOSE_MISFIT_OF_SWING * swing, candidate_residual_by(candidate->noise, candidate->step));
    double relative = 0;
    size_t last = first + LIKE_THOSE;
    if (candidate->count - 1 < last)
        return loose;
    for (size_t j = first; j < last; j++) {
        if (!isfinite(candidate->residual[j]))
            return loose;
        relative = fmax(relative, candidate->residual[j] / candidate->swing[j]);
    }
    return fmax(fmax(UNLIKE_OTHERS_RATIO * relative, CLEAN_MISFIT_OF_SWING) * swing,
                STEPS_OF_RESIDUAL * candidate->step);
}

/* It tells whether a half cycle comes when it is expected, as far as an extremum and the noise let that be known. */
static bool is_timely(const struct half_cycle *half, double length)
{
    return fabs(half->shift) <= fmax(EXTREMUM_UNCERTAINTY * length, CERTAIN_DEVIATIONS * half_cycle_shift_se(half));
}

/* It tells whether a half cycle before the first is what the first two let expect. */
static bool suits_those_after(const struct candidate *candidate, const struct half_cycle *half)
{
    if (candidate->count < 3)
        return true;
    return half->residual <= allowed_misfit(candidate, half->swing, 0) &&
           expected_swing(candidate, half->swing, candidate->swing, candidate->count - 1) &&
           is_timely(half, candidate->half_period);
}

/* Free half cycles before the first one that was noticed. Stops where samples end, where the motion is not free, or
 * where swings grow towards the first: a decay does not. */
static int extend_back(struct candidate *candidate, const struct sample_history *history, double from)
{
    for (int i = 0; i < MOST_BACKWARDS; i++) {
        struct half_cycle half;
        double next = candidate->swing[0];
        if (candidate->extrema[0].position - candidate->half_period < from)
            return 0;
        if (!free_half_before(candidate, history, &half))
            return 0;
        if (candidate->start_refined && !suits_those_after(candidate, &half))
            return 0;
        double slack = candidate_swing_slack(candidate, candidate_swing_uncertainty(candidate, &half));
        if (half.swing < (1 - HUM_OF_TWO_SWINGS) * next - slack)
            return 0;
        int failed = candidate_prepend(candidate, &half);
        if (failed)
            return failed;
    }
    return 0;
}

/* The extremum from which the first half cycles are measured again: the timing is well known there, and what ends the
 * candidate has not begun. */
static size_t well_timed_extremum(const struct candidate *candidate)
{
    /* A last half cycle out of time may have been disturbed before the search noticed. */
    size_t count = candidate->count - (candidate->count > 5 && candidate->latest_shift > EXTREMUM_UNCERTAINTY);
    if (count > CANDIDATE_TIMING_KNOWN)
        return CANDIDATE_TIMING_KNOWN;
    return count > 3 ? count - 2 : count - 1;
}

/* The length of the half cycles before extremum j, three at least, is told by those from this extremum on: what came
 * first was located badly, the later ones know better. */
static size_t length_from(size_t j)
{
    return j >= 6 ? j / 2 : 1;
}

/* Measures the half cycles from extremum `first` to j once more, backwards from where the timing is well known: a
 * release or a blow may have spoilt it at first. Returns what they are off by together, and stops where that is more
 * than `most`. */
static double measure_again(struct candidate *candidate, const struct sample_history *history, size_t first, size_t j,
                            double most)
{
    double position = candidate->extrema[j].position, length = candidate->half_period, misfit = 0;
    if (j >= 3)
        length = (position - candidate->extrema[length_from(j)].position) / (double)(j - length_from(j));
    while (j-- > first && misfit <= most) {
        struct half_cycle half;
        candidate_measure(candidate, history, position - length, length, &half);
        bool timely = half.usable && is_timely(&half, length);
        position += timely ? 0.5 * half.shift - length : -length;
        candidate->extrema[j] = (struct candidate_extremum){position, half.start};
        candidate->swing[j] = candidate_swing_of(&half);
        candidate->residual[j] = timely ? half.residual : INFINITY;
        misfit += isfinite(candidate->residual[j]) ? candidate->residual[j] : candidate->swing[j];
    }
    return misfit;
}

/* The half cycles before an extremum, as measured. */
struct first_half_cycles {
    struct candidate_extremum extrema[CANDIDATE_TIMING_KNOWN + 1];
    double swing[CANDIDATE_TIMING_KNOWN], residual[CANDIDATE_TIMING_KNOWN], beta;
};

static void keep_first(const struct candidate *candidate, size_t last, struct first_half_cycles *kept)
{
    memcpy(kept->extrema, candidate->extrema, (last + 1) * sizeof *kept->extrema);
    memcpy(kept->swing, candidate->swing, last * sizeof *kept->swing);
    memcpy(kept->residual, candidate->residual, last * sizeof *kept->residual);
    kept->beta = candidate->beta;
}

static void put_first_back(struct candidate *candidate, size_t last, const struct first_half_cycles *kept)
{
    memcpy(candidate->extrema, kept->extrema, (last + 1) * sizeof *kept->extrema);
    memcpy(candidate->swing, kept->swing, last * sizeof *kept->swing);
    memcpy(candidate->residual, kept->residual, last * sizeof *kept->residual);
    candidate->beta = kept->beta;
}

/* At first the shape is that of half the damping that swings might show, for the other half may be friction. A strong
 * damping moves extrema by a hundredth of the half period then, which hides where the motion began. So the law of the
 * swings is asked, and believed from now on if the half cycles, which were off by `misfit`, fit much better. */
static void measure_with_law(struct candidate *candidate, const struct sample_history *history, size_t timed,
                             double misfit)
{
    struct first_half_cycles kept;
    if (candidate->count - 1 < FEWEST_SWINGS_FOR_LAW)
        return;
    struct decay_law law = decay_law_fit(candidate->swing + 1, candidate->count - 2);
    /* A ratio of one half is that of HALVING_BETA. */
    double beta = -log(fmax(law.q, 0.5)) / M_PI, most = BETTER_MISFIT_RATIO * misfit;
    /* Dampings nearer to each other than a quarter of the grid have the same shape. */
    if (fabs(beta - candidate->beta) < BETA_GRID / 4)
        return;
    keep_first(candidate, timed, &kept);
    candidate->beta = beta;
    /* The extremum that is measured from was moved as well, and with it the length. */
    (void)measure_again(candidate, history, length_from(timed), timed, INFINITY);
    candidate->extrema[timed].position = candidate->extrema[timed - 1].position + candidate->half_period;
    if (!(measure_again(candidate, history, 0, timed, most) < most))
        put_first_back(candidate, timed, &kept);
}

/* It measures the half cycles behind extremum j once more, for they, too, were measured while the timing was not known.
 */
static void measure_forwards(struct candidate *candidate, const struct sample_history *history, size_t j)
{
    double position = candidate->extrema[j].position, length = (position - candidate->extrema[0].position) / (double)j;
    for (; j + 1 < candidate->count; j++) {
        struct half_cycle half;
        candidate_measure(candidate, history, position, length, &half);
        if (!half.usable || !(half.residual < candidate->residual[j]))
            return;
        position += length + 0.5 * half.shift;
        candidate->extrema[j + 1] = (struct candidate_extremum){position, half.start + half.swing};
        candidate->swing[j] = candidate_swing_of(&half);
        candidate->residual[j] = half.residual;
    }
}

/* It tells whether the first half cycle fits, and is what those after it let expect. */
static bool first_fits(const struct candidate *candidate)
{
    const double *swing = candidate->swing;
    bool alone = candidate->count < 4;
    return candidate->residual[0] <= allowed_misfit(candidate, swing[0], 1) &&
           (alone || expected_swing(candidate, swing[0], swing + 1, candidate->count - 2));
}

/* This is done once, for the samples that it looks at may be dropped afterwards. */
int candidate_refine_start(struct candidate *candidate, const struct sample_history *history, double from)
{
    if (candidate->start_refined || candidate->count < 3)
        return 0;
    candidate->start_refined = true;
    size_t timed = well_timed_extremum(candidate);
    measure_with_law(candidate, history, timed, measure_again(candidate, history, 0, timed, INFINITY));
    if (timed + 1 < candidate->count && candidate_half_cycles(candidate) < CANDIDATE_TIMING_KNOWN)
        measure_forwards(candidate, history, timed);
    for (int i = 0; i < MOST_MISFITS && candidate->count > 2 && !first_fits(candidate); i++)
        candidate_forget_first(candidate);
    return extend_back(candidate, history, from);
}

/* It tells whether the mass was held still before it moved off from its first turning point. The instant of a turning
 * point that ends a hold is uncertain, and with it the half period: the next one is better waited for. */
static bool held_before(const struct sample_history *history, const struct turning_point *turning, double start,
                        double length)
{
    const struct motion_end end = {start, turning[0].displacement, length,
                                   turning[1].displacement - turning[0].displacement, 0};
    double residual, follow = motion_before(history, &end, UNAMBIGUOUS_SHIFT * length, &residual);
    return fabs(follow) < LEAST_FREE_FOLLOW;
}

/* First guess of where the two extrema are, refined by parabolas. */
static bool locate(const struct sample_history *history, const struct turning_point *turning, double *start,
                   double *length)
{
    double first = sample_history_position(history, turning[0].number);
    double second = sample_history_position(history, turning[1].number);
    double between = second - first, level;
    /* A rise begins at a trough, which curves upwards. */
    int curvature = turning[1].displacement > turning[0].displacement ? 1 : -1;
    double refined[2];
    if (!(turning[1].number - turning[0].number >= FEWEST_SAMPLES_A_HALF_CYCLE))
        return false;
    if (!vertex_fit(history, second, VERTEX_OF_HALF_PERIOD * between, -curvature, &refined[1], &level))
        return false;
    if (!vertex_fit(history, first, VERTEX_OF_HALF_PERIOD * between, curvature, &refined[0], &level))
        return false;
    *start = refined[0];
    *length = refined[1] - refined[0];
    return true;
}

/* Most pairs of turning points are noise or hand, so the cheap reasons to refuse come first. */
int candidate_begin(struct candidate *candidate, const struct sample_history *history,
                    const struct turning_point *turning, const struct channel_noise *noise, const struct rhythm *rhythm,
                    double from)
{
    double start, length;
    struct half_cycle half;
    candidate->count = 0;
    candidate->start_refined = candidate->still = false;
    candidate->shape.length = 0;
    if (!locate(history, turning, &start, &length) || start < from)
        return -EDOM;
    half_cycle_fit(history, start, length, FIRST_BETA, &half);
    rhythm_fit_at_known(rhythm, history, &start, &length, &half);
    if (!half.usable || held_before(history, turning, start, length))
        return -EDOM;
    /* A bin averages its samples' noise. */
    double least = NOISE_AT_LEAST * noise->sd / sqrt(half.bin_size);
    double swing = half.swing * (turning[1].displacement > turning[0].displacement ? 1 : -1);
    candidate->half_period = length;
    candidate->beta = FIRST_BETA;
    candidate->latest_shift = 0;
    candidate->direction = half.swing > 0 ? 1 : -1;
    candidate->noise = fmax(half.residual, least);
    candidate->noise_least = least;
    candidate->step = noise->step;
    /* Behind a first swing that is not clear the second may not show at all. */
    if (!(swing > CLEAR_SWING_RATIO * candidate_smallest_among(candidate, half.root_share)))
        return -EDOM;
    if (candidate_set_first(candidate, start, half.start) || candidate_append(candidate, &half, start + length))
        return -ENOMEM;
    return extend_back(candidate, history, from);
}
