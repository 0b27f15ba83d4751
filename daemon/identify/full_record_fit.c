/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The order in which a fit without starting values comes about: grow from the part that is understood to the whole
 * motion, settle which samples belong to it, look elsewhere when the residual is more than noise. The least squares
 * themselves are in decay_minimiser.c, the report in fit_report.c. */

#include "identify/full_record_fit.h"

#include "identify/decay_minimiser.h"
#include "identify/fit_report.h"
#include "identify/rest_search.h"
#include "identify/starting_values.h"

#include <math.h>
#include <string.h>

enum {
    LEAST_SAMPLES = FIT_PARAMETERS + 1,
    PASSES = 250, /* over all searches; an ordinary fit takes ten */
    PASSES_A_TRY = 40,
    SETTLINGS = 16, /* of the set of samples */
};

/* Last steps on the way and at the end, in standard errors. */
static const double rough = 1e-2, final = 1e-7;

/* One fit under way; everything in scaled units. */
struct fitting {
    struct scaled_record scaled;
    struct decay_minimiser minimiser;
    struct starting_values start;
    double parameters[FIT_PARAMETERS];
    struct normal_equations normal;
    double end;       /* time up to which samples are used */
    bool start_fixed; /* X_0 or t0 is known beforehand */
    struct sample_range range;
    double hint; /* first extremum as the segmenter saw it; NAN: not known */
};

const char *damping_model_name(enum damping_model model)
{
    switch (model) {
    case DAMPING_VISCOUS:
        return "viscous";
    case DAMPING_COULOMB:
        return "coulomb";
    case DAMPING_VISCOUS_COULOMB:
        break;
    }
    return "viscous+coulomb";
}

/* The same decay told from its next extremum. */
static void start_later(double parameters[FIT_PARAMETERS])
{
    struct decay_shape shape = decay_shape(parameters);
    struct decay_half_cycle half = decay_first_half_cycle(parameters);
    parameters[FIT_X0] = decay_half_cycle_end(parameters, &shape, &half);
    parameters[FIT_T0] += shape.half_period;
}

/* The same decay told from the extremum before: SHK Eq. 4 solved for X_{j-1}. */
static void start_earlier(double parameters[FIT_PARAMETERS])
{
    struct decay_shape shape = decay_shape(parameters);
    double level = (parameters[FIT_X0] < 0.0 ? 1.0 : -1.0) * parameters[FIT_X_K];
    parameters[FIT_X0] = -(parameters[FIT_X0] - level) / shape.q + level;
    parameters[FIT_T0] -= shape.half_period;
}

/* How far before the record the first extremum may lie: a sample, or its uncertainty when that is more. */
static double start_slack(struct fitting *fitting, double half_period)
{
    double inverse[FIT_PARAMETERS][FIT_PARAMETERS];
    double slack = 1.0 + fitting->scaled.time_slack;
    if (fitting->normal.samples > FIT_PARAMETERS &&
        restricted_inverse(fitting->normal.matrix, &fitting->minimiser.free, inverse, NULL)) {
        double variance = fitting->normal.sum_of_squares / (double)(fitting->normal.samples - FIT_PARAMETERS);
        slack += 4.0 * sqrt(variance * inverse[FIT_T0][FIT_T0]);
    }
    return fmin(slack, 0.25 * half_period);
}

/* Whether the decay describes the half cycle before t0 as well: a hand may still have held the mass there. */
static bool holds_before(const struct fitting *fitting)
{
    const struct scaled_record *scaled = &fitting->scaled;
    struct normal_equations before;
    double earlier[FIT_PARAMETERS];
    memcpy(earlier, fitting->parameters, sizeof earlier);
    start_earlier(earlier);
    size_t first = scaled_first_at(scaled, earlier[FIT_T0]);
    size_t last = scaled_first_at(scaled, fitting->parameters[FIT_T0]);
    if (first >= last)
        return true;
    normal_equations_of(scaled, earlier, first, last, &before);
    /* Twice the residual so far, or a fifth of the amplitude: a hand departs from a free swing by far more. */
    double swing = 0.2 * earlier[FIT_X0];
    double variance = fitting->normal.samples ? fitting->normal.sum_of_squares / (double)fitting->normal.samples : 0.0;
    return before.sum_of_squares <= (double)before.samples * (4.0 * variance + swing * swing);
}

