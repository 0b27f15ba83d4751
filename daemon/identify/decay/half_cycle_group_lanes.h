/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of half_cycle_group.c; lanes_each.h says how it is read. A lane is a half cycle. */

/* Sums over the samples of products of the base functions; t stands for theta. */
struct LANES_NAME(products) {
    LANES_NAME(lanes) one_one, one_g, one_s, one_tg, one_ts, g_g, g_s, s_s, tg_g, tg_s, ts_s, tg_tg, tg_ts, ts_ts;
};

/* These lanes of a row. */
#define GROUP_LANES(row) (*(const LANES_NAME(loose) *)((row) + k))

/* The base functions are linear in the phasor p = e^((-beta + i) theta): g = re p + beta im p, s = im p. */
LANES_TARGET static inline void LANES_NAME(sum_bases)(const struct half_cycle_group *group, size_t k, double beta,
                                                      double omega_d, struct LANES_NAME(products) * sums)
{
    const LANES_NAME(lanes) theta = GROUP_LANES(group->theta);
    const LANES_NAME(lanes) start_re = GROUP_LANES(group->start_re), start_im = GROUP_LANES(group->start_im);
    LANES_NAME(lanes) g[2], s[2];
    for (int n = 0; n < 2; n++) {
        const LANES_NAME(lanes) re = GROUP_LANES(group->first_re[n]), im = GROUP_LANES(group->first_im[n]);
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
LANES_TARGET static inline void LANES_NAME(sum_products)(const struct half_cycle_group *group, size_t k, double beta,
                                                         double omega_d, struct LANES_NAME(products) * sums)
{
    const LANES_NAME(lanes) theta = GROUP_LANES(group->theta);
    const LANES_NAME(lanes) start_re = GROUP_LANES(group->start_re), start_im = GROUP_LANES(group->start_im);
    const LANES_NAME(lanes) envelope = start_re * start_re + start_im * start_im;
    const LANES_NAME(lanes) twice_re = start_re * start_re - start_im * start_im, twice_im = 2.0 * start_re * start_im;
    LANES_NAME(lanes) gg[POWERS], gs[POWERS], ss[POWERS];
    for (int n = 0; n < POWERS; n++) {
        const LANES_NAME(lanes) re = GROUP_LANES(group->second_re[n]), im = GROUP_LANES(group->second_im[n]);
        const LANES_NAME(lanes) both = envelope * GROUP_LANES(group->envelope[n]);
        const LANES_NAME(lanes) second = twice_re * re - twice_im * im, mixed = 0.5 * (twice_re * im + twice_im * re);
        ss[n] = 0.5 * (both - second);
        gs[n] = mixed + beta * ss[n];
        gg[n] = 0.5 * (both + second) + beta * (2.0 * mixed + beta * ss[n]);
    }
    const LANES_NAME(lanes) once = 2.0 * omega_d * theta, none = theta * theta;
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

LANES_TARGET static inline void LANES_NAME(gather_in)(double *sum, LANES_NAME(lanes) value)
{
    *(LANES_NAME(loose) *)sum += value;
}

LANES_TARGET static inline void LANES_NAME(add_gradient)(const struct half_cycle_group *group, size_t k, double omega_d,
                                                         double gradient[CLOSED_FORM_PARAMETERS][GROUP_MOST])
{
    const LANES_NAME(lanes) theta = GROUP_LANES(group->theta), r = GROUP_LANES(group->r);
    const LANES_NAME(lanes) g = GROUP_LANES(group->gr), s = GROUP_LANES(group->sr);
    const LANES_NAME(lanes) tg = theta * g + omega_d * GROUP_LANES(group->ngr);
    const LANES_NAME(lanes) ts = theta * s + omega_d * GROUP_LANES(group->nsr);
    LANES_NAME(gather_in)
    (gradient[FIT_OMEGA_N] + k, GROUP_LANES(group->omega_n_s) * s + GROUP_LANES(group->omega_n_theta_s) * ts);
    LANES_NAME(gather_in)
    (gradient[FIT_ZETA] + k, GROUP_LANES(group->zeta_g) * g + GROUP_LANES(group->zeta_s) * s +
                                 GROUP_LANES(group->zeta_theta_g) * tg + GROUP_LANES(group->zeta_theta_s) * ts);
    LANES_NAME(gather_in)(gradient[FIT_X_K] + k, GROUP_LANES(group->x_k_one) * r + GROUP_LANES(group->x_k_g) * g);
    LANES_NAME(gather_in)(gradient[FIT_X0] + k, GROUP_LANES(group->x0_g) * g);
    LANES_NAME(gather_in)(gradient[FIT_BIAS] + k, r);
    LANES_NAME(gather_in)(gradient[FIT_T0] + k, GROUP_LANES(group->t0_s) * s);
}

/* Sums of one derivative's products with the base functions. */
struct LANES_NAME(derivative) {
    LANES_NAME(lanes) one, g, s, tg, ts;
};

/* One row of J'J from the columns of omega_n or zeta on. */
LANES_TARGET static inline void LANES_NAME(add_row)(const struct half_cycle_group *group, size_t k,
                                                    const struct LANES_NAME(derivative) * with,
                                                    double row[CLOSED_FORM_PARAMETERS][GROUP_MOST])
{
    LANES_NAME(gather_in)
    (row[FIT_ZETA] + k, GROUP_LANES(group->zeta_g) * with->g + GROUP_LANES(group->zeta_s) * with->s +
                            GROUP_LANES(group->zeta_theta_g) * with->tg + GROUP_LANES(group->zeta_theta_s) * with->ts);
    LANES_NAME(gather_in)
    (row[FIT_X_K] + k, GROUP_LANES(group->x_k_one) * with->one + GROUP_LANES(group->x_k_g) * with->g);
    LANES_NAME(gather_in)(row[FIT_X0] + k, GROUP_LANES(group->x0_g) * with->g);
    LANES_NAME(gather_in)(row[FIT_BIAS] + k, with->one);
    LANES_NAME(gather_in)(row[FIT_T0] + k, GROUP_LANES(group->t0_s) * with->s);
}

LANES_TARGET static inline void LANES_NAME(add_omega_n_row)(const struct half_cycle_group *group, size_t k,
                                                            const struct LANES_NAME(products) * sums,
                                                            double row[CLOSED_FORM_PARAMETERS][GROUP_MOST])
{
    const LANES_NAME(lanes) by_s = GROUP_LANES(group->omega_n_s), by_ts = GROUP_LANES(group->omega_n_theta_s);
    const struct LANES_NAME(derivative) with = {
        .one = by_s * sums->one_s + by_ts * sums->one_ts,
        .g = by_s * sums->g_s + by_ts * sums->tg_s,
        .s = by_s * sums->s_s + by_ts * sums->ts_s,
        .tg = by_s * sums->tg_s + by_ts * sums->tg_ts,
        .ts = by_s * sums->ts_s + by_ts * sums->ts_ts,
    };
    LANES_NAME(gather_in)(row[FIT_OMEGA_N] + k, by_s * with.s + by_ts * with.ts);
    LANES_NAME(add_row)(group, k, &with, row);
}

LANES_TARGET static inline void LANES_NAME(add_zeta_row)(const struct half_cycle_group *group, size_t k,
                                                         const struct LANES_NAME(products) * sums,
                                                         double row[CLOSED_FORM_PARAMETERS][GROUP_MOST])
{
    const LANES_NAME(lanes) by_g = GROUP_LANES(group->zeta_g), by_s = GROUP_LANES(group->zeta_s);
    const LANES_NAME(lanes) by_tg = GROUP_LANES(group->zeta_theta_g), by_ts = GROUP_LANES(group->zeta_theta_s);
    const struct LANES_NAME(derivative) with = {
        .one = by_g * sums->one_g + by_s * sums->one_s + by_tg * sums->one_tg + by_ts * sums->one_ts,
        .g = by_g * sums->g_g + by_s * sums->g_s + by_tg * sums->tg_g + by_ts * sums->tg_s,
        .s = by_g * sums->g_s + by_s * sums->s_s + by_tg * sums->tg_s + by_ts * sums->ts_s,
        .tg = by_g * sums->tg_g + by_s * sums->tg_s + by_tg * sums->tg_tg + by_ts * sums->tg_ts,
        .ts = by_g * sums->tg_s + by_s * sums->ts_s + by_tg * sums->tg_ts + by_ts * sums->ts_ts,
    };
    LANES_NAME(add_row)(group, k, &with, row);
}

/* The rows of x_k, X_0, bias and t_0, which are made of few base functions. */
LANES_TARGET static inline void
LANES_NAME(add_last_rows)(const struct half_cycle_group *group, size_t k, const struct LANES_NAME(products) * sums,
                          double matrix[CLOSED_FORM_PARAMETERS][CLOSED_FORM_PARAMETERS][GROUP_MOST])
{
    const LANES_NAME(lanes) k_one = GROUP_LANES(group->x_k_one), k_g = GROUP_LANES(group->x_k_g);
    const LANES_NAME(lanes) x0_g = GROUP_LANES(group->x0_g), t0_s = GROUP_LANES(group->t0_s);
    const LANES_NAME(lanes) one = k_one * sums->one_one + k_g * sums->one_g, g = k_one * sums->one_g + k_g * sums->g_g;
    LANES_NAME(gather_in)(matrix[FIT_X_K][FIT_X_K] + k, k_one * one + k_g * g);
    LANES_NAME(gather_in)(matrix[FIT_X_K][FIT_X0] + k, x0_g * g);
    LANES_NAME(gather_in)(matrix[FIT_X_K][FIT_BIAS] + k, one);
    LANES_NAME(gather_in)(matrix[FIT_X_K][FIT_T0] + k, t0_s * (k_one * sums->one_s + k_g * sums->g_s));
    LANES_NAME(gather_in)(matrix[FIT_X0][FIT_X0] + k, x0_g * x0_g * sums->g_g);
    LANES_NAME(gather_in)(matrix[FIT_X0][FIT_BIAS] + k, x0_g * sums->one_g);
    LANES_NAME(gather_in)(matrix[FIT_X0][FIT_T0] + k, x0_g * t0_s * sums->g_s);
    LANES_NAME(gather_in)(matrix[FIT_BIAS][FIT_BIAS] + k, sums->one_one);
    LANES_NAME(gather_in)(matrix[FIT_BIAS][FIT_T0] + k, t0_s * sums->one_s);
    LANES_NAME(gather_in)(matrix[FIT_T0][FIT_T0] + k, t0_s * t0_s * sums->s_s);
}

LANES_TARGET static void LANES_NAME(add_group)(const struct half_cycle_group *group, const struct half_cycle_pass *pass,
                                               struct group_sums *total)
{
    const double beta = pass->beta, omega_d = pass->omega_d;
    for (size_t k = 0; k < group->count; k += LANES) {
        struct LANES_NAME(products) sums;
        LANES_NAME(sum_bases)(group, k, beta, omega_d, &sums);
        LANES_NAME(sum_products)(group, k, beta, omega_d, &sums);
        LANES_NAME(add_gradient)(group, k, omega_d, total->gradient);
        LANES_NAME(add_omega_n_row)(group, k, &sums, total->matrix[FIT_OMEGA_N]);
        LANES_NAME(add_zeta_row)(group, k, &sums, total->matrix[FIT_ZETA]);
        LANES_NAME(add_last_rows)(group, k, &sums, total->matrix);
    }
}

#undef GROUP_LANES

LANES_TARGET static inline double LANES_NAME(total_of_row)(const double row[GROUP_MOST])
{
    LANES_NAME(lanes) sum = {0};
    for (size_t k = 0; k < GROUP_MOST; k += LANES)
        sum += *(const LANES_NAME(loose) *)(row + k);
    return LANES_NAME(total)(&sum);
}

LANES_TARGET static void LANES_NAME(total_of_group)(const struct group_sums *sums, struct derivative_sums *total)
{
    for (int p = 0; p < CLOSED_FORM_PARAMETERS; p++) {
        total->gradient[p] += LANES_NAME(total_of_row)(sums->gradient[p]);
        for (int r = p; r < CLOSED_FORM_PARAMETERS; r++)
            total->matrix[p][r] += LANES_NAME(total_of_row)(sums->matrix[p][r]);
    }
}
