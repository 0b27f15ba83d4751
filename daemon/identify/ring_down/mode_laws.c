/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The laws that a mode may have, from the one with the fewest parameters on. */

#include "identify/ring_down/mode_laws.h"

#include "identify/ring_down/law_fitting.h"
#include "identify/ring_down/macroslip_search.h"
#include "identify/ring_down/slip_limit.h"

#include <math.h>
#include <stdlib.h>

/* A further pair of exponents is as much likelier by chance in one record of a thousand: chi squared with 2 degrees of
 * freedom. */
#define LAW_FAILS 13.8
/* Chi squared with as many degrees of freedom as the law of a joint that slips as a whole has parameters more than
 * that of one in microslip, one, or two with sliders that slip at phi_max. Five standard errors: a joint that only
 * seems to slip as a whole has figures that nobody could check. */
static const double whole_joint_slips[] = {25.0, 28.7};
/* A law is as much likelier by chance in one record of twenty. */
static const double may_be_chance[] = {3.84, 5.99};
/* Sliders at phi_max as well: what is nearer to none of them than five standard errors changes places with phi_max and
 * with the other sliders in ways that derivatives at the optimum do not tell, and intervals by these miss. */
#define BETA_SHOWS 25.0
/* Where the search for the share of sliders at phi_max begins. */
#define FIRST_BETA 0.3

static void fit_linear(struct law_fitting *fitting, struct law_fit *fit)
{
    const struct amplitude_law *start = &fitting->starts.law[0];
    const double *of_start = start->parameter, omega = of_start[MICROSLIP_OMEGA_0];
    const struct amplitude_law law =
        linear_law(omega, of_start[MICROSLIP_C] + 2 * omega * exp(of_start[MICROSLIP_LOG_ZETA_J]));
    fit->verdict = law_fitting_best(fitting, &fitting->band.samples, &law, fitting->starts.count > 0 ? 1 : 0);
    if (fit->verdict == VERDICT_OK)
        fit->verdict = law_fitting_whole(fitting);
    if (fit->verdict == VERDICT_OK)
        law_fitting_report(fitting, fit);
}

bool free_law_is_there(const struct law_fit *fit)
{
    return fit->verdict == VERDICT_OK || fit->verdict == VERDICT_NOT_CONVERGED;
}

/* From the microslip law, with what the exact motion adds to that. */
static void fit_free(struct law_fitting *fitting, const struct law_fit *microslip, struct law_fit *fit)
{
    fitting->sum = microslip->sum;
    fitting->sum.law[0] = free_law(&microslip->law);
    fit->verdict = law_fitting_whole(fitting);
    fit->corrections = microslip->corrections;
    if (free_law_is_there(fit))
        law_fitting_report(fitting, fit);
}

/* The largest displacement, from the highest crest of the samples. */
static double first_displacement(const struct law_fitting *fitting)
{
    const double omega_0 = fitting->of_band.law[0].parameter[MICROSLIP_OMEGA_0];
    return mode_record_largest(fitting->record) / pow(omega_0, (double)fitting->record->sensed);
}

/* Joints that slip as a whole from these shares of the first amplitude on, without sliders that slip there and not
 * before. What is below that is as the band sees it; where the band does not see it, as joints are. */
static size_t macroslip_starts(const struct law_fitting *fitting, const double *phi, size_t shares,
                               struct amplitude_law *starts)
{
    const struct amplitude_law *band = &fitting->of_band.law[0];
    const double *p = band->parameter, first = first_displacement(fitting);
    const struct modal_iwan joint = microslip_joint(band, cabs(fitting->of_band.amplitude[0][0]));
    size_t count = 0;
    for (size_t k = 0; k < shares; k++)
        count += macroslip_law(p[MICROSLIP_OMEGA_0], p[MICROSLIP_C], &joint, first, phi[k], &starts[count]);
    return count;
}

/* The best of fits of the slow flow. */
static enum verdict fit_starts(struct law_fitting *fitting, const struct amplitude_law *starts, size_t count)
{
    fitting->whole.samples.correction = NULL;
    return law_fitting_best(fitting, &fitting->whole.samples, starts, count);
}

