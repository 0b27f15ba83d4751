/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The samples behind the last extremum are held against the motion that its law expects there: up to some moment in its
 * own time, and from there on in another. */

#include "segment/clock_jump.h"

#include "motion/half_cycle_law.h"
#include "segment/candidate_chain.h"
#include "segment/extremes.h"
#include "segment/tolerances.h"

#include <math.h>

/* The samples so far behind the last extremum are looked at, in half periods: up to half a period behind the half cycle
 * in question. */
#define WINDOW 1.5
/* The clock may have jumped by UNAMBIGUOUS_SHIFT either way; less than this part of a half period is within what a half
 * cycle in noise is shifted by. */
#define LEAST_JUMP 0.008
/* So far behind the jump samples must follow the motion, half periods: a fifth of the window. */
#define LEAST_BEHIND (WINDOW / 5)
/* What a jump leaves, rms, may be this many times the noise of the half cycles before, or this part of the swing, and
 * is at most LEFT_OF_DISTURBED of what is left without a jump. Of four thousand decays with hands, blows and gaps,
 * and of sixty hours without one, nothing looks like that. */
#define NOISES_LEFT 2
#define LEFT_OF_SWING 0.0015
#define LEFT_OF_DISTURBED 0.25
/* The next but one swing must be so many times the smallest that shows, which is a hundred deviations: in a smaller one
 * LEAST_JUMP moves less than noise does. */
#define SMALLEST_SWINGS 20

/* The window has so many bins, 48 in a half period, and so many at least that they show more than the jump and its
 * moment. The search goes over all jumps in so many steps, each of a hundredth of a half period, and is made finer so
 * many times. */
enum { BINS = 72, FEWEST_BINS = 12, STEPS = 90, FINER = 3 };

/* Means of the samples in parts of the window, and the motion that is expected there: displacement, positions. */
struct jump_window {
    double at[BINS], value[BINS];
    size_t count;
    double origin, length, beta, q;
    double level[4]; /* of the extremum before the last one, the last one, and two that are expected */
};

struct jump {
    double by; /* positions; how much later in its own time the motion is */
    double squares;
    size_t from; /* the first bin behind it */
};

/* This is the motion of half_cycle.h, in two half cycles: the window and the largest jump together are shorter. */
static double expected_at(const struct jump_window *window, double position)
{
    const double halves = (position - window->origin) / window->length;
    const double half = floor(halves), theta = M_PI * (halves - half);
    const double *level = &window->level[(int)half + 1];
    return level[0] + (level[1] - level[0]) * (1 - law_bases_at(window->beta, theta).g) / (1 + window->q);
}

static bool expect(const struct candidate *candidate, struct jump_window *window)
{
    const size_t last = candidate->count - 1, used = last < DECAY_LAW_SWINGS ? last : DECAY_LAW_SWINGS;
    const struct decay_law law = decay_law_fit(candidate->swing + last - used, used);
    const double first = decay_law_next(&law, candidate->swing[last - 1]), second = decay_law_next(&law, first);
    window->origin = candidate->extrema[last].position;
    window->length = candidate->half_period;
    window->beta = candidate->beta;
    window->q = law_q(window->beta);
    window->level[0] = candidate->extrema[last - 1].level;
    window->level[1] = candidate->extrema[last].level;
    window->level[2] = window->level[1] + candidate->direction * first;
    window->level[3] = window->level[2] - candidate->direction * second;
    return second > SMALLEST_SWINGS * candidate_smallest_swing(candidate);
}

static bool gather(const struct sample_history *history, struct jump_window *window)
{
    const double end = window->origin + WINDOW * window->length;
    uint64_t i = sample_history_at(history, window->origin), to = sample_history_at(history, end);
    if (to <= i || sample_history_clipped_within(history, i, to))
        return false;
    const uint64_t each = (to - i + BINS - 1) / BINS;
    while (i + each <= to) {
        double sum = 0, at = 0, count = 0;
        for (uint64_t next = i + each; i < next; i++) {
            if (sample_history_flags(history, i))
                continue;
            sum += sample_history_value(history, i);
            at += sample_history_position(history, i);
            count++;
        }
        if (count == 0)
            continue;
        window->value[window->count] = sum / count;
        window->at[window->count++] = at / count;
    }
    return window->count >= FEWEST_BINS;
}

