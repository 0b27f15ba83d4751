/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Score tests on the extrema. The fit of their heights gets one more column for a drag, and the straight line through
 * their times one for a frequency that depends on the amplitude. Of each column the test takes the part that no
 * parameter can imitate, and correlates it with the residual. */

#include "identify/decay/extrema_drift.h"

#include "identify/common/small_least_squares.h"
#include "identify/decay/decay_model.h"

#include <math.h>

/* The parameters that the heights depend on, in the order of their columns. */
static const enum fit_parameter parameter_of[SMALL_MAX] = {FIT_ZETA, FIT_X_K, FIT_X0, FIT_BIAS};

struct heights;

/* A cause of a frequency that changes with the amplitude. The same cause changes the loss of a half cycle. a is the
 * amplitude in units of X_0, relative_change the relative change of the frequency at X_0. */
struct stiffening {
    /* The relative rise of the frequency at a where that at X_0 is 1. */
    double (*frequency_rise)(double a);
    /* The part of a half cycle's loss that the mass is spared, in units of X_0. */
    double (*loss_saved)(const struct heights *heights, double relative_change, double a);
};

/* One height: its derivatives, by how much a unit drag and the stiffening have changed it, and its distance from the
 * fit. All are weighted. */
struct height {
    double row[SMALL_MAX];
    double drag, stiffening, residual;
};

/* A walk along the extrema of a fit, with heights in units of X_0. */
struct heights {
    const struct extremum *extrema;
    double parameters[FIT_PARAMETERS], unit, least_se;
    struct decay_shape shape;
    struct decay_half_cycle half;
    double drag_loss;                    /* by which a unit drag has lowered |X_j| so far */
    const struct stiffening *stiffening; /* NULL: none */
    double relative_change, loss_saved;  /* by which the stiffening has raised |X_j| so far */
};

static double cubic_frequency_rise(double a)
{
    return a * a;
}

/* A cubic stiffness raises the frequency by 3/8 kappa A². The energy is ½ (A² + kappa A⁴/2). In a half cycle friction
 * takes 2 x_k A of it, and viscous damping its action, pi zeta A² (1 + 5/16 kappa A²). */
static double cubic_loss_saved(const struct heights *heights, double relative_change, double a)
{
    const double kappa = 8.0 / 3.0 * relative_change, *parameters = heights->parameters;
    return kappa * a * a * (2.0 * parameters[FIT_X_K] + 11.0 / 16.0 * M_PI * parameters[FIT_ZETA] * a);
}

static double presliding_frequency_rise(double a)
{
    return pow(a, -1.5);
}

/* Friction that yields elastically over x_d before it slides (Dahl) raises the frequency by
 * sqrt(2/pi) x_k sqrt(x_d) A^(-3/2), and a half cycle loses 2 x_k (1 - tanh(A/x_d) x_d/A). */
static double presliding_loss_saved(const struct heights *heights, double relative_change, double a)
{
    const double x_k = heights->parameters[FIT_X_K];
    if (!(relative_change > 0.0) || !(x_k > 0.0))
        return 0.0;
    const double x_d = M_PI / 2.0 * pow(relative_change / x_k, 2);
    return 2.0 * x_k * tanh(a / x_d) * x_d / a;
}

enum { STIFFENING_CUBIC, STIFFENING_PRESLIDING, STIFFENINGS };

static const struct stiffening stiffenings[STIFFENINGS] = {
    [STIFFENING_CUBIC] = {cubic_frequency_rise, cubic_loss_saved},
    [STIFFENING_PRESLIDING] = {presliding_frequency_rise, presliding_loss_saved},
};

static struct heights heights_of(const struct extremum *extrema, size_t count, const struct extrema_fit *fit)
{
    struct heights heights = {.extrema = extrema, .unit = fabs(fit->estimate[FIT_X0].value), .least_se = INFINITY};
    heights.parameters[FIT_OMEGA_N] = 1.0; /* the heights do not depend on it */
    for (int u = 0; u < SMALL_MAX; u++)
        heights.parameters[parameter_of[u]] = fit->estimate[parameter_of[u]].value / (u == 0 ? 1.0 : heights.unit);
    /* Where one uncertainty is not known, all heights weigh the same. */
    for (size_t j = 0; j < count; j++)
        heights.least_se = extrema[j].se > 0.0 ? fmin(heights.least_se, extrema[j].se) : 0.0;
    heights.shape = decay_shape(heights.parameters);
    heights.half = decay_first_half_cycle(heights.parameters);
    return heights;
}

/* Returns the height of extremum j and leads the walk on to the next. The derivatives follow the recursion of SHK
 * Eq. 4. */
