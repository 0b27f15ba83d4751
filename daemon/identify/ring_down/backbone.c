/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A law with smooth deviations, whose sizes nobody knows: for each pair of sizes on a grid, Laplace's approximation
 * gives the probability of the samples, by which the pairs' answers are weighed. One size alone, be it the best, would
 * make intervals that are too short. */

#include "identify/ring_down/backbone.h"

#include "identify/common/dense_cholesky.h"
#include "identify/ring_down/microslip_law.h"
#include "identify/ring_down/mode_fit.h"
#include "identify/ring_down/residual.h"
#include "identify/ring_down/smooth_law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The grid of sizes: of ln alpha, and of omega/omega_0. */
enum { SIZES = 9, PAIRS = SIZES * SIZES };
static const double smallest[2] = {3e-4, 1e-6}, largest[2] = {0.3, 3e-3};
/* Sizes at which the search begins. */
static const double first_size[2] = {0.1, 1e-3};

enum { REFITS = 3, TIMES_AGAIN = 5 };

struct averaging {
    const struct mode_samples *samples;
    const struct backbone_start *start;
    const atomic_bool *cancel;
    struct smooth_basis basis;
    struct mode_sum sum, law;
    struct mode_fit fit;
    struct mode_prior prior;
    double precision[LAW_PARAMETERS + PASS_MODES * MICROSLIP_PARAMETERS];
    size_t unknowns, amplitude; /* the place of the mode's amplitude at the first sensor among these */
    double variance;            /* of white noise that would weigh as much */
    double *gradient, *matrix;  /* of the samples alone, at the sum */
    double *factor, *scale, *step;
    double evidence[PAIRS];
    double excess; /* of the best pair over the smallest sizes that have any evidence */
};

static double between(double share, double from, double to)
{
    return from + share * (to - from);
}

struct backbone_point backbone_curve_at(const struct backbone_point *points, size_t count, double amplitude)
{
    size_t i = 0;
    while (i + 2 < count && points[i + 1].amplitude > amplitude)
        i++;
    const struct backbone_point *p = &points[i], *q = count > 1 ? p + 1 : p;
    const double apart = log(q->amplitude / p->amplitude);
    const double share = apart != 0 ? fmin(fmax(log(amplitude / p->amplitude) / apart, 0), 1) : 0;
    return (struct backbone_point){
        .amplitude = amplitude,
        .omega = between(share, p->omega, q->omega),
        .se_omega = between(share, p->se_omega, q->se_omega),
        .zeta = between(share, p->zeta, q->zeta),
        .se_zeta = between(share, p->se_zeta, q->se_zeta),
        .dissipation = exp(between(share, log(p->dissipation), log(q->dissipation))),
        .se_dissipation = between(share, p->se_dissipation, q->se_dissipation),
        .stiffness = between(share, p->stiffness, q->stiffness),
        .se_stiffness = between(share, p->se_stiffness, q->se_stiffness),
        .slip_omega = between(share, p->slip_omega, q->slip_omega),
        .slip_zeta = between(share, p->slip_zeta, q->slip_zeta),
        .slip_dissipation = between(share, p->slip_dissipation, q->slip_dissipation),
    };
}

static double size_of(int which, size_t index)
{
    return smallest[which] * pow(largest[which] / smallest[which], (double)index / (SIZES - 1));
}

/* The law's own parameters stay near those that the law alone has: so far off that this hardly adds to what is known
 * of them, and near enough that they cannot change places with the deviations. */
#define LOOSENESS 10

static void set_precision(struct averaging *averaging, const double size[2])
{
    const struct smooth_basis *basis = &averaging->basis;
    for (size_t p = 0; p < basis->law.parameters; p++) {
        averaging->precision[p] = pow(LOOSENESS * averaging->start->se[p], -2);
    }
    for (size_t p = basis->law.parameters; p < averaging->sum.law[0].parameters; p++) {
        const double own = size[p < basis->law.parameters + basis->functions ? 0 : 1];
        averaging->precision[p] = 1 / (own * own);
    }
}

/* The mode, with those beside it, of which nothing is known beforehand. */
static struct mode_sum sum_with(const struct backbone_start *start, const struct amplitude_law *law)
{
    struct mode_sum sum = {.modes = 1 + start->beside, .law = {*law}};
    memcpy(&sum.law[1], start->other, start->beside * sizeof *start->other);
    return sum;
}

