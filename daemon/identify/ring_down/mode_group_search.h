/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_GROUP_SEARCH_H
#define FRICID_IDENTIFY_MODE_GROUP_SEARCH_H

#include "identify/ring_down/mode_group.h"

#include <stdatomic.h>

/* How many modes are in the band, and where their fits begin. Their number is the rank of what several
 * sensors see. Verdicts:
 * VERDICT_OK, VERDICT_MODES_TOO_NEAR (they are more than two, or do not differ in frequency as far as the record
 * tells), VERDICT_NO_OSCILLATION, VERDICT_TOO_FEW_SAMPLES, VERDICT_CANCELLED, VERDICT_NO_MEMORY. Of a record of one
 * sensor, VERDICT_OK and one mode without a law. peaks: how many the spectrum has in the band; of two the second mode
 * is there too where its part is not above the noise, as far as that is known, but one law leaves far more than two.
 * cancel: may be NULL. */
void mode_group_of(const struct mode_record *record, size_t peaks, const atomic_bool *cancel, struct mode_group *group);

#endif
