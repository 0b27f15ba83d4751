/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Includes QUADS_SOURCE, a file of loops that take four samples side by side, for the instructions that every processor
 * of this kind has and once more for those with wide vectors; so it has no guard itself. The loops find the types quad,
 * and loose (the same anywhere in memory), QUADS_NAME(name), the name of this copy, QUADS_TARGET, its attribute, and
 * what the language does not say of vectors: QUADS_SMALLER and QUADS_LARGER (lane by lane), and QUADS_TOTALS, the
 * totals of four quads as a quad, and QUADS_SOME(sample, count), the first of four samples, and zeros.
 * QUADS_CALL(function, …) calls the copy that suits the processor.
 *
 * Both copies add up the same numbers in the same order, and neither multiplies and adds in one instruction, which
 * would round once only: where a decay begins and ends does not depend on the processor. */

#include <stdint.h>

enum { LANES = 4 };
typedef double quad __attribute__((vector_size(4 * sizeof(double))));
typedef double loose __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef long long masks __attribute__((vector_size(4 * sizeof(long long))));

/* Of a copy that is not to be a call. */
#define QUADS_INLINE static inline __attribute__((always_inline))
#define QUADS_TOTAL(v) (((v)[0] + (v)[1]) + ((v)[2] + (v)[3]))
#define QUADS_MAGNITUDE(v) ((quad)((masks)(v)&INT64_MAX))

#define QUADS_TARGET
#define QUADS_NAME(name) name##_plain
#define QUADS_SOME(sample, count)                                                                                      \
    ((quad){(sample)[0], (count) > 1 ? (sample)[1] : 0, (count) > 2 ? (sample)[2] : 0, (count) > 3 ? (sample)[3] : 0})
#define QUADS_CHOICE(first, a, b) ((quad)(((first) & (masks)(a)) | (~(first) & (masks)(b))))
#define QUADS_SMALLER(a, b) QUADS_CHOICE((a) < (b), a, b)
#define QUADS_LARGER(a, b) QUADS_CHOICE((a) > (b), a, b)
#define QUADS_TOTALS(a, b, c, d) ((quad){QUADS_TOTAL(a), QUADS_TOTAL(b), QUADS_TOTAL(c), QUADS_TOTAL(d)})
#include QUADS_SOURCE
#undef QUADS_TARGET
#undef QUADS_NAME
#undef QUADS_SMALLER
#undef QUADS_LARGER
#undef QUADS_TOTALS
#undef QUADS_SOME

#if defined __x86_64__

#include <immintrin.h>

#define QUADS_TARGET __attribute__((target("avx2")))
#define QUADS_NAME(name) name##_wide
#define QUADS_SMALLER(a, b) ((quad)_mm256_min_pd(a, b))
#define QUADS_LARGER(a, b) ((quad)_mm256_max_pd(a, b))
#define QUADS_SOME(sample, count)                                                                                      \
    ((quad)_mm256_maskload_pd(                                                                                         \
        sample, _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)(count)), _mm256_set_epi64x(3, 2, 1, 0))))
#define QUADS_TOTALS(a, b, c, d) QUADS_HALVES(_mm256_hadd_pd(a, b), _mm256_hadd_pd(c, d))
#define QUADS_HALVES(ab, cd) (_mm256_permute2f128_pd(ab, cd, 0x20) + _mm256_permute2f128_pd(ab, cd, 0x31))
#include QUADS_SOURCE
#undef QUADS_TARGET
#undef QUADS_NAME
#undef QUADS_SMALLER
#undef QUADS_LARGER
#undef QUADS_TOTALS
#undef QUADS_SOME

/* A plain switch: functions that the loader resolves run before a sanitizer is ready. */
#define QUADS_CALL(function, ...)                                                                                      \
    (__builtin_cpu_supports("avx2") ? function##_wide(__VA_ARGS__) : function##_plain(__VA_ARGS__))

#else
#define QUADS_CALL(function, ...) function##_plain(__VA_ARGS__)
#endif
