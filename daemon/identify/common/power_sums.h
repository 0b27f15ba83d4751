/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_POWER_SUMS_H
#define FRICID_IDENTIFY_POWER_SUMS_H

#include <stddef.h>

/* A complex number; arithmetic written out, since complex.h's checks for infinities cost more than the products. */
struct phasor {
    double re, im;
};

static inline struct phasor phasor_times(struct phasor a, struct phasor b)
{
    return (struct phasor){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* e^((-beta + i) theta). */
struct phasor phasor_at(double beta, double theta);

/* sum[k]: the sum of n^k z^n over 0 <= n < count. */
enum { POWERS = 3 };

struct power_sums {
    size_t count;
    struct phasor sum[POWERS];
    struct phasor next; /* z^count */
};

/* Of three z side by side, so that none waits for its own products. By doubling: log2(count) steps, none of which
 * cancels digits. */
void power_sums_of_three(const struct phasor z[3], size_t count, struct power_sums *first, struct power_sums *second,
                         struct power_sums *third);

/* Adds the term of n = count. */
void power_sums_append(struct phasor z, struct power_sums *sums);

#endif
