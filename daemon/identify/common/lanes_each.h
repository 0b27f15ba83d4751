/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Includes LANES_SOURCE, a file of loops, once for each width of vector that this kind of processor may have, so it has
 * no guard itself. The loops find LANES, how many samples go side by side; LANES_KIND, its enum lanes_kind;
 * LANES_TARGET, the attribute that lets the compiler use the instructions; LANES_NAME(name), the name for this width;
 * and the types lanes (a vector), loose (the same anywhere in memory) and masks (what comparing two vectors gives).
 *
 * A compiler lowers vectors to what the function at hand may use, before it inlines anything: hence a copy of the
 * source for each width, and not one function with several targets. */

#include "identify/common/lanes.h"

#define LANES_TYPES                                                                                                    \
    typedef double LANES_NAME(lanes) __attribute__((vector_size(8 * LANES)));                                          \
    typedef double LANES_NAME(loose) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));                   \
    typedef long long LANES_NAME(masks) __attribute__((vector_size(8 * LANES)));                                       \
    LANES_TARGET static inline double LANES_NAME(total)(const LANES_NAME(lanes) * lanes)                               \
    {                                                                                                                  \
        const LANES_NAME(lanes) v = LANES_FOLD(*lanes);                                                                \
        return v[0] + v[1];                                                                                            \
    }

/* Adds the upper half of the lanes to the lower half, again and again, until two are left; the others then hold
 * whatever they may. */
#if defined __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define LANES_FOLD_4(v) ((v) + __builtin_shufflevector(v, v, 2, 3, 0, 1))
#define LANES_FOLD_8_TO_4(v) ((v) + __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3))
#define LANES_FOLD_8(v)                                                                                                \
    (LANES_FOLD_8_TO_4(v) + __builtin_shufflevector(LANES_FOLD_8_TO_4(v), LANES_FOLD_8_TO_4(v), 2, 3, 0, 1, 6, 7, 4, 5))
#endif
#endif
#ifndef LANES_FOLD_8
#define LANES_FOLD_4(v) ((v) + (__typeof__(v)){(v)[2], (v)[3], 0, 0})
#define LANES_FOLD_8(v)                                                                                                \
    ((v) + (__typeof__(v)){(v)[2], (v)[3]} + (__typeof__(v)){(v)[4], (v)[5]} + (__typeof__(v)){(v)[6], (v)[7]})
#endif

/* The compiler loads a vector into a register there, once for all its uses. */
#if defined __x86_64__ || defined __i386__
#define LANES_KEEP(v) __asm__("" : "+v"(v))
#else
#define LANES_KEEP(v) ((void)(v))
#endif

#define LANES_FOLD(v) (v)
#define LANES 2
#define LANES_KIND LANES_OF_2
#define LANES_TARGET
#define LANES_NAME(name) name##_2
LANES_TYPES
#include LANES_SOURCE
#undef LANES
#undef LANES_KIND
#undef LANES_TARGET
#undef LANES_NAME

#if defined __x86_64__ || defined __i386__

#undef LANES_FOLD
#define LANES_FOLD(v) LANES_FOLD_4(v)
#define LANES 4
#define LANES_KIND LANES_OF_4
#define LANES_TARGET __attribute__((target("avx2,fma")))
#define LANES_NAME(name) name##_4
LANES_TYPES
#include LANES_SOURCE
#undef LANES
#undef LANES_KIND
#undef LANES_TARGET
#undef LANES_NAME
#undef LANES_FOLD

#define LANES_FOLD(v) LANES_FOLD_8(v)
#define LANES 8
#define LANES_KIND LANES_OF_8
#define LANES_TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define LANES_NAME(name) name##_8
LANES_TYPES
#include LANES_SOURCE

#endif
