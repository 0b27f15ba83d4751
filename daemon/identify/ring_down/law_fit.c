/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/law_fit.h"

#include "identify/ring_down/deferred_correction.h"
#include "identify/ring_down/law_start.h"
#include "identify/ring_down/mode_fit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The slow flow is as good as the exact motion where the noise is more than this share of the first amplitude and slip
 * lowers the stiffness by less than that. */
#define NOISE_THAT_HIDES 0.003
#define SLIP_THAT_SHOWS 0.03
/* The exact motion is found when a further round moves no parameter by so many standard errors. */
#define SETTLED 0.02

enum { ROUNDS = 5 };

/* Twice the logarithm of how much likelier the record is with a joint than without. Where there is none, 5 % of all
 * records reach 4.6. */
#define JOINT_SHOWS 6.0
/* A further pair of exponents is as much likelier by chance in one record of a thousand: chi squared with 2 degrees of
 * freedom. */
#define LAW_FAILS 13.8
/* Five standard errors of a further parameter: a joint that only seems to slip as a whole has figures that nobody could
 * check. */
#define WHOLE_JOINT_SLIPS 25.0
/* A further parameter is as much likelier by chance in one record of twenty. */
#define BETA_SHOWS 3.84
/* Where the search for the share of sliders at phi_max begins. */
#define FIRST_BETA 0.3

struct fitting {
    const struct mode_record *record;
    const atomic_bool *cancel;
    struct mode_band band, whole; /* through the filter, where the fit begins; where it ends */
    double *motion;
    struct law_starts starts;
    struct mode_sum sum, trial, of_band; /* of_band: microslip, through the filter */
    struct mode_fit fit;
};

static enum verdict prepare(struct fitting *fitting)
{
    const enum verdict verdict = mode_band_of(fitting->record, true, &fitting->band);
    if (verdict != VERDICT_OK)
        return verdict;
    fitting->motion = calloc(fitting->record->count, sizeof *fitting->motion);
    return fitting->motion ? mode_band_of(fitting->record, false, &fitting->whole) : VERDICT_NO_MEMORY;
}

/* The mode, with those beside it. */
static struct mode_sum sum_of(const struct mode_record *record, const struct amplitude_law *law)
{
    struct mode_sum sum = {.modes = 1, .law = {*law}};
    for (size_t r = 0; record->beside && r < record->beside->modes; r++)
        sum.law[sum.modes++] = record->beside->law[r];
    return sum;
}

static bool is_over(enum verdict verdict)
{
    return verdict == VERDICT_CANCELLED || verdict == VERDICT_NO_MEMORY;
}

/* The best of the starts after a fit of each; of fits that are still on their way where none arrives, for more samples
 * may end what fewer could not. */
