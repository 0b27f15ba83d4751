/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_TEXT_LIST_H
#define FRICID_STORE_TEXT_LIST_H

#include <stddef.h>

/* Coefficients as people read them in the store, "0,2", with every digit that they have. */
enum { TEXT_LIST_SIZE = 256, TEXT_LIST_MOST = 8 };

/* At most TEXT_LIST_MOST values; none give an empty text. */
void text_list_write(char text[TEXT_LIST_SIZE], const double *values, size_t count);

/* How many values were read, at most `most`. */
size_t text_list_read(const char *text, double *values, size_t most);

#endif
