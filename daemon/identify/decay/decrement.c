/* SPDX-License-Identifier: GPL-3.0-or-later */

/* LF 1998 formula by formula, in its own symbols: Y the measured extrema, i and j the extrema at which beta and x_k
 * are read off, m the half cycles between, delta the error of an extremum. */

#include "identify/decay/decrement.h"

#include "motion/half_cycle_law.h"

#include <math.h>
#include <stdlib.h>

/* LF 1998 Eq. 12 solved for beta; NAN where the ratio has the wrong sign and therefore no logarithm. */
static double cumulative_beta(const double *y, size_t i, size_t m)
{
    double early = y[i + 1] - y[i - 1];
    if (early == 0)
        return NAN;
    double ratio = (y[i + m + 1] - y[i + m - 1]) / early;
    if (m % 2 == 1)
        ratio = -ratio;
    return isfinite(ratio) && ratio > 0 ? -log(ratio) / ((double)m * M_PI) : NAN;
}

/* LF 1998 Eq. 9 solved for x_k. The printed signs are those of a record that starts at a crest; one that starts at a
 * trough has them reversed. */
static double coulomb_step(const double *y, size_t j, double beta)
{
    const double q = law_q(beta);
    double side = j % 2 == 0 ? 1.0 : -1.0;
    if (y[0] < y[1])
        side = -side;
    return side * (y[j + 1] - y[j] + q * (y[j] - y[j - 1])) / (2 * (1 + q));
}

/* LF 1998 Eq. 15. */
static double bound_of_beta(const double *y, size_t i, size_t m, double beta, double delta)
{
    const double decay = exp(-(double)m * beta * M_PI);
    const double late = decay * fabs(y[i + 1] - y[i - 1]);
    return late > 0 ? 2 * (1 + decay) * delta / ((double)m * M_PI * late) : NAN;
}

/* LF 1998 Eq. 17, with the bound of beta in the place of its error, which nobody knows. */
static double bound_of_x_k(const double *y, size_t j, double beta, double x_k, double bound_beta, double delta)
{
    const double q = law_q(beta);
    return M_PI * q * (fabs(y[j] - y[j - 1]) + 2 * fabs(x_k)) / (2 * (1 + q)) * bound_beta + delta;
}

/* LF 1998 Eq. 18: it holds for m = 1, so beta and x_k are those of m = 1 whatever m is used otherwise. */
static double bound_gamma(const double *y, size_t i, size_t j, double delta)
{
    const double x_k = coulomb_step(y, j, cumulative_beta(y, i, 1));
    return (1 + (fabs(y[j] - y[j - 1]) + 2 * fabs(x_k)) / fabs(y[i + 1] - y[i - 1])) * delta;
}

static void forget_cumulative(struct decrement *decrement)
{
    decrement->beta = decrement->zeta_m = decrement->x_k_m = NAN;
    decrement->bound_beta = decrement->bound_x_k = decrement->bound_gamma = NAN;
}

enum verdict decrement_cumulative(const double *y, size_t count, size_t i, size_t j, size_t m, double delta,
                                  struct decrement *decrement)
{
    decrement->i = i;
    decrement->j = j;
    decrement->m = m;
    decrement->delta = delta;
    forget_cumulative(decrement);
    if (count < 4 || i < 1 || j < 1 || m < 1 || j >= count - 1 || i >= count || m > count - 1 || i + m + 1 >= count)
        return VERDICT_TOO_FEW_HALF_CYCLES;
    const double beta = cumulative_beta(y, i, m);
    if (!isfinite(beta))
        return VERDICT_NOT_DECAYING;
    decrement->beta = beta;
    decrement->zeta_m = law_zeta(beta);
    decrement->x_k_m = coulomb_step(y, j, beta);
    decrement->bound_beta = bound_of_beta(y, i, m, beta, delta);
    decrement->bound_x_k = bound_of_x_k(y, j, beta, decrement->x_k_m, decrement->bound_beta, delta);
    decrement->bound_gamma = bound_gamma(y, i, j, delta);
    return VERDICT_OK;
}

