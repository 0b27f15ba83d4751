/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_VERTEX_H
#define FRICID_IDENTIFY_LOOP_VERTEX_H

#include "identify/loop/loop_signal.h"
#include "identify/loop/loop_turn.h"

/* When, where and how well known a displacement turns back, at a reversal whose extreme sample, reach and shape are
 * known: by the widest window about it that this shape explains. Gives it time, displacement, se and the samples of its
 * curve. */
void loop_vertex_find(const struct loop_signal *signal, struct loop_reversal *reversal);

#endif
