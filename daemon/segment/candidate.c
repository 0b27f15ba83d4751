/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment/candidate.h"

#include "segment/half_cycle.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far a half cycle may be from free motion. */
#define SHAPE_AT_FIRST 0.08 /* rms of the residual, relative to the swing, before the shape is known */
#define SHAPE_LATER 0.05    /* likewise when damping and timing have been learnt */
#define TIMING 0.15         /* shift, relative to the half period */
#define TIMING_AT_FIRST 0.3 /* likewise while the half period is not well known, or the swing is small */
#define TIMELY 0.06         /* likewise once more, when it is known */
#define LARGEST_RATIO 4.0   /* of a swing to the next, going backwards */
#define NOISE_FREE 1e-6     /* smallest swing, relative to the first, when nothing else limits it */
#define FEWEST_SAMPLES 6    /* of a half cycle */
#define DRIFT 0.15          /* of a drift in half a period to the last swing, at most */
#define STUCK 0.35          /* likewise when friction must have stopped the mass */
#define LATEST_SWINGS 12    /* that tell whether it must */
#define CAME_BACK 0.25      /* of the last swing; less after a pause is drift */
#define GROWTH_SEEN 0.7     /* a swing of at least this part of the next one shows that the motion grew */
#define MOST_MISFITS 3      /* half cycles at the start that a release or a blow may spoil */
#define QUIET_PERIODS 2     /* half periods without motion that make a stop */
#define MOST_BACKWARDS 64   /* half cycles */

void candidate_init(struct candidate *candidate)
{
    *candidate = (struct candidate){0};
}

void candidate_clear(struct candidate *candidate)
{
    free(candidate->extrema);
    free(candidate->swing);
    free(candidate->residual);
    candidate_init(candidate);
}

static int grow(struct candidate *candidate)
{
    if (candidate->count < candidate->capacity)
        return 0;
    size_t capacity = candidate->capacity ? 2 * candidate->capacity : 64;
    struct candidate_extremum *extrema = realloc(candidate->extrema, capacity * sizeof *extrema);
    if (extrema)
        candidate->extrema = extrema;
    double *swing = realloc(candidate->swing, capacity * sizeof *swing);
    if (swing)
        candidate->swing = swing;
    double *residual = realloc(candidate->residual, capacity * sizeof *residual);
    if (residual)
        candidate->residual = residual;
    if (!extrema || !swing || !residual)
        return -ENOMEM;
    candidate->capacity = capacity;
    return 0;
}

/* Standard uncertainty of a swing fitted to this many bins. */
static double swing_uncertainty(const struct candidate *candidate, const struct half_cycle *half)
{
    return fmax(half->swing_se, 2.2 * candidate->noise / sqrt((double)half->bins));
}

static double smallest_swing(const struct candidate *candidate, double bins)
{
    double by_noise = 2.5 * candidate->noise * sqrt(32 / bins);
    double by_step = 1.2 * candidate->step;
    return fmax(fmax(by_noise, by_step), NOISE_FREE * candidate->swing[0]);
}

double candidate_smallest_swing(const struct candidate *candidate)
{
    return smallest_swing(candidate, fmin(32, fmax(candidate->half_period, 5)));
}

/* Falls quickly, because the first half cycle is located badly, and rises slowly. */
static void learn_noise(struct candidate *candidate, const struct half_cycle *half)
{
    double square = candidate->noise * candidate->noise;
    double share = half->residual < candidate->noise ? 0.5 : 0.2;
    square += share * (half->residual * half->residual - square);
    candidate->noise = fmax(sqrt(square), candidate->noise_least);
}

/* The damping of the shape from the latest ratio of swings. Part of that ratio may be due to friction, which does not
 * change the shape: half of it is never far wrong. */
static void learn_damping(struct candidate *candidate)
{
    size_t swings = candidate->count - 1;
    if (swings < 2)
        return;
    double ratio = candidate->swing[swings - 1] / candidate->swing[swings - 2];
    double beta = fmin(fmax(-log(ratio) / M_PI / 2, 0), 0.2);
    candidate->beta += 0.5 * (beta - candidate->beta);
}

