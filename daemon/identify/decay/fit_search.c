/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How a fit without starting values comes about: grow from the part that is understood to the whole motion, look
 * elsewhere when the residual is more than noise, settle which samples belong to it. Where the record can be seen in
 * means, all but the last is done there. */

#include "identify/decay/fitting.h"

#include <math.h>
#include <string.h>

enum {
    PASSES_A_TRY = 40,
    SETTLINGS = 16, /* of the set of samples */
};

/* Last steps on the way and before the set of samples is final, in standard errors. */
static const double rough = 0.5, near = 10.0;

/* On the way: a descent that is slow where it is now may be quick later, or hopeless, and must not use up the effort
 * of the whole fit. */
static enum verdict descend_roughly(struct decay_minimiser *minimiser, double *parameters,
                                    struct normal_equations *normal)
{
    int others = minimiser->passes_left - PASSES_A_TRY;
    minimiser->passes_left = others > 0 ? PASSES_A_TRY : minimiser->passes_left;
    minimiser->last_change = 0.0;
    enum verdict verdict = decay_minimise(minimiser, rough, parameters, normal);
    minimiser->passes_left += others > 0 ? others : 0;
    return verdict == VERDICT_NOT_CONVERGED && minimiser->passes_left > 0 ? VERDICT_OK : verdict;
}

/* Flagged samples are none: a fit to them alone would divide by their number. */
static bool too_few_samples(const struct fitting *fitting)
{
    const struct decay_minimiser *minimiser = &fitting->minimiser;
    size_t usable = 0;
    for (size_t i = minimiser->first; i < minimiser->last && usable < LEAST_SAMPLES; i++)
        usable += scaled_usable(minimiser->scaled, i);
    return usable < LEAST_SAMPLES;
}

static enum verdict minimise_roughly(struct fitting *fitting)
{
    if (too_few_samples(fitting))
        return VERDICT_TOO_FEW_SAMPLES;
    return descend_roughly(&fitting->minimiser, fitting->parameters, &fitting->normal);
}

/* Fits the part of the record that the starting values describe, then twice that, and so on to the end of the motion:
 * each fit predicts the phase of the next part well enough. */
static enum verdict grow(struct fitting *fitting)
{
    for (;;) {
        choose_samples(fitting);
        enum verdict verdict = minimise_roughly(fitting);
        if (verdict != VERDICT_OK)
            return verdict;
        place_start(fitting);
        double span = fitting->end - fitting->parameters[FIT_T0], whole = record_end(fitting);
        if (fitting->end >= whole)
            return VERDICT_OK;
        double wanted = fmin(whole, fitting->end + fmax(span, 1.0));
        double end = motion_end(fitting, wanted);
        /* The motion ends where it ended before: nothing more to take in. */
        if (end <= fitting->end + 1e-3 * span && end < wanted)
            return VERDICT_OK;
        fitting->end = fmax(end, fitting->end);
        if (end < wanted) {
            choose_samples(fitting);
            return minimise_roughly(fitting);
        }
    }
}

/* Fits, and fixes the set of samples anew, until the set stays; first only so well that the set is likely to stay.
 * Where two sets take turns, the smaller one counts. */
enum verdict fit_settle(struct fitting *fitting)
{
    size_t first = 0, last = 0, latest_first = 0;
    fitting->minimiser.last_change = 0.0;
    for (int round = 0; round < SETTLINGS; round++) {
        bool moved = place_start(fitting);
        fitting->end = motion_end(fitting, record_end(fitting));
        choose_samples(fitting);
        /* The caller fixed the samples, so that other models can be compared with this one. */
        if (fitting->range.last) {
            fitting->minimiser.first = fitting->range.first;
            fitting->minimiser.last = fitting->range.last;
        }
        bool same = round > 1 && !moved && fitting->minimiser.first == first && fitting->minimiser.last == last;
        bool alternating = round > 3 && !moved && fitting->minimiser.first + 1 == first && first == latest_first;
        /* Both ends: the parameters are the optimum of the set before, not of one that has a little of each. */
        if (alternating) {
            fitting->minimiser.first = first;
            fitting->minimiser.last = last;
        }
        if (same || alternating)
            return VERDICT_OK;
        first = fitting->minimiser.first;
        last = fitting->minimiser.last;
        latest_first = first > latest_first ? first : latest_first;
        if (too_few_samples(fitting))
            return VERDICT_TOO_FEW_SAMPLES;
        enum verdict verdict = decay_minimise(&fitting->minimiser, round ? fitting->tolerance : near,
                                              fitting->parameters, &fitting->normal);
        if (verdict != VERDICT_OK)
            return verdict;
    }
    return VERDICT_OK;
}