/* The m with the smallest alpha; 0 when none gives a decay. Alpha is proportional to delta, so that delta drops out. */
static size_t best_m(const double *y, size_t count, size_t i)
{
    size_t best = 0;
    double smallest = INFINITY;
    for (size_t m = 1; i + m + 1 < count; m++) {
        double beta = cumulative_beta(y, i, m);
        double alpha = isfinite(beta) ? bound_of_beta(y, i, m, beta, 1.0) : NAN;
        if (alpha < smallest) {
            smallest = alpha;
            best = m;
        }
    }
    return best;
}

static void fill_local(const double *y, struct decrement *decrement)
{
    for (size_t n = 0; n < decrement->local_count; n++) {
        /* Eq. 11 at i uses Y_{i-2} … Y_{i+1}: Eq. 12 with m = 1 centred one earlier. */
        const size_t i = n + 2;
        const double beta = cumulative_beta(y, i - 1, 1);
        decrement->local[n] =
            (struct decrement_local){.i = i, .beta = beta, .zeta = law_zeta(beta), .x_k = coulomb_step(y, i, beta)};
    }
}

/* Mean and variance in one pass (Welford), so that a large common value costs no digits. */
static struct decrement_spread spread_of(const struct decrement *decrement,
                                         double (*of)(const struct decrement_local *))
{
    struct decrement_spread spread = {NAN, NAN, 0};
    double mean = 0, squares = 0;
    for (size_t n = 0; n < decrement->local_count; n++) {
        double value = of(&decrement->local[n]);
        if (!isfinite(value))
            continue;
        spread.count++;
        double step = value - mean;
        mean += step / (double)spread.count;
        squares += step * (value - mean);
    }
    if (spread.count > 0)
        spread.mean = mean;
    if (spread.count > 1)
        spread.sd = sqrt(squares / (double)(spread.count - 1));
    return spread;
}

static double local_zeta(const struct decrement_local *local)
{
    return local->zeta;
}

static double local_x_k(const struct decrement_local *local)
{
    return local->x_k;
}

void decrement_spreads(struct decrement *decrement)
{
    decrement->zeta = spread_of(decrement, local_zeta);
    decrement->x_k = spread_of(decrement, local_x_k);
}

static enum verdict identify_from(const double *y, size_t count, double delta, struct decrement *decrement)
{
    decrement->local = calloc(count - 3, sizeof *decrement->local);
    if (!decrement->local)
        return VERDICT_NO_MEMORY;
    decrement->local_count = count - 3;
    fill_local(y, decrement);
    decrement_spreads(decrement);

    /* Early extrema for beta, where the differences are large; late ones for x_k, where beta's error counts least. */
    const size_t m = best_m(y, count, 1);
    if (m == 0)
        return VERDICT_NOT_DECAYING;
    enum verdict verdict = decrement_cumulative(y, count, 1, count - 2, m, delta, decrement);
    /* A beta below zero by more than its bound is growth; -1e-9 lets an undamped noise-free record pass. The last
     * swing must also be smaller than the first. */
    const bool growing =
        decrement->beta + decrement->bound_beta < -1e-9 || fabs(y[count - 1] - y[count - 2]) >= fabs(y[1] - y[0]);
    return verdict == VERDICT_OK && growing ? VERDICT_NOT_DECAYING : verdict;
}

enum verdict decrement_identify(const struct extremum *extrema, size_t count, double delta, struct decrement *decrement)
{
    *decrement = (struct decrement){.delta = delta, .zeta = {NAN, NAN, 0}, .x_k = {NAN, NAN, 0}};
    forget_cumulative(decrement);
    if (count < 4)
        return decrement->verdict = VERDICT_TOO_FEW_HALF_CYCLES;
    double *y = malloc(count * sizeof *y);
    if (!y)
        return decrement->verdict = VERDICT_NO_MEMORY;
    bool finite = true;
    for (size_t n = 0; n < count; n++) {
        y[n] = extrema[n].displacement;
        finite = finite && isfinite(y[n]);
    }
    decrement->verdict = finite ? identify_from(y, count, delta, decrement) : VERDICT_NOT_FINITE;
    free(y);
    return decrement->verdict;
}

void decrement_clear(struct decrement *decrement)
{
    free(decrement->local);
    decrement->local = NULL;
    decrement->local_count = 0;
}
