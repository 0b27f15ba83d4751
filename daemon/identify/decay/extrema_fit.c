/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The extrema-only fit. For a given beta the extrema are linear in X_0, x_k and the bias, so only beta is searched:
 * on a grid, then by Gauss-Newton. Apart from the full-record fit because it never looks at the phase: a frequency
 * that drifts does it no harm. */

#include "identify/decay/extrema_fit.h"

#include "identify/common/small_least_squares.h"
#include "identify/common/student.h"
#include "motion/half_cycle_law.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* Unknowns of the amplitude model, in the order of the columns below. */
enum { AMPLITUDE, COULOMB, BIAS, BETA, UNKNOWNS };

/* The search for beta; beyond 4 (zeta 0.97) there is hardly a second extremum. */
static const double BETA_MIN = 1e-4, BETA_MAX = 4.0;
static const size_t GRID = 24;
static const int POLISH_LIMIT = 200;

/* The extrema as numbers around 1, so that units do not matter. */
struct problem {
    size_t count;
    double centre, scale;        /* of the heights, displacement unit */
    double side;                 /* +1 when the record starts at a crest */
    double *y;                   /* scaled heights, times weight */
    double *weight;              /* square roots of the weights, the largest is 1 */
    double (*columns)[UNKNOWNS]; /* derivatives of the heights with respect to the unknowns, times weight */
    double se;                   /* what an extremum of weight 1 is uncertain by, scaled; NAN: not known */
};

/* A point of the search, scaled like the problem. */
struct solution {
    double p[UNKNOWNS];
    bool held[UNKNOWNS]; /* at its bound */
    double cost;         /* weighted sum of squares */
};

/* SHK Eq. 4, solved for its dependence on X_0, x_k and the bias. The sums run by recursion, so that nothing cancels as
 * beta goes to 0. */
static void fill_columns(const struct problem *problem, const double p[UNKNOWNS])
{
    const double q = law_q(p[BETA]), dq = -M_PI * q;
    double power = 1, dpower = 0; /* q^j and its derivative with respect to beta */
    double sum = 0, dsum = 0;     /* 1 + q + … + q^(j-1), likewise */
    double sign = problem->side;
    for (size_t j = 0; j < problem->count; j++) {
        const double w = problem->weight[j] * sign;
        double *column = problem->columns[j];
        /* |X_j| = X_0 q^j - x_k (1 + q)(1 + q + … + q^(j-1)), with alternating sign: Eq. 4 unrolled. */
        column[AMPLITUDE] = w * power;
        column[COULOMB] = -w * (1 + q) * sum;
        column[BIAS] = problem->weight[j];
        column[BETA] = w * (p[AMPLITUDE] * dpower - p[COULOMB] * (dq * sum + (1 + q) * dsum));
        sum += power;
        dsum += dpower;
        dpower = dpower * q + power * dq;
        power *= q;
        sign = -sign;
    }
}

static double residual(const struct problem *problem, size_t j, const double p[UNKNOWNS])
{
    const double *column = problem->columns[j];
    return problem->y[j] - column[AMPLITUDE] * p[AMPLITUDE] - column[COULOMB] * p[COULOMB] - column[BIAS] * p[BIAS];
}

/* Solves for the unknowns that are not held, as steps from p; the columns belong to p. Held unknowns get step 0 and
 * zeros in the inverse. */
