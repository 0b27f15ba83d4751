/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DECAY_SCAN_H
#define FRICID_IDENTIFY_DECAY_SCAN_H

#include "identify/decay/scaled_record.h"

#include <stdbool.h>

/* The exponentially damped cosine with a bias that explains the whole record best, over a grid of damping ratios and of
 * frequencies about omega_n: starting values where swings mislead, because noise is nearly as high as they are. From
 * the first extremum after the record's begin; x_k is 0. Costs some hundred looks at the record. False when none was
 * found, or the record holds so many cycles that it needs no scan. */
bool decay_scan(const struct scaled_record *scaled, double omega_n, double parameters[FIT_PARAMETERS]);

#endif
