/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/curve/stribeck_fit.h"

#include "identify/common/small_least_squares.h"
#include "motion/small_cholesky.h"

#include <errno.h>
#include <gsl/gsl_eigen.h>
#include <math.h>

/* A grid of v_s from this part of the smallest speed to that multiple of the largest, finer than the width of any
 * minimum; j where it is estimated. */
enum { SPEEDS = 24, EXPONENTS = 6, REFINEMENTS = 100 };
static const double beyond_speeds = 3;
static const double exponents[EXPONENTS] = {0.5, 0.75, 1, 1.5, 2, 3};
static const double exponent_most = 8, exponent_least = 0.1;

/* Of the unit diagonal. */
static const double damping_first = 1e-3, damping_change = 10, damping_last = 1e9;

/* A minimum is found when a step changes v_s and j by less than this part. */
static const double refined = 1e-12;

/* Eigenvalues of the scaled normal matrix below this part of the largest belong to directions that are not seen, and a
 * parameter with more than this part along one is not told. */
static const double eigenvalue_least = 1e-9, part_most = 1e-3;

const char *stribeck_model_name(size_t model)
{
    static const char *const names[STRIBECK_MODELS] = {"none", "j_1", "j_2", "j_estimated"};
    return model < STRIBECK_MODELS ? names[model] : NULL;
}

/* The points and what is asked of them. */
struct problem {
    const struct curve_point *points;
    size_t count;
    enum stribeck_model model;
    bool both_ways;
    double slowest, fastest; /* |v| */
};

static double sense(double speed)
{
    return speed < 0 ? -1 : 1;
}

static double dip_at(double speed, double v_s, double exponent)
{
    return exp(-pow(fabs(speed) / v_s, exponent));
}

static double force_of(const double value[STRIBECK_PARAMETERS], double speed)
{
    const double dip = value[STRIBECK_DIP] > 0
                           ? value[STRIBECK_DIP] * dip_at(speed, value[STRIBECK_V_S], value[STRIBECK_EXPONENT])
                           : 0;
    return sense(speed) * (value[STRIBECK_F_C] + dip) + value[STRIBECK_SIGMA_2] * speed + value[STRIBECK_F_0];
}

/* The linear unknowns that `fitted` names, for the v_s and j in `value`. */
static bool solve_linear(const struct problem *problem, const bool fitted[STRIBECK_PARAMETERS],
                         double value[STRIBECK_PARAMETERS])
{
    static const enum stribeck_parameter linear[SMALL_MAX] = {STRIBECK_F_C, STRIBECK_DIP, STRIBECK_SIGMA_2,
                                                              STRIBECK_F_0};
    struct small_least_squares equations = {.unknowns = 0};
    double row[SMALL_MAX], x[SMALL_MAX];
    for (size_t k = 0; k < SMALL_MAX; k++)
        equations.unknowns += fitted[linear[k]];
    for (size_t i = 0; i < problem->count; i++) {
        const struct curve_point *point = &problem->points[i];
        const double root = sqrt(point->weight), s = sense(point->speed);
        const double dip =
            fitted[STRIBECK_DIP] ? dip_at(point->speed, value[STRIBECK_V_S], value[STRIBECK_EXPONENT]) : 0;
        const double column[SMALL_MAX] = {s, s * dip, point->speed, 1};
        for (size_t k = 0, u = 0; k < SMALL_MAX; k++)
            if (fitted[linear[k]])
                row[u++] = root * column[k];
        small_least_squares_add(&equations, row, root * point->force);
    }
    if (!small_least_squares_solve(&equations, x, NULL))
        return false;
    for (size_t k = 0, u = 0; k < SMALL_MAX; k++)
        value[linear[k]] = fitted[linear[k]] ? x[u++] : 0;
    return true;
}

static double squares_of(const struct problem *problem, const double value[STRIBECK_PARAMETERS])
{
    double squares = 0;
    for (size_t i = 0; i < problem->count; i++) {
        const double rest = problem->points[i].force - force_of(value, problem->points[i].speed);
        squares += problem->points[i].weight * rest * rest;
    }
    return squares;
}

