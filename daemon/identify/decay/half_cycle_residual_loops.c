/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/decay/half_cycle_residual_loops.h"

#include "identify/decay/half_cycle_pass_lanes.h"
#include "motion/loops.h"

/* Sums that a phase lag and the size of the motion are read from: r the residual, h the height above the curve's
 * constant. */
struct lag_sums {
    lanes rs, ss, rr, hh, h;
};

static inline void gather_lag(lanes r, lanes s, lanes height, struct lag_sums *lag)
{
    lag->rs += r * s;
    lag->ss += s * s;
    lag->rr += r * r;
    lag->hh += height * height;
    lag->h += height;
}

/* Where nothing is missing. */
static inline void write_residual(const struct compared *with, const double *y, const lanes *re, const lanes *im,
                                  double *residual, struct lag_sums *lag)
{
    const lanes height = *(const loose *)y * with->scale + with->shift;
    const lanes r = height - with->amplitude * (*re + with->beta * *im);
    *(loose *)residual = r;
    gather_lag(r, *im, height, lag);
}

/* The last samples, fewer than LANES. */
static inline void write_rest(const struct half_cycle_pass *pass, const struct compared *with, const double *y,
                              size_t left, const lanes *re, const lanes *im, double *residual, struct lag_sums *lag)
{
    lanes value;
    masks present;
    load_rest(pass, y, left, &value, &present);
    const lanes height = only(value * with->scale + with->shift, present);
    const lanes r = only(height - with->amplitude * (*re + with->beta * *im), present);
    for (size_t k = 0; k < left; k++)
        residual[k] = r[k];
    gather_lag(r, only(*im, present), height, lag);
}

/* From the sums about the curve's constant to those of the samples. */
static inline void end_lag(const struct lag_sums *in, double constant, double count, struct half_cycle_lag *lag)
{
    const double heights = total(&in->h);
    lag->residual_s += total(&in->rs);
    lag->s_s += total(&in->ss);
    lag->squares += total(&in->rr);
    lag->sample_squares += total(&in->hh) + constant * (2.0 * heights + count * constant);
    lag->sample_sum += heights + count * constant;
}

/* Residuals one by one, and what is asked of them. start: the phasor at theta. Two vectors of phasors, one behind
 * the other, so that neither waits for the other's products. */
static void write_residuals(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                            struct phasor start, const double *y, size_t count, double *residual,
                            struct half_cycle_lag *lag)
{
    struct lag_sums in = {{0}, {0}, {0}, {0}, {0}};
    const struct compared with = compared_with(pass, curve);
    const double once_re = pass->stride_re[LANES_KIND], once_im = pass->stride_im[LANES_KIND];
    const double twice_re = pass->twice.re, twice_im = pass->twice.im;
    for (size_t i = 0; i < count;) {
        struct phasors phasor;
        size_t end = count - i < LANES * ANCHOR_INTERVAL ? count : i + LANES * ANCHOR_INTERVAL;
        double theta_here = theta + (double)i * pass->omega_d;
        if (i > 0)
            start = phasor_at(pass->beta, theta_here);
        anchor_at(pass, theta_here, start, &phasor);
        lanes re = phasor.re, im = phasor.im;
        lanes next_re = re * once_re - im * once_im, next_im = re * once_im + im * once_re;
        for (; end - i >= 2 * LANES; i += 2 * LANES) {
            write_residual(&with, y + i, &re, &im, residual + i, &in);
            write_residual(&with, y + i + LANES, &next_re, &next_im, residual + i + LANES, &in);
            const lanes turned = re * twice_re - im * twice_im;
            const lanes next_turned = next_re * twice_re - next_im * twice_im;
            im = re * twice_im + im * twice_re;
            next_im = next_re * twice_im + next_im * twice_re;
            re = turned;
            next_re = next_turned;
        }
        if (end - i >= LANES) {
            write_residual(&with, y + i, &re, &im, residual + i, &in);
            re = next_re;
            im = next_im;
            i += LANES;
        }
        if (i < end)
            write_rest(pass, &with, y + i, end - i, &re, &im, residual + i, &in);
        i = end;
    }
    end_lag(&in, curve->constant, (double)count, lag);
    lag->samples += count;
}

/* The next values above a level, and 0 where none are left; present says where. */
static inline lanes heights(const struct half_cycle_pass *pass, double level, const double *y, size_t left,
                            masks *present)
{
    lanes value;
    if (left >= LANES) {
        *present = ~(masks){0};
        return (*(const loose *)y - pass->offset) * pass->scale - level;
    }
    load_rest(pass, y, left, &value, present);
    return only((value - pass->offset) * pass->scale - level, *present);
}

/* What tells motion from rest. start: the phasor at theta. */
static void sum_swing(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double level,
                      double theta, struct phasor start, const double *y, size_t count, struct swing_sums *sums)
{
    lanes in_h = {0}, hh = {0}, rr = {0};
    const double constant = curve->constant - level;
    for (size_t i = 0; i < count;) {
        struct phasors damped;
        size_t end = count - i < LANES * ANCHOR_INTERVAL ? count : i + LANES * ANCHOR_INTERVAL;
        double theta_here = theta + (double)i * pass->omega_d;
        if (i > 0)
            start = phasor_at(pass->beta, theta_here);
        anchor_at(pass, theta_here, start, &damped);
        for (; i < end; i += LANES) {
            masks present;
            const lanes h = heights(pass, level, y + i, end - i, &present);
            const lanes model = constant + curve->amplitude * (damped.re + pass->beta * damped.im);
            const lanes r = only(h - model, present);
            in_h += h;
            hh += h * h;
            rr += r * r;
            advance(pass, theta_here, &damped);
        }
        i = end;
    }
    *sums = (struct swing_sums){.h = total(&in_h), .hh = total(&hh), .rr = total(&rr)};
}

/* And rest from noise. */
static void sum_phase(const struct half_cycle_pass *phase, double level, double theta, const double *y, size_t count,
                      struct phase_sums *sums)
{
    lanes cosine = {0}, sine = {0}, with_cosine = {0}, with_sine = {0};
    for (size_t i = 0; i < count;) {
        struct phasors turning;
        size_t end = count - i < LANES * ANCHOR_INTERVAL ? count : i + LANES * ANCHOR_INTERVAL;
        double theta_here = theta + (double)i * phase->omega_d;
        anchor(phase, theta_here, &turning);
        for (; i < end; i += LANES) {
            masks present;
            const lanes h = heights(phase, level, y + i, end - i, &present);
            cosine += only(turning.re, present);
            sine += only(turning.im, present);
            with_cosine += turning.re * h;
            with_sine += turning.im * h;
            advance(phase, theta_here, &turning);
        }
        i = end;
    }
    *sums = (struct phase_sums){.cosine = total(&cosine),
                                .sine = total(&sine),
                                .with_cosine = total(&with_cosine),
                                .with_sine = total(&with_sine)};
}

const struct half_cycle_residual_loops LANES_TABLE(half_cycle_residual_loops) = {
    .write_residuals = write_residuals,
    .sum_swing = sum_swing,
    .sum_phase = sum_phase,
};
