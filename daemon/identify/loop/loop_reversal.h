/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_REVERSAL_H
#define FRICID_IDENTIFY_LOOP_REVERSAL_H

#include "identify/loop/loop_signal.h"
#include "identify/loop/loop_turn.h"

#include <stdbool.h>

/* Those of a signal in order, lower and upper ones by turns; a swing counts that is larger than the noise, and than a
 * tenth of the swing before it. The beginning and the end of the signal count where it rests there. 0 or -ENOMEM. */
int loop_reversals_of(const struct loop_signal *signal, struct loop_reversals *reversals);

/* Those of one loop, whose extreme samples are known: lower, upper and lower, each after the other. 0 or -ENOMEM. */
int loop_reversals_at(const struct loop_signal *signal, const size_t extreme[3], struct loop_reversals *reversals);
void loop_reversals_clear(struct loop_reversals *reversals);

#endif