static bool solve_step(const struct problem *problem, const double p[UNKNOWNS], const bool held[UNKNOWNS],
                       double step[UNKNOWNS], double inverse[UNKNOWNS][UNKNOWNS])
{
    struct small_least_squares equations = {0};
    size_t chosen[UNKNOWNS] = {0};
    for (size_t u = 0; u < UNKNOWNS; u++)
        if (!held[u])
            chosen[equations.unknowns++] = u;
    for (size_t j = 0; j < problem->count; j++) {
        double row[UNKNOWNS] = {0};
        for (size_t u = 0; u < equations.unknowns; u++)
            row[u] = problem->columns[j][chosen[u]];
        small_least_squares_add(&equations, row, residual(problem, j, p));
    }
    double x[SMALL_MAX] = {0}, part[SMALL_MAX][SMALL_MAX] = {{0}};
    if (!small_least_squares_solve(&equations, x, inverse ? part : NULL))
        return false;
    for (size_t u = 0; u < UNKNOWNS; u++) {
        step[u] = 0;
        for (size_t v = 0; inverse && v < UNKNOWNS; v++)
            inverse[u][v] = 0;
    }
    for (size_t u = 0; u < equations.unknowns; u++) {
        step[chosen[u]] = x[u];
        for (size_t v = 0; inverse && v < equations.unknowns; v++)
            inverse[chosen[u]][chosen[v]] = part[u][v];
    }
    return true;
}

/* The best amplitude, x_k >= 0 and bias for a given beta: linear (variable projection). Solved twice, the second pass
 * removes the rounding of the first. */
static bool project_with(const struct problem *problem, int passes, struct solution *solution)
{
    solution->held[BETA] = true;
    for (int pass = 0; pass < passes; pass++) {
        double step[UNKNOWNS] = {0};
        if (!solve_step(problem, solution->p, solution->held, step, NULL))
            return false;
        for (size_t u = 0; u < UNKNOWNS; u++)
            solution->p[u] += step[u];
    }
    solution->held[BETA] = solution->p[BETA] <= 0;
    return true;
}

static bool project(const struct problem *problem, double beta, int passes, struct solution *solution)
{
    *solution = (struct solution){.p = {[BETA] = beta}, .cost = INFINITY};
    fill_columns(problem, solution->p);
    bool solved = project_with(problem, passes, solution);
    /* Below its bound x_k is held at 0 and the others are found anew: the reduced model's own optimum. */
    if (!solved || solution->p[COULOMB] <= 0) {
        *solution = (struct solution){.p = {[BETA] = beta}, .held = {[COULOMB] = true}, .cost = INFINITY};
        solved = project_with(problem, passes, solution);
    }
    if (!solved)
        return false;
    solution->cost = 0;
    for (size_t j = 0; j < problem->count; j++) {
        double r = residual(problem, j, solution->p);
        solution->cost += r * r;
    }
    return isfinite(solution->cost);
}

/* The best of beta = 0 and a grid that is even in log beta, well enough to go on from there. */
static bool search(const struct problem *problem, struct solution *best)
{
    bool any = project(problem, 0, 1, best);
    const double ratio = pow(BETA_MAX / BETA_MIN, 1.0 / (double)(GRID - 1));
    double beta = BETA_MIN;
    for (size_t n = 0; n < GRID; n++, beta *= ratio) {
        struct solution candidate;
        if (project(problem, beta, 1, &candidate) && (!any || candidate.cost < best->cost)) {
            *best = candidate;
            any = true;
        }
    }
    return any;
}

/* One Gauss-Newton step in beta, shortened until the cost does not rise. Returns whether there is more to gain. */
static bool improve(const struct problem *problem, struct solution *solution)
{
    double step[UNKNOWNS] = {0};
    bool held[UNKNOWNS] = {[COULOMB] = solution->held[COULOMB]};
    fill_columns(problem, solution->p);
    if (!solve_step(problem, solution->p, held, step, NULL))
        return false;
    double shift = step[BETA];
    for (int halving = 0; halving < 40; halving++, shift /= 2) {
        const double beta = fmin(fmax(solution->p[BETA] + shift, 0), BETA_MAX);
        struct solution candidate;
        /* The slack of 1e-13 is rounding of the cost, which at the optimum must not decide. */
        if (!project(problem, beta, 2, &candidate) || candidate.cost > solution->cost * (1 + 1e-13))
            continue;
        const double moved = fabs(candidate.p[BETA] - solution->p[BETA]);
        *solution = candidate;
        return moved > 1e-15 + 1e-14 * beta;
    }
    return false;
}

