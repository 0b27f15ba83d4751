/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_JUMP_H
#define FRICID_IDENTIFY_MODE_JUMP_H

#include "identify/ring_down/mode_band.h"

#include <stdbool.h>

/* A knock pushes a mode: from then on what its law leaves is the mode's own motion, c times what the law says of it. */
struct mode_jump {
    double gain;     /* logarithm of how much likelier the samples are with the likeliest jump; 0: there is none */
    bool only_noise; /* is left then: as rough as noise is, and as large before the jump as behind it */
    double amplitude, change; /* of the mode at the first sensor where it jumps, and by how much that changes */
};

/* Of the first mode of a sum that was fitted to the samples of a band, from 20 cycles on, behind which a law is known.
 * variance: of white noise that weighs as much as what the fit leaves. c follows by least squares for each place,
 * beyond what an amplitude, a phase, a frequency and a damping explain, which are the fit's already. VERDICT_OK or
 * VERDICT_NO_MEMORY. */
enum verdict mode_jump_of(const struct mode_band *band, const struct mode_pass *pass, const struct mode_sum *sum,
                          double variance, struct mode_jump *jump);

#endif
