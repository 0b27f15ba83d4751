/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_CLOCK_LEAP_H
#define FRICID_IDENTIFY_CLOCK_LEAP_H

#include "identify/ladder/clock_steps.h"

/* A further step of the recorder's clock so large that no rung follows the motion past it: it shows in the length of
 * the half cycle in which it is. What is found is a first idea, in the record's unit and without errors; the step lies
 * somewhere in that half cycle. known: steps that are put right; what is odd beside these is left of them. False: no
 * length is that odd. */
bool clock_leap_find(const struct ladder_data *data, const struct clock_steps *known, struct clock_step *step);

#endif
