/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The slow flow of a mode with a joint in microslip. The stiffness that turns loss into decay is the tangent one: a
 * half cycle from q to -q' loses half of D at m = (q + q')/2, and K_tangent(m) m (q - q') is that energy. */

#include "identify/ring_down/microslip_law.h"

#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>

/* No joint is known to be far above 0; behind this, gamma functions leave the doubles. */
#define CHI_MOST 20

/* Where the constants of a law stand. s = KAPPA zeta_j; the fundamental stiffness is omega_0^2 (1 - GAMMA s). */
enum { ZETA_J, KAPPA, KAPPA_CHI, GAMMA, GAMMA_CHI };

static void prepare_microslip(struct amplitude_law *law)
{
    const double chi = law->parameter[MICROSLIP_CHI], n = chi + 2;
    double *constant = law->constant;
    if (!(chi > -1 && chi < CHI_MOST))
        return; /* The rates say so. */
    constant[ZETA_J] = exp(law->parameter[MICROSLIP_LOG_ZETA_J]);
    constant[KAPPA] = M_PI * (chi + 3) / (2 * (chi + 1));
    constant[KAPPA_CHI] = -M_PI / ((chi + 1) * (chi + 1));
    constant[GAMMA] = 4 / sqrt(M_PI) * exp(gsl_sf_lngamma(n + 0.5) - gsl_sf_lngamma(n + 1)) * n / (n + 1);
    constant[GAMMA_CHI] = constant[GAMMA] * (gsl_sf_psi(n + 0.5) - gsl_sf_psi(n + 1) + 1 / n - 1 / (n + 1));
}

/* One direction: how the rates change with the joint's zeta, its chi beside that, omega_0 and c. */
struct direction {
    double zeta, chi, omega_0, c;
};

static bool microslip_rates(const struct amplitude_law *law, double x, struct law_rates *rates)
{
    const double omega_0 = law->parameter[MICROSLIP_OMEGA_0], c = law->parameter[MICROSLIP_C];
    const double chi = law->parameter[MICROSLIP_CHI], *constant = law->constant;
    const double zeta = constant[ZETA_J] * exp((chi + 1) * x), s = constant[KAPPA] * zeta, n = chi + 2;
    const double w = sqrt(1 - constant[GAMMA] * s), tangent = 1 - n * s;
    const struct direction directions[1 + MICROSLIP_PARAMETERS] = {
        {.zeta = (chi + 1) * zeta}, {.omega_0 = 1}, {.c = 1}, {.zeta = zeta}, {.zeta = x * zeta, .chi = 1},
    };
    double alpha_d[1 + MICROSLIP_PARAMETERS], omega_d[1 + MICROSLIP_PARAMETERS];
    if (!(tangent > 0.01) || !(chi > -1 && chi < CHI_MOST) || !(omega_0 > 0))
        return false;
    rates->omega = omega_0 * w;
    rates->alpha = (zeta * omega_0 * w + 0.5 * c * w * w) / tangent;
    for (size_t d = 0; d < 1 + MICROSLIP_PARAMETERS; d++) {
        const struct direction *by = &directions[d];
        const double s_d = constant[KAPPA] * by->zeta + constant[KAPPA_CHI] * zeta * by->chi;
        const double w_d = -(constant[GAMMA] * s_d + constant[GAMMA_CHI] * s * by->chi) / (2 * w);
        const double tangent_d = -n * s_d - s * by->chi;
        const double loss_d =
            (by->zeta * omega_0 + zeta * by->omega_0) * w + 0.5 * by->c * w * w + (zeta * omega_0 + c * w) * w_d;
        omega_d[d] = by->omega_0 * w + omega_0 * w_d;
        alpha_d[d] = (loss_d - rates->alpha * tangent_d) / tangent;
    }
    rates->alpha_x = alpha_d[0];
    rates->omega_x = omega_d[0];
    for (size_t p = 0; p < MICROSLIP_PARAMETERS; p++) {
        rates->alpha_p[p] = alpha_d[1 + p];
        rates->omega_p[p] = omega_d[1 + p];
    }
    return rates->alpha > 0;
}

struct amplitude_law microslip_law(double omega_0, double c, double zeta_j, double chi)
{
    struct amplitude_law law = {.parameters = MICROSLIP_PARAMETERS,
                                .parameter = {omega_0, c, log(zeta_j), chi},
                                .prepare = prepare_microslip,
                                .rates = microslip_rates};
    law.prepare(&law);
    return law;
}

static void prepare_nothing(struct amplitude_law *law)
{
    (void)law;
}

static bool linear_rates(const struct amplitude_law *law, double x, struct law_rates *rates)
{
    (void)x;
    rates->omega = law->parameter[MICROSLIP_OMEGA_0];
    rates->alpha = 0.5 * law->parameter[MICROSLIP_C];
    rates->alpha_x = rates->omega_x = 0;
    rates->alpha_p[MICROSLIP_OMEGA_0] = rates->omega_p[MICROSLIP_C] = 0;
    rates->omega_p[MICROSLIP_OMEGA_0] = 1;
    rates->alpha_p[MICROSLIP_C] = 0.5;
    return rates->alpha > 0 && rates->omega > 0;
}

struct amplitude_law linear_law(double omega_0, double c)
{
    return (struct amplitude_law){
        .parameters = 2, .parameter = {omega_0, c}, .prepare = prepare_nothing, .rates = linear_rates};
}

struct amplitude_law microslip_from(const struct amplitude_law *law, double x)
{
    const double *p = law->parameter;
    const double zeta_j = exp(p[MICROSLIP_LOG_ZETA_J] + (p[MICROSLIP_CHI] + 1) * x);
    return microslip_law(p[MICROSLIP_OMEGA_0], p[MICROSLIP_C], zeta_j, p[MICROSLIP_CHI]);
}

double microslip_softening(const struct amplitude_law *law)
{
    return law->constant[KAPPA] * law->constant[ZETA_J];
}

double microslip_lowering(const struct amplitude_law *law)
{
    return law->constant[GAMMA] * microslip_softening(law);
}

struct modal_iwan microslip_joint(const struct amplitude_law *law, double amplitude_0)
{
    const double omega_0 = law->parameter[MICROSLIP_OMEGA_0], chi = law->parameter[MICROSLIP_CHI];
    const double square = omega_0 * omega_0;
    return (struct modal_iwan){
        .k_t = square,
        .f_s = INFINITY,
        .phi_max = INFINITY,
        .chi = chi,
        .r = microslip_softening(law) * (chi + 1) * (chi + 2) * square / pow(amplitude_0, chi + 1),
        .c = law->parameter[MICROSLIP_C],
    };
}
