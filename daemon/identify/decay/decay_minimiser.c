/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Levenberg-Marquardt for a decay. No library's routine is used: the Jacobian is never formed, only
 * the sums of one pass over the samples, and near an exact record the search must know what rounding can do. */

#include "identify/decay/decay_minimiser.h"

#include "identify/decay/half_cycle_walk.h"

#include <math.h>
#include <string.h>

/* A step may turn the end of the record by no more than this, rad: farther the linear model means nothing. */
static const double largest_turn = 1.0;
/* In units of the half range: an rms change of the model that small is rounding. */
static const double rounding_change = 2e-15;
/* A residual that small comes from rounding alone; the sums then no longer tell better from worse. */
static const double exact_residual = 1e-12;
/* Below this the rounding of the samples themselves may be all that is left. */
static const double rounding_near = 1e-9;
/* The damping is relative to the diagonal of J'J. It starts at 0, a pure Gauss-Newton step; the first failure raises
 * it to first_damping, below ten times least_damping it falls back to 0, and past most_damping no step can help. */
static const double first_damping = 1e-4, least_damping = 1e-7, most_damping = 1e9;

static bool cancelled(const struct decay_minimiser *minimiser)
{
    return minimiser->cancel && atomic_load_explicit(minimiser->cancel, memory_order_relaxed);
}

/* Passes over the samples are the unit of effort: all else costs next to nothing. */
static void pass(struct decay_minimiser *minimiser, const double *parameters, struct normal_equations *normal)
{
    closed_form_normal_equations(minimiser->scaled, parameters, minimiser->first, minimiser->last, normal);
    minimiser->passes++;
    minimiser->passes_left--;
}

/* Shortens a step that would turn the phase too far or carry a parameter to a limit. The bounds are convex: still
 * inside. */
static void shorten(const struct decay_minimiser *minimiser, const double *parameters, double step[FIT_PARAMETERS])
{
    double span = scaled_time(minimiser->scaled, minimiser->last - 1) - parameters[FIT_T0];
    double turn = fabs(step[FIT_OMEGA_N]) * fmax(span, 1.0) + fabs(step[FIT_T0]) * parameters[FIT_OMEGA_N];
    double factor = turn > largest_turn ? largest_turn / turn : 1.0;
    /* What a parameter does not reach, such as zeta = 1, where a half cycle becomes infinitely long: at most half of
     * the way there in one step. */
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        double room = 0.5 * (decay_parameters[p].below - parameters[p]);
        if (step[p] * factor > room)
            factor = room / step[p];
    }
    for (int p = 0; p < FIT_PARAMETERS; p++)
        step[p] *= factor;
}

/* d'Nd: the squared length of a step as a change of the model. */
static double model_change(const struct normal_equations *normal, const double *step)
{
    double sum = 0.0;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++)
            sum += step[p] * normal->matrix[p][r] * step[r];
    return fmax(sum, 0.0);
}

/* Rounding must not carry a parameter across its bound. */
static void add_step(const double *parameters, const double *step, double moved[FIT_PARAMETERS])
{
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        moved[p] = parameters[p] + step[p];
        if (decay_parameters[p].not_negative)
            moved[p] = fmax(moved[p], 0.0);
        /* Half of the way to 1 again and again would round to 1, where nothing swings. */
        if (moved[p] > decay_parameters[p].below - 1e-12)
            moved[p] = decay_parameters[p].below - 1e-12;
    }
}

/* X_0 does not change sides: that decay is the same as another one that begins half a cycle away. */
static bool sensible(const double *parameters, const double *moved)
{
    return moved[FIT_OMEGA_N] > 0.0 && moved[FIT_OMEGA_N] < 2.0 * M_PI && parameters[FIT_X0] * moved[FIT_X0] > 0.0;
}

/* How far a search has come. */
struct descent {
    double damping;
    double last_change; /* squared model change of the last accepted step */
    bool arrived;
};

/* What the rounding of the residuals makes of the sum of squares: sums that differ by less are equal. */
static double sum_rounding(const struct normal_equations *normal)
{
    double sum = normal->sum_of_squares;
    return 1e-10 * sum + 2.0 * rounding_change * sqrt((double)normal->samples * sum);
}

/* True when a step is so short that taking it ends the search: short in standard errors, or mere rounding, or, where
 * the sum of squares no longer tells better from worse, no shorter than the one before. A damped step is short for
 * another reason, unless rounding is what called for the damping: where two in a row change less than the sum of
 * squares can tell, no third will. */
static bool final_step(const struct normal_equations *normal, const struct descent *descent, double change,
                       double tolerance)
{
    double freedom = normal->samples > FIT_PARAMETERS ? (double)normal->samples - FIT_PARAMETERS : 1.0;
    double variance = normal->sum_of_squares / freedom;
    bool exact = variance < exact_residual * exact_residual;
    bool below_sum = change < sum_rounding(normal) || exact;
    bool below_before = descent->last_change < sum_rounding(normal);
    if (descent->damping > first_damping && !exact)
        return below_sum && below_before && change > 0.25 * descent->last_change;
    if (change <= tolerance * tolerance * variance)
        return true;
    if (change <= rounding_change * rounding_change * (double)normal->samples)
        return true;
    return below_sum && change > 0.25 * descent->last_change;
}

