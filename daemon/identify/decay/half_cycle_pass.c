/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is asked of the samples of a half cycle; the loops over them are in half_cycle_pass_loops.c. */

#include "identify/decay/half_cycle_pass_loops.h"

#include <math.h>

/* Half cycles in a row before the phasor is computed afresh, which bounds what rounding gathers. */
enum { CARRIED_MOST = 16 };

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
    pass.twice = phasor_at(pass.beta, (double)(4 << kind) * pass.omega_d);
    return pass;
}

/* What z is for each of the powers, in their order. */
struct rotations_of_powers {
    struct phasor z[3];
};

static struct rotations_of_powers rotations_of(const struct half_cycle_pass *pass)
{
    const struct phasor z = {pass->lane_re[1], pass->lane_im[1]};
    return (struct rotations_of_powers){{z, {z.re * z.re + z.im * z.im, 0.0}, phasor_times(z, z)}};
}

static void powers_from(const struct rotations_of_powers *rotations, size_t count, struct half_cycle_powers *powers)
{
    power_sums_of_three(rotations->z, count, &powers->first, &powers->envelope, &powers->second);
}

/* As many samples as go into half a cycle, and one more. */
static void whole_powers(struct half_cycle_pass *pass)
{
    const struct rotations_of_powers rotations = rotations_of(pass);
    struct half_cycle_powers *powers = pass->powers;
    powers_from(&rotations, (size_t)(M_PI / pass->omega_d), &powers[0]);
    powers[1] = powers[0];
    power_sums_append(rotations.z[0], &powers[1].first);
    power_sums_append(rotations.z[1], &powers[1].envelope);
    power_sums_append(rotations.z[2], &powers[1].second);
}

/* The powers for so many samples: one of the two numbers of whole half cycles, or what a part of one has. */
static const struct half_cycle_powers *powers_of(struct half_cycle_pass *pass, size_t count)
{
    struct half_cycle_powers *powers = pass->powers;
    if (powers[1].first.count == 0)
        whole_powers(pass);
    for (int k = 0; k < 3; k++)
        if (powers[k].first.count == count)
            return &powers[k];
    const struct rotations_of_powers rotations = rotations_of(pass);
    powers_from(&rotations, count, &powers[2]);
    return &powers[2];
}

static struct phasor rotation_of(struct half_cycle_pass *pass, size_t count)
{
    struct half_cycle_rotation *rotations = pass->rotations;
    for (int k = 0; k < 2; k++)
        if (rotations[k].count == count)
            return rotations[k].rotation;
    rotations[1] = rotations[0];
    rotations[0] = (struct half_cycle_rotation){count, phasor_at(pass->beta, (double)count * pass->omega_d - M_PI)};
    return rotations[0].rotation;
}

/* A difference between theta and where the half cycle before led is rounding, and so small that the first order does.
 */
struct phasor half_cycle_phasor(struct half_cycle_pass *pass, double theta, size_t count)
{
    const double off = theta - (pass->theta + (double)pass->count * pass->omega_d - M_PI);
    if (pass->carried > 0 && fabs(off) < 1e-8) {
        pass->start = phasor_times(phasor_times(pass->start, rotation_of(pass, pass->count)),
                                   (struct phasor){1.0 - pass->beta * off, off});
    } else {
        pass->start = phasor_at(pass->beta, theta);
        pass->carried = 0;
    }
    pass->carried = pass->carried < CARRIED_MOST && pass->beta < 1.0 && count > 0 ? pass->carried + 1 : 0;
    pass->theta = theta;
    pass->count = count;
    return pass->start;
}

/* Where the samples cover so little of a half cycle that the closed forms would cancel: one by one. */
static void add_few(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                    const double *displacement, size_t count, struct half_cycle_sums *sums)
{
    enum { CHUNK = 64 };
    double g[CHUNK], s[CHUNK];
    for (size_t done = 0; done < count; done += CHUNK) {
        const size_t here = count - done < CHUNK ? count - done : CHUNK;
        const double from = theta + (double)done * pass->omega_d;
        half_cycle_bases(pass, from, here, g, s);
        for (size_t k = 0; k < here; k++) {
            const double y = (displacement[done + k] - pass->offset) * pass->scale;
            half_cycle_sums_add_one(sums, from + (double)k * pass->omega_d, g[k], s[k],
                                    y - curve->constant - curve->amplitude * g[k]);
        }
    }
}

/* Radians that samples must cover. */
static const double enough_turned = 0.7;

bool half_cycle_parts_of(struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                         const double *displacement, size_t count, struct half_cycle_parts *parts)
{
    if (!((double)count * pass->omega_d > enough_turned))
        return false;
    parts->powers = powers_of(pass, count);
    parts->start = half_cycle_phasor(pass, theta, count);
    half_cycle_pass_loops_of(pass->kind)
        ->sum_residuals(pass, curve, theta, parts->start, displacement, count, &parts->residual);
    return true;
}

void half_cycle_sums_add(struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                         const double *displacement, size_t count, struct half_cycle_sums *sums)
{
    if (!((double)count * pass->omega_d > enough_turned)) {
        add_few(pass, curve, theta, displacement, count, sums);
        return;
    }
    const struct half_cycle_powers *powers = powers_of(pass, count);
    const struct phasor start = half_cycle_phasor(pass, theta, count);
    half_cycle_pass_loops_of(pass->kind)->add_sums(pass, powers, curve, theta, start, displacement, sums);
}

void bend_sums_of(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                  const double *displacement, size_t count, struct bend_sums *sums)
{
    half_cycle_pass_loops_of(pass->kind)->sum_bends(pass, curve, theta, displacement, count, sums);
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
    half_cycle_pass_loops_of(kind)->sum_rounding(samples, curve, sums);
}

void half_cycle_bases(const struct half_cycle_pass *pass, double theta, size_t count, double *g, double *s)
{
    half_cycle_pass_loops_of(pass->kind)->write_bases(pass, theta, count, g, s);
}

void derivative_sums_add(enum lanes_kind kind, const struct half_cycle_sums *sums,
                         double weights[DECAY_BASES][PARAMETER_COLUMNS], struct derivative_sums *total)
{
    half_cycle_pass_loops_of(kind)->add_derivatives(sums, weights, total);
}

void derivative_rows(enum lanes_kind kind, double weights[DECAY_BASES][PARAMETER_COLUMNS], const double *theta,
                     const double *g, const double *s, size_t count, double rows[][ROW_COLUMNS])
{
    half_cycle_pass_loops_of(kind)->write_rows(weights, theta, g, s, count, rows);
}
