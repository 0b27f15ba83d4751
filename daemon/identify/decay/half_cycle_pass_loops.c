/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inner loops of all fits. */

#include "identify/decay/half_cycle_pass_loops.h"

#include "identify/decay/half_cycle_pass_lanes.h"
#include "motion/loops.h"

/* Sums of theta^k x from those of n^k x, theta = start + n omega. */
static inline void shift_powers(double start, double omega, const double in_n[POWERS], double in_theta[POWERS])
{
    in_theta[0] = in_n[0];
    in_theta[1] = start * in_n[0] + omega * in_n[1];
    in_theta[2] = start * start * in_n[0] + omega * (2.0 * start * in_n[1] + omega * in_n[2]);
}

/* Sums of the base functions: they are linear in the phasor p = e^((-beta + i) theta), g = re p + beta im p. */
static inline void add_first_powers(const struct half_cycle_powers *powers, const struct half_cycle_pass *pass,
                                    double theta, struct phasor start, struct half_cycle_sums *sums)
{
    double re[POWERS], im[POWERS], in_re[POWERS], in_im[POWERS];
    for (int k = 0; k < POWERS; k++) {
        const struct phasor sum = phasor_times(start, powers->first.sum[k]);
        re[k] = sum.re;
        im[k] = sum.im;
    }
    shift_powers(theta, pass->omega_d, re, in_re);
    shift_powers(theta, pass->omega_d, im, in_im);
    double *one = sums->base[BASE_ONE];
    one[BASE_G] += in_re[0] + pass->beta * in_im[0];
    one[BASE_S] += in_im[0];
    one[BASE_THETA_G] += in_re[1] + pass->beta * in_im[1];
    one[BASE_THETA_S] += in_im[1];
}

/* Sums of their products: re² = (|p|² + re p²)/2, im² = (|p|² - re p²)/2, re im = im p²/2. */
static inline void add_second_powers(const struct half_cycle_powers *powers, const struct half_cycle_pass *pass,
                                     double theta, struct phasor start, struct half_cycle_sums *sums)
{
    const struct phasor squared = phasor_times(start, start);
    const double envelope = start.re * start.re + start.im * start.im, beta = pass->beta;
    double gg[POWERS], gs[POWERS], ss[POWERS], in_gg[POWERS], in_gs[POWERS], in_ss[POWERS];
    for (int k = 0; k < POWERS; k++) {
        const struct phasor second = phasor_times(squared, powers->second.sum[k]);
        const double both = envelope * powers->envelope.sum[k].re, mixed = 0.5 * second.im;
        ss[k] = 0.5 * (both - second.re);
        gs[k] = mixed + beta * ss[k];
        gg[k] = 0.5 * (both + second.re) + beta * (2.0 * mixed + beta * ss[k]);
    }
    shift_powers(theta, pass->omega_d, gg, in_gg);
    shift_powers(theta, pass->omega_d, gs, in_gs);
    shift_powers(theta, pass->omega_d, ss, in_ss);
    sums->base[BASE_G][BASE_G] += in_gg[0];
    sums->base[BASE_G][BASE_S] += in_gs[0];
    sums->base[BASE_G][BASE_THETA_G] += in_gg[1];
    sums->base[BASE_G][BASE_THETA_S] += in_gs[1];
    sums->base[BASE_S][BASE_S] += in_ss[0];
    sums->base[BASE_S][BASE_THETA_S] += in_ss[1];
    sums->base[BASE_THETA_G][BASE_THETA_G] += in_gg[2];
    sums->base[BASE_THETA_G][BASE_THETA_S] += in_gs[2];
    sums->base[BASE_THETA_S][BASE_THETA_S] += in_ss[2];
}

static inline void add_residuals(const struct residual_sums *residual, double theta, double omega_d,
                                 struct half_cycle_sums *sums)
{
    sums->base[BASE_ONE][SUM_RESIDUAL] += residual->r;
    sums->base[BASE_G][SUM_RESIDUAL] += residual->gr;
    sums->base[BASE_S][SUM_RESIDUAL] += residual->sr;
    sums->base[BASE_THETA_G][SUM_RESIDUAL] += theta * residual->gr + omega_d * residual->ngr;
    sums->base[BASE_THETA_S][SUM_RESIDUAL] += theta * residual->sr + omega_d * residual->nsr;
    sums->squares += residual->rr;
}

/* Sums with the residual, as they gather. later_…: the sum of all states of …, which stands for the product with the
 * place without a product: of v vectors the first is in it v times, the last once. */
struct gathered {
    lanes r, gr, sr, later_gr, later_sr, rr;
};

static inline void gather_residual(lanes r, lanes g, lanes s, struct gathered *sums)
{
    sums->r += r;
    sums->gr += g * r;
    sums->sr += s * r;
    sums->later_gr += sums->gr;
    sums->later_sr += sums->sr;
    sums->rr += r * r;
}

static inline void gather(const struct compared *with, const double *y, const lanes *re, const lanes *im,
                          struct gathered *sums)
{
    const lanes g = *re + with->beta * *im, height = *(const loose *)y * with->scale + with->shift;
    gather_residual(height - with->amplitude * g, g, *im, sums);
}