static void fit_exactly(struct law_fitting *fitting, struct law_fit *fit)
{
    fit->verdict = law_fitting_exactly(fitting, &fit->corrections);
    if (fit->verdict == VERDICT_OK)
        law_fitting_report(fitting, fit);
}

static bool is_likelier(const struct law_fit *fit, const struct law_fit *than, const struct law_fitting *fitting,
                        double enough)
{
    return than->squares - fit->squares > enough * fit->noise * fit->noise * fitting->whole.colour;
}

/* Of what the two hold, that which is for the law of a joint that slips as a whole. */
static double of_further(const double of[2], const struct law_fit *slips)
{
    return of[slips->law.parameters < MACROSLIP_PARAMETERS ? 0 : 1];
}

/* Many sliders that slip at phi_max and not before make a joint so unlike one without them that a fit of that one ends
 * elsewhere: there are starts besides. */
static void fit_beta(struct law_fitting *fitting, const struct law_fit *without, struct law_fit *fit)
{
    static const double phi[] = {0.4, 0.6};
    enum { SHARES = sizeof phi / sizeof phi[0] };
    struct amplitude_law starts[SHARES + 1];
    size_t count = macroslip_starts(fitting, phi, SHARES, starts);
    if (without->verdict == VERDICT_OK)
        starts[count++] = without->law;
    /* Below phi_max, which stays as well, all is as it was. */
    for (size_t k = 0; k < count; k++) {
        const double beta = macroslip_room_for_beta(&starts[k], FIRST_BETA);
        starts[k].parameter[MACROSLIP_BETA] = beta;
        starts[k].parameter[MACROSLIP_LOG_SHARE] += log1p(beta);
    }
    fit->verdict = fit_starts(fitting, starts, count);
    if (fit->verdict != VERDICT_OK)
        return;
    struct amplitude_law found = fitting->sum.law[0];
    found.parameters = MACROSLIP_PARAMETERS;
    /* What slips at phi_max and not before is not seen below it. */
    fit->verdict = found.parameter[MACROSLIP_LOG_PHI] < 0 ? fit_starts(fitting, &found, 1) : VERDICT_NOT_CONVERGED;
    if (fit->verdict == VERDICT_OK)
        fit_exactly(fitting, fit);
}

/* Where the whole joint is seen to slip, and the record tells the exact motion from the slow flow. */
static void search_phi_max(struct law_fitting *fitting, const struct law_fit *than, bool with_beta, struct law_fit *fit)
{
    if (fit->verdict != VERDICT_OK || fit->corrections == 0 ||
        !is_likelier(fit, than, fitting, of_further(whole_joint_slips, fit)))
        return;
    const enum verdict verdict = macroslip_search(fitting, with_beta, fit);
    if (verdict != VERDICT_OK)
        fit->verdict = verdict;
}

/* Where no fit of the slow flow with sliders at phi_max ends, one from the law without them may. */
static void search_with_beta(struct law_fitting *fitting, const struct law_fit *than, const struct law_fit *without,
                             struct law_fit *with_beta)
{
    struct law_fit found = with_beta->verdict == VERDICT_OK ? *with_beta : *without;
    if (law_fitting_is_over(with_beta->verdict))
        return;
    search_phi_max(fitting, than, true, &found);
    if (law_fitting_is_over(found.verdict) || found.law.parameters == MACROSLIP_PARAMETERS)
        *with_beta = found;
}

/* Of sliders that all slip at phi_max at once the record seldom tells. */
static void fit_macroslip(struct law_fitting *fitting, const struct law_fit *than, struct mode_laws *laws)
{
    struct law_fit *fit = &laws->macroslip, *with_beta = &laws->with_beta;
    static const double phi[] = {0.25, 0.4, 0.6, 0.85};
    enum { SHARES = sizeof phi / sizeof phi[0] };
    struct amplitude_law starts[SHARES];
    const size_t count = macroslip_starts(fitting, phi, SHARES, starts);
    fit->verdict = fit_starts(fitting, starts, count);
    if (fit->verdict == VERDICT_OK)
        fit_exactly(fitting, fit);
    search_phi_max(fitting, than, false, fit);
    if (law_fitting_is_over(fit->verdict))
        return;
    fit_beta(fitting, fit, with_beta);
    search_with_beta(fitting, than, fit, with_beta);
    if (law_fitting_is_over(with_beta->verdict))
        fit->verdict = with_beta->verdict;
    else if (with_beta->verdict == VERDICT_OK && with_beta->law.parameter[MACROSLIP_BETA] > 0 &&
             (fit->verdict != VERDICT_OK || is_likelier(with_beta, fit, fitting, may_be_chance[0]))) {
        laws->without_beta = *fit;
        laws->tells_beta = fit->verdict != VERDICT_OK || is_likelier(with_beta, fit, fitting, BETA_SHOWS);
        *fit = *with_beta;
    }
}