/* How uncertain an extremum of weight 1 is, and how well that is known. */
struct scatter {
    double sd;
    double freedom; /* of Student's quantiles; INFINITY when the sd was known beforehand */
};

/* The scatter about the model decides; with few degrees of freedom the extrema's own uncertainties keep it from being
 * too small by chance. */
static struct scatter scatter_of(double cost, size_t count, size_t unknowns, double se)
{
    const double prior = isfinite(se) ? se * se : 0;
    if (count <= unknowns)
        return (struct scatter){prior > 0 ? sqrt(prior) : NAN, INFINITY};
    const double freedom = (double)(count - unknowns), observed = cost / freedom;
    return (struct scatter){sqrt(fmax(observed, prior)), observed > prior ? freedom : INFINITY};
}

static double quantile(const struct scatter *scatter, double level)
{
    return isinf(scatter->freedom) ? gsl_cdf_ugaussian_Pinv(level) : gsl_cdf_tdist_Pinv(level, scatter->freedom);
}

/* beyond: from the value to the optimum without bounds, about which the interval lies; it is drawn out to hold the
 * value. */
static struct estimate estimate_of(double value, double beyond, double se, const struct scatter *scatter)
{
    const double reach = quantile(scatter, 0.975) * se;
    return (struct estimate){value, se, value + fmin(beyond - reach, 0), value + fmax(beyond + reach, 0), false, {0}};
}

/* An estimate that has a lower bound at 0, where it may stand: then with a one-sided limit. */
static struct estimate bounded(bool at_bound, double value, double beyond, double se, const struct scatter *scatter)
{
    if (at_bound)
        return (struct estimate){0, NAN, 0, quantile(scatter, 0.95) * se, true, {0}};
    struct estimate estimate = estimate_of(value, beyond, se, scatter);
    estimate.low = fmax(estimate.low, 0);
    return estimate;
}

static double likelihood_ratio(bool at_bound, double own, bool other_at_bound, double other,
                               const struct scatter *scatter)
{
    if (at_bound || isnan(own))
        return at_bound ? 0 : NAN;
    const double deviation = sqrt(fmax(own * own - (other_at_bound ? other * other : 0), 0));
    return student_likelihood_ratio(deviation, scatter->freedom);
}

/* What the amplitudes say: the optimum within the bounds, and how far and how uncertain the one without them is. */
struct amplitudes {
    const struct solution *at;
    double beyond[UNKNOWNS], se[UNKNOWNS];
    struct scatter scatter;
};

static void report_ratios(const struct amplitudes *found, struct extrema_fit *fit)
{
    const bool *held = found->at->held;
    double deviation[UNKNOWNS] = {NAN, NAN, NAN, NAN};
    for (size_t u = 0; u < UNKNOWNS; u++)
        if (found->se[u] > 0)
            deviation[u] = (found->at->p[u] + found->beyond[u]) / found->se[u];
    const double viscous = deviation[BETA], coulomb = deviation[COULOMB];
    fit->likelihood_ratio[FIT_ZETA] = likelihood_ratio(held[BETA], viscous, held[COULOMB], coulomb, &found->scatter);
    fit->likelihood_ratio[FIT_X_K] = likelihood_ratio(held[COULOMB], coulomb, held[BETA], viscous, &found->scatter);
}

/* zeta, x_k, x0, bias and rms from the optimum. Where one is at its bound, the intervals of the others are the whole
 * model's: the truth may lie inside the bound. */
