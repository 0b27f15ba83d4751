/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the methods say of a chain that holds every s-th extremum, told of the decay: beta is a s-th of the chain's, and
 * x_k follows from the chain's by the sum that extrema_chain.h gives. A chain is thinned only where thousands of half
 * cycles take little each, so that the errors of the two answers are to each other as the answers are. */

#include "identify/decay/extrema_chain.h"

#include "motion/half_cycle_law.h"

#include <math.h>

static double told_zeta(size_t stride, double zeta)
{
    return law_zeta(law_beta(zeta) / (double)stride);
}

/* By what the friction is less than the chain's, for a beta of the chain. */
static double friction_factor(size_t stride, double beta)
{
    const double own = beta / (double)stride * M_PI / 2;
    return fabs(own) > 1e-9 ? tanh(own) / tanh((double)stride * own) : 1 / (double)stride;
}

static void scale(double factor, struct estimate *estimate)
{
    estimate->value *= factor;
    estimate->se *= factor;
    estimate->low *= factor;
    estimate->high *= factor;
}

static void tell_zeta(size_t stride, struct estimate *zeta)
{
    const double before = zeta->value, after = told_zeta(stride, before);
    zeta->se *= fabs(before) > 0 ? after / before : 1 / (double)stride;
    zeta->low = told_zeta(stride, zeta->low);
    zeta->high = told_zeta(stride, zeta->high);
    zeta->value = after;
}

void extrema_fit_of_decay(size_t stride, struct extrema_fit *fit)
{
    if (stride == 1)
        return;
    const double beta = law_beta(fit->estimate[FIT_ZETA].value), own = beta / (double)stride;
    const double faster = (double)stride * sqrt((1 + own * own) / (1 + beta * beta));
    scale(friction_factor(stride, beta), &fit->estimate[FIT_X_K]);
    tell_zeta(stride, &fit->estimate[FIT_ZETA]);
    scale(faster, &fit->estimate[FIT_OMEGA_N]);
    scale(faster, &fit->f_n_hz);
}

static void tell_local(size_t stride, struct decrement_local *local)
{
    local->i *= stride;
    local->x_k *= friction_factor(stride, local->beta);
    local->beta /= (double)stride;
    local->zeta = law_zeta(local->beta);
}

void decrement_of_decay(size_t stride, struct decrement *decrement)
{
    if (stride == 1)
        return;
    const double s = (double)stride, friction = friction_factor(stride, decrement->beta);
    for (size_t n = 0; n < decrement->local_count; n++)
        tell_local(stride, &decrement->local[n]);
    decrement_spreads(decrement);
    decrement->i *= stride;
    decrement->j *= stride;
    decrement->m *= stride;
    decrement->beta /= s;
    decrement->zeta_m = law_zeta(decrement->beta);
    decrement->bound_beta /= s;
    decrement->x_k_m *= friction;
    decrement->bound_x_k *= friction;
    decrement->bound_gamma *= friction;
}

void jacobsen_ayre_of_decay(size_t stride, struct jacobsen_ayre *result)
{
    if (stride == 1)
        return;
    scale(friction_factor(stride, law_beta(result->zeta.value)), &result->x_k);
    tell_zeta(stride, &result->zeta);
}

/* The loss of a chain's step is that of its half cycles; the frequency changes by the same part of itself. */
void drifts_of_decay(size_t stride, struct drifts *drifts)
{
    struct drift *damping = &drifts->damping;
    const double part = 1 / (double)stride;
    scale(part, &damping->size);
    damping->relative *= part;
    damping->shift[FIT_ZETA] *= part;
    damping->shift[FIT_X_K] *= part;
    drifts->frequency.shift[FIT_OMEGA_N] *= (double)stride;
}
