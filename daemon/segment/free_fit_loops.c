/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "segment/free_fit_loops.h"

#include "segment/quads.h"

_Static_assert(MODULATED_ROW % QUAD == 0, "a row of products has no part of a quad");

/* Quad by quad of columns, from the diagonal downwards. */
static void add_products(const double row[MODULATED_ROW], double matrix[MODULATED_ROW][MODULATED_ROW])
{
    for (int j = 0; j < MODULATED_ROW; j += QUAD) {
        const quad columns = *(const loose_quad *)(row + j);
#pragma GCC unroll 4
        for (int i = j; i < MODULATED_ROW; i++)
            *(loose_quad *)(matrix[i] + j) += row[i] * columns;
    }
}

const struct free_fit_loops LANES_TABLE(free_fit_loops) = {.add_products = add_products};
