/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LANES_H
#define FRICID_IDENTIFY_LANES_H

/* Loops that take several samples side by side, for three widths of vector. Which one runs is chosen at run time, by a
 * plain switch: functions resolved by the loader (ifunc, target_clones) run before a sanitizer is ready and crash
 * there. Whichever runs, the answers are the same to rounding. */

/* How many samples go side by side. */
enum lanes_kind { LANES_OF_2, LANES_OF_4, LANES_OF_8, LANES_KINDS };

#if defined __x86_64__ || defined __i386__

/* The widest that this processor has. */
static inline enum lanes_kind lanes_widest(void)
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return LANES_OF_8;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? LANES_OF_4 : LANES_OF_2;
}

/* Calls the copy of a function for that width: see lanes_each.h. */
#define LANES_SWITCH(kind, function, ...)                                                                              \
    switch (kind) {                                                                                                    \
    case LANES_OF_8:                                                                                                   \
        function##_8(__VA_ARGS__);                                                                                     \
        break;                                                                                                         \
    case LANES_OF_4:                                                                                                   \
        function##_4(__VA_ARGS__);                                                                                     \
        break;                                                                                                         \
    default:                                                                                                           \
        function##_2(__VA_ARGS__);                                                                                     \
    }

#else

static inline enum lanes_kind lanes_widest(void)
{
    return LANES_OF_2;
}

#define LANES_SWITCH(kind, function, ...) ((void)(kind), function##_2(__VA_ARGS__))

#endif

#endif
