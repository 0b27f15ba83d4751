/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_STILLNESS_H
#define FRICID_IDENTIFY_LOOP_STILLNESS_H

#include "identify/loop/loop_signal.h"

#include <stdbool.h>

/* Whether the force stays at one value while the displacement goes there and back again over more than half of its
 * range: no contact that slips does that, but a sensor that is not connected any more. */
bool loop_force_stands_still(const struct loop_signal *signal);

#endif