/* A search from other values on the same samples; kept when it ends lower. */
static enum verdict try_from(struct fitting *fitting, const double *parameters)
{
    double other[FIT_PARAMETERS];
    struct normal_equations normal;
    struct decay_minimiser *minimiser = &fitting->minimiser;
    memcpy(other, parameters, sizeof other);
    enum verdict verdict = descend_roughly(minimiser, other, &normal);
    /* Lower by a ten-thousandth at least: the same optimum, reached again, is not another one. */
    if (verdict == VERDICT_OK && normal.sum_of_squares < 0.9999 * fitting->normal.sum_of_squares) {
        memcpy(fitting->parameters, other, sizeof other);
        fitting->normal = normal;
    }
    return verdict == VERDICT_CANCELLED ? verdict : VERDICT_OK;
}

/* All the loss by friction, then all of it viscous: the same amplitude at the end. */
static enum verdict try_one_damping(struct fitting *fitting, double half_cycles)
{
    const struct free_parameters *free = &fitting->minimiser.free;
    if (!free->free[FIT_ZETA] || !free->free[FIT_X_K])
        return VERDICT_OK;
    double extrema[64], trial[FIT_PARAMETERS];
    size_t count = (size_t)fmin(fmax(half_cycles, 1.0), 63.0);
    memcpy(trial, fitting->parameters, sizeof trial);
    decay_extrema(trial, 0.0, extrema, count + 1);
    trial[FIT_ZETA] = 0.0;
    /* Coulomb alone loses 2 x_k a half cycle (SHK Eq. 4 with q = 1); viscous alone pi zeta in the logarithm, nearly. */
    trial[FIT_X_K] = 0.5 * (fabs(extrema[0]) - fabs(extrema[count])) / (double)count;
    enum verdict verdict = try_from(fitting, trial);
    double decrement = log(fabs(extrema[0]) / fmax(fabs(extrema[count]), 1e-6));
    trial[FIT_ZETA] = fmin(fmax(decrement, 0.0) / M_PI / (double)count, 0.5);
    trial[FIT_X_K] = 0.0;
    return verdict == VERDICT_OK ? try_from(fitting, trial) : verdict;
}

/* The starting values, whose amplitudes come from the extrema and know nothing of phase, with cycles more or less over
 * the record, in phase after its first third, where most of the amplitude is. In means farther and in finer steps:
 * there it costs little. */
static enum verdict try_other_frequencies(struct fitting *fitting, double span, bool in_means)
{
    double reach = in_means ? 6.0 : 1.0, step = in_means ? 0.5 : 1.0;
    enum verdict verdict = VERDICT_OK;
    const double *base = fitting->start.parameters;
    for (double cycles = -reach; cycles <= reach && verdict == VERDICT_OK; cycles += step) {
        double trial[FIT_PARAMETERS], turn = cycles * 2.0 * M_PI / span;
        memcpy(trial, base, sizeof trial);
        trial[FIT_OMEGA_N] += turn;
        /* In periods; whole ones change nothing. */
        double shift = cycles / 3.0 - round(cycles / 3.0);
        trial[FIT_T0] += shift * 2.0 * M_PI / base[FIT_OMEGA_N];
        if (trial[FIT_OMEGA_N] > 0.0)
            verdict = try_from(fitting, trial);
    }
    return verdict;
}

