/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_SHOW_RING_DOWN_H
#define FRICID_CLIENT_SHOW_RING_DOWN_H

#include "client/screen.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Prints the blow, the modes, and of each of them some points of the backbone and the joint. ring_down: that object of
 * a result; NULL or without modes: nothing of these. unit: of displacement. intervals: with those of
 * 95 %. 0, or -ENOMEM. */
int show_ring_down(const json_t *ring_down, const char *unit, bool intervals, const struct glyphs *glyphs, FILE *out);

#endif