/* Where two free exponents contradict the law of a joint in microslip, and that of one that slips as a whole explains
 * more with no more parameters, the record needs no more of it than of them. */
static bool slip_shows(const struct law_fitting *fitting, const struct mode_laws *laws, const struct law_fit *than)
{
    const struct law_fit *slips = &laws->macroslip;
    const bool instead =
        laws->joint && free_law_is_there(&laws->free) && !laws->holds && slips->squares < laws->free.squares;
    return is_likelier(slips, than, fitting, instead ? LAW_FAILS : of_further(whole_joint_slips, slips));
}

/* Of a record that needs no filter, and that neither a linear mode nor one in microslip explains. */
static void look_for_macroslip(struct law_fitting *fitting, struct mode_laws *laws)
{
    const struct law_fit *than = laws->microslip.verdict == VERDICT_OK ? &laws->microslip : &laws->linear;
    if (fitting->of_band.modes == 0 || than->verdict != VERDICT_OK)
        return;
    fit_macroslip(fitting, than, laws);
    if (law_fitting_is_over(laws->macroslip.verdict))
        laws->microslip.verdict = laws->macroslip.verdict;
    laws->slips = laws->macroslip.verdict == VERDICT_OK && laws->macroslip.law.parameter[MACROSLIP_LOG_PHI] < 0 &&
                  slip_shows(fitting, laws, than);
}

/* Whether there is a joint in microslip, and whether that law holds. No linear law fits what is far from linear. */
static void look_for_microslip(struct law_fitting *fitting, struct mode_laws *laws)
{
    laws->joint =
        laws->microslip.verdict == VERDICT_OK &&
        (laws->linear.verdict != VERDICT_OK || is_likelier(&laws->microslip, &laws->linear, fitting, JOINT_SHOWS));
    if (!laws->joint)
        return;
    fit_free(fitting, &laws->microslip, &laws->free);
    if (law_fitting_is_over(laws->free.verdict))
        laws->microslip.verdict = laws->free.verdict;
    laws->holds = free_law_is_there(&laws->free) && !is_likelier(&laws->free, &laws->microslip, fitting, LAW_FAILS);
}

/* What a joint that slips as a whole does below phi_max. */
static struct amplitude_law below_phi_max(const struct law_fit *slips)
{
    const double a = cabs(slips->amplitude), omega_0 = slips->law.parameter[MACROSLIP_OMEGA_0];
    const struct modal_iwan joint = macroslip_joint(&slips->law, a);
    const double n = joint.chi + 2, s = joint.r * pow(a, n - 1) / ((n - 1) * n * omega_0 * omega_0);
    return microslip_law(omega_0, joint.c, 2 * (n - 1) * s / (M_PI * (n + 1)), joint.chi);
}

/* Where the microslip law had only a bad start, what is below phi_max leads to it, and the whole joint may not slip. */
static void doubt_macroslip(struct law_fitting *fitting, struct mode_laws *laws)
{
    const struct law_fit *slips = &laws->macroslip;
    const struct amplitude_law law = below_phi_max(slips);
    struct law_fit again = {.corrections = 0};
    fitting->sum = law_fitting_sum(fitting->record, &law);
    fitting->whole.samples.correction = NULL;
    again.verdict = law_fitting_exactly(fitting, &again.corrections);
    if (law_fitting_is_over(again.verdict))
        laws->microslip.verdict = again.verdict;
    if (again.verdict != VERDICT_OK)
        return;
    law_fitting_report(fitting, &again);
    laws->holds = free_law_is_there(&laws->free) && !is_likelier(&laws->free, &again, fitting, LAW_FAILS);
    if (slip_shows(fitting, laws, &again))
        return;
    laws->microslip = again;
    laws->slips = false;
    look_for_microslip(fitting, laws);
}