/* The best curve with that v_s and j; its sum of squares, INFINITY where there is none. */
static double project(const struct problem *problem, double v_s, double exponent, struct stribeck_fit *fit)
{
    const bool dip = problem->model != STRIBECK_NONE;
    for (int k = 0; k < STRIBECK_PARAMETERS; k++)
        fit->fitted[k] = k == STRIBECK_F_C || k == STRIBECK_SIGMA_2 || (k == STRIBECK_F_0 && problem->both_ways) ||
                         (dip && (k == STRIBECK_DIP || k == STRIBECK_V_S)) ||
                         (k == STRIBECK_EXPONENT && problem->model == STRIBECK_SHAPED);
    fit->value[STRIBECK_V_S] = dip ? v_s : 0;
    fit->value[STRIBECK_EXPONENT] = dip ? exponent : 0;
    bool solved = solve_linear(problem, fit->fitted, fit->value);
    if (solved && fit->value[STRIBECK_SIGMA_2] < 0) {
        fit->fitted[STRIBECK_SIGMA_2] = false;
        solved = solve_linear(problem, fit->fitted, fit->value);
    }
    /* A dip that stands upside down is none, nor is a friction that gives energy. */
    if (!solved || fit->value[STRIBECK_F_C] < 0 || (dip && !(fit->value[STRIBECK_DIP] > 0)))
        return INFINITY;
    return squares_of(problem, fit->value);
}

/* --- v_s and j --- */

static double exponent_of(const struct problem *problem, double shaped)
{
    return problem->model == STRIBECK_SHAPED ? shaped : problem->model == STRIBECK_TWO ? 2 : 1;
}

static void scan(const struct problem *problem, double *v_s, double *exponent)
{
    const double first = log(problem->slowest / beyond_speeds), last = log(problem->fastest * beyond_speeds);
    double least = INFINITY;
    struct stribeck_fit fit;
    *v_s = NAN;
    for (int e = 0; e < (problem->model == STRIBECK_SHAPED ? EXPONENTS : 1); e++)
        for (int k = 0; k < SPEEDS; k++) {
            const double speed = exp(first + (last - first) * k / (SPEEDS - 1));
            const double squares = project(problem, speed, exponent_of(problem, exponents[e]), &fit);
            if (squares < least) {
                least = squares;
                *v_s = speed;
                *exponent = exponent_of(problem, exponents[e]);
            }
        }
}

/* --- what the points tell of it --- */

/* Of the force by the parameters. */
static void derivatives(const double value[STRIBECK_PARAMETERS], double speed, double by[STRIBECK_PARAMETERS])
{
    const double s = sense(speed), v_s = value[STRIBECK_V_S], j = value[STRIBECK_EXPONENT];
    const bool dip = v_s > 0;
    const double ratio = dip ? fabs(speed) / v_s : 1, power = dip ? pow(ratio, j) : 0, fall = dip ? exp(-power) : 0;
    by[STRIBECK_F_C] = s;
    by[STRIBECK_DIP] = s * fall;
    by[STRIBECK_V_S] = dip ? s * value[STRIBECK_DIP] * fall * power * j / v_s : 0;
    by[STRIBECK_EXPONENT] = -s * value[STRIBECK_DIP] * fall * power * log(ratio);
    by[STRIBECK_SIGMA_2] = speed;
    by[STRIBECK_F_0] = 1;
}

/* A viscous friction of 0 because it would be below is not known to be 0: the levels change with it. */
bool stribeck_is_unknown(const struct stribeck_fit *fit, int parameter)
{
    return fit->fitted[parameter] || parameter == STRIBECK_SIGMA_2;
}

/* Those that are not known; how many. */
static size_t places_of(const struct stribeck_fit *fit, int place[STRIBECK_PARAMETERS])
{
    size_t unknowns = 0;
    for (int k = 0; k < STRIBECK_PARAMETERS; k++)
        if (stribeck_is_unknown(fit, k))
            place[unknowns++] = k;
    return unknowns;
}

/* J'WJ and J'W(force - curve), of all parameters. */
struct normal_equations {
    double matrix[STRIBECK_PARAMETERS * STRIBECK_PARAMETERS], right[STRIBECK_PARAMETERS];
};

