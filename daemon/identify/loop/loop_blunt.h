/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_BLUNT_H
#define FRICID_IDENTIFY_LOOP_BLUNT_H

#include "identify/loop/loop_signal.h"
#include "identify/loop/loop_turn.h"

/* Gives corners among reversals, whose reach and shape are known, what is cut off them: where a drive dwells for few
 * samples, or turns within few, the noise hides that at each of them, and their lines cross beyond it. The area between
 * lines and samples tells it, in the mean of all. */
void loop_blunt_find(const struct loop_signal *signal, struct loop_reversals *reversals);

#endif