static enum verdict report_amplitudes(const struct problem *problem, const struct solution *at, struct extrema_fit *fit,
                                      double *beta_se)
{
    struct amplitudes found = {.at = at};
    double part[UNKNOWNS][UNKNOWNS];
    const bool nothing_held[UNKNOWNS] = {false};
    const bool bounded_somewhere = at->held[BETA] || at->held[COULOMB];
    fill_columns(problem, at->p);
    if (!solve_step(problem, at->p, nothing_held, found.beyond, part) &&
        !solve_step(problem, at->p, at->held, found.beyond, part))
        return VERDICT_UNDERDETERMINED;
    const size_t unknowns = UNKNOWNS - (size_t)at->held[COULOMB] - (size_t)at->held[BETA];
    found.scatter = scatter_of(at->cost, problem->count, unknowns, problem->se);
    for (size_t u = 0; u < UNKNOWNS; u++) {
        found.se[u] = found.scatter.sd * sqrt(part[u][u]);
        found.beyond[u] = bounded_somewhere ? found.beyond[u] : 0;
    }
    const double scale = problem->scale, beta = at->p[BETA], slope = law_zeta_per_beta(beta);
    *beta_se = at->held[BETA] ? 0 : found.se[BETA];
    fit->estimate[FIT_ZETA] =
        bounded(at->held[BETA], law_zeta(beta), slope * found.beyond[BETA], slope * found.se[BETA], &found.scatter);
    fit->estimate[FIT_X_K] = bounded(at->held[COULOMB], scale * at->p[COULOMB], scale * found.beyond[COULOMB],
                                     scale * found.se[COULOMB], &found.scatter);
    fit->estimate[FIT_X0] =
        estimate_of(problem->side * scale * at->p[AMPLITUDE], problem->side * scale * found.beyond[AMPLITUDE],
                    scale * found.se[AMPLITUDE], &found.scatter);
    fit->estimate[FIT_BIAS] = estimate_of(problem->centre + scale * at->p[BIAS], scale * found.beyond[BIAS],
                                          scale * found.se[BIAS], &found.scatter);
    report_ratios(&found, fit);
    fit->freedom = found.scatter.freedom;
    double squares = 0;
    for (size_t j = 0; j < problem->count; j++)
        squares += pow(residual(problem, j, at->p) / problem->weight[j], 2);
    fit->rms = scale * sqrt(squares / (double)problem->count);
    return at->held[BETA] && at->held[COULOMB] ? VERDICT_NOT_DECAYING : VERDICT_OK;
}

/* t_0 and omega_d from a straight line through the times of the extrema, then omega_n with the beta found before. */
static enum verdict report_times(const struct extremum *extrema, const struct problem *problem, double beta,
                                 double beta_se, struct extrema_fit *fit)
{
    const double reference = extrema[0].time_s;
    const double spacing = (extrema[problem->count - 1].time_s - reference) / (double)(problem->count - 1);
    if (!(spacing > 0))
        return VERDICT_TIME_NOT_INCREASING;
    bool known = true;
    for (size_t j = 0; j < problem->count; j++)
        known = known && isfinite(extrema[j].time_se_s) && extrema[j].time_se_s > 0;
    struct small_least_squares equations = {.unknowns = 2};
    double line[SMALL_MAX] = {0}, inverse[SMALL_MAX][SMALL_MAX], cost = 0;
    /* First pass: solve for the line; second: its residuals. Times count in mean spacings from the first, so that
     * the line is a small correction to j. */
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t j = 0; j < problem->count; j++) {
            const double w = known ? spacing / extrema[j].time_se_s : 1;
            const double row[2] = {w, w * (double)j};
            const double value = w * ((extrema[j].time_s - reference) / spacing - (double)j);
            if (pass == 0)
                small_least_squares_add(&equations, row, value);
            else
                cost += pow(value - row[0] * line[0] - row[1] * line[1], 2);
        }
        if (pass == 0 && !small_least_squares_solve(&equations, line, inverse))
            return VERDICT_UNDERDETERMINED;
    }
    const struct scatter scatter = scatter_of(cost, problem->count, 2, known ? 1 : NAN);
    const double sd = scatter.sd;
    const double omega_d = M_PI / (spacing * (1 + line[1]));
    const double omega_d_se = omega_d * sd * sqrt(inverse[1][1]) / (1 + line[1]);
    const double stretch = sqrt(1 + beta * beta);
    /* omega_n = omega_d sqrt(1 + beta²): both uncertainties enter, as if independent. */
    const double se = hypot(stretch * omega_d_se, omega_d * beta / stretch * beta_se);
    fit->estimate[FIT_T0] = estimate_of(reference + spacing * line[0], 0, spacing * sd * sqrt(inverse[0][0]), &scatter);
    fit->estimate[FIT_OMEGA_N] = estimate_of(omega_d * stretch, 0, se, &scatter);
    fit->f_n_hz = estimate_of(omega_d * stretch / (2 * M_PI), 0, se / (2 * M_PI), &scatter);
    return VERDICT_OK;
}

