/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inner loops of all fits. */

#include "identify/half_cycle_pass.h"

#include <math.h>

/* Rotations in a row before the phasors are computed afresh, which bounds what rounding gathers. */
enum { ANCHOR_INTERVAL = 64 };

static const double lane_index[8] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};

#define LANES_SOURCE "identify/half_cycle_lanes.h"
#include "identify/lanes_each.h"

/* e^((-beta + i) turned). */
static void rotation(double beta, double turned, double *re, double *im)
{
    double envelope = exp(-beta * turned);
    *re = envelope * cos(turned);
    *im = envelope * sin(turned);
}

struct half_cycle_pass half_cycle_pass_with(enum lanes_kind kind, const struct decay_shape *shape, double offset,
                                            double scale)
{
    struct half_cycle_pass pass = {
        .kind = kind, .beta = shape->beta, .omega_d = shape->omega_d, .offset = offset, .scale = scale};
    double re, im;
    rotation(pass.beta, pass.omega_d, &re, &im);
    pass.lane_re[0] = 1.0;
    for (int k = 1; k < 8; k++) {
        pass.lane_re[k] = pass.lane_re[k - 1] * re - pass.lane_im[k - 1] * im;
        pass.lane_im[k] = pass.lane_re[k - 1] * im + pass.lane_im[k - 1] * re;
    }
    /* Directly: an error of the stride is repeated with every step. */
    rotation(pass.beta, (double)(2 << kind) * pass.omega_d, &pass.stride_re[kind], &pass.stride_im[kind]);
    return pass;
}

void half_cycle_sums_add(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                         const double *displacement, size_t count, struct half_cycle_sums *sums)
{
    LANES_SWITCH(pass->kind, sum_products, pass, curve, theta, displacement, count, sums);
    sums->samples += count;
}

void bend_sums_of(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                  const double *displacement, size_t count, struct bend_sums *sums)
{
    LANES_SWITCH(pass->kind, sum_bends, pass, curve, theta, displacement, count, sums);
}

void half_cycle_sums_add_one(struct half_cycle_sums *sums, double theta, double g, double s, double residual)
{
    const double row[DECAY_BASES] = {1.0, g, s, theta * g, theta * s};
    for (int a = 0; a < DECAY_BASES; a++) {
        for (int b = a; b < DECAY_BASES; b++)
            sums->base[a][b] += row[a] * row[b];
        sums->base[a][SUM_RESIDUAL] += row[a] * residual;
    }
    sums->squares += residual * residual;
    sums->samples++;
}

void half_cycle_sums_complete(struct half_cycle_sums *sums)
{
    sums->base[BASE_ONE][BASE_ONE] = (double)sums->samples;
    sums->base[BASE_S][BASE_THETA_G] = sums->base[BASE_G][BASE_THETA_S]; /* both theta g s */
    for (int a = 0; a < DECAY_BASES; a++)
        for (int b = 0; b < a; b++)
            sums->base[a][b] = sums->base[b][a];
}

void rounding_sums(enum lanes_kind kind, const struct rounded_samples *samples, const struct rounded_curve *curve,
                   double sums[DECAY_BASES])
{
    LANES_SWITCH(kind, sum_rounding, samples, curve, sums);
}

void half_cycle_bases(const struct half_cycle_pass *pass, double theta, size_t count, double *g, double *s)
{
    LANES_SWITCH(pass->kind, write_bases, pass, theta, count, g, s);
}

void half_cycle_residuals(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                          const double *displacement, size_t count, double *residual, struct half_cycle_lag *lag)
{
    LANES_SWITCH(pass->kind, write_residuals, pass, curve, theta, displacement, count, residual, lag);
}

/* W', its rows as long as the widest vector. */
static void turn_over(double weights[FIT_PARAMETERS][DECAY_BASES], double columns[DECAY_BASES][SUM_COLUMNS])
{
    for (int b = 0; b < DECAY_BASES; b++)
        for (int p = 0; p < SUM_COLUMNS; p++)
            columns[b][p] = p < FIT_PARAMETERS ? weights[p][b] : 0.0;
}

void derivative_sums_add(enum lanes_kind kind, const struct half_cycle_sums *sums,
                         double weights[FIT_PARAMETERS][DECAY_BASES], struct derivative_sums *total)
{
    double columns[DECAY_BASES][SUM_COLUMNS];
    turn_over(weights, columns);
    LANES_SWITCH(kind, add_derivatives, sums, weights, columns, total);
}

void derivative_rows(enum lanes_kind kind, double weights[FIT_PARAMETERS][DECAY_BASES], const double *theta,
                     const double *g, const double *s, size_t count, double rows[][SUM_COLUMNS])
{
    double columns[DECAY_BASES][SUM_COLUMNS];
    turn_over(weights, columns);
    LANES_SWITCH(kind, write_rows, columns, theta, g, s, count, rows);
}

void filter_rows(enum lanes_kind kind, const double *coefficient, size_t order, size_t count,
                 double rows[][SUM_COLUMNS], double outer[FIT_PARAMETERS][SUM_COLUMNS])
{
    LANES_SWITCH(kind, filter, coefficient, order, count, rows, outer);
}
