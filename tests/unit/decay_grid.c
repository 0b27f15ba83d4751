/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "decay_grid.h"

#include "identify/decay/damping_model.h"
#include "identify/decay/decay_minimiser.h"

#include <check.h>
#include <gsl/gsl_linalg.h>
#include <string.h>

double log_uniform(gsl_rng *rng, double low, double high)
{
    return low * pow(high / low, gsl_rng_uniform(rng));
}

/* The half cycles up to `wanted` after which more than 1.5 x_k and 2 % are left of the amplitude. */
static double half_cycles_in_motion(const struct true_decay *truth, double wanted)
{
    const double q = exp(-true_beta(truth) * M_PI);
    double left = fabs(truth->x0), least = fmax(1.5 * truth->x_k, 0.02 * left);
    for (double n = 0.0; n < wanted; n++) {
        left = q * left - (1.0 + q) * truth->x_k;
        if (left <= least)
            return n;
    }
    return wanted;
}

struct grid_decay random_grid_decay(gsl_rng *rng)
{
    struct grid_decay decay;
    struct true_decay *truth = &decay.truth;
    do {
        *truth = (struct true_decay){.omega_n = log_uniform(rng, 1.0, 1000.0)};
        truth->zeta = gsl_rng_uniform(rng) < 0.15 ? 0.0 : log_uniform(rng, 1e-4, 0.25);
        truth->x_k = gsl_rng_uniform(rng) < 0.15 ? 0.0 : log_uniform(rng, 1e-4, 0.15);
        truth->x0 = gsl_rng_uniform(rng) < 0.5 ? 1.0 : -1.0;
        truth->bias = gsl_rng_uniform(rng) < 0.5 ? 0.0 : gsl_ran_gaussian(rng, 3.0);
        decay.half_cycles = half_cycles_in_motion(truth, log_uniform(rng, 3.0, 150.0));
    } while (decay.half_cycles < 3.0);
    const double half_period = M_PI / true_omega_d(truth), per_cycle = log_uniform(rng, 20.0, 2000.0);
    struct sampling *sampling = &decay.sampling;
    *sampling = (struct sampling){.period_s = 2.0 * half_period / per_cycle, .noise = log_uniform(rng, 1e-4, 0.1)};
    if (gsl_rng_uniform(rng) < 0.3)
        sampling->step = fmin(sampling->noise * 2.0 * gsl_rng_uniform(rng), 0.05);
    truth->t0 = gsl_rng_uniform(rng) * half_period;
    sampling->count = (size_t)((truth->t0 + decay.half_cycles * half_period) / sampling->period_s) + 1;
    return decay;
}

double *decay_samples(const struct grid_decay *decay)
{
    const struct true_decay *truth = &decay->truth;
    const double beta = true_beta(truth), q = exp(-beta * M_PI), omega_d = true_omega_d(truth);
    /* From the half cycle before t0, which the extremum at t0 ends. */
    double sigma = truth->x0 < 0.0 ? 1.0 : -1.0, level = sigma * truth->x_k, half_cycle = -1.0;
    double x = -(truth->x0 - level) / q + level;
    double *y = malloc(decay->sampling.count * sizeof *y);
    ck_assert_ptr_nonnull(y);
    for (size_t i = 0; i < decay->sampling.count; i++) {
        double phase = omega_d * (decay->sampling.start_s + (double)i * decay->sampling.period_s - truth->t0);
        while (phase >= (half_cycle + 1.0) * M_PI) {
            x = -(x - level) * q + level;
            level = -level;
            half_cycle++;
        }
        double theta = phase - half_cycle * M_PI;
        y[i] = truth->bias + level + (x - level) * exp(-beta * theta) * (cos(theta) + beta * sin(theta));
    }
    return y;
}

void measure_samples(const double *exact, const struct grid_decay *decay, gsl_rng *rng, double *measured)
{
    const struct sampling *sampling = &decay->sampling;
    for (size_t i = 0; i < sampling->count; i++) {
        measured[i] = exact[i] + gsl_ran_gaussian_ziggurat(rng, sampling->noise);
        if (sampling->step > 0.0)
            measured[i] = round(measured[i] / sampling->step) * sampling->step;
    }
}

