/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_COMPLEX_NUMBER_H
#define FRICID_IDENTIFY_COMPLEX_NUMBER_H

#include <complex.h>

/* The standard asks for it; the C library of GNU has it for gcc alone. */
#ifndef CMPLX
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif

#endif