/* Moves t0 to the extremum with which the record begins. False when it was there already. */
static bool place_start(struct fitting *fitting)
{
    double *parameters = fitting->parameters, half_period = decay_shape(parameters).half_period;
    if (fitting->start_fixed)
        return false;
    double earliest = -start_slack(fitting, half_period);
    /* A hint is good to a few samples: no extremum more than half a half cycle before it is meant. */
    if (isfinite(fitting->hint))
        earliest = fmax(earliest, fitting->hint - 0.5 * half_period);
    bool moved = false;
    /* Twice as far before it leaves: the uncertainty changes with the choice, and must not make it waver. */
    double too_early = earliest - start_slack(fitting, half_period);
    for (; parameters[FIT_T0] < too_early && fabs(parameters[FIT_X0]) > parameters[FIT_X_K]; moved = true)
        start_later(parameters);
    for (; parameters[FIT_T0] - half_period >= earliest && holds_before(fitting); moved = true)
        start_earlier(parameters);
    return moved;
}

/* The samples from t0 to the end. Both ends with the slack of the time axis: a sample at t0 itself must not come and
 * go by rounding. */
static void choose_samples(struct fitting *fitting)
{
    const struct scaled_record *scaled = &fitting->scaled;
    fitting->minimiser.first = scaled_first_at(scaled, fitting->parameters[FIT_T0] - scaled->time_slack);
    size_t last = scaled_first_at(scaled, fitting->end + scaled->time_slack);
    while (last < scaled->count && scaled_time(scaled, last) <= fitting->end + scaled->time_slack)
        last++;
    fitting->minimiser.last = last;
}

static enum verdict minimise(struct fitting *fitting, double tolerance)
{
    if (fitting->minimiser.last <= fitting->minimiser.first + LEAST_SAMPLES - 1)
        return VERDICT_TOO_FEW_SAMPLES;
    return decay_minimise(&fitting->minimiser, tolerance, fitting->parameters, &fitting->normal);
}

static double record_end(const struct fitting *fitting)
{
    return scaled_time(&fitting->scaled, fitting->scaled.count - 1);
}

/* The end of the motion up to a time: there, or where the mass came to rest before it. One sample more than asked
 * for, so that a stop right at the end is seen. */
static double motion_end(const struct fitting *fitting, double until)
{
    const struct scaled_record *scaled = &fitting->scaled;
    size_t first = scaled_first_at(scaled, fitting->parameters[FIT_T0] - scaled->time_slack);
    size_t last = scaled_first_at(scaled, until);
    double stop;
    bool rests = rest_search(scaled, fitting->parameters, fitting->start.noise, first,
                             last < scaled->count ? last + 1 : last, &stop);
    return rests ? fmin(stop, until) : until;
}

/* Fits the part of the record that the starting values describe, then twice that, and so on to the end of the motion:
 * each fit predicts the phase of the next part well enough. */
static enum verdict grow(struct fitting *fitting)
{
    for (;;) {
        choose_samples(fitting);
        enum verdict verdict = minimise(fitting, rough);
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
            return minimise(fitting, rough);
        }
    }
}

