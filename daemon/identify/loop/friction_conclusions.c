/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is known of a quantity follows from its gradient by the unknowns: along directions in which the sum of squares
 * does not change nothing is known. */

#include "identify/loop/friction_conclusions.h"

#include <assert.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_matrix.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HELD(fit, column) ((fit)->held & 1u << (column))

/* Directions of less than this share of the largest eigenvalue of the scaled J'J are not seen, nor is a quantity more
 * than this share of whose gradient is along them. */
static const double unseen_eigenvalue = 1e-9, unseen_share = 1e-3;

/* A dip of fewer standard uncertainties says nothing about its velocity. */
static const double dip_errors = 4;

static const double normal_95 = 1.959963985;

static const char *const lacks_term = "the model lacks this term";
static const char not_seen[] = "not seen: the record does not tell it apart from other parameters";
static const char *const at_bound = "not seen: the fit ran to the end of what the record can show";
static const char *const vanishes = "the term vanishes: at its bound 0";
static const char *const dip_in_noise = "not seen: the dip is below 4 of its standard uncertainties";
static const char *const other_speeds = "not seen: the Stribeck velocity is outside of the speeds of the record";

/* By the unknowns; of those with a logarithm by that. */
struct gradient {
    double by[FRICTION_UNKNOWNS];
};

struct knowledge {
    size_t count;
    enum friction_column free[FRICTION_UNKNOWNS];
    double scale[FRICTION_UNKNOWNS];                         /* unit diagonal of scaled J'J */
    double vector[FRICTION_UNKNOWNS][FRICTION_UNKNOWNS];     /* its eigenvectors */
    bool seen[FRICTION_UNKNOWNS];                            /* along each */
    double covariance[FRICTION_UNKNOWNS][FRICTION_UNKNOWNS]; /* of the scaled free ones, along what is seen */
};

static double symmetric(const struct friction_normal *normal, size_t a, size_t b)
{
    return a > b ? normal->sum[a][b] : normal->sum[b][a];
}

static void find_free(const struct friction_fit *fit, struct knowledge *of)
{
    of->count = 0;
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
        if (friction_column_used(&fit->point.row, c) && !HELD(fit, c) && fit->normal.sum[c][c] > 0) {
            of->scale[of->count] = 1 / sqrt(fit->normal.sum[c][c]);
            of->free[of->count++] = c;
        }
}

static bool find_directions(const struct friction_fit *fit, struct knowledge *of, double *eigenvalue)
{
    gsl_matrix *matrix = gsl_matrix_alloc(of->count, of->count), *vectors = gsl_matrix_alloc(of->count, of->count);
    gsl_vector *values = gsl_vector_alloc(of->count);
    gsl_eigen_symmv_workspace *space = gsl_eigen_symmv_alloc(of->count);
    const bool done = matrix && vectors && values && space;
    for (size_t i = 0; done && i < of->count; i++)
        for (size_t j = 0; j < of->count; j++)
            gsl_matrix_set(matrix, i, j,
                           of->scale[i] * of->scale[j] * symmetric(&fit->normal, of->free[i], of->free[j]));
    if (done && gsl_eigen_symmv(matrix, values, vectors, space) == 0) {
        const double largest = gsl_vector_max(values);
        for (size_t k = 0; k < of->count; k++) {
            eigenvalue[k] = gsl_vector_get(values, k);
            of->seen[k] = eigenvalue[k] > unseen_eigenvalue * largest;
            for (size_t i = 0; i < of->count; i++)
                of->vector[k][i] = gsl_matrix_get(vectors, i, k);
        }
    }
    gsl_matrix_free(matrix);
    gsl_matrix_free(vectors);
    gsl_vector_free(values);
    if (space)
        gsl_eigen_symmv_free(space);
    return done;
}