/* The truth's parameters in the order of enum fit_parameter. */
static double *parameter_of(struct true_decay *truth, int p)
{
    double *parameters[FIT_PARAMETERS] = {&truth->omega_n, &truth->zeta, &truth->x_k,
                                          &truth->x0,      &truth->bias, &truth->t0};
    return parameters[p];
}

/* dy/dp by central differences; NULL pointers never. */
static double *derivative_of(const struct grid_decay *decay, int p)
{
    const double scale[FIT_PARAMETERS] = {decay->truth.omega_n, 1.0, 1.0, 1.0, 1.0, 1.0 / decay->truth.omega_n};
    /* A frequency's error grows along the record. */
    double h = 1e-6 * scale[p] / (p == FIT_OMEGA_N || p == FIT_ZETA ? decay->half_cycles : 1.0);
    struct grid_decay above = *decay, below = *decay;
    *parameter_of(&above.truth, p) += h;
    *parameter_of(&below.truth, p) -= h;
    double *derivative = decay_samples(&above), *minus = decay_samples(&below);
    for (size_t i = 0; i < decay->sampling.count; i++)
        derivative[i] = (derivative[i] - minus[i]) / (2.0 * h);
    free(minus);
    return derivative;
}

bool cramer_rao(const struct grid_decay *decay, double bounds[FIT_PARAMETERS])
{
    const struct sampling *sampling = &decay->sampling;
    double *rows[FIT_PARAMETERS], unit[FIT_PARAMETERS], matrix[FIT_PARAMETERS * FIT_PARAMETERS];
    const size_t first = (size_t)fmax(ceil((decay->truth.t0 - sampling->start_s) / sampling->period_s), 0.0);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        rows[p] = derivative_of(decay, p);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++) {
            double sum = 0.0;
            for (size_t i = first; i < sampling->count; i++)
                sum += rows[p][i] * rows[r][i];
            matrix[p * FIT_PARAMETERS + r] = sum;
        }
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        free(rows[p]);
        unit[p] = 1.0 / sqrt(matrix[p * FIT_PARAMETERS + p]);
    }
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++)
            matrix[p * FIT_PARAMETERS + r] *= unit[p] * unit[r];
    gsl_matrix_view view = gsl_matrix_view_array(matrix, FIT_PARAMETERS, FIT_PARAMETERS);
    if (gsl_linalg_cholesky_decomp1(&view.matrix) || gsl_linalg_cholesky_invert(&view.matrix))
        return false;
    const double variance = sampling->noise * sampling->noise + sampling->step * sampling->step / 12.0;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        bounds[p] = unit[p] * sqrt(variance * matrix[p * FIT_PARAMETERS + p]);
    return true;
}

bool bound_applies(const struct grid_decay *decay, const double bounds[FIT_PARAMETERS])
{
    return bounds[FIT_ZETA] <= 0.25 * decay->truth.zeta && bounds[FIT_X_K] <= 0.25 * decay->truth.x_k &&
           decay->half_cycles >= 3.0 && decay->sampling.noise >= 0.5 * decay->sampling.step;
}

static struct decay_record record_of(const struct grid_decay *decay, const double *measured)
{
    return (struct decay_record){.displacement = measured,
                                 .count = decay->sampling.count,
                                 .start_s = decay->sampling.start_s,
                                 .period_s = decay->sampling.period_s,
                                 .first_extremum_s = NAN,
                                 .resolution = decay->sampling.step};
}

