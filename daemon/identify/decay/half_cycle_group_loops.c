/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A lane is a half cycle. */

#include "identify/decay/half_cycle_group_loops.h"

#include "motion/loops.h"

/* Sums over the samples of products of the base functions; t stands for theta. */
struct products {
    lanes one_one, one_g, one_s, one_tg, one_ts, g_g, g_s, s_s, tg_g, tg_s, ts_s, tg_tg, tg_ts, ts_ts;
};

/* These lanes of a row. */
#define GROUP_LANES(row) (*(const loose *)((row) + k))

/* The base functions are linear in the phasor p = e^((-beta + i) theta): g = re p + beta im p, s = im p. */
static inline void sum_bases(const struct half_cycle_group *group, size_t k, double beta, double omega_d,
                             struct products *sums)
{
    const lanes theta = GROUP_LANES(group->theta);
    const lanes start_re = GROUP_LANES(group->start_re), start_im = GROUP_LANES(group->start_im);
    lanes g[2], s[2];
    for (int n = 0; n < 2; n++) {
        const lanes re = GROUP_LANES(group->first_re[n]), im = GROUP_LANES(group->first_im[n]);
        s[n] = start_re * im + start_im * re;
        g[n] = start_re * re - start_im * im + beta * s[n];
    }
    sums->one_one = GROUP_LANES(group->samples);
    sums->one_g = g[0];
    sums->one_s = s[0];
    sums->one_tg = theta * g[0] + omega_d * g[1];
    sums->one_ts = theta * s[0] + omega_d * s[1];
}

/* Their products: re² = (|p|² + re p²)/2, im² = (|p|² - re p²)/2, re im = im p²/2. */
static inline void sum_products(const struct half_cycle_group *group, size_t k, double beta, double omega_d,
                                struct products *sums)
{
    const lanes theta = GROUP_LANES(group->theta);
    const lanes start_re = GROUP_LANES(group->start_re), start_im = GROUP_LANES(group->start_im);
    const lanes envelope = start_re * start_re + start_im * start_im;
    const lanes twice_re = start_re * start_re - start_im * start_im, twice_im = 2.0 * start_re * start_im;
    lanes gg[POWERS], gs[POWERS], ss[POWERS];
    for (int n = 0; n < POWERS; n++) {
        const lanes re = GROUP_LANES(group->second_re[n]), im = GROUP_LANES(group->second_im[n]);
        const lanes both = envelope * GROUP_LANES(group->envelope[n]);
        const lanes second = twice_re * re - twice_im * im, mixed = 0.5 * (twice_re * im + twice_im * re);
        ss[n] = 0.5 * (both - second);
        gs[n] = mixed + beta * ss[n];
        gg[n] = 0.5 * (both + second) + beta * (2.0 * mixed + beta * ss[n]);
    }
    const lanes once = 2.0 * omega_d * theta, none = theta * theta;
    const double twice = omega_d * omega_d;
    sums->g_g = gg[0];
    sums->g_s = gs[0];
    sums->s_s = ss[0];
    sums->tg_g = theta * gg[0] + omega_d * gg[1];
    sums->tg_s = theta * gs[0] + omega_d * gs[1];
    sums->ts_s = theta * ss[0] + omega_d * ss[1];
    sums->tg_tg = none * gg[0] + once * gg[1] + twice * gg[2];
    sums->tg_ts = none * gs[0] + once * gs[1] + twice * gs[2];
    sums->ts_ts = none * ss[0] + once * ss[1] + twice * ss[2];
}

static inline void gather_in(double *sum, lanes value)
{
    *(loose *)sum += value;
}

static inline void add_gradient(const struct half_cycle_group *group, size_t k, double omega_d,
                                double gradient[FIT_PARAMETERS][GROUP_MOST])
{
    const lanes theta = GROUP_LANES(group->theta), r = GROUP_LANES(group->r);
    const lanes g = GROUP_LANES(group->gr), s = GROUP_LANES(group->sr);
    const lanes tg = theta * g + omega_d * GROUP_LANES(group->ngr);
    const lanes ts = theta * s + omega_d * GROUP_LANES(group->nsr);
    gather_in(gradient[FIT_OMEGA_N] + k, GROUP_LANES(group->omega_n_s) * s + GROUP_LANES(group->omega_n_theta_s) * ts);
    gather_in(gradient[FIT_ZETA] + k, GROUP_LANES(group->zeta_g) * g + GROUP_LANES(group->zeta_s) * s +
                                          GROUP_LANES(group->zeta_theta_g) * tg +
                                          GROUP_LANES(group->zeta_theta_s) * ts);
    gather_in(gradient[FIT_X_K] + k, GROUP_LANES(group->x_k_one) * r + GROUP_LANES(group->x_k_g) * g);
    gather_in(gradient[FIT_X0] + k, GROUP_LANES(group->x0_g) * g);
    gather_in(gradient[FIT_BIAS] + k, r);
    gather_in(gradient[FIT_T0] + k, GROUP_LANES(group->t0_s) * s);
}

/* Sums of one derivative's products with the base functions. */
struct derivative {
    lanes one, g, s, tg, ts;
};

/* One row of J'J from the columns of omega_n or zeta on. */
static inline void add_row(const struct half_cycle_group *group, size_t k, const struct derivative *with,
                           double row[FIT_PARAMETERS][GROUP_MOST])
{
    gather_in(row[FIT_ZETA] + k, GROUP_LANES(group->zeta_g) * with->g + GROUP_LANES(group->zeta_s) * with->s +
                                     GROUP_LANES(group->zeta_theta_g) * with->tg +
                                     GROUP_LANES(group->zeta_theta_s) * with->ts);
    gather_in(row[FIT_X_K] + k, GROUP_LANES(group->x_k_one) * with->one + GROUP_LANES(group->x_k_g) * with->g);
    gather_in(row[FIT_X0] + k, GROUP_LANES(group->x0_g) * with->g);
    gather_in(row[FIT_BIAS] + k, with->one);
    gather_in(row[FIT_T0] + k, GROUP_LANES(group->t0_s) * with->s);
}