/* P J' Gamma J P, P the inverse of J'J along what is seen. */
static void find_covariance(const struct friction_normal *coloured, double innovation, const double *eigenvalue,
                            struct knowledge *of)
{
    double inverse[FRICTION_UNKNOWNS][FRICTION_UNKNOWNS] = {{0}}, half[FRICTION_UNKNOWNS][FRICTION_UNKNOWNS] = {{0}};
    for (size_t i = 0; i < of->count; i++)
        for (size_t j = 0; j < of->count; j++)
            for (size_t k = 0; k < of->count; k++)
                inverse[i][j] += of->seen[k] ? of->vector[k][i] * of->vector[k][j] / eigenvalue[k] : 0;
    for (size_t i = 0; i < of->count; i++)
        for (size_t j = 0; j < of->count; j++)
            for (size_t k = 0; k < of->count; k++)
                half[i][j] +=
                    inverse[i][k] * of->scale[k] * of->scale[j] * symmetric(coloured, of->free[k], of->free[j]);
    for (size_t i = 0; i < of->count; i++)
        for (size_t j = 0; j < of->count; j++) {
            of->covariance[i][j] = 0;
            for (size_t k = 0; k < of->count; k++)
                of->covariance[i][j] += innovation * half[i][k] * inverse[k][j];
        }
}

static double covariance_along(const struct knowledge *of, const struct gradient *one, const struct gradient *other)
{
    double sum = 0;
    for (size_t i = 0; i < of->count; i++)
        for (size_t j = 0; j < of->count; j++)
            sum += one->by[of->free[i]] * of->scale[i] * of->covariance[i][j] * of->scale[j] * other->by[of->free[j]];
    return sum;
}

static double variance_along(const struct knowledge *of, const struct gradient *gradient)
{
    return fmax(covariance_along(of, gradient, gradient), 0);
}

/* How a quantity changes along a direction, by a change of the scaled unknowns of 1. */
static double change_along(const struct knowledge *of, const struct gradient *gradient, size_t direction)
{
    double along = 0;
    for (size_t i = 0; i < of->count; i++)
        along += of->vector[direction][i] * of->scale[i] * gradient->by[of->free[i]];
    return along;
}

static bool is_seen(const struct knowledge *of, const struct gradient *gradient)
{
    double length = 0, unseen = 0;
    for (size_t k = 0; k < of->count; k++) {
        const double along = change_along(of, gradient, k);
        length += along * along;
        unseen += of->seen[k] ? 0 : along * along;
    }
    return length > 0 && unseen <= unseen_share * unseen_share * length;
}

/* A parameter in units of the record, with its gradient. */
struct quantity {
    double value;
    struct gradient gradient;
    bool logarithmic; /* positive: its interval is one of the logarithm */
};

static struct quantity product_of(double factor, const double *value, enum friction_column a, int power_a,
                                  enum friction_column b, int power_b)
{
    struct quantity of = {.logarithmic = true};
    of.value = factor * pow(value[a], power_a) * pow(value[b], power_b);
    of.gradient.by[a] = a < FRICTION_LINEAR ? power_a * of.value / value[a] : power_a * of.value;
    of.gradient.by[b] += power_b * of.value;
    return of;
}

static struct quantity linear_of(double factor, const double *value, enum friction_column c)
{
    struct quantity of = {.value = factor * value[c]};
    of.gradient.by[c] = factor;
    return of;
}

/* Of all elements of Maxwell-slip: their slip forces, and their stiffnesses. */
static struct quantity sum_of_elements(const struct friction_motion *motion, const struct friction_fit *fit,
                                       bool stiffnesses)
{
    struct quantity of = {.logarithmic = true};
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++) {
        const double length = motion->unit_displacement * fit->point.value[COLUMN_LENGTH + k];
        if (!(length > 0))
            continue;
        const double factor = motion->unit_force / (stiffnesses ? length : 1);
        const double part = factor * fit->point.value[COLUMN_ELEMENT + k];
        of.value += part;
        of.gradient.by[COLUMN_ELEMENT + k] = factor;
        of.gradient.by[COLUMN_LENGTH + k] = stiffnesses ? -part : 0;
    }
    return of;
}

