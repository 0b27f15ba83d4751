/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_OSCILLOSCOPE_H
#define FRICID_PROTO_OSCILLOSCOPE_H

#include "proto/dialect/preamble.h"
#include "proto/dialect/sample.h"

/* Files of Rigol's oscilloscopes: rows have numbers instead of times, and two lines above them tell the names, the
 * units, when the first of them is, and how far they are apart. */

/* As labview_read() describes what is above rows; found stays false where it is no such file. */
void oscilloscope_read(const struct sample *sample, struct preamble *preamble);

#endif
