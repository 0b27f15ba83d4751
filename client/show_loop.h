/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_SHOW_LOOP_H
#define FRICID_CLIENT_SHOW_LOOP_H

#include "client/screen.h"

#include <jansson.h>
#include <stdio.h>

/* Prints the runs of a record of loops, what drifts over the main one, and some of its loops. loop: that object of a
 * result; without loops: how large the noise is. unit: of displacement. 0, or -ENOMEM. */
int show_loop(const json_t *loop, const char *unit, const struct glyphs *glyphs, FILE *out);

#endif
