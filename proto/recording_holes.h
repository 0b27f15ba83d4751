/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_HOLES_H
#define FRICID_PROTO_RECORDING_HOLES_H

#include "proto/decimal.h"

#include <stddef.h>

/* Values of a recording that are none. */

/* Reads what programs write where there is no value: nothing, "nan" or "inf", which gives NaN. What stands behind it;
 * NULL: something else stands there. */
const char *recording_hole_read(const char *at, struct decimal *decimal);

/* Notes by line, or by row in a file of numbers, from 1, where in a channel the first value that is none stands; what
 * is noted already stays. */
void recording_hole_note(double value, size_t place, size_t *hole);

#endif
