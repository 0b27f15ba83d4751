/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/ladder_start.h"

#include "motion/small_cholesky.h"

#include <gsl/gsl_sf_bessel.h>
#include <math.h>
#include <string.h>

/* A straight fit with few unknowns, some of which are not negative. */
enum { UNKNOWNS_MOST = 4 };

struct line {
    double matrix[UNKNOWNS_MOST][UNKNOWNS_MOST], right[UNKNOWNS_MOST], squares;
    bool has[UNKNOWNS_MOST], not_negative[UNKNOWNS_MOST];
};

static void line_add(struct line *line, const double row[UNKNOWNS_MOST], double value, double weight)
{
    const double own = weight * weight;
    line->squares += own * value * value;
    for (size_t p = 0; p < UNKNOWNS_MOST; p++) {
        for (size_t q = 0; q < UNKNOWNS_MOST; q++)
            line->matrix[p][q] += own * row[p] * row[q];
        line->right[p] += own * row[p] * value;
    }
}

/* All subsets of the unknowns are few: the one inside the bounds that explains most. Returns what it leaves. */
static double line_solve(const struct line *line, double best[UNKNOWNS_MOST])
{
    double most = -INFINITY;
    memset(best, 0, sizeof(double[UNKNOWNS_MOST]));
    for (unsigned without = 0; without < 1u << UNKNOWNS_MOST; without++) {
        bool chosen[UNKNOWNS_MOST], inside = true;
        double x[UNKNOWNS_MOST] = {0};
        struct small_cholesky cholesky;
        for (size_t p = 0; p < UNKNOWNS_MOST; p++) {
            const bool left_out = without >> p & 1u;
            inside = inside && (!left_out || (line->has[p] && line->not_negative[p]));
            chosen[p] = line->has[p] && !left_out;
        }
        if (!inside || !cholesky_factorise(&line->matrix[0][0], UNKNOWNS_MOST, chosen, 0, 1e-12, &cholesky))
            continue;
        const double explained = cholesky_solve(&cholesky, line->right, x);
        for (size_t p = 0; p < UNKNOWNS_MOST; p++)
            inside = inside && !(line->not_negative[p] && x[p] < 0);
        if (inside && explained > most) {
            most = explained;
            memcpy(best, x, sizeof x);
        }
    }
    return fmax(line->squares - most, 0);
}

/* Amplitude of the half cycle that follows an extremum. */
static double amplitude(const struct ladder_data *data, size_t n)
{
    return 0.5 * fabs(data->extremum_value[n + 1] - data->extremum_value[n]);
}

/* What presliding leaves of Coulomb's loss. */
static double sliding(double amplitude, double x_d)
{
    return x_d > 0 ? 1 - tanh(amplitude / x_d) / (amplitude / x_d) : 1;
}

/* By how much it stiffens the motion. */
static double stiffening(double amplitude, double x_k, double x_d)
{
    if (!(x_d > 0))
        return 0;
    const double a = amplitude / x_d;
    return x_k / amplitude * (1 + tanh(a)) * gsl_sf_bessel_I1_scaled(a);
}

/* The amplitudes say what damps. */
static double start_damping(const struct ladder_data *data, unsigned terms, double x_d, double *parameters)
{
    enum { FIRST, VISCOUS, DRAG, COULOMB };
    struct line line = {.has = {true, ladder_terms_have(terms, LADDER_ZETA), ladder_terms_have(terms, LADDER_DRAG),
                                ladder_terms_have(terms, LADDER_X_K)},
                        .not_negative = {false, true, true, true}};
    double row[UNKNOWNS_MOST] = {1, 0, 0, 0}, found[UNKNOWNS_MOST];
    line_add(&line, row, amplitude(data, 0), 1);
    for (size_t n = 1; n + 1 < data->extrema; n++) {
        const double here = amplitude(data, n), mean = 0.5 * (amplitude(data, n - 1) + here);
        row[VISCOUS] -= M_PI * mean;
        row[DRAG] -= 4.0 / 3.0 * mean * mean;
        row[COULOMB] -= 2 * sliding(mean, x_d);
        line_add(&line, row, here, 1);
    }
    const double left = line_solve(&line, found);
    parameters[LADDER_ZETA] = found[VISCOUS];
    parameters[LADDER_DRAG] = found[DRAG];
    parameters[LADDER_X_K] = found[COULOMB];
    return left;
}

/* The centre of the swings says how unsymmetric the spring is. */
static void start_centre(const struct ladder_data *data, unsigned terms, double *parameters)
{
    enum { BIAS, SLOPE };
    struct line line = {.has = {true, ladder_terms_have(terms, LADDER_SQUARE)}};
    double found[UNKNOWNS_MOST];
    for (size_t n = 1; n + 1 < data->extrema; n++) {
        const double mean = 0.5 * (amplitude(data, n - 1) + amplitude(data, n));
        const double row[UNKNOWNS_MOST] = {1, -mean * mean / 3};
        line_add(&line, row,
                 0.25 * (data->extremum_value[n - 1] + 2 * data->extremum_value[n] + data->extremum_value[n + 1]), 1);
    }
    line_solve(&line, found);
    parameters[LADDER_BIAS] = found[BIAS];
    parameters[LADDER_SQUARE] = found[SLOPE];
}

/* The times say how the frequency depends on the amplitude. */
static double start_frequency(const struct ladder_data *data, unsigned terms, double *parameters)
{
    enum { T0, HALF_PERIOD, CUBIC };
    struct line line = {.has = {true, true, ladder_terms_have(terms, LADDER_CUBIC)}};
    const double k_2 = parameters[LADDER_SQUARE];
    double row[UNKNOWNS_MOST] = {1, 0, 0, 0}, found[UNKNOWNS_MOST];
    line_add(&line, row, data->extremum_time[0], data->height[0]);
    for (size_t n = 0; n + 1 < data->extrema; n++) {
        const double a = amplitude(data, n);
        row[HALF_PERIOD] +=
            1 + 5.0 / 12.0 * k_2 * k_2 * a * a - stiffening(a, parameters[LADDER_X_K], parameters[LADDER_X_D]);
        row[CUBIC] -= 3.0 / 8.0 * a * a;
        line_add(&line, row, data->extremum_time[n + 1], data->height[n + 1]);
    }
    const double left = line_solve(&line, found);
    parameters[LADDER_T0] = found[T0];
    parameters[LADDER_OMEGA_N] = M_PI / found[HALF_PERIOD];
    parameters[LADDER_CUBIC] = found[CUBIC] / found[HALF_PERIOD];
    return left;
}

double ladder_start(const struct ladder_data *data, unsigned terms, double x_d, double parameters[LADDER_PARAMETERS])
{
    memset(parameters, 0, LADDER_PARAMETERS * sizeof *parameters);
    parameters[LADDER_X_D] = ladder_terms_have(terms, LADDER_X_D) ? x_d : 0;
    double left = start_damping(data, terms, parameters[LADDER_X_D], parameters);
    start_centre(data, terms, parameters);
    left += start_frequency(data, terms, parameters);
    parameters[LADDER_X0] = data->extremum_value[0] - parameters[LADDER_BIAS];
    return left;
}
