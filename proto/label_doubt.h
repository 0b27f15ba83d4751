/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_LABEL_DOUBT_H
#define FRICID_PROTO_LABEL_DOUBT_H

#include "proto/text_piece.h"

/* What makes doubtful that the numbers below a header are in its unit: "has a factor in its name" ("t / 10^-3 s", "LVDT
 * in 1/100 mm", "Time (s) x10"), "has two units in its name" ("force (kN) [N]", "Time (s) ms"). NULL: nothing does. */
const char *label_doubt(struct text_piece field);

#endif
