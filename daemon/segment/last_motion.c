/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A Gauss-Newton fit of a dozen half cycles tells what is known of a motion just before it ends. All derivatives are
 * closed, because every extremum follows from the one before. */

#include "segment/last_motion_loops.h"

#include "motion/small_cholesky.h"
#include "segment/decay_law.h"
#include "segment/extremes.h"
#include "segment/tolerances.h"

#include <math.h>

/* Rounds, of which four are enough from a good start, and halvings of a step. */
enum { P = MOTION_PARAMETERS, ROUNDS = 8, HALVINGS = 4 };
/* A damping may be a little below zero while the fit is under way; it is set to zero at the end. */
#define LEAST_BETA (-0.05)
/* Start and length may be this many half periods from what was known, or extrema change places. */
#define MOST_CORRECTION 0.3
/* A round that leaves more than this part of the squares is the last: the next one would change no figure by as much as
 * its error. */
#define CONVERGED_RATIO 0.98
/* A step that is expected to take less than this part of the squares away is not worth a look. */
#define LEAST_GAIN 1e-3

void last_means_take(const struct sample_history *history, double start, double length, uint64_t ready,
                     struct last_means *means)
{
    uint64_t from = sample_history_at(history, start), end = sample_history_end(history);
    double at = 0, sum = 0, in_mean = 0, size = larger(floor(length / MEANS_A_HALF_PERIOD), 1);
    double angle = M_PI / 2 * (size - 1) / length;
    means->start = start;
    means->length = length;
    means->count = 0;
    means->averaging_gain = angle > 0 ? sin(angle) / angle : 1;
    for (uint64_t i = from; i < ready && i < end && means->count < LAST_MEANS; i++) {
        if (sample_history_flags(history, i))
            continue;
        at += (sample_history_position(history, i) - start) / length;
        sum += sample_history_value(history, i) - sample_history_value(history, from);
        if (++in_mean < size)
            continue;
        means->at[means->count] = at / in_mean;
        means->value[means->count++] = sum / in_mean;
        at = sum = in_mean = 0;
    }
}

/* The means of the half cycles asked for, and which parameters are free. */
struct fit {
    const struct last_means *means;
    size_t count, half_cycles;
    bool is_free[P];
};

/* A step from these parameters, with its equations half cycle by half cycle and all together. */
struct step {
    double parameter[P];
    struct half_cycle_sums all, half[LAST_HALF_CYCLES];
};

static void add_sums(struct half_cycle_sums *sums, const struct half_cycle_sums *more)
{
    sums->squares += more->squares;
    sums->means += more->means;
    for (int i = 0; i < P; i++) {
        sums->right[i] += more->right[i];
        for (int j = 0; j < P; j++)
            sums->normal[i][j] += more->normal[i][j];
    }
}

static void set_up(const struct fit *fit, struct step *step)
{
    const struct last_means *means = fit->means;
    struct motion_walk walk = motion_walk_begin(step->parameter, means->averaging_gain);
    size_t n = 0;
    step->all = (struct half_cycle_sums){.means = 0};
    for (size_t half = 0; half < fit->half_cycles; half++) {
        size_t from = n;
        while (n < fit->count && means->at[n] < (double)(half + 1))
            n++;
        last_motion_loops_of(lanes_widest())->sum_means(&walk, means, from, n, &step->half[half]);
        add_sums(&step->all, &step->half[half]);
    }
}

/* Inverse of the normal matrix of the free parameters, zero elsewhere; those that the motion does not depend on stay
 * as they are. False when they cannot be told apart. */
static bool invert(const bool is_free[P], const struct half_cycle_sums *sums, double inverse[P][P])
{
    struct small_cholesky cholesky;
    bool moves[P];
    for (int i = 0; i < P; i++)
        moves[i] = is_free[i] && sums->normal[i][i] > 0;
    if (!cholesky_factorise(&sums->normal[0][0], P, moves, 0, CHOLESKY_LEAST_PIVOT, &cholesky))
        return false;
    cholesky_invert(&cholesky, P, &inverse[0][0]);
    return true;
}

