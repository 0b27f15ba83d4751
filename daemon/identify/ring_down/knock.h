/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_KNOCK_H
#define FRICID_IDENTIFY_KNOCK_H

#include "identify/ring_down/spectral_modes.h"

#include <stddef.h>

/* Knocks in a ring-down: where the motion of one of its modes changes at once, which no damping, no joint and no beat
 * does. Found is what white noise makes of one record in 1e5, where a mode is still at 1 % of its largest motion or
 * more. Of all sensors, whose samples are `count` each. step: of each sensor's converter (stretch_step()). until: how
 * many samples from the first on are free of the knock that stands out most; count: there is none. 0 or -ENOMEM. */
int knock_until(const double *const *samples, size_t sensors, size_t count, double rate_hz, const double *step,
                const struct spectral_mode *modes, size_t mode_count, size_t *until);

#endif