/* A phase-locked loop over the half cycles: quick at first, then steady. */
static double learn_timing(struct candidate *candidate, const struct half_cycle *half)
{
    double clear = fabs(half->swing) / fmax(swing_uncertainty(candidate, half), 1e-300);
    double trust = clear > 30 ? 1 : clear / 30;
    bool young = candidate->count < 6;
    candidate->half_period += trust * (young ? 0.4 : 0.1) * half->shift;
    return trust * (young ? 0.8 : 0.5) * half->shift;
}

/* Appends the half cycle that follows the last extremum and ends at this position. */
static int add_extremum(struct candidate *candidate, const struct half_cycle *half, double position)
{
    int failed = grow(candidate);
    if (failed)
        return failed;
    size_t last = candidate->count - 1;
    candidate->extrema[last + 1] = (struct candidate_extremum){position, half->start + half->swing};
    candidate->swing[last] = fabs(half->swing);
    candidate->residual[last] = half->residual;
    candidate->count++;
    candidate->direction = -candidate->direction;
    learn_damping(candidate);
    return 0;
}

/* Puts the half cycle that ends at the first extremum in front. */
static int add_before(struct candidate *candidate, const struct half_cycle *half)
{
    int failed = grow(candidate);
    if (failed)
        return failed;
    size_t swings = candidate->count - 1;
    double position = candidate->extrema[0].position - candidate->half_period;
    memmove(candidate->extrema + 1, candidate->extrema, candidate->count * sizeof *candidate->extrema);
    memmove(candidate->swing + 1, candidate->swing, swings * sizeof *candidate->swing);
    memmove(candidate->residual + 1, candidate->residual, swings * sizeof *candidate->residual);
    candidate->extrema[0] = (struct candidate_extremum){position + 0.5 * half->shift, half->start};
    candidate->swing[0] = fabs(half->swing);
    candidate->residual[0] = half->residual;
    candidate->count++;
    return 0;
}

/* The half cycle before the first extremum, if it is a free-looking one; its swing has the sign of a decay. */
static bool free_half_before(const struct candidate *candidate, const struct sample_history *history,
                             struct half_cycle *half)
{
    double start = candidate->extrema[0].position - candidate->half_period;
    half_cycle_fit(history, start, candidate->half_period, candidate->beta, half);
    if (candidate->extrema[1].level > candidate->extrema[0].level)
        half->swing = -half->swing;
    return half->usable && half->residual <= fmax(SHAPE_LATER * half->swing, 3 * candidate->noise) &&
           fabs(half->shift) < TIMING * candidate->half_period;
}

/* Whether a swing is what the two that follow let expect: between what viscous damping and friction alone would make of
 * it, with some room. */
static bool expected_swing(const struct candidate *candidate, double swing, double next, double second)
{
    double room = fmax(fmax(0.04 * next, 6 * candidate->noise), 1.5 * candidate->step);
    double by_ratio = next * next / second, by_step = 2 * next - second;
    return swing > fmin(by_ratio, by_step) - room && swing < fmax(by_ratio, by_step) + room;
}

/* Whether a half cycle before the first is what the first two let expect. */
static bool suits_those_after(const struct candidate *candidate, const struct half_cycle *half)
{
    if (candidate->count < 3)
        return true;
    double allowed = fmax(fmax(0.02 * half->swing, 3 * candidate->noise), 0.6 * candidate->step);
    return half->residual <= allowed &&
           expected_swing(candidate, half->swing, candidate->swing[0], candidate->swing[1]) &&
           fabs(half->shift) <= fmax(TIMELY * candidate->half_period, 4 * half->shift_se);
}

/* Free half cycles before the first one that was noticed. */
static int extend_back(struct candidate *candidate, const struct sample_history *history, double from)
{
    for (int i = 0; i < MOST_BACKWARDS; i++) {
        struct half_cycle half;
        double next = candidate->swing[0];
        if (candidate->extrema[0].position - candidate->half_period < from)
            return 0;
        if (!free_half_before(candidate, history, &half) || half.swing > LARGEST_RATIO * next)
            return 0;
        if (candidate->settled && !suits_those_after(candidate, &half))
            return 0;
        double slack = 4 * swing_uncertainty(candidate, &half) + candidate->step;
        if (half.swing < 0.98 * next - slack) {
            candidate->grew_into = half.swing > GROWTH_SEEN * next;
            return 0;
        }
        int failed = add_before(candidate, &half);
        if (failed)
            return failed;
    }
    return 0;
}