static bool is_sensible(const double parameter[P])
{
    return fabs(parameter[MOTION_START]) < MOST_CORRECTION && fabs(parameter[MOTION_LENGTH] - 1) < MOST_CORRECTION &&
           parameter[MOTION_BETA] > LEAST_BETA && parameter[MOTION_BETA] < MOST_BETA;
}

static double quadratic_form(const double vector[P], const double matrix[P][P])
{
    double sum = 0;
    for (int i = 0; i < P; i++)
        for (int j = 0; j < P; j++)
            sum += vector[i] * matrix[i][j] * vector[j];
    return sum;
}

/* Goes the way of this step, as far as it helps. */
static bool take_better_step(const struct fit *fit, struct step *here, double inverse[P][P])
{
    double part = 1;
    for (int halving = 0; halving < HALVINGS; halving++, part /= 2) {
        struct step there;
        for (int i = 0; i < P; i++) {
            there.parameter[i] = here->parameter[i];
            for (int j = 0; j < P; j++)
                there.parameter[i] += part * inverse[i][j] * here->all.right[j];
        }
        if (!is_sensible(there.parameter))
            continue;
        set_up(fit, &there);
        if (there.all.squares < here->all.squares) {
            *here = there;
            return true;
        }
    }
    return false;
}

/* Round after round from where the step was set up. False when the parameters cannot be told apart. */
static bool descend(const struct fit *fit, struct step *here, double inverse[P][P], int rounds)
{
    for (int round = 0; round < rounds; round++) {
        double before = here->all.squares;
        if (!invert(fit->is_free, &here->all, inverse))
            return false;
        /* A whole step takes so much from the squares, as far as the motion is linear. */
        double gain = quadratic_form(here->all.right, inverse);
        if (gain < LEAST_GAIN * before || !take_better_step(fit, here, inverse) ||
            here->all.squares > CONVERGED_RATIO * before)
            break;
    }
    return isfinite(here->all.squares);
}

/* A damping that would be negative is none. Returns whether there was one. */
static bool forbid_negative(struct fit *fit, double parameter[P])
{
    bool friction = parameter[MOTION_X_K] * parameter[MOTION_X0] < 0, viscous = parameter[MOTION_BETA] < 0;
    enum motion_parameter which = friction ? MOTION_X_K : MOTION_BETA;
    if (!friction && !viscous)
        return false;
    fit->is_free[which] = false;
    parameter[which] = 0;
    return true;
}

/* It keeps what was found, and what that leaves half cycle by half cycle and from mean to mean. */
static void accept(const struct fit *fit, const struct step *here, struct last_motion *motion)
{
    double unknown = 0;
    motion->half_cycles = fit->half_cycles;
    motion->averaging_gain = fit->means->averaging_gain;
    motion->worst_rms = 0;
    for (size_t half = 0; half < fit->half_cycles; half++) {
        motion->sums[half] = here->half[half];
        motion->worst_rms =
            larger(motion->worst_rms, sqrt(here->half[half].squares / larger(here->half[half].means, 1)));
    }
    for (int i = 0; i < P; i++) {
        motion->parameter[i] = here->parameter[i];
        unknown += fit->is_free[i];
    }
    motion->rms = sqrt(here->all.squares / ((double)fit->count - unknown));
}

bool last_motion_fit(const struct last_means *means, size_t half_cycles, struct last_motion *motion)
{
    struct fit fit = {.means = means, .half_cycles = half_cycles};
    struct step here;
    while (fit.count < means->count && means->at[fit.count] < (double)half_cycles)
        fit.count++;
    if (fit.count < P + SPARE_MEANS || half_cycles > LAST_HALF_CYCLES)
        return false;
    bool from_nothing = motion->half_cycles == 0;
    for (int i = 0; i < P; i++) {
        here.parameter[i] = from_nothing ? 0 : motion->parameter[i];
        fit.is_free[i] = i >= MOTION_CENTRE || !from_nothing;
    }
    if (from_nothing) {
        here.parameter[MOTION_LENGTH] = 1;
        here.parameter[MOTION_BETA] = FIRST_BETA;
    }
    set_up(&fit, &here);
    /* The motion is linear in the others. */
    if (from_nothing && !descend(&fit, &here, motion->covariance, 1))
        return false;
    fit.is_free[MOTION_START] = fit.is_free[MOTION_LENGTH] = fit.is_free[MOTION_BETA] = true;
    while (descend(&fit, &here, motion->covariance, ROUNDS)) {
        if (!forbid_negative(&fit, here.parameter)) {
            accept(&fit, &here, motion);
            return true;
        }
        set_up(&fit, &here);
    }
    return false;
}