/* Fits, and fixes the set of samples anew, until the set stays. Where two sets take turns, the smaller one counts. */
static enum verdict settle(struct fitting *fitting)
{
    size_t first = 0, last = 0, latest_first = 0;
    for (int round = 0; round < SETTLINGS; round++) {
        bool moved = place_start(fitting);
        fitting->end = motion_end(fitting, record_end(fitting));
        choose_samples(fitting);
        /* The caller fixed the samples, so that other models can be compared with this one. */
        if (fitting->range.last) {
            fitting->minimiser.first = fitting->range.first;
            fitting->minimiser.last = fitting->range.last;
        }
        bool same = round > 0 && !moved && fitting->minimiser.first == first && fitting->minimiser.last == last;
        bool taking_turns = round > 3 && !moved && fitting->minimiser.first + 1 == first && first == latest_first;
        if (taking_turns)
            fitting->minimiser.first = first;
        if (same || taking_turns)
            return VERDICT_OK;
        first = fitting->minimiser.first;
        last = fitting->minimiser.last;
        latest_first = first > latest_first ? first : latest_first;
        enum verdict verdict = minimise(fitting, final);
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
    int others = minimiser->passes_left - PASSES_A_TRY;
    /* A hopeless start must not use up the effort of the whole fit. */
    minimiser->passes_left = others > 0 ? PASSES_A_TRY : minimiser->passes_left;
    memcpy(other, parameters, sizeof other);
    enum verdict verdict = decay_minimise(minimiser, rough, other, &normal);
    minimiser->passes_left += others > 0 ? others : 0;
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

/* A cycle more or less over the record, in phase after its first third, where most of the amplitude is. */
static enum verdict try_other_frequency(struct fitting *fitting, double span)
{
    enum verdict verdict = VERDICT_OK;
    double omega_n = fitting->parameters[FIT_OMEGA_N];
    /* One cycle fewer, then one more. */
    for (double cycles = -1.0; cycles < 2.0 && verdict == VERDICT_OK; cycles += 2.0) {
        double trial[FIT_PARAMETERS], turn = cycles * 2.0 * M_PI / span;
        memcpy(trial, fitting->parameters, sizeof trial);
        trial[FIT_OMEGA_N] += turn;
        trial[FIT_T0] += turn / omega_n * span / 3.0;
        if (trial[FIT_OMEGA_N] > 0.0)
            verdict = try_from(fitting, trial);
    }
    return verdict;
}

/* Where the residual is clearly more than noise the optimum may be a local one. */
static enum verdict look_elsewhere(struct fitting *fitting)
{
    double deviation = sqrt(fitting->normal.sum_of_squares / (double)fitting->normal.samples);
    if (deviation < 1.5 * fitting->start.noise + 1e-9)
        return VERDICT_OK;
    double span = fitting->end - fitting->parameters[FIT_T0];
    double half_cycles = span / decay_shape(fitting->parameters).half_period;
    enum verdict verdict = try_one_damping(fitting, half_cycles);
    if (verdict == VERDICT_OK && half_cycles > 6.0 && deviation > 0.05 * fabs(fitting->parameters[FIT_X0]))
        verdict = try_other_frequency(fitting, span);
    return verdict;
}

/* The order from coarse to fine; each step starts where the one before ended. */
static enum verdict search(struct fitting *fitting)
{
    enum verdict verdict = grow(fitting);
    if (verdict == VERDICT_OK)
        verdict = settle(fitting);
    double before = fitting->normal.sum_of_squares;
    if (verdict == VERDICT_OK)
        verdict = look_elsewhere(fitting);
    if (verdict == VERDICT_OK && fitting->normal.sum_of_squares < before)
        verdict = settle(fitting);
    return verdict;
}

static const struct full_record_options default_options = {.model = DAMPING_VISCOUS_COULOMB};

/* Marks what is free, and puts what is known into the starting values. */
static void hold_known(struct fitting *fitting, const struct full_record_options *options)
{
    double known[FIT_PARAMETERS];
    double *parameters = fitting->parameters;
    scaled_from_record(&fitting->scaled, options->fixed_values, known);
    if (options->fixed & (1u << FIT_T0)) {
        double half_period = decay_shape(parameters).half_period;
        /* The starting values may begin half cycles away from the known t0: told from there first, so that X_0 fits
         * the time. */
        double away = round((parameters[FIT_T0] - known[FIT_T0]) / half_period);
        for (double k = 0.0; k < fmin(away, 1e4); k++)
            start_earlier(parameters);
        for (double k = 0.0; k < fmin(-away, 1e4); k++)
            start_later(parameters);
    }
    for (int p = 0; p < FIT_PARAMETERS; p++)
        if (p != FIT_OMEGA_N && (options->fixed & (1u << p)))
            parameters[p] = known[p];
}

/* Whether all that is said to be known is possible. */
static bool known_is_possible(const struct full_record_options *options)
{
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        double value = options->fixed_values[p];
        if (!(options->fixed & (1u << p)))
            continue;
        if (!isfinite(value) || (p == FIT_X0 && value == 0.0) || (p == FIT_X_K && value < 0.0) ||
            (p == FIT_ZETA && !(value >= 0.0 && value < 1.0)))
            return false;
    }
    return true;
}

/* The frequency is always free: a fit that knows it has nothing to follow the phase with. */
static struct free_parameters free_under(const struct full_record_options *options)
{
    struct free_parameters free;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        free.free[p] = p == FIT_OMEGA_N || !(options->fixed & (1u << p));
    free.free[FIT_ZETA] = free.free[FIT_ZETA] && (options->model & DAMPING_VISCOUS);
    free.free[FIT_X_K] = free.free[FIT_X_K] && (options->model & DAMPING_COULOMB);
    return free;
}

static enum verdict fit_scaled(struct fitting *fitting, const struct full_record_options *options)
{
    if (!known_is_possible(options))
        return VERDICT_NOT_FINITE;
    double hint_s = fitting->scaled.record->first_extremum_s;
    fitting->hint = (hint_s - fitting->scaled.origin_s) / fitting->scaled.unit_s;
    /* A hint outside the record is not about this record. */
    if (!(fabs(fitting->hint) <= (double)fitting->scaled.count))
        fitting->hint = NAN;
    fitting->range = options->range;
    if (options->range.last) {
        if (options->range.last > fitting->scaled.count || options->range.first >= options->range.last)
            return VERDICT_TOO_FEW_SAMPLES;
        fitting->hint = scaled_time(&fitting->scaled, options->range.first);
    }
    fitting->minimiser = (struct decay_minimiser){
        .scaled = &fitting->scaled,
        .free = free_under(options),
        .cancel = options->cancel,
        .passes_left = options->max_iterations > 0 ? options->max_iterations : PASSES,
    };
    fitting->start_fixed = options->fixed & (1u << FIT_X0 | 1u << FIT_T0);
    enum verdict verdict = starting_values_from(&fitting->scaled, &fitting->minimiser.free, &fitting->start);
    if (verdict != VERDICT_OK)
        return verdict;
    memcpy(fitting->parameters, fitting->start.parameters, sizeof fitting->parameters);
    fitting->end = fmin(fitting->start.end, record_end(fitting));
    hold_known(fitting, options);
    return search(fitting);
}

enum verdict full_record_fit(const struct decay_record *record, const struct full_record_options *options,
                             struct full_record_fit *fit)
{
    struct fitting fitting = {0};
    if (!options)
        options = &default_options;
    fit_report_clear(options->model, fit);
    fit->verdict = scaled_record_from(record, LEAST_SAMPLES, &fitting.scaled);
    if (fit->verdict == VERDICT_OK)
        fit->verdict = fit_scaled(&fitting, options);
    fit->iterations = fitting.minimiser.passes;
    if (fit->verdict == VERDICT_OK || (fit->verdict == VERDICT_NOT_CONVERGED && fitting.normal.samples))
        fit_report(&fitting.minimiser, fitting.parameters, &fitting.normal, fitting.start.noise, fit);
    if (options->cancel && atomic_load(options->cancel)) {
        fit_report_clear(options->model, fit);
        fit->verdict = VERDICT_CANCELLED; /* the report may be unfinished */
    }
    return fit->verdict;
}
