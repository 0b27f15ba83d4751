/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SINGLE_DECAY_H
#define FRICID_IDENTIFY_SINGLE_DECAY_H

#include "identify/decay/full_record_fit.h"
#include "identify/decay/record.h"

#include <stdbool.h>

/* Whether the record holds one free decay and nothing else that swings: outside of the samples that entered the fit the
 * mass is held, is let go, or rests. False where a recording of several releases was taken for one decay. True when
 * the fit has no estimates to judge by. */
bool record_holds_single_decay(const struct decay_record *record, const struct full_record_fit *fit);

#endif
