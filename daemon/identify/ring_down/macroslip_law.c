/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The slow flow of a mode whose joint slips as a whole above phi_max, from the closed forms of the modal Iwan model.
 * Lengths are in A_0, stiffnesses in omega_0^2. */

#include "identify/ring_down/macroslip_law.h"

#include "identify/ring_down/joint_rates.h"

#include <math.h>

/* Where the joint begins to slip as a whole the tangent stiffness jumps. A half cycle of a motion that loses a tenth of
 * its amplitude in it sees both sides: the jump is spread over so many nepers, and what is then still missing is a
 * matter of the exact motion. */
#define JUMP_WIDTH 0.1
/* For derivatives by differences. */
#define DIFFERENCE 1e-4

static bool is_possible(const double *p)
{
    const double chi = p[MACROSLIP_CHI], g = (chi + 1) / (chi + 2);
    return chi > -0.99 && chi < 20 && p[MACROSLIP_LOG_SHARE] < 0 && fabs(p[MACROSLIP_LOG_PHI]) < 10 &&
           p[MACROSLIP_BETA] > -0.5 * g;
}

static struct modal_iwan scaled(const double *p)
{
    const double beta = p[MACROSLIP_BETA];
    const double share = exp(p[MACROSLIP_LOG_SHARE]), phi = exp(p[MACROSLIP_LOG_PHI]), chi = p[MACROSLIP_CHI];
    const double g = (chi + 1) / (chi + 2);
    return (struct modal_iwan){
        .k_t = share,
        .k_inf = 1 - share,
        .f_s = share * phi * (beta + g) / (1 + beta),
        .phi_max = phi,
        .chi = chi,
        .beta = beta,
        .r = share * (chi + 1) / (pow(phi, chi + 1) * (1 + beta)),
    };
}

static struct joint_part part_of(const double *p, double x)
{
    const struct modal_iwan joint = scaled(p);
    const double a = exp(x), jump = joint.k_t * joint.beta / (1 + joint.beta);
    const double below = 0.5 * (1 + tanh((p[MACROSLIP_LOG_PHI] - x) / JUMP_WIDTH));
    return (struct joint_part){modal_iwan_dissipation(&joint, a, 0) / (2 * M_PI * a * a),
                               modal_iwan_fundamental(&joint, a),
                               modal_iwan_tangent(&joint, a) + jump * (below - (a < joint.phi_max ? 1 : 0))};
}

static struct joint_part slope(const struct joint_part *above, const struct joint_part *below)
{
    return (struct joint_part){(above->zeta - below->zeta) / (2 * DIFFERENCE),
                               (above->fundamental - below->fundamental) / (2 * DIFFERENCE),
                               (above->tangent - below->tangent) / (2 * DIFFERENCE)};
}

static bool macroslip_rates(const struct amplitude_law *law, double x, struct law_rates *rates)
{
    struct joint_direction directions[1 + MACROSLIP_PARAMETERS] = {{.omega_0 = 0}};
    double p[MACROSLIP_PARAMETERS];
    if (!is_possible(law->parameter))
        return false;
    for (int k = 0; k < MACROSLIP_PARAMETERS; k++)
        p[k] = law->parameter[k];
    const struct joint_part here = part_of(p, x), later = part_of(p, x + DIFFERENCE),
                            before = part_of(p, x - DIFFERENCE);
    directions[0].joint = slope(&later, &before);
    directions[1 + MACROSLIP_OMEGA_0].omega_0 = 1;
    directions[1 + MACROSLIP_C].c = 1;
    for (size_t k = MACROSLIP_LOG_SHARE; k < law->parameters; k++) {
        p[k] = law->parameter[k] + DIFFERENCE;
        const struct joint_part above = part_of(p, x);
        p[k] = law->parameter[k] - DIFFERENCE;
        const struct joint_part below = part_of(p, x);
        p[k] = law->parameter[k];
        directions[1 + k].joint = slope(&above, &below);
    }
    return joint_rates(law, &here, directions, rates);
}

static void prepare_nothing(struct amplitude_law *law)
{
    (void)law;
}

