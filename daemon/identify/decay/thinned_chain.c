/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Conversion of what the methods find in a chain that holds every s-th extremum into figures of the decay. The decay's
 * beta is that of the chain divided by s, and its x_k follows from the sum in extrema_chain.h. A chain is thinned only
 * where there are thousands of half cycles, each of which loses little. There the standard errors change by the same
 * factor as the values. */

#include "identify/decay/extrema_chain.h"

#include "motion/half_cycle_law.h"

#include <math.h>

static double zeta_of_half_cycle(size_t stride, double zeta)
{
    return law_zeta(law_beta(zeta) / (double)stride);
}

/* The ratio of the decay's x_k to that of the chain, for a beta of the chain. */
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

static void zeta_estimate_of_half_cycle(size_t stride, struct estimate *zeta)
{
    const double before = zeta->value, after = zeta_of_half_cycle(stride, before);
    zeta->se *= fabs(before) > 0 ? after / before : 1 / (double)stride;
    zeta->low = zeta_of_half_cycle(stride, zeta->low);
    zeta->high = zeta_of_half_cycle(stride, zeta->high);
    zeta->value = after;
}

void extrema_fit_of_decay(size_t stride, struct extrema_fit *fit)
{
    if (stride == 1)
        return;
    const double beta = law_beta(fit->estimate[FIT_ZETA].value), own = beta / (double)stride;
    const double frequency_factor = (double)stride * sqrt((1 + own * own) / (1 + beta * beta));
    scale(friction_factor(stride, beta), &fit->estimate[FIT_X_K]);
    zeta_estimate_of_half_cycle(stride, &fit->estimate[FIT_ZETA]);
    scale(frequency_factor, &fit->estimate[FIT_OMEGA_N]);
    scale(frequency_factor, &fit->f_n_hz);
}

static void local_of_decay(size_t stride, struct decrement_local *local)
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
        local_of_decay(stride, &decrement->local[n]);
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
    zeta_estimate_of_half_cycle(stride, &result->zeta);
}

/* The loss of one step of the chain is the sum of those of its half cycles. The relative change of the frequency is the
 * same in both. */
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
