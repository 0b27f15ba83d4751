/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Of a half cycle, all but the sums over its samples costs the same however few these are. Half cycles are many, and
 * alike: so that part is done for a vector of them. */

#include "identify/decay/half_cycle_group_loops.h"

static void put_powers(struct half_cycle_group *group, size_t k, const struct half_cycle_powers *powers)
{
    for (int n = 0; n < POWERS; n++) {
        group->first_re[n][k] = powers->first.sum[n].re;
        group->first_im[n][k] = powers->first.sum[n].im;
        group->second_re[n][k] = powers->second.sum[n].re;
        group->second_im[n][k] = powers->second.sum[n].im;
        group->envelope[n][k] = powers->envelope.sum[n].re;
    }
}

static void put_residual(struct half_cycle_group *group, size_t k, const struct residual_sums *residual)
{
    group->r[k] = residual->r;
    group->gr[k] = residual->gr;
    group->sr[k] = residual->sr;
    group->ngr[k] = residual->ngr;
    group->nsr[k] = residual->nsr;
}

static void put_weights(struct half_cycle_group *group, size_t k, const struct decay_weights *weights)
{
    group->omega_n_s[k] = weights->omega_n_s;
    group->omega_n_theta_s[k] = weights->omega_n_theta_s;
    group->zeta_g[k] = weights->zeta_g;
    group->zeta_s[k] = weights->zeta_s;
    group->zeta_theta_g[k] = weights->zeta_theta_g;
    group->zeta_theta_s[k] = weights->zeta_theta_s;
    group->x_k_one[k] = weights->x_k_one;
    group->x_k_g[k] = weights->x_k_g;
    group->x0_g[k] = weights->x0_g;
    group->t0_s[k] = weights->t0_s;
}

static void put(struct half_cycle_group *group, size_t k, double theta, size_t count,
                const struct half_cycle_parts *parts, const struct decay_weights *weights)
{
    group->samples[k] = (double)count;
    group->theta[k] = theta;
    group->start_re[k] = parts->start.re;
    group->start_im[k] = parts->start.im;
    put_powers(group, k, parts->powers);
    put_residual(group, k, &parts->residual);
    put_weights(group, k, weights);
}

/* Adds the group to the sums, and empties it. */
static void close_group(struct half_cycle_group *group, const struct half_cycle_pass *pass, struct group_sums *sums)
{
    half_cycle_group_loops_of(pass->kind)->add_group(group, pass, sums);
    group->count = 0;
}

bool half_cycle_group_take(struct half_cycle_group *group, struct half_cycle_pass *pass,
                           const struct half_cycle_curve *curve, double theta, const double *displacement, size_t count,
                           const struct decay_weights *weights, struct group_sums *sums)
{
    struct half_cycle_parts parts;
    if (!half_cycle_parts_of(pass, curve, theta, displacement, count, &parts))
        return false;
    const size_t k = group->count++;
    put(group, k, theta, count, &parts, weights);
    sums->squares += parts.residual.rr;
    sums->samples += count;
    if (group->count == GROUP_MOST)
        close_group(group, pass, sums);
    return true;
}

void half_cycle_group_end(struct half_cycle_group *group, const struct half_cycle_pass *pass, struct group_sums *sums,
                          struct derivative_sums *total)
{
    const struct half_cycle_powers nothing = {.first = {.count = 0}};
    const struct half_cycle_parts no_parts = {.powers = &nothing};
    const struct decay_weights no_weights = {.t0_s = 0.0};
    for (size_t k = group->count; group->count && k < GROUP_MOST; k++)
        put(group, k, 0.0, 0, &no_parts, &no_weights);
    if (group->count)
        close_group(group, pass, sums);
    half_cycle_group_loops_of(pass->kind)->total_of_group(sums, total);
}