/* Whether the mass was held still before it moved off from its first turning point. The instant of a turning point that
 * ends a hold is uncertain, and with it the half period: better wait for the next. */
static bool held_before(const struct sample_history *history, const struct turning_point turning[2], double start,
                        double length)
{
    const struct motion_end end = {start, turning[0].displacement, length,
                                   turning[1].displacement - turning[0].displacement, 0};
    double residual, follow = motion_before(history, &end, 0.45 * length, &residual);
    return fabs(follow) < 0.4;
}

static void forget_first(struct candidate *candidate)
{
    size_t swings = candidate->count - 1;
    memmove(candidate->extrema, candidate->extrema + 1, swings * sizeof *candidate->extrema);
    memmove(candidate->swing, candidate->swing + 1, (swings - 1) * sizeof *candidate->swing);
    memmove(candidate->residual, candidate->residual + 1, (swings - 1) * sizeof *candidate->residual);
    candidate->count--;
}

/* The extremum from which the first half cycles are measured again: the timing is well known there, and what ends the
 * candidate has not begun. */
static size_t learnt_extremum(const struct candidate *candidate)
{
    if (candidate->count > CANDIDATE_LEARNT)
        return CANDIDATE_LEARNT;
    return candidate->count > 3 ? candidate->count - 2 : candidate->count - 1;
}

/* Measures the first half cycles once more, backwards from where the timing is well known: a release or a blow may have
 * spoilt it at first. */
static void measure_again(struct candidate *candidate, const struct sample_history *history, size_t j)
{
    double position = candidate->extrema[j].position, length = candidate->half_period;
    if (j >= 3)
        length = (position - candidate->extrema[1].position) / (double)(j - 1);
    while (j-- > 0) {
        struct half_cycle half;
        half_cycle_fit(history, position - length, length, candidate->beta, &half);
        bool timely = half.usable && fabs(half.shift) <= fmax(TIMELY * length, 4 * half.shift_se);
        position += timely ? 0.5 * half.shift - length : -length;
        candidate->extrema[j] = (struct candidate_extremum){position, half.start};
        candidate->swing[j] = fmax(fabs(half.swing), DBL_MIN);
        candidate->residual[j] = timely ? half.residual : INFINITY;
    }
}

/* Whether the first half cycle fits, and is what those after it let expect. */
static bool first_fits(const struct candidate *candidate)
{
    const double *swing = candidate->swing;
    double allowed = fmax(fmax(0.02 * swing[0], 3 * candidate->noise), 0.6 * candidate->step);
    bool alone = candidate->count < 4;
    return candidate->residual[0] <= allowed && (alone || expected_swing(candidate, swing[0], swing[1], swing[2]));
}

int candidate_settle_start(struct candidate *candidate, const struct sample_history *history, double from)
{
    if (candidate->settled || candidate->count < 3)
        return 0;
    candidate->settled = true;
    size_t learnt = learnt_extremum(candidate);
    measure_again(candidate, history, learnt);
    for (int i = 0; i < MOST_MISFITS && candidate->count > 2 && !first_fits(candidate); i++)
        forget_first(candidate);
    return extend_back(candidate, history, from);
}

/* First guess of where the two extrema are, refined by parabolas. */
static bool locate(const struct sample_history *history, const struct turning_point turning[2], double *start,
                   double *length)
{
    double first = sample_history_position(history, turning[0].number);
    double second = sample_history_position(history, turning[1].number);
    double between = second - first, level;
    int curvature = turning[1].displacement > turning[0].displacement ? 1 : -1;
    double refined[2];
    if (!(turning[1].number - turning[0].number >= FEWEST_SAMPLES))
        return false;
    if (!vertex_fit(history, second, 0.25 * between, -curvature, &refined[1], &level))
        return false;
    if (!vertex_fit(history, first, 0.25 * between, curvature, &refined[0], &level))
        return false;
    *start = refined[0];
    *length = refined[1] - refined[0];
    return *length > 0.5 * between;
}

