/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_MOTION_LOOPS_H
#define FRICID_MOTION_LOOPS_H

/* What a file of loops is written with: see lanes.h. LANES, how many samples go side by side, comes from the command
 * line of the compiler. */

#include "motion/lanes.h"

typedef double lanes __attribute__((vector_size(8 * LANES)));
typedef double loose __attribute__((vector_size(8 * LANES), aligned(8), may_alias)); /* the same anywhere in memory */
typedef long long masks __attribute__((vector_size(8 * LANES)));                     /* what a comparison gives */

enum { LANES_KIND = LANES == 8 ? LANES_OF_8 : LANES == 4 ? LANES_OF_4 : LANES_OF_2 };

/* The name of a table for this width. */
#define LANES_TABLE(name) LANES_TABLE_OF(name, LANES)
#define LANES_TABLE_OF(name, count) LANES_TABLE_WITH(name, count)
#define LANES_TABLE_WITH(name, count) name##_##count

/* Adds the upper half of the lanes to the lower half, again and again, until two are left. */
static inline double total(const lanes *v)
{
#if LANES == 8
    const double even = ((*v)[0] + (*v)[4]) + ((*v)[2] + (*v)[6]), odd = ((*v)[1] + (*v)[5]) + ((*v)[3] + (*v)[7]);
    return even + odd;
#elif LANES == 4
    return ((*v)[0] + (*v)[2]) + ((*v)[1] + (*v)[3]);
#else
    return (*v)[0] + (*v)[1];
#endif
}

/* The compiler loads a vector into a register there, once for all its uses. */
#if defined __x86_64__ || defined __i386__
#define LANES_KEEP(v) __asm__("" : "+v"(v))
#else
#define LANES_KEEP(v) ((void)(v))
#endif

#endif
