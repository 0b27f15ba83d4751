/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The slow flow of a mode with a joint in microslip. */

#include "identify/ring_down/microslip_law.h"

#include "identify/ring_down/joint_rates.h"

#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>

/* No joint is known to be far above 0; behind this, gamma functions leave the doubles. */
#define CHI_MOST 20

/* Where the constants of a law stand. s = KAPPA zeta_j; the fundamental stiffness is omega_0^2 (1 - GAMMA s). */
enum { ZETA_J, KAPPA, KAPPA_CHI, GAMMA, GAMMA_CHI, SLOPE, SHARE };

static bool chi_is_possible(double chi)
{
    return chi > -1 && chi < CHI_MOST;
}

/* What a chi makes of s in the fundamental stiffness. */
static void set_gamma(double chi, double *constant)
{
    const double n = chi + 2;
    constant[GAMMA] = 4 / sqrt(M_PI) * exp(gsl_sf_lngamma(n + 0.5) - gsl_sf_lngamma(n + 1)) * n / (n + 1);
    constant[GAMMA_CHI] = constant[GAMMA] * (gsl_sf_psi(n + 0.5) - gsl_sf_psi(n + 1) + 1 / n - 1 / (n + 1));
}

static void prepare_microslip(struct amplitude_law *law)
{
    const double chi = law->parameter[MICROSLIP_CHI];
    double *constant = law->constant;
    if (!chi_is_possible(chi))
        return; /* The rates say so. */
    constant[ZETA_J] = exp(law->parameter[MICROSLIP_LOG_ZETA_J]);
    constant[KAPPA] = M_PI * (chi + 3) / (2 * (chi + 1));
    constant[KAPPA_CHI] = -M_PI / ((chi + 1) * (chi + 1));
    set_gamma(chi, constant);
}

/* A direction in which s changes so, and chi. */
static struct joint_part slipping(const struct amplitude_law *law, double s, double zeta_d, double s_d, double chi_d)
{
    const double *constant = law->constant, n = law->parameter[MICROSLIP_CHI] + 2;
    return (struct joint_part){zeta_d, -constant[GAMMA] * s_d - constant[GAMMA_CHI] * s * chi_d, -n * s_d - s * chi_d};
}

static bool microslip_rates(const struct amplitude_law *law, double x, struct law_rates *rates)
{
    const double chi = law->parameter[MICROSLIP_CHI], *constant = law->constant;
    if (!chi_is_possible(chi))
        return false;
    const double zeta = constant[ZETA_J] * exp((chi + 1) * x), s = constant[KAPPA] * zeta;
    const struct joint_part joint = {zeta, 1 - constant[GAMMA] * s, 1 - (chi + 2) * s};
    const struct joint_direction directions[1 + MICROSLIP_PARAMETERS] = {
        {.joint = slipping(law, s, (chi + 1) * zeta, (chi + 1) * s, 0)},
        {.omega_0 = 1},
        {.c = 1},
        {.joint = slipping(law, s, zeta, s, 0)},
        {.joint = slipping(law, s, x * zeta, x * s + constant[KAPPA_CHI] * zeta, 1)},
    };
    return joint_rates(law, &joint, directions, rates);
}

struct amplitude_law microslip_law(double omega_0, double c, double zeta_j, double chi)
{
    struct amplitude_law law = {.parameters = MICROSLIP_PARAMETERS,
                                .parameter = {omega_0, c, log(zeta_j), chi},
                                .prepare = prepare_microslip,
                                .rates = microslip_rates,
                                .joint = microslip_joint};
    law.prepare(&law);
    return law;
}

static void prepare_free(struct amplitude_law *law)
{
    law->constant[ZETA_J] = exp(law->parameter[MICROSLIP_LOG_ZETA_J]);
    law->constant[SLOPE] = exp(law->parameter[FREE_LOG_SLOPE]);
}

/* (1 - e^(qx))/q, and its derivative by q. */
static double fall(double q, double x, double *by_q)
{
    const double z = q * x;
    if (fabs(z) < 1e-4) {
        *by_q = -x * x * (0.5 + z / 3);
        return -x * (1 + z * (0.5 + z / 6));
    }
    *by_q = (expm1(z) - z * exp(z)) / (q * q);
    return -expm1(z) / q;
}

