/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_KINDS_LOOP_COLUMNS_H
#define FRICID_KINDS_LOOP_COLUMNS_H

#include "proto/complaint.h"
#include "proto/recording.h"

/* What the header of a recording lacks to be that of a friction loop, as half a sentence: for one in which no decay was
 * found. Empty: nothing in it tells of a loop, or it was recorded by fricidctl, whose channels have the names that a
 * configuration gave them. */
void loop_columns_lacking(const struct recording *recording, struct complaint *lacking);

#endif
