/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_EXTREMES_H
#define FRICID_IDENTIFY_LOOP_EXTREMES_H

#include "identify/loop/loop_signal.h"
#include "identify/loop/loop_turn.h"

/* At which samples a displacement turns back. */

/* Those of a signal of one sample and more in order, upper and lower ones by turns; of each its side and its sample.
 * The first and the last are the ends of the signal, or next to them. 0 or -ENOMEM. */
int loop_extremes_of(const struct loop_signal *signal, struct loop_reversals *reversals);

/* One more, behind the others. 0 or -ENOMEM. */
int loop_reversals_add(struct loop_reversals *reversals, bool upper, size_t sample);

#endif
