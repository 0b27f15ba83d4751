/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/mode_repeats.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* Curves that are equal seem to contradict each other in one record of a hundred. */
#define CONTRADICTS 0.01

/* By that share other modes move more where this means anything: their first displacements are followed back over the
 * cycles that a filter hides, in which a mode falls by more. */
#define OTHERS_MOVED_MORE 0.1

/* Places of an overlap at which curves are compared. Smooth deviations are alike over a neper, so that one independent
 * comparison a neper is counted, of damping and of frequency, and one more. */
enum { PLACES = 16 };

static struct backbone_point read_at(const struct ring_down_mode *mode, double amplitude)
{
    return backbone_curve_at(mode->backbone, mode->points, amplitude);
}

static double place_in(double from, double to, size_t place, size_t places)
{
    return from * pow(to / from, (double)place / ((double)places - 1));
}

/* How two blows differ. */
struct difference {
    double from, to;     /* amplitudes that both saw, the larger first */
    double probability;  /* that equal curves differ so much; 1: there is nothing to compare */
    double more_damping; /* of the second blow, as a share, on average; 0: no more than equal curves differ */
};

static struct difference compare(const struct ring_down_mode *first, const struct ring_down_mode *second)
{
    struct difference found = {fmin(first->amplitude_max, second->amplitude_max),
                               fmax(first->amplitude_min, second->amplitude_min), 1, 0};
    double most = 0, most_damping = 0;
    for (size_t place = 0; place < PLACES; place++) {
        const double amplitude = place_in(found.from, found.to, place, PLACES);
        const struct backbone_point a = read_at(first, amplitude), b = read_at(second, amplitude);
        const double of_omega = hypot(hypot(a.se_omega, b.se_omega), hypot(a.slip_omega, b.slip_omega));
        const double of_zeta = hypot(hypot(a.se_zeta, b.se_zeta), hypot(a.slip_zeta, b.slip_zeta));
        most = fmax(most, fabs(a.omega - b.omega) / of_omega);
        most_damping = fmax(most_damping, fabs(a.zeta - b.zeta) / of_zeta);
        found.more_damping += (b.zeta / a.zeta - 1) / PLACES;
    }
    const double comparisons = 2 * (1 + log(found.from / found.to));
    found.probability = fmin(1, comparisons * 2 * gsl_cdf_ugaussian_Q(fmax(most, most_damping)));
    if (!(comparisons * 2 * gsl_cdf_ugaussian_Q(most_damping) < CONTRADICTS))
        found.more_damping = 0;
    return found;
}

/* What the first blow and this one both saw was compared. */
static bool is_compared(const struct repeated_mode *blows, size_t i)
{
    const struct ring_down_mode *first = blows[0].mode, *mode = blows[i].mode;
    return mode && mode->points > 0 &&
           (i == 0 || (mode->amplitude_max > first->amplitude_min && mode->amplitude_min < first->amplitude_max));
}

/* Of all blows that saw an amplitude, by their variances. Where one blow excludes that the whole joint slips there, it
 * is excluded. */
static void pool_at(const struct repeated_mode *blows, size_t count, double amplitude, struct backbone_point *point)
{
    double weight[3] = {0}, sum[3] = {0}, slip[3] = {INFINITY, INFINITY, INFINITY};
    for (size_t i = 0; i < count; i++) {
        const struct ring_down_mode *mode = blows[i].mode;
        if (!is_compared(blows, i) || amplitude > mode->amplitude_max * (1 + 1e-9) ||
            amplitude < mode->amplitude_min * (1 - 1e-9))
            continue;
        const struct backbone_point at = read_at(mode, amplitude);
        const double value[3] = {at.omega, at.zeta, at.dissipation},
                     se[3] = {at.se_omega, at.se_zeta, at.se_dissipation},
                     its_slip[3] = {at.slip_omega, at.slip_zeta, at.slip_dissipation};
        for (int k = 0; k < 3; k++) {
            weight[k] += 1 / (se[k] * se[k]);
            sum[k] += value[k] / (se[k] * se[k]);
            slip[k] = fmin(slip[k], its_slip[k]);
        }
    }
    const double omega = sum[0] / weight[0];
    *point = (struct backbone_point){
        .amplitude = amplitude,
        .omega = omega,
        .se_omega = 1 / sqrt(weight[0]),
        .zeta = sum[1] / weight[1],
        .se_zeta = 1 / sqrt(weight[1]),
        .dissipation = sum[2] / weight[2],
        .se_dissipation = 1 / sqrt(weight[2]),
        .stiffness = omega * omega,
        .se_stiffness = 2 * omega / sqrt(weight[0]),
        .slip_omega = slip[0],
        .slip_zeta = slip[1],
        .slip_dissipation = slip[2],
    };
}

/* Over all amplitudes that the blows saw in one piece. */
static void pool(const struct repeated_mode *blows, size_t count, struct ring_down_repeats *repeats)
{
    double from = blows[0].mode->amplitude_max, to = blows[0].mode->amplitude_min;
    for (size_t i = 1; i < count; i++)
        if (is_compared(blows, i)) {
            from = fmax(from, blows[i].mode->amplitude_max);
            to = fmin(to, blows[i].mode->amplitude_min);
        }
    for (; repeats->points < BACKBONE_POINTS; repeats->points++)
        pool_at(blows, count, place_in(from, to, repeats->points, BACKBONE_POINTS),
                &repeats->backbone[repeats->points]);
}

/* How much more the other modes moved behind the second blow; 0: about as much. */
static double more_beside(const struct repeated_mode *first, const struct repeated_mode *second)
{
    const double more = second->others - first->others;
    return fabs(more) > OTHERS_MOVED_MORE * fmin(first->others, second->others) ? more : 0;
}

void mode_repeats_of(const struct repeated_mode *blows, size_t count, struct ring_down_repeats *repeats)
{
    double least = 1, coupling = 0;
    bool against = false; /* a blow has another damping, and not for what other modes moved */
    *repeats = (struct ring_down_repeats){.finding = REPEAT_SINGLE, .overlap = {NAN, NAN}, .probability = NAN};
    repeats->blows = blows[0].mode && blows[0].mode->points > 0;
    for (size_t i = 1; i < count && repeats->blows > 0; i++) {
        if (!is_compared(blows, i))
            continue;
        const struct difference found = compare(blows[0].mode, blows[i].mode);
        const double by_others = found.more_damping * more_beside(&blows[0], &blows[i]);
        against = against || (found.more_damping != 0 && !(by_others > 0));
        repeats->blows++;
        if (repeats->blows > 2 && found.probability >= least)
            continue;
        least = found.probability;
        repeats->overlap[0] = found.to;
        repeats->overlap[1] = found.from;
        coupling = by_others;
    }
    if (repeats->blows < 2)
        return;
    /* The least of several. */
    repeats->probability = fmin(1, least * ((double)repeats->blows - 1));
    repeats->finding = repeats->probability >= CONTRADICTS ? REPEAT_AGREES
                       : coupling > 0 && !against          ? REPEAT_MODES_COUPLED
                                                           : REPEAT_NOT_REPEATABLE;
    if (repeats->finding == REPEAT_AGREES)
        pool(blows, count, repeats);
}
