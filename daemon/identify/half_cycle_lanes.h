/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of half_cycle_pass.c; lanes_each.h says how it is read. */

/* e^(-beta theta) (cos theta + i sin theta) in every lane, and theta itself. */
struct LANES_NAME(phasor) {
    LANES_NAME(lanes) re, im, theta, step;
};

LANES_TARGET static inline void LANES_NAME(anchor)(const struct half_cycle_pass *pass, double theta,
                                                   struct LANES_NAME(phasor) * phasor)
{
    const LANES_NAME(lanes) turn_re = *(const LANES_NAME(loose) *)pass->lane_re;
    const LANES_NAME(lanes) turn_im = *(const LANES_NAME(loose) *)pass->lane_im;
    const LANES_NAME(lanes) index = *(const LANES_NAME(loose) *)lane_index;
    double envelope = exp(-pass->beta * theta), re = envelope * cos(theta), im = envelope * sin(theta);
    phasor->re = re * turn_re - im * turn_im;
    phasor->im = re * turn_im + im * turn_re;
    phasor->theta = theta + pass->omega_d * index;
    phasor->step = index;
}

LANES_TARGET static inline void LANES_NAME(advance)(const struct half_cycle_pass *pass, double theta,
                                                    struct LANES_NAME(phasor) * phasor)
{
    const double turn_re = pass->stride_re[LANES_KIND], turn_im = pass->stride_im[LANES_KIND];
    LANES_NAME(lanes) re = phasor->re * turn_re - phasor->im * turn_im;
    phasor->im = phasor->re * turn_im + phasor->im * turn_re;
    phasor->re = re;
    phasor->step += (double)LANES;
    phasor->theta = theta + pass->omega_d * phasor->step;
}

/* The next LANES values; where fewer are left, 0 beyond them, and beyond them the phasor becomes 0 as well: then no
 * product counts there. Returns how many there are. */
LANES_TARGET static inline size_t LANES_NAME(load)(const double *y, size_t left, LANES_NAME(lanes) * value,
                                                   struct LANES_NAME(phasor) * phasor, LANES_NAME(lanes) * present)
{
    if (left >= LANES) {
        *value = *(const LANES_NAME(loose) *)y;
        return LANES;
    }
    double values[LANES] = {0}, presences[LANES] = {0};
    for (size_t k = 0; k < left; k++) {
        values[k] = y[k];
        presences[k] = 1.0;
    }
    *value = *(const LANES_NAME(loose) *)values;
    *present = *(const LANES_NAME(loose) *)presences;
    phasor->re *= *present;
    phasor->im *= *present;
    return left;
}

