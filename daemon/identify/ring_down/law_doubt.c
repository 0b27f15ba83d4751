/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/law_doubt.h"

#include <math.h>

/* In the half cycle around phi_max a joint slips only in part. */
#define SLIPS_FROM 0.8
/* Twice the logarithm of how much likelier a record is with a joint that stands out by its standard error. */
#define STANDS_OUT 1.0

/* Logarithms of what a curve has at an amplitude. */
struct figures {
    double omega, zeta, loss;
};

/* By the closed forms of a joint. */
static struct figures joint_figures(const struct modal_iwan *joint, double amplitude)
{
    const double omega = sqrt(modal_iwan_fundamental(joint, amplitude));
    const double loss = modal_iwan_dissipation(joint, amplitude, omega);
    const double zeta = loss / (2 * M_PI * modal_iwan_tangent(joint, amplitude) * amplitude * amplitude);
    return (struct figures){log(omega), log(zeta), log(loss)};
}

/* By the slow flow of the law that was fitted. */
static bool law_figures(const struct amplitude_law *law, double size, double amplitude, struct figures *figures)
{
    const struct modal_iwan joint = law->joint(law, size);
    struct law_rates rates;
    if (!law->rates(law, log(amplitude / size), &rates))
        return false;
    const double loss = modal_iwan_dissipation(&joint, amplitude, rates.omega);
    *figures = (struct figures){log(rates.omega), log(rates.alpha / rates.omega), log(loss)};
    return true;
}

static double farther(double most, double from, double to)
{
    return isfinite(to) ? fmax(most, fabs(to - from)) : most;
}

/* The larger of both distances, where the other law is there and slips, from the law that was fitted. */
static void widen(const struct law_fit *other, double amplitude, const struct figures *own, struct figures *apart)
{
    if (other->verdict != VERDICT_OK)
        return;
    const struct modal_iwan joint = other->law.joint(&other->law, cabs(other->amplitude));
    if (amplitude < SLIPS_FROM * joint.phi_max)
        return;
    const struct figures figures = joint_figures(&joint, amplitude);
    apart->omega = farther(apart->omega, own->omega, figures.omega);
    apart->zeta = farther(apart->zeta, own->zeta, figures.zeta);
    apart->loss = farther(apart->loss, own->loss, figures.loss);
}

/* What of a distance is beyond one that is known. */
static double beyond(double apart, double known)
{
    return sqrt(fmax(apart * apart - known * known, 0));
}

/* The errors of the law in microslip have its distance from what the joint that may slip does below phi_max. */
static void leave_admitted(const struct mode_laws *laws, double amplitude, const struct figures *own,
                           struct figures *apart)
{
    struct figures below;
    if (laws->slips || laws->admitted_size <= 0 ||
        !law_figures(&laws->admitted, laws->admitted_size, amplitude, &below))
        return;
    apart->omega = beyond(apart->omega, below.omega - own->omega);
    apart->zeta = beyond(apart->zeta, below.zeta - own->zeta);
    apart->loss = beyond(apart->loss, below.loss - own->loss);
}

/* The other law is that of the likeliest sliders for its phi_max; what the record allows reaches twice as far, so that
 * the distance is one standard error. */
static void add_to_point(const struct figures *apart, struct backbone_point *point)
{
    point->se_omega = hypot(point->se_omega, apart->omega * point->omega);
    point->se_zeta = hypot(point->se_zeta, apart->zeta * point->zeta);
    point->se_dissipation = hypot(point->se_dissipation, apart->loss * point->dissipation);
    point->se_stiffness = hypot(point->se_stiffness, 2 * apart->omega * point->stiffness);
}

/* What nothing speaks for and nothing excludes is beside the errors: in them it would hide what the record knows of a
 * joint in microslip. apart: the largest distance at smaller amplitudes, for where the curves of two laws cross is not
 * known better than beside it. */
static void tell_possible_slip(const struct mode_laws *laws, const struct figures *own, struct figures *apart,
                               struct backbone_point *point)
{
    const struct law_fit *const possible[] = {&laws->macroslip, &laws->with_beta, &laws->limit, &laws->limit_of_phi};
    for (size_t k = 0; k < sizeof possible / sizeof possible[0]; k++)
        widen(possible[k], point->amplitude, own, apart);
    point->slip_omega = apart->omega * point->omega;
    point->slip_zeta = apart->zeta * point->zeta;
    point->slip_dissipation = apart->loss * point->dissipation;
}

void law_doubt_add(const struct mode_laws *laws, bool by_law, struct backbone_point *points, size_t count)
{
    const struct law_fit *fit = laws->slips ? &laws->macroslip : &laws->microslip;
    if (!laws->slips && !laws->joint)
        return;
    struct figures possible = {0, 0, 0};
    for (size_t i = count; i-- > 0;) {
        struct figures own, apart = {0, 0, 0};
        if (!law_figures(&fit->law, cabs(fit->amplitude), points[i].amplitude, &own))
            continue;
        if (laws->slips || laws->admitted_size > 0)
            widen(&laws->macroslip, points[i].amplitude, &own, &apart);
        if (by_law)
            leave_admitted(laws, points[i].amplitude, &own, &apart);
        add_to_point(&apart, &points[i]);
        if (!laws->slips)
            tell_possible_slip(laws, &own, &possible, &points[i]);
    }
}

static bool joint_is_likelier(const struct mode_laws *laws)
{
    const struct law_fit *linear = &laws->linear, *joint = &laws->microslip;
    return joint->verdict == VERDICT_OK && (linear->squares / joint->squares - 1) * joint->freedom > STANDS_OUT;
}

/* How far that joint's damping and frequency are from those of the linear law. Where the exact motion is part of its
 * fit its frequency is not the damped one. */
static void add_joint(const struct mode_laws *laws, struct backbone_point *point)
{
    const struct law_fit *joint = &laws->microslip;
    const double natural = laws->linear.law.parameter[MICROSLIP_OMEGA_0];
    struct law_rates rates;
    if (!joint->law.rates(&joint->law, log(point->amplitude / cabs(joint->amplitude)), &rates))
        return;
    point->se_omega = hypot(point->se_omega, rates.omega - (joint->corrections > 0 ? natural : point->omega));
    point->se_zeta = hypot(point->se_zeta, rates.alpha / rates.omega - point->zeta);
}

void law_doubt_of_linear(const struct mode_laws *laws, const struct backbone_point *backbone, size_t points,
                         struct backbone_point *law, size_t count)
{
    const bool likelier = joint_is_likelier(laws);
    for (size_t i = 0; i < count; i++) {
        struct backbone_point *point = &law[i];
        const struct backbone_point at = backbone_curve_at(backbone, points, point->amplitude);
        point->se_omega = hypot(at.se_omega, at.omega - point->omega);
        point->se_zeta = hypot(at.se_zeta, at.zeta - point->zeta);
        if (likelier)
            add_joint(laws, point);
        /* The loss and the stiffness go with the damping and the square of the frequency. */
        point->se_dissipation = point->dissipation * point->se_zeta / point->zeta;
        point->se_stiffness = 2 * point->stiffness * point->se_omega / point->omega;
    }
}