/* Where the residual is clearly more than noise the optimum may be a local one. */
static enum verdict look_elsewhere(struct fitting *fitting, bool in_means)
{
    double deviation = sqrt(fitting->normal.sum_of_squares / (double)fitting->normal.samples);
    if (deviation < 1.5 * fitting->start.noise + 1e-9)
        return VERDICT_OK;
    double span = fitting->end - fitting->parameters[FIT_T0];
    double half_cycles = span / decay_shape(fitting->parameters).half_period;
    enum verdict verdict = try_one_damping(fitting, half_cycles);
    /* Whoever gives the samples knows the frequency, and compares models that need not fit. */
    if (verdict == VERDICT_OK && !fitting->range.last && half_cycles > 6.0 &&
        deviation > 0.05 * fabs(fitting->parameters[FIT_X0]))
        verdict = try_other_frequencies(fitting, span, in_means);
    return verdict;
}

/* What was found out about the end of the motion, when it was found out for the whole record. */
static void take_stop_from_means(struct fitting *fitting, const struct fitting *means)
{
    if (!means->stop.known || !(fabs(means->stop.until - record_end(means)) < 0.5))
        return;
    fitting->stop = means->stop;
    fitting->stop.until = record_end(fitting);
    parameters_from_coarse(fitting->coarse, means->stop.parameters, fitting->stop.parameters);
}

/* Finds the motion in means, from starting values that may describe a part of it only. When that fails nothing is
 * changed but the effort spent. */
static enum verdict find_motion_in_means(struct fitting *fitting)
{
    const struct coarse_record *coarse = fitting->coarse;
    struct fitting means = *fitting;
    means.scaled = means.minimiser.scaled = &coarse->scaled;
    means.coarse = NULL;
    means.start.noise = coarse->noise;
    means.end = fmin(time_to_coarse(coarse, fitting->end), record_end(&means));
    means.hint = time_to_coarse(coarse, fitting->hint);
    parameters_to_coarse(coarse, fitting->parameters, means.parameters);
    parameters_to_coarse(coarse, fitting->start.parameters, means.start.parameters);
    enum verdict verdict = grow(&means);
    if (verdict == VERDICT_OK)
        verdict = look_elsewhere(&means, true);
    fitting->minimiser.passes = means.minimiser.passes;
    fitting->minimiser.passes_left = means.minimiser.passes_left;
    if (verdict != VERDICT_OK)
        return verdict;
    double found[FIT_PARAMETERS];
    parameters_from_coarse(coarse, means.parameters, found);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        fitting->parameters[p] = fitting->minimiser.free.free[p] ? found[p] : fitting->parameters[p];
    fitting->end = time_from_coarse(coarse, means.end);
    take_stop_from_means(fitting, &means);
    return VERDICT_OK;
}

/* From near, on the samples of fitting->range. */
static enum verdict settle_on_range(struct fitting *fitting)
{
    enum verdict verdict = VERDICT_OK;
    fitting->minimiser.first = fitting->range.first;
    fitting->minimiser.last = fitting->range.last;
    if (too_few_samples(fitting))
        return VERDICT_TOO_FEW_SAMPLES;
    for (bool moved = true; moved && verdict == VERDICT_OK; moved = place_start(fitting)) {
        fitting->minimiser.last_change = 0.0;
        verdict = decay_minimise(&fitting->minimiser, fitting->tolerance, fitting->parameters, &fitting->normal);
    }
    return verdict;
}

enum verdict fit_search(struct fitting *fitting)
{
    if (fitting->start_known && fitting->range.last)
        return settle_on_range(fitting);
    enum verdict verdict = fitting->coarse ? find_motion_in_means(fitting) : VERDICT_NOT_COMPUTED;
    if (verdict == VERDICT_CANCELLED)
        return verdict;
    bool found = verdict == VERDICT_OK;
    if (!found)
        verdict = fitting->start_known ? VERDICT_OK : grow(fitting);
    if (verdict == VERDICT_OK)
        verdict = fit_settle(fitting);
    double before = fitting->normal.sum_of_squares;
    if (verdict == VERDICT_OK && !found)
        verdict = look_elsewhere(fitting, false);
    if (verdict == VERDICT_OK && fitting->normal.sum_of_squares < before)
        verdict = fit_settle(fitting);
    return verdict;
}
