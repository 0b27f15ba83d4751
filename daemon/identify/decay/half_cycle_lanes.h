/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of half_cycle_pass.c; lanes_each.h says how it is read. */

/* e^(-beta theta) (cos theta + i sin theta) in every lane, and theta itself. */
struct LANES_NAME(phasor) {
    LANES_NAME(lanes) re, im, theta, step;
};

/* start: the phasor at theta. */
LANES_TARGET static inline void LANES_NAME(anchor_at)(const struct half_cycle_pass *pass, double theta,
                                                      struct phasor start, struct LANES_NAME(phasor) * phasor)
{
    const LANES_NAME(lanes) turn_re = *(const LANES_NAME(loose) *)pass->lane_re;
    const LANES_NAME(lanes) turn_im = *(const LANES_NAME(loose) *)pass->lane_im;
    const LANES_NAME(lanes) index = *(const LANES_NAME(loose) *)lane_index;
    phasor->re = start.re * turn_re - start.im * turn_im;
    phasor->im = start.re * turn_im + start.im * turn_re;
    phasor->theta = theta + pass->omega_d * index;
    phasor->step = index;
}

LANES_TARGET static inline void LANES_NAME(anchor)(const struct half_cycle_pass *pass, double theta,
                                                   struct LANES_NAME(phasor) * phasor)
{
    LANES_NAME(anchor_at)(pass, theta, phasor_at(pass->beta, theta), phasor);
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

/* The last values, fewer than LANES, and which lanes they are; the other lanes may hold anything. */
LANES_TARGET static inline void LANES_NAME(load_rest)(const struct half_cycle_pass *pass, const double *y, size_t left,
                                                      LANES_NAME(lanes) * value, LANES_NAME(masks) * present)
{
    *present = (LANES_NAME(masks))(*(const LANES_NAME(loose) *)(presence + PRESENT - left));
    if (pass->beyond && (size_t)(pass->beyond - y) >= LANES) {
        *value = *(const LANES_NAME(loose) *)y;
        return;
    }
    /* A vector of what was just stored one by one has to wait: only where the record itself ends. */
    double values[LANES] = {0};
    for (size_t k = 0; k < left; k++)
        values[k] = y[k];
    *value = *(const LANES_NAME(loose) *)values;
}

/* The values that are there, and 0 in the place of the others, whatever they are. */
LANES_TARGET static inline LANES_NAME(lanes) LANES_NAME(only)(LANES_NAME(lanes) value, LANES_NAME(masks) present)
{
    return (LANES_NAME(lanes))((LANES_NAME(masks))value & present);
}

/* Sums with the residual, as they gather. later_…: the sum of all states of …, which stands for the product with the
 * place without a product: of v vectors the first is in it v times, the last once. */
struct LANES_NAME(gathered) {
    LANES_NAME(lanes) r, gr, sr, later_gr, later_sr, rr;
};

/* What some samples are compared with, the same for all of a half cycle: a scaled value plus shift is its height above
 * the curve's constant. */
struct LANES_NAME(compared) {
    double scale, shift, beta, amplitude;
};

LANES_TARGET static inline struct LANES_NAME(compared)
    LANES_NAME(compared_with)(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve)
{
    return (struct LANES_NAME(compared)){pass->scale, -pass->offset * pass->scale - curve->constant, pass->beta,
                                         curve->amplitude};
}

LANES_TARGET static inline void LANES_NAME(gather_residual)(LANES_NAME(lanes) r, LANES_NAME(lanes) g,
                                                            LANES_NAME(lanes) s, struct LANES_NAME(gathered) * sums)
{
    sums->r += r;
    sums->gr += g * r;
    sums->sr += s * r;
    sums->later_gr += sums->gr;
    sums->later_sr += sums->sr;
    sums->rr += r * r;
}

LANES_TARGET static inline void LANES_NAME(gather)(const struct LANES_NAME(compared) * with, const double *y,
                                                   const LANES_NAME(lanes) * re, const LANES_NAME(lanes) * im,
                                                   struct LANES_NAME(gathered) * sums)
{
    const LANES_NAME(lanes) g = *re + with->beta * *im,
                            height = *(const LANES_NAME(loose) *)y * with->scale + with->shift;
    LANES_NAME(gather_residual)(height - with->amplitude * g, g, *im, sums);
}

/* The last samples, fewer than LANES: beyond them the residual is 0, and with it all products. */
LANES_TARGET static inline void LANES_NAME(gather_rest)(const struct half_cycle_pass *pass,
                                                        const struct LANES_NAME(compared) * with, const double *y,
                                                        size_t left, const LANES_NAME(lanes) * re,
                                                        const LANES_NAME(lanes) * im,
                                                        struct LANES_NAME(gathered) * sums)
{
    LANES_NAME(lanes) value;
    LANES_NAME(masks) present;
    LANES_NAME(load_rest)(pass, y, left, &value, &present);
    const LANES_NAME(lanes) g = *re + with->beta * *im, height = value * with->scale + with->shift;
    LANES_NAME(gather_residual)(LANES_NAME(only)(height - with->amplitude * g, present), g, *im, sums);
}

/* From what was gathered of so many vectors. */
LANES_TARGET static inline void LANES_NAME(end_residuals)(const struct LANES_NAME(gathered) * in, double vectors,
                                                          struct residual_sums *sums)
{
    const LANES_NAME(lanes) lane = *(const LANES_NAME(loose) *)lane_index;
    const LANES_NAME(lanes) ngr = lane * in->gr + (double)LANES * (vectors * in->gr - in->later_gr);
    const LANES_NAME(lanes) nsr = lane * in->sr + (double)LANES * (vectors * in->sr - in->later_sr);
    *sums = (struct residual_sums){.r = LANES_NAME(total)(&in->r),
                                   .gr = LANES_NAME(total)(&in->gr),
                                   .sr = LANES_NAME(total)(&in->sr),
                                   .ngr = LANES_NAME(total)(&ngr),
                                   .nsr = LANES_NAME(total)(&nsr),
                                   .rr = LANES_NAME(total)(&in->rr)};
}

/* Sums with the residual; theta = theta of sample 0 + n omega_d, so that n stands for it. start: the phasor there. Two
 * vectors of phasors, one behind the other, so that neither waits for the other's products. */
LANES_TARGET static void LANES_NAME(sum_residuals)(const struct half_cycle_pass *pass,
                                                   const struct half_cycle_curve *curve, double theta,
                                                   struct phasor start, const double *y, size_t count,
                                                   struct residual_sums *sums)
{
    struct LANES_NAME(gathered) in = {{0}, {0}, {0}, {0}, {0}, {0}};
    const struct LANES_NAME(compared)
        with = {pass->scale, -pass->offset * pass->scale - curve->constant, pass->beta, curve->amplitude};
    const double once_re = pass->stride_re[LANES_KIND], once_im = pass->stride_im[LANES_KIND];
    const double twice_re = pass->twice.re, twice_im = pass->twice.im;
    for (size_t i = 0; i < count;) {
        struct LANES_NAME(phasor) phasor;
        size_t end = count - i < LANES * ANCHOR_INTERVAL ? count : i + LANES * ANCHOR_INTERVAL;
        if (i > 0)
            start = phasor_at(pass->beta, theta + (double)i * pass->omega_d);
        LANES_NAME(anchor_at)(pass, theta, start, &phasor);
        LANES_NAME(lanes) re = phasor.re, im = phasor.im;
        LANES_NAME(lanes) next_re = re * once_re - im * once_im, next_im = re * once_im + im * once_re;
        for (; end - i >= 2 * LANES; i += 2 * LANES) {
            LANES_NAME(gather)(&with, y + i, &re, &im, &in);
            LANES_NAME(gather)(&with, y + i + LANES, &next_re, &next_im, &in);
            const LANES_NAME(lanes) turned = re * twice_re - im * twice_im;
            const LANES_NAME(lanes) next_turned = next_re * twice_re - next_im * twice_im;
            im = re * twice_im + im * twice_re;
            next_im = next_re * twice_im + next_im * twice_re;
            re = turned;
            next_re = next_turned;
        }
        if (end - i >= LANES) {
            LANES_NAME(gather)(&with, y + i, &re, &im, &in);
            re = next_re;
            im = next_im;
            i += LANES;
        }
        if (i < end) {
            LANES_NAME(gather_rest)(pass, &with, y + i, end - i, &re, &im, &in);
            i = end;
        }
    }
    LANES_NAME(end_residuals)(&in, (double)((count + LANES - 1) / LANES), sums);
}

/* All sums of a half cycle, the first sample of which is at theta, where the phasor is start. */
LANES_TARGET static void LANES_NAME(add_sums)(const struct half_cycle_pass *pass,
                                              const struct half_cycle_powers *powers,
                                              const struct half_cycle_curve *curve, double theta, struct phasor start,
                                              const double *y, struct half_cycle_sums *sums)
{
    struct residual_sums residual;
    LANES_NAME(sum_residuals)(pass, curve, theta, start, y, powers->first.count, &residual);
    add_first_powers(powers, pass, theta, start, sums);
    add_second_powers(powers, pass, theta, start, sums);
    add_residuals(&residual, theta, pass->omega_d, sums);
    sums->samples += powers->first.count;
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
            LANES_NAME(lanes) value, s = phasor.im, g = phasor.re + pass->beta * s;
            LANES_NAME(masks) present = {0};
            if (end - i >= LANES) {
                value = *(const LANES_NAME(loose) *)(y + i);
                present = ~present;
            } else {
                LANES_NAME(load_rest)(pass, y + i, end - i, &value, &present);
                s = LANES_NAME(only)(s, present);
                g = LANES_NAME(only)(g, present);
            }
            const LANES_NAME(lanes) model = curve->constant + curve->amplitude * g;
            const LANES_NAME(lanes) r = LANES_NAME(only)((value - pass->offset) * pass->scale - model, present);
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
    struct LANES_NAME(phasor) phasor = {{0}, {0}, {0}, {0}};
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

/* Sums that a phase lag and the size of the motion are read from: r the residual, h the height above the curve's
 * constant. */
struct LANES_NAME(lag) {
    LANES_NAME(lanes) rs, ss, rr, hh, h;
};

LANES_TARGET static inline void LANES_NAME(gather_lag)(LANES_NAME(lanes) r, LANES_NAME(lanes) s,
                                                       LANES_NAME(lanes) height, struct LANES_NAME(lag) * lag)
{
    lag->rs += r * s;
    lag->ss += s * s;
    lag->rr += r * r;
    lag->hh += height * height;
    lag->h += height;
}

/* Where nothing is missing. */
LANES_TARGET static inline void LANES_NAME(write_residual)(const struct LANES_NAME(compared) * with, const double *y,
                                                           const LANES_NAME(lanes) * re, const LANES_NAME(lanes) * im,
                                                           double *residual, struct LANES_NAME(lag) * lag)
{
    const LANES_NAME(lanes) height = *(const LANES_NAME(loose) *)y * with->scale + with->shift;
    const LANES_NAME(lanes) r = height - with->amplitude * (*re + with->beta * *im);
    *(LANES_NAME(loose) *)residual = r;
    LANES_NAME(gather_lag)(r, *im, height, lag);
}

/* The last samples, fewer than LANES. */
LANES_TARGET static inline void LANES_NAME(write_rest)(const struct half_cycle_pass *pass,
                                                       const struct LANES_NAME(compared) * with, const double *y,
                                                       size_t left, const LANES_NAME(lanes) * re,
                                                       const LANES_NAME(lanes) * im, double *residual,
                                                       struct LANES_NAME(lag) * lag)
{
    LANES_NAME(lanes) value;
    LANES_NAME(masks) present;
    LANES_NAME(load_rest)(pass, y, left, &value, &present);
    const LANES_NAME(lanes) height = LANES_NAME(only)(value * with->scale + with->shift, present);
    const LANES_NAME(lanes) r = LANES_NAME(only)(height - with->amplitude * (*re + with->beta * *im), present);
    for (size_t k = 0; k < left; k++)
        residual[k] = r[k];
    LANES_NAME(gather_lag)(r, LANES_NAME(only)(*im, present), height, lag);
}

/* From the sums about the curve's constant to those of the samples. */
LANES_TARGET static inline void LANES_NAME(end_lag)(const struct LANES_NAME(lag) * in, double constant, double count,
                                                    struct half_cycle_lag *lag)
{
    const double heights = LANES_NAME(total)(&in->h);
    lag->residual_s += LANES_NAME(total)(&in->rs);
    lag->s_s += LANES_NAME(total)(&in->ss);
    lag->squares += LANES_NAME(total)(&in->rr);
    lag->sample_squares += LANES_NAME(total)(&in->hh) + constant * (2.0 * heights + count * constant);
    lag->sample_sum += heights + count * constant;
}

/* Residuals one by one, and what is asked of them. start: the phasor at theta. Two vectors of phasors, as above. */
LANES_TARGET static void LANES_NAME(write_residuals)(const struct half_cycle_pass *pass,
                                                     const struct half_cycle_curve *curve, double theta,
                                                     struct phasor start, const double *y, size_t count,
                                                     double *residual, struct half_cycle_lag *lag)
{
    struct LANES_NAME(lag) in = {{0}, {0}, {0}, {0}, {0}};
    const struct LANES_NAME(compared) with = LANES_NAME(compared_with)(pass, curve);
    const double once_re = pass->stride_re[LANES_KIND], once_im = pass->stride_im[LANES_KIND];
    const double twice_re = pass->twice.re, twice_im = pass->twice.im;
    for (size_t i = 0; i < count;) {
        struct LANES_NAME(phasor) phasor;
        size_t end = count - i < LANES * ANCHOR_INTERVAL ? count : i + LANES * ANCHOR_INTERVAL;
        double theta_here = theta + (double)i * pass->omega_d;
        if (i > 0)
            start = phasor_at(pass->beta, theta_here);
        LANES_NAME(anchor_at)(pass, theta_here, start, &phasor);
        LANES_NAME(lanes) re = phasor.re, im = phasor.im;
        LANES_NAME(lanes) next_re = re * once_re - im * once_im, next_im = re * once_im + im * once_re;
        for (; end - i >= 2 * LANES; i += 2 * LANES) {
            LANES_NAME(write_residual)(&with, y + i, &re, &im, residual + i, &in);
            LANES_NAME(write_residual)(&with, y + i + LANES, &next_re, &next_im, residual + i + LANES, &in);
            const LANES_NAME(lanes) turned = re * twice_re - im * twice_im;
            const LANES_NAME(lanes) next_turned = next_re * twice_re - next_im * twice_im;
            im = re * twice_im + im * twice_re;
            next_im = next_re * twice_im + next_im * twice_re;
            re = turned;
            next_re = next_turned;
        }
        if (end - i >= LANES) {
            LANES_NAME(write_residual)(&with, y + i, &re, &im, residual + i, &in);
            re = next_re;
            im = next_im;
            i += LANES;
        }
        if (i < end)
            LANES_NAME(write_rest)(pass, &with, y + i, end - i, &re, &im, residual + i, &in);
        i = end;
    }
    LANES_NAME(end_lag)(&in, curve->constant, (double)count, lag);
    lag->samples += count;
}

/* The next values above a level, and 0 where none are left; present says where. */
LANES_TARGET static inline LANES_NAME(lanes)
    LANES_NAME(heights)(const struct half_cycle_pass *pass, double level, const double *y, size_t left,
                        LANES_NAME(masks) * present)
{
    LANES_NAME(lanes) value;
    if (left >= LANES) {
        *present = ~(LANES_NAME(masks)){0};
        return (*(const LANES_NAME(loose) *)y - pass->offset) * pass->scale - level;
    }
    LANES_NAME(load_rest)(pass, y, left, &value, present);
    return LANES_NAME(only)((value - pass->offset) * pass->scale - level, *present);
}

/* What tells motion from rest. start: the phasor at theta. */
LANES_TARGET static void LANES_NAME(sum_swing)(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve,
                                               double level, double theta, struct phasor start, const double *y,
                                               size_t count, struct swing_sums *sums)
{
    LANES_NAME(lanes) in_h = {0}, hh = {0}, rr = {0};
    const double constant = curve->constant - level;
    for (size_t i = 0; i < count;) {
        struct LANES_NAME(phasor) damped;
        size_t end = count - i < LANES * ANCHOR_INTERVAL ? count : i + LANES * ANCHOR_INTERVAL;
        double theta_here = theta + (double)i * pass->omega_d;
        if (i > 0)
            start = phasor_at(pass->beta, theta_here);
        LANES_NAME(anchor_at)(pass, theta_here, start, &damped);
        for (; i < end; i += LANES) {
            LANES_NAME(masks) present;
            const LANES_NAME(lanes) h = LANES_NAME(heights)(pass, level, y + i, end - i, &present);
            const LANES_NAME(lanes) model = constant + curve->amplitude * (damped.re + pass->beta * damped.im);
            const LANES_NAME(lanes) r = LANES_NAME(only)(h - model, present);
            in_h += h;
            hh += h * h;
            rr += r * r;
            LANES_NAME(advance)(pass, theta_here, &damped);
        }
        i = end;
    }
    *sums =
        (struct swing_sums){.h = LANES_NAME(total)(&in_h), .hh = LANES_NAME(total)(&hh), .rr = LANES_NAME(total)(&rr)};
}

/* And rest from noise. */
LANES_TARGET static void LANES_NAME(sum_phase)(const struct half_cycle_pass *phase, double level, double theta,
                                               const double *y, size_t count, struct phase_sums *sums)
{
    LANES_NAME(lanes) cosine = {0}, sine = {0}, with_cosine = {0}, with_sine = {0};
    for (size_t i = 0; i < count;) {
        struct LANES_NAME(phasor) turning;
        size_t end = count - i < LANES * ANCHOR_INTERVAL ? count : i + LANES * ANCHOR_INTERVAL;
        double theta_here = theta + (double)i * phase->omega_d;
        LANES_NAME(anchor)(phase, theta_here, &turning);
        for (; i < end; i += LANES) {
            LANES_NAME(masks) present;
            const LANES_NAME(lanes) h = LANES_NAME(heights)(phase, level, y + i, end - i, &present);
            cosine += LANES_NAME(only)(turning.re, present);
            sine += LANES_NAME(only)(turning.im, present);
            with_cosine += turning.re * h;
            with_sine += turning.im * h;
            LANES_NAME(advance)(phase, theta_here, &turning);
        }
        i = end;
    }
    *sums = (struct phase_sums){.cosine = LANES_NAME(total)(&cosine),
                                .sine = LANES_NAME(total)(&sine),
                                .with_cosine = LANES_NAME(total)(&with_cosine),
                                .with_sine = LANES_NAME(total)(&with_sine)};
}

/* Column by column: first W (G h), the last of which belongs to the gradient, then the rest times W'. weights is W'.
 * The sums are taken one by one, since they were only just stored one by one: vectors of them would have to wait. */
LANES_TARGET static void LANES_NAME(add_derivatives)(const struct half_cycle_sums *sums,
                                                     double weights[DECAY_BASES][PARAMETER_COLUMNS],
                                                     struct derivative_sums *total)
{
    double column[SUM_RESIDUAL + 1][PARAMETER_COLUMNS];
    for (int r = 0; r < PARAMETER_COLUMNS; r += LANES) {
        for (int c = 0; c <= SUM_RESIDUAL; c++) {
            LANES_NAME(lanes) part = {0};
            for (int b = 0; b < DECAY_BASES; b++)
                part += sums->base[b][c] * *(const LANES_NAME(loose) *)(weights[b] + r);
            *(LANES_NAME(loose) *)(column[c] + r) = part;
        }
        *(LANES_NAME(loose) *)(total->gradient + r) += *(const LANES_NAME(loose) *)(column[SUM_RESIDUAL] + r);
    }
    for (int p = 0; p < CLOSED_FORM_PARAMETERS; p++)
        for (int r = 0; r < PARAMETER_COLUMNS; r += LANES) {
            LANES_NAME(lanes) part = *(const LANES_NAME(loose) *)(total->matrix[p] + r);
            for (int c = 0; c < DECAY_BASES; c++)
                part += column[c][p] * *(const LANES_NAME(loose) *)(weights[c] + r);
            *(LANES_NAME(loose) *)(total->matrix[p] + r) = part;
        }
}

LANES_TARGET static void LANES_NAME(write_rows)(double weights[DECAY_BASES][PARAMETER_COLUMNS], const double *theta,
                                                const double *g, const double *s, size_t count,
                                                double rows[][ROW_COLUMNS])
{
    for (int c = 0; c < PARAMETER_COLUMNS; c += LANES) {
        LANES_NAME(lanes) column[DECAY_BASES];
        for (int b = 0; b < DECAY_BASES; b++)
            column[b] = *(const LANES_NAME(loose) *)(weights[b] + c);
        for (size_t k = 0; k < count; k++)
            *(LANES_NAME(loose) *)(rows[k] + c) = column[BASE_ONE] +
                                                  g[k] * (column[BASE_G] + theta[k] * column[BASE_THETA_G]) +
                                                  s[k] * (column[BASE_S] + theta[k] * column[BASE_THETA_S]);
    }
}