/* A level of one direction, of the mean of both: 2 r/(1 + r) forwards, 2/(1 + r) backwards. */
static struct quantity level_towards(const struct friction_fit *fit, struct quantity mean, bool forward)
{
    const double ratio = fit->point.value[COLUMN_LEVELS], part = 2 * (forward ? ratio : 1) / (1 + ratio);
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
        mean.gradient.by[c] *= part;
    mean.gradient.by[COLUMN_LEVELS] = mean.value * (forward ? 2 : -2) * ratio / ((1 + ratio) * (1 + ratio));
    mean.value *= part;
    return mean;
}

/* The first over the second. */
static struct quantity ratio_of(const struct quantity *first, const struct quantity *second)
{
    struct quantity of = {.value = first->value / second->value, .logarithmic = true};
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
        of.gradient.by[c] = of.value * (first->gradient.by[c] / first->value - second->gradient.by[c] / second->value);
    return of;
}

static struct quantity slip_quantity_of(const struct friction_motion *motion, const struct friction_fit *fit,
                                        enum friction_parameter parameter)
{
    const struct quantity force = sum_of_elements(motion, fit, false), stiffness = sum_of_elements(motion, fit, true);
    const double ratio = fit->point.value[COLUMN_RATIO];
    struct quantity of = force;
    switch (parameter) {
    case FRICTION_X_D:
        return ratio_of(&force, &stiffness);
    case FRICTION_SIGMA_0:
        return stiffness;
    case FRICTION_F_S:
        of.value *= 1 + ratio;
        for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
            of.gradient.by[c] *= 1 + ratio;
        of.gradient.by[COLUMN_RATIO] = force.value * ratio;
        return of;
    default:
        return force;
    }
}

static struct quantity quantity_of(const struct friction_motion *motion, const struct friction_fit *fit,
                                   enum friction_parameter parameter)
{
    const double *value = fit->point.value, force = motion->unit_force, way = motion->unit_displacement;
    const double per_speed = force / motion->unit_velocity, stiffness = force / way;
    struct quantity of;
    if (fit->point.row.shape == FRICTION_MAXWELL && parameter <= FRICTION_F_S)
        return slip_quantity_of(motion, fit, parameter);
    switch (parameter) {
    case FRICTION_F_C:
        return linear_of(force, value, COLUMN_F_C);
    case FRICTION_X_D:
        return product_of(way, value, COLUMN_X_D, 1, COLUMN_START, 0);
    case FRICTION_SIGMA_0:
        return product_of(stiffness, value, COLUMN_F_C, 1, COLUMN_X_D, -1);
    case FRICTION_F_S:
        of = linear_of(force * (1 + value[COLUMN_RATIO]), value, COLUMN_F_C);
        of.gradient.by[COLUMN_RATIO] = force * value[COLUMN_F_C] * value[COLUMN_RATIO];
        return of;
    case FRICTION_V_S:
        return product_of(motion->unit_velocity, value, COLUMN_V_S, 1, COLUMN_START, 0);
    case FRICTION_SIGMA_1:
        return linear_of(per_speed, value, COLUMN_SIGMA_1);
    case FRICTION_SIGMA_2:
        return linear_of(per_speed, value, COLUMN_SIGMA_2);
    case FRICTION_K_X:
        return linear_of(stiffness, value, COLUMN_K_X);
    case FRICTION_Z_BA:
        return product_of(way, value, COLUMN_SHAPE, 1, COLUMN_X_D, 1);
    case FRICTION_N_BW:
        return product_of(1, value, COLUMN_SHAPE, 1, COLUMN_START, 0);
    case FRICTION_BETA_BW:
    case FRICTION_SIDES:
        return product_of(1, value, COLUMN_SHAPE_2, 1, COLUMN_START, 0);
    case FRICTION_GAP:
        return product_of(way, value, COLUMN_SHAPE, 1, COLUMN_START, 0);
    case FRICTION_LEVEL_RATIO:
        return product_of(1, value, COLUMN_LEVELS, 1, COLUMN_START, 0);
    case FRICTION_F_C_FORWARD:
    case FRICTION_F_C_BACKWARD:
        return level_towards(fit, quantity_of(motion, fit, FRICTION_F_C), parameter == FRICTION_F_C_FORWARD);
    case FRICTION_PATH_SLOPE:
        return linear_of(stiffness, value, COLUMN_PATH);
    case FRICTION_PATH_CURVATURE:
        return linear_of(stiffness / way, value, COLUMN_PATH_2);
    case FRICTION_PATH_MIDDLE:
        return (struct quantity){.value = motion->middle};
    case FRICTION_MOVED_MASS:
        return linear_of(force / motion->unit_acceleration, value, COLUMN_MASS);
    default: /* of displacement 0, not of the middle of the record's */
        of = linear_of(force, value, COLUMN_F_0);
        of.value -= stiffness * value[COLUMN_K_X] * motion->middle;
        of.gradient.by[COLUMN_K_X] = -stiffness * motion->middle;
        return of;
    }
}

