/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_UNDISTURBED_H
#define FRICID_IDENTIFY_UNDISTURBED_H

#include "identify/ring_down/ring_down_mode.h"

#include <stdbool.h>

/* The modes that stand out of the part of a ring-down in which it rings undisturbed, and the lines that are none. */
struct undisturbed {
    struct spectral_mode mode[RING_DOWN_MODES];
    size_t modes;
    struct left_lines left;
};

/* Ends the samples before the first dropout of a sensor and before knocks, and says so in them; the levels, which are
 * those that they borrow, are made anew. VERDICT_OK or VERDICT_NO_MEMORY. */
enum verdict undisturbed_part(struct ring_down_samples *samples, double *const *levels,
                              struct undisturbed *undisturbed);

/* The modes alone, of samples that are known to be undisturbed. VERDICT_OK or VERDICT_NO_MEMORY. */
enum verdict undisturbed_modes(const struct ring_down_samples *samples, struct undisturbed *undisturbed);

#endif