/* The stiffness is 1 at A_0, and its slope by x there -SLOPE, which stays known where the exponent nears 0 and with it
 * where small amplitudes would end. */
static bool free_rates(const struct amplitude_law *law, double x, struct law_rates *rates)
{
    const double p = law->parameter[MICROSLIP_CHI] + 1, q = law->parameter[FREE_STIFFNESS_EXPONENT];
    const double slope = law->constant[SLOPE], share = law->constant[SHARE];
    if (!chi_is_possible(p - 1) || fabs(q) > CHI_MOST)
        return false;
    double fall_q;
    const double zeta = law->constant[ZETA_J] * exp(p * x), rise = slope * fall(q, x, &fall_q);
    const double lean = slope * exp(q * x);
    const struct joint_part joint = {zeta, 1 + rise, 1 + rise - share * lean};
    const struct joint_direction directions[1 + FREE_PARAMETERS] = {
        {.joint = {p * zeta, -lean, -lean - share * q * lean}},
        {.omega_0 = 1},
        {.c = 1},
        {.joint.zeta = zeta},
        {.joint.zeta = x * zeta},
        {.joint = {0, rise, rise - share * lean}},
        {.joint = {0, slope * fall_q, slope * fall_q - share * x * lean}},
    };
    return joint_rates(law, &joint, directions, rates);
}

struct amplitude_law free_law(const struct amplitude_law *microslip)
{
    const double *of = microslip->parameter, s = microslip_softening(microslip);
    const double fundamental = 1 - microslip_lowering(microslip), exponent = of[MICROSLIP_CHI] + 1;
    const double slope = microslip_lowering(microslip) * exponent / fundamental;
    struct amplitude_law law = {.parameters = FREE_PARAMETERS,
                                .parameter = {[MICROSLIP_OMEGA_0] = of[MICROSLIP_OMEGA_0] * sqrt(fundamental),
                                              [MICROSLIP_C] = of[MICROSLIP_C],
                                              [MICROSLIP_LOG_ZETA_J] = of[MICROSLIP_LOG_ZETA_J] - log(fundamental),
                                              [MICROSLIP_CHI] = of[MICROSLIP_CHI],
                                              [FREE_LOG_SLOPE] = log(slope),
                                              [FREE_STIFFNESS_EXPONENT] = exponent},
                                .prepare = prepare_free,
                                .rates = free_rates};
    law.constant[SHARE] = (1 - (1 - (exponent + 1) * s) / fundamental) / slope;
    law.prepare(&law);
    return law;
}

static void prepare_nothing(struct amplitude_law *law)
{
    (void)law;
}

/* The exact motion: what loses energy turns a little more slowly than omega_0. */
static bool linear_rates(const struct amplitude_law *law, double x, struct law_rates *rates)
{
    const double omega_0 = law->parameter[MICROSLIP_OMEGA_0], alpha = 0.5 * law->parameter[MICROSLIP_C];
    (void)x;
    rates->omega = sqrt(omega_0 * omega_0 - alpha * alpha);
    rates->alpha = alpha;
    rates->alpha_x = rates->omega_x = 0;
    rates->alpha_p[MICROSLIP_OMEGA_0] = 0;
    rates->alpha_p[MICROSLIP_C] = 0.5;
    rates->omega_p[MICROSLIP_OMEGA_0] = omega_0 / rates->omega;
    rates->omega_p[MICROSLIP_C] = -0.5 * alpha / rates->omega;
    return alpha > 0 && omega_0 > alpha;
}

struct amplitude_law linear_law(double omega_0, double c)
{
    return (struct amplitude_law){
        .parameters = 2, .parameter = {omega_0, c}, .prepare = prepare_nothing, .rates = linear_rates};
}

struct amplitude_law microslip_from(const struct amplitude_law *law, double x)
{
    const double *p = law->parameter;
    if (law->parameters <= MICROSLIP_C + 1)
        return *law; /* It is the same at all amplitudes. */
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