static enum verdict fit_best(struct fitting *fitting, const struct mode_samples *samples,
                             const struct amplitude_law *laws, size_t count)
{
    enum verdict verdict = VERDICT_NO_OSCILLATION;
    double least = INFINITY;
    bool converged = false;
    for (size_t k = 0; k < count; k++) {
        struct mode_fit fit;
        fitting->trial = sum_of(fitting->record, &laws[k]);
        const enum verdict found = mode_fit(samples, NULL, fitting->cancel, &fitting->trial, &fit);
        mode_fit_clear(&fit);
        if (is_over(found))
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

static enum verdict fit_whole(struct fitting *fitting)
{
    mode_fit_clear(&fitting->fit);
    return mode_fit(&fitting->whole.samples, NULL, fitting->cancel, &fitting->sum, &fitting->fit);
}

static double variance_of(const struct fitting *fitting)
{
    return fmax(fitting->fit.squares / (double)(fitting->fit.rows - fitting->fit.unknowns),
                fitting->whole.samples.least_variance);
}

static bool needs_correction(const struct fitting *fitting)
{
    const struct amplitude_law *law = &fitting->sum.law[0];
    const double omega_0 = law->parameter[MICROSLIP_OMEGA_0];
    const double first = pow(omega_0, (double)fitting->record->sensed) * cabs(fitting->sum.amplitude[0][0]);
    struct law_rates at_first = {.omega = 0};
    law->rates(law, 0, &at_first);
    return sqrt(variance_of(fitting)) < NOISE_THAT_HIDES * first ||
           1 - pow(at_first.omega / omega_0, 2) > SLIP_THAT_SHOWS;
}

enum verdict law_correct(const struct mode_record *record, const struct mode_sum *sum, const atomic_bool *cancel,
                         double *motion, struct mode_band *band)
{
    enum verdict verdict = mode_band_correct_none(band);
    for (size_t r = 0; r < sum->modes && verdict == VERDICT_OK; r++) {
        if (!sum->law[r].joint) /* the slow flow of a linear mode is exact */
            continue;
        const int error = deferred_correction(&sum->law[r], sum->amplitude[r][0], record->sensed, 0,
                                              1 / record->rate_hz, record->count, cancel, motion);
        verdict = error == -ENOMEM      ? VERDICT_NO_MEMORY
                  : error == -ECANCELED ? VERDICT_CANCELLED
                  : error               ? VERDICT_NOT_CONVERGED
                                        : mode_band_correct(band, record, motion, sum->amplitude[r]);
    }
    return verdict;
}

/* The largest change of a parameter, in standard errors. */
static double change(const struct fitting *fitting, const struct amplitude_law *before)
{
    double most = 0;
    for (size_t p = 0; p < before->parameters; p++) {
        const double step = fitting->sum.law[0].parameter[p] - before->parameter[p];
        const double variance = fitting->fit.inverse[p * (fitting->fit.unknowns + 1)] * variance_of(fitting);
        most = fmax(most, fabs(step) / sqrt(variance));
    }
    return most;
}

static enum verdict fit_exactly(struct fitting *fitting, int *rounds)
{
    enum verdict verdict = fit_whole(fitting);
    for (*rounds = 0; verdict == VERDICT_OK && *rounds < ROUNDS && needs_correction(fitting); ++*rounds) {
        const struct amplitude_law before = fitting->sum.law[0];
        verdict = law_correct(fitting->record, &fitting->sum, fitting->cancel, fitting->motion, &fitting->whole);
        if (verdict == VERDICT_OK)
            verdict = fit_whole(fitting);
        if (verdict == VERDICT_OK && change(fitting, &before) < SETTLED)
            break;
    }
    return verdict;
}

/* What the sensor shows of the mode at the first sample that the fit used, and where on its law that is; NAN: nobody
 * knows. */
static double first_crest(const struct fitting *fitting, double *x)
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

static void report(const struct fitting *fitting, struct law_fit *fit)
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

double law_fit_covariance(const struct law_fit *fit, const double by[LAW_FIT_UNKNOWNS],
                          const double by_other[LAW_FIT_UNKNOWNS])
{
    const size_t unknowns = fit->law.parameters + 2;
    double covariance = 0;
    for (size_t j = 0; j < unknowns; j++)
        for (size_t k = 0; k < unknowns; k++)
            covariance += by[j] * fit->covariance[j][k] * by_other[k];
    return covariance;
}

double law_fit_error(const struct law_fit *fit, const double by[LAW_FIT_UNKNOWNS])
{
    return sqrt(law_fit_covariance(fit, by, by));
}

static void fit_linear(struct fitting *fitting, struct law_fit *fit)
{
    const struct amplitude_law *start = &fitting->starts.law[0];
    const double *of_start = start->parameter, omega = of_start[MICROSLIP_OMEGA_0];
    const struct amplitude_law law =
        linear_law(omega, of_start[MICROSLIP_C] + 2 * omega * exp(of_start[MICROSLIP_LOG_ZETA_J]));
    fit->verdict = fit_best(fitting, &fitting->band.samples, &law, fitting->starts.count > 0 ? 1 : 0);
    if (fit->verdict == VERDICT_OK)
        fit->verdict = fit_whole(fitting);
    if (fit->verdict == VERDICT_OK)
        report(fitting, fit);
}

static void fit_microslip(struct fitting *fitting, struct law_fit *fit)
{
    fit->verdict = fit_best(fitting, &fitting->band.samples, fitting->starts.law, fitting->starts.count);
    if (fit->verdict == VERDICT_OK)
        fitting->of_band = fitting->sum;
    if (fit->verdict == VERDICT_OK)
        fit->verdict = fit_exactly(fitting, &fit->corrections);
    if (fit->verdict == VERDICT_OK)
        report(fitting, fit);
}

bool free_law_is_there(const struct law_fit *fit)
{
    return fit->verdict == VERDICT_OK || fit->verdict == VERDICT_NOT_CONVERGED;
}

/* From the microslip law, with what the exact motion adds to that. */
static void fit_free(struct fitting *fitting, const struct law_fit *microslip, struct law_fit *fit)
{
    fitting->sum = microslip->sum;
    fitting->sum.law[0] = free_law(&microslip->law);
    fit->verdict = fit_whole(fitting);
    fit->corrections = microslip->corrections;
    if (free_law_is_there(fit))
        report(fitting, fit);
}

/* The largest displacement, from the highest crest of the samples. */
static double first_displacement(const struct fitting *fitting)
{
    const double omega_0 = fitting->of_band.law[0].parameter[MICROSLIP_OMEGA_0];
    return mode_record_largest(fitting->record) / pow(omega_0, (double)fitting->record->sensed);
}

/* The best of fits of the slow flow from several shares of the first amplitude at which the whole joint slips. What is
 * below that is as the band sees it; where the band does not see it, as joints are. */
static enum verdict start_macroslip(struct fitting *fitting)
{
    static const double phi[] = {0.25, 0.4, 0.6, 0.85};
    const struct amplitude_law *band = &fitting->of_band.law[0];
    const double *p = band->parameter, first = first_displacement(fitting);
    struct amplitude_law starts[sizeof phi / sizeof phi[0]];
    size_t count = 0;
    for (size_t k = 0; k < sizeof phi / sizeof phi[0]; k++) {
        const struct modal_iwan joint = microslip_joint(band, cabs(fitting->of_band.amplitude[0][0]));
        count += macroslip_law(p[MICROSLIP_OMEGA_0], p[MICROSLIP_C], &joint, first, phi[k], &starts[count]);
    }
    fitting->whole.samples.correction = NULL;
    return fit_best(fitting, &fitting->whole.samples, starts, count);
}

static bool is_likelier(const struct law_fit *fit, const struct law_fit *than, const struct fitting *fitting,
                        double enough)
{
    return than->squares - fit->squares > enough * fit->noise * fit->noise * fitting->whole.colour;
}

/* Of sliders that all slip at phi_max at once the record seldom tells. */
static void fit_beta(struct fitting *fitting, struct law_fit *fit, struct law_fit *with_beta)
{
    fitting->sum.law[0] = macroslip_with_beta(&fit->law, FIRST_BETA);
    with_beta->verdict = fit_exactly(fitting, &with_beta->corrections);
    if (is_over(with_beta->verdict))
        fit->verdict = with_beta->verdict;
    if (with_beta->verdict != VERDICT_OK)
        return;
    report(fitting, with_beta);
    if (with_beta->law.parameter[MACROSLIP_BETA] > 0 && is_likelier(with_beta, fit, fitting, BETA_SHOWS))
        *fit = *with_beta;
}

static void fit_macroslip(struct fitting *fitting, struct law_fit *fit, struct law_fit *with_beta)
{
    fit->verdict = start_macroslip(fitting);
    if (fit->verdict == VERDICT_OK)
        fit->verdict = fit_exactly(fitting, &fit->corrections);
    if (fit->verdict != VERDICT_OK)
        return;
    report(fitting, fit);
    fit_beta(fitting, fit, with_beta);
}

/* Of a record that needs no filter, and that neither a linear mode nor one in microslip explains. */
static void look_for_macroslip(struct fitting *fitting, struct mode_laws *laws)
{
    const struct law_fit *than = laws->microslip.verdict == VERDICT_OK ? &laws->microslip : &laws->linear;
    if (fitting->of_band.modes == 0 || than->verdict != VERDICT_OK)
        return;
    fit_macroslip(fitting, &laws->macroslip, &laws->with_beta);
    if (is_over(laws->macroslip.verdict))
        laws->microslip.verdict = laws->macroslip.verdict;
    laws->slips = laws->macroslip.verdict == VERDICT_OK && laws->macroslip.law.parameter[MACROSLIP_LOG_PHI] < 0 &&
                  is_likelier(&laws->macroslip, than, fitting, WHOLE_JOINT_SLIPS);
}

/* Whether there is a joint in microslip, and whether that law holds. No linear law fits what is far from linear. */
static void look_for_microslip(struct fitting *fitting, struct mode_laws *laws)
{
    laws->joint =
        laws->microslip.verdict == VERDICT_OK &&
        (laws->linear.verdict != VERDICT_OK || is_likelier(&laws->microslip, &laws->linear, fitting, JOINT_SHOWS));
    if (!laws->joint)
        return;
    fit_free(fitting, &laws->microslip, &laws->free);
    if (is_over(laws->free.verdict))
        laws->microslip.verdict = laws->free.verdict;
    laws->holds = free_law_is_there(&laws->free) && !is_likelier(&laws->free, &laws->microslip, fitting, LAW_FAILS);
}

/* Where the microslip law had only a bad start, what is below phi_max leads to it, and the whole joint may not slip. */
static void doubt_macroslip(struct fitting *fitting, struct mode_laws *laws)
{
    const struct law_fit *slips = &laws->macroslip;
    const double a = cabs(slips->amplitude), omega_0 = slips->law.parameter[MACROSLIP_OMEGA_0];
    const struct modal_iwan joint = macroslip_joint(&slips->law, a);
    const double n = joint.chi + 2, s = joint.r * pow(a, n - 1) / ((n - 1) * n * omega_0 * omega_0);
    const struct amplitude_law law = microslip_law(omega_0, joint.c, 2 * (n - 1) * s / (M_PI * (n + 1)), joint.chi);
    struct law_fit again = {.corrections = 0};
    fitting->sum = sum_of(fitting->record, &law);
    fitting->whole.samples.correction = NULL;
    again.verdict = fit_exactly(fitting, &again.corrections);
    if (is_over(again.verdict))
        laws->microslip.verdict = again.verdict;
    if (again.verdict != VERDICT_OK)
        return;
    report(fitting, &again);
    if (is_likelier(slips, &again, fitting, WHOLE_JOINT_SLIPS))
        return;
    laws->microslip = again;
    laws->slips = false;
    look_for_microslip(fitting, laws);
}

static void fit_all(struct fitting *fitting, struct mode_laws *laws)
{
    fit_linear(fitting, &laws->linear);
    fit_microslip(fitting, &laws->microslip);
    look_for_microslip(fitting, laws);
    if (fitting->record->alone && (laws->joint || laws->microslip.verdict != VERDICT_OK))
        look_for_macroslip(fitting, laws);
    if (laws->slips)
        doubt_macroslip(fitting, laws);
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
static enum verdict start(struct fitting *fitting)
{
    struct mode_samples alone = fitting->band.samples;
    const double noise = mode_band_noise(&alone, 0);
    double complex *values = calloc(alone.count, sizeof *values);
    if (!values)
        return VERDICT_NO_MEMORY;
    memcpy(values, alone.values, alone.count * sizeof *values);
    enum verdict verdict = VERDICT_OK;
    if (fitting->record->beside && !take_away(&alone, fitting->record->beside, values))
        verdict = VERDICT_NO_OSCILLATION;
    alone.values = values;
    alone.sensors = 1;
    if (verdict == VERDICT_OK)
        law_start(&alone, noise, &fitting->starts);
    free(values);
    return verdict;
}

/* First of all from the law that a fit of all modes of the band left, where that has a joint. */
static void start_from_known(struct fitting *fitting)
{
    const struct amplitude_law *known = fitting->record->known;
    struct law_starts *starts = &fitting->starts;
    if (!known || known->parameters != MICROSLIP_PARAMETERS || starts->count == 0)
        return;
    starts->count = starts->count < LAW_STARTS ? starts->count + 1 : LAW_STARTS;
    memmove(&starts->law[1], &starts->law[0], (starts->count - 1) * sizeof *starts->law);
    starts->law[0] = *known;
}

static enum verdict begin(struct fitting *fitting, const struct mode_record *record, const atomic_bool *cancel)
{
    fitting->record = record;
    fitting->cancel = cancel;
    enum verdict verdict = prepare(fitting);
    if (verdict == VERDICT_OK)
        verdict = start(fitting);
    if (verdict == VERDICT_OK)
        start_from_known(fitting);
    return verdict;
}

static void end(struct fitting *fitting)
{
    mode_fit_clear(&fitting->fit);
    mode_band_clear(&fitting->band);
    mode_band_clear(&fitting->whole);
    free(fitting->motion);
    free(fitting);
}

void law_fit(const struct mode_record *record, const atomic_bool *cancel, struct law_fit *fit)
{
    struct fitting *fitting = calloc(1, sizeof *fitting);
    *fit = (struct law_fit){.verdict = VERDICT_NO_MEMORY};
    if (!fitting)
        return;
    fit->verdict = begin(fitting, record, cancel);
    if (fit->verdict == VERDICT_OK)
        fit_microslip(fitting, fit);
    end(fitting);
}

void mode_laws_of(const struct mode_record *record, const atomic_bool *cancel, struct mode_laws *laws)
{
    struct fitting *fitting = calloc(1, sizeof *fitting);
    const enum verdict verdict = fitting ? begin(fitting, record, cancel) : VERDICT_NO_MEMORY;
    *laws = (struct mode_laws){.linear.verdict = verdict,
                               .microslip.verdict = verdict,
                               .free.verdict = VERDICT_NOT_COMPUTED,
                               .macroslip.verdict = VERDICT_NOT_COMPUTED,
                               .with_beta.verdict = VERDICT_NOT_COMPUTED};
    if (verdict == VERDICT_OK)
        fit_all(fitting, laws);
    if (fitting)
        end(fitting);
}
