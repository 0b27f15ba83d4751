/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_PAIR_H
#define FRICID_IDENTIFY_MODE_PAIR_H

#include "identify/ring_down/mode_group.h"

#include <stdatomic.h>

/* Of a record of one sensor: whether its band has a pair of modes, which it tells by their beats. VERDICT_OK and two
 * modes: the laws of two leave no more than noise, the law of one far more, and smooth deviations of one mode from its
 * law more than chance does; VERDICT_OK and one mode: it is no such pair, or, where may_be_two says so, nobody knows;
 * else as of mode_group_of(). */
void mode_pair_of(const struct mode_record *record, const atomic_bool *cancel, struct mode_group *group);

#endif
