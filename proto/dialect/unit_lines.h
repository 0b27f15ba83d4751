/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_UNIT_LINES_H
#define FRICID_PROTO_UNIT_LINES_H

#include "proto/dialect/header_lines.h"

/* Units that instruments write above the names, each in a line of its own: "Vertical Units,mm", "X-Axis unit: s". They
 * count where the names have no line of units. */
void unit_lines_take(const struct sample *sample, char delimiter, struct header_lines *names);

#endif
