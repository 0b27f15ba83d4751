/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_SENSORS_H
#define FRICID_IDENTIFY_MODE_SENSORS_H

#include "identify/ring_down/law_fit.h"
#include "identify/ring_down/mode_group.h"
#include "identify/ring_down/mode_jump.h"

#include <stdatomic.h>

/* The sensors of a mode: the strongest is its reference, and comes first. */
struct mode_sensors {
    size_t count, order[PASS_SENSORS]; /* places in the record */
    double late_s[PASS_SENSORS];       /* by how much each is sampled after the reference */
    struct amplitude_law own;          /* its law in the group, which mode_record borrows */
    struct mode_sum beside;            /* the other modes of the band, as mode_record has them */
};

/* A mode of a group, of sensors whose samples these are, with their delays after the start of a scan: fills in these
 * parts of its record, which borrows both. */
void mode_sensors_arrange(const double *const *samples, const double *delay_s, size_t count,
                          const struct mode_group *group, size_t which, struct mode_sensors *sensors,
                          struct mode_record *record);

/* The places of a group's modes, the one that moves a sensor most first: it is known best whatever is known of the
 * others, and its fit says more of these than that of the group. */
void mode_sensors_order(const struct mode_group *group, size_t sensors, size_t order[PASS_MODES]);

/* Makes what the fit of one mode of a group says of all of them the group's. */
void mode_sensors_learn(const struct mode_sensors *sensors, const struct mode_record *record,
                        const struct mode_sum *fitted, size_t which, struct mode_group *group);

/* What a sensor sees of a mode: the part that is in phase with the reference and the one that leads it by a quarter. */
struct mode_sensor {
    const char *name;    /* borrowed from the record */
    double re, im;       /* over the reference */
    double se_re, se_im; /* NAN: it is the reference, or there was no fit */
    double drift; /* from the first half of the nepers that are seen to the second, of its size; NAN: it is not told */
    double se_drift;
    double residual; /* rms of what the law leaves of its samples, over the first crest that it sees */
    double residual_first, residual_after; /* in the first cycles (residual.h) and after them */
};

/* The shape of a mode by its law, of one time whenever its sensors are sampled in a scan, in the order of the record,
 * all but names, and where the motion jumps. VERDICT_OK, VERDICT_NO_MEMORY, VERDICT_CANCELLED or as mode_fit(): then
 * nothing is known but the reference. */
enum verdict mode_shape_of(const struct mode_record *record, const struct law_fit *law, const atomic_bool *cancel,
                           struct mode_sensor *shape, struct mode_jump *jump);

#endif