static struct normal_equations equations_at(const struct problem *problem, const struct stribeck_fit *fit)
{
    struct normal_equations equations = {{0}, {0}};
    double by[STRIBECK_PARAMETERS];
    for (size_t i = 0; i < problem->count; i++) {
        const struct curve_point *point = &problem->points[i];
        const double rest = point->force - force_of(fit->value, point->speed);
        derivatives(fit->value, point->speed, by);
        for (int a = 0; a < STRIBECK_PARAMETERS; a++) {
            equations.right[a] += point->weight * by[a] * rest;
            for (int b = 0; b < STRIBECK_PARAMETERS; b++)
                equations.matrix[a * STRIBECK_PARAMETERS + b] += point->weight * by[a] * by[b];
        }
    }
    return equations;
}

/* The step of v_s and j, as factors, by Gauss and Newton with Levenberg's damping. */
static bool step_of(const struct problem *problem, const struct stribeck_fit *fit, double damping, double factor[2])
{
    const struct normal_equations equations = equations_at(problem, fit);
    struct small_cholesky cholesky;
    double step[STRIBECK_PARAMETERS] = {0};
    if (!cholesky_factorise(equations.matrix, STRIBECK_PARAMETERS, fit->fitted, damping, 0, &cholesky))
        return false;
    cholesky_solve(&cholesky, equations.right, step);
    for (int k = 0; k < 2; k++) {
        const int parameter = k == 0 ? STRIBECK_V_S : STRIBECK_EXPONENT;
        factor[k] = exp(fmax(-1, fmin(1, step[parameter] / fit->value[parameter])));
    }
    return true;
}

/* From the grid's v_s and j to the minimum: the linear unknowns follow each step of these two. */
static void refine(const struct problem *problem, struct stribeck_fit *fit)
{
    double factor[2], damping = damping_first;
    for (int i = 0; i < REFINEMENTS && damping < damping_last; i++) {
        struct stribeck_fit tried = *fit;
        if (!step_of(problem, fit, damping, factor)) {
            damping *= damping_change;
            continue;
        }
        const double v_s = fit->value[STRIBECK_V_S] * factor[0], j = fit->value[STRIBECK_EXPONENT] * factor[1];
        tried.squares = j > exponent_least && j < exponent_most ? project(problem, v_s, j, &tried) : (double)INFINITY;
        const bool less = tried.squares < fit->squares;
        if (less)
            *fit = tried;
        damping *= less ? 1 / damping_change : damping_change;
        if (fabs(factor[0] - 1) + fabs(factor[1] - 1) < refined)
            break;
    }
}

/* Points whose neighbours are off the curve to the same side tell less than as many that are independent: the variance
 * of a mean of residuals with the correlation r from one to the next is (1 + r)/(1 - r) times that of independent ones.
 * Of n independent ones r is beyond the least, over sqrt(n), in one record of 44; up to that it is taken for none. A
 * curve with p unknowns lowers r by p/n, which is given back. With the most a variance is 39 times as large. */
static const double correlation_least = 2, correlation_most = 0.95;

static double variance_by_neighbours(const struct problem *problem, const struct stribeck_fit *fit)
{
    const double n = (double)problem->count;
    double products = 0, squares = 0, before = 0;
    for (size_t i = 0; i < problem->count; i++) {
        const struct curve_point *point = &problem->points[i];
        const double rest = sqrt(point->weight) * (point->force - force_of(fit->value, point->speed));
        products += rest * before;
        squares += rest * rest;
        before = rest;
    }
    if (!(products > squares * correlation_least / sqrt(n)))
        return 1;
    const double r = fmin(products / squares + (n - fit->freedom) / n, correlation_most);
    return (1 + r) / (1 - r);
}

/* A variance times the inverse of J'WJ by its eigenvectors, scaled to a unit diagonal, without those that are not seen.
 */
static void invert(const gsl_vector *eigenvalue, const gsl_matrix *eigenvector, const double *scale, const int *place,
                   double variance, struct stribeck_fit *fit)
{
    const size_t unknowns = eigenvalue->size;
    const double largest = gsl_vector_max(eigenvalue);
    for (size_t a = 0; a < unknowns; a++)
        for (size_t b = 0; b < unknowns; b++) {
            double sum = 0;
            for (size_t k = 0; k < unknowns; k++) {
                const double here = gsl_matrix_get(eigenvector, a, k), there = gsl_matrix_get(eigenvector, b, k);
                const bool seen = gsl_vector_get(eigenvalue, k) > eigenvalue_least * largest;
                sum += seen ? here * there / gsl_vector_get(eigenvalue, k)
                       : fabs(here) > part_most || fabs(there) > part_most ? (double)NAN
                                                                           : 0;
            }
            fit->covariance[place[a]][place[b]] = variance * sum * scale[a] * scale[b];
        }
}