/* Whether an unknown is a force at which the contact slips. */
static bool is_of_level(const struct friction_row *row, enum friction_column c)
{
    return friction_column_used(row, c) && (c == COLUMN_F_C || friction_is_slip_force(c));
}

static double level_of(const struct friction_fit *fit)
{
    double sum = 0;
    for (enum friction_column c = 0; c < FRICTION_LINEAR; c++)
        sum += is_of_level(&fit->point.row, c) ? fit->point.value[c] : 0;
    return sum;
}

/* Why the dip is not known; NULL: it is. */
static const char *dip_unknown(const struct friction_motion *motion, const struct friction_fit *fit,
                               const struct knowledge *of)
{
    const double *value = fit->point.value;
    struct gradient dip = {{0}};
    for (enum friction_column c = 0; c < FRICTION_LINEAR; c++)
        dip.by[c] = is_of_level(&fit->point.row, c) ? value[COLUMN_RATIO] : 0;
    dip.by[COLUMN_RATIO] = level_of(fit) * value[COLUMN_RATIO];
    if (HELD(fit, COLUMN_RATIO) || HELD(fit, COLUMN_V_S))
        return at_bound;
    if (!is_seen(of, &dip))
        return not_seen;
    if (value[COLUMN_V_S] > motion->fastest || value[COLUMN_V_S] < motion->slowest)
        return other_speeds;
    const double size = level_of(fit) * value[COLUMN_RATIO];
    return size < dip_errors * sqrt(variance_along(of, &dip)) ? dip_in_noise : NULL;
}

/* Whether an element slips in every sample, or never does. */
static bool has_length_at_bound(const struct friction_fit *fit)
{
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++)
        if (fit->point.row.shape == FRICTION_MAXWELL && fit->point.value[COLUMN_ELEMENT + k] > 0 &&
            HELD(fit, COLUMN_LENGTH + k))
            return true;
    return false;
}

static const char *unknown(const struct friction_motion *motion, const struct friction_fit *fit,
                           const struct knowledge *of, enum friction_parameter parameter,
                           const struct quantity *quantity)
{
    const bool dips = friction_row_has(&fit->point.row, FRICTION_F_S);
    const char *dip = dips ? dip_unknown(motion, fit, of) : NULL;
    if (!friction_row_has(&fit->point.row, parameter))
        return lacks_term;
    if (dip && (parameter == FRICTION_F_S || parameter == FRICTION_V_S))
        return dip;
    /* Beyond the speeds of the record a dip is but a bend of the viscous force, and of the level nothing is left. */
    if (dip == other_speeds && parameter == FRICTION_F_C)
        return dip;
    if ((parameter == FRICTION_X_D || parameter == FRICTION_SIGMA_0) && has_length_at_bound(fit))
        return at_bound;
    if (HELD(fit, COLUMN_X_D)) {
        const bool spring =
            fit->point.value[COLUMN_X_D] >= friction_bounds_of(motion, &fit->point.row, COLUMN_X_D).most;
        if (parameter == FRICTION_X_D || (spring ? parameter == FRICTION_F_C : parameter == FRICTION_SIGMA_0))
            return at_bound;
    }
    if ((parameter == FRICTION_Z_BA || parameter == FRICTION_N_BW || parameter == FRICTION_GAP) &&
        HELD(fit, COLUMN_SHAPE))
        return at_bound;
    if ((parameter == FRICTION_BETA_BW || parameter == FRICTION_SIDES) && HELD(fit, COLUMN_SHAPE_2))
        return at_bound;
    if ((parameter == FRICTION_LEVEL_RATIO || parameter == FRICTION_F_C_FORWARD ||
         parameter == FRICTION_F_C_BACKWARD) &&
        HELD(fit, COLUMN_LEVELS))
        return at_bound;
    if (quantity->value == 0 || parameter == FRICTION_PATH_MIDDLE)
        return NULL;
    return is_seen(of, &quantity->gradient) ? NULL : not_seen;
}