/* The optimum that a search from the truth reaches on the samples of the fit; the record's units. */
static double squares_from_truth(const struct decay_record *record, const struct true_decay *truth,
                                 const struct full_record_fit *fit)
{
    struct scaled_record scaled;
    struct normal_equations normal;
    ck_assert_int_eq(scaled_record_from(record, FIT_PARAMETERS + 1, &scaled), VERDICT_OK);
    double half_period = M_PI / true_omega_d(truth), parameters[FIT_PARAMETERS];
    double values[FIT_PARAMETERS] = {truth->omega_n, truth->zeta, truth->x_k, truth->x0, truth->bias, truth->t0};
    if (fit->estimate[FIT_T0].value <
        truth->t0 - 0.5 * half_period) { /* the half cycle before was whole enough to be used */
        double level = truth->x0 > 0.0 ? -truth->x_k : truth->x_k;
        values[FIT_X0] = -(truth->x0 - level) * exp(true_beta(truth) * M_PI) + level;
        values[FIT_T0] -= half_period;
    }
    scaled_from_record(&scaled, values, parameters);
    struct decay_minimiser minimiser = {.scaled = &scaled,
                                        .first = fit->range.first,
                                        .last = fit->range.last,
                                        .free = {.free = {true, true, true, true, true, true}},
                                        .passes_left = 1000};
    ck_assert_int_eq(decay_minimise(&minimiser, 1e-7, parameters, &normal), VERDICT_OK);
    return normal.sum_of_squares / scaled.scale / scaled.scale;
}

const char *how_lost(const struct decay_record *record, const struct grid_decay *decay,
                     const struct full_record_fit *fit)
{
    const struct estimate *estimates[] = {&fit->estimate[FIT_OMEGA_N], &fit->f_n_hz,           &fit->estimate[FIT_ZETA],
                                          &fit->estimate[FIT_X_K],     &fit->estimate[FIT_X0], &fit->estimate[FIT_BIAS],
                                          &fit->estimate[FIT_T0]};
    const double omega_n = decay->truth.omega_n;
    if (fit->verdict != VERDICT_OK)
        return verdict_name(fit->verdict);
    for (size_t n = 0; n < sizeof estimates / sizeof *estimates; n++)
        if (!isfinite(estimates[n]->value) || !(isfinite(estimates[n]->se) || estimates[n]->at_bound) ||
            !isfinite(estimates[n]->low) || !isfinite(estimates[n]->high))
            return "a figure is not finite";
    if (fabs(fit->estimate[FIT_OMEGA_N].value - omega_n) > fmax(0.01 * omega_n, 5.0 * fit->estimate[FIT_OMEGA_N].se))
        return "the frequency is off";
    if (!(fit->sum_of_squares <= squares_from_truth(record, &decay->truth, fit) * (1.0 + 1e-6)))
        return "the sum of squares is above the optimum";
    return NULL;
}

int count_lost(int records, unsigned long seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    struct full_record_workspace *workspace = full_record_workspace_create();
    const struct full_record_options options = {.model = DAMPING_VISCOUS_COULOMB, .workspace = workspace};
    int lost = 0;
    gsl_rng_set(rng, seed);
    for (int n = 0; n < records; n++) {
        struct grid_decay decay = random_grid_decay(rng);
        double *y = decay_samples(&decay);
        measure_samples(y, &decay, rng, y);
        struct decay_record record = record_of(&decay, y);
        struct full_record_fit fit;
        full_record_fit(&record, &options, &fit);
        const char *how = how_lost(&record, &decay, &fit);
        if (how) {
            lost++;
            printf("lost record %d: %s; zeta %g, x_k %g, %g half cycles, %zu samples, noise %g, step %g, t0 %g "
                   "half periods\n",
                   n, how, decay.truth.zeta, decay.truth.x_k, decay.half_cycles, decay.sampling.count,
                   decay.sampling.noise, decay.sampling.step, decay.truth.t0 * true_omega_d(&decay.truth) / M_PI);
        }
        free(y);
    }
    printf("%d random decays of seed %lu, %d lost\n", records, seed, lost);
    free(workspace);
    gsl_rng_free(rng);
    return lost;
}