/* Between what is called chance and what is called slip nobody knows which of two laws holds: that they differ is part
 * of the uncertainty, all of it a standard error, for the one that is told is the less likely. */
static void admit_slip(const struct law_fitting *fitting, struct mode_laws *laws)
{
    struct law_fit *fit = &laws->microslip;
    const struct law_fit *slips = &laws->macroslip;
    if (laws->slips || !laws->joint || slips->verdict != VERDICT_OK || !(slips->law.parameter[MACROSLIP_LOG_PHI] < 0) ||
        !is_likelier(slips, fit, fitting, of_further(may_be_chance, slips)))
        return;
    laws->admitted = below_phi_max(slips);
    laws->admitted_size = cabs(slips->amplitude);
    const struct amplitude_law other = laws->admitted;
    const double complex off = slips->amplitude - fit->amplitude;
    double apart[MICROSLIP_PARAMETERS + 2] = {[MICROSLIP_PARAMETERS] = creal(off), cimag(off)};
    for (size_t p = 0; p < MICROSLIP_PARAMETERS; p++)
        apart[p] = other.parameter[p] - fit->law.parameter[p];
    for (size_t j = 0; j < MICROSLIP_PARAMETERS + 2; j++)
        for (size_t k = 0; k < MICROSLIP_PARAMETERS + 2; k++)
            fit->covariance[j][k] += apart[j] * apart[k];
}

static void fit_all(struct law_fitting *fitting, struct mode_laws *laws)
{
    fit_linear(fitting, &laws->linear);
    law_fitting_microslip(fitting, &laws->microslip);
    look_for_microslip(fitting, laws);
    if (fitting->record->alone && (laws->joint || laws->microslip.verdict != VERDICT_OK))
        look_for_macroslip(fitting, laws);
    if (laws->slips)
        doubt_macroslip(fitting, laws);
    admit_slip(fitting, laws);
}

void law_fit(const struct mode_record *record, const atomic_bool *cancel, struct law_fit *fit)
{
    struct law_fitting *fitting = calloc(1, sizeof *fitting);
    *fit = (struct law_fit){.verdict = VERDICT_NO_MEMORY};
    if (!fitting)
        return;
    fit->verdict = law_fitting_begin(fitting, record, cancel);
    if (fit->verdict == VERDICT_OK)
        law_fitting_microslip(fitting, fit);
    law_fitting_end(fitting);
}

void mode_laws_of(const struct mode_record *record, const atomic_bool *cancel, struct mode_laws *laws)
{
    struct law_fitting *fitting = calloc(1, sizeof *fitting);
    const enum verdict verdict = fitting ? law_fitting_begin(fitting, record, cancel) : VERDICT_NO_MEMORY;
    *laws = (struct mode_laws){.linear.verdict = verdict,
                               .microslip.verdict = verdict,
                               .free.verdict = VERDICT_NOT_COMPUTED,
                               .macroslip.verdict = VERDICT_NOT_COMPUTED,
                               .with_beta.verdict = VERDICT_NOT_COMPUTED,
                               .without_beta.verdict = VERDICT_NOT_COMPUTED,
                               .limit.verdict = VERDICT_NOT_COMPUTED,
                               .limit_of_phi.verdict = VERDICT_NOT_COMPUTED};
    if (verdict == VERDICT_OK)
        fit_all(fitting, laws);
    if (fitting)
        law_fitting_end(fitting);
}

void mode_laws_limit(const struct mode_record *record, const atomic_bool *cancel, struct mode_laws *laws)
{
    if (!laws->joint || !laws->holds || laws->slips)
        return;
    struct law_fitting *fitting = calloc(1, sizeof *fitting);
    enum verdict verdict = fitting ? law_fitting_begin(fitting, record, cancel) : VERDICT_NO_MEMORY;
    if (verdict == VERDICT_OK)
        verdict = slip_limit_of(fitting, &laws->microslip, &laws->macroslip, &laws->limit, &laws->limit_of_phi);
    laws->limit.verdict = verdict;
    if (law_fitting_is_over(verdict))
        laws->limit_of_phi.verdict = verdict;
    if (fitting)
        law_fitting_end(fitting);
}