/* True when nothing can be learnt from a pass after the step: it is short itself, or steps shrink so fast that the next
 * one would be far shorter than asked for. Not where rounding is near: there the sums must be seen. */
static bool known_beforehand(const struct normal_equations *normal, const struct descent *descent, const double *step,
                             double change, double tolerance)
{
    double freedom = normal->samples > FIT_PARAMETERS ? (double)normal->samples - FIT_PARAMETERS : 1.0;
    double left = normal->sum_of_squares; /* after the step: what it explains is no noise */
    for (int p = 0; p < FIT_PARAMETERS; p++)
        left -= normal->gradient[p] * step[p];
    if (descent->damping > 0.0 || left < freedom * rounding_near * rounding_near)
        return false;
    double enough = tolerance * tolerance * left / freedom;
    /* Squares: a fifth of the step before at most, and the next one shorter than asked for. */
    double shrinking = isfinite(descent->last_change) ? change / descent->last_change : 1.0;
    return change <= enough || (shrinking < 0.04 && change * shrinking <= enough);
}

/* The sums after a step that is too short for a pass, from the quadratic model. */
static void foresee(struct normal_equations *normal, const double *step)
{
    for (int p = 0; p < FIT_PARAMETERS; p++)
        normal->sum_of_squares -= normal->gradient[p] * step[p];
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++)
            normal->gradient[p] -= normal->matrix[p][r] * step[r];
    for (int p = 0; p < FIT_PARAMETERS; p++)
        normal->sum_of_squares -= normal->gradient[p] * step[p];
}

/* The damping of the step after one that was taken. A step that gained far less than it promised went beyond the
 * valley: without damping the next one would come back as far. */
static double damping_after(const struct normal_equations *before, const struct normal_equations *after,
                            const double *step, double damping)
{
    double promised = -model_change(before, step), gained = before->sum_of_squares - after->sum_of_squares;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        promised += 2.0 * before->gradient[p] * step[p];
    if (promised > 10.0 * sum_rounding(before) && gained < 0.25 * promised)
        return fmax(10.0 * damping, first_damping);
    return damping < 10.0 * least_damping ? 0.0 : 0.1 * damping;
}

/* Makes a pass where the step leads, and takes the step when the sum of squares falls. False when it does not. */
static bool try_step(struct decay_minimiser *minimiser, double tolerance, struct descent *descent, const double *step,
                     double parameters[FIT_PARAMETERS], struct normal_equations *normal)
{
    struct normal_equations there;
    double moved[FIT_PARAMETERS], change = model_change(normal, step);
    bool last = final_step(normal, descent, change, tolerance);
    add_step(parameters, step, moved);
    pass(minimiser, moved, &there);
    /* Near the optimum the sums differ by less than their rounding: the step is then trusted. */
    double slack = change < sum_rounding(normal) ? sum_rounding(normal) : 0.0;
    bool lower = there.sum_of_squares <= normal->sum_of_squares + slack;
    descent->arrived = last; /* higher, and short all the same: not even rounding can be gained */
    if (!lower)
        return last;
    memcpy(parameters, moved, sizeof moved);
    descent->damping = damping_after(normal, &there, step, descent->damping);
    /* The sums of this pass serve the next step, so that an accepted step costs one pass, not two. */
    *normal = there;
    descent->last_change = change;
    return true;
}

/* One trial: a damped step, taken when the sum of squares falls. False when the damping is exhausted. */
static bool descend(struct decay_minimiser *minimiser, double tolerance, struct descent *descent,
                    double parameters[FIT_PARAMETERS], struct normal_equations *normal)
{
    double step[FIT_PARAMETERS], moved[FIT_PARAMETERS];
    bool found = bounded_step(normal, parameters, &minimiser->free, descent->damping, step);
    if (found) {
        shorten(minimiser, parameters, step);
        add_step(parameters, step, moved);
        found = sensible(parameters, moved);
    }
    if (found && known_beforehand(normal, descent, step, model_change(normal, step), tolerance)) {
        memcpy(parameters, moved, sizeof moved);
        descent->last_change = model_change(normal, step);
        foresee(normal, step);
        descent->arrived = true;
        return true;
    }
    if (found && try_step(minimiser, tolerance, descent, step, parameters, normal))
        return true;
    descent->damping = descent->damping > 0.0 ? 10.0 * descent->damping : first_damping;
    return descent->damping < most_damping;
}

/* On any verdict the parameters are the best so far. */
enum verdict decay_minimise(struct decay_minimiser *minimiser, double tolerance, double parameters[FIT_PARAMETERS],
                            struct normal_equations *normal)
{
    struct descent descent = {.last_change = minimiser->last_change > 0.0 ? minimiser->last_change : INFINITY};
    pass(minimiser, parameters, normal);
    while (!descent.arrived) {
        if (cancelled(minimiser))
            return VERDICT_CANCELLED;
        if (minimiser->passes_left <= 0)
            return VERDICT_NOT_CONVERGED;
        if (!isfinite(normal->sum_of_squares))
            return VERDICT_UNDERDETERMINED;
        /* Where no damping helps, the point is as low as rounding lets it be. */
        if (!descend(minimiser, tolerance, &descent, parameters, normal))
            break;
        minimiser->last_change = isfinite(descent.last_change) ? descent.last_change : 0.0;
    }
    return VERDICT_OK;
}
