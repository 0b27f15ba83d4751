/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ring_down/mode_figures.h"

#include "identify/ring_down/macroslip_figures.h"
#include "identify/ring_down/microslip_figures.h"

#include <math.h>

/* A parameter, plus a constant, whose unit has that power of time. */
static struct estimate parameter_of(const struct law_fit *fit, size_t parameter, double more,
                                    const struct instrument *instrument, double time_power)
{
    const double se = sqrt(fit->covariance[parameter][parameter]);
    return estimate_combined(estimate_in_noise(fit->law.parameter[parameter] + more, se), instrument, time_power, 0);
}

struct estimate mode_omega_0_of(const struct law_fit *fit, const struct instrument *instrument)
{
    return parameter_of(fit, MICROSLIP_OMEGA_0, 0, instrument, -1);
}

struct estimate mode_zeta_0_of(const struct law_fit *fit, const struct instrument *instrument)
{
    const double omega_0 = fit->law.parameter[MICROSLIP_OMEGA_0], c = fit->law.parameter[MICROSLIP_C];
    const double by_c = 1 / (2 * omega_0), by_omega_0 = -c / (2 * omega_0 * omega_0);
    const double variance = by_c * by_c * fit->covariance[MICROSLIP_C][MICROSLIP_C] +
                            2 * by_c * by_omega_0 * fit->covariance[MICROSLIP_C][MICROSLIP_OMEGA_0] +
                            by_omega_0 * by_omega_0 * fit->covariance[MICROSLIP_OMEGA_0][MICROSLIP_OMEGA_0];
    return estimate_combined(estimate_in_noise(c * by_c, sqrt(variance)), instrument, 0, 0);
}

/* What tells of a mode's joint. */
struct seen_joint {
    const struct mode_laws *laws;
    const struct instrument *instrument;
    enum sensed sensed;
};

static struct bounded nothing_known(const char *reason)
{
    return (struct bounded){NAN, NAN, reason, NAN, NAN};
}

static struct bounded known_between(const struct between *between, const char *reason)
{
    return (struct bounded){NAN, NAN, reason, between->lower, isfinite(between->upper) ? between->upper : NAN};
}

static struct bounded known(const struct estimate *estimate)
{
    const struct combined_uncertainty *combined = &estimate->combined;
    return (struct bounded){estimate->value, combined->u, NULL, combined->low, combined->high};
}

/* The law that the damping alone has, where the frequency has another. */
static struct law_fit of_damping(const struct law_fit *free)
{
    static const size_t place[] = {MICROSLIP_OMEGA_0, MICROSLIP_C,     MICROSLIP_LOG_ZETA_J,
                                   MICROSLIP_CHI,     FREE_PARAMETERS, FREE_PARAMETERS + 1};
    const double *p = free->law.parameter;
    struct law_fit fit = *free;
    fit.law = microslip_law(p[MICROSLIP_OMEGA_0], p[MICROSLIP_C], exp(p[MICROSLIP_LOG_ZETA_J]), p[MICROSLIP_CHI]);
    for (size_t j = 0; j < sizeof place / sizeof place[0]; j++)
        for (size_t k = 0; k < sizeof place / sizeof place[0]; k++)
            fit.covariance[j][k] = free->covariance[place[j]][place[k]];
    return fit;
}

/* omega_0, c and chi have the same places in all laws. */
static void fill_covariance(const struct law_fit *fit, const double by_r[LAW_FIT_UNKNOWNS], struct ring_down_iwan *iwan)
{
    static const char *const names[IWAN_COVARIANCES] = {"omega_0", "c", "chi", "r"};
    double by[IWAN_COVARIANCES][LAW_FIT_UNKNOWNS] = {
        [0][MICROSLIP_OMEGA_0] = 1, [1][MICROSLIP_C] = 1, [2][MICROSLIP_CHI] = 1};
    for (size_t k = 0; k < LAW_FIT_UNKNOWNS; k++)
        by[3][k] = by_r[k];
    for (size_t j = 0; j < IWAN_COVARIANCES; j++)
        iwan->covariance[j] = (struct iwan_covariance){
            names[j], law_fit_covariance(fit, by[j], by[0]), law_fit_covariance(fit, by[j], by[1]),
            law_fit_covariance(fit, by[j], by[2]), law_fit_covariance(fit, by[j], by[3])};
    iwan->covariances = IWAN_COVARIANCES;
}

/* Of a joint that slips as a whole, all of it. r A^(chi+1) is free of the sensor's unit, and the clock makes
 * displacements of what the sensor saw. */
