/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_UNITS_H
#define FRICID_PROTO_RECORDING_UNITS_H

#include "proto/calibration.h"
#include "proto/recording_header.h"
#include "proto/recording_lines.h"
#include "proto/recording_parts.h"

/* What nobody can know of the units of channels, on a command line. A channel with two units, "lvdt_mm" above "um", is
 * refused. "g" is grams or the acceleration of gravity: below the name of an acceleration it gets the polynomial that
 * makes m/s2 of it, below that of a load it stays, and elsewhere it is refused. "MM", of a program that writes capitals
 * only, is mm, as long as it can be nothing else, and "mps2" is m/s2; header->respelled keeps that in mind. What a
 * calibration was told of, and what a configuration is about to tell, is left alone: polynomials as
 * recording_calibrations_take() leaves them. 0, or -EBADMSG and a complaint with the way out. */
int recording_units_settle(const struct recording_lines *lines, struct recording_header *header,
                           struct recording_declaration *declaration, struct calibration *polynomials,
                           struct complaint *complaint);

/* Adds ", POS in mm (written MM)" to a text, which is cut where it is too long. */
void recording_units_say(const struct recording_header *header, char *text, size_t bytes);

#endif
