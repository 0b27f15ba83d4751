/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Score tests on the extrema: one column is added to those of the fit of their heights, and one to the line through
 * their times, and each is asked for what is new in it. */

#include "identify/decay/extrema_drift.h"

#include "identify/common/small_least_squares.h"
#include "identify/decay/decay_model.h"

#include <math.h>

/* What the heights depend on. */
static const enum fit_parameter parameter_of[SMALL_MAX] = {FIT_ZETA, FIT_X_K, FIT_X0, FIT_BIAS};

struct heights;

/* Why a frequency changes with the amplitude: a in units of X_0, so_much the relative change at X_0. What makes it does
 * not leave the loss of a half cycle alone either. */
struct stiffening {
    double (*faster)(double a);                                              /* by unit change */
    double (*kept)(const struct heights *heights, double so_much, double a); /* of the loss of a half cycle, X_0 */
};

/* One height: its derivatives, what a unit drag and what the stiffening have made of it, and how far it lies from the
 * fit. All weighted. */
struct height {
    double row[SMALL_MAX];
    double drag, stiffening, residual;
};

/* A walk along the extrema of a fit. Heights in units of X_0. */
struct heights {
    const struct extremum *extrema;
    double parameters[FIT_PARAMETERS], unit, least_se;
    struct decay_shape shape;
    struct decay_half_cycle half;
    double lost;                         /* by a unit drag so far, of |X_j| */
    const struct stiffening *stiffening; /* NULL: none */
    double so_much, kept;                /* by the stiffening so far, of |X_j| */
};

static double cubic_faster(double a)
{
    return a * a;
}

/* 3/8 kappa A² faster; of the energy ½ (A² + kappa A⁴/2) friction takes 2 x_k A a half cycle, and viscous damping its
 * action, pi zeta A² (1 + 5/16 kappa A²). */
static double cubic_kept(const struct heights *heights, double so_much, double a)
{
    const double kappa = 8.0 / 3.0 * so_much, *parameters = heights->parameters;
    return kappa * a * a * (2.0 * parameters[FIT_X_K] + 11.0 / 16.0 * M_PI * parameters[FIT_ZETA] * a);
}

static double presliding_faster(double a)
{
    return pow(a, -1.5);
}

/* Friction that gives way over x_d before it slides (Dahl): sqrt(2/pi) x_k sqrt(x_d) A^(-3/2) faster, and a half cycle
 * loses 2 x_k (1 - tanh(A/x_d) x_d/A). */
static double presliding_kept(const struct heights *heights, double so_much, double a)
{
    const double x_k = heights->parameters[FIT_X_K];
    if (!(so_much > 0.0) || !(x_k > 0.0))
        return 0.0;
    const double x_d = M_PI / 2.0 * pow(so_much / x_k, 2);
    return 2.0 * x_k * tanh(a / x_d) * x_d / a;
}

enum { STIFFENING_CUBIC, STIFFENING_PRESLIDING, STIFFENINGS };

static const struct stiffening stiffenings[STIFFENINGS] = {
    [STIFFENING_CUBIC] = {cubic_faster, cubic_kept},
    [STIFFENING_PRESLIDING] = {presliding_faster, presliding_kept},
};

static struct heights heights_of(const struct extremum *extrema, size_t count, const struct extrema_fit *fit)
{
    struct heights heights = {.extrema = extrema, .unit = fabs(fit->estimate[FIT_X0].value), .least_se = INFINITY};
    heights.parameters[FIT_OMEGA_N] = 1.0; /* the heights do not depend on it */
    for (int u = 0; u < SMALL_MAX; u++)
        heights.parameters[parameter_of[u]] = fit->estimate[parameter_of[u]].value / (u == 0 ? 1.0 : heights.unit);
    /* Where one uncertainty is not known, all heights weigh the same. */
    for (size_t j = 0; j < count; j++)
        heights.least_se = extrema[j].se > 0.0 ? fmin(heights.least_se, extrema[j].se) : 0.0 * heights.least_se;
    if (!(heights.least_se > 0.0) || !isfinite(heights.least_se))
        heights.least_se = 0.0;
    heights.shape = decay_shape(heights.parameters);
    heights.half = decay_first_half_cycle(heights.parameters);
    return heights;
}

/* Extremum j, and on to the next. Derivatives by SHK Eq. 4's own recursion. */
static struct height next_height(struct heights *heights, size_t j)
{
    const struct extremum *extremum = &heights->extrema[j];
    struct decay_half_cycle *half = &heights->half;
    const double weight = heights->least_se > 0.0 ? heights->least_se / extremum->se : 1.0;
    const double measured = extremum->displacement / heights->unit, start = half->start.x;
    const double row[SMALL_MAX] = {half->start.per_beta * heights->shape.beta_per_zeta, half->start.per_x_k,
                                   half->start.per_x0, 1.0};
    struct height height = {.drag = weight * half->start.sigma * heights->lost,
                            .stiffening = weight * half->start.sigma * heights->kept,
                            .residual = weight * (measured - start - heights->parameters[FIT_BIAS])};
    for (int u = 0; u < SMALL_MAX; u++)
        height.row[u] = weight * row[u];
    decay_next_half_cycle(heights->parameters, &heights->shape, half);
    const double mean = (fabs(start) + fabs(half->start.x)) / 2.0;
    heights->lost = heights->shape.q * heights->lost - mean * mean;
    if (heights->stiffening)
        heights->kept = heights->shape.q * heights->kept + heights->stiffening->kept(heights, heights->so_much, mean);
    return height;
}