/* Where deviations are large the way to them is long: a fit whose steps are used up goes on from where it stands. */
static enum verdict refit(struct averaging *averaging, const double size[2])
{
    set_precision(averaging, size);
    averaging->prior = (struct mode_prior){averaging->variance, averaging->precision};
    enum verdict verdict = VERDICT_NOT_CONVERGED;
    for (int again = 0; again <= TIMES_AGAIN && verdict == VERDICT_NOT_CONVERGED; again++) {
        mode_fit_clear(&averaging->fit);
        verdict = mode_fit(averaging->samples, &averaging->prior, averaging->cancel, &averaging->sum, &averaging->fit);
    }
    const double rows = (double)(averaging->fit.rows - averaging->fit.unknowns);
    averaging->variance =
        averaging->start->colour * fmax(averaging->fit.squares / rows, averaging->samples->least_variance);
    return verdict;
}

static enum verdict look_at_samples(struct averaging *averaging)
{
    struct mode_pass *pass = mode_pass_create(averaging->samples, &averaging->sum);
    if (!pass)
        return VERDICT_NO_MEMORY;
    const bool follows = isfinite(mode_pass_follow(pass, &averaging->sum));
    if (follows)
        mode_pass_normal(pass, &averaging->sum, averaging->gradient, averaging->matrix);
    mode_pass_free(pass);
    return follows ? VERDICT_OK : VERDICT_UNDERDETERMINED;
}

/* The linear model at the optimum for these sizes: the step there, the factor of what is left to doubt, and the
 * logarithm of the evidence. */
static double go_to(struct averaging *averaging, const double size[2])
{
    const size_t n = averaging->unknowns, parameters = averaging->sum.law[0].parameters;
    const double *theta = averaging->sum.law[0].parameter, weight = 1 / averaging->variance;
    double gain = 0, prior = 0, log_precision = 0;
    set_precision(averaging, size);
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k <= j; k++)
            averaging->factor[j * n + k] = weight * averaging->matrix[j * n + k];
        averaging->step[j] = -weight * averaging->gradient[j];
        if (j >= parameters)
            continue;
        const double off = theta[j];
        averaging->factor[j * (n + 1)] += averaging->precision[j];
        averaging->step[j] -= averaging->precision[j] * off;
        prior += averaging->precision[j] * off * off;
        log_precision += log(averaging->precision[j]);
    }
    double *right = averaging->step + n;
    memcpy(right, averaging->step, n * sizeof *right);
    if (!dense_cholesky(averaging->factor, n, 0, averaging->factor, averaging->scale))
        return -INFINITY;
    dense_cholesky_solve(averaging->factor, averaging->scale, n, averaging->step);
    for (size_t j = 0; j < n; j++)
        gain += averaging->step[j] * right[j];
    return 0.5 *
           (gain - prior + log_precision - dense_cholesky_log_determinant(averaging->factor, averaging->scale, n));
}

/* Fills in the evidence of all pairs, and returns the best; PAIRS: no pair has any. */
static size_t weigh(struct averaging *averaging)
{
    size_t best = PAIRS;
    double sum = 0, most = -INFINITY;
    for (size_t pair = 0; pair < PAIRS; pair++) {
        const double size[2] = {size_of(0, pair / SIZES), size_of(1, pair % SIZES)}, evidence = go_to(averaging, size);
        averaging->evidence[pair] = isfinite(evidence) ? evidence : -INFINITY;
        if (averaging->evidence[pair] > most) {
            best = pair;
            most = evidence;
        }
    }
    if (best == PAIRS)
        return best;
    size_t first = 0;
    while (!isfinite(averaging->evidence[first]))
        first++;
    averaging->excess = most - averaging->evidence[first];
    for (size_t pair = 0; pair < PAIRS; pair++)
        sum += exp(averaging->evidence[pair] - most);
    for (size_t pair = 0; pair < PAIRS; pair++)
        averaging->evidence[pair] = exp(averaging->evidence[pair] - most) / sum;
    return best;
}

/* A figure at an amplitude: its logarithm, and its derivatives by all unknowns. */
struct figure {
    double value, *by;
    double mean, square; /* averaged over the sizes */
};

void backbone_logarithms(const struct amplitude_law *law, const struct law_rates *rates, double complex a, size_t place,
                         double value[LOGARITHMS], double *const by[LOGARITHMS])
{
    const double omega_x = rates->omega_x / rates->omega;
    const double by_x[LOGARITHMS] = {[LOG_OMEGA] = omega_x,
                                     [LOG_ZETA] = rates->alpha_x / rates->alpha - omega_x,
                                     [LOG_LOSS] = rates->alpha_x / rates->alpha + omega_x};
    for (size_t p = 0; p < law->parameters; p++) {
        by[LOG_OMEGA][p] = rates->omega_p[p] / rates->omega;
        by[LOG_ZETA][p] = rates->alpha_p[p] / rates->alpha - by[LOG_OMEGA][p];
        by[LOG_LOSS][p] = by[LOG_ZETA][p] + 2 * by[LOG_OMEGA][p];
    }
    for (int k = 0; k < LOGARITHMS; k++) {
        const double complex by_a = -by_x[k] / a;
        by[k][place] = creal(by_a);
        by[k][place + 1] = -cimag(by_a);
    }
    value[LOG_OMEGA] = log(rates->omega);
    value[LOG_ZETA] = log(rates->alpha / rates->omega);
    value[LOG_LOSS] = log(rates->alpha * rates->omega);
}

