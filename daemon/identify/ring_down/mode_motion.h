/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_MOTION_H
#define FRICID_IDENTIFY_MODE_MOTION_H

#include "identify/common/estimate.h"
#include "identify/ring_down/mode_pass.h"

#include <stdatomic.h>

/* The motion of a mode by its law, from the first sample of a record on, as its sensors see it. */
struct mode_motion {
    bool there;
    bool exactly; /* its slow flow is not near enough to the exact motion */
    struct amplitude_law law;
    double complex amplitude[PASS_SENSORS]; /* of the displacement at time 0, in the order of the record */
};

/* Takes it away from `count` samples of each sensor; room: for as many. VERDICT_OK, VERDICT_NOT_CONVERGED (its law has
 * no such motion), VERDICT_NO_MEMORY or VERDICT_CANCELLED; samples are then as they were or of no use. cancel: may be
 * NULL. */
enum verdict mode_motion_take_away(const struct mode_motion *motion, enum sensed sensed, double rate_hz,
                                   const atomic_bool *cancel, double *room, double *const *samples, size_t sensors,
                                   size_t count);

#endif