/* Sums with the residual; theta = theta of sample 0 + n omega_d, so that n stands for it. */
LANES_TARGET static void LANES_NAME(sum_residuals)(const struct half_cycle_pass *pass,
                                                   const struct half_cycle_curve *curve, double theta, const double *y,
                                                   size_t count, struct residual_sums *sums)
{
    LANES_NAME(lanes) in_r = {0}, gr = {0}, sr = {0}, ngr = {0}, nsr = {0}, rr = {0};
    const LANES_NAME(lanes) index = *(const LANES_NAME(loose) *)lane_index;
    const double scale = pass->scale, offset = pass->offset, beta = pass->beta;
    for (size_t i = 0; i < count;) {
        struct LANES_NAME(phasor) phasor;
        size_t end = count - i < LANES * ANCHOR_INTERVAL ? count : i + LANES * ANCHOR_INTERVAL;
        LANES_NAME(anchor)(pass, theta + (double)i * pass->omega_d, &phasor);
        const double turn_re = pass->stride_re[LANES_KIND], turn_im = pass->stride_im[LANES_KIND];
        LANES_NAME(lanes) re = phasor.re, im = phasor.im, n = index + (double)i;
        for (; end - i >= LANES; i += LANES) {
            const LANES_NAME(lanes) g = re + beta * im, turned = re * turn_re - im * turn_im;
            const LANES_NAME(lanes) r =
                (*(const LANES_NAME(loose) *)(y + i) - offset) * scale - curve->constant - curve->amplitude * g;
            const LANES_NAME(lanes) with_g = g * r, with_s = im * r;
            in_r += r;
            gr += with_g;
            sr += with_s;
            ngr += n * with_g;
            nsr += n * with_s;
            rr += r * r;
            im = re * turn_im + im * turn_re;
            re = turned;
            n += (double)LANES;
        }
        if (i < end) {
            LANES_NAME(lanes) value, present;
            phasor.re = re;
            phasor.im = im;
            LANES_NAME(load)(y + i, end - i, &value, &phasor, &present);
            const LANES_NAME(lanes) g = phasor.re + beta * phasor.im;
            const LANES_NAME(lanes) r = ((value - offset) * scale - curve->constant - curve->amplitude * g) * present;
            in_r += r;
            gr += g * r;
            sr += phasor.im * r;
            ngr += n * (g * r);
            nsr += n * (phasor.im * r);
            rr += r * r;
            i = end;
        }
    }
    *sums = (struct residual_sums){.r = LANES_NAME(total)(&in_r),
                                   .gr = LANES_NAME(total)(&gr),
                                   .sr = LANES_NAME(total)(&sr),
                                   .ngr = LANES_NAME(total)(&ngr),
                                   .nsr = LANES_NAME(total)(&nsr),
                                   .rr = LANES_NAME(total)(&rr)};
}

/* What an extremum asks for. */
LANES_TARGET static void LANES_NAME(sum_bends)(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve,
                                               double theta, const double *y, size_t count, struct bend_sums *sums)
{
    LANES_NAME(lanes) in_g = {0}, in_s = {0}, gg = {0}, gs = {0}, ss = {0}, in_r = {0}, gr = {0}, sr = {0}, rr = {0};
    for (size_t i = 0; i < count;) {
        struct LANES_NAME(phasor) phasor;
        size_t end = count - i < LANES * ANCHOR_INTERVAL ? count : i + LANES * ANCHOR_INTERVAL;
        double theta_here = theta + (double)i * pass->omega_d;
        LANES_NAME(anchor)(pass, theta_here, &phasor);
        for (; i < end; i += LANES) {
            LANES_NAME(lanes) value, present = {0};
            present += 1.0;
            LANES_NAME(load)(y + i, end - i, &value, &phasor, &present);
            const LANES_NAME(lanes) s = phasor.im, g = phasor.re + pass->beta * s;
            const LANES_NAME(lanes) model = curve->constant + curve->amplitude * g;
            const LANES_NAME(lanes) r = ((value - pass->offset) * pass->scale - model) * present;
            in_g += g;
            in_s += s;
            gg += g * g;
            gs += g * s;
            ss += s * s;
            in_r += r;
            gr += g * r;
            sr += s * r;
            rr += r * r;
            LANES_NAME(advance)(pass, theta_here, &phasor);
        }
        i = end;
    }
    *sums = (struct bend_sums){
        .g = LANES_NAME(total)(&in_g),
        .s = LANES_NAME(total)(&in_s),
        .gg = LANES_NAME(total)(&gg),
        .gs = LANES_NAME(total)(&gs),
        .ss = LANES_NAME(total)(&ss),
        .r = LANES_NAME(total)(&in_r),
        .gr = LANES_NAME(total)(&gr),
        .sr = LANES_NAME(total)(&sr),
        .rr = LANES_NAME(total)(&rr),
    };
}

