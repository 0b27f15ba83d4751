/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_CONTACT_FORCE_H
#define FRICID_IDENTIFY_CONTACT_FORCE_H

#include "identify/common/estimate.h"
#include "identify/loop/friction_model.h"
#include "identify/loop/friction_term.h"

#include <stdatomic.h>

/* The force of a contact for a motion, foretold from what was identified, with its standard uncertainty. */

/* A contact as it is known. */
struct known_contact {
    enum friction_shape shape;
    double stribeck_exponent;
    double value[FRICTION_PARAMETERS]; /* what it lacks is 0; what follows from others counts nothing */
    bool has_covariance;               /* false: the values hold as they are */
    double covariance[FRICTION_PARAMETERS][FRICTION_PARAMETERS];
    struct friction_element element[FRICTION_ELEMENTS_MOST];
    size_t element_count;
    bool start_known; /* false: the contact may have slid either way before */
    double start;     /* deflection before the first sample, as a share of what the contact holds */
};

/* The same for computing with; it borrows the elements. */
struct friction_model known_contact_model(const struct known_contact *contact, const double value[FRICTION_PARAMETERS]);

/* The force at each of `count` samples, in order of time, and its standard uncertainty: by the covariance, and by what
 * the start may have been, evenly between sliding one way and the other. From sample *known_from on (count: never) the
 * latter changes the force by less than 1e-5 of the level. Steps between samples are as fine as changes the force by no
 * more than that. VERDICT_OK, VERDICT_CANCELLED (cancel may be NULL), VERDICT_NO_MEMORY. */
enum verdict contact_force(const struct known_contact *contact, const struct contact_sample *motion, size_t count,
                           const atomic_bool *cancel, double *force, double *se, size_t *known_from);

#endif
