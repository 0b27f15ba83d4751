/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_GNUPLOT_H
#define FRICID_CLIENT_GNUPLOT_H

#include "client/record_file.h"
#include "client/screen.h"

#include <stdbool.h>
#include <stdio.h>

/* Has gnuplot draw a script, which was written to a file that can be read from its beginning, into a picture. False: it
 * did not, and why has been told. */
bool gnuplot_draw(FILE *script, struct record_file *picture, const struct screen *screen);

#endif
