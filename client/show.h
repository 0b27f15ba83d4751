/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_SHOW_H
#define FRICID_CLIENT_SHOW_H

#include "client/screen.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Prints a RESULT of the protocol for people, several lines as wide as the screen; its strings are safe to print.
 * title: what to call it instead of its id, rig and channel; NULL: nothing. run: a list of summaries, the results of
 * its run; NULL: not known. 0, or -ENOMEM. */
int show_result(const json_t *result, const char *title, const json_t *run, bool intervals, const struct glyphs *glyphs,
                FILE *out);

/* The line that explains the parentheses; print it once below the results. */
void show_legend(bool intervals, const struct glyphs *glyphs, FILE *out);

#endif
