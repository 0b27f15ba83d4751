/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_QUANTITY_H
#define FRICID_IDENTIFY_FRICTION_QUANTITY_H

#include "identify/loop/friction_fit.h"

/* By the unknowns; of those with a logarithm by that. */
struct friction_gradient {
    double by[FRICTION_UNKNOWNS];
};

/* A parameter in units of the record, with its gradient. */
struct friction_quantity {
    double value;
    struct friction_gradient gradient;
    bool logarithmic; /* positive: its interval is one of the logarithm */
};

/* Of a fit's parameter that its model has. */
struct friction_quantity friction_quantity_of(const struct friction_motion *motion, const struct friction_fit *fit,
                                              enum friction_parameter parameter);

/* The offset of a part behind the first as far as it follows from the other unknowns, whose gradient it has. */
struct friction_quantity friction_part_offset(const struct friction_motion *motion, const struct friction_fit *fit,
                                              size_t part);

/* factor a^power_a b^power_b, b being an unknown with a logarithm, or of power 0. */
struct friction_quantity friction_product_of(double factor, const double *value, enum friction_column a, int power_a,
                                             enum friction_column b, int power_b);
struct friction_quantity friction_linear_of(double factor, const double *value, enum friction_column c);

/* Whether an unknown is a force at which the contact slips, and the sum of these, in units of the motion. */
bool friction_is_of_level(const struct friction_row *row, enum friction_column c);
double friction_level_of(const struct friction_fit *fit);

#endif
