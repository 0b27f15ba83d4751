/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/law_fitting.h"

#include "identify/ring_down/law_correct.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The slow flow is as good as the exact motion where the noise is more than this share of the first amplitude and slip
 * lowers the stiffness by less than that. */
#define NOISE_THAT_HIDES 0.003
#define SLIP_THAT_SHOWS 0.03
/* The exact motion is found when a further round moves no parameter by so many standard errors. */
#define SETTLED 0.02
/* All steps of a fit together that make the record so little likelier, twice its logarithm, lead nowhere. */
#define HARDLY_LIKELIER 0.1

enum { ROUNDS = 5, TIMES_AGAIN = 5 };

static enum verdict prepare(struct law_fitting *fitting)
{
    const enum verdict verdict = mode_band_of(fitting->record, true, &fitting->band);
    if (verdict != VERDICT_OK)
        return verdict;
    fitting->motion = calloc(fitting->record->count, sizeof *fitting->motion);
    return fitting->motion ? mode_band_of(fitting->record, false, &fitting->whole) : VERDICT_NO_MEMORY;
}

struct mode_sum law_fitting_sum(const struct mode_record *record, const struct amplitude_law *law)
{
    struct mode_sum sum = {.modes = 1, .law = {*law}};
    for (size_t r = 0; record->beside && r < record->beside->modes; r++)
        sum.law[sum.modes++] = record->beside->law[r];
    return sum;
}

bool law_fitting_is_over(enum verdict verdict)
{
    return verdict == VERDICT_CANCELLED || verdict == VERDICT_NO_MEMORY;
}

enum verdict law_fitting_best(struct law_fitting *fitting, const struct mode_samples *samples,
                              const struct amplitude_law *laws, size_t count)
{
    enum verdict verdict = VERDICT_NO_OSCILLATION;
    double least = INFINITY;
    bool converged = false;
    for (size_t k = 0; k < count; k++) {
        struct mode_fit fit;
        fitting->trial = law_fitting_sum(fitting->record, &laws[k]);
        const enum verdict found = mode_fit(samples, NULL, fitting->cancel, &fitting->trial, &fit);
        mode_fit_clear(&fit);
        if (law_fitting_is_over(found))
            return found;
        if (found == VERDICT_OK ? !converged || fit.squares < least
                                : found == VERDICT_NOT_CONVERGED && !converged && fit.squares < least) {
            least = fit.squares;
            fitting->sum = fitting->trial;
            converged = found == VERDICT_OK;
            verdict = VERDICT_OK;
        } else if (verdict != VERDICT_OK) {
            verdict = found;
        }
    }
    return verdict;
}

enum verdict law_fitting_whole(struct law_fitting *fitting)
{
    mode_fit_clear(&fitting->fit);
    return mode_fit(&fitting->whole.samples, NULL, fitting->cancel, &fitting->sum, &fitting->fit);
}

static double variance_of(const struct law_fitting *fitting)
{
    return fmax(fitting->fit.squares / (double)(fitting->fit.rows - fitting->fit.unknowns),
                fitting->whole.samples.least_variance);
}

static bool needs_correction(const struct law_fitting *fitting)
{
    const struct amplitude_law *law = &fitting->sum.law[0];
    const double omega_0 = law->parameter[MICROSLIP_OMEGA_0];
    const double first = pow(omega_0, (double)fitting->record->sensed) * cabs(fitting->sum.amplitude[0][0]);
    struct law_rates at_first = {.omega = 0};
    law->rates(law, 0, &at_first);
    return sqrt(variance_of(fitting)) < NOISE_THAT_HIDES * first ||
           1 - pow(at_first.omega / omega_0, 2) > SLIP_THAT_SHOWS;
}

/* The largest change of a parameter, in standard errors. */
static double change(const struct law_fitting *fitting, const struct amplitude_law *before)
{
    double most = 0;
    for (size_t p = 0; p < before->parameters; p++) {
        const double step = fitting->sum.law[0].parameter[p] - before->parameter[p];
        const double variance = fitting->fit.inverse[p * (fitting->fit.unknowns + 1)] * variance_of(fitting);
        most = fmax(most, fabs(step) / sqrt(variance));
    }
    return most;
}