LANES_TARGET static void LANES_NAME(sum_rounding)(const struct rounded_samples *samples,
                                                  const struct rounded_curve *curve, double sums[DECAY_BASES])
{
    /* Adding and taking away 1.5 * 2^52 leaves the nearest whole number: nobody may reorder that without -ffast-math.
     */
    const double whole = 6755399441055744.0;
    LANES_NAME(lanes) one = {0}, in_g = {0}, in_s = {0}, in_tg = {0}, in_ts = {0};
    for (size_t k = 0; k < samples->count; k += LANES) {
        const LANES_NAME(lanes) g = *(const LANES_NAME(loose) *)(samples->g + k);
        const LANES_NAME(lanes) s = *(const LANES_NAME(loose) *)(samples->s + k);
        const LANES_NAME(lanes) theta = *(const LANES_NAME(loose) *)(samples->theta + k);
        const LANES_NAME(lanes) steps = curve->constant + curve->g_part * g + curve->s_part * s;
        const LANES_NAME(lanes) error =
            (((steps + whole) - whole) - steps) * *(const LANES_NAME(loose) *)(samples->weight + k);
        one += error;
        in_g += g * error;
        in_s += s * error;
        in_tg += theta * (g * error);
        in_ts += theta * (s * error);
    }
    sums[BASE_ONE] = LANES_NAME(total)(&one);
    sums[BASE_G] = LANES_NAME(total)(&in_g);
    sums[BASE_S] = LANES_NAME(total)(&in_s);
    sums[BASE_THETA_G] = LANES_NAME(total)(&in_tg);
    sums[BASE_THETA_S] = LANES_NAME(total)(&in_ts);
}

/* g and s of count samples, for whoever needs them one by one. */
LANES_TARGET static void LANES_NAME(write_bases)(const struct half_cycle_pass *pass, double theta, size_t count,
                                                 double *g, double *s)
{
    struct LANES_NAME(phasor) phasor;
    for (size_t i = 0; i < count; i += LANES) {
        double theta_here = theta + (double)i * pass->omega_d;
        if (i % (LANES * ANCHOR_INTERVAL) == 0)
            LANES_NAME(anchor)(pass, theta_here, &phasor);
        const LANES_NAME(lanes) here = phasor.re + pass->beta * phasor.im;
        if (count - i >= LANES) {
            *(LANES_NAME(loose) *)(g + i) = here;
            *(LANES_NAME(loose) *)(s + i) = phasor.im;
        }
        for (size_t k = 0; k < LANES && count - i < LANES && i + k < count; k++) {
            g[i + k] = here[k];
            s[i + k] = phasor.im[k];
        }
        LANES_NAME(advance)(pass, theta_here, &phasor);
    }
}

/* Residuals one by one, and the sums that a phase lag is read from. */
LANES_TARGET static void LANES_NAME(write_residuals)(const struct half_cycle_pass *pass,
                                                     const struct half_cycle_curve *curve, double theta,
                                                     const double *y, size_t count, double *residual,
                                                     struct half_cycle_lag *lag)
{
    LANES_NAME(lanes) rs = {0}, ss = {0}, rr = {0}, yy = {0}, sum = {0};
    const double scale = pass->scale, offset = pass->offset;
    for (size_t i = 0; i < count;) {
        struct LANES_NAME(phasor) phasor;
        size_t end = count - i < LANES * ANCHOR_INTERVAL ? count : i + LANES * ANCHOR_INTERVAL;
        double theta_here = theta + (double)i * pass->omega_d;
        LANES_NAME(anchor)(pass, theta_here, &phasor);
        for (; i < end; i += LANES) {
            LANES_NAME(lanes) value, present = {0};
            present += 1.0;
            size_t taken = LANES_NAME(load)(y + i, end - i, &value, &phasor, &present);
            const LANES_NAME(lanes) s = phasor.im, scaled = (value - offset) * scale * present;
            const LANES_NAME(lanes) model = curve->constant + curve->amplitude * (phasor.re + pass->beta * s);
            const LANES_NAME(lanes) r = (scaled - model) * present;
            if (taken == LANES)
                *(LANES_NAME(loose) *)(residual + i) = r;
            for (size_t k = 0; taken < LANES && k < taken; k++)
                residual[i + k] = r[k];
            rs += r * s;
            ss += s * s;
            rr += r * r;
            yy += scaled * scaled;
            sum += scaled;
            LANES_NAME(advance)(pass, theta_here, &phasor);
        }
        i = end;
    }
    lag->residual_s += LANES_NAME(total)(&rs);
    lag->s_s += LANES_NAME(total)(&ss);
    lag->squares += LANES_NAME(total)(&rr);
    lag->sample_squares += LANES_NAME(total)(&yy);
    lag->sample_sum += LANES_NAME(total)(&sum);
    lag->samples += count;
}

