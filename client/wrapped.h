/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_WRAPPED_H
#define FRICID_CLIENT_WRAPPED_H

#include <stddef.h>
#include <stdio.h>

/* Prints a sentence in lines of at most `width` columns, broken at spaces, those after the first two columns further to
 * the right; a longer word has a line of its own. out NULL: nothing is printed. How many lines. */
size_t wrapped_print(const char *text, size_t width, FILE *out);

#endif
