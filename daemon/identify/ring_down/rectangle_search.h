/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RECTANGLE_SEARCH_H
#define FRICID_IDENTIFY_RECTANGLE_SEARCH_H

#include <stddef.h>

/* The least value of a function over the unit cube, without a start and without derivatives: dividing rectangles
 * (DIRECT; Jones, Perttunen & Stuckman, J. Optim. Theory Appl. 79, 1993). */

enum { RECTANGLE_SIDES = 8 };

typedef double rectangle_function(const double *place, const void *about);

/* Evaluates it so often, or a few times more, and leaves the best place in `place` and its value in `value`. sides: of
 * the cube, from 1 to RECTANGLE_SIDES. 0 or -ENOMEM. */
int rectangle_search(rectangle_function *function, const void *about, size_t sides, size_t evaluations, double *place,
                     double *value);

#endif
