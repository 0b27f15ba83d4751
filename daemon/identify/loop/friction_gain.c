/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_gain.h"

#include <math.h>

/* In likelihood, less the cost. What is left is all noise, of which there is so much more than it shows. */
static double gain_by(double samples, double before, double after, double floor, double unknowns, double widening)
{
    const double noise = widening * after;
    const double likelihood = isfinite(noise) ? friction_bic(samples, before - after + noise, floor, 0) -
                                                    friction_bic(samples, noise, floor, 0)
                                              : 0;
    const double cost = friction_bic(samples, before, floor, unknowns) - friction_bic(samples, before, floor, 0);
    return likelihood - cost;
}

/* Of the terms that one fit has and the other lacks. */
static double widening_of(const struct friction_weighing *weighing, const struct friction_fit *from,
                          const struct friction_fit *to, const struct friction_widening *known)
{
    struct friction_widening found;
    if (!known)
        friction_widen(weighing, to, &found);
    return friction_widening_beyond(known ? known : &found, to, from);
}

double friction_independent_samples(const struct friction_weighing *weighing)
{
    const struct friction_motion *motion = &weighing->climb->motions.all;
    const struct friction_misfit misfit = friction_misfit_of(motion, weighing->residuals, weighing->misfit);
    struct ar_model noise;
    if (!(misfit.ratio > misfit.expected))
        return INFINITY;
    friction_noise(weighing, &noise);
    return (double)motion->samples / friction_memory(weighing, &noise) / misfit.loops;
}

double friction_gain(const struct friction_weighing *weighing, const struct friction_fit *from,
                     const struct friction_fit *to, const struct friction_widening *widening)
{
    const struct friction_motion *motion = &weighing->climb->motions.all;
    const double samples = (double)motion->samples, unknowns = friction_unknowns(to) - friction_unknowns(from);
    struct ar_model noise;
    friction_residuals(motion, &to->point, weighing->residuals);
    friction_noise(weighing, &noise);
    const double after = friction_innovation(weighing, &noise);
    double independent = unknowns > 0 ? friction_independent_samples(weighing) : INFINITY;
    friction_residuals(motion, &from->point, weighing->residuals);
    const double before = friction_innovation(weighing, &noise);
    const double floor = friction_floor(samples, friction_share_whitened(&noise, to->squares / samples));
    const double gain = gain_by(samples, before, after, floor, unknowns, 1);
    if (!(gain > 0))
        return gain;
    if (!(unknowns > 0))
        independent = friction_independent_samples(weighing);
    if (isfinite(independent))
        return gain_by(independent, from->squares / samples, to->squares / samples, friction_floor(independent, 1),
                       unknowns, unknowns > 0 && widening ? friction_widening_beyond(widening, to, from) : 1);
    return unknowns > 0 ? gain_by(samples, before, after, floor, unknowns, widening_of(weighing, from, to, widening))
                        : gain;
}