/* Scaled copies of the heights and their weights; equal weights unless every extremum knows its uncertainty. False when
 * the first two extrema give no scale. */
static bool load(const struct extremum *extrema, struct problem *problem)
{
    problem->centre = extrema[0].displacement / 2 + extrema[1].displacement / 2;
    problem->scale = fabs(extrema[0].displacement - extrema[1].displacement) / 2;
    problem->side = extrema[0].displacement < extrema[1].displacement ? -1 : 1;
    if (!isfinite(problem->scale) || problem->scale <= 0)
        return false;
    double smallest = INFINITY;
    bool known = true;
    for (size_t j = 0; j < problem->count; j++) {
        known = known && isfinite(extrema[j].se) && extrema[j].se > 0;
        smallest = fmin(smallest, extrema[j].se);
    }
    problem->se = known ? smallest / problem->scale : NAN;
    for (size_t j = 0; j < problem->count; j++) {
        problem->weight[j] = known ? smallest / extrema[j].se : 1;
        problem->y[j] = problem->weight[j] * ((extrema[j].displacement - problem->centre) / problem->scale);
    }
    return true;
}

/* Amplitudes first: omega_n needs the beta that they give. */
static enum verdict fit_problem(const struct extremum *extrema, struct problem *problem, struct extrema_fit *fit)
{
    if (!load(extrema, problem))
        return VERDICT_NO_OSCILLATION;
    struct solution solution;
    if (!search(problem, &solution))
        return VERDICT_UNDERDETERMINED;
    for (int n = 0; n < POLISH_LIMIT && improve(problem, &solution); n++)
        ;
    double beta_se = NAN;
    enum verdict verdict = report_amplitudes(problem, &solution, fit, &beta_se);
    enum verdict times = report_times(extrema, problem, solution.p[BETA], beta_se, fit);
    return verdict == VERDICT_OK ? times : verdict;
}

static bool all_finite(const struct extremum *extrema, size_t count)
{
    for (size_t j = 0; j < count; j++)
        if (!isfinite(extrema[j].displacement) || !isfinite(extrema[j].time_s))
            return false;
    return true;
}

/* Four unknowns want four extrema; with exactly four nothing is left to judge the fit by. */
enum verdict extrema_fit(const struct extremum *extrema, size_t count, struct extrema_fit *fit)
{
    const struct estimate unknown = {NAN, NAN, NAN, NAN, false, {0}};
    *fit = (struct extrema_fit){
        .verdict = VERDICT_NOT_COMPUTED, .f_n_hz = unknown, .freedom = NAN, .rms = NAN, .extrema = count};
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        fit->estimate[p] = unknown;
        fit->likelihood_ratio[p] = NAN;
    }
    if (count < UNKNOWNS)
        return fit->verdict = VERDICT_TOO_FEW_HALF_CYCLES;
    if (!all_finite(extrema, count))
        return fit->verdict = VERDICT_NOT_FINITE;
    struct problem problem = {.count = count};
    problem.y = malloc(count * sizeof *problem.y);
    problem.weight = malloc(count * sizeof *problem.weight);
    problem.columns = malloc(count * sizeof *problem.columns);
    bool memory = problem.y && problem.weight && problem.columns;
    fit->verdict = memory ? fit_problem(extrema, &problem, fit) : VERDICT_NO_MEMORY;
    free(problem.columns);
    free(problem.weight);
    free(problem.y);
    return fit->verdict;
}