static struct height next_height(struct heights *heights, size_t j)
{
    const struct extremum *extremum = &heights->extrema[j];
    struct decay_half_cycle *half = &heights->half;
    const double weight = heights->least_se > 0.0 ? heights->least_se / extremum->se : 1.0;
    const double measured = extremum->displacement / heights->unit, start = half->start.x;
    const double row[SMALL_MAX] = {half->start.per_beta * heights->shape.beta_per_zeta, half->start.per_x_k,
                                   half->start.per_x0, 1.0};
    struct height height = {.drag = weight * half->start.sigma * heights->drag_loss,
                            .stiffening = weight * half->start.sigma * heights->loss_saved,
                            .residual = weight * (measured - start - heights->parameters[FIT_BIAS])};
    for (int u = 0; u < SMALL_MAX; u++)
        height.row[u] = weight * row[u];
    decay_next_half_cycle(heights->parameters, &heights->shape, half);
    const double mean = (fabs(start) + fabs(half->start.x)) / 2.0;
    heights->drag_loss = heights->shape.q * heights->drag_loss - mean * mean;
    if (heights->stiffening)
        heights->loss_saved = heights->shape.q * heights->loss_saved +
                              heights->stiffening->loss_saved(heights, heights->relative_change, mean);
    return height;
}

/* The column of the drag, split into what the parameters of the fit can imitate and what is new in it: the score test
 * of score_test.h, height by height, since the drag of a few heights is nearly imitated and sums would cancel. The
 * bounds of zeta and x_k do not count here, because a drag that the model lacks may be what holds one of them at 0. */
struct new_part {
    double response[SMALL_MAX];       /* by which the parameters change for a unit of the column */
    double unbounded_step[SMALL_MAX]; /* by which the residual would change them; 0 where no bound holds them */
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
    if (!small_least_squares_solve(&by_drag, part->response, NULL) ||
        !small_least_squares_solve(&by_residual, part->unbounded_step, NULL))
        return false;
    heights = from_start;
    for (size_t j = 0; j < count; j++) {
        const struct height height = next_height(&heights, j);
        const double left = without(height.row, part->response, height.drag);
        const double residual = without(height.row, part->unbounded_step, height.residual);
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
        drift->shift[parameter_of[u]] = (part.unbounded_step[u] - coefficient * part.response[u]) * (u == 0 ? 1.0 : x0);
    drift_keep_bounds(fit->estimate, drift);
    return true;
}

/* The columns of the line through the times: 1, the number j of the extremum, and how much earlier a unit drift makes
 * extremum j. */
enum { TIME_FIRST, TIME_SPACING, TIME_DRIFT, TIME_COLUMNS };

/* A walk along the times of the extrema. Times count from the first extremum, in mean half cycles, and are weighted. */
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

/* Returns the weighted time of extremum j and writes its row. */
static double next_time(struct times *times, size_t j, double row[TIME_COLUMNS])
{
    const struct extremum *here = &times->extrema[j];
    const double weight = times->least_se > 0.0 ? times->least_se / here->time_se_s : 1.0;
    if (j > 0)
        times->forward -=
            times->stiffening->frequency_rise(fabs(here->displacement - (here - 1)->displacement) / 2.0 / times->x0);
    row[TIME_FIRST] = weight;
    row[TIME_SPACING] = weight * (double)j;
    row[TIME_DRIFT] = weight * times->forward;
    return weight * ((here->time_s - times->extrema[0].time_s) / times->half_cycle_s - (double)j);
}

/* The sum of squares that the line and the drift leave over. */
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

/* The drift of the frequency that one stiffening makes, and the shifts of the heights' fit that go with it. left gets
 * the sum of squares that it leaves over. */
static bool stiffening_drift(const struct extremum *extrema, size_t count, const struct extrema_fit *fit,
                             const struct stiffening *stiffening, struct drift *drift, double *left)
{
    struct small_least_squares equations = {.unknowns = TIME_COLUMNS}, of_heights = {.unknowns = SMALL_MAX};
    double line[SMALL_MAX], inverse[SMALL_MAX][SMALL_MAX], row[TIME_COLUMNS], response[SMALL_MAX];
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
    heights.relative_change = line[TIME_DRIFT];
    for (size_t j = 0; j < count; j++) {
        const struct height height = next_height(&heights, j);
        small_least_squares_add(&of_heights, height.row, height.stiffening);
    }
    if (!small_least_squares_solve(&of_heights, response, NULL))
        return false;
    for (int u = 0; u < SMALL_MAX; u++)
        drift->shift[parameter_of[u]] = -response[u] * (u == 0 ? 1.0 : start.x0);
    drift_keep_bounds(fit->estimate, drift);
    /* The slope of the line tells the frequency without the drift. Both frequencies have the damping of the fit. */
    const double values[FIT_PARAMETERS] = {
        [FIT_OMEGA_N] = fit->estimate[FIT_OMEGA_N].value, [FIT_ZETA] = fit->estimate[FIT_ZETA].value};
    const double undrifted = M_PI / (start.half_cycle_s * (1.0 + line[TIME_SPACING]));
    drift->shift[FIT_OMEGA_N] = values[FIT_OMEGA_N] * (undrifted / decay_shape(values).omega_d - 1.0);
    drift->shift[FIT_T0] = extrema[0].time_s + start.half_cycle_s * line[TIME_FIRST] - fit->estimate[FIT_T0].value;
    return true;
}

/* The size that is published is that of the cubic stiffness that would explain the drift. The shifts of the estimates
 * are the mean of those of all stiffenings, each weighted by its likelihood given the times. */
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