/* What no parameter of the fit can imitate in the column of the drag. Without bounds: a drag that the model lacks may
 * be what holds zeta or x_k at 0. */
struct new_part {
    double answer[SMALL_MAX]; /* how the parameters answer to the column */
    double beyond[SMALL_MAX]; /* and to the residual: 0 where no bound holds them */
    double square, with_residual, squares;
};

static double without(const double row[SMALL_MAX], const double of[SMALL_MAX], double value)
{
    for (int u = 0; u < SMALL_MAX; u++)
        value -= row[u] * of[u];
    return value;
}

static bool new_part_of(struct heights heights, size_t count, struct new_part *part)
{
    const struct heights from_start = heights;
    struct small_least_squares by_drag = {.unknowns = SMALL_MAX}, by_residual = {.unknowns = SMALL_MAX};
    *part = (struct new_part){.square = 0.0};
    for (size_t j = 0; j < count; j++) {
        const struct height height = next_height(&heights, j);
        small_least_squares_add(&by_drag, height.row, height.drag);
        small_least_squares_add(&by_residual, height.row, height.residual);
    }
    if (!small_least_squares_solve(&by_drag, part->answer, NULL) ||
        !small_least_squares_solve(&by_residual, part->beyond, NULL))
        return false;
    heights = from_start;
    for (size_t j = 0; j < count; j++) {
        const struct height height = next_height(&heights, j);
        const double left = without(height.row, part->answer, height.drag);
        const double residual = without(height.row, part->beyond, height.residual);
        part->square += left * left;
        part->with_residual += left * residual;
        part->squares += residual * residual;
    }
    return part->square > 0.0;
}

static bool damping_drift(const struct extremum *extrema, size_t count, const struct extrema_fit *fit,
                          struct drift *drift)
{
    struct new_part part;
    if (count < SMALL_MAX + 3 || !new_part_of(heights_of(extrema, count, fit), count, &part))
        return false;
    const double coefficient = part.with_residual / part.square, x0 = fabs(fit->estimate[FIT_X0].value);
    /* Rounding is the least that may count as noise. */
    const double left = fmax(part.squares - coefficient * part.with_residual, (double)count * 1e-24);
    const double freedom = (double)(count - SMALL_MAX - 1), se = sqrt(left / freedom / part.square);
    *drift = drift_of_term(coefficient, se, freedom, 3.0 / (4.0 * x0));
    for (int u = 0; u < SMALL_MAX; u++)
        drift->shift[parameter_of[u]] = (part.beyond[u] - coefficient * part.answer[u]) * (u == 0 ? 1.0 : x0);
    drift_keep_bounds(fit->estimate, drift);
    return true;
}

/* The line through the times with the drift beside it: 1, j, and by how much a unit drift has brought extremum j
 * forward. */
enum { TIME_FIRST, TIME_SPACING, TIME_DRIFT, TIME_COLUMNS };

/* A walk along the times of the extrema, in mean half cycles from the first, each with its weight. */
struct times {
    const struct extremum *extrema;
    const struct stiffening *stiffening;
    double half_cycle_s, x0, least_se;
    double forward;
};

static struct times times_of(const struct extremum *extrema, size_t count, const struct extrema_fit *fit,
                             const struct stiffening *stiffening)
{
    struct times times = {extrema, stiffening, 0.0, fabs(fit->estimate[FIT_X0].value), INFINITY, 0.0};
    times.half_cycle_s = (extrema[count - 1].time_s - extrema[0].time_s) / (double)(count - 1);
    for (size_t j = 0; j < count; j++)
        times.least_se = extrema[j].time_se_s > 0.0 ? fmin(times.least_se, extrema[j].time_se_s) : 0.0;
    return times;
}

/* Extremum j: its row and its time, weighted. */
static double next_time(struct times *times, size_t j, double row[TIME_COLUMNS])
{
    const struct extremum *here = &times->extrema[j];
    const double weight = times->least_se > 0.0 ? times->least_se / here->time_se_s : 1.0;
    if (j > 0)
        times->forward -=
            times->stiffening->faster(fabs(here->displacement - (here - 1)->displacement) / 2.0 / times->x0);
    row[TIME_FIRST] = weight;
    row[TIME_SPACING] = weight * (double)j;
    row[TIME_DRIFT] = weight * times->forward;
    return weight * ((here->time_s - times->extrema[0].time_s) / times->half_cycle_s - (double)j);
}

