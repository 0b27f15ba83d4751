/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SCORE_TEST_H
#define FRICID_IDENTIFY_SCORE_TEST_H

/* Score tests (C. R. Rao 1948): would one more column of the Jacobian explain what a fit leaves? Nothing is fitted
 * again. What the fit's own unknowns can imitate is taken out of the column, and the rest is correlated with the
 * residual. `inverse` is that of the fit's normal matrix, size by size, with zeros for what is not free. */

#include <stddef.h>

/* A column of which less than this part of the sum of squares is new is one that the unknowns imitate. */
#define SCORE_IMITATED 1e-9

/* By how much the unknowns change for a unit of a column, or of the residual, whose products with the Jacobian these
 * are: sign -1 where the unknowns have to make room for a column, +1 where they follow the residual. */
static inline void score_response(size_t size, const double *inverse, double sign, const double *products,
                                  double *response)
{
    for (size_t p = 0; p < size; p++) {
        response[p] = 0.0;
        for (size_t r = 0; r < size; r++)
            response[p] += sign * inverse[p * size + r] * products[r];
    }
}

/* The product of what is new in a column with another one, or with itself or the residual: `product` is that of the
 * whole column, `products` those of the other one with the Jacobian. */
static inline double score_new_part(size_t size, const double *response, const double *products, double product)
{
    for (size_t p = 0; p < size; p++)
        product += response[p] * products[p];
    return product;
}

#endif