static int find_covariance(const struct problem *problem, struct stribeck_fit *fit)
{
    const struct normal_equations equations = equations_at(problem, fit);
    double scale[STRIBECK_PARAMETERS];
    int place[STRIBECK_PARAMETERS];
    const size_t unknowns = places_of(fit, place);
    gsl_matrix *matrix = gsl_matrix_alloc(unknowns, unknowns), *vectors = gsl_matrix_alloc(unknowns, unknowns);
    gsl_vector *values = gsl_vector_alloc(unknowns);
    gsl_eigen_symmv_workspace *room = gsl_eigen_symmv_alloc(unknowns);
    const int error = matrix && vectors && values && room ? 0 : -ENOMEM;
    for (size_t a = 0; a < unknowns; a++) {
        const double diagonal = equations.matrix[place[a] * (STRIBECK_PARAMETERS + 1)];
        scale[a] = diagonal > 0 ? 1 / sqrt(diagonal) : 0;
    }
    for (size_t a = 0; a < unknowns && !error; a++)
        for (size_t b = 0; b < unknowns; b++)
            gsl_matrix_set(matrix, a, b,
                           equations.matrix[place[a] * STRIBECK_PARAMETERS + place[b]] * scale[a] * scale[b]);
    if (!error) {
        gsl_eigen_symmv(matrix, values, vectors, room);
        fit->common = variance_by_neighbours(problem, fit);
        invert(values, vectors, scale, place, fit->squares / fit->freedom * fit->common, fit);
    }
    gsl_matrix_free(matrix);
    gsl_matrix_free(vectors);
    gsl_vector_free(values);
    if (room)
        gsl_eigen_symmv_free(room);
    return error;
}

double stribeck_force(const struct stribeck_fit *fit, double speed, double *u)
{
    double by[STRIBECK_PARAMETERS], variance = 0;
    derivatives(fit->value, speed, by);
    for (int a = 0; a < STRIBECK_PARAMETERS; a++)
        for (int b = 0; b < STRIBECK_PARAMETERS; b++)
            variance +=
                stribeck_is_unknown(fit, a) && stribeck_is_unknown(fit, b) ? by[a] * by[b] * fit->covariance[a][b] : 0;
    *u = sqrt(variance);
    return force_of(fit->value, speed);
}

static void look_at(const struct curve_point *points, size_t count, struct problem *problem)
{
    bool forth = false, back = false;
    problem->slowest = INFINITY;
    problem->fastest = 0;
    for (size_t i = 0; i < count; i++) {
        forth = forth || points[i].speed > 0;
        back = back || points[i].speed < 0;
        problem->slowest = fmin(problem->slowest, fabs(points[i].speed));
        problem->fastest = fmax(problem->fastest, fabs(points[i].speed));
    }
    problem->both_ways = forth && back;
}

int stribeck_fit(const struct curve_point *points, size_t count, enum stribeck_model model, struct stribeck_fit *fit)
{
    struct problem problem = {.points = points, .count = count, .model = model};
    double v_s = 1, exponent = 1, weights = 0;
    look_at(points, count, &problem);
    *fit = (struct stribeck_fit){.model = model};
    if (model != STRIBECK_NONE) {
        scan(&problem, &v_s, &exponent);
        if (isnan(v_s))
            return -EDOM;
    }
    fit->squares = project(&problem, v_s, exponent, fit);
    if (model != STRIBECK_NONE)
        refine(&problem, fit);
    fit->freedom = (double)count;
    for (int k = 0; k < STRIBECK_PARAMETERS; k++) {
        fit->freedom -= fit->fitted[k];
        for (int l = 0; l < STRIBECK_PARAMETERS; l++)
            fit->covariance[k][l] = NAN;
    }
    if (!isfinite(fit->squares) || !(fit->freedom > 0))
        return -EDOM;
    for (size_t i = 0; i < count; i++)
        weights += points[i].weight;
    fit->residual = sqrt(fit->squares / weights);
    return find_covariance(&problem, fit);
}
