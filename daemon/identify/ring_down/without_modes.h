/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_WITHOUT_MODES_H
#define FRICID_IDENTIFY_WITHOUT_MODES_H

#include "identify/ring_down/ring_down_mode.h"

/* What the modes that have an answer leave of a ring-down's samples. */
struct without_modes {
    double *room;             /* owned */
    double *of[PASS_SENSORS]; /* less a straight line, as many samples as the ring-down has, in room */
};

/* cancel: may be NULL. VERDICT_OK, VERDICT_NO_MEMORY or VERDICT_CANCELLED. It is to be cleared, whatever the verdict.
 */
enum verdict without_modes_of(const struct ring_down_samples *samples, const struct ring_down_mode *modes, size_t count,
                              const atomic_bool *cancel, struct without_modes *without);
void without_modes_clear(struct without_modes *without);

#endif
