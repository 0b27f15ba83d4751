/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_KNOWLEDGE_H
#define FRICID_IDENTIFY_FRICTION_KNOWLEDGE_H

#include "identify/common/ar_model.h"
#include "identify/loop/friction_quantity.h"
#include "identify/loop/friction_shaking.h"

#include <stdbool.h>

/* What is known of a quantity follows from its gradient by the unknowns: along directions in which the sum of squares
 * does not change nothing is known. */

struct friction_knowledge {
    size_t count;
    enum friction_column free[FRICTION_UNKNOWNS];
    double scale[FRICTION_UNKNOWNS];                         /* unit diagonal of scaled J'J */
    double vector[FRICTION_UNKNOWNS][FRICTION_UNKNOWNS];     /* its eigenvectors */
    bool seen[FRICTION_UNKNOWNS];                            /* along each */
    bool blurred[FRICTION_UNKNOWNS];                         /* not seen for the noise of the speeds alone */
    double covariance[FRICTION_UNKNOWNS][FRICTION_UNKNOWNS]; /* of the scaled free ones, along what is seen */
    unsigned brief; /* elements that slip before a sample tells after which length: bits 1u << element */
};

/* Of a fit, noise being that of its residuals in units of the motion; shaking: what noise of the displacement does
 * beside it, or NULL. false: it has no free unknowns, or memory is short. */
bool friction_know(const struct friction_motion *motion, const struct friction_fit *fit, const struct ar_model *noise,
                   const struct friction_shaking *shaking, struct friction_knowledge *of);

/* Of two quantities by their gradients, as far as they are along what is seen. */
double friction_covariance_along(const struct friction_knowledge *of, const struct friction_gradient *one,
                                 const struct friction_gradient *other);
double friction_variance_along(const struct friction_knowledge *of, const struct friction_gradient *gradient);

/* How a quantity changes along a direction, by a change of the scaled unknowns of 1. */
double friction_change_along(const struct friction_knowledge *of, const struct friction_gradient *gradient,
                             size_t direction);

/* Whether the record determines a quantity. own_square: of its gradient by a scaled unknown of its own, which is seen
 * and is not in the knowledge; 0: there is none. */
bool friction_is_seen(const struct friction_knowledge *of, const struct friction_gradient *gradient);
bool friction_is_seen_beside(const struct friction_knowledge *of, const struct friction_gradient *gradient,
                             double own_square);

/* Of one that is not: whether it would be, were it not for noise of the speeds. */
bool friction_is_blurred(const struct friction_knowledge *of, const struct friction_gradient *gradient);

#endif
