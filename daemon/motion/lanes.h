/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_MOTION_LANES_H
#define FRICID_MOTION_LANES_H

/* Loops that take several samples side by side. The loops of X.c are in X_loops.c, plain C that is compiled once for
 * every width of vector that this kind of processor may have: with -DLANES=2, 4 or 8 and the flags that let the
 * compiler use the instructions (see room.mk). Each gives a table of its functions, and lanes_widest() tells which
 * table counts.
 *
 * What is promised of all results: on one machine they are the same to the last bit, into whatever blocks a stream is
 * cut; between machines whose vectors have another width they are the same to rounding. */

/* How many samples go side by side. */
enum lanes_kind { LANES_OF_2, LANES_OF_4, LANES_OF_8, LANES_KINDS };

#if defined __x86_64__ || defined __i386__

/* The widest that this processor has. A plain question: functions that the loader resolves (ifunc, target_clones) run
 * before a sanitizer is ready and crash there. */
static inline enum lanes_kind lanes_widest(void)
{
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return LANES_OF_2;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
               ? LANES_OF_8
               : LANES_OF_4;
}

/* Declares the tables of a file of loops, and LOOPS(kind), the one for that width. */
#define LANES_TABLES(loops)                                                                                            \
    extern const struct loops loops##_2, loops##_4, loops##_8;                                                         \
    static inline const struct loops *loops##_of(enum lanes_kind kind)                                                 \
    {                                                                                                                  \
        return kind == LANES_OF_8 ? &loops##_8 : kind == LANES_OF_4 ? &loops##_4 : &loops##_2;                         \
    }

#else

static inline enum lanes_kind lanes_widest(void)
{
    return LANES_OF_2;
}

#define LANES_TABLES(loops)                                                                                            \
    extern const struct loops loops##_2;                                                                               \
    static inline const struct loops *loops##_of(enum lanes_kind kind)                                                 \
    {                                                                                                                  \
        (void)kind;                                                                                                    \
        return &loops##_2;                                                                                             \
    }

#endif

#endif
