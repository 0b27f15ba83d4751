/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_SHOW_MODAL_JOINT_H
#define FRICID_CLIENT_SHOW_MODAL_JOINT_H

#include "client/screen.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Prints the joint of a mode, a row for each parameter: its value with its uncertainty, or why there is none and
 * between which bounds it is. iwan: that object of a mode; no object: nothing. unit: of displacement. intervals: with
 * those of 95 %. 0, or -ENOMEM. */
int show_modal_joint(const json_t *iwan, const char *unit, bool intervals, const struct glyphs *glyphs, FILE *out);

#endif
