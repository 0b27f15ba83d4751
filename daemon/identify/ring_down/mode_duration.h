/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_DURATION_H
#define FRICID_IDENTIFY_MODE_DURATION_H

#include "identify/ring_down/ring_down_mode.h"

/* Modes of which a fit told nothing, because they are lost in the noise within fewer cycles than it needs, are said to
 * have too few; a motion that goes on is not. VERDICT_OK or VERDICT_NO_MEMORY. */
enum verdict mode_durations_judge(const struct ring_down_samples *samples, struct ring_down_mode *modes, size_t count);

/* Modes that have figures, and are above the noise for fewer cycles than these are told from, are said to have too few:
 * a motion that was driven may pass for such a one. When all modes have been looked at, and each was taken from the
 * others' records. */
void mode_durations_name(const struct ring_down_samples *samples, const struct identify_settings *settings,
                         struct ring_down_mode *modes, size_t count);

#endif