/* Squares that the line and the drift leave. */
static double left_of_times(struct times times, size_t count, const double line[TIME_COLUMNS])
{
    double left = 0.0, row[TIME_COLUMNS];
    for (size_t j = 0; j < count; j++) {
        double residual = next_time(&times, j, row);
        for (int u = 0; u < TIME_COLUMNS; u++)
            residual -= row[u] * line[u];
        left += residual * residual;
    }
    return fmax(left, (double)count * 1e-24);
}

/* A drift of the frequency, and how the heights' fit answers to what keeps it company. left: what it leaves. */
static bool stiffening_drift(const struct extremum *extrema, size_t count, const struct extrema_fit *fit,
                             const struct stiffening *stiffening, struct drift *drift, double *left)
{
    struct small_least_squares equations = {.unknowns = TIME_COLUMNS}, of_heights = {.unknowns = SMALL_MAX};
    double line[SMALL_MAX], inverse[SMALL_MAX][SMALL_MAX], row[TIME_COLUMNS], answer[SMALL_MAX];
    const struct times start = times_of(extrema, count, fit, stiffening);
    struct times times = start;
    for (size_t j = 0; j < count; j++) {
        const double time = next_time(&times, j, row);
        small_least_squares_add(&equations, row, time);
    }
    if (!small_least_squares_solve(&equations, line, inverse))
        return false;
    *left = left_of_times(start, count, line);
    const double freedom = (double)(count - TIME_COLUMNS), se = sqrt(*left / freedom * inverse[TIME_DRIFT][TIME_DRIFT]);
    *drift = drift_of_term(line[TIME_DRIFT], se, freedom, 8.0 / (3.0 * start.x0 * start.x0));
    struct heights heights = heights_of(extrema, count, fit);
    heights.stiffening = stiffening;
    heights.so_much = line[TIME_DRIFT];
    for (size_t j = 0; j < count; j++) {
        const struct height height = next_height(&heights, j);
        small_least_squares_add(&of_heights, height.row, height.stiffening);
    }
    if (!small_least_squares_solve(&of_heights, answer, NULL))
        return false;
    for (int u = 0; u < SMALL_MAX; u++)
        drift->shift[parameter_of[u]] = -answer[u] * (u == 0 ? 1.0 : start.x0);
    drift_keep_bounds(fit->estimate, drift);
    /* The frequency without the drift is that of the line beside it; the damping is the fit's in both. */
    const double values[FIT_PARAMETERS] = {
        [FIT_OMEGA_N] = fit->estimate[FIT_OMEGA_N].value, [FIT_ZETA] = fit->estimate[FIT_ZETA].value};
    const double undrifted = M_PI / (start.half_cycle_s * (1.0 + line[TIME_SPACING]));
    drift->shift[FIT_OMEGA_N] = values[FIT_OMEGA_N] * (undrifted / decay_shape(values).omega_d - 1.0);
    drift->shift[FIT_T0] = extrema[0].time_s + start.half_cycle_s * line[TIME_FIRST] - fit->estimate[FIT_T0].value;
    return true;
}

/* What is published is the cubic stiffness that would explain the drift; by how much the drift moves the estimates is
 * told by each stiffening as far as the times speak for it. */
static bool frequency_drift(const struct extremum *extrema, size_t count, const struct extrema_fit *fit,
                            struct drift *drift)
{
    struct drift by[STIFFENINGS];
    double left[STIFFENINGS], share[STIFFENINGS], shares = 0.0;
    if (count < TIME_COLUMNS + 2 || !(extrema[count - 1].time_s > extrema[0].time_s))
        return false;
    for (int s = 0; s < STIFFENINGS; s++)
        if (!stiffening_drift(extrema, count, fit, &stiffenings[s], &by[s], &left[s]))
            return false;
    *drift = by[STIFFENING_CUBIC];
    for (int s = 0; s < STIFFENINGS; s++) {
        share[s] = pow(left[STIFFENING_CUBIC] / left[s], (double)count / 2.0);
        shares += share[s] = fmin(share[s], 1e100);
    }
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        drift->shift[p] = 0.0;
        for (int s = 0; s < STIFFENINGS; s++)
            drift->shift[p] += share[s] / shares * by[s].shift[p];
    }
    return true;
}

enum verdict extrema_drifts(const struct extremum *extrema, size_t count, const struct extrema_fit *fit,
                            struct drifts *drifts)
{
    const struct drift none = {.size = {NAN, NAN, NAN, NAN, false, {0}}, .relative = NAN, .likelihood_ratio = NAN};
    drifts->frequency = drifts->damping = none;
    drifts->verdict = VERDICT_UNDERDETERMINED;
    if (fit->verdict != VERDICT_OK || !(fabs(fit->estimate[FIT_X0].value) > 0.0))
        return drifts->verdict;
    const bool frequency = frequency_drift(extrema, count, fit, &drifts->frequency);
    const bool damping = damping_drift(extrema, count, fit, &drifts->damping);
    return drifts->verdict = frequency || damping ? VERDICT_OK : VERDICT_UNDERDETERMINED;
}