/* Where the record hardly tells chi the way to the best law is long and bent: a fit whose steps are used up goes on
 * from where it stands. Where chi nears -1 it has no end, for omega_0 then has none: laws along it explain the record
 * alike, and the errors of each hold the others. */
static enum verdict fit_patiently(struct law_fitting *fitting)
{
    enum verdict verdict = law_fitting_whole(fitting);
    for (int again = 0; again < TIMES_AGAIN && verdict == VERDICT_NOT_CONVERGED; again++) {
        const double before = fitting->fit.squares;
        verdict = law_fitting_whole(fitting);
        if (verdict == VERDICT_NOT_CONVERGED &&
            before - fitting->fit.squares < HARDLY_LIKELIER * variance_of(fitting) * fitting->whole.colour)
            return VERDICT_OK;
    }
    return verdict;
}

enum verdict law_fitting_exactly(struct law_fitting *fitting, int *rounds)
{
    enum verdict verdict = fit_patiently(fitting);
    for (*rounds = 0; verdict == VERDICT_OK && *rounds < fitting->most_rounds && needs_correction(fitting); ++*rounds) {
        const struct amplitude_law before = fitting->sum.law[0];
        verdict = law_correct(fitting->record, &fitting->sum, fitting->cancel, fitting->motion, &fitting->whole);
        if (verdict == VERDICT_OK)
            verdict = fit_patiently(fitting);
        if (verdict == VERDICT_OK && change(fitting, &before) < SETTLED)
            break;
    }
    return verdict;
}

/* What the sensor shows of the mode at the first sample that the fit used, and where on its law that is; NAN: nobody
 * knows. */
static double first_crest(const struct law_fitting *fitting, double *x)
{
    const struct mode_samples *samples = &fitting->whole.samples;
    struct slow_flow *flow = slow_flow_create();
    size_t hint = 0;
    double crest = NAN;
    *x = NAN;
    if (flow && slow_flow_follow(flow, &fitting->sum.law[0], samples->sensed, samples->first_s)) {
        crest = cabs(fitting->sum.amplitude[0][0]) * exp(creal(slow_flow_at(flow, samples->first_s, &hint, NULL)));
        *x = slow_flow_amplitude(flow, samples->first_s, &hint);
    }
    slow_flow_free(flow);
    return crest;
}

/* How likely noise leaves as much of the first half cycle, of all sensors. Where a hammer is still there, or the first
 * sample is no free motion, it is more. */
static double early_of(struct law_fitting *fitting)
{
    const struct mode_samples *samples = &fitting->whole.samples;
    const double half_s = M_PI / fitting->sum.law[0].parameter[MICROSLIP_OMEGA_0];
    const size_t rows = (size_t)fmin(ceil(half_s / samples->period_s), (double)samples->count);
    struct mode_pass *pass = mode_pass_create(samples, &fitting->sum);
    double squares = INFINITY;
    if (pass && isfinite(mode_pass_follow(pass, &fitting->sum))) {
        squares = 0;
        for (size_t m = 0; m < samples->sensors; m++)
            for (size_t i = 0; i < rows; i++) {
                squares += pow(creal(mode_pass_left(pass, &fitting->sum, m, i)), 2);
            }
    }
    mode_pass_free(pass);
    return gsl_cdf_chisq_Q(squares / variance_of(fitting), (double)(rows * samples->sensors));
}

void law_fitting_report(struct law_fitting *fitting, struct law_fit *fit)
{
    const double variance = variance_of(fitting);
    const size_t unknowns = fitting->fit.unknowns, own = fitting->sum.law[0].parameters;
    /* Between the two stand the parameters of the modes beside it. */
    const size_t amplitude = unknowns - 2 * fitting->sum.modes * fitting->whole.samples.sensors;
    fit->sum = fitting->sum;
    fit->law = fitting->sum.law[0];
    fit->amplitude = fitting->sum.amplitude[0][0];
    fit->squares = fitting->fit.squares;
    fit->noise = sqrt(variance);
    fit->white = sqrt(variance / fitting->whole.variance);
    fit->early = fitting->whole.samples.analytic ? 1 : early_of(fitting);
    fit->freedom = (double)(fitting->fit.rows - unknowns) / fitting->whole.colour;
    fit->loss = fitting->starts.loss;
    fit->first = first_crest(fitting, &fit->first_x);
    fit->residual = sqrt(fitting->sum.squares[0] / (double)fitting->whole.samples.count) / fit->first;
    for (size_t j = 0; j < own + 2; j++)
        for (size_t k = 0; k < own + 2; k++) {
            const size_t row = j < own ? j : amplitude + j - own, column = k < own ? k : amplitude + k - own;
            fit->covariance[j][k] = variance * fitting->whole.colour * fitting->fit.inverse[row * unknowns + column];
        }
}

