/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sums over the samples of a half cycle that do not depend on what was measured there. */

#include "identify/common/power_sums.h"

#include <math.h>

struct phasor phasor_at(double beta, double theta)
{
    const double envelope = exp(-beta * theta);
    return (struct phasor){envelope * cos(theta), envelope * sin(theta)};
}

/* Becomes part of whatever calls it, so that the sums stay in registers. */
#define ALONG __attribute__((always_inline)) static inline

ALONG void append(struct phasor z, struct power_sums *sums)
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
ALONG void double_count(struct power_sums *sums)
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

void power_sums_of_three(const struct phasor z[3], size_t count, struct power_sums *first, struct power_sums *second,
                         struct power_sums *third)
{
    struct power_sums a = {.next = {1.0, 0.0}}, b = a, c = a;
    size_t bit = 1;
    while (bit <= count / 2)
        bit *= 2;
    for (; bit > 0; bit /= 2) {
        double_count(&a);
        double_count(&b);
        double_count(&c);
        if (count & bit) {
            append(z[0], &a);
            append(z[1], &b);
            append(z[2], &c);
        }
    }
    *first = a;
    *second = b;
    *third = c;
}