/* With its standard uncertainty and interval. */
static struct friction_figure known_figure(const struct knowledge *of, const struct quantity *quantity)
{
    struct friction_figure figure = {.value = quantity->value, .se = sqrt(variance_along(of, &quantity->gradient))};
    const double factor =
        quantity->logarithmic && quantity->value > 0 ? exp(normal_95 * figure.se / quantity->value) : 0;
    figure.logarithmic = factor > 0;
    figure.low = factor > 0 ? quantity->value / factor : quantity->value - normal_95 * figure.se;
    figure.high = factor > 0 ? quantity->value * factor : quantity->value + normal_95 * figure.se;
    return figure;
}

static struct friction_figure figure_of(const struct friction_motion *motion, const struct friction_fit *fit,
                                        const struct knowledge *of, enum friction_parameter parameter)
{
    const struct quantity quantity = quantity_of(motion, fit, parameter);
    struct friction_figure figure = {NAN, NAN, NAN, NAN, unknown(motion, fit, of, parameter, &quantity), NAN, false};
    if (figure.reason)
        return figure;
    if ((parameter == FRICTION_SIGMA_1 && HELD(fit, COLUMN_SIGMA_1)) ||
        (parameter == FRICTION_SIGMA_2 && HELD(fit, COLUMN_SIGMA_2)) ||
        (parameter == FRICTION_K_X && HELD(fit, COLUMN_K_X)) ||
        (parameter == FRICTION_MOVED_MASS && HELD(fit, COLUMN_MASS))) {
        figure.value = quantity.value;
        figure.reason = vanishes;
        return figure;
    }
    return known_figure(of, &quantity);
}

/* By their slip lengths; a length that is not known stands last. */
static int by_length(const void *a, const void *b)
{
    const double one = ((const struct friction_spectrum_line *)a)->slip_length.value;
    const double other = ((const struct friction_spectrum_line *)b)->slip_length.value;
    return (one > other || isnan(one)) - (one < other || isnan(other));
}

/* The elements that the fit found. */
static void conclude_elements(const struct friction_motion *motion, const struct friction_fit *fit,
                              const struct knowledge *of, struct friction_spectrum *spectrum)
{
    static const struct friction_figure unseen = {NAN, NAN, NAN, NAN, not_seen, NAN, false};
    spectrum->count = 0;
    for (enum friction_column c = COLUMN_ELEMENT; c < FRICTION_LINEAR; c++) {
        if (!friction_column_used(&fit->point.row, c) || HELD(fit, c))
            continue;
        const struct quantity force = linear_of(motion->unit_force, fit->point.value, c);
        const struct quantity length = product_of(motion->unit_displacement, fit->point.value,
                                                  c - COLUMN_ELEMENT + COLUMN_LENGTH, 1, COLUMN_START, 0);
        struct friction_spectrum_line *line = &spectrum->element[spectrum->count++];
        line->slip_length = is_seen(of, &length.gradient) ? known_figure(of, &length) : unseen;
        line->slip_force = is_seen(of, &force.gradient) ? known_figure(of, &force) : unseen;
    }
    qsort(spectrum->element, spectrum->count, sizeof spectrum->element[0], by_length);
}