static void fill_figures(const struct averaging *averaging, const struct law_rates *rates,
                         struct figure figures[LOGARITHMS])
{
    double *const by[LOGARITHMS] = {figures[LOG_OMEGA].by, figures[LOG_ZETA].by, figures[LOG_LOSS].by};
    double value[LOGARITHMS];
    backbone_logarithms(&averaging->sum.law[0], rates, averaging->sum.amplitude[0][0], averaging->amplitude, value, by);
    for (int k = 0; k < LOGARITHMS; k++) {
        figures[k].value = value[k];
        figures[k].mean = figures[k].square = 0;
    }
}

/* With one pair of sizes: what it makes of the figure, and how sure it is. */
static void add_pair(const struct averaging *averaging, double weight, double *room, struct figure *figure)
{
    const size_t n = averaging->unknowns;
    double shift = 0, variance = 0;
    memcpy(room, figure->by, n * sizeof *room);
    dense_cholesky_solve(averaging->factor, averaging->scale, n, room);
    for (size_t j = 0; j < n; j++) {
        shift += figure->by[j] * averaging->step[j];
        variance += figure->by[j] * room[j];
    }
    figure->mean += weight * shift;
    figure->square += weight * (shift * shift + variance);
}

struct backbone_point backbone_point_of(double amplitude, const double value[LOGARITHMS], const double se[LOGARITHMS],
                                        double slope)
{
    const double omega = exp(value[LOG_OMEGA]), zeta = exp(value[LOG_ZETA]), stiffness = omega * omega;
    /* A joint's loss shows as decay through its tangent stiffness, omega^2 (1 + 2 d ln omega/d ln A). */
    const double loss = 2 * M_PI * exp(value[LOG_LOSS]) * amplitude * amplitude * (1 + 2 * slope);
    return (struct backbone_point){
        .amplitude = amplitude,
        .omega = omega,
        .se_omega = omega * se[LOG_OMEGA],
        .zeta = zeta,
        .se_zeta = zeta * se[LOG_ZETA],
        .dissipation = loss,
        .se_dissipation = loss * se[LOG_LOSS],
        .stiffness = stiffness,
        .se_stiffness = 2 * stiffness * se[LOG_OMEGA],
    };
}

static struct backbone_point point_at(const struct averaging *averaging, const struct law_rates *rates, double x,
                                      const struct figure figures[LOGARITHMS])
{
    double value[LOGARITHMS], se[LOGARITHMS];
    for (int k = 0; k < LOGARITHMS; k++) {
        value[k] = figures[k].value + figures[k].mean;
        se[k] = sqrt(figures[k].square - figures[k].mean * figures[k].mean);
    }
    return backbone_point_of(cabs(averaging->sum.amplitude[0][0]) * exp(x), value, se, rates->omega_x / rates->omega);
}

/* Every point for every pair that counts, down to where the law has no motion any more. */
static void average(struct averaging *averaging, double *room, struct backbone *backbone)
{
    const size_t n = averaging->unknowns;
    struct law_rates rates[BACKBONE_POINTS];
    struct figure figures[BACKBONE_POINTS][LOGARITHMS];
    double x[BACKBONE_POINTS];
    size_t count = 0;
    for (size_t i = 0; i < BACKBONE_POINTS; i++) {
        x[i] = -averaging->start->loss * (double)i / (BACKBONE_POINTS - 1);
        for (size_t k = 0; k < LOGARITHMS; k++)
            figures[i][k].by = room + (LOGARITHMS * i + k) * n;
        if (!averaging->sum.law[0].rates(&averaging->sum.law[0], x[i], &rates[i]))
            break;
        count++;
        fill_figures(averaging, &rates[i], figures[i]);
    }
    for (size_t pair = 0; pair < PAIRS; pair++) {
        const double size[2] = {size_of(0, pair / SIZES), size_of(1, pair % SIZES)};
        if (averaging->evidence[pair] < 1e-4 || !isfinite(go_to(averaging, size)))
            continue;
        for (size_t i = 0; i < LOGARITHMS * count; i++)
            add_pair(averaging, averaging->evidence[pair], room + LOGARITHMS * BACKBONE_POINTS * n,
                     &figures[i / LOGARITHMS][i % LOGARITHMS]);
    }
    for (size_t i = 0; i < count; i++)
        backbone->point[i] = point_at(averaging, &rates[i], x[i], figures[i]);
    backbone->count = count;
}