static void fill_macroslip(const struct seen_joint *seen, struct ring_down_iwan *iwan)
{
    static const char *const not_told =
        "not_told: the record does not tell the sliders that slip at phi_max from others";
    const struct mode_laws *laws = seen->laws;
    const struct law_fit *fit = laws->with_beta.verdict == VERDICT_OK ? &laws->with_beta : &laws->macroslip;
    const struct instrument *instrument = seen->instrument;
    const struct macroslip_figures figures = macroslip_figures_of(fit);
    /* Without sliders at phi_max it is largest. */
    const struct macroslip_figures least_beta =
        macroslip_figures_of(laws->without_beta.verdict == VERDICT_OK ? &laws->without_beta : &laws->macroslip);
    const struct estimate phi_most = estimate_combined(least_beta.phi_max, instrument, (double)seen->sensed, 1);
    const double sensed = (double)seen->sensed, n = fit->law.parameter[MACROSLIP_CHI] + 1;
    const struct estimate f_s = estimate_combined(figures.f_s, instrument, sensed - 2, 1);
    const struct estimate phi_max = estimate_combined(figures.phi_max, instrument, sensed, 1);
    const struct estimate k_t = estimate_combined(figures.k_t, instrument, -2, 0);
    const struct estimate k_inf = estimate_combined(figures.k_inf, instrument, -2, 0);
    const struct estimate beta = estimate_combined(figures.beta, instrument, 0, 0);
    const struct between any = {0, INFINITY}, far = {f_s.combined.low / k_t.combined.high, phi_most.combined.high};
    iwan->chi = parameter_of(fit, MACROSLIP_CHI, 0, instrument, 0);
    iwan->c = parameter_of(fit, MACROSLIP_C, 0, instrument, -1);
    iwan->r = estimate_combined(figures.r, instrument, -2 - n * sensed, -n);
    fill_covariance(fit, figures.by_r, iwan);
    iwan->f_s = known(&f_s);
    iwan->k_t = known(&k_t);
    iwan->k_inf = known(&k_inf);
    iwan->phi_max = laws->tells_beta ? known(&phi_max) : known_between(&far, not_told);
    iwan->beta = laws->tells_beta ? known(&beta) : known_between(&any, not_told);
}

static void fill_microslip(const struct seen_joint *seen, struct ring_down_iwan *iwan)
{
    static const char *const only = "microslip_only: the whole joint was not seen to slip";
    const struct mode_laws *laws = seen->laws;
    struct microslip_figures figures = microslip_figures_of(&laws->microslip);
    const struct between any = {0, INFINITY};
    microslip_figures_limit(&figures, laws->limit.verdict == VERDICT_OK ? &laws->limit : NULL,
                            laws->limit_of_phi.verdict == VERDICT_OK ? &laws->limit_of_phi : NULL);
    iwan->f_s = known_between(&figures.f_s, only);
    iwan->phi_max = known_between(&figures.phi_max, only);
    iwan->k_t = known_between(&figures.k_t, only);
    iwan->k_inf = known_between(&figures.k_inf, only);
    iwan->beta = known_between(&any, only);
}

/* Where the law holds, else that which the damping alone has. */
static void fill_density(const struct seen_joint *seen, struct ring_down_iwan *iwan)
{
    const struct mode_laws *laws = seen->laws;
    const struct instrument *instrument = seen->instrument;
    const bool free = laws->free.verdict == VERDICT_OK;
    const struct law_fit fit = laws->holds || !free ? laws->microslip : of_damping(&laws->free);
    const struct microslip_figures figures = microslip_figures_of(&fit);
    const double n = figures.chi.value + 1;
    if (free) {
        iwan->damping_exponent = parameter_of(&laws->free, MICROSLIP_CHI, 1, instrument, 0);
        iwan->stiffness_exponent = parameter_of(&laws->free, FREE_STIFFNESS_EXPONENT, 0, instrument, 0);
    }
    if (!laws->holds && !free)
        return;
    iwan->chi = estimate_combined(figures.chi, instrument, 0, 0);
    iwan->c = estimate_combined(figures.c, instrument, -1, 0);
    iwan->r = estimate_combined(figures.r, instrument, -2 - n * (double)seen->sensed, -n);
    /* omega_0 of the free law is not that of the mode. */
    if (laws->holds)
        fill_covariance(&fit, figures.by_r, iwan);
}

struct ring_down_iwan mode_iwan_of(const struct mode_laws *laws, const struct instrument *instrument,
                                   enum sensed sensed, const char *fails)
{
    const struct seen_joint seen = {laws, instrument, sensed};
    const struct estimate unknown = estimate_unknown();
    const struct bounded nothing = nothing_known(fails);
    struct ring_down_iwan iwan = {.there = true,
                                  .consistent = laws->holds,
                                  .chi = unknown,
                                  .c = unknown,
                                  .r = unknown,
                                  .damping_exponent = unknown,
                                  .stiffness_exponent = unknown,
                                  .f_s = nothing,
                                  .phi_max = nothing,
                                  .k_t = nothing,
                                  .k_inf = nothing,
                                  .beta = nothing};
    if (laws->slips && laws->holds)
        fill_macroslip(&seen, &iwan);
    else if (laws->joint && !laws->slips)
        fill_density(&seen, &iwan);
    if (!laws->slips && laws->holds)
        fill_microslip(&seen, &iwan);
    return iwan;
}