int count_lost_of(const struct grid_decay *decay, int records, unsigned long seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    double *exact = decay_samples(decay), *measured = malloc(decay->sampling.count * sizeof *measured);
    int lost = 0;
    ck_assert_ptr_nonnull(measured);
    gsl_rng_set(rng, seed);
    for (int n = 0; n < records; n++) {
        measure_samples(exact, decay, rng, measured);
        struct decay_record record = record_of(decay, measured);
        struct full_record_fit fit;
        full_record_fit(&record, NULL, &fit);
        const char *how = how_lost(&record, decay, &fit);
        lost += how != NULL;
        if (how)
            printf("lost record %d: %s\n", n, how);
    }
    printf("%d records of seed %lu, %d lost\n", records, seed, lost);
    free(measured);
    free(exact);
    gsl_rng_free(rng);
    return lost;
}

/* A random cell where the bound applies. Half a sample after t0: no sample is left out by the noise in t0. */
static struct grid_decay random_cell(gsl_rng *rng, double bounds[FIT_PARAMETERS])
{
    struct grid_decay cell;
    do {
        cell = random_grid_decay(rng);
        cell.sampling.count -= (size_t)(cell.truth.t0 / cell.sampling.period_s);
        cell.truth.t0 = -0.5 * cell.sampling.period_s;
    } while (!(cell.truth.zeta > 0.0) || !(cell.truth.x_k > 0.0) || !cramer_rao(&cell, bounds) ||
             !bound_applies(&cell, bounds));
    return cell;
}

static void add_errors(const struct full_record_fit *fit, const struct true_decay *truth,
                       double squares[FIT_PARAMETERS])
{
    const struct estimate *estimates[FIT_PARAMETERS] = {&fit->estimate[FIT_OMEGA_N], &fit->estimate[FIT_ZETA],
                                                        &fit->estimate[FIT_X_K],     &fit->estimate[FIT_X0],
                                                        &fit->estimate[FIT_BIAS],    &fit->estimate[FIT_T0]};
    struct true_decay values = *truth;
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        double error = estimates[p]->value - *parameter_of(&values, p);
        squares[p] += error * error;
    }
}

static void cell_efficiency(const struct grid_decay *cell, const double bounds[FIT_PARAMETERS], int records,
                            gsl_rng *rng, struct full_record_workspace *workspace, double ratios[FIT_PARAMETERS])
{
    const struct full_record_options options = {.model = DAMPING_VISCOUS_COULOMB, .workspace = workspace};
    double *exact = decay_samples(cell), *measured = malloc(cell->sampling.count * sizeof *measured);
    double squares[FIT_PARAMETERS] = {0};
    ck_assert_ptr_nonnull(measured);
    for (int n = 0; n < records; n++) {
        struct full_record_fit fit;
        measure_samples(exact, cell, rng, measured);
        struct decay_record record = record_of(cell, measured);
        ck_assert_str_eq(verdict_name(full_record_fit(&record, &options, &fit)), "ok");
        add_errors(&fit, &cell->truth, squares);
    }
    for (int p = 0; p < FIT_PARAMETERS; p++)
        ratios[p] = sqrt(squares[p] / records) / bounds[p];
    free(measured);
    free(exact);
}

void efficiencies(int cells, int records, unsigned long seed, double *ratios)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    struct full_record_workspace *workspace = full_record_workspace_create();
    gsl_rng_set(rng, seed);
    printf("RMSE/bound of omega_n, zeta, x_k, x0, bias, t0 over %d records a cell, seed %lu\n", records, seed);
    for (int c = 0; c < cells; c++, ratios += FIT_PARAMETERS) {
        double bounds[FIT_PARAMETERS];
        struct grid_decay cell = random_cell(rng, bounds);
        cell_efficiency(&cell, bounds, records, rng, workspace, ratios);
        for (int p = 0; p < FIT_PARAMETERS; p++)
            printf(" %.3f", ratios[p]);
        printf("   zeta %.4g, x_k %.4g, %.3g half cycles, %zu samples, noise %.3g, step %.3g, bias %.3g\n",
               cell.truth.zeta, cell.truth.x_k, cell.half_cycles, cell.sampling.count, cell.sampling.noise,
               cell.sampling.step, cell.truth.bias);
    }
    free(workspace);
    gsl_rng_free(rng);
}
