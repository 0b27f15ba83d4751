/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_WRAPPED_H
#define FRICID_CLIENT_WRAPPED_H

#include <stddef.h>
#include <stdio.h>

/* Lines that fit a terminal. A line is broken at spaces; a word that is too long has a line of its own. Width SIZE_MAX:
 * nothing is broken. */

/* Prints a sentence in lines of at most `width` columns, those after the first two columns further to the right. out
 * NULL: nothing is printed. How many lines. */
size_t wrapped_print(const char *text, size_t width, FILE *out);

/* Ends a line with a sentence, where `column` columns of it are taken already: what does not fit stands below its
 * beginning, or where the line is half full before, further to the left. How many lines. */
size_t wrapped_behind(const char *text, size_t column, size_t width, FILE *out);

/* Text of many lines that is written first and then printed, each line by wrapped_print(). */
struct wrapped_sheet {
    FILE *lines; /* write to this; NULL when memory was short */
    char *text;
    size_t size;
};

/* 0, or -ENOMEM; then nothing is to be closed. The sheet stays where it is until it is closed. */
int wrapped_open(struct wrapped_sheet *sheet);

/* Prints it and frees it. 0, or -ENOMEM: then nothing was printed. */
int wrapped_close(struct wrapped_sheet *sheet, size_t width, FILE *out);

#endif
