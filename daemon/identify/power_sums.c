/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sums over the samples of a half cycle that do not depend on what was measured there. */

#include "identify/power_sums.h"

#include <math.h>

struct phasor phasor_at(double beta, double theta)
{
    const double envelope = exp(-beta * theta);
    return (struct phasor){envelope * cos(theta), envelope * sin(theta)};
}

static inline void append(struct phasor z, struct power_sums *sums)
{
    double weight = 1.0;
    for (int k = 0; k < POWERS; k++, weight *= (double)sums->count) {
        sums->sum[k].re += weight * sums->next.re;
        sums->sum[k].im += weight * sums->next.im;
    }
    sums->next = phasor_times(sums->next, z);
    sums->count++;
}

void power_sums_append(struct phasor z, struct power_sums *sums)
{
    append(z, sums);
}

/* The sums over the next `count` terms are those over the first with n + count in the place of n. */
static inline void double_count(struct power_sums *sums)
{
    const double m = (double)sums->count;
    struct phasor *s = sums->sum;
    const struct phasor later[POWERS] = {
        s[0],
        {s[1].re + m * s[0].re, s[1].im + m * s[0].im},
        {s[2].re + m * (2.0 * s[1].re + m * s[0].re), s[2].im + m * (2.0 * s[1].im + m * s[0].im)},
    };
    for (int k = 0; k < POWERS; k++) {
        const struct phasor part = phasor_times(sums->next, later[k]);
        s[k].re += part.re;
        s[k].im += part.im;
    }
    sums->next = phasor_times(sums->next, sums->next);
    sums->count *= 2;
}

void power_sums_of(struct phasor z, size_t count, struct power_sums *sums)
{
    struct power_sums so_far = {.next = {1.0, 0.0}}; /* of its own, so that it stays in registers */
    size_t bit = 1;
    while (bit <= count / 2)
        bit *= 2;
    for (; bit > 0; bit /= 2) {
        double_count(&so_far);
        if (count & bit)
            append(z, &so_far);
    }
    *sums = so_far;
}