/* The last samples, fewer than LANES: beyond them the residual is 0, and with it all products. */
static inline void gather_rest(const struct half_cycle_pass *pass, const struct compared *with, const double *y,
                               size_t left, const lanes *re, const lanes *im, struct gathered *sums)
{
    lanes value;
    masks present;
    load_rest(pass, y, left, &value, &present);
    const lanes g = *re + with->beta * *im, height = value * with->scale + with->shift;
    gather_residual(only(height - with->amplitude * g, present), g, *im, sums);
}

/* From what was gathered of so many vectors. */
static inline void end_residuals(const struct gathered *in, double vectors, struct residual_sums *sums)
{
    const lanes lane = *(const loose *)lane_index;
    const lanes ngr = lane * in->gr + (double)LANES * (vectors * in->gr - in->later_gr);
    const lanes nsr = lane * in->sr + (double)LANES * (vectors * in->sr - in->later_sr);
    *sums = (struct residual_sums){.r = total(&in->r),
                                   .gr = total(&in->gr),
                                   .sr = total(&in->sr),
                                   .ngr = total(&ngr),
                                   .nsr = total(&nsr),
                                   .rr = total(&in->rr)};
}

/* Sums with the residual; theta = theta of sample 0 + n omega_d, so that n stands for it. start: the phasor there. Two
 * vectors of phasors, one behind the other, so that neither waits for the other's products. */
static void sum_residuals(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                          struct phasor start, const double *y, size_t count, struct residual_sums *sums)
{
    struct gathered in = {{0}, {0}, {0}, {0}, {0}, {0}};
    const struct compared with = compared_with(pass, curve);
    const double once_re = pass->stride_re[LANES_KIND], once_im = pass->stride_im[LANES_KIND];
    const double twice_re = pass->twice.re, twice_im = pass->twice.im;
    for (size_t i = 0; i < count;) {
        struct phasors phasor;
        size_t end = count - i < LANES * ANCHOR_INTERVAL ? count : i + LANES * ANCHOR_INTERVAL;
        if (i > 0)
            start = phasor_at(pass->beta, theta + (double)i * pass->omega_d);
        anchor_at(pass, theta, start, &phasor);
        lanes re = phasor.re, im = phasor.im;
        lanes next_re = re * once_re - im * once_im, next_im = re * once_im + im * once_re;
        for (; end - i >= 2 * LANES; i += 2 * LANES) {
            gather(&with, y + i, &re, &im, &in);
            gather(&with, y + i + LANES, &next_re, &next_im, &in);
            const lanes turned = re * twice_re - im * twice_im;
            const lanes next_turned = next_re * twice_re - next_im * twice_im;
            im = re * twice_im + im * twice_re;
            next_im = next_re * twice_im + next_im * twice_re;
            re = turned;
            next_re = next_turned;
        }
        if (end - i >= LANES) {
            gather(&with, y + i, &re, &im, &in);
            re = next_re;
            im = next_im;
            i += LANES;
        }
        if (i < end) {
            gather_rest(pass, &with, y + i, end - i, &re, &im, &in);
            i = end;
        }
    }
    end_residuals(&in, (double)((count + LANES - 1) / LANES), sums);
}

/* All sums of a half cycle, the first sample of which is at theta, where the phasor is start. */
static void add_sums(const struct half_cycle_pass *pass, const struct half_cycle_powers *powers,
                     const struct half_cycle_curve *curve, double theta, struct phasor start, const double *y,
                     struct half_cycle_sums *sums)
{
    struct residual_sums residual;
    sum_residuals(pass, curve, theta, start, y, powers->first.count, &residual);
    add_first_powers(powers, pass, theta, start, sums);
    add_second_powers(powers, pass, theta, start, sums);
    add_residuals(&residual, theta, pass->omega_d, sums);
    sums->samples += powers->first.count;
}

struct bends {
    lanes g, s, gg, gs, ss, r, gr, sr, rr;
};

static inline void gather_bend(lanes g, lanes s, lanes r, struct bends *in)
{
    in->g += g;
    in->s += s;
    in->gg += g * g;
    in->gs += g * s;
    in->ss += s * s;
    in->r += r;
    in->gr += g * r;
    in->sr += s * r;
    in->rr += r * r;
}

/* What an extremum asks for. */
static void sum_bends(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                      const double *y, size_t count, struct bend_sums *sums)
{
    struct bends in = {{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}};
    for (size_t i = 0; i < count;) {
        struct phasors phasor;
        size_t end = count - i < LANES * ANCHOR_INTERVAL ? count : i + LANES * ANCHOR_INTERVAL;
        double theta_here = theta + (double)i * pass->omega_d;
        anchor(pass, theta_here, &phasor);
        for (; i < end; i += LANES) {
            lanes value, s = phasor.im, g = phasor.re + pass->beta * s;
            masks present = {0};
            if (end - i >= LANES) {
                value = *(const loose *)(y + i);
                present = ~present;
            } else {
                load_rest(pass, y + i, end - i, &value, &present);
                s = only(s, present);
                g = only(g, present);
            }
            const lanes model = curve->constant + curve->amplitude * g;
            gather_bend(g, s, only((value - pass->offset) * pass->scale - model, present), &in);
            advance(pass, theta_here, &phasor);
        }
        i = end;
    }
    *sums = (struct bend_sums){.g = total(&in.g),
                               .s = total(&in.s),
                               .gg = total(&in.gg),
                               .gs = total(&in.gs),
                               .ss = total(&in.ss),
                               .r = total(&in.r),
                               .gr = total(&in.gr),
                               .sr = total(&in.sr),
                               .rr = total(&in.rr)};
}