static enum verdict search(struct averaging *averaging, struct backbone *backbone)
{
    double size[2] = {first_size[0], first_size[1]};
    enum verdict verdict = VERDICT_OK;
    size_t best = PAIRS;
    for (int i = 0; verdict == VERDICT_OK && i < REFITS; i++) {
        verdict = refit(averaging, size);
        if (verdict == VERDICT_OK)
            verdict = look_at_samples(averaging);
        const size_t before = best;
        if (verdict == VERDICT_OK)
            best = weigh(averaging);
        if (best == PAIRS && verdict == VERDICT_OK)
            verdict = VERDICT_UNDERDETERMINED;
        if (best == before || best == PAIRS)
            break;
        size[0] = size_of(0, best / SIZES);
        size[1] = size_of(1, best % SIZES);
    }
    backbone->law_misfit = size[0];
    backbone->frequency_misfit = size[1];
    backbone->excess = averaging->excess;
    backbone->residual = sqrt(averaging->sum.squares[0] / (double)averaging->samples->count);
    return verdict;
}

static void fill_residuals(const struct averaging *averaging, struct backbone *backbone)
{
    const struct mode_samples *samples = averaging->samples;
    struct mode_sum sum = averaging->sum;
    struct mode_pass *pass = mode_pass_create(samples, &sum);
    const size_t first = residual_first_count(samples, averaging->basis.omega_0);
    double squares[2] = {0};
    const bool follows = pass && isfinite(mode_pass_follow(pass, &sum));
    for (size_t i = 0; follows && i < samples->count; i++)
        squares[i >= first] += pow(cabs(mode_pass_left(pass, &sum, 0, i)), 2);
    mode_pass_free(pass);
    const struct residual left = residual_of(squares, first, samples->count, 1);
    backbone->residual_first = follows ? left.first : NAN;
    backbone->residual_after = follows ? left.after : NAN;
}

/* The variance to begin with is that which the law alone leaves. */
static enum verdict begin(struct averaging *averaging)
{
    const struct mode_samples *samples = averaging->samples;
    const size_t rows = samples->sensors * samples->count * (samples->analytic ? 2 : 1);
    if (rows < 2 * averaging->unknowns)
        return VERDICT_TOO_FEW_SAMPLES;
    averaging->law = sum_with(averaging->start, &averaging->start->law);
    struct mode_pass *pass = mode_pass_create(samples, &averaging->law);
    if (!pass)
        return VERDICT_NO_MEMORY;
    const double squares = mode_pass_follow(pass, &averaging->law);
    mode_pass_free(pass);
    averaging->variance = averaging->start->colour * fmax(squares / (double)rows, samples->least_variance);
    return isfinite(squares) && squares > 0 ? VERDICT_OK : VERDICT_UNDERDETERMINED;
}

void backbone_of(const struct mode_samples *samples, const struct backbone_start *start, const atomic_bool *cancel,
                 struct backbone *backbone)
{
    struct averaging *averaging = calloc(1, sizeof *averaging);
    double *room = NULL;
    *backbone = (struct backbone){.verdict = VERDICT_NO_MEMORY};
    if (averaging) {
        averaging->samples = samples;
        averaging->start = start;
        averaging->cancel = cancel;
        const struct amplitude_law smooth = smooth_law(&start->law, start->loss, &averaging->basis);
        averaging->sum = sum_with(start, &smooth);
        const size_t n = averaging->unknowns = mode_sum_unknowns(&averaging->sum, samples->sensors);
        averaging->amplitude = n - 2 * averaging->sum.modes * samples->sensors;
        room = calloc(2 * n * n + (4 + LOGARITHMS * BACKBONE_POINTS + 1) * n, sizeof *room);
    }
    if (room) {
        const size_t n = averaging->unknowns;
        averaging->matrix = room;
        averaging->factor = averaging->matrix + n * n;
        averaging->gradient = averaging->factor + n * n;
        averaging->scale = averaging->gradient + n;
        averaging->step = averaging->scale + n; /* twice, for its right-hand side */
        backbone->verdict = begin(averaging);
        if (backbone->verdict == VERDICT_OK)
            backbone->verdict = search(averaging, backbone);
        if (backbone->verdict == VERDICT_OK)
            average(averaging, averaging->step + 2 * n, backbone);
        if (backbone->verdict == VERDICT_OK)
            fill_residuals(averaging, backbone);
        mode_fit_clear(&averaging->fit);
    }
    free(room);
    free(averaging);
}