int candidate_begin(struct candidate *candidate, const struct sample_history *history,
                    const struct turning_point turning[2], const struct channel_noise *noise, double from)
{
    double start, length;
    struct half_cycle half;
    candidate->count = candidate->quiet = 0;
    candidate->grew_into = candidate->settled = false;
    if (turning[0].number < history->floor || !locate(history, turning, &start, &length) || start < from)
        return -EDOM;
    half_cycle_fit(history, start, length, 0.03, &half);
    if (!half.usable || held_before(history, turning, start, length))
        return -EDOM;
    double least = 0.8 * noise->sd / sqrt(half.bin_size);
    double swing = half.swing * (turning[1].displacement > turning[0].displacement ? 1 : -1);
    if (!(half.residual <= fmax(SHAPE_AT_FIRST * swing, 2 * least)) || fabs(half.shift) > TIMING * length)
        return -EDOM;
    candidate->half_period = length;
    candidate->beta = 0.03;
    candidate->direction = half.swing > 0 ? 1 : -1;
    candidate->noise = fmax(half.residual, least);
    candidate->noise_least = least;
    candidate->step = noise->step;
    if (grow(candidate))
        return -ENOMEM;
    candidate->swing[0] = fabs(half.swing);
    if (!(swing > 1.5 * smallest_swing(candidate, (double)half.bins)))
        return -EDOM;
    candidate->extrema[0] = (struct candidate_extremum){start, half.start};
    candidate->count = 1;
    if (add_extremum(candidate, &half, start + length))
        return -ENOMEM;
    return extend_back(candidate, history, from);
}

double candidate_next_end(const struct candidate *candidate)
{
    return candidate->extrema[candidate->count - 1].position + (candidate->quiet + 1) * candidate->half_period;
}

/* Whether friction lets the mass not move again, as far as the swings so far tell. */
static bool must_have_stopped(const struct candidate *candidate)
{
    size_t swings = candidate->count - 1, latest = swings < LATEST_SWINGS ? swings : LATEST_SWINGS;
    if (swings < 4)
        return false;
    struct decay_law law = decay_law_fit(candidate->swing + swings - latest, latest);
    return !(decay_law_next(&law, candidate->swing[swings - 1]) > 0);
}

/* How the half cycle that follows the last extremum is to be taken. */
static enum candidate_news judge(const struct candidate *candidate, const struct half_cycle *half)
{
    double before = candidate->swing[candidate->count - 2];
    double swing = half->swing * candidate->direction;
    double smallest = smallest_swing(candidate, (double)half->bins);
    double noisy = fmax(3 * candidate->noise, 0.8 * candidate->step);
    if (fabs(swing) < smallest && half->residual <= fmax(noisy, 0.5 * smallest))
        return CANDIDATE_STOPPED;
    /* A drift that goes on after the stop, against the way that the mass would have gone. */
    bool drifts = swing < smallest && fabs(swing) < fmax(DRIFT * before, 2 * smallest);
    if (must_have_stopped(candidate) && swing < STUCK * before)
        drifts = true;
    if (drifts && half->residual <= fmax(noisy, SHAPE_LATER * DRIFT * before))
        return CANDIDATE_STOPPED;
    double shape = candidate->count < 5 ? SHAPE_AT_FIRST : SHAPE_LATER;
    if (swing < smallest || half->residual > fmax(shape * swing, noisy))
        return CANDIDATE_DISTURBED;
    bool uncertain = swing < 10 * smallest || candidate->count < 4;
    if (fabs(half->shift) > (uncertain ? TIMING_AT_FIRST : TIMING) * candidate->half_period)
        return swing < 3 * smallest ? CANDIDATE_STOPPED : CANDIDATE_IRREGULAR;
    double slack = 8 * swing_uncertainty(candidate, half) + candidate->step;
    if (swing <= 1.01 * before + slack)
        return CANDIDATE_GOES_ON;
    if (before < 3 * smallest && swing < 1.5 * before + slack)
        return CANDIDATE_STOPPED;
    return swing > 1.5 * before ? CANDIDATE_DISTURBED : CANDIDATE_GREW;
}