/* What predictions begin with. A change of the scaled unknowns of 1 changes the force by as much as has squares that
 * sum up to 1, were it not for the others. */
static void tell_fitted(const struct friction_motion *motion, const struct friction_fit *fit,
                        const struct knowledge *of, struct friction_rung *rung)
{
    struct quantity quantity[FRICTION_FITTED];
    const double unseen = level_of(fit) * sqrt((double)motion->samples);
    size_t count = 0;
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++) {
        if (friction_parameter_follows(p) || !friction_row_has(&fit->point.row, p))
            continue;
        assert(count < FRICTION_FITTED);
        quantity[count] = quantity_of(motion, fit, p);
        rung->fitted[count] = (struct friction_fitted){.parameter = (int)p, .value = quantity[count].value};
        count++;
    }
    rung->fitted_count = count;
    for (size_t a = 0; a < count; a++) {
        rung->fitted[a].count = count;
        for (size_t b = 0; b < count; b++) {
            const struct gradient *one = &quantity[a].gradient, *other = &quantity[b].gradient;
            double *covariance = &rung->fitted[a].covariance[b];
            *covariance = covariance_along(of, one, other);
            for (size_t k = 0; k < of->count; k++)
                if (!of->seen[k])
                    *covariance += unseen * unseen * change_along(of, one, k) * change_along(of, other, k);
        }
    }
}

/* The unknowns without which a model is a simpler one. */
static unsigned terms_of(const struct friction_row *row)
{
    static const enum friction_column columns[] = {COLUMN_SIGMA_1, COLUMN_SIGMA_2, COLUMN_K_X,     COLUMN_RATIO,
                                                   COLUMN_V_S,     COLUMN_SHAPE,   COLUMN_SHAPE_2, COLUMN_LEVELS,
                                                   COLUMN_PATH,    COLUMN_PATH_2,  COLUMN_MASS};
    unsigned bits = 0;
    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++)
        bits |= friction_column_used(row, columns[k]) ? 1u << columns[k] : 0;
    return bits;
}

bool friction_is_reduced(const struct friction_fit *fit)
{
    return fit->held & terms_of(&fit->point.row);
}

static_assert(FRICTION_UNKNOWNS < 32, "every unknown has its bit");

void friction_conclude(const struct friction_motion *motion, const struct friction_fit *fit,
                       const struct ar_model *noise, struct friction_rung *rung)
{
    struct knowledge of;
    struct friction_normal coloured;
    double eigenvalue[FRICTION_UNKNOWNS];
    memset(&of, 0, sizeof of);
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++)
        rung->figure[p] = (struct friction_figure){NAN, NAN, NAN, NAN, lacks_term, NAN, false};
    rung->reduced = friction_is_reduced(fit);
    rung->verdict = level_of(fit) > 0 ? VERDICT_OK : VERDICT_UNDERDETERMINED;
    if (fit->abandoned)
        rung->verdict = VERDICT_NOT_CONVERGED;
    rung->spectrum.count = 0;
    rung->fitted_count = 0;
    rung->stribeck_exponent = fit->point.exponent;
    find_free(fit, &of);
    if (rung->verdict != VERDICT_OK)
        return;
    if (of.count == 0 || !find_directions(fit, &of, eigenvalue)) {
        rung->verdict = VERDICT_NO_MEMORY;
        return;
    }
    if (noise->order > 0)
        friction_pass_coloured(motion, &fit->point, noise, &coloured);
    find_covariance(noise->order > 0 ? &coloured : &fit->normal, noise->innovation, eigenvalue, &of);
    conclude_elements(motion, fit, &of, &rung->spectrum);
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++)
        rung->figure[p] = figure_of(motion, fit, &of, p);
    tell_fitted(motion, fit, &of, rung);
}