static inline void add_omega_n_row(const struct half_cycle_group *group, size_t k, const struct products *sums,
                                   double row[FIT_PARAMETERS][GROUP_MOST])
{
    const lanes by_s = GROUP_LANES(group->omega_n_s), by_ts = GROUP_LANES(group->omega_n_theta_s);
    const struct derivative with = {
        .one = by_s * sums->one_s + by_ts * sums->one_ts,
        .g = by_s * sums->g_s + by_ts * sums->tg_s,
        .s = by_s * sums->s_s + by_ts * sums->ts_s,
        .tg = by_s * sums->tg_s + by_ts * sums->tg_ts,
        .ts = by_s * sums->ts_s + by_ts * sums->ts_ts,
    };
    gather_in(row[FIT_OMEGA_N] + k, by_s * with.s + by_ts * with.ts);
    add_row(group, k, &with, row);
}

static inline void add_zeta_row(const struct half_cycle_group *group, size_t k, const struct products *sums,
                                double row[FIT_PARAMETERS][GROUP_MOST])
{
    const lanes by_g = GROUP_LANES(group->zeta_g), by_s = GROUP_LANES(group->zeta_s);
    const lanes by_tg = GROUP_LANES(group->zeta_theta_g), by_ts = GROUP_LANES(group->zeta_theta_s);
    const struct derivative with = {
        .one = by_g * sums->one_g + by_s * sums->one_s + by_tg * sums->one_tg + by_ts * sums->one_ts,
        .g = by_g * sums->g_g + by_s * sums->g_s + by_tg * sums->tg_g + by_ts * sums->tg_s,
        .s = by_g * sums->g_s + by_s * sums->s_s + by_tg * sums->tg_s + by_ts * sums->ts_s,
        .tg = by_g * sums->tg_g + by_s * sums->tg_s + by_tg * sums->tg_tg + by_ts * sums->tg_ts,
        .ts = by_g * sums->tg_s + by_s * sums->ts_s + by_tg * sums->tg_ts + by_ts * sums->ts_ts,
    };
    add_row(group, k, &with, row);
}

/* The rows of x_k, X_0, bias and t_0, which are made of few base functions. */
static inline void add_last_rows(const struct half_cycle_group *group, size_t k, const struct products *sums,
                                 double matrix[FIT_PARAMETERS][FIT_PARAMETERS][GROUP_MOST])
{
    const lanes k_one = GROUP_LANES(group->x_k_one), k_g = GROUP_LANES(group->x_k_g);
    const lanes x0_g = GROUP_LANES(group->x0_g), t0_s = GROUP_LANES(group->t0_s);
    const lanes one = k_one * sums->one_one + k_g * sums->one_g, g = k_one * sums->one_g + k_g * sums->g_g;
    gather_in(matrix[FIT_X_K][FIT_X_K] + k, k_one * one + k_g * g);
    gather_in(matrix[FIT_X_K][FIT_X0] + k, x0_g * g);
    gather_in(matrix[FIT_X_K][FIT_BIAS] + k, one);
    gather_in(matrix[FIT_X_K][FIT_T0] + k, t0_s * (k_one * sums->one_s + k_g * sums->g_s));
    gather_in(matrix[FIT_X0][FIT_X0] + k, x0_g * x0_g * sums->g_g);
    gather_in(matrix[FIT_X0][FIT_BIAS] + k, x0_g * sums->one_g);
    gather_in(matrix[FIT_X0][FIT_T0] + k, x0_g * t0_s * sums->g_s);
    gather_in(matrix[FIT_BIAS][FIT_BIAS] + k, sums->one_one);
    gather_in(matrix[FIT_BIAS][FIT_T0] + k, t0_s * sums->one_s);
    gather_in(matrix[FIT_T0][FIT_T0] + k, t0_s * t0_s * sums->s_s);
}

static void add_group(const struct half_cycle_group *group, const struct half_cycle_pass *pass,
                      struct group_sums *total)
{
    const double beta = pass->beta, omega_d = pass->omega_d;
    for (size_t k = 0; k < group->count; k += LANES) {
        struct products sums;
        sum_bases(group, k, beta, omega_d, &sums);
        sum_products(group, k, beta, omega_d, &sums);
        add_gradient(group, k, omega_d, total->gradient);
        add_omega_n_row(group, k, &sums, total->matrix[FIT_OMEGA_N]);
        add_zeta_row(group, k, &sums, total->matrix[FIT_ZETA]);
        add_last_rows(group, k, &sums, total->matrix);
    }
}

static inline double total_of_row(const double row[GROUP_MOST])
{
    lanes sum = {0};
    for (size_t k = 0; k < GROUP_MOST; k += LANES)
        sum += *(const loose *)(row + k);
    return total(&sum);
}

static void total_of_group(const struct group_sums *sums, struct derivative_sums *total)
{
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        total->gradient[p] += total_of_row(sums->gradient[p]);
        for (int r = p; r < FIT_PARAMETERS; r++)
            total->matrix[p][r] += total_of_row(sums->matrix[p][r]);
    }
}

const struct half_cycle_group_loops LANES_TABLE(half_cycle_group_loops) = {.add_group = add_group,
                                                                           .total_of_group = total_of_group};
