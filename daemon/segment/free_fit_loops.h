/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_FREE_FIT_LOOPS_H
#define FRICID_SEGMENT_FREE_FIT_LOOPS_H

#include "motion/lanes.h"

/* Amplitude and phase of a modulated motion are polynomials of this degree over its span. Its unknowns are a cosine and
 * a sine for each power, and the centre; a row has these and the value that they are to explain. */
enum { MODULATED_DEGREE = 4, MODULATED = 2 * (MODULATED_DEGREE + 1) + 1, MODULATED_ROW = MODULATED + 1 };

/* The loop of free_fit.c. */
struct free_fit_loops {
    /* Adds the products of a row's entries with each other to a matrix, of which only the lower half counts. */
    void (*add_products)(const double row[MODULATED_ROW], double matrix[MODULATED_ROW][MODULATED_ROW]);
};

LANES_TABLES(free_fit_loops)

#endif