bool macroslip_law(double omega_0, double c, const struct modal_iwan *joint, double amplitude_0, double phi,
                   struct amplitude_law *law)
{
    const double k_t = joint->r * pow(phi * amplitude_0, joint->chi + 1) / (joint->chi + 1);
    *law = (struct amplitude_law){
        .parameters = MACROSLIP_BETA,
        .parameter = {[MACROSLIP_OMEGA_0] = omega_0,
                      [MACROSLIP_C] = c,
                      [MACROSLIP_LOG_SHARE] = log(k_t / (omega_0 * omega_0)),
                      [MACROSLIP_CHI] = joint->chi,
                      [MACROSLIP_LOG_PHI] = log(phi)},
        .prepare = prepare_nothing,
        .rates = macroslip_rates,
        .joint = macroslip_joint,
    };
    return is_possible(law->parameter);
}

/* What is fitted stands in front of what is given. */
enum { GIVEN_PHI_BETA = MACROSLIP_LOG_PHI, GIVEN_PHI_LOG_PHI = MACROSLIP_BETA };

static struct amplitude_law in_usual_order(const struct amplitude_law *law)
{
    struct amplitude_law usual = *law;
    usual.parameters = MACROSLIP_PARAMETERS;
    usual.parameter[MACROSLIP_LOG_PHI] = law->parameter[GIVEN_PHI_LOG_PHI];
    usual.parameter[MACROSLIP_BETA] = law->parameter[GIVEN_PHI_BETA];
    return usual;
}

static bool given_phi_rates(const struct amplitude_law *law, double x, struct law_rates *rates)
{
    const struct amplitude_law usual = in_usual_order(law);
    if (!macroslip_rates(&usual, x, rates))
        return false;
    rates->alpha_p[GIVEN_PHI_BETA] = rates->alpha_p[MACROSLIP_BETA];
    rates->omega_p[GIVEN_PHI_BETA] = rates->omega_p[MACROSLIP_BETA];
    return true;
}

static struct modal_iwan given_phi_joint(const struct amplitude_law *law, double amplitude_0)
{
    const struct amplitude_law usual = in_usual_order(law);
    return macroslip_joint(&usual, amplitude_0);
}

struct amplitude_law macroslip_from(const struct amplitude_law *law, double x)
{
    struct amplitude_law from = *law;
    from.parameter[MACROSLIP_LOG_PHI] -= x;
    return from;
}

/* Half of the room: a fit moves from there. */
double macroslip_room_for_beta(const struct amplitude_law *law, double beta)
{
    return fmin(beta, 0.5 * expm1(-law->parameter[MACROSLIP_LOG_SHARE]));
}

struct amplitude_law macroslip_with_beta(const struct amplitude_law *law, double beta)
{
    struct amplitude_law with = *law;
    with.parameters = MACROSLIP_PARAMETERS;
    with.parameter[MACROSLIP_LOG_SHARE] += log1p(beta);
    with.parameter[MACROSLIP_BETA] = beta;
    return with;
}

struct amplitude_law macroslip_given_phi(const struct amplitude_law *law, double beta)
{
    struct amplitude_law given = *law;
    given.parameters = GIVEN_PHI_BETA + 1;
    given.parameter[MACROSLIP_LOG_SHARE] += log1p(beta);
    given.parameter[GIVEN_PHI_LOG_PHI] = law->parameter[MACROSLIP_LOG_PHI];
    given.parameter[GIVEN_PHI_BETA] = beta;
    given.rates = given_phi_rates;
    given.joint = given_phi_joint;
    return given;
}

struct modal_iwan macroslip_joint(const struct amplitude_law *law, double amplitude_0)
{
    const double *p = law->parameter, square = p[MACROSLIP_OMEGA_0] * p[MACROSLIP_OMEGA_0];
    struct modal_iwan joint = scaled(p);
    joint.k_t *= square;
    joint.k_inf *= square;
    joint.f_s *= square * amplitude_0;
    joint.phi_max *= amplitude_0;
    joint.r *= square / pow(amplitude_0, joint.chi + 1);
    joint.c = p[MACROSLIP_C];
    return joint;
}
