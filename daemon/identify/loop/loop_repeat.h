/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_REPEAT_H
#define FRICID_IDENTIFY_LOOP_REPEAT_H

#include "identify/loop/loop_signal.h"

/* Standard deviation of the force's noise between two limits, at which it stands so many times (stretches), where a
 * cycle has too few samples between them for loop_noise(): by what cycles differ by, if the drive repeats itself sample
 * for sample, beyond what the displacement differs by. 0: it does not, or there is none; NAN: memory is short. */
double loop_repeat_noise(const struct loop_signal *signal, double above, double below, size_t stretches);

#endif
