/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LAW_CORRECT_H
#define FRICID_IDENTIFY_LAW_CORRECT_H

#include "identify/ring_down/mode_band.h"

#include <stdatomic.h>

/* Adds to the model of a band what the exact motion of each mode has beyond its slow flow and, of displacements without
 * a filter, where each sensor's zero is. motion: room for as many samples as the record has. VERDICT_OK,
 * VERDICT_NO_MEMORY, VERDICT_CANCELLED, or VERDICT_NOT_CONVERGED where the law has no such motion. cancel: may be NULL.
 */
enum verdict law_correct(const struct mode_record *record, const struct mode_sum *sum, const atomic_bool *cancel,
                         double *motion, struct mode_band *band);

#endif
