/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_REST_H
#define FRICID_IDENTIFY_LOOP_REST_H

#include "identify/loop/loop_signal.h"
#include "identify/loop/loop_turn.h"

/* Looks whether the displacement rests where it turns back, at a reversal whose extreme sample, vertex and window are
 * known: then that is in the middle of the rest. */
void loop_rest_find(const struct loop_signal *signal, struct loop_reversal *reversal);

#endif
