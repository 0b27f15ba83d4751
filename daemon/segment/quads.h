/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_QUADS_H
#define FRICID_SEGMENT_QUADS_H

/* The segmenter's files of loops are written with this: see motion/lanes.h. A half cycle may have as few as five
 * samples, so four of them go side by side at every width of vector; then sums are the same for all of them. */

#include "motion/loops.h"

#include <stddef.h>
#include <stdint.h>

enum { QUAD = 4 };
typedef double quad __attribute__((vector_size(QUAD * sizeof(double))));
typedef double loose_quad __attribute__((vector_size(QUAD * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef long long quad_masks __attribute__((vector_size(QUAD * sizeof(long long)))); /* what a comparison gives */

static inline double quad_total(const quad *v)
{
    return ((*v)[0] + (*v)[1]) + ((*v)[2] + (*v)[3]);
}

/* The magnitudes, lane by lane. */
static inline void quad_drop_sign(quad *v)
{
    *v = (quad)((quad_masks)*v & INT64_MAX);
}

#if LANES > 2

#include <immintrin.h>

/* The smaller, and the larger, of two: lane by lane, and the second where one of them is no number. */
#define QUAD_SMALLER(a, b) ((quad)_mm256_min_pd(a, b))
#define QUAD_LARGER(a, b) ((quad)_mm256_max_pd(a, b))

/* The totals of four. */
static inline void quad_totals(const quad *a, const quad *b, const quad *c, const quad *d, quad *totals)
{
    const quad ab = _mm256_hadd_pd(*a, *b), cd = _mm256_hadd_pd(*c, *d);
    *totals = _mm256_permute2f128_pd(ab, cd, 0x20) + _mm256_permute2f128_pd(ab, cd, 0x31);
}

/* The first `count` of four samples, and zeros. */
static inline void quad_some(const double *sample, size_t count, quad *some)
{
    const __m256i number = _mm256_set_epi64x(3, 2, 1, 0);
    *some = _mm256_maskload_pd(sample, _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)count), number));
}

#else

#define QUAD_CHOICE(first, a, b) ((quad)(((first) & (quad_masks)(a)) | (~(first) & (quad_masks)(b))))
#define QUAD_SMALLER(a, b) QUAD_CHOICE((a) < (b), a, b)
#define QUAD_LARGER(a, b) QUAD_CHOICE((a) > (b), a, b)

static inline void quad_totals(const quad *a, const quad *b, const quad *c, const quad *d, quad *totals)
{
    *totals = (quad){quad_total(a), quad_total(b), quad_total(c), quad_total(d)};
}

static inline void quad_some(const double *sample, size_t count, quad *some)
{
    *some = (quad){sample[0], count > 1 ? sample[1] : 0, count > 2 ? sample[2] : 0, count > 3 ? sample[3] : 0};
}

#endif

#endif