static double square(double value)
{
    return value * value;
}

/* The squares of what each bin is off by from a motion that is so much later in its own time. */
static void squares_of(const struct jump_window *window, double by, double squares[BINS])
{
    for (size_t b = 0; b < window->count; b++)
        squares[b] = square(window->value[b] - expected_at(window, window->at[b] + by));
}

/* The best moment of a jump by so much; the bin in which it falls is compared with neither motion. unmoved: the squares
 * without a jump. */
static struct jump jump_by(const struct jump_window *window, const double unmoved[BINS], double by)
{
    const size_t count = window->count, least = (size_t)(LEAST_BEHIND / WINDOW * (double)count);
    struct jump best = {.by = by, .squares = INFINITY};
    double moved[BINS], behind = 0, before = 0;
    squares_of(window, by, moved);
    for (size_t b = 1; b < count; b++)
        behind += moved[b];
    for (size_t b = 0; b + least < count; b++) {
        if (before + behind < best.squares) {
            best.squares = before + behind;
            best.from = b + 1;
        }
        before += unmoved[b];
        behind -= moved[b + 1];
    }
    return best;
}

static struct jump best_jump(const struct jump_window *window, const double unmoved[BINS])
{
    double step = 2 * UNAMBIGUOUS_SHIFT * window->length / STEPS, centre = 0;
    struct jump best = {.squares = INFINITY};
    for (int finer = 0, reach = STEPS / 2; finer < FINER; finer++, reach = 10, step /= 8) {
        for (int k = -reach; k <= reach; k++) {
            const struct jump jump = jump_by(window, unmoved, centre + k * step);
            if (jump.squares < best.squares)
                best = jump;
        }
        centre = best.by;
    }
    return best;
}

/* It takes in the half cycle in which the jump falls, and the next one where the jump went past the turn between them:
 * then both have samples on either side of it. */
static bool take(struct candidate *candidate, const struct jump_window *window, const struct jump *jump, double rms)
{
    const double turn = window->origin + window->length - jump->by;
    const int halves = window->at[jump->from] > turn ? 2 : 1;
    for (int j = 0; j < halves; j++) {
        const struct half_cycle half = {.usable = true,
                                        .start = window->level[j + 1],
                                        .swing = window->level[j + 2] - window->level[j + 1],
                                        .residual = rms};
        if (candidate_append(candidate, &half, turn + j * window->length) != 0)
            return false;
    }
    return true;
}

double candidate_clock_jump_needs(const struct candidate *candidate)
{
    return candidate->extrema[candidate->count - 1].position + WINDOW * candidate->half_period;
}

enum candidate_event candidate_bridge_clock_jump(struct candidate *candidate, const struct sample_history *history,
                                                 uint64_t ready, bool last_chance)
{
    struct jump_window window = {.count = 0};
    if (!candidate->start_refined || candidate_half_cycles(candidate) < CANDIDATE_TIMING_KNOWN ||
        !expect(candidate, &window))
        return CANDIDATE_DISTURBED;
    if (sample_history_position(history, ready - 1) < candidate_clock_jump_needs(candidate))
        return last_chance ? CANDIDATE_DISTURBED : CANDIDATE_WAITS;
    if (!gather(history, &window))
        return CANDIDATE_DISTURBED;
    double unmoved[BINS];
    squares_of(&window, 0, unmoved);
    const struct jump none = jump_by(&window, unmoved, 0), jump = best_jump(&window, unmoved);
    const double rms = sqrt(jump.squares / (double)window.count), swing = fabs(window.level[2] - window.level[1]);
    const double most =
        larger(NOISES_LEFT * candidate->noise, larger(LEFT_OF_SWING * swing, STEPS_OF_RESIDUAL * candidate->step));
    if (rms > most || jump.squares > square(LEFT_OF_DISTURBED) * none.squares ||
        fabs(jump.by) < LEAST_JUMP * window.length)
        return CANDIDATE_DISTURBED;
    return take(candidate, &window, &jump, rms) ? CANDIDATE_GOES_ON : CANDIDATE_NO_MEMORY;
}
