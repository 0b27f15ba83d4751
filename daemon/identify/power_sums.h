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

/* By doubling: log2(count) steps, none of which cancels digits. */
void power_sums_of(struct phasor z, size_t count, struct power_sums *sums);

/* Adds the term of n = count. */
void power_sums_append(struct phasor z, struct power_sums *sums);

#endif
