/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_MEASURED_UNIT_H
#define FRICID_PROTO_MEASURED_UNIT_H

#include "proto/text_piece.h"

#include <stdbool.h>

/* Units that channels usually have, of lengths, angles, voltages, forces, masses and what these change by in a time:
 * whether a word behind a name is one, and whether two of them say the same. */

/* "mm", "µrad", "m/s^2", "Volt", "microns" */
bool measured_unit_is_known(struct text_piece unit);

/* Writes a unit as most people do, "m/s2" for "mps2", "ms^-2" or "m/sec2", "um" for "microns". False: it is written so
 * already, or is none that is known. */
bool measured_unit_plain(struct text_piece unit, char *plain, size_t bytes);

/* "m/s2", "m_s2", "mm_per_s": of a length or an angle, divided by a time once or twice. */
bool measured_unit_is_rate(struct text_piece unit);

/* "km/h", "mm_min", "kph": of a length or an angle, divided by another time than seconds, so that it is no
 * displacement, nor a velocity or an acceleration in a unit that is known. */
bool measured_unit_is_strange_rate(struct text_piece unit);

/* "µm" and "um", "m/s2" and "m/s²" are the same; "mm" and "MM" are not. */
bool measured_units_agree(struct text_piece one, struct text_piece other);

#endif
