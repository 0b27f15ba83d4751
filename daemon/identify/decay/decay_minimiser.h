/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DECAY_MINIMISER_H
#define FRICID_IDENTIFY_DECAY_MINIMISER_H

#include "identify/decay/bounded_step.h"
#include "identify/decay/normal_equations.h"
#include "identify/decay/scaled_record.h"

#include <stdatomic.h>

/* A least-squares problem on a fixed set of samples, and the effort spent on it. */
struct decay_minimiser {
    const struct scaled_record *scaled;
    size_t first, last; /* the samples: [first, last) */
    struct free_parameters free;
    const atomic_bool *cancel; /* may be NULL */
    int passes_left;           /* over all calls */
    int passes;
    double
        last_change; /* squared length, as a change of the model, of the last step; 0: none, or not to be relied on */
};

/* Levenberg-Marquardt with the parameters' bounds, from the given parameters (scaled units) to the optimum next
 * to them. normal: what J'J, J'r and r'r are there, from the last pass or, after a step too
 * short to matter, foreseen. tolerance: the last step's length in standard
 * errors at which to stop (1e-6 for a final answer, more on the way). VERDICT_OK, VERDICT_CANCELLED,
 * VERDICT_NOT_CONVERGED (effort), VERDICT_UNDERDETERMINED (no finite step exists). */
enum verdict decay_minimise(struct decay_minimiser *minimiser, double tolerance, double parameters[FIT_PARAMETERS],
                            struct normal_equations *normal);

#endif