/* It tells whether the mass stays at the extremum that the walk has come to, of a motion with its end there. */
static bool stops_here(const struct motion_walk *walk, double end, const struct remaining_half_cycles *further)
{
    double more = walk->half - end;
    return more >= further->most || (more >= further->least && motion_walk_is_held(walk));
}

struct departure last_motion_departure(const struct last_means *means, const struct last_motion *motion,
                                       const struct remaining_half_cycles *further, double half_periods)
{
    struct departure departure = {.worst_rms = motion->worst_rms};
    struct motion_walk walk = motion_walk_begin(motion->parameter, motion->averaging_gain);
    double gradient[P], squares = 0, variances = 0, from = last_motion_end(motion), end = (double)motion->half_cycles;
    size_t n = 0;
    while (n < means->count && means->at[n] < from)
        n++;
    for (; n < means->count && means->at[n] < from + half_periods; n++, departure.means++) {
        double u = (means->at[n] - motion->parameter[MOTION_START]) / motion->parameter[MOTION_LENGTH];
        while (walk.half < end || (walk.half + 1 <= u && !stops_here(&walk, end, further)))
            motion_walk_on(&walk);
        walk.stops = stops_here(&walk, end, further) ? walk.half : INFINITY;
        double off = means->value[n] - motion_walk_to(&walk, means->at[n], gradient);
        squares += off * off;
        variances += quadratic_form(gradient, motion->covariance);
    }
    double count = larger((double)departure.means, 1);
    departure.rms = sqrt(squares / count);
    departure.expected = motion->rms * sqrt(variances / count);
    return departure;
}

/* Mean of the squares that a half cycle leaves after this step. */
static double left_after(const struct half_cycle_sums *sums, const double step[P])
{
    double left = sums->squares;
    for (int i = 0; i < P; i++) {
        left -= 2 * step[i] * sums->right[i];
        for (int j = 0; j < P; j++)
            left += step[i] * sums->normal[i][j] * step[j];
    }
    return larger(left, 0);
}

bool last_motion_predict_last(const struct last_motion *motion, struct departure *departure)
{
    static const bool all_free[P] = {true, true, true, true, true, true, true};
    const size_t before = motion->half_cycles - 1;
    struct half_cycle_sums sums = {.means = 0};
    const struct half_cycle_sums *next = &motion->sums[before];
    double inverse[P][P], step[P] = {0}, left = 0, variance = 0;
    for (size_t half = 0; half < before; half++)
        add_sums(&sums, &motion->sums[half]);
    if (sums.means < P + SPARE_MEANS || !(next->means > 0) || !invert(all_free, &sums, inverse))
        return false;
    for (int i = 0; i < P; i++)
        for (int k = 0; k < P; k++) {
            step[i] += inverse[i][k] * sums.right[k];
            variance += inverse[i][k] * next->normal[i][k];
        }
    *departure = (struct departure){.means = (size_t)next->means};
    for (size_t half = 0; half < before; half++) {
        double squares = left_after(&motion->sums[half], step);
        left += squares;
        departure->worst_rms = larger(departure->worst_rms, sqrt(squares / larger(motion->sums[half].means, 1)));
    }
    departure->rms = sqrt(left_after(next, step) / next->means);
    departure->expected = sqrt(left / (sums.means - P) * larger(variance, 0) / next->means);
    return true;
}

double last_motion_end_variance(const struct last_motion *motion)
{
    struct motion_walk walk = motion_walk_begin(motion->parameter, motion->averaging_gain);
    double gradient[P];
    walk.stops = (double)motion->half_cycles;
    (void)motion_walk_to(&walk, last_motion_end(motion), gradient);
    return quadratic_form(gradient, motion->covariance);
}

double last_motion_extremum(const struct last_motion *motion, size_t more)
{
    struct motion_walk walk = motion_walk_begin(motion->parameter, motion->averaging_gain);
    while (walk.half < (double)(motion->half_cycles + more))
        motion_walk_on(&walk);
    return walk.extremum.x;
}