/* Row by row: first W (G h), whose last column belongs to the gradient, then the rest times W'. columns is W'. */
LANES_TARGET static void LANES_NAME(add_derivatives)(const struct half_cycle_sums *sums,
                                                     double weights[FIT_PARAMETERS][DECAY_BASES],
                                                     double columns[DECAY_BASES][SUM_COLUMNS],
                                                     struct derivative_sums *total)
{
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        double row[SUM_COLUMNS];
        for (int c = 0; c < SUM_COLUMNS; c += LANES) {
            LANES_NAME(lanes) part = {0};
            for (int b = 0; b < DECAY_BASES; b++)
                part += weights[p][b] * *(const LANES_NAME(loose) *)(sums->base[b] + c);
            *(LANES_NAME(loose) *)(row + c) = part;
        }
        total->gradient[p] += row[SUM_RESIDUAL];
        for (int r = 0; r < SUM_COLUMNS; r += LANES) {
            LANES_NAME(lanes) part = *(const LANES_NAME(loose) *)(total->matrix[p] + r);
            for (int c = 0; c < DECAY_BASES; c++)
                part += row[c] * *(const LANES_NAME(loose) *)(columns[c] + r);
            *(LANES_NAME(loose) *)(total->matrix[p] + r) = part;
        }
    }
}

LANES_TARGET static void LANES_NAME(write_rows)(double columns[DECAY_BASES][SUM_COLUMNS], const double *theta,
                                                const double *g, const double *s, size_t count,
                                                double rows[][SUM_COLUMNS])
{
    for (int c = 0; c < SUM_COLUMNS; c += LANES) {
        LANES_NAME(lanes) column[DECAY_BASES];
        for (int b = 0; b < DECAY_BASES; b++)
            column[b] = *(const LANES_NAME(loose) *)(columns[b] + c);
        for (size_t k = 0; k < count; k++)
            *(LANES_NAME(loose) *)(rows[k] + c) = column[BASE_ONE] +
                                                  g[k] * (column[BASE_G] + theta[k] * column[BASE_THETA_G]) +
                                                  s[k] * (column[BASE_S] + theta[k] * column[BASE_THETA_S]);
    }
}

/* In two sums: the latest row, which was only just made, comes last. */
LANES_TARGET static void LANES_NAME(filter)(const double *coefficient, size_t order, size_t count,
                                            double rows[][SUM_COLUMNS], double outer[FIT_PARAMETERS][SUM_COLUMNS])
{
    for (size_t i = 0; i < count; i++) {
        double *row = rows[i];
        for (int c = 0; c < SUM_COLUMNS; c += LANES) {
            LANES_NAME(lanes) even = {0}, odd = *(const LANES_NAME(loose) *)(row + c);
            for (size_t k = order; k > 0; k--) {
                const double *earlier = row - k * SUM_COLUMNS + c;
                if (k % 2)
                    odd += coefficient[k - 1] * *(const LANES_NAME(loose) *)earlier;
                else
                    even += coefficient[k - 1] * *(const LANES_NAME(loose) *)earlier;
            }
            *(LANES_NAME(loose) *)(row + c) = even + odd;
        }
        for (int c = 0; c < SUM_COLUMNS; c += LANES) {
            const LANES_NAME(lanes) part = *(const LANES_NAME(loose) *)(row + c);
            for (int p = 0; p < FIT_PARAMETERS; p++)
                *(LANES_NAME(loose) *)(outer[p] + c) += row[p] * part;
        }
    }
}
