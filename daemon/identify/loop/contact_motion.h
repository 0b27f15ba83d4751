/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_CONTACT_MOTION_H
#define FRICID_IDENTIFY_CONTACT_MOTION_H

#include "identify/common/estimate.h"
#include "identify/loop/friction_model.h"

#include <stdatomic.h>

/* The motion of a mass on a contact that a force pushes: m v' = force - friction. It sticks, breaks away, slips and
 * drifts as its contact lets it. */

struct contact_push {
    double mass;                  /* > 0, in units that fit those of the model: force time²/displacement */
    const double *time_s, *force; /* count of them, times strictly increasing; between them the force is linear */
    size_t count;
};

/* Where a mass is. */
struct contact_place {
    struct contact_sample at;
    struct friction_state state;
    double friction; /* all that the model says the contact holds against the force */
};

/* The motion at each sample of the force, and the friction there (neither may be NULL). It begins at `place`, whose
 * time and friction count nothing; `place` is then that of the last sample. Verdicts: VERDICT_OK;
 * VERDICT_NOT_CONVERGED where no step is short enough, as of a motion that runs beyond all numbers, or where
 * the mass is so light that it rings on the contact a thousand times between two samples; VERDICT_CANCELLED
 * (cancel may be NULL). */
enum verdict contact_motion(const struct friction_model *model, const struct contact_push *push,
                            const atomic_bool *cancel, struct contact_place *place, struct contact_sample *motion,
                            double *friction);

#endif