/* The half periods after a stop: is it one? */
static enum candidate_news judge_pause(struct candidate *candidate, const struct half_cycle *half)
{
    double swing = fabs(half->swing), last = candidate->swing[candidate->count - 2];
    double clear = fmax(2 * smallest_swing(candidate, (double)half->bins), CAME_BACK * last);
    double noisy = fmax(3 * candidate->noise, 0.8 * candidate->step);
    if (swing > clear && half->residual < fmax(SHAPE_LATER * swing, noisy))
        return CANDIDATE_CAME_BACK;
    candidate->quiet++;
    return candidate->quiet < QUIET_PERIODS ? CANDIDATE_PAUSES : CANDIDATE_STOPPED;
}

enum candidate_news candidate_follow(struct candidate *candidate, const struct sample_history *history, uint64_t ready)
{
    struct half_cycle half;
    double end = candidate_next_end(candidate), start = end - candidate->half_period;
    if (ready == 0 || !(sample_history_position(history, ready - 1) >= end))
        return CANDIDATE_WAITS;
    uint64_t from = sample_history_at(history, start), to = sample_history_at(history, end);
    bool clipped = sample_history_clipped_within(history, from, to);
    half_cycle_fit(history, start, candidate->half_period, candidate->beta, &half);
    if (candidate->quiet > 0)
        return half.usable ? judge_pause(candidate, &half) : CANDIDATE_STOPPED;
    if (!half.usable)
        return clipped ? CANDIDATE_CLIPPED : CANDIDATE_DISTURBED;
    enum candidate_news news = judge(candidate, &half);
    if (news == CANDIDATE_STOPPED) {
        candidate->quiet = 1;
        return CANDIDATE_PAUSES;
    }
    if (news == CANDIDATE_GREW && candidate->count == 2)
        forget_first(candidate);
    else if (news != CANDIDATE_GOES_ON)
        return news;
    learn_noise(candidate, &half);
    double shift = learn_timing(candidate, &half);
    double next = candidate->extrema[candidate->count - 1].position + candidate->half_period + shift;
    return add_extremum(candidate, &half, next) ? CANDIDATE_NO_MEMORY : CANDIDATE_GOES_ON;
}

bool candidate_came_to_rest(const struct candidate *candidate)
{
    size_t swings = candidate->count - 1;
    double smallest = candidate_smallest_swing(candidate);
    struct decay_law law = decay_law_fit(candidate->swing, swings);
    return candidate->swing[swings - 1] > 2.2 * smallest || law.x_k > 0.2 * smallest;
}

bool candidate_was_caught(const struct candidate *candidate)
{
    size_t swings = candidate->count - 1;
    if (swings < 3)
        return false;
    struct decay_law law = decay_law_fit(candidate->swing, swings);
    double expected = decay_law_next(&law, candidate->swing[swings - 1]);
    return expected > 0.5 * candidate->swing[swings - 1] && expected > 8 * law.x_k &&
           expected > 6 * candidate_smallest_swing(candidate);
}

/* Median residual, relative to the swing, of a few half cycles before the last one. */
static double typical_misfit(const struct candidate *candidate)
{
    double sorted[6];
    size_t count = 0, last = candidate->count - 2;
    for (size_t i = last > 6 ? last - 6 : 0; i < last; i++) {
        double misfit = candidate->residual[i] / fmax(candidate->swing[i], DBL_MIN);
        size_t j = count++;
        for (; j > 0 && sorted[j - 1] > misfit; j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = misfit;
    }
    return count ? sorted[count / 2] : 0;
}

bool candidate_trim(struct candidate *candidate)
{
    size_t swings = candidate->count - 1;
    if (swings < 3)
        return false;
    double last = candidate->residual[swings - 1], swing = candidate->swing[swings - 1];
    double allowed = fmax(3 * fmax(typical_misfit(candidate), 0.003) * swing, 2.5 * candidate->noise_least);
    if (last <= fmax(allowed, 0.7 * candidate->step))
        return false;
    candidate->count--;
    return candidate->swing[swings - 1] > 10 * candidate_smallest_swing(candidate);
}
