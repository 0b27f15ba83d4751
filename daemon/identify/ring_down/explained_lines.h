/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_EXPLAINED_LINES_H
#define FRICID_IDENTIFY_EXPLAINED_LINES_H

#include "identify/ring_down/untold_lines.h"

/* A joint that slips as a whole lowers its mode's frequency so much that its first cycles may show as a line of their
 * own, beside the mode's, which does not decay. Lines that do not decay, and no longer stand out once the motions of
 * the modes are taken away, are these modes once more, and are left out. cancel: may be NULL. VERDICT_OK,
 * VERDICT_NO_MEMORY or VERDICT_CANCELLED. */
enum verdict explained_lines_leave(const struct ring_down_samples *samples, const atomic_bool *cancel,
                                   const struct told_modes *modes);

#endif
