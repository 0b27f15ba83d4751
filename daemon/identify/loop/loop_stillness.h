/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_STILLNESS_H
#define FRICID_IDENTIFY_LOOP_STILLNESS_H

#include "identify/loop/loop_signal.h"

#include <stdbool.h>

/* Whether the force stays at one value while the displacement goes there and back again over more than half of its
 * range: no contact that slips does that, but a sensor that is not connected any more. */
bool loop_force_stands_still(const struct loop_signal *signal);

/* Whether the force stays at its largest or smallest value beyond turns of the displacement, by more than what it is
 * told late: that of a contact leaves it there with the turn, and that of a sensor at its limit when it has fallen to
 * that. Of a force without noise and steps. */
bool loop_force_stands_past_turns(const struct loop_signal *signal, double late_s);

#endif