static void sum_rounding(const struct rounded_samples *samples, const struct rounded_curve *curve,
                         double sums[DECAY_BASES])
{
    /* Adding and taking away 1.5 * 2^52 leaves the nearest whole number: nobody may reorder that without -ffast-math.
     */
    const double whole = 6755399441055744.0;
    lanes one = {0}, in_g = {0}, in_s = {0}, in_tg = {0}, in_ts = {0};
    for (size_t k = 0; k < samples->count; k += LANES) {
        const lanes g = *(const loose *)(samples->g + k);
        const lanes s = *(const loose *)(samples->s + k);
        const lanes theta = *(const loose *)(samples->theta + k);
        const lanes steps = curve->constant + curve->g_part * g + curve->s_part * s;
        const lanes error = (((steps + whole) - whole) - steps) * *(const loose *)(samples->weight + k);
        one += error;
        in_g += g * error;
        in_s += s * error;
        in_tg += theta * (g * error);
        in_ts += theta * (s * error);
    }
    sums[BASE_ONE] = total(&one);
    sums[BASE_G] = total(&in_g);
    sums[BASE_S] = total(&in_s);
    sums[BASE_THETA_G] = total(&in_tg);
    sums[BASE_THETA_S] = total(&in_ts);
}

/* g and s of count samples, for whoever needs them one by one. */
static void write_bases(const struct half_cycle_pass *pass, double theta, size_t count, double *g, double *s)
{
    struct phasors phasor = {{0}, {0}, {0}, {0}};
    for (size_t i = 0; i < count; i += LANES) {
        double theta_here = theta + (double)i * pass->omega_d;
        if (i % (LANES * ANCHOR_INTERVAL) == 0)
            anchor(pass, theta_here, &phasor);
        const lanes here = phasor.re + pass->beta * phasor.im;
        if (count - i >= LANES) {
            *(loose *)(g + i) = here;
            *(loose *)(s + i) = phasor.im;
        }
        for (size_t k = 0; k < LANES && count - i < LANES && i + k < count; k++) {
            g[i + k] = here[k];
            s[i + k] = phasor.im[k];
        }
        advance(pass, theta_here, &phasor);
    }
}

/* Column by column: first W (G h), the last of which belongs to the gradient, then the rest times W'. weights is W'.
 * The sums are taken one by one, since they were only just stored one by one: vectors of them would have to wait. */
static void add_derivatives(const struct half_cycle_sums *sums, double weights[DECAY_BASES][PARAMETER_COLUMNS],
                            struct derivative_sums *total)
{
    double column[SUM_RESIDUAL + 1][PARAMETER_COLUMNS];
    for (int r = 0; r < PARAMETER_COLUMNS; r += LANES) {
        for (int c = 0; c <= SUM_RESIDUAL; c++) {
            lanes part = {0};
            for (int b = 0; b < DECAY_BASES; b++)
                part += sums->base[b][c] * *(const loose *)(weights[b] + r);
            *(loose *)(column[c] + r) = part;
        }
        *(loose *)(total->gradient + r) += *(const loose *)(column[SUM_RESIDUAL] + r);
    }
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < PARAMETER_COLUMNS; r += LANES) {
            lanes part = *(const loose *)(total->matrix[p] + r);
            for (int c = 0; c < DECAY_BASES; c++)
                part += column[c][p] * *(const loose *)(weights[c] + r);
            *(loose *)(total->matrix[p] + r) = part;
        }
}

static void write_rows(double weights[DECAY_BASES][PARAMETER_COLUMNS], const double *theta, const double *g,
                       const double *s, size_t count, double rows[][ROW_COLUMNS])
{
    for (int c = 0; c < PARAMETER_COLUMNS; c += LANES) {
        lanes column[DECAY_BASES];
        for (int b = 0; b < DECAY_BASES; b++)
            column[b] = *(const loose *)(weights[b] + c);
        for (size_t k = 0; k < count; k++)
            *(loose *)(rows[k] + c) = column[BASE_ONE] + g[k] * (column[BASE_G] + theta[k] * column[BASE_THETA_G]) +
                                      s[k] * (column[BASE_S] + theta[k] * column[BASE_THETA_S]);
    }
}

const struct half_cycle_pass_loops LANES_TABLE(half_cycle_pass_loops) = {
    .sum_residuals = sum_residuals,
    .add_sums = add_sums,
    .sum_bends = sum_bends,
    .sum_rounding = sum_rounding,
    .write_bases = write_bases,
    .add_derivatives = add_derivatives,
    .write_rows = write_rows,
};