void law_fitting_microslip(struct law_fitting *fitting, struct law_fit *fit)
{
    fit->verdict = law_fitting_best(fitting, &fitting->band.samples, fitting->starts.law, fitting->starts.count);
    if (fit->verdict == VERDICT_OK)
        fitting->of_band = fitting->sum;
    if (fit->verdict == VERDICT_OK)
        fit->verdict = law_fitting_exactly(fitting, &fit->corrections);
    if (fit->verdict == VERDICT_OK)
        law_fitting_report(fitting, fit);
}

/* What the reference sees of the modes beside it; false: their laws have no motion. */
static bool take_away(const struct mode_samples *samples, const struct mode_sum *beside, double complex *values)
{
    struct slow_flow *flow = slow_flow_create();
    bool follows = flow;
    for (size_t r = 0; r < beside->modes && follows; r++) {
        size_t hint = 0;
        follows = slow_flow_follow(flow, &beside->law[r], samples->sensed,
                                   samples->first_s + samples->period_s * (double)samples->count);
        for (size_t i = 0; i < samples->count && follows; i++) {
            const double time_s = samples->first_s + samples->period_s * (double)i;
            const double complex turn = CMPLX(0, samples->carrier * time_s);
            values[i] -= beside->amplitude[r][0] * cexp(slow_flow_at(flow, time_s, &hint, NULL) - turn);
        }
    }
    slow_flow_free(flow);
    return follows;
}

/* From what the reference sees of the mode alone. */
static enum verdict start(struct law_fitting *fitting)
{
    const struct mode_samples *band = &fitting->band.samples;
    struct mode_samples alone = *band;
    double complex *values = calloc(alone.count, sizeof *values);
    if (!values)
        return VERDICT_NO_MEMORY;
    memcpy(values, alone.values, alone.count * sizeof *values);
    enum verdict verdict = VERDICT_OK;
    if (fitting->record->beside && !take_away(&alone, fitting->record->beside, values))
        verdict = VERDICT_NO_OSCILLATION;
    alone.values = values;
    alone.sensors = 1;
    const double noise =
        fitting->record->of_two ? mode_band_noise_among(&alone, 0, GROUP_MODES) : mode_band_noise(band, 0);
    if (verdict == VERDICT_OK)
        law_start(&alone, noise, &fitting->starts);
    free(values);
    return verdict;
}

/* First of all from the law that a fit of all modes of the band left, where that has a joint. */
static void start_from_known(struct law_fitting *fitting)
{
    const struct amplitude_law *known = fitting->record->known;
    struct law_starts *starts = &fitting->starts;
    if (!known || known->parameters != MICROSLIP_PARAMETERS || starts->count == 0)
        return;
    starts->count = starts->count < LAW_STARTS ? starts->count + 1 : LAW_STARTS;
    memmove(&starts->law[1], &starts->law[0], (starts->count - 1) * sizeof *starts->law);
    starts->law[0] = *known;
}

enum verdict law_fitting_begin(struct law_fitting *fitting, const struct mode_record *record, const atomic_bool *cancel)
{
    fitting->record = record;
    fitting->cancel = cancel;
    fitting->most_rounds = ROUNDS;
    enum verdict verdict = prepare(fitting);
    if (verdict == VERDICT_OK)
        verdict = start(fitting);
    if (verdict == VERDICT_OK)
        start_from_known(fitting);
    return verdict;
}

void law_fitting_end(struct law_fitting *fitting)
{
    mode_fit_clear(&fitting->fit);
    mode_band_clear(&fitting->band);
    mode_band_clear(&fitting->whole);
    free(fitting->motion);
    free(fitting);
}
